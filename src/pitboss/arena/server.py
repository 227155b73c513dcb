"""The arena on a port: WebSocket for players and spectators, HTTP for the page. The only file of it that waits.

It carries frames between sockets and rooms, entries to the journal's thread, and wakes rooms when their time has come.
Nothing here decides anything, and the event loop neither touches the disk nor thinks for a bot.
"""

import asyncio
import gc
import itertools
import logging
import mimetypes
import signal
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import WSMsgType, web
from aiohttp.typedefs import Handler

from pitboss.arena.bots.house import House, HouseQuestion, bot_of
from pitboss.arena.checker import CodeChecker, network_of
from pitboss.arena.journal.records import Lock
from pitboss.arena.rooms.clock import AT_ONCE
from pitboss.arena.rooms.hellos import CodeCheck
from pitboss.arena.rooms.output import Output
from pitboss.arena.rooms.room import Room
from pitboss.arena.rooms.tables import OpenTables
from pitboss.arena.v1.messages import Summary
from pitboss.arena.waking import Alarms, SteadyTime
from pitboss.store import Entry, Writer

log = logging.getLogger("pitboss.arena")

FRAME_BYTES = 8 * 1024
OUTBOX_BYTES = 1 << 20
"""What may wait for a client that does not read; beyond it the client is dropped, and no table has waited for it."""
TICKS_IN_A_ROW = 100
"""A room with more to do than this lets others have their turn first."""
FIRST_REQUEST = 10.0
"""Seconds a connection has for its first request."""
GARBAGE = (10_000, 20, 20)
"""How seldom the collector of cyclic garbage looks."""
PATIENCE = 2.0
"""Seconds to wait for a client to take leave."""
GOING_AWAY, TOO_SLOW = 1001, 4001
CONNECTIONS = 20_000
QUESTIONS = ('{"type":"act"', '{"type":"ask"')
"""How the frames begin that a house bot cares for."""
PAGE = Path(__file__).parent / "page"
mimetypes.add_type("text/javascript", ".js")  # whatever the machine says: a module under another name is not run
HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'self'; connect-src 'self' ws: wss:; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


class Outbox:
    """What waits to be written to one connection. It is the transport's own buffer, written by the event loop.

    A frame of the server is the same bytes for everybody, so it is framed once and written as it is.
    """

    __slots__ = ("_transport", "_ws", "closing")

    def __init__(self, ws: web.WebSocketResponse, transport: asyncio.Transport) -> None:
        self._ws = ws
        self._transport = transport
        self.closing = False

    def push(self, data: bytes) -> None:
        """Have frames written; where too much waits already, the connection is closed instead."""
        transport = self._transport
        if self.closing or transport.is_closing():
            return
        transport.write(data)
        if transport.get_write_buffer_size() > OUTBOX_BYTES:
            self.close(TOO_SLOW, "too slow: frames were not read")

    def close(self, code: int, reason: str) -> None:
        """Say why and hang up; who does not listen is cut off."""
        if not self.closing:
            self.closing = True
            log.info("closing a connection: %s", reason)
            _spawn(self._close(code, reason))

    async def _close(self, code: int, reason: str) -> None:
        with suppress(TimeoutError, ConnectionError, RuntimeError):
            async with asyncio.timeout(PATIENCE):
                await self._ws.close(code=code, message=reason.encode())
        self._transport.abort()


def framed(text: str) -> bytes:
    """A text frame as a WebSocket server writes it: whole, not masked.

    >>> framed("hi")
    b'\\x81\\x02hi'
    """
    data = text.encode()
    size = len(data)
    if size < 126:
        return b"\x81" + size.to_bytes(1, "big") + data
    return (b"\x81\x7e" + size.to_bytes(2, "big") if size < 1 << 16 else b"\x81\x7f" + size.to_bytes(8, "big")) + data


