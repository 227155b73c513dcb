"""A network without sockets: connections between clients and the server's process that lag, stall, break and pause.

A connection keeps its order, as TCP does; only different connections overtake one another. The auditor sees the
server's bytes at once, the client when they arrive.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tests.support.sim.process import Process
    from tests.support.sim.world import World

WINDOW = 4096
"""Bytes that the network holds for a client that does not read; more of them wait in the server."""
HIGH_WATER, LOW_WATER = 64 * 1024, 16 * 1024
TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA


class Peer(Protocol):
    """The client's end of a connection."""

    def opened(self) -> None:
        """The handshake is done."""

    def heard(self, text: str) -> None:
        """A message came."""

    def lost(self, code: int) -> None:
        """The connection is gone; 0: without a close frame, 1006: refused, else the server's code."""


def masked(opcode: int, payload: bytes, *, fin: bool = True) -> bytes:
    """A frame as a client writes it; the mask is all zeros, which the standard allows."""
    first = bytes((0x80 * fin | opcode,))
    size = len(payload)
    if size < 126:
        return first + bytes((0x80 | size,)) + b"\0\0\0\0" + payload
    if size < 1 << 16:
        return first + b"\xfe" + size.to_bytes(2, "big") + b"\0\0\0\0" + payload
    return first + b"\xff" + size.to_bytes(8, "big") + b"\0\0\0\0" + payload


class Pipe:
    """Bytes on their way in one direction, in order."""

    def __init__(self, world: "World", lag: float, arrive: Callable[[bytes], None]) -> None:
        self._world = world
        self._lag = lag
        self._arrive = arrive
        self._way: deque[tuple[float, bytes]] = deque()
        self._last = 0.0
        self.size = 0  #: bytes on their way
        self.stalled = False
        self.cut = False

    def send(self, data: bytes) -> None:
        """Send bytes; they arrive after a while, never before what was sent earlier."""
        if self.cut:
            return
        world = self._world
        when = max(self._last, world.now + self._lag)
        self.size += len(data)
        if not self._way or when > self._last:
            world.at(when, self._deliver)
        self._last = when
        self._way.append((when, data))

    def stall(self) -> None:
        """Let nothing through."""
        self.stalled = True

    def flow(self) -> None:
        """Let everything through again."""
        self.stalled = False
        if self._way:
            self._world.at(self._world.now, self._deliver)

    def _deliver(self) -> None:
        way = self._way
        while way and not self.stalled and not self.cut and way[0][0] <= self._world.now:
            data = way.popleft()[1]
            self.size -= len(data)
            self._arrive(data)


