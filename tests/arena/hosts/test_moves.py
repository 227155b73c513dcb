"""Games other than poker, played to their end with the same room, journal and recovery as poker."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from pitboss.arena.hosts import games
from pitboss.arena.hosts.games import find_game
from pitboss.arena.journal.records import HandStarted, Settings, SettingsError, read_record, write_record
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.verify.transcript import verify_transcript
from pitboss.arena.wire import messages as wire
from pitboss.cli.main import cli
from pitboss.game import GameType
from pitboss.lab.files import known_games
from pitboss.store import open_store
from pitboss.store.chain import Chain, start_hash
from tests.support.arena.any_game import TABLE, AnyTable
from tests.support.arena.servers import Place, served, visit, within
from tests.support.for_each import for_each

GAMES = 3
OTHERS = ("sting", "leduc", "whist")
SEEDS = range(3)


def settings_of(name: str) -> Settings:
    seats = find_game(name).places.start
    return Settings(game=name, seats=seats, start_at=seats, max_hands=GAMES)


def played(name: str, seed: int, *, crashes: int = 0) -> AnyTable:
    """A match to its end, with this many crashes."""
    table, moves = AnyTable(settings_of(name), seed=seed), 0
    while table.last is None:
        assert moves < 10_000, "the match does not end"
        table.move()
        moves += 1
        if crashes and table.room.match.underway and table.chance.below(4) == 0:
            crashes -= 1
            table.start()
    return table


def seen(game: GameType[Any, Any, Any], events: list[Any], place: int | None) -> list[Any]:
    """Written events as one place may see them."""
    read = [game.read_event(msgspec.json.encode(event)) for event in events]
    views = [view for event in read if (view := game.view_event(event, place)) is not None]
    return [msgspec.json.decode(game.write_event(view)) for view in views]


@for_each("seed", SEEDS)
@for_each("name", OTHERS)
def test_a_match_is_played_to_its_end(name: str, seed: int) -> None:
    table = played(name, seed)
    assert not table.errors
    assert len(table.games) == GAMES
    assert table.last is not None
    final = {row.seat: row.stack for row in table.last.final_stacks}
    assert final == table.games[-1].stacks
    assert table.last.reason == "max_hands"
    places = [hand.order for hand in table.games]
    assert len(set(places)) == min(GAMES, len(places[0])), "the places go round"


@for_each("seed", SEEDS)
@for_each("name", OTHERS)
def test_match_continues_after_crashes_in_mid_game(name: str, seed: int) -> None:
    table = played(name, seed, crashes=5)
    assert not table.errors
    assert len(table.games) == GAMES
    for view in table.views:
        if view.turn in table.questions:
            before = table.questions[view.turn]
            assert isinstance(before, wire.Ask)
            assert (view.learned, view.legal, view.place) == (before.learned, before.legal, before.place)
    assert any(view.turn in table.questions for view in table.views), "nobody was asked again after a crash"


@pytest.mark.parametrize("name", OTHERS)
def test_players_receive_what_the_game_shows_them_and_no_more(name: str) -> None:
    table, game = played(name, 1), find_game(name)
    hands = {hand.started.hand_id: hand for hand in table.games}
    for hand_id, hand in hands.items():
        public = [m.event for m in table.public.values() if isinstance(m, wire.Happened) and m.hand_id == hand_id]
        assert public == seen(game, hand.events, None)
    hidden = 0
    for asked in table.questions.values():
        assert isinstance(asked, wire.Ask)
        hand = hands[asked.hand_id]
        assert hand.order[asked.place] == asked.seat
        learned = seen(game, hand.events, asked.place)[: len(asked.learned)]
        assert list(asked.learned) == learned
        hidden += learned != hand.events[: len(learned)]
    assert hidden, "no game in which nothing is hidden was tested"


@pytest.mark.parametrize("name", OTHERS)
def test_its_journal_and_its_transcript_verify(name: str) -> None:
    table = played(name, 2)
    report = verify_table(TABLE, table.disk.read(TABLE))
    assert (report.ok, report.hands) == (True, GAMES), report.problems
    frames = [wire.write(table.room.messages.welcome(0))]
    frames += [wire.write(message) for _, message in sorted(table.public.items())]
    frames[-1:-1] = list(table.room.messages.farewell())[:-1]
    checked = verify_transcript("me", frames)
    assert (checked.ok, checked.decks_checked) == (True, GAMES), checked.problems
    other = frames[0].replace(name, "HUNL")
    assert not verify_transcript("me", [other, *frames[1:]]).ok, "another game's shuffle is not this one's"


@pytest.mark.check
@pytest.mark.parametrize("name", ["sting", "leduc"])
def test_served_table_continues_after_a_kill_and_verifies(name: str, tmp_path: Path) -> None:
    house = ",".join(["random"] * find_game(name).places.start)
    options = f"--game {name} --house {house} --house-think-ms 0 --stack 1000000".split()
    hands = 0
    for _ in range(2):
        with served(tmp_path, *options) as process:
            within(watch(process, GAMES))
            process.kill()
        with open_store(str(process.db), read_only=True) as store:
            reading = store.read(TABLE)
        report = verify_table(TABLE, reading)
        assert report.ok, report.problems
        assert report.hands >= hands + GAMES
        hands = report.hands
    assert "resumed" in process.said
    exported = CliRunner().invoke(cli, ["arena", "export", str(process.db), str(tmp_path / "hands")])
    assert exported.exit_code == 1
    assert f"T-1: {name} cannot be written as PHH" in exported.output


async def watch(place: Place, games: int) -> None:
    """Watch until this many more games are over."""
    async with visit(place.watch()) as spectator:
        for _ in range(games):
            await spectator.receive("end_hand")


def test_refused_move_changes_nothing() -> None:
    table = AnyTable(settings_of("sting"), seed=1)
    session, asked = table.open_question
    assert isinstance(asked, wire.Ask)
    rows = len(table.disk.rows[TABLE])
    for move in ({"type": "raise", "card": "No Such Card"}, {"type": "shout"}, 7, None):
        table.say(session, wire.MoveMessage(v=1, hand_id=asked.hand_id, move=move, turn=asked.turn))
    table.say(session, wire.Action(v=1, hand_id=asked.hand_id, action="FOLD", turn=asked.turn))
    other = (session + 1) % 3
    table.say(other, wire.MoveMessage(v=1, hand_id=asked.hand_id, move=asked.legal[0], turn=asked.turn))
    assert [error.code for error in table.errors] == ["INVALID_ACTION"] * 5 + ["OUT_OF_TURN"]
    assert len(table.disk.rows[TABLE]) == rows
    table.move()
    assert len(table.disk.rows[TABLE]) > rows


def test_timed_out_turn_uses_the_games_default_action() -> None:
    table = AnyTable(settings_of("sting"), seed=1)
    deadline = table.room.deadline
    assert deadline is not None
    table.room.tick(deadline)
    acted = table.room.match.history.hand
    assert acted is not None
    assert [act.cause for act in acted.acts] == ["timeout"]


# --- games that are over at their start

OVER_AT_ONCE = Settings(game="old_maid", seats=3, start_at=3, max_hands=GAMES)


@pytest.fixture
def hosting_any_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also host a game that sometimes ends before its first question: it is recorded like the others."""
    monkeypatch.setattr(games, "asks", lambda name: True)


