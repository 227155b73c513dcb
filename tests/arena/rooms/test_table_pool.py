"""Tables that are kept open: when another one opens, for whom, and what happens to those whose matches are over."""

import asyncio
import gc
import weakref
from collections import Counter
from pathlib import Path

import aiohttp
import pytest

from pitboss.arena.journal.history import History, read_entries
from pitboss.arena.journal.records import Lock, Settings, TableOpened, read_record
from pitboss.arena.rooms import tables as tables_module
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.rooms.room import Room
from pitboss.arena.rooms.tables import ENDED_SHOWN, PAUSE, VISITOR_STAYS, OpenTables, RoomSetup, TablePool, open_tables
from pitboss.arena.verify.journal import verify_table
from pitboss.chance import Chance
from pitboss.store import Reading, open_store
from tests.support.arena.rooms import Disk
from tests.support.arena.servers import Place, Process, arena, served, tables_of, visit, within

DUEL = Settings(seats=2, max_hands=1)
WITH_HOUSE = Settings(seats=3, max_hands=1)
LOCK = Lock.on("sesame", bytes(16))


def opened(disk: Disk, settings: Settings = DUEL, house: tuple[str, ...] = ()) -> OpenTables:
    """The tables of a journal that are kept open."""
    chance = Chance(1)
    setup = RoomSetup(limits=Limits(), entropy=lambda count: chance.bits().to_bytes(8, "big") * (count // 8), day=_day)
    return open_tables(disk, setup, settings, house=house, named=(), keep_open=True)


def _day() -> str:
    return "2026-11-16"


def end(disk: Disk, room: Room) -> None:
    """Play a table's only hand, and end its match."""
    match = room.match
    for team in ("A", "B"):
        if match.history.free_seat() is not None:
            room._append(match.sit(team, LOCK))
    room._append(match.start(bytes(32), _day()).record, seals=False)
    while match.to_act is not None:
        step = match.act_by_default(match.to_act)
        room._append(step.record, seals=step.result is not None)
    room._append(match.end())
    disk.claim(match.table_id)
    disk.append(room._out.entries)
    room._out.entries.clear()
    room.durable = room._chain.head.seq


def play_many(disk: Disk, tables: OpenTables, count: int) -> TablePool:
    """Play one match after the other, each at the next table."""
    keeper = TablePool(tables)
    for _ in range(count):
        end(disk, next(reversed(tables.rooms.values())))
        found = keeper.look(0.0, watched=True)
        assert found is not None
        disk.claim(found[0].match.table_id)
        disk.append(found[1])
    return keeper


def test_no_table_is_opened_while_one_can_be_joined() -> None:
    tables = opened(Disk())
    pool = TablePool(tables)
    assert pool.look(0.0, watched=True, wanted=True) is None
    tables.rooms["T-1"].match.sit("A", LOCK)
    assert pool.look(1.0, watched=True, wanted=True) is None
    assert list(tables.rooms) == ["T-1"]


def test_another_table_opens_with_the_same_settings_when_all_are_full() -> None:
    disk = Disk()
    tables = opened(disk, WITH_HOUSE, ("tight",))
    for team in ("A", "B"):
        tables.rooms["T-1"].match.sit(team, LOCK)
    found = TablePool(tables).look(0.0, watched=True)
    assert found is not None
    room, entries = found
    assert room.match.table_id == "T-2"
    assert room.match.settings == WITH_HOUSE
    assert room.match.house_teams == ["tight (house)"]
    assert room.durable == 0, "nothing of it is on disk yet"
    assert [type(read_record(entry.body)) for entry in entries][:1] == [TableOpened]


def test_another_table_opens_when_all_matches_are_over() -> None:
    disk = Disk()
    tables = opened(disk)
    first = tables.rooms["T-1"]
    end(disk, first)
    found = TablePool(tables).look(0.0, watched=True)
    assert found is not None
    assert found[0].match.table_id == "T-2"
    assert first.match.over, "A8: no match starts again"
    assert first.deadline is None


def test_no_table_opens_without_visitors() -> None:
    disk = Disk()
    tables = opened(disk)
    end(disk, tables.rooms["T-1"])
    pool = TablePool(tables)
    for now in (0.0, 1e3, 1e6):
        assert pool.look(now, watched=False) is None
    pool.came(1e6)
    assert pool.look(1e6 + VISITOR_STAYS, watched=False) is None, "the visitor has gone again"
    assert pool.look(1e6 + VISITOR_STAYS - 1, watched=False) is not None


def test_client_that_wants_a_seat_gets_a_table_at_once() -> None:
    disk = Disk()
    tables = opened(disk)
    end(disk, tables.rooms["T-1"])
    assert TablePool(tables).look(0.0, watched=False, wanted=True) is not None


def test_where_the_house_was_alone_its_result_is_seen_before_it_plays_again() -> None:
    disk = Disk()
    tables = opened(disk, DUEL, ("tight", "calling"))
    end(disk, tables.rooms["T-1"])
    pool = TablePool(tables)
    assert pool.look(5.0, watched=True) is None
    assert pool.look(5.0 + PAUSE - 0.1, watched=True) is None
    assert pool.look(5.0 + PAUSE, watched=True) is not None
    assert pool.look(5.0 + PAUSE, watched=True) is None, "a full table of house bots that plays is no reason for more"


def test_number_of_simultaneous_matches_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables_module, "MOST_TABLES_PLAYED", 3)
    tables = opened(Disk())
    keeper = TablePool(tables)
    for number in range(1, 6):
        for team in ("A", "B"):
            if tables.rooms[f"T-{min(number, 3)}"].match.history.free_seat() is not None:
                tables.rooms[f"T-{min(number, 3)}"].match.sit(team, LOCK)
        keeper.look(0.0, watched=True, wanted=True)
    assert len(tables.rooms) == 3


def test_team_without_a_table_joins_its_own_or_an_open_one() -> None:
    disk = Disk()
    tables = opened(disk)
    keeper = TablePool(tables)
    end(disk, tables.rooms["T-1"])
    keeper.look(0.0, watched=True)
    second = tables.rooms["T-2"].match
    second.sit("C", LOCK)
    second.sit("D", LOCK)
    keeper.look(0.0, watched=True)

    def at(team: str, *, resumes: bool = False) -> str | None:
        room = keeper.room_of(team, resumes=resumes)
        return None if room is None else room.match.table_id

    assert at("C") == at("D", resumes=True) == "T-2", "a full table is its players' table still"
    assert at("Newcomer") is None
    assert at("A") is None, "its match is over"
    assert at("A", resumes=True) == "T-1", "it may not know yet how its match ended"
    joinable = keeper.joinable()
    assert joinable is not None
    assert joinable.match.table_id == "T-3"


def test_tables_that_are_over_leave_the_list_and_the_memory_and_stay_in_the_journal() -> None:
    disk = Disk()
    tables = opened(disk)
    visited = tables.rooms["T-1"]
    watched = weakref.ref(visited)
    keeper = play_many(disk, tables, ENDED_SHOWN + 3)
    assert [room.match.table_id for room in keeper.forget([visited])] == ["T-2", "T-3"], "somebody is at T-1"
    assert [room.match.table_id for room in keeper.forget([])] == ["T-1"]
    assert len(tables.rooms) == ENDED_SHOWN + 1
    del visited
    gc.collect()
    assert watched() is None
    assert len(disk.tables()) == ENDED_SHOWN + 4


def test_a_restart_takes_up_the_last_tables_and_gives_no_name_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk()
    tables = opened(disk)
    play_many(disk, tables, ENDED_SHOWN + 2)
    reads: list[str] = []
    plain = disk.read

    def read(table: str) -> Reading:
        reads.append(table)
        return plain(table)

    monkeypatch.setattr(disk, "read", read)
    again = opened(disk)
    assert list(again.rooms) == [f"T-{number}" for number in range(3, ENDED_SHOWN + 4)]
    assert not again.rooms[f"T-{ENDED_SHOWN + 3}"].match.over
    end(disk, again.rooms[f"T-{ENDED_SHOWN + 3}"])
    assert list(opened(disk).rooms)[-1] == f"T-{ENDED_SHOWN + 4}", "all were over, so another is open"
    assert "T-1" not in reads, "a table that was over long ago is not read"


def test_without_keep_open_every_table_is_shown_however_long_it_is_over() -> None:
    disk = Disk()
    tables = opened(disk)
    play_many(disk, tables, ENDED_SHOWN + 2)
    plain = open_tables(disk, tables.setup, DUEL, named=())
    assert len(plain.rooms) == ENDED_SHOWN + 3


def test_team_list_applies_to_new_tables_even_if_omitted_at_the_next_start() -> None:
    disk = Disk()
    setup = RoomSetup(limits=Limits(), entropy=bytes, day=_day)
    teams = {"A": "a", "B": "b"}
    first = open_tables(disk, setup, DUEL, teams=teams, keep_open=True)
    again = open_tables(disk, setup, DUEL, keep_open=True)
    for tables in (first, again):
        assert tables.plan.locks is not None
        assert tables.plan.locks.keys() == teams.keys()
        assert tables.plan.locks["A"].opens("a")


def test_another_table_is_known_to_spectators_no_sooner_than_why_it_was_opened() -> None:
    disk = Disk()
    setup = RoomSetup(limits=Limits(delay=5.0), entropy=bytes, day=_day)
    tables = open_tables(disk, setup, DUEL, named=(), keep_open=True)
    end(disk, tables.rooms["T-1"])
    assert TablePool(tables).look(100.0, watched=True) is not None
    assert list(tables.rooms) == ["T-1", "T-2"]
    assert list(tables.shown(104.9)) == ["T-1"]
    assert tables.default_shown(104.9) == "T-1", "its end was not shown yet"
    assert list(tables.shown(105.0)) == ["T-1", "T-2"]
    tables.rooms["T-1"].spectators.over = True
    assert tables.default_shown(105.0) == "T-2"
    assert tables.default() == "T-2", "players are told at once"


def test_delayed_spectator_finds_a_table_only_after_the_delay(tmp_path: Path) -> None:
    async def scene() -> None:
        async with (
            arena(tmp_path, keep_open=True, limits=Limits(delay=60.0), seats=2, house=("calling",)) as place,
            visit(place.ws()) as first,
            visit(place.ws()) as second,
        ):
            await first.hello("First")
            await first.receive("welcome")
            await second.hello("Second")
            assert (await second.receive("welcome"))["table_id"] == "T-2"
            async with aiohttp.ClientSession() as session:
                assert [table["table_id"] for table in await tables_of(session, place)] == ["T-1"]
                for path in ("/watch?table=T-2", "/api/tables/T-2/hands"):
                    async with session.get(place.http + path) as answer:
                        assert answer.status == 404
                        assert "T-2" not in await answer.text()
            async with visit(place.watch()) as witness:
                assert (await witness.receive("table"))["table_id"] == "T-1"

    within(scene())


# --- over sockets


def test_bot_at_a_full_arena_joins_another_table_and_both_are_recorded(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, keep_open=True, seats=2, house=("calling",)) as place:
            async with visit(place.ws()) as first, visit(place.ws()) as second, visit(place.watch()) as witness:
                await first.hello("First")
                assert (await first.receive("welcome"))["table_id"] == "T-1"
                await second.hello("Second")
                assert (await second.receive("welcome"))["table_id"] == "T-2"
                await second.receive("act")
                assert (await witness.receive("table"))["table_id"] == "T-1"
                async with visit(place.ws()) as back:
                    await back.hello("First")
                    assert (await back.receive("welcome"))["table_id"] == "T-1"
                async with visit(place.ws()) as thief:
                    await thief.hello("Second", "guessed")
                    assert await thief.error() == "TEAM_TAKEN"
                async with visit(place.ws("T-1")) as named:
                    await named.hello("Third")
                    assert await named.error() == "TABLE_FULL", "who names a table is taken at his word"
            async with aiohttp.ClientSession() as session:
                assert [table["table_id"] for table in await tables_of(session, place)][:2] == ["T-1", "T-2"]

    within(scene())
    with open_store(str(tmp_path / "arena.db"), read_only=True) as store:
        for table in ("T-1", "T-2"):
            history = History(table)
            assert list(read_entries(history, store.read(table).entries, strict=True))
            assert len(history.seats) == 2


def test_thirty_simultaneous_teams_all_get_seats(tmp_path: Path) -> None:
    async def come(place: Place, team: str) -> str:
        async with visit(place.ws()) as peer:
            await peer.hello(team)
            return str((await peer.receive("welcome"))["table_id"])

    async def scene() -> None:
        async with arena(tmp_path, keep_open=True, seats=6, house=("calling",) * 4) as place:
            found = await asyncio.gather(*[come(place, f"Team {number}") for number in range(30)])
            assert set(Counter(found).values()) == {2}

    within(scene())


def test_tables_opened_at_run_time_are_resumed_after_a_kill(tmp_path: Path) -> None:
    options = ("--keep-open", "--seats", "2", "--house", "calling", "--house-think-ms", "0")

    async def scene(process: Process, expected: dict[str, str]) -> None:
        for team, table in expected.items():
            async with visit(process.ws()) as peer:
                await peer.hello(team)
                assert (await peer.receive("welcome"))["table_id"] == table

    places = {"First": "T-1", "Second": "T-2", "Third": "T-3"}
    with served(tmp_path, *options) as process:
        within(scene(process, places))
        process.strike()
    with served(tmp_path, *options) as process:
        within(scene(process, {**places, "Fourth": "T-4"}))
        assert process.end() == 0
    with open_store(str(tmp_path / "arena.db"), read_only=True) as store:
        for table in places.values():
            assert verify_table(table, store.read(table)).problems == []


def test_unwatched_arena_plays_one_match_and_an_opened_page_shows_a_live_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.arena.server.POOL_CHECK_EVERY", 0.02)
    monkeypatch.setattr(tables_module, "PAUSE", 0.01)
    monkeypatch.setattr("pitboss.arena.connections.web.LISTED_FOR", 0.0)

    async def scene() -> None:
        async with (
            arena(tmp_path, keep_open=True, seats=3, house=("calling", "calling"), max_hands=3) as place,
            aiohttp.ClientSession() as session,
        ):
            rooms = place.tables.rooms
            while not rooms["T-1"].match.over:
                await asyncio.sleep(0)
            async with session.get(f"{place.http}/api/arena") as answer:
                assert (await answer.json())["keep_open"]
            for _ in range(100):
                place.server._keep_tables_open()
            assert list(rooms) == ["T-1"], "whoever only looks whether the server lives sees no table"
            while not any(table["open"] for table in await tables_of(session, place)):
                pass  # its result is to be seen for a moment
            async with visit(place.watch()) as witness:
                assert (await witness.receive("table"))["table_id"] == "T-2"
                await witness.receive("start_hand")
                while len(rooms) < 4:
                    await asyncio.sleep(0)
            while any(room is rooms["T-1"] for room, *_ in place.server._house.seats.values()):
                await asyncio.sleep(0)

    within(scene())