class Server:
    """Rooms behind a port; who writes the journal and who thinks for the house can be others, without threads."""

    def __init__(
        self,
        tables: OpenTables,
        *,
        think: float = 0.0,
        writer: type[Writer] = Writer,
        house: type[House] = House,
        checker: type[CodeChecker] = CodeChecker,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._tables = tables
        self._rooms = tables.rooms
        self._writer = writer(tables.store, self._on_commit, self._on_failure)
        self._outboxes: dict[int, Outbox] = {}
        self._sessions = itertools.count(1)
        self._commit_waiters: dict[str, list[asyncio.Future[None]]] = {}
        self._checker = checker(tables.guesses, self._checked)
        self._house = house(self._on_answer)
        self._paused: dict[str, dict[int, asyncio.Future[None]]] = {}  # table → sessions whose codes are being checked
        self._house_seats: dict[int, tuple[Room, str, int]] = {}  # session → room, bot, seed
        self._think = think
        self._clock = clock  # the event loop's, if none is given
        self._silent: set[web.RequestHandler] = set()  # connections that have asked for nothing yet
        self._stopping: asyncio.Future[None]
        self.failure: BaseException | None = None

    @asynccontextmanager
    async def running(self, host: str, port: int) -> AsyncIterator[int]:
        """Serve on a port, 0 for any that is free, for as long as the context lasts; gives the port."""
        self._loop = asyncio.get_running_loop()
        self._stopping = self._loop.create_future()
        self._now = SteadyTime(self._clock or self._loop.time)
        self._alarms = Alarms(self._loop, self._now, self._wake)
        runner = web.AppRunner(self._app(), access_log=None, shutdown_timeout=PATIENCE, keepalive_timeout=FIRST_REQUEST)
        await runner.setup()
        listening: asyncio.Server | None = None
        try:
            listening = await self._loop.create_server(lambda: self._accept(runner), host, port, backlog=4096)
            self._writer.start()
            self._seat_house()
            for room in self._rooms.values():
                self._carry_out(room, Output())
            yield listening.sockets[0].getsockname()[1]
        finally:
            if listening is not None:
                listening.close()
            await self._close(runner)

    async def stopped(self) -> None:
        """Wait until somebody asks the server to stop, or it cannot go on."""
        await self._stopping

    def stop(self) -> None:
        """Ask the server to stop."""
        if not self._stopping.done():
            self._stopping.set_result(None)

    async def _close(self, runner: web.AppRunner) -> None:
        """Hang up on everybody, keep what is decided, and take no more."""
        self.stop()
        self._alarms.close()
        for room in self._rooms.values():
            self._hear_again(room)
        for outbox in self._outboxes.values():
            outbox.close(GOING_AWAY, "the server is stopping; the match will go on")
        await runner.cleanup()
        await asyncio.to_thread(self._checker.close)
        await asyncio.to_thread(self._house.close)
        await asyncio.to_thread(self._writer.close)

    # --- between rooms and the outside

    def _carry_out(self, room: Room, out: Output) -> None:
        """Do what a room wants, tick it as long as something is to be done at once, and set its alarm."""
        self._do(out)
        for turns in itertools.count():
            deadline = room.deadline
            if deadline is None or self._stopping.done():
                return
            if deadline > AT_ONCE or turns == TICKS_IN_A_ROW:
                self._alarms.set(room, deadline)
                return
            self._do(room.tick(self._now()))

    def _do(self, out: Output) -> None:
        if out.entries and not self._stopping.done():
            self._writer.put(out.entries)
        outboxes = self._outboxes
        waiting: dict[Outbox, list[bytes]] = {}  # a write costs more than a frame, so each connection gets one
        for send in out.sends:
            data = framed(send.frame)
            for session in send.to:
                outbox = outboxes.get(session)
                if outbox is not None:
                    waiting.setdefault(outbox, []).append(data)
                elif session in self._house_seats and send.frame.startswith(QUESTIONS):
                    _, bot, seed = self._house_seats[session]
                    self._house.ask(HouseQuestion(session, bot, seed, send.frame))
        for outbox, frames in waiting.items():
            outbox.push(frames[0] if len(frames) == 1 else b"".join(frames))
        for close in out.closes:
            if close.session in outboxes:
                outboxes[close.session].close(close.code, close.reason)
        for note in out.notes:
            log.info("%s", note)
        for check in out.checks:
            self._checker.put(check)

    def _checked(self, check: CodeCheck, lock: Lock | None, busy: float = 0.0) -> None:
        """A code was checked, or nobody had the time."""
        if not self._stopping.done():
            room = self._rooms[check.table]
            self._carry_out(room, room.checked(check, lock, self._now(), busy=busy))
            self._hear_again(room)

    async def _until_checked(self, room: Room, session: int) -> None:
        """Wait until it is known whether a connection's code fits."""
        waiting = self._paused.setdefault(room.match.table_id, {})
        waiting[session] = self._loop.create_future()
        try:
            await waiting[session]
        finally:
            del waiting[session]

    def _hear_again(self, room: Room) -> None:
        for session, waiter in self._paused.get(room.match.table_id, {}).items():
            if not waiter.done() and (self._stopping.done() or not room.is_checking(session)):
                waiter.set_result(None)

    def _wake(self, room: Room) -> None:
        if not self._stopping.done():
            self._carry_out(room, room.tick(self._now()))

    def _on_commit(self, entries: Sequence[Entry]) -> None:
        """In the journal's thread: these entries are on disk."""
        newest = {entry.table: entry.seq for entry in entries}
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._committed, newest)

    def _committed(self, newest: dict[str, int]) -> None:
        for table, seq in newest.items():
            room = self._rooms[table]
            self._carry_out(room, room.committed(seq, self._now()))
            for waiter in self._commit_waiters.pop(table, ()):
                if not waiter.done():
                    waiter.set_result(None)

    def _on_failure(self, error: BaseException) -> None:
        """In the journal's thread: nothing can be written any more, so nothing may be sent any more."""
        self.failure = error
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.stop)

    # --- sockets

    def _app(self) -> web.Application:
        app = web.Application(middlewares=[self._heard])
        app.on_response_prepare.append(_add_headers)
        app.router.add_get("/", _page)
        app.router.add_static("/page", PAGE)
        app.router.add_get("/ws", self._play)
        app.router.add_get("/watch", self._watch)
        app.router.add_get("/api/tables", self._list_tables)
        return app

    def _accept(self, runner: web.AppRunner) -> asyncio.BaseProtocol:
        """Take a connection; one that asks for nothing is cut off after a while."""
        assert runner.server is not None
        protocol = runner.server()
        self._silent.add(protocol)
        self._loop.call_later(FIRST_REQUEST, self._cut_off_silent, protocol)
        return protocol

    def _cut_off_silent(self, protocol: web.RequestHandler) -> None:
        if protocol in self._silent:
            self._silent.discard(protocol)
            if protocol.transport is not None:
                protocol.transport.abort()

    @web.middleware
    async def _heard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        self._silent.discard(request.protocol)
        return await handler(request)

    async def _play(self, request: web.Request) -> web.StreamResponse:
        room = self._room(request)
        ws, outbox, session = await self._open(request)
        self._carry_out(room, room.connect(session, self._now(), network_of(request.remote)))
        try:
            async for message in ws:
                if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                    self._carry_out(room, room.receive(session, message.data, self._now()))
                    if room.is_checking(session):  # meanwhile what it sends waits where it is
                        await self._until_checked(room, session)
        finally:
            self._gone(room, session, outbox)
        return ws

    async def _watch(self, request: web.Request) -> web.StreamResponse:
        room = self._room(request)
        ws, outbox, session = await self._open(request)
        self._carry_out(room, room.watch(session, self._now()))
        try:
            async for _ in ws:
                outbox.close(1008, "spectators send nothing")
        finally:
            self._gone(room, session, outbox)
        return ws

    def _room(self, request: web.Request) -> Room:
        table = request.query.get("table") or self._tables.default()
        if table not in self._rooms:
            raise web.HTTPNotFound(text=f"there is no such table; there are {', '.join(self._rooms)}")
        if len(self._outboxes) >= CONNECTIONS:
            raise web.HTTPServiceUnavailable(text="too many connections; come back later")
        return self._rooms[table]

    async def _open(self, request: web.Request) -> tuple[web.WebSocketResponse, Outbox, int]:
        ws = web.WebSocketResponse(max_msg_size=FRAME_BYTES + 1, heartbeat=30, compress=False, timeout=PATIENCE)
        await ws.prepare(request)
        if request.transport is None:
            raise ConnectionResetError("gone before the first word")
        session, outbox = next(self._sessions), Outbox(ws, request.transport)
        self._outboxes[session] = outbox
        return ws, outbox, session

    def _gone(self, room: Room, session: int, outbox: Outbox) -> None:
        outbox.closing = True
        del self._outboxes[session]
        self._carry_out(room, room.disconnect(session, self._now()))

    async def _list_tables(self, request: web.Request) -> web.Response:
        """The list of tables; nothing of it is sent before it is on disk."""
        summaries = await asyncio.gather(*map(self._summary, self._rooms.values()))
        return web.json_response(body=msgspec.json.encode(summaries))

    async def _summary(self, room: Room) -> Summary:
        while room.pending:
            committed = self._loop.create_future()
            self._commit_waiters.setdefault(room.match.table_id, []).append(committed)
            await committed
        return room.summary()

    # --- the house

    def _seat_house(self) -> None:
        """Seat the house bots, which think in a process of their own."""
        for room in self._rooms.values():
            for team in room.match.house_teams:
                session = next(self._sessions)
                seed = int.from_bytes(self._tables.setup.entropy(8), "big")
                self._house_seats[session] = room, bot_of(team), seed
                self._carry_out(room, room.attach(session, team, self._now()))

    def _on_answer(self, session: int, frame: str) -> None:
        """In the house's thread: a bot has answered."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._loop.call_later, self._think, self._house_answers, session, frame)

    def _house_answers(self, session: int, frame: str) -> None:
        if not self._stopping.done():
            room = self._house_seats[session][0]
            self._carry_out(room, room.receive(session, frame, self._now()))


async def serve(
    opened: Callable[[float], OpenTables], host: str, port: int, *, think: float, ready: Callable[[int], None]
) -> None:
    """Serve until SIGTERM or Ctrl-C; raises what kept the journal from being written.

    The tables are opened here because their clocks are this server's.
    """
    loop = asyncio.get_running_loop()
    server = Server(opened(time.monotonic()), think=think, clock=time.monotonic)  # the loop's own may lag behind
    async with server.running(host, port) as bound:
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):  # where the platform has no signal handlers, Ctrl-C interrupts
                loop.add_signal_handler(number, server.stop)
        gc.freeze()  # tables and connections live long: looking for garbage among them again and again finds none
        gc.set_threshold(*GARBAGE)
        ready(bound)
        await server.stopped()
    if server.failure is not None:
        raise server.failure


async def _page(request: web.Request) -> web.StreamResponse:
    return web.FileResponse(PAGE / "index.html")


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)


_tasks: set[asyncio.Task[None]] = set()


def _spawn(work: Coroutine[Any, Any, None]) -> None:
    """Run something in the background and keep it alive until it is done."""
    task = asyncio.ensure_future(work)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