class Link:
    """One connection."""

    def __init__(self, world: "World", process: "Process", peer: Peer, path: str, number: int, address: str) -> None:
        self.world = world
        self.process = process
        self.number = number
        self.path = path
        self.address = address
        self.peer: Peer | None = peer
        self.transport: ServerEnd | None = None
        self.on_frame: Callable[[Link, str], None] = lambda link, text: None
        self.is_open = False
        self.gone_at: float | None = None  #: since when the server has closed or lost it
        lag = world.between(0.0005, 0.02)
        self.to_server = Pipe(world, lag, self._at_server)
        self.to_client = Pipe(world, lag, self._at_client)
        self._frames: deque[tuple[int, int, bytes]] = deque()  # where it ends in the stream, opcode, payload
        self._wrote = self._read = 0
        self._said = self._came = 0  # bytes, at the client and at the server
        self._answers: deque[tuple[int, tuple[str, int]]] = deque()  # where it ends, and what it answers
        self.answered: dict[tuple[str, int], float] = {}  #: (hand, turn) → when an answer to it reached the server
        self._rest = b""
        self._greeted = self._refused = False
        world.after(lag, self._connect)

    # --- the client's side

    def say(self, text: str | bytes) -> None:
        """Send a message."""
        payload = text.encode() if isinstance(text, str) else text
        opcode = TEXT if isinstance(text, str) else 0x2
        self.send(masked(opcode, payload))

    def send(self, data: bytes) -> None:
        """Send bytes unchanged."""
        self._said += len(data)
        self.to_server.send(data)

    def has_answered(self, hand_id: str, turn: int) -> None:
        """The last message was a good answer."""
        self._answers.append((self._said, (hand_id, turn)))

    def reset(self) -> None:
        """Break the connection; bytes on their way are lost for both sides."""
        if not self.to_server.cut:
            self.to_server.cut = self.to_client.cut = True
            if self.transport is not None:
                self.transport.break_off()
            self._lose(0)

    def hang_up(self) -> None:
        """Close the client's half in order: what was sent before still arrives."""
        self.send(masked(CLOSE, (1000).to_bytes(2, "big")))
        self.peer = None
        self.world.after(5.0, self.reset)

    def stall(self, *, to_server: bool = True, to_client: bool = True) -> None:
        """Let nothing through for now."""
        if to_server:
            self.to_server.stall()
        if to_client:
            self.to_client.stall()

    def flow(self) -> None:
        """End a stall."""
        self.to_server.flow()
        self.to_client.flow()

    def _connect(self) -> None:
        if self.to_server.cut:
            return
        if not self.process.listening:
            self.to_server.cut = self.to_client.cut = True
            self._lose(1006)
            return
        self.transport = self.process.accept(self)
        request = (
            f"GET {self.path} HTTP/1.1\r\nHost: arena.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        self.send(request.encode())

    def _at_client(self, data: bytes) -> None:
        self._read += len(data)
        if self.transport is not None:
            self.transport.drained()
        while self._frames and self._frames[0][0] <= self._read and not self.to_client.cut:
            self._take(*self._frames.popleft()[1:])

    def _take(self, opcode: int, payload: bytes) -> None:
        peer = self.peer
        if opcode == TEXT:
            if peer is not None:
                peer.heard(payload.decode())
        elif opcode == PING:
            self.send(masked(PONG, payload))
        elif opcode == CLOSE:
            self.send(masked(CLOSE, payload[:2]))
            self._lose(int.from_bytes(payload[:2], "big"))
        elif opcode == 0:  # the answer to the handshake
            if payload == b"101":
                self.is_open = True
                if peer is not None:
                    peer.opened()
            else:
                self.world.count(f"answered {payload.decode()}")
                self._lose(int(payload))

    def _lose(self, code: int) -> None:
        peer, self.peer, self.is_open = self.peer, None, False
        if peer is not None:
            peer.lost(code)

    # --- the server's side

    def _at_server(self, data: bytes) -> None:
        if self.transport is not None:
            self.transport.arrived(data)
            self._came += len(data)
            while self._answers and self._answers[0][0] <= self._came:
                self.answered.setdefault(self._answers.popleft()[1], self.world.now)

    def written(self, data: bytes) -> None:
        """The server's process wrote bytes: the auditor sees them now, and they are on their way."""
        frames = self._cut_frames(data)
        self._frames += frames
        self.to_client.send(data)
        for _, opcode, payload in frames:
            if opcode == TEXT:
                self.on_frame(self, payload.decode())
            elif opcode == CLOSE:
                self.world.count(f"closed: {payload[2:].decode()}")
                self._gone()

    def _gone(self) -> None:
        if self.gone_at is None:
            self.gone_at = self.world.now

    def _cut_frames(self, data: bytes) -> list[tuple[int, int, bytes]]:
        frames: list[tuple[int, int, bytes]] = []
        base = self._wrote - len(self._rest)
        data, at = self._rest + data, 0
        self._wrote = base + len(data)
        if not self._greeted:
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._rest = data
                return frames
            at = end + 4
            status = data[9:12]
            self._greeted = True
            frames.append((base + at, 0, status))
            self._refused = status != b"101"
        if self._refused:
            return frames
        while len(data) - at >= 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(data[start : start + 2], "big"), start + 2
            elif size == 127:
                size, start = int.from_bytes(data[start : start + 8], "big"), start + 8
            if start + size > len(data):
                break
            frames.append((base + start + size, data[at] & 0xF, data[start : start + size]))
            at = start + size
        self._rest = data[at:]
        return frames

    def server_closed(self) -> None:
        """The server's end is closed; the client learns it once everything before it has arrived."""
        self._gone()
        self.world.after(0.02, self._finish)

    def _finish(self) -> None:
        if self.to_client.size and not self.to_client.cut:
            self.world.after(0.5, self._finish)
            return
        self.to_server.cut = self.to_client.cut = True
        self._lose(0)


class ServerEnd(asyncio.Transport):
    """The server's end of a connection, as an event loop makes it from a socket."""

    def __init__(self, link: Link, process: "Process") -> None:
        super().__init__()
        self._link = link
        self._process = process
        self._protocol: asyncio.Protocol
        self._inbox: list[bytes] = []
        self._broken = False
        self._reading = True
        self._closing = False
        self._paused = False
        self._lost = False

    # --- what the network does

    def arrived(self, data: bytes) -> None:
        """Bytes are in the operating system's buffer."""
        self._inbox.append(data)
        self._wake()

    def break_off(self) -> None:
        """The connection is broken."""
        self._broken = True
        self._wake()

    def waiting(self) -> bytes:
        """The bytes that have arrived and have not been read."""
        return b"".join(self._inbox)

    def drained(self) -> None:
        """Some bytes have left."""
        if self._paused and not self._process.dead and self._buffered() <= LOW_WATER:
            self._paused = False
            self._process.soon(self._protocol.resume_writing)

    def _wake(self) -> None:
        if (self._reading or self._broken) and not self._lost:
            self._process.io(self.ready)

    def ready(self) -> None:
        """Read what there is, in the loop's turn."""
        if self._lost:
            return
        if self._reading and self._inbox and not self._closing:
            data, self._inbox = b"".join(self._inbox), []
            self._protocol.data_received(data)
        if self._broken:
            self._lose(ConnectionResetError("connection reset by peer"))

    def _lose(self, error: Exception | None) -> None:
        if not self._lost:
            self._lost = self._closing = True
            self._process.soon(lambda: self._protocol.connection_lost(error))
            if not self._process.dead:
                self._link.server_closed()

    # --- what the server does

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send bytes."""
        if self._lost or self._process.dead or self._broken:
            return
        self._link.written(bytes(data))
        if not self._paused and self._buffered() > HIGH_WATER:
            self._paused = True
            self._protocol.pause_writing()

    def _buffered(self) -> int:
        return max(0, self._link.to_client.size - WINDOW)

    def get_write_buffer_size(self) -> int:
        """The number of bytes that have not left the process."""
        return self._buffered()

    def get_write_buffer_limits(self) -> tuple[int, int]:
        """When writing is paused and when it goes on."""
        return LOW_WATER, HIGH_WATER

    def close(self) -> None:
        """Close once everything is written."""
        if not self._closing:
            self._closing = True
            self._close_when_written()

    def _close_when_written(self) -> None:
        if self._buffered() and not self._broken and not self._process.dead:
            self._link.world.after(0.05, self._close_when_written)
        else:
            self._lose(None)

    def abort(self) -> None:
        """Close at once; bytes that have left the process still arrive."""
        if not self._process.dead and self._buffered():
            self._link.to_client.cut = True
        self._lose(None)

    def is_closing(self) -> bool:
        """Whether it is closed or about to be."""
        return self._closing

    def pause_reading(self) -> None:
        """Read no more for now."""
        self._reading = False

    def resume_reading(self) -> None:
        """Read on."""
        self._reading = True
        if self._inbox:
            self._wake()

    def is_reading(self) -> bool:
        """Whether it reads."""
        return self._reading and not self._closing

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Have another protocol from now on."""
        assert isinstance(protocol, asyncio.Protocol)
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        """The protocol that receives the bytes."""
        return self._protocol

    def can_write_eof(self) -> bool:
        """Half a connection is never closed."""
        return False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Addresses, but no socket."""
        known = {"peername": (self._link.address, 40_000 + self._link.number), "sockname": ("arena.test", 80)}
        return known.get(name, default)
