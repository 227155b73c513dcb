"""Games that are no poker, played to their end by the room, the journal and the recovery that poker has."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from pitboss.arena.hosts.games import find_game
from pitboss.arena.journal.records import Settings
from pitboss.arena.v1 import messages as wire
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.verify.transcript import verify_transcript
from pitboss.cli.main import cli
from pitboss.game import GameType
from pitboss.store import open_store
from tests.support.arena.any_game import TABLE, AnyTable
from tests.support.arena.servers import Place, served, visit, within

GAMES = 3
OTHERS = ("sting", "leduc", "whist")
SEEDS = range(3)


def settings_of(name: str) -> Settings:
    seats = find_game(name).places.start
    return Settings(game=name, seats=seats, start_at=seats, max_hands=GAMES)


def played(name: str, seed: int, *, crashes: int = 0) -> AnyTable:
    """A match to its end, with crashes after so many moves."""
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


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", OTHERS)
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


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", OTHERS)
def test_a_match_goes_on_after_crashes_in_mid_game(name: str, seed: int) -> None:
    table = played(name, seed, crashes=5)
    assert not table.errors
    assert len(table.games) == GAMES
    for view in table.views:
        if view.turn in table.questions:
            before = table.questions[view.turn]
            assert isinstance(before, wire.AskMessage)
            assert (view.learned, view.legal, view.place) == (before.learned, before.legal, before.place)
    assert any(view.turn in table.questions for view in table.views), "nobody was asked again after a crash"


@pytest.mark.parametrize("name", OTHERS)
def test_everybody_learns_what_the_game_lets_him_and_nothing_else(name: str) -> None:
    table, game = played(name, 1), find_game(name)
    hands = {hand.started.hand_id: hand for hand in table.games}
    for hand_id, hand in hands.items():
        public = [m.event for m in table.public.values() if isinstance(m, wire.Happened) and m.hand_id == hand_id]
        assert public == seen(game, hand.events, None)
    hidden = 0
    for asked in table.questions.values():
        assert isinstance(asked, wire.AskMessage)
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
    frames = [wire.write(table.room.match.welcome(0))]
    frames += [wire.write(message) for _, message in sorted(table.public.items())]
    frames[-1:-1] = [wire.write(message) for message in table.room.match.farewell()[:-1]]
    checked = verify_transcript("me", frames)
    assert (checked.ok, checked.decks_checked) == (True, GAMES), checked.problems
    other = frames[0].replace(name, "HUNL")
    assert not verify_transcript("me", [other, *frames[1:]]).ok, "another game's shuffle is not this one's"


@pytest.mark.parametrize("name", ["sting", "leduc"])
def test_a_served_table_goes_on_after_a_kill_and_verifies(name: str, tmp_path: Path) -> None:
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
    assert "taken up" in process.said
    exported = CliRunner().invoke(cli, ["arena", "export", str(process.db), str(tmp_path / "hands")])
    assert exported.exit_code == 1
    assert f"T-1: {name} has no form in PHH" in exported.output


async def watch(place: Place, games: int) -> None:
    """Watch until so many more games are over."""
    async with visit(place.watch()) as spectator:
        for _ in range(games):
            await spectator.hear("end_hand")


def test_a_move_that_the_game_refuses_changes_nothing() -> None:
    table = AnyTable(settings_of("sting"), seed=1)
    session, asked = table.asked
    assert isinstance(asked, wire.AskMessage)
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


def test_whose_time_is_up_is_played_as_the_game_says() -> None:
    table = AnyTable(settings_of("sting"), seed=1)
    deadline = table.room.deadline
    assert deadline is not None
    table.room.tick(deadline)
    acted = table.room.match.history.hand
    assert acted is not None
    assert [act.cause for act in acted.acts] == ["timeout"]
