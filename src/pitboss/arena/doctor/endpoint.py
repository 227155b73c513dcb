"""The examination over a socket on the loopback address: runs scripts against a bot that connects there."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from pitboss.arena.doctor.exam import (
    Admit,
    BotMessage,
    Cut,
    Disconnected,
    Exam,
    Listen,
    Pace,
    Reply,
    Script,
    SendFrame,
    Step,
    refuse_hello,
    replace_bot,
)
from pitboss.arena.doctor.scenes import IN_ANY_GAME, REFUSED_HELLOS, SCENES, ExamGame
from pitboss.arena.doctor.verdicts import ExamCheck, ExamReport, judge, judge_refusal, report
from pitboss.arena.journal.records import Settings
from pitboss.errors import PitbossError
from pitboss.extras import install_command
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.table.mixed import games_of

if TYPE_CHECKING:
    from aiohttp import web


T = TypeVar("T")
Start = Callable[[str], Coroutine[Any, Any, object]]
"""Starts the bot against an address and returns when it has ended; it handles its own errors."""

RESTART_WAIT = 10.0
LARGEST_FRAME = 2**20
SENT_WITHIN = 5.0
UNHURRIED = Pace()


class DoctorError(PitbossError):
    """The examination could not take place; the message gives the reason."""


async def examine(
    start: Start | None,
    *,
    port: int = 0,
    pace: Pace = UNHURRIED,
    seed: int = 0,
    games: ExamGame = NO_LIMIT_HOLDEM,
    say: Callable[[str], None] = lambda sentence: None,
) -> ExamReport:
    """Examine the bot that `start` starts, once for the scenes and once for each way to be disconnected.

    In other games than no-limit hold'em, scenes that need its streets and bets are left out. Without `start`, it waits
    for a bot that the user starts; `say` receives the instructions for the user.
    """
    async with _open_endpoint(port) as endpoint:
        if start is None:
            say(f"waiting {pace.comes:g} s for a bot at {endpoint.url}")
        holdem = not isinstance(games, Settings) and games_of(games).key == NO_LIMIT_HOLDEM.key
        scenes = SCENES if holdem else IN_ANY_GAME
        exam = Exam(pace, seed=seed, scenes=scenes, games=games)
        await _perform(exam.run(), endpoint, start)
        if not exam.notes.greetings:
            raise DoctorError(f"no bot came to {endpoint.url} within {pace.comes:g} s: start it and try again")
        return report([*judge(exam.notes, scenes), *await _dismissals(endpoint, start, pace, say, games)])


async def _dismissals(
    endpoint: "_Endpoint",
    start: Start | None,
    pace: Pace,
    say: Callable[[str], None],
    games: ExamGame = NO_LIMIT_HOLDEM,
) -> list[ExamCheck]:
    """Examine how the bot reacts when it is disconnected, which needs another start of it."""
    pace = pace if start else replace(pace, comes=min(pace.comes, RESTART_WAIT))
    scripts = {code: refuse_hello(code, msg, pace) for code, msg in REFUSED_HELLOS.items()}
    checks: list[ExamCheck] = []
    for name, script in [*scripts.items(), ("replaced", replace_bot(pace, games=games))]:
        if start is None:
            say(f"start the bot once more within {pace.comes:g} s: its connection will be refused or closed ({name})")
        check = judge_refusal(name, await _perform(script, endpoint, start))
        if check is None:
            checks.append(ExamCheck(name, "advice", "not examined, because the bot was not started once more"))
            break
        checks.append(check)
    return checks


async def _perform(script: Script[T], endpoint: "_Endpoint", start: Start | None) -> T:
    """Run a script against the bot, which is started for it and ended after it."""
    bot = asyncio.ensure_future(start(endpoint.url)) if start else None
    endpoint.expect(bot)
    reply: Reply = None
    try:
        while True:
            reply = await endpoint.do(script.send(reply))
    except StopIteration as stop:
        result: T = stop.value
        return result
    finally:
        if bot is not None:
            bot.cancel()
            await asyncio.gather(bot, return_exceptions=True)
        endpoint.hang_up()


class _Connection:
    """One connection of the bot, and the messages that arrive on it, with their times."""

    def __init__(self, ws: "web.WebSocketResponse", transport: asyncio.BaseTransport | None) -> None:
        self.ws = ws
        self.heard: asyncio.Queue[tuple[float, BotMessage | Disconnected]] = asyncio.Queue()
        self.since = time.monotonic()  #: the time of the last message in either direction
        self._transport = transport

    async def read(self) -> None:
        async for frame in self.ws:
            self.heard.put_nowait((time.monotonic(), BotMessage(frame.data)))
        self.heard.put_nowait((time.monotonic(), Disconnected(self.ws.close_code)))

    async def send(self, frame: str | bytes) -> None:
        """Send a frame, unless the bot has gone or does not read.

        The bot's time starts before the frame is sent, because on a busy machine the bot may read the frame long before
        this code continues.
        """
        self.since = time.monotonic()
        with contextlib.suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(SENT_WITHIN):
                await (self.ws.send_str(frame) if isinstance(frame, str) else self.ws.send_bytes(frame))

    def cut(self) -> None:
        if isinstance(self._transport, asyncio.WriteTransport):
            self._transport.abort()


class _Endpoint:
    """The server for the bot. It carries out the steps of a script one after the other."""

    def __init__(self) -> None:
        self.url = ""
        self._arrivals: asyncio.Queue[_Connection] = asyncio.Queue()
        self._here: _Connection | None = None
        self._bot: asyncio.Future[object] | None = None

    async def serve(self, request: "web.Request") -> "web.WebSocketResponse":
        """Accept a connection."""
        from aiohttp import web

        ws = web.WebSocketResponse(timeout=1.0, max_msg_size=LARGEST_FRAME)
        await ws.prepare(request)
        connection = _Connection(ws, request.transport)
        self._arrivals.put_nowait(connection)
        await connection.read()
        return ws

    def expect(self, bot: asyncio.Future[object] | None) -> None:
        """The task of the bot, if the doctor has started it."""
        self._bot = bot

    def hang_up(self) -> None:
        """Close all connections."""
        for connection in (self._here, *(self._arrivals.get_nowait() for _ in range(self._arrivals.qsize()))):
            if connection is not None:
                connection.cut()
        self._here = None

    async def do(self, step: Step) -> Reply:
        match step:
            case Admit(seconds):
                return await self._admit(seconds)
            case Listen(seconds) if self._here is not None:
                return await self._listen(self._here, seconds)
            case SendFrame(frame) if self._here is not None:
                await self._here.send(frame)
            case Cut(code, reason) if self._here is not None:
                await self._cut(self._here, code, reason)
        return None

    async def _admit(self, seconds: float) -> Reply:
        """Return the bot's first message, `Disconnected` if it sends none, or None if it does not connect."""
        until = time.monotonic() + seconds
        arrival = await _first_of(self._arrivals.get(), self._bot, seconds)
        if arrival is None:
            return None
        self._here = arrival
        heard = await _first_of(arrival.heard.get(), None, max(0.0, until - time.monotonic()))
        return Disconnected() if heard is None else heard[1]

    async def _listen(self, here: _Connection, seconds: float) -> Reply:
        """Return the bot's next message. If the bot opens a second connection, it has left the first."""
        if not here.heard.empty():
            at, heard = here.heard.get_nowait()
        elif not self._arrivals.empty():
            return Disconnected()
        else:
            arrival = asyncio.ensure_future(self._arrivals.get())
            try:
                found = await _first_of(here.heard.get(), arrival, seconds)
            finally:
                arrived = arrival.done()
                if arrived:
                    self._arrivals.put_nowait(arrival.result())
                arrival.cancel()
            if found is None:
                return Disconnected() if arrived else None
            at, heard = found
        if not isinstance(heard, BotMessage):
            return heard
        after, here.since = max(0.0, at - here.since), max(at, here.since)
        return BotMessage(heard.frame, after * 1000)

    async def _cut(self, here: _Connection, code: int | None, reason: str) -> None:
        self._here = None
        if code is None:
            here.cut()
            return
        with contextlib.suppress(ConnectionError):
            await here.ws.close(code=code, message=reason.encode())


async def _first_of(wanted: Coroutine[Any, Any, T], other: asyncio.Future[Any] | None, seconds: float) -> T | None:
    """Return the result of `wanted`, or None if `other` finishes first or the time is up."""
    task = asyncio.ensure_future(wanted)
    await asyncio.wait([task] if other is None else [task, other], timeout=seconds, return_when="FIRST_COMPLETED")
    if not task.done():
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            return await task
        return None
    return task.result()


def check_installed() -> None:
    """Raise `DoctorError` if aiohttp is missing."""
    if find_spec("aiohttp") is None:
        raise DoctorError(f"the doctor needs aiohttp: {install_command('arena')}")


@contextlib.asynccontextmanager
async def _open_endpoint(port: int) -> AsyncIterator[_Endpoint]:
    check_installed()
    from aiohttp import web

    endpoint = _Endpoint()
    app = web.Application()
    app.router.add_get("/ws", endpoint.serve)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, "127.0.0.1", port).start()
        except OSError as error:
            raise DoctorError(f"port {port} cannot be listened on: {error.strerror or error}") from None
        endpoint.url = f"ws://127.0.0.1:{runner.addresses[0][1]}/ws"
        yield endpoint
    finally:
        await runner.cleanup()
