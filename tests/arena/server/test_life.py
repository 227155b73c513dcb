"""A server's life over real sockets: started, stopped, killed, refused, out of disk, and what it shows."""

import asyncio
import os
import re
import selectors
import signal
import socket
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest
from click.testing import CliRunner

from pitboss.cli.arena import serve as arena_serve
from pitboss.cli.main import cli
from pitboss.client import Act, Answer, ArenaError, join
from pitboss.store import Entry, Store, open_store
from tests.support.arena.journals import check_bots, read_journal
from tests.support.arena.raw_bots import RawBot, honest_table, playing
from tests.support.arena.servers import (
    BOUND,
    THREE,
    Frame,
    Peer,
    Place,
    Process,
    arena,
    code_of,
    raw,
    refused,
    served,
    shake_hands,
    tables_of,
    visit,
    within,
)
from tests.support.store.servers import server_or_skip

STOPPING = 4
"""How many times as long as starting a server stopping it may take; waiting for a peer takes longer."""


class Holding(RawBot):
    """A bot that keeps the table waiting once the test wants it."""

    def __init__(self, team: str) -> None:
        super().__init__(team, Random(team))
        self.holding = False
        self.held: asyncio.Queue[Frame] = asyncio.Queue()

    async def answer(self, question: Frame) -> None:
        """Answer, unless it is holding."""
        if self.holding:
            self.held.put_nowait(question)
        else:
            await super().answer(question)


# --- stopping and starting


@pytest.mark.timing
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "Ctrl-C"])
def test_restarted_server_continues_the_same_hand_with_the_same_cards(tmp_path: Path, number: int) -> None:
    async def scene() -> None:
        waiting = Holding("Holding")
        bots = [waiting, RawBot("Bot 1", Random(1)), RawBot("Bot 2", Random(2), echo=False)]
        async with aiohttp.ClientSession() as session:
            began = time.monotonic()
            with served(tmp_path, *THREE) as first:
                starting = time.monotonic() - began
                until_stopped = playing(session, first, bots)
                async with raw(first.port), raw(first.port) as (reader, writer):
                    await shake_hands(reader, writer)  # one who never says hello, and one who never says anything
                    await waiting.hands.reach(2)
                    waiting.holding = True
                    asked = await waiting.held.get()
                    began = time.monotonic()
                    assert await asyncio.to_thread(first.end, number) == 0
                    assert time.monotonic() - began < STOPPING * starting
                await until_stopped
            assert {bot.closed[-1] for bot in bots} == {(1001, "the server is stopping; the match will go on")}
            assert first.said.splitlines()[-1] == "stopped; the same command continues from here"
            check_bots(read_journal(first.db), bots)

            with served(tmp_path, *THREE) as second:
                assert "T-1: resumed in hand" in second.said
                began = time.monotonic()
                until_stopped = playing(session, second, bots)
                again = await waiting.held.get()
                assert again["time_ms_remaining"] >= 14_900 - (time.monotonic() - began) * 1000, "not a fresh clock"
                assert (again["type"], again["at_hand_id"]) == ("snapshot", asked["hand_id"])
                for same in ("players", "community", "legal", "turn", "pot", "table", "phase"):
                    assert again[same] == asked[same]
                assert again["you"]["hole"] == asked["you"]["hole"]
                waiting.holding = False
                await waiting.answer(again)
                await waiting.hands.reach(waiting.hands.value + 2)
                assert await asyncio.to_thread(second.end) == 0
                await until_stopped
        journal = read_journal(second.db)
        check_bots(journal, bots)
        assert {acted.cause for acted in journal.answers.values()} == {"client"}

    within(scene())


@pytest.mark.check
def test_a_second_process_on_the_same_file_is_refused_while_the_first_lives(tmp_path: Path) -> None:
    async def scene() -> None:
        with served(tmp_path, *THREE) as first:
            async with honest_table(first) as table:
                await table.play(1)
                status, said = await asyncio.to_thread(refused, tmp_path, *THREE)
                assert status == 1
                assert_sentence(said, "in use by another process")
                os.symlink(tmp_path / "arena.db", tmp_path / "alias.db")
                status, said = await asyncio.to_thread(refused, tmp_path, *THREE, db="alias.db")
                assert (status, "in use by another process" in said) == (1, True)
                await table.play(1)
                table.check()
            assert first.end() == 0
        with served(tmp_path, *THREE):
            pass  # and now it may

    within(scene())


