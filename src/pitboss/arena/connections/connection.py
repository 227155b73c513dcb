"""The open connections. Each is an asyncio protocol that counts bytes before aiohttp's own protocol receives them.

aiohttp answers pings and joins fragments itself, so a room never sees them; they are counted here, as bytes arrive.
A connection over its budget is no longer read. A long request is passed to aiohttp piece by piece. A single short
frame, which is what players nearly always send, is handled here without aiohttp's parser, queue and task, because these
cost more than the room's own work. All other frames go to aiohttp. A short frame goes to aiohttp too if earlier bytes
have not been handled yet.
"""

import asyncio
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from traceback import extract_tb
from typing import Any, Protocol, cast

from aiohttp import web

from pitboss.arena.connections.admission import Admission, Capacity, RequestLimiter, Visitor, network_of
from pitboss.arena.connections.budget import PIECE, FrameMeter, RateLimits, unmask
from pitboss.arena.connections.outbox import Outbox
from pitboss.printing import printable

log = logging.getLogger("pitboss.arena")

POLICY = 1008
ASKS_FOR_SEAT = b"GET /ws"
END_OF_HEAD = b"\r\n\r\n"
UPGRADE = re.compile(rb"\r\nupgrade:[ \t]*websocket", re.IGNORECASE)
REQUEST_PIECE = 2 * 1024
"""The maximum number of bytes of a request that aiohttp receives at once; few requests of honest clients are longer."""
LONGEST_HEAD = 16 * 1024
"""The maximum length of the head of a WebSocket request."""
SWEEP = 1.0
"""Seconds between two checks for connections whose time is up."""
FULL_RESPONSE = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\ntoo many connections; come back later\n"
SHOWN_EVERY = 5.0
"""Seconds after which one frame is passed to aiohttp.

Without it, aiohttp would regard the client as idle and send a ping.
"""
MOST_LINES, LINES_IN = 20, 10.0
"""The maximum number of log lines that strangers can cause in a period, and the period in seconds."""
LONGEST_REASON, MOST_PLACES = 200, 5
"""The maximum length of an error in the log, and the maximum number of code lines listed with it."""
CLOSED = "Connection closed."
"""The text of aiohttp's `RuntimeError` if a connection ends while aiohttp reads the rest of a refused body."""


class OpenVisitor(Visitor, Protocol):
    """An accepted connection, also before its TLS handshake."""

    def abort(self) -> None:
        """Close it without a message."""


class Connections:
    """All connections of a server, and the log lines they cause."""

    def __init__(self, capacity: Capacity, budgets: RateLimits) -> None:
        self.admission = Admission(capacity)
        self.budgets = budgets
        self.requests = RequestLimiter(budgets)
        self.handshakes = RequestLimiter(budgets)
        self._loop = asyncio.get_running_loop()
        self._sweeping: asyncio.TimerHandle | None = None
        self._lines, self._lines_since, self._left_out = 0, 0.0, 0

    def accept(self, server: web.Server) -> "Connection":
        """Return a protocol for a new connection."""
        return Connection(self, server(), self._loop)

    def arrive(self, connection: Visitor, address: str) -> bool:
        """Return whether a connection is admitted; an older one may be closed for it."""
        let_in, gone = self.admission.arrive(connection, address, self._loop.time())
        if gone is not None:
            self._cut_off(gone, "newer connections need its place")
        if self._sweeping is None:
            wait = min(SWEEP, self.admission.capacity.first_request / 2)
            self._sweeping = self._loop.call_later(wait, self._sweep)
        return let_in

    def admit_handshake(self, visitor: Visitor, address: str) -> bool:
        """Return whether a connection may start a TLS handshake, the most expensive step before its first request."""
        if not self.handshakes.spend(network_of(address), self._loop.time()):
            self.line("closed a stranger: too many handshakes from its address")
            return False
        return self.arrive(visitor, address)

    def leave(self, connection: Visitor, error: BaseException | None) -> None:
        """Remove a connection that has ended."""
        self.admission.leave(connection)
        if error is not None:
            self.line(f"a connection was lost: {error}")

    def line(self, sentence: str, level: int = logging.DEBUG) -> None:
        """Log a line that a stranger caused, unless there were too many."""
        now = self._loop.time()
        if now - self._lines_since >= LINES_IN:
            if self._left_out:
                log.debug("and %d more such lines", self._left_out)
            self._lines, self._lines_since, self._left_out = 0, now, 0
        self._lines += 1
        if self._lines <= MOST_LINES:
            log.log(level, "%s", sentence)
        else:
            self._left_out += 1

    def close(self) -> None:
        """Stop checking."""
        if self._sweeping is not None:
            self._sweeping.cancel()

    def _sweep(self) -> None:
        self._sweeping = None
        for visitor in self.admission.overdue(self._loop.time()):
            self._cut_off(visitor, "no request in time")
        if self.admission.strangers:
            self._sweeping = self._loop.call_later(min(SWEEP, self.admission.capacity.first_request / 2), self._sweep)

    def _cut_off(self, visitor: Visitor, reason: str) -> None:
        self.line(f"closed a stranger: {reason}")
        cast(OpenVisitor, visitor).abort()


