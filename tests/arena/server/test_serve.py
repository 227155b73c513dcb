"""The server as the command runs it, in this process: which clients it refuses, and how it stops."""

import asyncio
import os
import signal
from pathlib import Path

import aiohttp
import pytest

from pitboss.arena.connections.addresses import listen
from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.tables import OpenTables, RoomSetup, open_tables
from pitboss.arena.server import serve
from pitboss.store import open_store
from tests.support.arena.servers import arena, within

SETUP = RoomSetup(entropy=os.urandom, day=lambda: "2026-11-16")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_server_stops_on_signal(number: signal.Signals, tmp_path: Path) -> None:
    ports: list[int] = []

    def ready(port: int) -> None:
        ports.append(port)
        os.kill(os.getpid(), number)

    async def scene() -> None:
        with open_store(str(tmp_path / "arena.db")) as store:

            def opened(now: float) -> OpenTables:
                return open_tables(store, SETUP, Settings(), now=now)

            await serve(opened, "127.0.0.1", listen("127.0.0.1", 0), think=0.0, ready=ready, of_address=10)

    within(scene())
    assert len(ports) == 1


def test_a_page_of_another_name_or_origin_is_refused_and_hung_up_on(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path) as place, aiohttp.ClientSession() as session:
            for path, headers, status in (
                ("/api/tables", {}, 200),
                ("/api/tables", {"Host": "evil.example"}, 403),
                ("/ws", {"Origin": "http://evil.example"}, 403),
            ):
                async with session.get(place.http + path, headers=headers) as answer:
                    assert answer.status == status, (path, headers)
                    assert (answer.headers.get("Connection") == "close") == (status == 403)

    within(scene())


def test_number_of_tables_other_than_in_the_journal_is_reported(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "arena.db")) as store:
        open_tables(store, SETUP, Settings(), tables=2, now=0.0)
        for tables, report in (
            (1, []),
            (2, []),
            (3, ["this journal has 2 tables, not 3: use another --db"]),
        ):
            found = open_tables(store, SETUP, Settings(), tables=tables, now=0.0).report
            assert [line for line in found if "tables, not" in line] == report


def test_pending_code_check_ends_when_the_server_stops(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path) as place:
            room = next(iter(place.tables.rooms.values()))
            waiting = asyncio.create_task(place.server._until_checked(room, 99))
            await asyncio.sleep(0)
            assert not waiting.done()
        assert waiting.done()

    within(scene())


def test_text_responses_name_their_encoding_and_pictures_do_not(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path) as place, aiohttp.ClientSession() as session:
            for path, kind in (("/", "text/html; charset=utf-8"), ("/api/tables", "application/json; charset=utf-8")):
                async with session.get(place.http + path) as answer:
                    assert answer.headers["Content-Type"] == kind

    within(scene())
