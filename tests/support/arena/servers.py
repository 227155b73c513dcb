"""Arenas for tests: the real command in its own process, the same server inside this one, and raw visitors."""

import asyncio
import json
import logging
import os
import re
import selectors
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from typing import IO, Any, TypeVar

import aiohttp
from aiohttp import WSMsgType

from pitboss.arena.connections.admission import Capacity
from pitboss.arena.connections.budget import RateLimit, RateLimits
from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.rooms.tables import OpenTables, RoomSetup, open_tables
from pitboss.arena.server import Server
from pitboss.store import Store, open_store

T = TypeVar("T")
Frame = dict[str, Any]

BOUND = 60.0
"""Seconds after which a test has failed."""
PITBOSS = (sys.executable, "-c", "from pitboss.cli.main import main; main()")
THREE = ("--seats", "3", "--start-at", "3", "--stack", "100000")
"""The command's options for a long match at a table of three."""
GENEROUS = Limits(frames_a_second=1e6, burst=1e6)
"""For tests that send more per second than a bot should."""
ANYTHING = RateLimits(stranger=RateLimit(1e6, 1e6), player=RateLimit(1e6, 1e6), spectator=RateLimit(1e6, 1e6))
"""The errors that are tolerated there."""


def within(work: Coroutine[Any, Any, T], bound: float = BOUND) -> T:
    """Run a coroutine with a time limit."""

    async def bounded() -> T:
        async with asyncio.timeout(bound):
            return await work

    return asyncio.run(bounded())


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


class Place:
    """An arena's addresses, and the folder of its journal."""

    def __init__(self, port: int, db: Path) -> None:
        self.port = port
        self.db = db
        self.http = f"http://127.0.0.1:{port}"

    def ws(self, table: str = "") -> str:
        """The address for players."""
        return f"ws://127.0.0.1:{self.port}/ws" + (f"?table={table}" if table else "")

    def watch(self, table: str = "") -> str:
        """The address for spectators."""
        return f"ws://127.0.0.1:{self.port}/watch" + (f"?table={table}" if table else "")


# --- in its own process


class NotServing(Exception):
    """A server that did not listen in time, with its output."""


class Process(Place):
    """`pitboss arena serve` on a free port."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        db: str = "arena.db",
        under: Sequence[str] = (),
        pitboss: Sequence[str] = PITBOSS,
        patience: float = BOUND,
    ) -> None:
        self.log = folder / f"{db}.log"
        with self.log.open("ab") as log:
            command = [*under, *pitboss, *arguments(*options, db=db)]
            self.process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,  # a test's Ctrl-C must reach only the server and its children
            )
        assert self.process.stdout is not None
        try:
            super().__init__(port_in(first_line(self.process.stdout, patience)), folder / db)
        except NotServing as failure:
            self.kill()
            raise NotServing(f"{failure}; {self.said}") from None

    @property
    def said(self) -> str:
        """What the server has written to stderr."""
        return self.log.read_text(encoding="utf-8")

    def end(self, number: int = signal.SIGTERM) -> int:
        """Ask the server to stop and return its status."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self, seconds: float = BOUND) -> int:
        """Wait for the server to end by itself."""
        try:
            return self.process.wait(seconds)
        finally:
            self.kill()

    def interrupt(self) -> int:
        """Press Ctrl-C, which a terminal sends to every process it runs, and return the server's status."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.wait()

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop the server for a while, as a debugger or a suspended machine does."""
        self.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WNOWAIT)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def strike(self) -> None:
        """Kill the server without waiting."""
        self.process.kill()

    def kill(self) -> None:
        """Kill the server, and wait until it is gone; a second call is harmless."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def served(
    folder: Path, *options: str, db: str = "arena.db", under: Sequence[str] = (), pitboss: Sequence[str] = PITBOSS
) -> Iterator[Process]:
    """Serve in another process, which ends with the context; `under` is a command that runs it."""
    process = Process(folder, *options, db=db, under=under, pitboss=pitboss)
    try:
        yield process
    finally:
        process.kill()


def refused(folder: Path, *options: str, db: str = "arena.db") -> tuple[int, str]:
    """Run a command that cannot serve; return its status and its stderr."""
    done = subprocess.run(
        [*PITBOSS, *arguments(*options, db=db)],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=BOUND,
        check=False,
    )
    assert done.stdout == b""
    return done.returncode, done.stderr.decode()


def arguments(*options: str, db: str) -> list[str]:
    """The arguments of `pitboss` to serve."""
    own = [] if "--port" in options else ["--port", "0"]
    own += [] if "--away-pace-ms" in options else ["--away-pace-ms", "0"]
    return ["arena", "serve", *own, "--db", db, *options]


def first_line(out: IO[bytes], patience: float) -> str:
    """The first line that a server prints."""
    with selectors.DefaultSelector() as selector:
        selector.register(out, selectors.EVENT_READ)
        if not selector.select(patience):
            raise NotServing("it said nothing in time")
    return out.readline().decode()


def port_in(greeting: str) -> int:
    """The port in a server's first line."""
    here = r"bots: wss?://127\.0\.0\.1:(\d+)/ws   page: https?://127\.0\.0\.1:\1/   journal: "
    said = re.match(here, greeting) or re.search(r"   listens on 127\.0\.0\.1:(\d+)$", greeting)
    if not said:
        raise NotServing(f"it said {greeting!r}")
    return int(said[1])


