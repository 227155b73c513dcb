"""The full-screen table, played headless with its own keys."""

import asyncio
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.cli.sting import draw
from pitboss.cli.sting.draw import card_lines, seat_badge
from pitboss.cli.sting.draw import seat as draw_seat
from pitboss.cli.sting.playthrough import Playthrough, load_scores, scores_beside
from pitboss.cli.sting.screen import ChoiceScreen, EndScreen, FirstScreen, HelpScreen
from pitboss.sting.cards import default_cards, read_cards_file
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
        assert seat.shown("seat0").splitlines() == ["Narc ▮▮", "▒▒ face down", "★ · raises 40 %"]
        assert seat.shown("seat1").splitlines() == ["Customer ▮▮▮", "nothing played", "raises 0 %"]
        assert seat.shown("seat2").splitlines() == ["▶ You", "nothing played"]
        assert "Raises left ●●○" in seat.shown("scale")
        assert "just safe" in seat.shown("scale")
        assert "f  fold: costs nothing" in seat.shown("scale")
        assert "bust: the run is over" in seat.shown("scale")
        assert "Your turn" in seat.shown("question")
        cards = [line.split("│")[-2].strip() for line in seat.shown("cards").splitlines()[1:-1]]
        assert cards == ["Cover +30, Heat −5", "", "→ safe by 30"]
        assert " 3  Alibi " in seat.shown("cards")
        assert words(seat.shown("keys")) == "1-3 play c check f fold h hint ? help q leave"
        assert seat.log == ["Hand 1.", "You draw 2 Weed, Alibi.", "Narc plays a card face down.", "Customer checks."]

    at_table(save, scene)


