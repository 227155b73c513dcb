"""The arena's server, which connects rooms to sockets and calls them when their time has come.

Players and spectators connect by WebSocket; HTTP serves the page. The server passes frames between sockets and rooms,
and entries to the journal's thread. It makes no decisions about games. The event loop never waits for the disk and
never computes the answer of a bot.
"""

import asyncio
import gc
import itertools
import logging
import os
import signal
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import msgspec
from aiohttp import WSMsgType, hdrs, web
from aiohttp.typedefs import Handler

from pitboss import __version__
from pitboss.arena.archive.archive import ShownSoFar
from pitboss.arena.archive.figures import LiveFigures
from pitboss.arena.bots.house import House
from pitboss.arena.code_checker import CodeChecker
from pitboss.arena.connections.addresses import Addresses, ArenaInfo, Origins, port_of
from pitboss.arena.connections.admission import Capacity, capacity_for
from pitboss.arena.connections.budget import SPEAKS, RateLimits
from pitboss.arena.connections.connection import POLICY, Connection, Connections, RequestLog
from pitboss.arena.connections.document_exchange import DocumentExchange, longest_body
from pitboss.arena.connections.listeners import Listeners
from pitboss.arena.connections.outbox import PATIENCE, Outbox, OutboxLimit, push_all
from pitboss.arena.connections.ratings import PATH as RATINGS_PATH
from pitboss.arena.connections.ratings import GameRatings
from pitboss.arena.connections.web import (
    BODY_BYTES,
    ErrorLogs,
    Pages,
    Replays,
    TableList,
    TeamCodes,
    add_headers,
    refuse_body,
    send_bytes,
)
from pitboss.arena.equities import EquityWorker
from pitboss.arena.house_seats import HouseSeats
from pitboss.arena.journal.records import Lock, Settings
from pitboss.arena.rooms.clock import AT_ONCE
from pitboss.arena.rooms.logins import CodeCheck
from pitboss.arena.rooms.output import Output, RunOut
from pitboss.arena.rooms.room import Room
from pitboss.arena.rooms.tables import OpenTables, TablePool
from pitboss.arena.wire.fields import EquityStep
from pitboss.arena.wire.messages import REFUSAL, Hello, Rejected, read
from pitboss.store import Entry, Writer

log = logging.getLogger("pitboss.arena")

BEAT = 0.25
"""Seconds between two readings of the clock. A longer pause counts as this time."""
STALL = 2 * BEAT
"""A pause between two readings that is longer than this is a stall."""
ROUNDS = 6
"""The number of turns of the event loop before a room is woken.

Bytes that have arrived when an alarm goes off are read in the next turn at the latest, and handled in the turn after
that. (asyncio reads sockets before it calls timers, libuv after that.) The other turns are a margin.
"""

MOST_OPEN_FILES = 65_536
"""The maximum number of handles that is requested, because some programs examine every possible handle."""
FRAME_BYTES = 8 * 1024
LEAST_SILENCE, MOST_SILENCE = 30.0, 55.0
"""Seconds without a frame from a client after which it is sent a ping; proxies close connections without traffic."""
TICKS_IN_A_ROW = 100
"""After this number of ticks, a room waits until other rooms had their turn."""
GOING_AWAY = 1001
LAST_FRAMES = 0.01
"""Seconds between two checks whether the last decks are sent, before the connections are closed."""
SEATS_PATH = "/ws"
REQUEST_COST = 3
"""The cost of a request, in frames of a connection's budget."""
PAGE_COST = 1
"""The cost of a file of the page.

It is low, because files are cheap to send and each reload of the page requests many of them.
"""
MOST_TABLES_NAMED = 20
"""The maximum number of tables that are listed when a client requests a table that does not exist."""
POOL_CHECK_EVERY = 1.0
"""Seconds between two checks whether a table can be joined, if one is to be kept open."""
FRAME_TYPES = frozenset((WSMsgType.TEXT, WSMsgType.BINARY))
GARBAGE_THRESHOLDS = (10_000, 20, 20)
"""The thresholds of the garbage collector, which are high so that it runs rarely."""