# --- inside this process


class Arena(Place):
    """A server inside the test, its rooms, and everything it has logged."""

    def __init__(self, port: int, db: Path, server: Server, tables: OpenTables, logged: list[str]) -> None:
        super().__init__(port, db)
        self.server = server
        self.tables = tables
        self.logged = logged


@asynccontextmanager
async def arena(
    folder: Path,
    *,
    limits: Limits | None = GENEROUS,
    tables: int = 1,
    teams: dict[str, str] | None = None,
    house: Sequence[str] = (),
    seed: int = 1,
    wrap: Callable[[Store], Store] = lambda store: store,
    capacity: Capacity | None = None,
    keep_open: bool = False,
    tls: ssl.SSLContext | None = None,
    ratings: Path | None = None,
    **settings: Any,
) -> AsyncIterator[Arena]:
    """Serve inside this process, with decks from a seed; `wrap` puts something between it and its journal."""
    setup = RoomSetup(limits=limits or Limits(), entropy=Random(seed).randbytes, day=lambda: "2025-10-17")
    db = folder / "arena.db"
    now = asyncio.get_running_loop().time()  # the grace period of seats that are to return starts here
    with listening() as logged, open_store(str(db)) as store:
        opened = open_tables(
            wrap(store),
            setup,
            Settings(**{"away_pace_ms": 0, **settings}),
            tables=tables,
            teams=teams,
            house=house,
            now=now,
            keep_open=keep_open,
        )
        budgets = ANYTHING if limits is GENEROUS else None
        server = Server(opened, capacity=capacity, budgets=budgets, tls=tls, ratings=ratings)
        async with server.running("127.0.0.1", 0) as port:
            yield Arena(port, db, server, opened, logged)
        assert server.failure is None


@contextmanager
def listening() -> Iterator[list[str]]:
    """Collect every log record, even those that would not be printed."""
    logged: list[str] = []
    handler = logging.Handler(logging.DEBUG)
    formatter = logging.Formatter("%(message)s")
    handler.emit = lambda record: logged.append(formatter.format(record))  # type: ignore[method-assign]  # a test's ear
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield logged
    finally:
        root.removeHandler(handler)
        root.setLevel(before)


# --- visitors


class Peer:
    """The client's end of a raw connection."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self.ws = ws
        self.heard: list[Frame] = []

    async def say(self, *frames: Frame | str | bytes) -> None:
        """Send frames; text and bytes as they are, a dictionary as JSON."""
        for frame in frames:
            if isinstance(frame, bytes):
                await self.ws.send_bytes(frame)
            else:
                await self.ws.send_str(frame if isinstance(frame, str) else json.dumps(frame))

    async def hello(self, team: str, code: str = "", **more: Any) -> None:
        """Send a hello."""
        await self.say({"type": "hello", "v": 1, "team": team, "join_code": code or code_of(team), **more})

    async def receive(self, *kinds: str) -> Frame:
        """The next frame, or the next of some types."""
        while True:
            message = await self.ws.receive()
            assert message.type is WSMsgType.TEXT, f"{message!r} instead of {kinds or 'a frame'}, heard {self.heard}"
            frame = json.loads(message.data)
            assert isinstance(frame, dict)
            self.heard.append(frame)
            if not kinds or frame["type"] in kinds:
                return frame

    async def error(self) -> str:
        """The code of the next error."""
        return str((await self.receive("error"))["code"])

    async def closed(self) -> tuple[int, str]:
        """Read until the server closes the connection; return its code and its reason."""
        while (message := await self.ws.receive()).type is WSMsgType.TEXT:
            self.heard.append(json.loads(message.data))
        if message.type is WSMsgType.CLOSE:
            return int(message.data), str(message.extra)
        return self.ws.close_code or 0, ""


def code_of(team: str) -> str:
    """A team's join code, which cannot be confused with other text."""
    return f"{team}-opens-sesame"


@asynccontextmanager
async def visit(address: str) -> AsyncIterator[Peer]:
    """Connect to an arena."""
    async with aiohttp.ClientSession() as session, session.ws_connect(address, max_msg_size=0) as ws:
        yield Peer(ws)


@asynccontextmanager
async def raw(port: int, *, small: bool = False) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A bare connection; a small one receives very little unless it is read."""
    connection = socket.socket()
    if small:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    connection.setblocking(False)
    await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=connection, limit=2**10 if small else 2**20)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


HANDSHAKE = (
    "GET {} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


async def shake_hands(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str = "/ws") -> None:
    """Turn a bare connection into a WebSocket one."""
    writer.write(HANDSHAKE.format(path).encode())
    answer = await reader.readuntil(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 101 "), answer


def framed(payload: bytes, *, opcode: int = 1, last: bool = True) -> bytes:
    """One client frame as it is sent, masked with zeros."""
    head = bytes((opcode | (0x80 if last else 0),))
    if len(payload) < 126:
        return head + bytes((0x80 | len(payload),)) + bytes(4) + payload
    return head + bytes((0x80 | 126,)) + len(payload).to_bytes(2, "big") + bytes(4) + payload


async def tables_of(session: aiohttp.ClientSession, place: Place) -> list[Frame]:
    """The answer of `/api/tables`."""
    async with session.get(f"{place.http}/api/tables") as answer:
        tables: list[Frame] = await answer.json()
    return tables