def test_a_run_shows_the_minimum_heat_and_the_target(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        stakes = seat.run.difficulty
        await seat.press("f", "f", "enter")
        head = words(seat.shown("header"))
        assert f"hand 2 of {stakes.hands}" in head
        assert f"Cash {stakes.cash - stakes.fold_cash[0]}/{stakes.target}" in head
        assert f"(minimum {seat.run.least_heat})" in head
        leaving, _ = stakes.fold_price(1, deciding=True)
        said = f"fold: cash −{stakes.fold_cash[0]} now, −{leaving} next, Heat +{stakes.fold_heat[0]}"
        assert said in seat.shown("scale")

    at_table(save, scene, difficulty="hard", size=(120, 40))


def test_a_hand_by_its_keys_to_the_end_of_the_run(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("1")
        assert "Round 1 is over: continue or fold?" in seat.shown("question")
        assert "Profit 30" in seat.shown("scale")
        await seat.press("enter", "3")
        assert "Safe House" in seat.shown("seat2")
        assert "E+10 C+30 H−5" in seat.shown("seat2")
        assert "safe by 15" in seat.shown("scale")
        await seat.press("enter", "c", "c")
        assert seat.run.hand.over

    app = at_table(save, scene)
    assert read_save(save.read_bytes()) == app.playthrough.playing


@pytest.mark.check
def test_a_bust_ends_the_run_and_n_begins_another(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("1", "enter", "1", "enter", "c", "space")
        assert seat.run.ending == "busted"
        assert seat.is_showing(EndScreen)
        assert "Hand 1: busted; cash 0" in seat.screen
        assert "Your score: 0 (seed 3)." in seat.screen
        await seat.press("escape")
        assert seat.shown("scale").endswith("Busted: more Evidence than Cover.\nBusted. The run is over.")
        assert "Margin −30 (bust by 30)" in seat.shown("scale")
        assert seat.app.query_one("#scale").has_class("bust")
        await seat.press("enter", "1", "c")
        assert seat.run.over
        await seat.press("s")
        assert seat.is_showing(EndScreen)
        await seat.press("n")
        assert seat.is_showing(FirstScreen)
        await seat.press("enter", "enter")
        assert seat.is_showing(ChoiceScreen)
        await seat.press("down", "enter")
        assert (seat.run.decks["player"], seat.run.seed, seat.run.over) == ("ghost", 4, False)
        assert seat.run.difficulty.name == "normal"
        assert seat.log[0] == "Hand 1."

    at_table(save, scene)


def test_enter_starts_the_next_hand(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("f", "f")
        assert seat.run.hand.outcome == "fold"
        assert "You folded" in seat.shown("scale")
        assert "next hand" in seat.shown("keys")
        await seat.press("enter")
        assert seat.run.number == 2
        assert "hand 2" in seat.shown("header")

    at_table(save, scene)


def test_folding_needs_confirmation_and_any_other_key_cancels(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("1", "f")
        assert words(seat.shown("keys")) == "f fold: profit 30 lost, Heat +5 esc stay"
        await seat.press("escape")
        assert "continue" in seat.shown("keys")
        await seat.press("f", "enter")
        assert (seat.run.hand.over, seat.run.hand.number) == (False, 2)
        await seat.press("f", "f")
        assert seat.run.hand.outcome == "fold"

    at_table(save, scene)


def test_unavailable_actions_change_nothing(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        before = seat.run
        await seat.press("9", "n", "x", "enter")
        assert seat.run == before
        assert "You must check, raise with a card or fold" in seat.shown("question")
        await seat.press("escape")
        assert "Your turn" in seat.shown("question")

    at_table(save, scene)


def test_own_face_down_cards_are_shown_and_counted(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        held = seat.run.hand.hands[2]
        await seat.press(str(held.index("Alibi") + 1))
        assert seat.run.hand.state == "Betting"
        assert "▒▒ Alibi" in seat.shown("seat2")
        assert "Margin 0 → +30" in seat.shown("scale")

    at_table(save, scene, seed=5)


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_important_text_is_never_cut_off_with_a_card_face_down(save: Path, size: tuple[int, int]) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press(str(seat.run.hand.hands[2].index("Alibi") + 1))
        text = words(seat.screen)
        for part in (
            "Narc ▮▮▮",
            "Customer ▮▮▮",
            "Evidence 0",
            "Cover 0",
            "Margin 0 → +30",
            "Profit 0 Heat 0 → −5 Raises",
            "●●○",
            "fold: costs nothing",
            "bust: the run is over",
            "1-2 play c check f fold h hint ? help q leave",
        ):
            assert part in text
        assert re.search(r"round 1( of |/)3 Heat [█░ ]*0/100 Cash 0", text)

    at_table(save, scene, seed=5, size=size)


@pytest.mark.parametrize(("width", "raises"), [(90, "Raises left ●●●"), (78, "Raises ●●●"), (58, "  ●●●")])
def test_heat_follows_the_cards_face_down_and_the_raises_stay_in_sight(width: int, raises: str) -> None:
    down = tuple((PLAYER, card) for card in ("Heroin", "Alibi", "Alibi"))
    table = tuple((PLAYER, card) for card in ("Alibi", "Alibi", "Weed")) + ((1, "Haggling"),) * 2
    line = draw.scale(replace(start(), table=table, down=down), width)[-1].plain
    assert line.startswith("Margin +50 → +110")
    assert "Profit −30 → 90  Heat −5 → +30" in line
    assert line.endswith(raises)
    assert len(line) <= width


@pytest.mark.parametrize("penned", ["Plea Bargain", "Fake ID"])
def test_the_costs_of_a_fold_and_a_bust_are_whole_on_the_smallest_table(penned: str) -> None:
    run, _ = Run.start(seed=3, difficulty="hard")
    table = ((PLAYER, "Heroin"), (PLAYER, penned), (0, "School Zone"))
    hand = replace(run.hand, state="DecisionPoint", table=table, down=(), heat_before=90, cash=1234)
    run = replace(run, cash=1234, hand=hand)
    fold, bust = (line.plain for line in draw.stakes(run, draw.SMALLEST_SCREEN[0] - 2))
    assert fold.strip() == "f  fold: profit 150, cash −25, −60 next, Heat +69, caught"
    assert bust.strip().startswith(f"!  bust: {penned} saves: ")
    assert bust.endswith("+, caught")
    unsold = replace(run, hand=replace(hand, table=()))
    assert draw.stakes(unsold, draw.SMALLEST_SCREEN[0] - 2)[0].plain.endswith("  no sale: cash −25")
    assert "without a sale: cash −25" in draw.stakes(unsold, 78)[0].plain
    assert draw.keys(run, True, draw.SMALLEST_SCREEN[0]).plain.strip() == "f  fold at the price above  esc  stay"


def test_a_card_on_a_narrow_seat_is_cut_only_where_no_row_is_left() -> None:
    names = ("Fake ID", "Alibi", "Safe House")
    hand = replace(start(), table=tuple((PLAYER, name) for name in reversed(names)))
    assert draw_seat(hand, PLAYER, 18, 5).plain.splitlines() == [
        "Fake ID",
        " C+15 saves H+40+",
        "Alibi C+30 H−5",
        "Safe House",
        " E+10 C+30 H−5",
    ]
    assert draw_seat(hand, PLAYER, 18, 4).plain.splitlines() == [
        "Fake ID",
        " C+15 saves H+40+",
        "Alibi C+30 H−5",
        "Saf… E+10 C+30 H−5",
    ]


def test_how_likely_an_opponent_raises_fits_the_narrowest_seat() -> None:
    run, _ = Run.start(seed=3, difficulty="hard")
    hand = replace(play(start(), "narc check", "customer raise Fair Deal"), number=3)
    assert seat_badge(run, hand, 1, 20) == "★ raises 100 %"
    assert seat_badge(run, hand, 1, 26) == "★ · raises 100 %"


def test_the_end_keeps_its_keys_on_the_smallest_table(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        score = ["Your score: 324. (seed 3350608922)", "Your best run with corner on hard so far!"]
        await seat.app.push_screen(EndScreen("The night is over.", False, ["Hand 1: folded"] * 14, score))
        await seat.pilot.pause()
        shown = words(seat.screen)
        assert "Your score: " in shown
        assert "n new run esc the table ? help q leave" in shown

    at_table(save, scene, size=draw.SMALLEST_SCREEN)


def test_the_keys_of_three_cards_fit_the_smallest_table(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        assert "1-3 play c check f fold h hint ? help q leave" in words(seat.screen)

    at_table(save, scene, size=draw.SMALLEST_SCREEN)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_header_fits_with_the_largest_numbers(width: int) -> None:
    run, _ = Run.start(seed=3, difficulty="hard")
    run = replace(run, number=10, cash=12345, hand=replace(run.hand, heat_before=99, cash=12345))
    line = draw.header(run, run.hand.view(PLAYER), width)
    assert len(line) == width
    assert f"Cash 12345/{run.difficulty.target}" in line.plain
    assert "99/100" in line.plain


@pytest.mark.check
@pytest.mark.parametrize("size", [(59, 20), (60, 19), (20, 5)])
def test_too_small_screen_is_reported_until_it_grows(save: Path, size: tuple[int, int]) -> None:
    async def scene(seat: Seat) -> None:
        assert f"Too small: expected at least 60×20, got {size[0]}×{size[1]}." in words(seat.screen)
        await seat.pilot.resize_terminal(80, 24)
        await seat.pilot.pause()
        assert "Too small" not in seat.screen
        assert "Raises left" in seat.screen

    at_table(save, scene, size=size)


def test_question_on_a_too_small_screen_is_reported_until_it_grows(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        assert "Too small: expected at least 60×20, got 40×12." in words(seat.screen)
        assert "You sell" not in seat.screen
        await seat.pilot.resize_terminal(60, 20)
        await seat.pilot.pause()
        assert "You sell" in seat.screen

    at_table(save, scene, deck=None, difficulty=None, size=(40, 12))


def test_heat_is_never_shown_below_0(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("3", "c")
        assert seat.run.hand.heat < 0
        assert re.search(r"Heat ░+ 0/100", seat.shown("header"))

    at_table(save, scene)


def test_options_that_a_saved_run_ignores_are_shown_with_the_question(save: Path) -> None:
    saved, _ = Run.start(seed=3)
    app = Watched(Playthrough(save, cards=default_cards(), seed=3, decks={}), saved)
    app.playthrough.notice = "The saved run differs from --deck."

    async def scene() -> None:
        async with app.run_test() as pilot:
            await pilot.pause()
            assert "differs from --deck." in Seat(app, pilot).screen

    asyncio.run(scene())


def test_played_cards_are_newest_first_and_replaced_ones_struck_out() -> None:
    hand = start(player=["Weed", "Meth", "Alibi", "Weed"])
    hand = play(hand, "narc check", "customer check", "player raise Weed", "player raise Meth", "player raise Alibi")
    text = draw_seat(hand.view(PLAYER), PLAYER, 24, 6)
    assert text.plain.splitlines() == ["Alibi C+30 H−5", "Meth $100 H+30", "Weed $30 H+5"]
    [struck] = [span for span in text.spans if "strike" in str(span.style)]
    assert text.plain[struck.start : struck.end] == "Weed"


def test_the_log_scrolls(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("1", "enter", "1", "enter", "c", "c", "escape")
        log = seat.app.log_panel
        end = log.scroll_offset.y
        await seat.press("pageup")
        assert log.scroll_offset.y < end
        await seat.press("pagedown")
        assert log.scroll_offset.y == end

    at_table(save, scene)


@pytest.mark.parametrize(("width", "rows", "shown"), [(18, 3, 3), (18, 9, 5), (24, 9, 4), (38, 20, 9)])
def test_cards_are_explained_as_far_as_there_is_room(width: int, rows: int, shown: int) -> None:
    hand = start(customer=["Regular Order", "Bulk Order", "Haggling"], player=())
    hand = play(hand, "narc check", *(f"customer raise {card}" for card in hand.hands[1]))
    lines = draw_seat(hand.view(PLAYER), 1, width, rows).plain.splitlines()
    assert len(lines) == shown
    assert all(len(line) <= width for line in lines)
    assert any("$×1.5 E+25 H+20" in line or "price ×1.5" in line for line in lines)


def test_box_of_one_row_shows_that_a_card_saves() -> None:
    card = default_cards().cards["Fake ID"]
    assert [line.plain for line in card_lines(card, 18, 1, 50)] == ["C+15, saves H+40+"]
    assert [line.plain for line in card_lines(card, 14, 1, 50)] == ["C+15 saves H+40+"]


@pytest.mark.check
def test_help_opens_everywhere_and_any_key_closes_it(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        for keys in ((), ("enter",), ("enter",), ("enter",)):
            await seat.press(*keys, "question_mark")
            assert seat.is_showing(HelpScreen)
            await seat.press("down")
            assert seat.is_showing(HelpScreen)
            await seat.press("c")
            assert not seat.is_showing(HelpScreen)
        await seat.press("1", "question_mark")
        assert "On the table" in seat.screen
        await seat.pilot.resize_terminal(100, 30)
        await seat.press("c")
        assert len(seat.shown("header")) == 100
        assert len(seat.run.actions) == 1

    at_table(save, scene, deck=None, difficulty=None)


def test_the_first_screen_teaches_at_the_least_size(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        assert seat.is_showing(FirstScreen)
        text = words(seat.screen.replace("│", " "))
        for part in ("You sell", "is a bust", "Heat 100", "to win", "enter play", "? help", "q leave"):
            assert part in text

    at_table(save, scene, deck=None, difficulty=None, size=draw.SMALLEST_SCREEN)


def test_difficulty_and_deck_are_chosen_by_number(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("enter", "3", "3")
        assert (seat.run.difficulty.name, seat.run.decks["player"]) == ("hard", "kingpin")

    at_table(save, scene, deck=None, difficulty=None)


TEA_SHOP = """
[cards]
"Tea" = { kind = "product", price = 7 }
"Fog" = { kind = "cover", cover = 10, heat = 1 }
[decks.narc]
d = { "Fog" = 9 }
[decks.customer]
d = { "Fog" = 9 }
[decks.player]
d = { "Tea" = 9 }
[shop]
"Tea" = 2
"Fog" = 99
[difficulty.normal]
hands = 3
target = 50
cash = 10
offer = 2
"""


@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
def test_cards_for_sale_are_bought_by_number(save: Path, size: tuple[int, int]) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("f", "f")
        shop = seat.run.shop
        shown = words(seat.screen.replace("│", " "))
        for part in ("Tea", "2 cash", "have 9", "Fog", "99 cash", "have 0", "Cover +10", "1-2 buy enter next hand"):
            assert part in shown
        await seat.press(str(shop.index("Fog") + 1))
        assert "Fog costs 99, and you have 10" in seat.shown("question")
        await seat.press(str(shop.index("Tea") + 1))
        assert seat.run.cash == 8
        assert seat.log[-1].startswith("You buy Tea for 2")
        await seat.press("enter")
        assert (seat.run.number, len(seat.run.listed[PLAYER])) == (2, 10)

    at_table(save, scene, deck=None, difficulty="normal", size=size, cards=read_cards_file(TEA_SHOP))


def test_turns_are_shown_one_after_the_other_and_a_key_ends_the_waiting(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        assert seat.log == ["Hand 1.", "You draw 2 Weed, Alibi."]
        assert seat.shown("seat0").startswith("▶ Narc ▮▮▮")
        assert "Narc is thinking" in seat.shown("question")
        seat.app.show_next()
        assert seat.log[-1] == "Narc plays a card face down."
        assert seat.shown("seat1").startswith("▶ Customer")
        await seat.press("1")
        assert seat.log[-1] == "Customer checks."
        assert seat.run.actions == ()
        await seat.press("1")
        assert seat.run.actions != ()
        assert "fold: costs nothing" in seat.shown("scale")
        await seat.press("x")
        assert seat.log[-1].startswith("Flip:")

    at_table(save, scene, pace=1e6)


@pytest.mark.check
def test_a_hint_is_shown_in_the_question_and_in_the_log(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        for _ in range(2):
            await seat.press("h")
            await seat.app.workers.wait_for_complete()
            await seat.pilot.pause()
        assert "── Hint: " in seat.shown("question")
        assert sum(line.startswith("Hint: ") for line in seat.log) == 2
        assert "Expected cash at the end: " in " ".join(seat.log)
        assert (seat.run.actions, seat.app.playthrough.hints) == ((), 2)
        await seat.press("escape")
        assert "Your turn" in seat.shown("question")

    at_table(save, scene)


def test_a_run_that_ends_is_kept_among_the_best(save: Path) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("1", "enter", "1", "enter", "c", "c")
        assert "Your best run with corner on printed so far!" in seat.screen
        await seat.press("n")
        assert "Best so far: printed 0." in seat.screen

    at_table(save, scene)
    [score] = load_scores(scores_beside(save))
    assert (score.deck, score.difficulty, score.cash, score.ending, score.seed) == ("corner", "printed", 0, "busted", 3)


def test_log_is_redrawn_at_another_width_and_after_resuming(save: Path) -> None:
    async def begin(seat: Seat) -> None:
        await seat.press("1", "enter")
        before = seat.log
        await seat.pilot.resize_terminal(60, 20)
        await seat.pilot.pause()
        assert seat.log == before

    async def resume(seat: Seat) -> None:
        await seat.press("1")
        assert seat.log[0] == "Hand 1."
        assert "Flip: Narc: 2 Donut Break; You: Weed." in seat.log
        assert "You continue the saved run." in seat.screen

    at_table(save, begin)
    at_table(save, resume, saved=read_save(save.read_bytes()))


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
def test_leaving_at_any_time_is_clean_and_the_run_is_saved(save: Path, key: str) -> None:
    async def scene(seat: Seat) -> None:
        await seat.press("1", key)

    app = at_table(save, scene)
    assert app.return_code == 0
    assert read_save(save.read_bytes()) == app.playthrough.playing
    assert len(app.playthrough.playing.actions) == 1


@pytest.mark.parametrize("key", ["q", "escape", "ctrl+c"])
def test_leaving_at_the_first_question_starts_no_run(save: Path, key: str) -> None:
    async def scene(seat: Seat) -> None:
        assert "enter play ? help q leave" in words(seat.screen)
        await seat.press("c", "f", "n", "9")
        assert seat.is_showing(FirstScreen)
        await seat.press(key)

    app = at_table(save, scene, deck=None)
    assert (app.playthrough.run, app.return_code) == (None, 0)
    assert not save.exists()


@pytest.mark.check
@pytest.mark.parametrize(("key", "gone_on"), [("1", True), ("enter", True), ("2", False)])
def test_a_saved_run_is_offered(save: Path, key: str, gone_on: bool) -> None:
    async def begin(seat: Seat) -> None:
        await seat.press("1", "q")

    async def resume(seat: Seat) -> None:
        assert seat.is_showing(ChoiceScreen)
        await seat.press(key)
        assert seat.run.seed == (3 if gone_on else 8)
        assert (seat.run.actions != ()) == gone_on
        assert "round 1 of 3" in seat.shown("header")

    at_table(save, begin)
    at_table(save, resume, saved=read_save(save.read_bytes()), seed=8)


@pytest.mark.check
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20), (200, 60)])
def test_it_fits_and_follows_the_size_of_the_terminal(save: Path, size: tuple[int, int]) -> None:
    async def scene(seat: Seat) -> None:
        await seat.pilot.resize_terminal(*size)
        await seat.press("1")
        keys = seat.app.query_one("#keys").region
        assert (keys.width, keys.bottom) == size
        assert seat.app.query_one("#log").region.height >= 2
        width = seat.app.query_one("#cards").content_size.width
        assert all(len(line) <= width for line in seat.shown("cards").splitlines())
        assert len(seat.shown("header")) == size[0]

    at_table(save, scene)


def test_an_unwritable_save_is_reported_and_the_game_continues(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")

    async def scene(seat: Seat) -> None:
        await seat.press("1")
        assert len(seat.run.actions) == 1
        assert len(seat.app.notices) == 2
        assert all("cannot be written" in notice for notice in seat.app.notices)

    app = at_table(tmp_path / "file" / "save.json", scene)
    assert app.playthrough.trouble is not None