class SteadyTime:
    """A clock that leaves out stalls, times in which it was not read for too long.

    If the event loop is always late, this clock is slow, but it does not stop.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seen = clock()
        self.stalled = 0.0  #: in total

    def __call__(self) -> float:
        """Return the time."""
        now = self._clock()
        if now - self._seen > STALL:
            self.stalled += now - self._seen - BEAT
        self._seen = now
        return now - self.stalled


class Alarms:
    """One alarm for each room, on an event loop. `wake` is called after the frames that have already arrived."""

    def __init__(self, loop: asyncio.AbstractEventLoop, now: SteadyTime, wake: Callable[[Room], None]) -> None:
        self._loop = loop
        self._now = now
        self._wake = wake
        self._set: dict[Room, tuple[float, asyncio.Handle]] = {}  # time and handle
        self._beating = loop.call_later(BEAT, self._beat)

    def set(self, room: Room, deadline: float) -> None:
        """Wake the room at its time. If the alarm goes off too early, set it again."""
        before = self._set.get(room)
        if before is not None:
            due, handle = before
            if due <= deadline:
                return
            handle.cancel()
        self._set[room] = deadline, self._loop.call_later(max(0.0, deadline - self._now()), self._ring, room, ROUNDS)

    def close(self) -> None:
        """Cancel all alarms."""
        self._beating.cancel()
        for _, handle in self._set.values():
            handle.cancel()

    def _beat(self) -> None:
        self._now()
        self._beating = self._loop.call_later(BEAT, self._beat)

    def _ring(self, room: Room, rounds: int) -> None:
        if rounds:
            self._set[room] = self._set[room][0], self._loop.call_soon(self._ring, room, rounds - 1)
        else:
            del self._set[room]
            self._wake(room)


def raise_handles() -> int:
    """Raise the limit of handles as far as this process may; return the number of handles."""
    try:
        import resource
    except ImportError:  # a platform without such limits
        return MOST_OPEN_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_OPEN_FILES)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return MOST_OPEN_FILES if soft == resource.RLIM_INFINITY else soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


class Server:
    """The rooms of a server and their connections. Tests replace the journal's writer and the house."""

    def __init__(
        self,
        tables: OpenTables,
        *,
        think: float = 0.0,
        writer: Callable[..., Writer] = Writer,
        house: Callable[..., House] = House,
        checker: Callable[..., CodeChecker] = CodeChecker,
        equities: Callable[[], EquityWorker] = EquityWorker,
        clock: Callable[[], float] | None = None,
        capacity: Capacity | None = None,
        budgets: RateLimits | None = None,
        public_urls: Sequence[str] = (),
        command: str = "pitboss",
        tls: ssl.SSLContext | None = None,
        ratings: Path | None = None,
    ) -> None:
        self._tables = tables
        self._rooms = tables.rooms
        self._writer = writer(tables.store, self._on_commit, self._on_failure)
        self._decided: list[Entry] = []  # not passed to the journal yet
        self._outboxes: dict[int, Outbox] = {}
        self._sessions = itertools.count(1)
        self._last_reveals: dict[Room, int] = {}  # the last entries that make decks public
        self._commit_waiters: dict[str, list[asyncio.Future[None]]] = {}
        self._checker = checker(tables.throttle, self._is_awaited, self._checked)
        self._house = HouseSeats(house, self._carry_out, think)
        self._equities = equities()
        self._replays = Replays(tables.store.open_reader, self._shown, self._team_figures, self._equities.compute)
        self._paused: dict[str, dict[int, asyncio.Future[None]]] = {}  # table → sessions whose codes are being checked
        self._clock = clock  # the event loop's, if none is given
        self._capacity = capacity or Capacity()
        self._budgets = budgets or RateLimits()
        self._public_urls = public_urls
        self._command = command
        self._tls = tls
        self._ratings_folder = ratings
        self._pool = TablePool(tables)
        self._keeping = self._pool if tables.keep_open else None
        self._at: dict[int, Room] = {}  # the room of every session
        self._player_limit, self._spectator_limit = OutboxLimit(), OutboxLimit()
        self._looking: asyncio.TimerHandle | None = None
        self._stopping: asyncio.Future[None]
        self.failure: BaseException | None = None

    @asynccontextmanager
    async def running(self, host: str, port: int, sockets: Sequence[socket.socket] = ()) -> AsyncIterator[int]:
        """Serve on a port as long as the context lasts, and yield the port.

        Port 0 means any free port. With `listening`, use these sockets instead of new ones.
        """
        self._loop = asyncio.get_running_loop()
        self._stopping = self._loop.create_future()
        self._now = SteadyTime(self._clock or self._loop.time)
        self._alarms = Alarms(self._loop, self._now, self._wake)
        self._origins = Origins(host, self._public_urls)
        self._house.run_on(self._loop, self._now, self._stopping.done)
        self._codes = TeamCodes(
            self._tables.throttle, lambda check: self._checker.put(check, self._now()), self._now, os.urandom(32)
        )
        self._error_logs = ErrorLogs(self._rooms, self._codes, self._now)
        self._ratings = GameRatings(self._ratings_folder, self._rooms, self._codes)
        self._documents = DocumentExchange(self._tables, self._codes, self._carry_out, self._until_on_disk, self._now)
        self._listing = TableList(lambda: self._tables.shown(self._now()), self._on_disk)
        self._connections = Connections(self._capacity, self._budgets)
        runner = web.AppRunner(
            self._app(),
            access_log=None,
            logger=RequestLog(self._connections),
            keepalive_timeout=self._capacity.first_request,
            auto_decompress=False,  # aiohttp would inflate a body on the event loop, without a limit
            shutdown_timeout=PATIENCE,
        )
        await runner.setup()
        assert runner.server is not None
        accept = partial(self._connections.accept, runner.server)
        listeners = Listeners(self._connections, accept, self._tls)
        try:
            await listeners.open(host, port, sockets)
            self._writer.start()
            for room in self._rooms.values():
                self._seat_house(room)
            for room in self._rooms.values():
                self._carry_out(room, Output())
            self._keep_tables_open()
            public = next(iter(self._public_urls), None)
            self._addresses = Addresses(host=host, port=listeners.port, tls=self._tls is not None, public_url=public)
            yield listeners.port
        finally:
            await listeners.close()
            await self._close(runner)

    async def stopped(self) -> None:
        """Wait until the server receives a request to stop or cannot continue."""
        await self._stopping

    def stop(self) -> None:
        """Ask the server to stop; the decks of all finished hands of cash tables become public."""
        if self._stopping.done():
            return
        for room in self._rooms.values() if self.failure is None else ():
            out = room.reveal_all(self._now())
            if out.entries:
                self._last_reveals[room] = out.entries[-1].seq
            self._apply(out)
        self._stopping.set_result(None)

    async def _close(self, runner: web.AppRunner) -> None:
        """Close all connections, write what is decided, and accept nothing more."""
        self.stop()
        self._write_decided()
        await self._reveals_on_disk()
        self._alarms.close()
        if self._looking is not None:
            self._looking.cancel()
        for room in self._rooms.values():
            self._hear_again(room)
        self._codes.close()
        self._documents.close()
        for outbox in self._outboxes.values():
            outbox.close(GOING_AWAY, "the server is stopping; the match will go on")
        self._connections.close()
        await runner.cleanup()
        await asyncio.to_thread(self._checker.close)
        await asyncio.to_thread(self._equities.close)
        await asyncio.to_thread(self._replays.close)
        await asyncio.to_thread(self._house.close)
        await asyncio.to_thread(self._writer.close)

    async def _reveals_on_disk(self) -> None:
        """Wait until the last decks are in the journal and sent. The wait for a slow disk is limited."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                for room, seq in self._last_reveals.items():
                    while room.durable < seq and self.failure is None:
                        await self._next_commit(room)
                while self._last_reveals and any(outbox.has_row for outbox in self._outboxes.values()):
                    await asyncio.sleep(LAST_FRAMES)

    # --- the output of rooms

    def _carry_out(self, room: Room, out: Output) -> None:
        """Carry out the output of a room, call its `tick` while something is due, and set its alarm."""
        self._documents.changed(room)
        self._apply(out)
        turns = 0
        while (deadline := room.deadline) is not None and not self._stopping.done():
            if deadline > AT_ONCE or turns == TICKS_IN_A_ROW:
                self._alarms.set(room, deadline)
                return
            self._apply(room.tick(self._now()))
            turns += 1

    def _apply(self, out: Output) -> None:
        if out.entries and not self._stopping.done():
            if not self._decided:
                self._loop.call_soon(self._write_decided)
            self._decided += out.entries
        if out.sends:
            push_all(self._outboxes, out.sends)
            if self._house.seats:
                self._house.ask(out.sends)
        for close in out.closes:
            if close.session in self._outboxes:
                self._outboxes[close.session].close(close.code, close.reason)
        for note in out.notes:
            if not self._stopping.done():  # closing connections while stopping is expected
                log.info("%s", note)
        for alarm in out.alarms:
            log.error("%s", alarm)
        for check in out.checks:
            self._checker.put(check, self._now())
        for run_out in out.run_outs:
            self._equities.ask(run_out.spots, partial(self._on_equities, run_out))

    def _on_equities(self, run_out: RunOut, steps: tuple[EquityStep, ...]) -> None:
        """Receive the equities of a run-out, in the worker's thread."""
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._show_equities, run_out, steps)

    def _show_equities(self, run_out: RunOut, steps: tuple[EquityStep, ...]) -> None:
        room = self._rooms.get(run_out.table)
        if room is not None and steps and not self._stopping.done():
            self._carry_out(room, room.show_equities(run_out.hand_id, steps))

    def _write_decided(self) -> None:
        """Pass all entries of this turn of the event loop to the journal, in one transaction."""
        entries, self._decided = self._decided, []
        self._writer.put(entries)

    def _is_awaited(self, check: CodeCheck) -> bool:
        """Return whether a connection still waits for a check."""
        outbox = self._outboxes.get(check.session)
        return (outbox is not None and outbox.is_open) or check.session in self._codes

    def _checked(self, check: CodeCheck, lock: Lock | None, busy: float = 0.0) -> None:
        """Handle the result of a check of a code. The result may be that there was no time for the check."""
        if not self._codes.take(check, lock, busy) and not self._stopping.done():
            room = self._rooms[check.table]
            self._carry_out(room, room.checked(check, lock, self._now(), busy=busy))
            self._hear_again(room)

    async def _until_checked(self, room: Room, session: int) -> None:
        """Wait for the check of a connection's code."""
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
        """Note that these entries are on disk. Called in the journal's thread."""
        newest = {entry.table: entry.seq for entry in entries}
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._committed, newest)

    def _committed(self, newest: dict[str, int]) -> None:
        now = self._now()
        for table, seq in newest.items():
            room = self._rooms[table]
            self._carry_out(room, room.committed(seq, now))
            for waiter in self._commit_waiters.pop(table, ()) if self._commit_waiters else ():
                if not waiter.done():
                    waiter.set_result(None)

    def _on_failure(self, error: BaseException) -> None:
        """Stop, because the journal cannot be written and nothing must be sent. Called in the journal's thread."""
        self.failure = error
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.stop)

    # --- sockets

    def _app(self) -> web.Application:
        pages = Pages()
        app = web.Application(middlewares=[self._check], client_max_size=BODY_BYTES)
        app.on_response_prepare.append(add_headers)
        app.router.add_get("/", pages.answer)
        app.router.add_get("/page/{name:.*}", pages.answer)
        app.router.add_get(SEATS_PATH, self._play)
        app.router.add_get("/watch", self._watch)
        app.router.add_get("/api/tables", self._list_tables)
        app.router.add_get("/api/tables/{table}", self._table)
        self._replays.add_routes(app.router)
        self._documents.add_routes(app.router)
        app.router.add_post("/api/tables/{table}/errors", self._error_logs.answer)
        app.router.add_post(RATINGS_PATH, self._ratings.answer)
        app.router.add_get("/api/arena", self._arena_info)
        return app

    @web.middleware
    async def _check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer a request, or refuse it if it exceeds a budget or comes from a page of another site."""
        connection = _connection(request)
        connection.heard = True
        cost = PAGE_COST if request.path.startswith("/page/") else REQUEST_COST
        if not connection.meter.spend(cost, self._loop.time()):
            raise _closing(web.HTTPTooManyRequests(text="too many requests; try again later"))
        if request.path != SEATS_PATH and not self._connections.requests.spend(
            connection.address, self._loop.time()
        ):  # requests for a seat do not count towards the address's limit
            raise _closing(web.HTTPTooManyRequests(text="too many requests from this address; try again later"))
        host, origin = request.headers.get(hdrs.HOST), request.headers.get(hdrs.ORIGIN)
        speaks = request.path in (SEATS_PATH, "/watch") or request.method == hdrs.METH_POST
        reason = self._origins.refusal(host, origin, upgrade=speaks)
        if reason is not None:
            raise _closing(web.HTTPForbidden(text=reason))
        if (refused := refuse_body(request, longest_body(request))) is not None:
            raise _closing(refused)
        return await handler(request)

    async def _play(self, request: web.Request) -> web.StreamResponse:
        room, ws, connection = self._requested_table(request, self._rooms, self._tables.default())
        session = next(self._sessions)
        anywhere = not request.query.get("table") and (self._keeping is not None or len(self._rooms) > 1)
        outbox = await self._open(request, ws, session, self._player_limit)
        self._sit_at(room, session, connection)
        receive = partial(self._receive, room, session, connection)
        try:
            async for message in ws:
                connection.taken += 1
                if message.type in FRAME_TYPES:
                    if anywhere and not room.has_seat(session):
                        room = self._move(room, session, connection, message.data)
                        receive = partial(self._receive, room, session, connection)
                    receive(message.data)
                    if room.is_checking(session):  # until then, frames stay in the socket
                        await self._until_checked(room, session)
                    if room.has_seat(session):
                        connection.handle_short_frames(receive)
        finally:
            self._disconnected(room, session, outbox)
        return ws

    def _sit_at(self, room: Room, session: int, connection: Connection) -> None:
        """Handle a player's new connection, before its hello."""
        self._at[session] = room
        connection.play(partial(room.has_seat, session), partial(room.is_checking, session))
        self._carry_out(room, room.connect(session, self._now(), connection.address))

    def _receive(self, room: Room, session: int, connection: Connection, frame: str | bytes) -> None:
        """Handle a player's frame."""
        out = room.receive(session, frame, self._now())
        if out.is_free:
            connection.meter.refund()
        self._carry_out(room, out)

    async def _watch(self, request: web.Request) -> web.StreamResponse:
        self._visited()
        now = self._now()
        room, ws, connection = self._requested_table(request, self._tables.shown(now), self._tables.default_shown(now))
        if not connection.watch():
            raise _closing(web.HTTPServiceUnavailable(text="too many spectators; try again later"))
        session = next(self._sessions)
        outbox = await self._open(request, ws, session, self._spectator_limit)
        self._spectator_limit.share(self._connections.admission.spectators)
        self._at[session] = room
        self._carry_out(room, room.watch(session, self._now()))
        try:
            async for _ in ws:
                outbox.close(POLICY, SPEAKS)
        finally:
            self._disconnected(room, session, outbox)
        return ws

    def _requested_table(
        self, request: web.Request, rooms: Mapping[str, Room], default: str
    ) -> tuple[Room, web.WebSocketResponse, Connection]:
        """Return the requested table, and a WebSocket for the connection."""
        connection = _connection(request)
        table = request.query.get("table") or default
        if table not in rooms:
            more = ", and others" if len(rooms) > MOST_TABLES_NAMED else ""
            named = ", ".join(itertools.islice(rooms, MOST_TABLES_NAMED))
            sentence = f"unknown table; there are {named}{more}"
            raise web.HTTPNotFound(text=sentence, headers={REFUSAL: sentence})
        silence = longest_silence(rooms[table].match.settings)
        ws = web.WebSocketResponse(max_msg_size=FRAME_BYTES + 1, heartbeat=silence, compress=False, timeout=PATIENCE)
        if not ws.can_prepare(request) or not connection.asks_for_upgrade:
            raise web.HTTPBadRequest(text="expected a WebSocket")
        return rooms[table], ws, connection

    async def _open(self, request: web.Request, ws: web.WebSocketResponse, session: int, limit: OutboxLimit) -> Outbox:
        await ws.prepare(request)
        connection = _connection(request)
        assert request.transport is not None
        self._outboxes[session] = outbox = Outbox(ws, connection, request.transport, limit)
        connection.upgrade(outbox)
        return outbox

    def _disconnected(self, room: Room, session: int, outbox: Outbox) -> None:
        outbox.closing = True
        del self._outboxes[session]
        self._at.pop(session, None)
        self._carry_out(room, room.disconnect(session, self._now()))

    async def _list_tables(self, request: web.Request) -> web.StreamResponse:
        self._visited()
        return await send_bytes(request, await self._listing.read(), "application/json")

    async def _table(self, request: web.Request) -> web.StreamResponse:
        """One table, with the chips of a cash table."""
        room = self._tables.shown(self._now()).get(request.match_info["table"])
        if room is None:
            raise web.HTTPNotFound(text="there is no such table; the lobby lists those there are")
        await self._on_disk(room)
        return await send_bytes(request, msgspec.json.encode(room.described), "application/json")

    async def _arena_info(self, request: web.Request) -> web.StreamResponse:
        """Answer with the facts that the page needs to explain how to take a seat."""
        requested = request.headers.get(hdrs.HOST)
        about = ArenaInfo(
            command=self._command,
            bots=self._addresses.bots(requested),
            page=self._addresses.page(requested),
            public_url=self._addresses.public_url,
            keep_open=self._keeping is not None,
            ratings=self._ratings_folder is not None,
            version=__version__,
        )
        return await send_bytes(request, msgspec.json.encode(about), "application/json")

    async def _on_disk(self, room: Room) -> None:
        """Wait until all decisions of a room are on disk."""
        while room.pending:
            await self._next_commit(room)

    async def _until_on_disk(self, room: Room, number: int) -> None:
        """Wait until the entry with this number is on disk."""
        while room.durable < number:
            await self._next_commit(room)

    async def _next_commit(self, room: Room) -> None:
        committed = self._loop.create_future()
        self._commit_waiters.setdefault(room.match.table_id, []).append(committed)
        await committed

    def _shown(self, table: str) -> ShownSoFar | None:
        """Return the hands that spectators of a table have seen; None if the table does not exist."""
        room = self._tables.shown(self._now()).get(table)
        if room is None:
            return None
        if room.limits.delay:
            return ShownSoFar(room.spectators.finished, room.spectators.over, room.spectators.revealed)
        return ShownSoFar(room.match.finished, room.match.over, room.match.history.revealed)

    def _team_figures(self, table: str) -> LiveFigures:
        return LiveFigures.of(self._rooms[table].team_stats)

    def _seat_house(self, room: Room) -> None:
        for team in room.match.house_teams:
            self._house.seat(room, team, next(self._sessions), self._tables.setup.entropy(8), self._now())

    # --- tables that are kept open

    def _keep_tables_open(self) -> None:
        """Open another table when one is due, and remove finished tables, every few seconds."""
        if self._keeping is None or self._stopping.done():
            return
        self._looking = self._loop.call_later(POOL_CHECK_EVERY, self._keep_tables_open)
        self._open_where_due()
        self._house.dismiss_from_ended()
        for room in self._keeping.forget(self._at.values()):
            log.info("%s: over and no longer shown; it stays in the journal", room.match.table_id)

    def _visited(self) -> None:
        """Note that a visitor requests the list of tables."""
        if self._keeping is not None:
            self._keeping.came(self._now())
            self._open_where_due()

    def _open_where_due(self, *, wanted: bool = False) -> None:
        """Open another table if no table can be joined; immediately if a client wants a seat."""
        if self._keeping is None:
            return
        opened = self._keeping.look(self._now(), watched=bool(self._outboxes), wanted=wanted)
        if opened is None:
            return
        room, entries = opened
        log.info("%s: opened, since no other table can be joined", room.match.table_id)
        self._writer.claim(room.match.table_id)
        self._apply(Output(entries=entries))
        self._seat_house(room)
        self._carry_out(room, Output())

    def _move(self, room: Room, session: int, connection: Connection, frame: str | bytes) -> Room:
        """Return the table for a hello without a table name: the table of its team, or a table with a free seat."""
        try:
            hello = read(frame)
        except Rejected:
            return room
        if not isinstance(hello, Hello):
            return room
        better = self._pool.room_of(hello.team, resumes=hello.resume_from is not None)
        if better is None:
            self._open_where_due(wanted=True)
            better = self._pool.joinable() or room
        if better is not room:
            self._carry_out(room, room.disconnect(session, self._now()))
            self._sit_at(better, session, connection)
        return better