@pytest.mark.check
def test_postgresql_match_continues_after_a_kill_and_stops_with_the_database(tmp_path: Path) -> None:
    pytest.importorskip("psycopg", reason="psycopg is not installed", exc_type=ImportError)

    async def scene(database: ExitStack, url: str) -> None:
        options = (*THREE, "--db", url, "--db-patience", "2")
        bots = [RawBot(f"Bot {k}", Random(k)) for k in range(3)]
        async with aiohttp.ClientSession() as session:
            with served(tmp_path, *options) as process:
                until_stopped = playing(session, process, bots)
                await bots[0].hands.reach(2)
                status, said = await asyncio.to_thread(refused, tmp_path, *options)
                assert status == 1
                assert_sentence(said, "in use by another process")
                process.kill()
                await until_stopped
            check_bots(read_journal(url), bots)
            with served(tmp_path, *options) as process:
                until_stopped = playing(session, process, bots)
                await bots[0].hands.reach(bots[0].hands.value + 2)
                await asyncio.to_thread(database.close)
                assert await asyncio.to_thread(process.wait) == 1
                last = process.said.splitlines()[-1]
                assert last.startswith("pitboss arena serve: postgresql://")
                assert re.search(r"It did not answer for \d s, so the last \d+ entries", last)
                await until_stopped
        assert [bot.lost_turns for bot in bots] == [[], [], []]

    with ExitStack() as database:
        within(scene(database, database.enter_context(server_or_skip()).url))


def test_database_with_an_interrupted_first_start_is_initialised(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "arena.db")) as store:
        store.claim("T-1")  # and then it was killed

    async def scene() -> None:
        async with arena(tmp_path, tables=2) as place:
            for name in ("T-1", "T-2"):
                async with honest_table(place, table=name, seats=2) as table:
                    await table.play(1)

    within(scene())


def beside_tables(said: str) -> str:
    """What a server prints in addition to the lines about its tables."""
    return re.sub(r"(?m)^T-\d+: .*\n", "", said)


def assert_sentence(said: str, part: str) -> None:
    """What a command says when it cannot go on: one line, without a trace of its insides."""
    assert said.startswith("pitboss arena serve: ")
    assert said.count("\n") == 1
    assert part in said
    assert "Errno" not in said


def test_port_in_use_is_reported_in_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        status, said = refused(tmp_path, "--port", str(port))
    assert status == 1
    assert_sentence(said, str(port))
    assert "in use" in said
    assert not any(tmp_path.glob("arena.db*")), "a start that failed has begun a journal"


def test_invalid_address_is_reported_in_a_sentence(tmp_path: Path) -> None:
    status, said = refused(tmp_path, "--host", "256.0.0.1", "--insecure")
    assert status == 1
    assert_sentence(said, "256.0.0.1")
    assert not any(tmp_path.glob("arena.db*")), "a start that failed has begun a journal"


