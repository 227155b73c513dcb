"""Settings can be changed until the first hand: named settings count, and seated teams keep their seats."""

from pathlib import Path
from typing import Any

import pytest

from pitboss.arena.journal.history import History, HistoryError, read_entries
from pitboss.arena.journal.records import Settings, TableOpened
from pitboss.arena.rooms.tables import OpeningError, OpenTables, open_tables
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.verify.transcript import read_transcript
from pitboss.arena.wire import messages as wire
from tests.support.arena.rooms import TABLE, Parlour
from tests.support.arena.servers import served, visit, within
from tests.support.arena.witness import Witness


def reopened(parlour: Parlour, named: set[str], house: tuple[str, ...] = (), **settings: Any) -> OpenTables:
    """The same journal with another command line."""
    return open_tables(parlour.disk, parlour.tables.setup, Settings(**settings), house=house, named=named, now=0.0)


def began(hands: int = 0) -> Parlour:
    """A table for four with two players, after this many hands."""
    parlour = Parlour(Settings(seats=4, start_at=4 if not hands else 2))
    parlour.seat(2)
    for _ in range(hands):
        parlour.play_hand()
    return parlour


def test_before_the_first_hand_named_settings_count_and_the_seats_stay() -> None:
    parlour = began()
    tables = reopened(parlour, {"stack", "start_at"}, stack=500, start_at=2, seats=6)
    room = tables.rooms[TABLE]
    match = room.match
    assert (match.settings.stack, match.settings.start_at) == (500, 2)
    assert match.settings.seats == 4, "it was not named"
    assert {seat: (taken.team, taken.stack) for seat, taken in match.history.seats.items()} == {
        0: (parlour.history.seats[0].team, 500),
        1: (parlour.history.seats[1].team, 500),
    }
    assert room.messages.config.starting_stack == 500
    match.audit()
    assert "T-1: changed before its first hand: stack 500 (was 10000); start_at 2 (was 4)" in tables.report


def test_changed_settings_are_recorded_played_and_verified() -> None:
    parlour = began()
    early = parlour.at[0]
    reopened(parlour, {"stack", "start_at", "big_blind"}, stack=500, start_at=2, small_blind=5, big_blind=10)
    parlour.settings = Settings(seats=4, start_at=2, stack=500, small_blind=5, big_blind=10)
    parlour.witness = Witness(TABLE, parlour.disk.read(TABLE).entries)
    parlour.restart()
    assert parlour.settings.small_blind == parlour.match.settings.small_blind == 5
    teams = [taken.team for taken in parlour.history.seats.values()]
    guest, _ = [parlour.join(team) for team in teams]
    assert guest.last(wire.Welcome).config.starting_stack == 500
    parlour.play_hand()
    assert sum(taken.stack for taken in parlour.history.seats.values()) == 1000
    record = read_transcript("record", [*early.frames, *guest.frames])
    assert record.report.problems == []
    assert "line 4: the settings of the table were changed before the first hand" in record.report.notes
    report = verify_table(TABLE, parlour.disk.read(TABLE), record.sittings)
    assert (report.problems, report.hands) == ([], 1)


def test_settings_after_the_first_hand_are_not_changed_and_this_is_reported() -> None:
    parlour = began(hands=1)
    before = parlour.match.settings
    tables = reopened(parlour, {"stack"}, stack=500)
    assert tables.rooms[TABLE].match.settings == before
    assert any("keeps its settings: stack 10000, not 500" in line for line in tables.report)


def test_command_without_options_changes_and_writes_nothing() -> None:
    parlour = began()
    before = len(parlour.disk.rows[TABLE])
    tables = reopened(parlour, set(), stack=500, seats=2)
    assert tables.rooms[TABLE].match.settings == parlour.match.settings
    assert len(parlour.disk.rows[TABLE]) == before


def test_seats_that_are_taken_must_fit() -> None:
    parlour = began()
    parlour.join("Third")
    before = len(parlour.disk.rows[TABLE])
    with pytest.raises(OpeningError, match="T-1 cannot take these settings: seats: expected at least 3, got 2"):
        reopened(parlour, {"seats", "start_at"}, seats=2)
    assert len(parlour.disk.rows[TABLE]) == before
    assert reopened(parlour, {"seats", "start_at"}, seats=3).rooms[TABLE].match.settings.seats == 3


def test_another_game_and_more_of_the_house_are_taken_too() -> None:
    parlour = began()
    tables = reopened(parlour, {"game", "house"}, ("calling",), game="omaha", start_at=2)
    match = tables.rooms[TABLE].match
    assert match.settings.game == "omaha"
    assert match.house_teams == ["calling (house)"]
    again = reopened(parlour, set())
    assert again.rooms[TABLE].match.settings == match.settings
    assert again.rooms[TABLE].match.house_teams == ["calling (house)"]
    assert any(line.endswith("calling (house) takes a seat") for line in tables.report)


def test_journal_whose_settings_change_later_is_contradictory() -> None:
    parlour = began(hands=1)
    history = History(TABLE)
    list(read_entries(history, parlour.disk.read(TABLE).entries))
    with pytest.raises(HistoryError, match="after the first hand"):
        history.check(TableOpened(rules="1", settings=Settings(stack=5)))


def test_command_reports_changes_and_welcome_contains_them(tmp_path: Path) -> None:
    async def stack() -> int:
        async with visit(process.ws()) as peer:
            await peer.hello("Alpha")
            return int((await peer.receive("welcome"))["config"]["starting_stack"])

    with served(tmp_path, "--stack", "1000", "--seats", "3") as process:
        assert within(stack()) == 1000
        process.end()
    with served(tmp_path, "--stack", "2000", "--bb", "20") as process:
        assert within(stack()) == 2000
        assert "stack 2000 (was 1000); small_blind 10 (was 50); big_blind 20 (was 100)" in process.said
        process.end()
