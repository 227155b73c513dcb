"""The full-screen table, played headless with its own keys."""

import asyncio
import re
from pathlib import Path

import pytest

from pitboss.cli.sting import draw
from pitboss.cli.sting.playthrough import Playthrough
from pitboss.cli.sting.screen import Choice, RulesScreen
from pitboss.sting.cards import default_cards
from pitboss.sting.run import Run
from pitboss.sting.saves import read_save
from tests.support.sting.table_pilot import Seat, Watched, at_table
from tests.support.sting.tables import PLAYER, play, start


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return tmp_path / "sting.json"


def words(line: str) -> str:
    return " ".join(line.split())


def test_the_table_shows_all_there_is_to_know(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        assert "hand 1  ·  round 1 of 3" in seat.shown("header")
        assert "0/100" in seat.shown("header")
        assert "Cash 0" in seat.shown("header")
        assert seat.shown("seat0").splitlines() == ["Narc · 2 in hand", "▒▒ face down", "★ initiative"]
        assert seat.shown("seat1").splitlines() == ["Customer · 3 in hand", "nothing played"]
        assert seat.shown("seat2").splitlines() == ["▶ You", "nothing played"]
        assert "Raises left ●●○" in seat.shown("scale")
        assert "just safe" in seat.shown("scale")
        cards = seat.shown("cards").splitlines()
        assert cards[0] == "Your cards"
        assert words(cards[3]) == "3 Alibi cover: Cover +30, Heat −5 → safe by 30"
        assert words(seat.shown("keys")) == "1-3 raise c check f fold ? rules q save and leave"
        assert seat.log == ["Hand 1.", "You draw 2 Weed, Alibi.", "Narc plays a card face down.", "Customer checks."]

    at_table(save, scene)


def test_a_hand_by_its_keys_to_the_end_of_the_run(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("1")
        assert seat.shown("cards").startswith("Round 1 is over: continue or fold?")
        assert "Profit 30" in seat.shown("scale")
        await seat.press("enter", "3")
        assert "Safe House" in seat.shown("seat2")
        assert "safe by 15" in seat.shown("scale")
        await seat.press("enter", "c", "c")
        assert seat.run.hand.over

    app = at_table(save, scene)
    assert read_save(save.read_bytes()) == app.playthrough.playing


def test_a_bust_ends_the_run_and_n_begins_another(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("1", "enter", "1", "enter", "c", "space")
        assert seat.run.ending == "busted"
        assert seat.shown("cards").startswith("Run over\nBusted: more Evidence than Cover.")
        assert "You banked 0 in 1 hand.  (seed 3)" in seat.shown("cards")
        assert "bust by 30" in seat.shown("scale")
        assert seat.app.query_one("#scale").has_class("bust")
        await seat.press("enter", "1", "c")
        assert seat.run.over
        await seat.press("n")
        assert seat.asked(Choice)
        await seat.press("down", "enter")
        assert (seat.run.decks["player"], seat.run.seed, seat.run.over) == ("ghost", 4, False)
        assert seat.log[0] == "Hand 1."

    at_table(save, scene)


def test_the_next_hand_comes_with_enter(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("f", "f")
        assert seat.run.hand.outcome == "fold"
        assert "You folded" in seat.shown("cards")
        assert "next hand" in seat.shown("keys")
        await seat.press("enter")
        assert seat.run.number == 2
        assert "hand 2" in seat.shown("header")

    at_table(save, scene)


def test_folding_is_asked_twice_and_escape_or_another_key_stays(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("1", "f")
        assert words(seat.shown("keys")) == "f fold, and lose a profit of 30 esc stay"
        await seat.press("escape")
        assert "continue" in seat.shown("keys")
        await seat.press("f", "enter")
        assert (seat.run.hand.over, seat.run.hand.number) == (False, 2)
        await seat.press("f", "f")
        assert seat.run.hand.outcome == "fold"

    at_table(save, scene)


def test_what_is_not_on_offer_changes_nothing(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        before = seat.run
        await seat.press("enter", "9", "n", "x")
        assert seat.run == before
        assert seat.app.notices == ["player is asked to check, to raise with a card or to fold"]

    at_table(save, scene)


def test_own_face_down_cards_are_shown_and_reckoned(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        held = seat.run.hand.hands[2]
        await seat.press(str(held.index("Alibi") + 1))
        assert seat.run.hand.state == "Betting"
        assert "▒▒ Alibi" in seat.shown("seat2")
        assert "(face-down: +30)" in seat.shown("scale")

    at_table(save, scene, seed=5)


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_nothing_that_matters_is_cut_off_with_a_card_face_down(save: Path, size: tuple[int, int]) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press(str(seat.run.hand.hands[2].index("Alibi") + 1))
        text = words(seat.screen)
        for part in (
            "round 1 of 3",
            "Narc · 3 ",
            "Customer · 3 ",
            "Evidence 0",
            "Cover 0",
            "Margin 0 just safe (face-down: +30)",
            "Profit 0 Heat 0 Raises left ●●○",
            "1-2 raise c check f fold ? rules q save and leave",
        ):
            assert part in text
        assert re.search(r"Heat [█░ ]*0/100 Cash 0", text)

    at_table(save, scene, seed=5, size=size)


def test_the_keys_of_three_cards_fit_the_smallest_table(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        assert "1-3 raise c check f fold ? rules q save and leave" in words(seat.screen)

    at_table(save, scene, size=draw.LEAST)


@pytest.mark.parametrize("size", [(59, 20), (60, 19), (20, 5)])
def test_a_screen_that_is_too_small_says_so_until_it_grows(save: Path, size: tuple[int, int]) -> None:
    async def scene(seat: Seat) -> None:
        assert f"Too small: the table needs 60×20, this is {size[0]}×{size[1]}." in words(seat.screen)
        await seat.pilot.resize_terminal(80, 24)
        await seat.pilot.pause()
        assert "Too small" not in seat.screen
        assert "Raises left" in seat.screen

    at_table(save, scene, size=size)


def test_heat_is_never_shown_below_0(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("3", "c")
        assert seat.run.hand.heat < 0
        assert re.search(r"Heat ░+ 0/100", seat.shown("header"))

    at_table(save, scene)


def test_what_a_saved_run_ignores_is_said_with_the_question(save: Path) -> None:
    saved, _ = Run.start(seed=3)
    app = Watched(Playthrough(save, cards=default_cards(), seed=3, decks={}), saved)
    app.playthrough.notice = "The saved run differs from --deck."

    async def scene() -> None:
        async with app.run_test() as pilot:
            await pilot.pause()
            assert "differs from --deck." in Seat(app, pilot).screen

    asyncio.run(scene())


def test_played_cards_stand_newest_first_and_struck_out_where_another_counts() -> None:
    hand = start(player=["Weed", "Meth", "Alibi", "Weed"])
    hand = play(hand, "narc check", "customer check", "player raise Weed", "player raise Meth", "player raise Alibi")
    text = draw.seat(hand.view(PLAYER), PLAYER)
    assert text.plain.splitlines() == ["Alibi", "Meth", "Weed"]
    [struck] = [span for span in text.spans if "strike" in str(span.style)]
    assert text.plain[struck.start : struck.end] == "Weed"


def test_the_log_scrolls(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("1", "enter", "1", "enter", "c", "c")
        log = seat.app.log_panel
        end = log.scroll_offset.y
        await seat.press("pageup")
        assert log.scroll_offset.y < end
        await seat.press("pagedown")
        assert log.scroll_offset.y == end

    at_table(save, scene)


def test_the_rules_open_and_close(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("question_mark")
        assert seat.asked(RulesScreen)
        await seat.press("down")
        assert seat.asked(RulesScreen)
        await seat.pilot.resize_terminal(100, 30)
        await seat.press("c")
        assert not seat.asked(RulesScreen)
        assert len(seat.shown("header")) == 100
        assert seat.run.actions == ()

    at_table(save, scene)


def test_the_deck_is_chosen_by_number(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        assert seat.asked(Choice)
        await seat.press("3")
        assert seat.run.decks["player"] == "kingpin"

    at_table(save, scene, deck=None)


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
def test_leaving_at_any_time_is_clean_and_the_run_is_saved(save: Path, key: str) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("1", key)

    app = at_table(save, scene)
    assert app.return_code == 0
    assert read_save(save.read_bytes()) == app.playthrough.playing
    assert len(app.playthrough.playing.actions) == 1


@pytest.mark.parametrize("key", ["q", "escape", "ctrl+c"])
def test_leaving_at_the_first_question_begins_nothing(save: Path, key: str) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("c", "f", "n", "9", "question_mark")
        assert seat.asked(Choice)
        await seat.press(key)

    app = at_table(save, scene, deck=None)
    assert (app.playthrough.run, app.return_code) == (None, 0)
    assert not save.exists()


@pytest.mark.parametrize(("key", "gone_on"), [("1", True), ("enter", True), ("2", False)])
def test_a_saved_run_is_offered(save: Path, key: str, gone_on: bool) -> None:
    async def begin(seat: Seat) -> None:
        await seat.press("1", "q")

    async def resume(seat: Seat) -> None:
        assert seat.asked(Choice)
        await seat.press(key)
        assert seat.run.seed == (3 if gone_on else 8)
        assert (seat.run.actions != ()) == gone_on
        assert "round 1 of 3" in seat.shown("header")

    at_table(save, begin)
    at_table(save, resume, saved=read_save(save.read_bytes()), seed=8)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20), (200, 60)])
def test_it_fits_and_follows_the_size_of_the_terminal(save: Path, size: tuple[int, int]) -> None:
    async def scene(seat: Seat) -> None:
        await seat.pilot.resize_terminal(*size)
        await seat.press("1")
        keys = seat.app.query_one("#keys").region
        assert (keys.width, keys.bottom) == size
        assert seat.app.query_one("#log").region.height >= 2
        width = seat.app.query_one("#cards").content_size.width
        assert all(len(line) <= width for line in seat.shown("cards").splitlines()[1:])
        assert len(seat.shown("header")) == size[0]

    at_table(save, scene)


def test_a_save_that_cannot_be_written_is_said_and_the_game_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")

    async def scene(seat: Seat) -> None:
        await seat.press("1")
        assert len(seat.run.actions) == 1
        assert len(seat.app.notices) == 2
        assert all("cannot be written" in notice for notice in seat.app.notices)

    app = at_table(tmp_path / "file" / "save.json", scene)
    assert app.playthrough.trouble is not None