@pytest.mark.check
@pytest.mark.parametrize(
    ("first", "then", "admits"),
    [
        ((), ("Alpha:1", "Beta:2"), "admits any team"),
        (("Alpha:1", "Beta:2"), ("Alpha:1", "Gamma:2"), "admits only 'Alpha', 'Beta'"),
    ],
)
def test_server_with_a_team_list_does_not_open_a_table_without_it(
    tmp_path: Path, first: tuple[str, ...], then: tuple[str, ...], admits: str
) -> None:
    def listed(teams: tuple[str, ...]) -> list[str]:
        return [word for team in teams for word in ("--team", team)]

    with served(tmp_path, *listed(first)) as process:
        assert process.end() == 0
    status, said = refused(tmp_path, *listed(then))
    assert status == 1
    assert_sentence(said, admits)
    with served(tmp_path, *listed(first)) as process:  # the same list, and none, go on
        assert process.end() == 0
    with served(tmp_path) as process:
        assert process.end() == 0


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--seats", "1"], "--seats"),
        (["--seats", "11"], "--seats"),
        (["--stack", "0"], "stack"),
        (["--stack", "-5"], "stack"),
        (["--stack", "1.5"], "--stack"),
        (["--sb", "200"], "small_blind"),
        (["--sb", "-1"], "small_blind"),
        (["--bb", str(2**60)], "big_blind"),
        (["--move-time-ms", "0"], "move_time_ms"),
        (["--start-at", "1"], "start_at"),
        (["--start-at", "0"], "start_at"),
        (["--start-at", "7"], "start_at"),
        (["--max-hands", "0"], "max_hands"),
        (["--team", "Alpha"], "NAME:CODE"),
        (["--team", ":code"], "NAME:CODE"),
        (["--team", "Alpha:"], "NAME:CODE"),
        (["--team", "Alpha:1", "--team", "Alpha:2"], "twice"),
        (["--teams", "notes.txt"], "NAME:CODE"),
        (["--teams", "nowhere"], "--teams"),
        (["--team", "x" * 65 + ":1"], "64"),
        (["--team", "Al\npha:1"], "team"),
        (["--team", "Alpha:" + "x" * 129], "128"),
        (["--house", "nobody"], "nobody"),
        (["--house", "tight,calling,random", "--seats", "2"], "expected at most 2 bots, one per seat, got 3"),
        (["--timeout-policy", "fold"], "--timeout-policy"),
        (["--delay-ms", "-1"], "--delay-ms"),
        (["--port", "70000"], "--port"),
        (["--tables", "0"], "--tables"),
        (["--db", "."], "folder"),
        (["--db", "nowhere/arena.db"], "was not found"),
        (["--db", "notes.txt"], "not a database"),
        (["--db", "mysql://arena"], "mysql"),
        (["--nonsense"], "--nonsense"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_wrong_options_are_reported_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], part: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(arena_serve, "_run", lambda *given: pytest.fail("it would serve"))
    (tmp_path / "notes.txt").write_text("not a database, only some words about one\n" * 20)
    done = CliRunner().invoke(cli, ["arena", "serve", *options])
    assert done.exit_code in (1, 2), done.output
    assert part in done.output.splitlines()[-1]
    assert "Traceback" not in done.output


@pytest.mark.parametrize(("second", "part"), [("alpha:2", "look alike"), ("B\u200beta:2", "U+200B")])
def test_a_list_with_names_that_look_alike_is_refused(tmp_path: Path, second: str, part: str) -> None:
    listed = tmp_path / "teams"
    listed.write_text(f"Alpha:1\n\n{second}\n", encoding="utf-8")
    done = CliRunner().invoke(
        cli, ["arena", "serve", "--port", "0", "--db", str(tmp_path / "a.db"), "--teams", str(listed)]
    )
    assert done.exit_code == 1
    assert part in done.output.splitlines()[-1]


def test_team_list_accepts_comments_and_errors_name_the_line(tmp_path: Path) -> None:
    listed = tmp_path / "teams"
    listed.write_text("# who comes\n\nAlpha:1\nsecret\n", encoding="utf-8")
    done = CliRunner().invoke(cli, ["arena", "serve", "--db", str(tmp_path / "a.db"), "--teams", str(listed)])
    assert done.exit_code == 2
    assert "--teams, line 4: expected NAME:CODE" in done.output
    assert "secret" not in done.output, "it may be a code"


@pytest.mark.parametrize("more", [(), ("--verbose",)])
def test_log_names_players_leavers_refused_codes_and_winners(tmp_path: Path, more: Sequence[str]) -> None:
    async def scene(process: Process) -> None:
        loop = asyncio.get_running_loop()

        def calls(act: Act) -> Answer:
            return "CHECK" if "CHECK" in act.legal else "CALL"

        def leaves(act: Act) -> Answer:
            if act.hand_id.endswith("2"):
                loop.call_soon_threadsafe(leaver.cancel)
            return calls(act)

        leaver = asyncio.create_task(join(leaves, process.ws(), team="Gone", code="Gone"))
        stayer = asyncio.create_task(join(calls, process.ws(), team="Stays", code="Stays"))
        await asyncio.wait([leaver])
        with pytest.raises(ArenaError):
            await join(lambda act: "FOLD", process.ws(), team="Gone", code="wrong")
        with pytest.raises(ArenaError, match=r"unknown table; there are T-1$"):
            await join(lambda act: "FOLD", process.ws(table="T-9"), team="Lost", code="x")
        await stayer

    with served(tmp_path, "--seats", "2", "--max-hands", "40", "--move-time-ms", "300", *more) as process:
        within(scene(process))
        assert process.end() == 0
    said = process.said
    assert re.search(r"T-1: the match begins: '\w+' \(seat 0\), '\w+' \(seat 1\)\n", said)
    assert re.search(r"T-1: '\w+' \(seat \d\) has left\n", said)
    assert "T-1: turned away 'Gone' from 127.0.0.1: 'Gone' plays already, with another join_code (TEAM_TAKEN)\n" in said
    won = r"('\w+' \(seat \d\) has won|'\w+' \(seat \d\) and '\w+' \(seat \d\) tie for the win)"
    assert re.search(rf"T-1: the match is over after \d+ hands?: {won}\nT-1:    1[.=] +[\d,]+  \w+\n", said)
    assert "connection was lost" not in said


