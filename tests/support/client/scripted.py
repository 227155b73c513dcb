"""A scripted arena for the client's tests: every connection is one coroutine that plays the server."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import aiohttp
import msgspec
from aiohttp import web

from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import ServerMessage, write
from pitboss.client import Bot, Patience, join

T = TypeVar("T")
BOUND = 60.0
"""Seconds after which a test has failed."""

EAGER = Patience(first_wait=0.001, longest_wait=0.01, give_up_after=BOUND)
HASH = "0" * 64
CONFIG = wire.Config(variant="HUNL", seats=6, starting_stack=10_000, sb=50, bb=100, move_time_ms=15_000)
WELCOME = wire.Welcome(table_id="T-1", seat=3, config=CONFIG)
END = wire.MatchEnd(
    winner=wire.Winner(seat=3, team="Alpha"),
    final_stacks=(wire.FinalStack(seat=3, team="Alpha", stack=20_000),),
    reason="last_standing",
    seq=99,
)
PLAYERS = (
    wire.PlayerFacts(seat=0, stack=9_800, has_folded=False, committed=200),
    wire.PlayerFacts(seat=3, stack=9_900, has_folded=False, committed=100),
)
TABLE = wire.TableFacts(sb=50, bb=100, seats=2, button=0)


def table_of(variant: str) -> wire.Welcome:
    """A welcome to a table that plays this game."""
    return msgspec.structs.replace(WELCOME, config=msgspec.structs.replace(CONFIG, variant=variant))


def act(turn: int = 7, *, time_ms: int = 15_000, free: bool = False, hand_id: str = "H-1") -> wire.Act:
    """A question: 100 more to call, or a free check."""
    return wire.Act(
        hand_id=hand_id,
        seat=3,
        phase="FLOP" if free else "PRE_FLOP",
        you=wire.You(hole=("Ah", "Ad"), stack=9_900, to_call=0 if free else 100, time_ms=time_ms),
        table=TABLE,
        players=PLAYERS,
        community=("7h", "2d", "Qs") if free else (),
        legal=("CHECK", "RAISE_TO", "FOLD") if free else ("FOLD", "CALL", "RAISE_TO"),
        call_amount=None if free else 100,
        min_raise_to=100 if free else 300,
        max_raise_to=9_900 if free else 10_000,
        pot=300,
        turn=turn,
    )


def snapshot(turn: int | None = 7, *, seq: int = 0, time_ms: int | None = 5_000, table: bool = True) -> wire.Snapshot:
    """The table before the flop; with a turn, it is seat 3's."""
    asked = turn is not None
    return wire.Snapshot(
        at_hand_id="H-1",
        phase="PRE_FLOP",
        you=wire.SnapshotYou(seat=3, hole=("Ah", "Ad"), stack=9_900, to_call=100),
        table=TABLE if table else None,
        players=PLAYERS,
        community=(),
        next_actor=3 if asked else 0,
        time_ms_remaining=time_ms,
        legal=("FOLD", "CALL", "RAISE_TO") if asked else None,
        call_amount=100 if asked else None,
        min_raise_to=300 if asked else None,
        max_raise_to=10_000 if asked else None,
        pot=300,
        turn=turn,
        seq=seq,
    )


class Guest:
    """The server's end of one connection."""

    def __init__(self, ws: web.WebSocketResponse, transport: asyncio.Transport | None = None) -> None:
        self.ws = ws
        self.transport = transport

    async def say(self, *messages: ServerMessage | str | bytes | dict[str, Any]) -> None:
        """Send messages; text and bytes as they are, a dictionary as JSON."""
        for message in messages:
            if isinstance(message, bytes):
                await self.ws.send_bytes(message)
            elif isinstance(message, str):
                await self.ws.send_str(message)
            else:
                await self.ws.send_str(json.dumps(message) if isinstance(message, dict) else write(message))

    async def receive(self) -> dict[str, Any]:
        """The client's next message."""
        said = json.loads(await self.ws.receive_str())
        assert isinstance(said, dict)
        return said

    async def seat(self, *messages: ServerMessage) -> dict[str, Any]:
        """Wait for the hello and welcome the client."""
        hello = await self.receive()
        assert hello["type"] == "hello"
        await self.say(WELCOME, *messages)
        return hello

    async def left(self) -> bool:
        """Wait until the client has gone without another message."""
        return (await self.ws.receive()).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)


Script = Callable[[Guest], Awaitable[None]]


class Arena:
    """A server whose n-th connection follows the n-th script; the last script serves all that follow."""

    def __init__(self, scripts: Sequence[Script]) -> None:
        self.url = ""
        self.connections = 0
        self.failures: list[Exception] = []
        self._scripts = scripts

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Take one connection through its script."""
        ws = web.WebSocketResponse()
        await ws.prepare(request)
        script = self._scripts[min(self.connections, len(self._scripts) - 1)]
        self.connections += 1
        try:
            await script(Guest(ws, request.transport))
        except Exception as error:
            self.failures.append(error)
            raise
        return ws


@asynccontextmanager
async def arena(*scripts: Script) -> AsyncIterator[Arena]:
    """A scripted arena on the loopback address; an error in its scripts fails the test."""
    found = Arena(scripts)
    app = web.Application()
    app.router.add_get("/ws", found.serve)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        found.url = f"ws://{host}:{port}/ws"
        yield found
    finally:
        await runner.cleanup()
    if found.failures:
        raise found.failures[0]


def within(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine with a time limit."""

    async def bounded() -> T:
        async with asyncio.timeout(BOUND):
            return await work

    return asyncio.run(bounded())


def played(bot: Bot, *scripts: Script, patience: Patience = EAGER, **options: Any) -> wire.MatchEnd:
    """Play a bot against scripts until the match is over."""

    async def both() -> wire.MatchEnd:
        async with arena(*scripts) as place:
            return await join(bot, place.url, team="Alpha", code="KF7Q9C", patience=patience, **options)

    return within(both())
