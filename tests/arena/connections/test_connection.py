"""One connection without a socket: who it is, what of it is read, and when it is cut off."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest
from aiohttp import web

from pitboss.arena.connections import connection
from pitboss.arena.connections.admission import Capacity
from pitboss.arena.connections.budget import TOO_MANY, RateLimit, RateLimits
from pitboss.arena.connections.connection import FULL_RESPONSE, LONGEST_HEAD, REQUEST_PIECE, Connection, Connections
from pitboss.arena.connections.outbox import Outbox

REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
ASK = b"GET /ws HTTP/1.1\r\nHost: here\r\n\r\n"


class Closing:
    """An outbox that has said its last word, or has not."""

    def __init__(self, *, closing: bool) -> None:
        self.closing = closing

    def close(self, code: int, reason: str) -> None:
        """Send the reason and close."""
        self.closing = True


class Reader(asyncio.Protocol):
    """Passes on the bytes that it reads."""

    def __init__(self, read: Callable[[bytes], None]) -> None:
        self._read = read

    def data_received(self, data: bytes) -> None:
        self._read(data)


class Wire(asyncio.Transport):
    """What a connection writes to, and whether it was cut."""

    def __init__(self, address: str = "192.0.2.1") -> None:
        super().__init__({"peername": (address, 1)})
        self.written = b""
        self.aborted = self.closed = self.paused = False

    def write(self, data: Any) -> None:
        self.written += bytes(data)

    def is_closing(self) -> bool:
        return self.closed or self.aborted

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.aborted = True

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Nothing waits here."""

    def get_write_buffer_size(self) -> int:
        return 0


async def greet(_: web.BaseRequest) -> web.StreamResponse:
    return web.Response(text="hello")


def on_wire(
    scene: Callable[[Connections, Callable[..., tuple[Connection, Wire]]], Awaitable[None]],
    capacity: Capacity,
    budgets: RateLimits,
) -> None:
    """Play a scene with connections that have no socket."""

    async def play() -> None:
        all_, manager = Connections(capacity, budgets), web.Server(greet)

        def connect(address: str = "192.0.2.1") -> tuple[Connection, Wire]:
            one, wire = all_.accept(manager), Wire(address)
            one.connection_made(wire)
            return one, wire

        await scene(all_, connect)
        all_.close()
        await manager.shutdown(0.1)

    asyncio.run(play())


def test_connection_is_pending_without_a_seat_or_code_and_otherwise_as_the_room_says() -> None:
    async def scene(all_: Connections, connect: Callable[..., tuple[Connection, Wire]]) -> None:
        one, _ = connect()
        assert (one.seated, one.pending) == (False, False)
        seat, checked = False, True
        one.play(lambda: seat, lambda: checked)
        assert (one.seated, one.pending) == (False, True)
        seat, checked = True, False
        assert (one.seated, one.pending) == (True, False)
        one.connection_lost(None)
        assert (one.seated, one.pending) == (False, False)

    on_wire(scene, Capacity(), RateLimits())


def test_oldest_connection_is_closed_unless_its_code_is_being_checked() -> None:
    async def scene(all_: Connections, connect: Callable[..., tuple[Connection, Wire]]) -> None:
        first, checked = connect()
        first.play(lambda: False, lambda: True)
        _, second = connect()
        connect()
        assert (checked.aborted, second.aborted) == (False, True)

    on_wire(scene, Capacity(strangers=2), RateLimits())


def test_connection_beyond_the_limit_is_refused_and_not_read() -> None:
    async def scene(all_: Connections, connect: Callable[..., tuple[Connection, Wire]]) -> None:
        first, _ = connect()
        first.play(lambda: True, lambda: False)
        second, refused = connect()
        assert (refused.written, refused.closed) == (FULL_RESPONSE, True)
        second.data_received(REQUEST)
        await asyncio.sleep(0)
        assert refused.written == FULL_RESPONSE
        second.connection_lost(None)
        assert len(all_.admission) == 1

    on_wire(scene, Capacity(connections=1), RateLimits())