def longest_silence(settings: Settings) -> float:
    """Return the seconds of silence after which a client of a table receives a ping. The client has half of that time
    to answer.

    Many bots do not read while they compute an answer, so this time is as long as a turn can be, within the limits of
    proxies.
    """
    thinking = (settings.move_time_ms + settings.time_bank_ms) / 1000
    return min(max(LEAST_SILENCE, 2 * thinking), MOST_SILENCE)


def _connection(request: web.Request) -> Connection:
    """Return the connection of a request."""
    if request.transport is None:
        raise ConnectionResetError("the connection ended before its first request")
    connection = request.transport.get_protocol()
    assert isinstance(connection, Connection)
    return connection


def _closing(refused: web.HTTPException) -> web.HTTPException:
    """Return a refusal after which the connection is closed."""
    refused.force_close()
    return refused


async def serve(
    opened: Callable[[float], OpenTables],
    host: str,
    sockets: Sequence[socket.socket],
    *,
    think: float,
    ready: Callable[[int], None],
    of_address: int,
    public_urls: Sequence[str] = (),
    command: str = "pitboss",
    tls: ssl.SSLContext | None = None,
    ratings: Path | None = None,
    house: Callable[[Callable[[int, str], None]], House] = House,
) -> None:
    """Serve on sockets that already listen, until SIGTERM or Ctrl-C; raise the error if the journal cannot be written.

    The tables are opened here because their clocks are this server's.
    """
    loop = asyncio.get_running_loop()
    tables = opened(time.monotonic())
    seats = sum(room.match.settings.seats for room in tables.rooms.values())
    server = Server(
        tables,
        think=think,
        house=house,
        clock=time.monotonic,  # the clock of the event loop can be late
        capacity=capacity_for(raise_handles(), seats, of_address),
        public_urls=public_urls,
        command=command,
        tls=tls,
        ratings=ratings,
    )
    async with server.running(host, port_of(sockets), sockets) as bound:
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):  # platforms without signal handlers; Ctrl-C interrupts there
                loop.add_signal_handler(number, server.stop)
        gc.freeze()  # tables and connections exist for a long time, so the garbage collector should not examine them
        gc.set_threshold(*GARBAGE_THRESHOLDS)
        ready(bound)
        await server.stopped()
    if server.failure is not None:
        raise server.failure
