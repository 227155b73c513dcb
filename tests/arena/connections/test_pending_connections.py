"""Strangers over real sockets: their bytes are counted, they leave nothing behind, and foreign pages get nothing."""

import asyncio
import gc
import json
import socket
import struct
from collections import Counter
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest

from pitboss.arena.connections.admission import Capacity
from pitboss.arena.connections.budget import RateLimits
from pitboss.arena.connections.connection import Connection
from pitboss.arena.rooms.logins import Limits
from tests.support.arena.raw_bots import HonestTable
from tests.support.arena.servers import (
    HANDSHAKE,
    Arena,
    arena,
    code_of,
    framed,
    raw,
    served,
    shake_hands,
    visit,
    within,
)
from tests.support.arena.teams import beside

pytestmark = pytest.mark.check

UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


# --- what is sent


@pytest.mark.check
@pytest.mark.parametrize(
    ("path", "piece", "reason"),
    [
        ("/watch", framed(b"", opcode=9), "too many frames"),
        ("/watch", framed(b"x" * 100, opcode=10), "too many frames"),
        ("/watch", framed(b"", last=False), "spectators send nothing"),
        ("/watch", framed(b"", opcode=0, last=False), "spectators send nothing"),
        ("/watch", framed(b"x", opcode=2), "spectators send nothing"),
        ("/ws", framed(b"", opcode=9), "too many frames"),
        ("/ws", framed(b"", last=False) + framed(b"", opcode=0, last=False) * 500, "too many frames"),
        ("/ws", framed(b"{}"), "too many frames"),
    ],
    ids=["pings", "pongs", "a fragment", "half a fragment", "binary", "a player's pings", "fragments", "words"],
)
def test_connection_over_its_budget_is_not_read_and_is_closed(
    tmp_path: Path, path: str, piece: bytes, reason: str
) -> None:
    async def trouble(place: Arena, table: HonestTable) -> None:
        async with raw(place.port) as (reader, writer):
            await shake_hands(reader, writer, path)
            heard = asyncio.create_task(hear_all(reader))
            answered = Counter[int]()
            while not heard.done() and not writer.transport.is_closing():
                writer.write(piece * 1000)
                await asyncio.wait([heard], timeout=0.01)
            for opcode, payload in frames_in(await heard):
                answered[opcode] += 1
                if opcode == 8:
                    assert (int.from_bytes(payload[:2], "big"), payload[2:].decode()) == (1008, reason)
            assert answered[8] == 1
            assert answered[10] <= 100, "pings without end are not answered without end"
        assert f"closing a connection: {reason}" in place.logged

    beside(tmp_path, trouble, limits=Limits())


async def hear_all(reader: asyncio.StreamReader) -> bytes:
    """All bytes until the server closes the connection in any way."""
    heard = b""
    with suppress(ConnectionError):
        while piece := await reader.read(2**16):
            heard += piece
    return heard


def frames_in(data: bytes) -> list[tuple[int, bytes]]:
    """The frames of a server: kind and payload."""
    found, at = [], 0
    while at + 2 <= len(data):
        size, start = data[at + 1], at + 2
        if size >= 126:
            start += 2 if size == 126 else 8
            size = int.from_bytes(data[at + 2 : start], "big")
        found.append((data[at] & 15, data[start : start + size]))
        at = start + size
    return found


def test_frames_sent_with_the_request_count(tmp_path: Path) -> None:
    async def trouble(place: Arena, table: HonestTable) -> None:
        async with raw(place.port) as (reader, writer):
            writer.write(HANDSHAKE.format("/watch").encode() + framed(b"", opcode=9) * 1000)
            await reader.readuntil(b"\r\n\r\n")
            opcodes = Counter(opcode for opcode, _ in frames_in(await hear_all(reader)))
            assert opcodes[8] == 1
            assert opcodes[10] <= 20

    beside(tmp_path, trouble, limits=Limits())