def test_oversized_request_is_cut_off_with_a_log_line(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, connection.log.name)

    async def scene(all_: Connections, connect: Callable[..., tuple[Connection, Wire]]) -> None:
        one, wire = connect()
        for asked in range(3):
            assert not wire.aborted, asked
            one.data_received(REQUEST[:3])
        assert (wire.aborted, wire.paused, one.meter.fault) == (True, True, TOO_MANY)
        one.data_received(REQUEST)
        await asyncio.sleep(0)
        assert wire.written == b"", "and nothing more of it is read"

    on_wire(scene, Capacity(), RateLimits(stranger=RateLimit(0.001, 2.5)))
    assert caplog.messages == [f"closed a stranger: {TOO_MANY}"]


@pytest.mark.parametrize(("first", "read"), [(REQUEST, False), (ASK, True), (REQUEST[:4], True)])
def test_address_over_its_budget_is_read_only_for_seat_requests(
    first: bytes, read: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, connection.log.name)

    async def scene(all_: Connections, connect: Callable[..., tuple[Connection, Wire]]) -> None:
        assert all_.requests.spend("192.0.2.1", asyncio.get_running_loop().time())
        one, wire = connect()
        other, elsewhere = connect("192.0.2.2")
        for each in (one, other):
            each.data_received(first)
        assert (wire.aborted, elsewhere.aborted) == (not read, False)

    on_wire(scene, Capacity(), RateLimits(address=RateLimit(0.001, 1)))
    assert caplog.messages == ([] if read else ["closed a stranger: too many requests from its address"])


BROKE_OFF = ["a connection was lost: by its peer"]


@pytest.mark.parametrize(("closing", "lines"), [(True, []), (False, BROKE_OFF), (None, BROKE_OFF)])
def test_a_connection_that_breaks_off_is_a_line_but_not_after_its_end(
    closing: bool | None, lines: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, connection.log.name)

    async def scene(all_: Connections, connect: Callable[..., tuple[Connection, Wire]]) -> None:
        one, _ = connect()
        await asyncio.sleep(0)
        if closing is not None:
            one.upgrade(cast(Outbox, Closing(closing=closing)))
        one.connection_lost(ConnectionResetError("by its peer"))
        assert len(all_.admission) == 0

    on_wire(scene, Capacity(), RateLimits())
    assert caplog.messages == lines


def test_closing_a_lost_connection_is_harmless() -> None:
    async def scene(all_: Connections, connect: Callable[..., tuple[Connection, Wire]]) -> None:
        one, wire = connect()
        one.abort()
        assert wire.aborted
        one.connection_lost(None)
        wire.aborted = False
        one.abort()
        assert not wire.aborted

    on_wire(scene, Capacity(), RateLimits())


