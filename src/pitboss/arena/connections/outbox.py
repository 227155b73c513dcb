"""The output of one connection: single frames are written immediately, and long series of frames piece by piece.

Frames wait in the transport's buffer. A frame of the server has the same bytes for all clients, so it is encoded once.
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
"""The maximum number of waiting bytes for a client that does not read; if there are more, it is disconnected."""
SPECTATORS_BYTES = 24 << 20
"""The maximum number of waiting bytes for all spectators together, divided evenly among them."""
LEAST_BYTES = 16 << 10
PATIENCE = 2.0
"""Seconds to wait for a client's close frame."""
TOO_SLOW = 4001


class OutboxLimit:
    """The maximum number of waiting bytes in each outbox of a group."""

    __slots__ = ("most",)

    def __init__(self) -> None:
        self.most = OUTBOX_BYTES

    def share(self, count: int) -> None:
        """Divide the limit among this many spectators."""
        self.most = max(LEAST_BYTES, min(OUTBOX_BYTES, SPECTATORS_BYTES // max(1, count)))


class WritableConnection(Protocol):
    """A protocol that reports whether too many bytes wait to be written."""

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
        self._later: deque[bytes | Iterator[bytes]] = deque()  # a long series, and the frames after it
        self._waiting = 0  # the bytes of its next frames
        self._soon: asyncio.Handle | None = None
        self.closing = False

    @property
    def is_open(self) -> bool:
        """Whether frames can still be pushed to the client."""
        return not self.closing and not self._transport.is_closing()

    @property
    def has_row(self) -> bool:
        """Whether a series of frames still waits to be written, and the client is still connected."""
        return self.is_open and bool(self._later)

    def push(self, data: bytes) -> None:
        """Write frames; if too many bytes wait already, close the connection instead."""
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
        """Write a series of frames, each when the client has nearly read the previous ones; later frames wait."""
        self._later.append(frames)
        self.pump()

    def pump(self) -> None:
        """Continue writing, because the client has read enough."""
        if self._later and self._soon is None:
            self._soon = asyncio.get_running_loop().call_soon(self._write_next)

    def _write_next(self) -> None:
        """Write one waiting frame. Other connections are served before the next frame."""
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
        """Send the reason and close; disconnect a client that does not respond."""
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
    """Write the frames of each session, in order."""
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
    """Return a text frame as a WebSocket server writes it: whole and unmasked.

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
    """Return the bytes for each session, with all its frames joined, because each write is expensive.

    Frames for the same sessions are joined only once for all these sessions.

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
    """Run a coroutine in the background, and keep a reference to its task until it is done."""
    task = asyncio.ensure_future(work)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
