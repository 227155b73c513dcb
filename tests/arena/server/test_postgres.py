"""A server whose PostgreSQL hangs, restarts or fails over: play waits or stops, and nothing unwritten is sent."""

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import aiohttp
import pytest

from tests.support.arena.journals import check_bots, read_journal
from tests.support.arena.raw_bots import RawBot, playing
from tests.support.arena.servers import THREE, Process, served, within
from tests.support.store.servers import PostgresServer, server_or_skip

pytestmark = pytest.mark.check

LOG_LINE = 5.0
STOP = 8.0
"""Seconds within which they come."""
IMPATIENT = "import pitboss.store.postgres as p; p.SILENCE = 4.0; from pitboss.cli.main import main; main()"
"""The command, which gives up a connection that is silent for four seconds instead of ten."""
TALKATIVE = f"import pitboss.store.response_timeout as s; s.FIRST_WARNING_AFTER = 0.5; {IMPATIENT}"
"""And which reports that after half a second instead of three."""


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """Run a server that the test may stop and start, or skip it where none can be run."""
    with server_or_skip() as running:
        yield running


@contextmanager
def frozen(server: PostgresServer) -> Iterator[None]:
    """A database that does not answer."""
    server.freeze()
    try:
        yield
    finally:
        server.thaw()


async def until_said(process: Process, what: str) -> float:
    """Wait until the server has printed something; return the seconds that took."""
    began = time.monotonic()
    reading = await asyncio.create_subprocess_exec(
        "tail", "-n", "+1", "-s", "0.1", "-F", process.log, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert reading.stdout is not None
        while what not in (line := (await reading.stdout.readline()).decode()):
            assert line, "nobody reads the log"
        return time.monotonic() - began
    finally:
        reading.kill()
        await reading.wait()


def three() -> list[RawBot]:
    """Bots for all seats."""
    return [RawBot(f"Bot {k}", Random(k)) for k in range(3)]


@pytest.mark.timing
def test_play_waits_for_a_hanging_database_without_a_lost_turn(tmp_path: Path, server: PostgresServer) -> None:
    """Longer than any clock: no time runs for a question that was not sent."""
    options = (*THREE, "--move-time-ms", "1000", "--db", server.url)

    async def scene() -> None:
        bots = three()
        async with aiohttp.ClientSession() as session:
            with served(tmp_path, *options, pitboss=(sys.executable, "-c", IMPATIENT)) as process:
                until_stopped = playing(session, process, bots)
                await bots[0].hands.reach(2)
                with frozen(server):
                    seconds = await until_said(process, "has not answered for 3 s: the journal waits for it")
                    assert seconds < LOG_LINE
                    heard = [bot.heard.value for bot in bots]
                    await until_said(process, "no answer for 4 s")
                    assert [bot.heard.value for bot in bots] == heard, "told what is not on disk"
                await until_said(process, "is back after")
                await bots[0].hands.reach(bots[0].hands.value + 2)
                assert await asyncio.to_thread(process.end) == 0
                await until_stopped
            journal = read_journal(server.url)
        check_bots(journal, bots)
        assert {acted.cause for acted in journal.answers.values()} == {"client"}
        assert [bot.lost_turns for bot in bots] == [[], [], []]

    within(scene())


@pytest.mark.timing
@pytest.mark.parametrize("connecting", [False, True], ids=["at once", "while it connects again"])
def test_a_server_stops_within_seconds_while_its_database_hangs(
    tmp_path: Path, server: PostgresServer, connecting: bool
) -> None:
    options = (*THREE, "--db", server.url)

    async def scene() -> None:
        bots = three()
        async with aiohttp.ClientSession() as session:
            with served(tmp_path, *options, pitboss=(sys.executable, "-c", TALKATIVE)) as process:
                until_stopped = playing(session, process, bots)
                await bots[0].hands.reach(2)
                with frozen(server):
                    silence = "no answer for 4 s" if connecting else "the journal waits for it"
                    await until_said(process, silence)  # before, it may have nothing to write and end in peace
                    began = time.monotonic()
                    assert await asyncio.to_thread(process.end) == 1
                    seconds = time.monotonic() - began
                    assert seconds < STOP
                await until_stopped
                last = process.said.splitlines()[-1]
                assert last.startswith("pitboss arena serve: ")
                assert "did not answer until this was stopped, so the last " in last
                assert "Traceback" not in process.said
            check_bots(read_journal(server.url), bots)
            with served(tmp_path, *options) as process:
                until_stopped = playing(session, process, bots)
                await bots[0].hands.reach(bots[0].hands.value + 2)
                assert await asyncio.to_thread(process.end) == 0
                await until_stopped
        check_bots(read_journal(server.url), bots)

    within(scene())


def test_match_continues_through_restarts_of_its_database(tmp_path: Path, server: PostgresServer) -> None:
    options = (*THREE, "--db", server.url)

    async def scene() -> None:
        bots = three()
        async with aiohttp.ClientSession() as session:
            with served(tmp_path, *options) as process:
                until_stopped = playing(session, process, bots)
                for _ in range(3):
                    await bots[0].hands.reach(bots[0].hands.value + 2)
                    await asyncio.to_thread(server.stop)
                    await asyncio.to_thread(server.start)
                await bots[0].hands.reach(bots[0].hands.value + 2)
                assert await asyncio.to_thread(process.end) == 0
                await until_stopped
                assert process.said.count("is back after") == 3
        check_bots(read_journal(server.url), bots)
        assert [bot.lost_turns for bot in bots] == [[], [], []]

    within(scene())


def test_server_stops_with_an_error_if_its_database_lost_its_end(tmp_path: Path, server: PostgresServer) -> None:
    async def scene() -> None:
        bots = three()
        async with aiohttp.ClientSession() as session:
            with served(tmp_path, *THREE, "--db", server.url) as process:
                until_stopped = playing(session, process, bots)
                await bots[0].hands.reach(2)
                copy = await asyncio.to_thread(server.copy)
                await bots[0].hands.reach(bots[0].hands.value + 2)
                await asyncio.to_thread(server.fail_over, copy)
                assert await asyncio.to_thread(process.wait) == 1
                await until_stopped
                last = process.said.splitlines()[-1]
                assert "came back WITHOUT ITS END: T-1 ends with entry" in last
                assert "but players received everything up to entry" in last

    within(scene())