SWITCH = ASK[:-2] + b"Connection: upgrade\r\nUpgrade:  WebSocket\r\n\r\n"
PING = bytes((0x89, 0x80, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("chunks", "passed_on", "held"),
    [
        ([REQUEST], REQUEST, None),
        ([SWITCH], SWITCH, b""),
        ([SWITCH + PING, PING], SWITCH, PING * 2),
        ([SWITCH[:9], SWITCH[9:-2], SWITCH[-2:] + PING], SWITCH, PING),
        ([bytes((byte,)) for byte in SWITCH + PING], SWITCH, PING),
        ([REQUEST * 2 + SWITCH + PING], REQUEST * 2 + SWITCH, PING),
        ([REQUEST, b'{"a body": 1}' + SWITCH], REQUEST + b'{"a body": 1}' + SWITCH, b""),
        ([ASK[:-2] + b"X: " + b"x" * LONGEST_HEAD + SWITCH[-4:]], None, None),
        ([SWITCH[:-2], b"X: " + b"x" * LONGEST_HEAD, b"\r\n\r\n" + PING], None, None),
        ([REQUEST * 65 + SWITCH + PING * 400, PING], REQUEST * 65 + SWITCH, PING * 401),
    ],
)
def test_data_after_an_upgrade_request_waits_and_is_counted(
    chunks: list[bytes], passed_on: bytes | None, held: bytes | None
) -> None:
    async def scene(all_: Connections, connect: Callable[..., tuple[Connection, Wire]]) -> None:
        one, wire = connect()
        read: list[bytes] = []
        one._http = cast(asyncio.Protocol, Reader(read.append))
        for chunk in chunks:
            one.data_received(chunk)
        while one._pieces:
            await asyncio.sleep(0)
        assert b"".join(read) == (b"".join(chunks) if passed_on is None else passed_on)
        assert one.asks_for_upgrade == (held is not None)
        read.clear()
        one.upgrade(cast(Outbox, Closing(closing=False)))
        assert b"".join(read) == (held or b"")
        assert not one.asks_for_upgrade
        assert not wire.paused
        one._http = web.Server(greet)()

    on_wire(scene, Capacity(), RateLimits(stranger=RateLimit(1, 1000)))


def test_long_request_reaches_aiohttp_in_order_one_piece_per_turn() -> None:
    async def scene(all_: Connections, connect: Callable[..., tuple[Connection, Wire]]) -> None:
        one, _ = connect()
        await asyncio.sleep(0)
        http, read = one._http, list[bytes]()
        one._http = cast(asyncio.Protocol, Reader(read.append))
        body = b"".join(number.to_bytes(4) for number in range(10 * REQUEST_PIECE // 4))
        one.data_received(body[: 5 * REQUEST_PIECE])
        assert read == [], "the caller's frame has the whole body, and a traceback would keep it"
        await asyncio.sleep(0)
        assert [len(piece) for piece in read] == [REQUEST_PIECE]
        one.data_received(body[5 * REQUEST_PIECE :])
        for pieces in (2, 3):
            await asyncio.sleep(0)
            assert b"".join(read) == body[: pieces * REQUEST_PIECE]
        one._http = http
        one.connection_lost(None)
        assert one._pieces == []
        await asyncio.sleep(0)

    on_wire(scene, Capacity(), RateLimits())


def test_too_much_data_after_an_upgrade_is_left_unread_and_counted() -> None:
    async def scene(all_: Connections, connect: Callable[..., tuple[Connection, Wire]]) -> None:
        one, wire = connect()
        read: list[bytes] = []
        one._http = cast(asyncio.Protocol, Reader(read.append))
        one.data_received(SWITCH)
        paused = []
        for pings in (10, 2000):
            one.data_received(PING * pings)
            paused.append(wire.paused)
        one.upgrade(cast(Outbox, Closing(closing=False)))
        assert one.meter.fault == TOO_MANY
        assert [*paused, wire.paused] == [False, True, True]
        assert len(b"".join(read)) - len(SWITCH) < 80 * len(PING)
        one._http = web.Server(greet)()

    on_wire(scene, Capacity(), RateLimits(stranger=RateLimit(0.001, 80)))


def test_short_frame_is_handled_at_once_only_with_a_receiver() -> None:
    async def scene(all_: Connections, connect: Callable[..., tuple[Connection, Wire]]) -> None:
        one, _ = connect()
        await asyncio.sleep(0)
        heard: list[str] = []
        word, garbage = (bytes((0x81, 0x82, 0, 0, 0, 0)) + said for said in (b"hi", b"\xff\xfe"))
        assert not one._handle_short_frame(word, heard.append), "aiohttp sees the first, and one every few seconds"
        assert not one._handle_short_frame(word, heard.append), "nobody is there to answer"
        one.upgrade(cast(Outbox, Closing(closing=True)))
        assert not one._handle_short_frame(word, heard.append), "nor any more"
        one.upgrade(cast(Outbox, Closing(closing=False)))
        assert not one._handle_short_frame(garbage, heard.append)
        assert (heard, one.taken) == ([], 0)
        assert one._handle_short_frame(word, heard.append)
        assert (heard, one.taken) == (["hi"], 1)

    on_wire(scene, Capacity(), RateLimits())