def test_connection_with_endless_page_requests_is_refused_and_closed(tmp_path: Path) -> None:
    async def trouble(place: Arena, table: HonestTable) -> None:
        async with raw(place.port) as (reader, writer):
            writer.write(b"GET /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 500)
            answers = await hear_all(reader)
            assert answers.count(b"HTTP/1.1 200 OK") in range(10, 40)
            assert answers.count(b"HTTP/1.1 429 ") == 1
        async with raw(place.port) as (reader, writer):
            written = 0
            while not writer.transport.is_closing():
                writer.write(b"P")  # a request of one letter at a time
                written += 1
                for _ in range(4):
                    await asyncio.sleep(0)
            assert written < 1000
            assert await hear_all(reader) == b""

    beside(tmp_path, trouble, limits=Limits())


def test_address_with_ever_new_connections_has_a_budget_and_still_gets_seats(
    tmp_path: Path,
) -> None:
    async def trouble(place: Arena, table: HonestTable) -> None:
        loop = asyncio.get_running_loop()
        begun, fine, refused = loop.time(), 0, 0
        budget = RateLimits().address
        for _ in range(int(budget.at_once) // 20 + 40):
            async with raw(place.port) as (reader, writer):
                writer.write(b"GET /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 19)
                writer.write(b"GET /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                answers = await hear_all(reader)
            fine += answers.count(b"HTTP/1.1 200 OK")
            refused += answers.count(b"HTTP/1.1 429 ")
        assert budget.at_once <= fine <= budget.at_once + budget.a_second * (loop.time() - begun)
        assert refused
        await table.play(1)
        async with raw(place.port) as (reader, writer):
            await shake_hands(reader, writer, "/ws")

    beside(tmp_path, trouble, limits=Limits())


# --- what is left behind


def test_closed_pending_connections_leave_no_state(tmp_path: Path) -> None:
    async def trouble(place: Arena, table: HonestTable) -> None:
        loop = asyncio.get_running_loop()
        timers = len(loop._scheduled)  # type: ignore[attr-defined]  # what asyncio has to do later
        for number in range(300):
            async with raw(place.port) as (reader, writer):
                if number % 3 == 1:
                    await shake_hands(reader, writer, "/watch")
                elif number % 3 == 2:
                    writer.write(b"GET /ws HTTP/1.1\r\nHos")
        while any(outbox.closing for outbox in place.server._outboxes.values()):
            await asyncio.sleep(0)
        await table.play(1)
        gc.collect()
        here = place.server._connections  # tests before this one may have left some of their own
        alive = [found for found in gc.get_objects() if issubclass(type(found), Connection) and found._all is here]
        assert 0 < len(alive) <= 10, "one a bot and some that are about to go"
        live_timers = [timer for timer in loop._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]  # and this too
        assert len(live_timers) <= timers + 20

    beside(tmp_path, trouble)


def test_a_connection_that_breaks_off_is_a_line_in_the_log_and_many_are_some_lines(tmp_path: Path) -> None:
    async def trouble(place: Arena, table: HonestTable) -> None:
        for _ in range(60):
            async with raw(place.port) as (_, writer):
                connection = writer.get_extra_info("socket")
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.write(HANDSHAKE.format("/ws").encode() + framed(b"", opcode=9))
                await asyncio.sleep(0)
        await table.play(1)
        assert not [line for line in place.logged if "Traceback" in line]
        lines = [line for line in place.logged if "connection was lost" in line or "request failed" in line]
        assert len(lines) <= 20

    beside(tmp_path, trouble)


# --- which connections are admitted


def test_pending_connections_make_room_for_seats(tmp_path: Path) -> None:
    async def scene() -> None:
        capacity = Capacity(strangers=5, strangers_of_address=5, spectators=2)
        async with (
            arena(tmp_path, capacity=capacity, seats=4, start_at=2) as place,
            visit(place.ws()) as one,
            visit(place.ws()) as two,
        ):
            await one.hello("One")
            await two.hello("Two")
            await one.receive("start_hand")
            silent = [await asyncio.open_connection("127.0.0.1", place.port) for _ in range(12)]
            async with visit(place.ws()) as three, visit(place.watch()) as first, visit(place.watch()) as second:
                await three.hello("Three")
                assert (await three.receive("welcome"))["seat"] == 2
                for witness in (first, second):
                    await witness.receive("table")
                with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                    async with visit(place.watch()):
                        pass
                assert refused.value.status == 503
            await one.say({"type": "leave?"})
            assert await one.error() == "UNKNOWN_TYPE", "who has a seat stays"
            for _, writer in silent:
                writer.transport.abort()

    within(scene())


def test_no_more_connections_than_there_are_handles_for(tmp_path: Path) -> None:
    async def scene() -> None:
        async with (
            arena(tmp_path, capacity=Capacity(connections=2), seats=2) as place,
            visit(place.ws()) as one,
            visit(place.ws()) as two,
        ):
            for peer, team in ((one, "One"), (two, "Two")):
                await peer.hello(team)
                await peer.receive("welcome")
            async with raw(place.port) as (reader, _):
                assert (await reader.read()).startswith(b"HTTP/1.1 503 ")

    within(scene())


def test_a_server_takes_all_handles_it_may_have_and_keeps_some_for_players(tmp_path: Path) -> None:
    async def scene() -> None:
        limited = ("sh", "-c", 'ulimit -Sn 64; ulimit -Hn "$0"; exec "$@"', "256")
        with served(tmp_path, "--seats", "2", "--move-time-ms", "60000", under=limited) as process:
            watching = []
            async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
                refused: list[int] = []
                for _ in range(260):
                    try:
                        watching.append(await session.ws_connect(process.watch()))
                    except aiohttp.WSServerHandshakeError as error:
                        refused.append(error.status)
                assert len(watching) > 64, "the soft limit was raised"
                assert set(refused) == {503}
                assert len(refused) > 60
                for team in ("One", "Two"):
                    player = await session.ws_connect(process.ws())
                    hello = {"type": "hello", "v": 1, "team": team, "join_code": code_of(team)}
                    await player.send_str(json.dumps(hello))
                    assert (await player.receive_json())["type"] == "welcome"
                    watching.append(player)
                for ws in watching:
                    await ws.close()
            assert process.end() == 0
            assert "Traceback" not in process.said

    within(scene())


# --- where they come from


def test_a_foreign_page_is_refused_by_a_sentence_and_its_connection_closed(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, seats=2) as place, aiohttp.ClientSession(place.http) as session:
            for path, headers, code in (
                ("/ws", {"Origin": "https://evil.example"}, 403),
                ("/watch", {"Origin": "null"}, 403),
                ("/api/tables", {"Host": "evil.example"}, 403),
                ("/api/tables", {"Origin": "https://evil.example"}, 200),
                ("/ws", {}, 400),
            ):
                async with session.get(path, headers=headers) as answer:
                    assert answer.status == code, (path, headers)
                    assert (answer.headers.get("Connection") == "close") == (code == 403)

    within(scene())


def test_foreign_origin_gets_no_seat_and_foreign_host_finds_nothing(tmp_path: Path) -> None:
    async def scene() -> None:
        with served(tmp_path, "--public-url", "https://arena.example/", "--seats", "2") as process:
            own, port = process.http, process.port
            # A refused upgrade makes aiohttp wait 10 s before it reads the connection again: use a new one per request.
            async with aiohttp.ClientSession(own, connector=aiohttp.TCPConnector(force_close=True)) as session:

                async def status(path: str, **headers: str) -> tuple[int, str]:
                    async with session.get(path, headers={**UPGRADE, **headers}) as answer:
                        return answer.status, "" if answer.status == 101 else await answer.text()

                for path in ("/ws", "/watch"):
                    for origin in (own, f"http://localhost:{port}", "https://arena.example"):
                        assert (await status(path, Origin=origin))[0] == 101, origin
                    for origin in ("https://evil.example", "null", f"{own}0", "http://arena.example"):
                        code, text = await status(path, Origin=origin)
                        assert (code, "may not play here" in text) == (403, True), origin
                for path in ("/", "/ws", "/api/tables", "/page/main.js"):
                    code, text = await status(path, Host=f"evil.example:{port}")
                    assert (code, "is not called 'evil.example" in text) == (403, True)
                    assert (await status(path, Host="arena.example"))[0] in (200, 101)
                async with session.get("/") as page:
                    assert page.headers["X-Frame-Options"] == "DENY"
                    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
                    tag = page.headers["ETag"]
                async with session.get("/", headers={"If-None-Match": tag}) as page:
                    assert page.status == 304
            async with visit(process.ws()) as bot:
                await bot.hello("A bot without a page")
                assert (await bot.receive("welcome"))["seat"] == 0
            assert process.end() == 0

    within(scene())