@pytest.mark.usefixtures("hosting_any_game")
def test_a_game_that_is_over_at_its_start_is_in_the_journal_from_beginning_to_end() -> None:
    table = AnyTable(OVER_AT_ONCE, seed=1)
    assert table.last is not None
    stacks = dict.fromkeys(range(3), OVER_AT_ONCE.stack)
    for hand in table.games:
        assert hand.started.stacks == stacks
        assert hand.stacks == hand.started.result != stacks
        stacks = hand.stacks
    report = verify_table(TABLE, table.disk.read(TABLE))
    assert (report.ok, report.hands) == (True, GAMES), report.problems


@pytest.mark.usefixtures("hosting_any_game")
def test_match_continues_after_a_game_that_was_over_at_its_start() -> None:
    whole, table = AnyTable(OVER_AT_ONCE, seed=1), AnyTable(OVER_AT_ONCE, seed=1)
    rewrite(table, [entry.body for entry in whole.disk.rows[TABLE][:-2]])  # without the last game and the match's end
    table.public.clear()
    table.start()
    assert [hand.started.button for hand in table.games] == [hand.started.button for hand in whole.games] == [0, 1, 2]
    assert verify_table(TABLE, table.disk.read(TABLE)).ok


@pytest.mark.usefixtures("hosting_any_game")
def test_verify_sees_another_result_of_a_game_that_is_over_at_its_start() -> None:
    table = AnyTable(OVER_AT_ONCE, seed=1)
    records = [read_record(entry.body) for entry in table.disk.rows[TABLE]]
    last = records[-2]
    assert isinstance(last, HandStarted)
    forged = msgspec.structs.replace(last, result=dict.fromkeys(range(3), 7))
    rewrite(table, [write_record(record) for record in [*records[:-2], forged]])
    problems = verify_table(TABLE, table.disk.read(TABLE)).problems
    assert any("differs from the record in: result" in problem for problem in problems)
    assert f"{last.hand_id}: its result does not follow from its secret" in problems


def rewrite(table: AnyTable, bodies: list[bytes]) -> None:
    """Put other records on the disk, each of which seals."""
    table.disk.rows.clear()
    table.disk.heads.clear()
    table.disk.claim(TABLE)
    chain = Chain(TABLE, start_hash(TABLE))
    table.disk.append([chain.append(body, seals=True) for body in bodies])


