"""What waits to be written to one connection: frames at once, and long rows of them piece by piece as they are read.

It is the transport's own buffer, written by the event loop. A frame of the server is the same bytes for everybody, so
it is framed once and written as it is.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Coroutine, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Protocol

from aiohttp import web

from pitboss.arena.rooms.output import Send, SendRow

log = logging.getLogger("pitboss.arena")

OUTBOX_BYTES = 1 << 20
"""What may wait for a client that does not read; beyond it the client is dropped, and no table has waited for it."""
SPECTATORS_BYTES = 24 << 20
"""What may wait for all spectators together: the more there are, the less for each."""
LEAST_BYTES = 16 << 10
PATIENCE = 2.0
"""Seconds to wait for a client to take leave."""
TOO_SLOW = 4001


class OutboxLimit:
    """How many bytes may wait in each of some outboxes."""

    __slots__ = ("most",)

    def __init__(self) -> None:
        self.most = OUTBOX_BYTES

    def share(self, count: int) -> None:
        """Let so many spectators share what there is for them."""
        self.most = max(LEAST_BYTES, min(OUTBOX_BYTES, SPECTATORS_BYTES // max(1, count)))


class WritableConnection(Protocol):
    """A protocol that knows whether too much waits to be written."""

    writing_paused: bool


class Outbox:
    """The frames that wait for one connection."""

    __slots__ = ("_later", "_limit", "_protocol", "_soon", "_transport", "_waiting", "_ws", "closing")

    def __init__(
        self,
        ws: web.WebSocketResponse,
        protocol: WritableConnection,
        transport: asyncio.Transport,
        limit: OutboxLimit,
    ) -> None:
        self._ws = ws
        self._protocol = protocol
        self._transport = transport
        self._limit = limit
        self._later: deque[bytes | Iterator[bytes]] = deque()  # a long row, and what comes after it
        self._waiting = 0  # bytes in it that are made already
        self._soon: asyncio.Handle | None = None
        self.closing = False

    @property
    def is_open(self) -> bool:
        """Whether somebody may still read what is pushed."""
        return not self.closing and not self._transport.is_closing()

    def push(self, data: bytes) -> None:
        """Have frames written; where too much waits already, the connection is closed instead."""
        transport = self._transport
        if self.closing or transport.is_closing():
            return
        if self._later:
            self._later.append(data)
            self._waiting += len(data)
        else:
            transport.write(data)
        if transport.get_write_buffer_size() + self._waiting > self._limit.most:
            self.close(TOO_SLOW, "too slow: frames were not read")

    def push_row(self, frames: Iterator[bytes]) -> None:
        """Have a row of frames written, each when the ones before it are nearly read; what is pushed later waits."""
        self._later.append(frames)
        self.pump()

    def pump(self) -> None:
        """Go on with what waits: the client has read enough."""
        if self._later and self._soon is None:
            self._soon = asyncio.get_running_loop().call_soon(self._write_next)

    def _write_next(self) -> None:
        """Write one frame of what waits; others have their turn before the next."""
        self._soon = None
        if not self._later or self.closing or self._protocol.writing_paused or self._transport.is_closing():
            return
        first = self._later[0]
        data = first if isinstance(first, bytes) else next(first, None)
        if data is None or data is first:
            self._later.popleft()
            self._waiting -= len(data or b"")
        if data is not None:
            self._transport.write(data)
        self.pump()

    def close(self, code: int, reason: str) -> None:
        """Say why and hang up; who does not listen is cut off."""
        if not self.closing:
            self.closing = True
            self._later.clear()
            log.debug("closing a connection: %s", reason)
            _start_task(self._close(code, reason))

    async def _close(self, code: int, reason: str) -> None:
        with suppress(TimeoutError, ConnectionError, RuntimeError):
            async with asyncio.timeout(PATIENCE):
                await self._ws.close(code=code, message=reason.encode())
        self._transport.abort()


def push_all(outboxes: Mapping[int, Outbox], sends: Iterable[Send | SendRow]) -> None:
    """Have everybody written what is for him, in its order."""
    frames: list[Send] = []
    for send in sends:
        if isinstance(send, SendRow):
            _push(outboxes, frames)
            frames = []
            for session in outboxes.keys() & send.to:
                outboxes[session].push_row(map(text_frame, send.frames()))
            continue
        frames.append(send)
    _push(outboxes, frames)


def _push(outboxes: Mapping[int, Outbox], frames: Iterable[Send]) -> None:
    for session, data in join_frames(frames).items():
        outbox = outboxes.get(session)
        if outbox is not None:
            outbox.push(data)


def text_frame(text: str) -> bytes:
    """A text frame as a WebSocket server writes it: whole, not masked.

    >>> text_frame("hi")
    b'\\x81\\x02hi'
    """
    data = text.encode()
    size = len(data)
    if size < 126:
        return b"\x81%c%b" % (size, data)
    if size < 1 << 16:
        return b"\x81\x7e%c%c%b" % (size >> 8, size & 0xFF, data)
    return b"\x81\x7f" + size.to_bytes(8, "big") + data


def join_frames(sends: Iterable[Send]) -> dict[int, bytes]:
    """What each session is written: a write costs more than a frame, so all frames for one go together.

    Most frames are for the same sessions as the one before, and those are joined once for all of them.

    >>> join_frames([Send((1, 2), "a"), Send((1, 2), "b"), Send((2,), "?")])
    {1: b'\\x81\\x01a\\x81\\x01b', 2: b'\\x81\\x01a\\x81\\x01b\\x81\\x01?'}
    """
    joined: dict[int, bytes] = {}
    to: tuple[int, ...] = ()
    data = b""
    for send in sends:
        if send.to is to:
            data += text_frame(send.frame)
            continue
        joined = _append_for(joined, to, data)
        to, data = send.to, text_frame(send.frame)
    return _append_for(joined, to, data)


def _append_for(joined: dict[int, bytes], to: tuple[int, ...], data: bytes) -> dict[int, bytes]:
    for session in to:
        joined[session] = joined[session] + data if session in joined else data
    return joined


_tasks: set[asyncio.Task[None]] = set()


def _start_task(work: Coroutine[Any, Any, None]) -> None:
    """Run something in the background and keep it alive until it is done."""
    task = asyncio.ensure_future(work)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