class Connection(asyncio.Protocol):
    """The protocol of one connection; `http` is aiohttp's protocol, which receives the bytes within the budget."""

    __slots__ = (
        *("_all", "_has_seat", "_head", "_receive", "_held", "_http", "_is_checked", "_loop", "_outbox", "_pieces"),
        *("_in_pieces", "_refused", "_shown_until", "_transport"),
        *("address", "heard", "meter", "taken", "upgraded", "writing_paused"),
    )

    def __init__(self, all_: Connections, http: asyncio.Protocol, loop: asyncio.AbstractEventLoop) -> None:
        self._all = all_
        self._http = http
        self._loop = loop
        self._transport: asyncio.Transport | None = None
        self._has_seat: Callable[[], bool] | None = None
        self._is_checked: Callable[[], bool] | None = None
        self._outbox: Outbox | None = None
        self._receive: Callable[[str], None] | None = None
        self._shown_until = 0.0  # when aiohttp gets a frame again
        self._refused = False
        self._head = b""  # the beginning of a request
        self._held: bytes | None = None  # bytes after a WebSocket request, until it is answered
        self._pieces: list[bytes] = []  # the rest of a long request, which aiohttp has not received
        self._in_pieces = False  # whether aiohttp has received a piece outside of `data_received`
        self.taken = 0  #: the number of messages handled here
        self.meter = FrameMeter(all_.budgets, loop.time())
        self.address = ""  #: the client's address, after its first bytes
        self.heard = False
        self.upgraded = False
        self.writing_paused = False  #: whether too many bytes wait to be written

    # --- the kind of connection

    @property
    def seated(self) -> bool:
        """Whether the connection has a seat."""
        return self._has_seat is not None and self._has_seat()

    @property
    def pending(self) -> bool:
        """Whether its code is being checked."""
        return self._is_checked is not None and self._is_checked()

    def play(self, has_seat: Callable[[], bool], is_checked: Callable[[], bool]) -> None:
        """Make this a player's connection; its limits rise when it has a seat."""
        self._has_seat, self._is_checked = has_seat, is_checked
        self.meter.play(has_seat)

    def watch(self) -> bool:
        """Make this a spectator's connection, which must not send anything. Return whether there is room for it."""
        if not self._all.admission.watch(self):
            return False
        self.meter.watch()
        return True

    def handle_short_frames(self, receive: Callable[[str], None]) -> None:
        """Note that the connection has a seat, so that its short frames can be handled on arrival."""
        self._receive = receive

    @property
    def asks_for_upgrade(self) -> bool:
        """Return whether the last request asks for a WebSocket. The end of such a request is known."""
        return self._held is not None

    def upgrade(self, outbox: Outbox) -> None:
        """Note that the connection is a WebSocket, so that input is counted as frames and output uses an outbox."""
        self.upgraded = True
        self._outbox = outbox
        held, self._held = self._held, None
        if held:
            if self._transport is not None:
                self._transport.resume_reading()
            self.data_received(held)

    def abort(self) -> None:
        """Close it without a message."""
        if self._transport is not None:
            self._transport.abort()

    # --- input

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        peer = transport.get_extra_info("peername")
        self._transport = cast(asyncio.Transport, transport)  # uvloop has its own transports
        if self._all.arrive(self, str(peer[0]) if isinstance(peer, tuple) else ""):
            self._http.connection_made(transport)
            return
        self._refused = True
        self._transport.write(FULL_RESPONSE)
        self._transport.close()

    def connection_lost(self, exc: BaseException | None) -> None:
        has_closed = self._outbox is not None and self._outbox.closing  # then a reset is a normal end
        self._all.leave(self, None if has_closed else exc)
        self._outbox = self._has_seat = self._is_checked = self._receive = None
        self._transport = None
        self._head = b""
        self._pieces.clear()
        if self._refused:
            return
        if self._in_pieces:  # aiohttp's task may have been woken in this turn, and must run before the connection ends
            self._loop.call_soon(self._http.connection_lost, cast(Exception | None, exc))
        else:
            self._http.connection_lost(cast(Exception | None, exc))

    def data_received(self, data: bytes) -> None:
        meter = self.meter
        if self.upgraded and meter.one_frame(data):  # nearly always
            if (
                self._receive is None
                or meter.messages != self.taken + 1
                or not self._handle_short_frame(data, self._receive)
            ):
                self._http.data_received(data)
            return
        if meter.fault or self._refused:
            return
        if not self.upgraded:
            if not self.address and not self._may_begin(data):
                self._all.line("closed a stranger: too many requests from its address")
                self.abort()
            elif not meter.request(len(data), self._loop.time()):
                self._stop_reading()
            elif self._held is None and (self._pieces or len(data) > REQUEST_PIECE):
                if not self._pieces:
                    self._loop.call_soon(self._pass_on_piece)
                self._pieces += [data[at : at + REQUEST_PIECE] for at in range(0, len(data), REQUEST_PIECE)]
            elif passed_on := self._up_to_upgrade(data):
                self._http.data_received(passed_on)
            return
        fine = meter.frames(data, self._loop.time())
        self._http.data_received(data[:fine])
        if fine < len(data):
            self._stop_reading()

    def eof_received(self) -> bool | None:
        return self._http.eof_received()

    def pause_writing(self) -> None:
        self.writing_paused = True
        self._http.pause_writing()

    def resume_writing(self) -> None:
        self.writing_paused = False
        self._http.resume_writing()
        if self._outbox is not None:
            self._outbox.pump()

    def _may_begin(self, data: bytes) -> bool:
        """Return whether the first bytes of a connection are read.

        This depends on the number of requests from its address. Requests for a seat are always read, and so are
        incomplete requests.
        """
        peer = self._transport.get_extra_info("peername") if self._transport is not None else None
        self.address = network_of(str(peer[0])) if isinstance(peer, tuple) else "unknown"
        if len(data) < len(ASKS_FOR_SEAT) or data.startswith(ASKS_FOR_SEAT):
            return True
        return not self._all.requests.is_exhausted(self.address, self._loop.time())

    def _pass_on_piece(self) -> None:
        """Pass the next piece of a long request to aiohttp, one per turn of the event loop.

        The part of a refused or invalid request that aiohttp has received can stay in memory until the garbage
        collector runs, which counts objects and not bytes. aiohttp closes the connection after a few turns, and the
        pieces that it has not received are dropped.
        """
        if self._pieces and (passed_on := self._up_to_upgrade(self._pieces.pop(0))):
            self._in_pieces = True
            self._http.data_received(passed_on)
        if self._pieces:
            self._loop.call_soon(self._pass_on_piece)

    def _up_to_upgrade(self, data: bytes) -> bytes:
        """Return the bytes that aiohttp may read now: all, or those up to the end of a WebSocket request.

        aiohttp keeps bytes after such a request, so they could not be counted as frames. A client must wait for
        the answer (RFC 6455, 4.1), so there are hardly ever any.
        """
        if self._held is not None:
            self._held += data
            if len(self._held) > PIECE and self._transport is not None:
                self._transport.pause_reading()
            return b""
        text, at = self._head + data, 0
        while (end := text.find(END_OF_HEAD, at)) >= 0:
            end += len(END_OF_HEAD)
            if UPGRADE.search(text, at, end):
                before = data[: len(data) - len(text) + end]
                self._head, self._held = b"", b"".join((text[end:], *self._pieces))
                self._pieces.clear()
                return before
            at = end
        self._head = text[at:][-LONGEST_HEAD:]
        return data

    def _handle_short_frame(self, frame: bytes, receive: Callable[[str], None]) -> bool:
        """Handle a short frame here, if possible; return False if aiohttp must handle it."""
        now = self._loop.time()
        if now >= self._shown_until:
            self._shown_until = now + SHOWN_EVERY
            return False
        if self._outbox is None or self._outbox.closing:
            return False
        try:
            text = unmask(frame).decode()
        except UnicodeDecodeError:
            return False
        self.taken += 1
        receive(text)
        return True

    def _stop_reading(self) -> None:
        """Stop reading and close the connection, so that further bytes cost nothing."""
        if self._transport is None:
            return
        with suppress(RuntimeError):  # the connection is already closing
            self._transport.pause_reading()
        if self._outbox is not None:
            self._loop.call_soon(self._outbox.close, POLICY, self.meter.fault)  # after earlier frames
        else:
            self._all.line(f"closed a stranger: {self.meter.fault}")
            self._transport.abort()


class RequestLog(logging.LoggerAdapter[logging.Logger]):
    """aiohttp's log of requests. Each failure is one line of limited length, because strangers can cause failures."""

    def __init__(self, all_: Connections) -> None:
        super().__init__(logging.getLogger("aiohttp.server"))
        self._all = all_

    def log(self, level: int, msg: object, *args: object, **kwargs: Any) -> None:
        error = kwargs.get("exc_info")
        if isinstance(error, (ConnectionError, web.HTTPException)) or type(error).__module__.startswith("aiohttp."):
            self._all.line(f"a request failed: {type(error).__name__}")
        elif isinstance(error, RuntimeError) and str(error) == CLOSED:
            self._all.line("a connection was lost: the client was still sending a refused body")
        elif isinstance(error, BaseException):
            places = [f"{Path(step.filename).name}:{step.lineno}" for step in extract_tb(error.__traceback__)]
            where = " < ".join(places[: -MOST_PLACES - 1 : -1])
            sentence = f"a request failed: {type(error).__name__}: {str(error)[:LONGEST_REASON]} (at {where})"
            self._all.line(printable(sentence), logging.ERROR)
        else:
            super().log(level, msg, *args, **kwargs)