@pytest.mark.parametrize(("name", "hint"), [("war", "; try betting_war"), ("old_maid", "")])
def test_game_without_a_player_to_act_is_refused(name: str, hint: str) -> None:
    done = CliRunner().invoke(cli, ["arena", "serve", "--game", name])
    assert done.exit_code == 2
    assert done.output.splitlines()[-1] == (
        f"Error: {name} has no decisions, so there is nothing for a bot to do{hint}"
    )
    assert set(known_games()) - set(games.names()) == {"war", "old_maid"}


@pytest.mark.parametrize(
    ("name", "near"), [("no_limit_holdm", "no_limit_holdem"), ("Leduk", "leduc"), ("hol", "no_limit_holdem")]
)
def test_unknown_name_gets_the_nearest_names_and_codes(name: str, near: str) -> None:
    with pytest.raises(SettingsError, match=rf"no game is called '{name}'; try {near}: there are .*omaha"):
        find_game(name)


def test_a_table_is_opened_by_the_name_that_its_config_has() -> None:
    assert games.full_name("HUNL") == games.full_name("hunl") == "no_limit_holdem"


# --- points and blinds


@pytest.mark.check
def test_match_with_too_few_players_ends_and_points_may_be_negative() -> None:
    settings = Settings(game="sting", seats=3, start_at=3, stack=20)
    ends: dict[str, set[int]] = {}
    lowest = 0
    for seed in range(12):
        table = AnyTable(settings, seed=seed)
        while table.last is None:
            table.move()
        stacks = [row.stack for row in table.last.final_stacks]
        ends.setdefault(table.last.reason, set()).add(sum(stack > 0 for stack in stacks))
        assert stacks == sorted(stacks, reverse=True)
        lowest = min(lowest, *stacks)
        assert verify_table(TABLE, table.disk.read(TABLE)).ok
    assert ends["too_few"] <= {0, 2}
    assert ends.get("last_standing", {1}) == {1}
    assert set(ends) <= {"too_few", "last_standing"}
    assert lowest < 0, "nobody fell below 0"


def test_config_of_a_game_without_blinds_has_no_blinds() -> None:
    config = AnyTable(settings_of("leduc"), seed=1).room.messages.config
    assert (config.sb, config.bb) == (0, 0)


@pytest.mark.parametrize("option", ["--sb", "--bb"])
def test_blinds_are_refused_for_a_game_without_them(option: str) -> None:
    done = CliRunner().invoke(cli, ["arena", "serve", "--game", "leduc", option, "70"])
    assert done.exit_code == 2
    assert done.output.splitlines()[-1] == (
        "Error: leduc has no blinds and no antes: leave out --sb, --bb, --ante and --bring-in"
    )


@pytest.mark.check
@pytest.mark.parametrize(
    ("options", "blinds"),
    [
        ("--bb 20", (10, 20)),
        ("--bb 20 --sb 5", (5, 20)),
        ("--game horse --bb 21", (10, 21)),
        ("--game razz --bb 20", (0, 20)),
        ("", (50, 100)),
    ],
)
def test_small_blind_is_half_of_the_big_blind_and_stud_has_none(
    tmp_path: Path, options: str, blinds: tuple[int, int]
) -> None:
    async def config(place: Place) -> dict[str, Any]:
        async with visit(place.watch()) as spectator:
            found: dict[str, Any] = (await spectator.receive("table"))["config"]
            return found

    with served(tmp_path, *options.split()) as process:
        found = within(config(process))
        assert (found["sb"], found["bb"]) == blinds
        assert process.end() == 0


def test_server_stopped_after_its_match_reports_its_end(tmp_path: Path) -> None:
    async def until_the_end(place: Place) -> None:
        async with visit(place.watch()) as spectator:
            await spectator.receive("match_end")

    options = ["--game", "leduc", "--house", "random,random", "--house-think-ms", "0", "--max-hands", "1"]
    with served(tmp_path, *options) as process:
        within(until_the_end(process))
        assert process.end() == 0
    assert process.said.splitlines()[-1] == (
        "stopped. The match is over: the same command shows its result, and --new begins another match"
    )


@pytest.mark.parametrize("name", ["sting", "leduc"])
def test_team_renamed_at_the_end_of_a_record_is_detected(name: str) -> None:
    table = played(name, 2)
    frames = [*table.frames[0][:-1], table.frames[0][-1].replace('"team":"team 0"', '"team":"team Z"')]
    assert '"team Z"' in frames[-1]
    assert verify_transcript("me", table.frames[0]).ok
    assert any(
        "the teams differ from those in the lobby" in problem for problem in verify_transcript("me", frames).problems
    )
