"""What waits to be written to one connection: frames at once, and long series of frames piece by piece.

The transport's own buffer is used, which the event loop writes. A frame of the server has the same bytes for all
clients, so it is encoded once.
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
"""The maximum number of waiting bytes for a client that does not read; beyond it the client is dropped."""
SPECTATORS_BYTES = 24 << 20
"""The maximum for all spectators together: more spectators have less each."""
LEAST_BYTES = 16 << 10
PATIENCE = 2.0
"""Seconds to wait for a client's close frame."""
TOO_SLOW = 4001


class OutboxLimit:
    """The maximum number of bytes that may wait in each of some outboxes."""

    __slots__ = ("most",)

    def __init__(self) -> None:
        self.most = OUTBOX_BYTES

    def share(self, count: int) -> None:
        """Divide the limit among this many spectators."""
        self.most = max(LEAST_BYTES, min(OUTBOX_BYTES, SPECTATORS_BYTES // max(1, count)))


class WritableConnection(Protocol):
    """A protocol that knows whether too many bytes wait to be written."""

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
        self._later: deque[bytes | Iterator[bytes]] = deque()  # a long series, and what follows it
        self._waiting = 0  # its bytes that are already made
        self._soon: asyncio.Handle | None = None
        self.closing = False

    @property
    def is_open(self) -> bool:
        """Whether the client may still read what is pushed."""
        return not self.closing and not self._transport.is_closing()

    @property
    def has_row(self) -> bool:
        """Whether a row of frames still waits to be written and the client may still read it."""
        return self.is_open and bool(self._later)

    def push(self, data: bytes) -> None:
        """Write frames; if too much waits already, close the connection instead."""
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
        """Write a series of frames, each when the previous ones are nearly read; what is pushed later waits."""
        self._later.append(frames)
        self.pump()

    def pump(self) -> None:
        """Continue writing: the client has read enough."""
        if self._later and self._soon is None:
            self._soon = asyncio.get_running_loop().call_soon(self._write_next)

    def _write_next(self) -> None:
        """Write one waiting frame; other connections go before the next."""
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
        """Send the reason and close; a client that does not react is cut off."""
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
    """Write to each session its frames, in order."""
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
    """Return the bytes for each session: a write costs more than a frame, so all frames for one are joined.

    Most frames have the same sessions as the previous one; those are joined once for all of them.

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
    """Run something in the background and keep a reference until it is done."""
    task = asyncio.ensure_future(work)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
