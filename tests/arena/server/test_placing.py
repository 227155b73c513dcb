"""Several tables: where a team that names no table gets its seat, and which table the page shows first."""

from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.rooms.tables import OpeningError, OpenTables, RoomSetup, open_tables
from pitboss.hand.games import NO_LIMIT_HOLDEM, write_game
from pitboss.store import Store
from tests.support.arena.rooms import Disk
from tests.support.arena.servers import Place, arena, served, visit, within

TEAMS = {team: f"code of {team}" for team in "ABCDE"}


def opened(disk: Store, teams: dict[str, str] | None) -> OpenTables:
    """Two tables of a journal."""
    setup = RoomSetup(limits=Limits(), entropy=bytes, day=lambda: "2026-11-16")
    return open_tables(disk, setup, Settings(seats=3), tables=2, teams=teams, named=())


async def table_of(place: Place, stack: AsyncExitStack, team: str, code: str = "") -> str:
    """The table that a team gets without naming one, or the error."""
    peer = await stack.enter_async_context(visit(place.ws()))
    await peer.hello(team, code)
    answer = await peer.receive("welcome", "error")
    return str(answer.get("table_id") or answer["code"])


# --- seats


def test_a_team_gets_a_table_with_a_free_seat_until_all_are_taken(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, tables=3, seats=2) as place, AsyncExitStack() as stack:
            found = [await table_of(place, stack, team) for team in "ABCDEFG"]
            assert found == ["T-1", "T-1", "T-2", "T-2", "T-3", "T-3", "TABLE_FULL"]
            assert await table_of(place, stack, "D") == "T-2", "a team comes back to its own table"

    within(scene())


def test_a_freeze_out_that_has_begun_turns_a_team_to_the_next_table(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, tables=2, seats=3, freeze_out=True) as place, AsyncExitStack() as stack:
            first = await stack.enter_async_context(visit(place.ws()))
            await first.hello("A")
            assert await table_of(place, stack, "B") == "T-1"
            await first.receive("start_hand")
            assert await table_of(place, stack, "C") == "T-2"

    within(scene())


def test_terminal_names_refused_teams_and_reasons(tmp_path: Path) -> None:
    async def scene(place: Place) -> None:
        async with AsyncExitStack() as stack:
            for team in "ABC":
                await table_of(place, stack, team)

    with served(tmp_path, "--seats", "2") as process:
        within(scene(process))
        assert process.end() == 0
    assert "T-1: turned away 'C' from 127.0.0.1: all 2 seats are taken (TABLE_FULL)\n" in process.said


# --- lists


def test_a_list_of_teams_is_spread_over_the_tables() -> None:
    disk = Disk()
    rooms = opened(disk, TEAMS).rooms.values()
    assert [list(room.match.history.teams or ()) for room in rooms] == [["A", "C", "E"], ["B", "D"]]
    again = opened(disk, TEAMS).rooms.values()
    assert [list(room.match.history.teams or ()) for room in again] == [["A", "C", "E"], ["B", "D"]]
    with pytest.raises(OpeningError, match="T-1 of this journal is not over and admits only 'A', 'C', 'E'"):
        opened(disk, {**TEAMS, "F": "new"})


def test_a_listed_team_gets_the_table_that_lists_it(tmp_path: Path) -> None:
    listed = [part for team, code in TEAMS.items() for part in ("--team", f"{team}:{code}")]

    async def scene(place: Place) -> None:
        async with AsyncExitStack() as stack:
            found = [await table_of(place, stack, team, code) for team, code in TEAMS.items()]
            assert found == ["T-1", "T-2", "T-1", "T-2", "T-1"]
            assert await table_of(place, stack, "F", "x") == "TEAM_UNKNOWN"

    with served(tmp_path, *listed, "--tables", "2", "--seats", "3") as process:
        within(scene(process))


# --- what is shown


def test_spectator_without_a_table_sees_one_with_a_dealt_hand(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, tables=3, seats=2) as place, AsyncExitStack() as stack:
            players = [await stack.enter_async_context(visit(place.ws(table))) for table in ("T-1", "T-2", "T-2")]
            for player, team in zip(players, "ABC", strict=True):
                await player.hello(team)
            await players[1].receive("start_hand")
            spectator = await stack.enter_async_context(visit(place.watch()))
            assert (await spectator.receive("table"))["table_id"] == "T-2"

    within(scene())


# --- commands


def test_serve_prints_the_path_of_a_game_file_because_its_name_is_not_known(tmp_path: Path) -> None:
    own = replace(NO_LIMIT_HOLDEM, code="X", keys=("mine",), name="my game")
    (tmp_path / "my game.toml").write_text(write_game(own), encoding="utf-8")
    with served(tmp_path, "--game", "my game.toml") as process:
        out = process.process.stdout
        assert out is not None
        assert out.readline().decode() == "begin a bot: pitboss arena new my_bot.py --game 'my game.toml'\n"


@pytest.mark.parametrize(
    ("game", "lines"),
    [
        ("omaha", ["begin a bot: pitboss arena new my_bot.py --game omaha", "take a seat: pitboss arena join"]),
        ("leduc", ["begin a bot: pitboss arena new my_bot.py --game leduc", "take a seat: pitboss arena join"]),
    ],
)
def test_the_commands_that_serve_prints_work_for_its_game(tmp_path: Path, game: str, lines: list[str]) -> None:
    with served(tmp_path, "--game", game) as process:
        out = process.process.stdout
        assert out is not None
        for line in lines:
            assert out.readline().decode().startswith(line)
        process.process.terminate()
        assert out.read() == b""
        assert process.wait() == 0
