"""The load: many bots in one process, over sockets, at as little cost as Python allows, so that the server is measured.

WebSocket is written by hand here, the few lines of it that a well-behaved loopback client needs.
"""

import asyncio
import random
import time
from collections.abc import Iterable
from functools import partial
from hashlib import sha256
from typing import cast

import msgspec
from msgspec import Struct

from benchmarks.arena_script import ACT

HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
AUTO = b'"auto":true'
MIX = b'{"type":"mix"'
ERROR = b'{"type":"error"'
AT_ONCE = 50
"""Connections opened at a time."""
CALM = 0.3
"""Seconds without a message until a swarm is taken to be quiet."""
PATIENCE = 60.0


class Asked(Struct):
    """What a simple bot reads of an `act`."""

    hand_id: str
    legal: tuple[str, ...]
    turn: int
    min_raise_to: int = 0


class Listed(Struct):
    """What a simple bot reads of a `mix`."""

    hand_id: str


_read_mix = msgspec.json.Decoder(Listed).decode
_read = msgspec.json.Decoder(Asked).decode


def framed(text: bytes, opcode: int = 1) -> bytes:
    """A client's frame; masked with zeros, so that the text stays as it is."""
    size = len(text)
    head = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + size.to_bytes(2)
    return bytes([0x80 | opcode]) + head + b"\0\0\0\0" + text


class Swarm:
    """Bots at one server, what they have counted, how long they think, and whether they mix in numbers."""

    def __init__(self, think: float = 0.0, seed: int = 1, *, mixes: bool = False) -> None:
        self.think = think
        self.mixes = mixes
        self.draw = random.Random(seed).random
        self.received = self.sent = self.autos = self.errors = self.lost = 0
        self.unanswered = 0  #: actions after which nothing has come yet
        self.waits: list[float] = []  #: seconds from an action to the next message
        self.bots: list[Bot] = []
        self._held: list[tuple[Bot, bytes]] | None = []  # answers that wait until the swarm may play

    @property
    def messages(self) -> int:
        """All that the server has sent and received."""
        return self.received + self.sent

    @property
    def lost_turns(self) -> int:
        """Turns played by the clock, actions refused and connections closed."""
        return self.autos + self.errors + self.lost

    async def connect(self, port: int, paths: Iterable[str], *, hello: bool = True, recording: bool = False) -> None:
        """Open a connection for each path, and say hello."""
        loop, waiting = asyncio.get_running_loop(), list(paths)
        for first in range(0, len(waiting), AT_ONCE):
            for path in waiting[first : first + AT_ONCE]:
                number = len(self.bots) + 1 if hello else None
                _, bot = await loop.create_connection(partial(Bot, self, path, number, recording), "127.0.0.1", port)
                self.bots.append(bot)
            await asyncio.gather(*[bot.open for bot in self.bots[-AT_ONCE:]])

    async def play(self, seconds: float) -> None:
        """Answer for so long, then hold the answers back and wait until the last message has come."""
        held, self._held = self._held or [], None
        for bot, answer in held:
            bot.loop.call_later(self.think * self.draw(), bot.send, answer)  # tables are not all in step
        await asyncio.sleep(seconds)
        self._held = []
        await self.quiet()

    async def wait_for_questions(self, tables: int) -> None:
        """Wait until this many tables wait for an answer that is held back."""
        async with asyncio.timeout(PATIENCE):
            while self._held is not None and len(self._held) < tables:
                await self.quiet()

    async def quiet(self) -> None:
        """Wait until something has come after every action, and then nothing more."""
        before = -1
        while self.received != before or self.unanswered:
            before = self.received
            await asyncio.sleep(CALM)

    def reset(self) -> None:
        """Count from nothing again."""
        self.received = self.sent = self.autos = self.errors = 0
        self.waits = []

    def answer(self, bot: "Bot", frame: bytes) -> None:
        """Decide and, when it is time, send: mostly check or call, now and then fold or raise."""
        asked, luck = _read(frame), self.draw()
        more = b""
        if luck < 0.1 and asked.min_raise_to:
            word, more = b"RAISE_TO", b',"amount":%d' % asked.min_raise_to
        elif asked.legal[0] == "CHECK":
            word = b"CHECK"
        else:
            word = b"FOLD" if luck > 0.75 else b"CALL"
        text = b'{"type":"action","v":1,"hand_id":"%s","action":"%s","turn":%d%s}'
        answer = framed(text % (asked.hand_id.encode(), word, asked.turn, more))
        if self._held is not None:
            self._held.append((bot, answer))
        elif self.think:
            bot.loop.call_later(self.think, bot.send, answer)
        else:
            bot.send(answer)