# --- the house


def children(parent: int) -> set[int]:
    """The processes that a process has started."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        if int(after_name[1]) == parent:
            found.add(int(stat.parent.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc, to see what processes are left")
def test_house_bots_return_after_a_restart_and_leave_no_process(tmp_path: Path) -> None:
    options = ("--house", "calling,folding,calling", "--house-think-ms", "0", "--stack", "1000000", "--tables", "3")

    async def scene() -> None:
        with served(tmp_path, *options) as first:
            async with visit(first.watch("T-2")) as witness:
                while (await witness.receive("event"))["seq"] < 60:
                    pass
                (thinking,) = children(first.process.pid)
                os.kill(thinking, signal.SIGKILL)  # the house starts another
                while (before := await witness.receive("event"))["seq"] < 120:
                    pass
                (thinking,) = children(first.process.pid)
                handle = os.pidfd_open(thinking)
                first.kill()
            with selectors.DefaultSelector() as selector:
                selector.register(handle, selectors.EVENT_READ)
                assert selector.select(BOUND), "the house's process outlives the server"
            os.close(handle)
        with served(tmp_path, *options) as second:
            assert second.said.count(": resumed ") == 3
            async with visit(second.watch("T-2")) as witness:
                start = await witness.receive("start_hand")
                assert start["hand_id"] >= before["hand_id"]
                for _ in range(3):
                    await witness.receive("end_hand")
                assert not [frame for frame in witness.heard if frame.get("auto")]
            assert await asyncio.to_thread(second.end) == 0
        for table in ("T-1", "T-2", "T-3"):
            read_journal(second.db, table)

    within(scene())


@pytest.mark.timing
def test_server_with_thinking_house_bots_stops_at_once(tmp_path: Path) -> None:
    options = ("--house", "sharp,equity,sharp,equity,sharp,equity", "--house-think-ms", "0", "--tables", "40")

    async def scene() -> None:
        began = time.monotonic()
        with served(tmp_path, *options) as process:
            starting = time.monotonic() - began
            async with visit(process.watch()) as witness:
                for _ in range(4):
                    await witness.receive("turn")
                began = time.monotonic()
                assert await asyncio.to_thread(process.interrupt) == 0
                assert time.monotonic() - began < STOPPING * starting
        assert beside_tables(process.said) == "stopped; the same command continues from here\n"

    within(scene())


# --- who may play, and until when


def test_only_listed_teams_play_and_after_the_match_the_server_stays_up(tmp_path: Path) -> None:
    teams = [f"Honest {k}" for k in range(2)]
    listed = [part for team in teams for part in ("--team", f"{team}:{code_of(team)}")]
    options = (*listed, "--max-hands", "3", "--seats", "4", "--tables", "2")

    async def scene() -> None:
        with served(tmp_path, *options) as process:
            async with visit(process.ws()) as stranger:
                await stranger.hello("Stranger")
                assert await stranger.error() == "TEAM_UNKNOWN"
                await stranger.hello(teams[0], "guess")
                assert await stranger.error() == "TEAM_TAKEN"
            async with honest_table(process, seats=2) as table:
                for bot in table.bots:
                    await table.until(bot.over.wait())
                assert [bot.hands.value for bot in table.bots] == [3, 3]
            ends = [await come_back(process, team) for team in teams]
            assert ends[0]["reason"] == "max_hands"
            assert sum(final["stack"] for final in ends[0]["final_stacks"]) == 20_000
            async with aiohttp.ClientSession(process.http) as session, session.get("/api/tables") as answer:
                assert [table["over"] for table in await answer.json()] == [True, False]
            async with honest_table(process, seats=2, table="T-2", seed=2) as table:
                await table.play(1)
            process.kill()
        with served(tmp_path, *options) as process:
            assert [await come_back(process, team) for team in teams] == ends, "a finished match can still be asked for"
            assert process.end() == 0
        assert_verified(read_journal(process.db).frames, ends[0])

    async def come_back(process: Place, team: str) -> Frame:
        async with visit(process.ws("T-1")) as peer:
            await peer.hello(team)
            assert (await peer.receive("snapshot"))["phase"] == "WAITING"
            return await peer.receive("match_end")

    def assert_verified(frames: dict[int, Frame], end: Frame) -> None:
        assert frames[end["seq"]] == end
        assert end["seq"] == max(frames)

    within(scene())


@pytest.mark.check
def test_many_tables_play_in_one_process(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, tables=30, seats=2) as place:

            async def one(number: int) -> None:
                async with honest_table(place, seats=2, table=f"T-{number}", seed=number) as table:
                    await table.play(3)
                    table.check()
                    tables[number] = list(table.bots)

            tables: dict[int, list[RawBot]] = {}
            await asyncio.gather(*map(one, range(1, 31)))
        for number, bots in tables.items():
            check_bots(read_journal(place.db, f"T-{number}"), bots)

    within(scene())


# --- what is on disk, and what is sent


class Gate:
    """A journal that writes nothing while its gate is shut."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.gate = threading.Event()
        self.gate.set()
        self.waiting = threading.Event()

    def append(self, entries: Sequence[Entry]) -> None:
        """Write, as soon as the gate is open."""
        if not self.gate.is_set():
            self.waiting.set()
            assert self.gate.wait(BOUND)
        self._store.append(entries)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def test_no_frame_is_sent_before_its_entry_is_on_disk(tmp_path: Path) -> None:
    async def scene() -> None:
        gates: list[Gate] = []

        def wrap(store: Store) -> Any:
            gates.append(Gate(store))
            return gates[0]

        async with (
            arena(tmp_path, seats=3, start_at=3, wrap=wrap) as place,
            honest_table(place) as table,
            visit(place.watch()) as witness,
            aiohttp.ClientSession(place.http) as session,
        ):
            listening = asyncio.create_task(listen(witness))
            await table.play(1)
            gates[0].gate.clear()
            try:
                await asyncio.to_thread(gates[0].waiting.wait, BOUND)
                on_disk = read_journal(place.db)
                async with visit(place.ws()) as stranger, visit(place.watch()) as other:
                    await stranger.hello("Stranger")
                    asking = asyncio.create_task(tables_of(session, place))
                    for _ in range(3):  # enough time for anything that does not wait
                        async with session.get("/") as page:
                            await page.read()
                    assert max(bot.board.seq for bot in table.bots) <= on_disk.last
                    assert 0 < max(frame.get("seq", 0) for frame in witness.heard) <= on_disk.last
                    assert not asking.done()
                    gates[0].gate.set()
                    assert await stranger.error() == "TABLE_FULL"
                    assert (await other.receive("start_hand"))["seq"] <= on_disk.last + 1
                    assert [sent["table_id"] for sent in await asking] == ["T-1"]
            finally:
                gates[0].gate.set()
            await table.play(1)
            table.check()
            listening.cancel()

    async def listen(witness: Peer) -> None:
        while True:
            await witness.receive()

    within(scene())


# --- a disk that is full


@pytest.mark.check
def test_unwritable_journal_stops_the_server_without_sending_unstored_frames(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        bots = [RawBot(f"Bot {k}", Random(k)) for k in range(3)]
        async with aiohttp.ClientSession() as session:
            with served(tmp_path, *THREE, under=("sh", "-c", 'ulimit -f "$0"; exec "$@"', "2200")) as process:
                await playing(session, process, bots)
                assert await asyncio.to_thread(process.wait) == 1
                assert_sentence(beside_tables(process.said), "arena.db")
            journal = read_journal(process.db)
            check_bots(journal, bots)
            sent = max(bot.board.seq for bot in bots)
            with served(tmp_path, *THREE) as process:
                until_stopped = playing(session, process, bots)
                await bots[0].hands.reach(bots[0].hands.value + 2)
                assert await asyncio.to_thread(process.end) == 0
                await until_stopped
        journal = read_journal(process.db)
        check_bots(journal, bots)
        assert max(journal.frames) > sent
        assert {acted.cause for acted in journal.answers.values()} == {"client"}

    within(scene())