class Bot(asyncio.Protocol):
    """One connection; `number` None watches and says nothing."""

    __slots__ = (
        *("_asked_at", "_commit", "_drawn", "_number", "_path", "_recording", "_rest", "_swarm"),
        *("heard", "loop", "open", "transport"),
    )
    transport: asyncio.Transport

    def __init__(self, swarm: Swarm, path: str, number: int | None, recording: bool) -> None:
        self._swarm = swarm
        self._path = path
        self._number = number
        self._rest = b""
        self._asked_at = 0.0
        self._drawn = 0  # how many numbers it has mixed in; they need not be secret here
        self._commit = b""
        self.loop = asyncio.get_running_loop()
        self.open: asyncio.Future[None] = self.loop.create_future()
        self.heard: list[bytes] = []
        self._recording = recording

    def send(self, frame: bytes) -> None:
        """Send an action and start the watch."""
        self._swarm.sent += 1
        self._swarm.unanswered += 1
        self._asked_at = time.perf_counter()
        self.transport.write(frame)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop has transports of its own
        self.transport.write(HANDSHAKE.format(path=self._path).encode())

    def connection_lost(self, exc: Exception | None) -> None:
        self._swarm.lost += 1
        self._swarm.unanswered -= self._asked_at > 0
        if not self.open.done():
            self.open.set_exception(ConnectionError("the server hung up"))

    def data_received(self, data: bytes) -> None:
        swarm = self._swarm
        if self._asked_at:
            swarm.waits.append(time.perf_counter() - self._asked_at)
            swarm.unanswered -= 1
            self._asked_at = 0.0
        if self._rest:
            data = self._rest + data
        at = 0 if self.open.done() else self._opened(data)
        begun = at
        while (found := _frame(data, at)) is not None:
            start, stop = found
            opcode = data[at] & 15
            if opcode == 1:
                swarm.received += 1
                if data.startswith(ACT, start):
                    swarm.answer(self, data[start:stop])
                elif swarm.mixes and data.startswith(MIX, start):
                    self._mix(data[start:stop])
                if self._recording:
                    self.heard.append(data[start:stop])
            elif opcode == 9:
                self.transport.write(framed(data[start:stop], opcode=10))
            at = stop
        swarm.autos += data.count(AUTO, begun, at)
        swarm.errors += data.count(ERROR, begun, at)
        self._rest = data[at:]

    def _opened(self, data: bytes) -> int:
        """Where the frames begin, once the server has agreed to speak WebSocket."""
        end = data.find(b"\r\n\r\n")
        if end < 0:
            raise ConnectionError("half a handshake")
        if not data.startswith(b"HTTP/1.1 101"):
            raise ConnectionError(data[:80].decode())
        self.open.set_result(None)
        if self._number is not None:
            more = b',"next":"%s"' % self._bind() if self._swarm.mixes else b""
            hello = b'{"type":"hello","v":1,"team":"bot %d","join_code":"code"%s}' % (self._number, more)
            self.transport.write(framed(hello))
        return end + 4

    def _bind(self) -> bytes:
        """Bind it to its next number."""
        self._drawn += 1
        self._commit = sha256(b"number" + self._drawn.to_bytes(32)).hexdigest().encode()
        return self._commit

    def _mix(self, frame: bytes) -> None:
        """Open its number, if it is in the list."""
        if self._commit in frame:
            opened, hand_id = self._drawn.to_bytes(32).hex().encode(), _read_mix(frame).hand_id.encode()
            text = b'{"type":"number","v":1,"hand_id":"%s","number":"%s","next":"%s"}'
            self.transport.write(framed(text % (hand_id, opened, self._bind())))


def _frame(data: bytes, at: int) -> tuple[int, int] | None:
    """Where the text of the frame that begins here starts and stops, if all of it is there."""
    if len(data) < at + 2:
        return None
    size, start = data[at + 1], at + 2
    if size >= 126:
        start += 2 if size == 126 else 8
        if len(data) < start:
            return None
        size = int.from_bytes(data[at + 2 : start])
    stop = start + size
    return (start, stop) if stop <= len(data) else None
