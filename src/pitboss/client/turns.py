"""One turn per connection, for programs that are not connected while they think, such as shell scripts and agents.

Between two calls the seat is disconnected, and its clock runs.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.wire.answers import AnswerError, Question, answer_of, draw, raise_to, read_answer, runs
from pitboss.arena.wire.messages import (
    Act,
    Action,
    Ask,
    BetMessage,
    BringIn,
    CallMessage,
    CheckMessage,
    ClientMessage,
    Config,
    DrawMessage,
    EndHand,
    Error,
    FoldMessage,
    Happened,
    MatchEnd,
    MoveMessage,
    Rejected,
    RunsMessage,
    ServerMessage,
    SitIn,
    Welcome,
    read,
    read_server,
    write,
)
from pitboss.client.conversation import AskBot, Conversation, EndOfMatch, Reconnect, SendAnyway, SendSitIn
from pitboss.client.driver import ConnectionEnd
from pitboss.client.errors import ArenaError
from pitboss.client.network import DEFAULT_PATIENCE, address_of, open_socket, trusted_authority
from pitboss.printing import printable

if TYPE_CHECKING:
    import aiohttp

OWN_ACTIONS = BetMessage | BringIn | CallMessage | CheckMessage | DrawMessage | FoldMessage | RunsMessage
WORDS = ("FOLD", "CHECK", "CALL", "RAISE_TO", "DRAW", "RUNS")
OPEN_WITHIN = 5.0
"""After a `hello`, the server sends the open question within this number of seconds."""


class NotPlayed(ArenaError):
    """A move was not played; the message says why, and nothing has changed."""


class OpenTurn(Struct, frozen=True):
    """A question and the settings of its table."""

    question: Question
    config: Config


async def wait_for_turn(
    url: str, team: str, code: str, *, seconds: float, tls_ca: str | Path | None = None
) -> OpenTurn | MatchEnd | None:
    """Return the next question to a team, or the end of the match; None if neither comes in time.

    A team without a seat takes a free one. A lost connection is opened again. Raise `ConnectionLost` if the server
    could not be reached when the time ran out.
    """
    failures, last = 0, None
    try:
        async with asyncio.timeout(seconds):
            while True:
                try:
                    async with visiting(url, team, code, tls_ca) as visit:
                        last = None
                        found = await visit.question()
                        assert visit.config is not None
                        return found if isinstance(found, MatchEnd) else OpenTurn(found, visit.config)
                except ConnectionLost as lost:
                    last = lost
                    await asyncio.sleep(DEFAULT_PATIENCE.wait(failures) if lost.wait is None else lost.wait)
                    failures += 1
    except TimeoutError:
        if last is not None:
            raise ConnectionLost(f"{url} could not be reached for {seconds:g} s: {last}") from None
        return None


async def play_turn(
    url: str,
    team: str,
    code: str,
    choose: Callable[[Question], Action | MoveMessage],
    *,
    tls_ca: str | Path | None = None,
) -> None:
    """Answer the open question of a team. Raise `NotPlayed` if there is none, or if the server refuses the answer."""
    while True:
        try:
            async with visiting(url, team, code, tls_ca) as visit:
                try:
                    async with asyncio.timeout(OPEN_WITHIN):
                        question = await visit.question()
                except TimeoutError:
                    raise NotPlayed(f"it is not the turn of {team}: wait for it with pitboss arena wait") from None
                if isinstance(question, MatchEnd):
                    raise NotPlayed("the match is over")
                await visit.answer(choose(question))
                return
        except ConnectionLost as lost:
            if lost.wait is None:
                raise NotPlayed(str(lost)) from None
            await asyncio.sleep(lost.wait)


def read_move(question: Question, move: str, amount: int | None) -> Action | MoveMessage:
    """Return the message with a move as it is written in a shell. Raise `NotPlayed` if it is not on offer.

    In poker a move is a word of the protocol. In other games it is a move as JSON, or its number in `legal`. A JSON
    list of objects with `p` is a mixed strategy, as on the wire.
    """
    if (strategy := _strategy_of(move)) is not None:
        return _read_strategy(question, strategy)
    if isinstance(question, Act):
        word = move.upper().replace("-", "_")
        if word not in WORDS and word.partition(" ")[0] != "DRAW":
            raise NotPlayed(f"{move}: expected one of {', '.join(question.legal)}")
        given: Any = raise_to(amount) if word == "RAISE_TO" and amount is not None else word
        if word == "RUNS":
            given = runs(amount or 1)
        if word.startswith("DRAW"):
            given = draw(move.split()[1:])
        try:
            return read_answer(given, question)
        except AnswerError as error:
            raise NotPlayed(str(error)) from None
    return MoveMessage(v=1, hand_id=question.hand_id, move=_move_of(question, move), turn=question.turn)


def _strategy_of(move: str) -> list[Any] | None:
    """Return the entries of a mixed strategy; None for a single move."""
    try:
        found = json.loads(move) if move.startswith("[") else None
    except (ValueError, RecursionError):
        return None
    is_mixed = isinstance(found, list) and all(isinstance(entry, dict) and "p" in entry for entry in found)
    return found if is_mixed and found else None


def _read_strategy(question: Question, strategy: list[Any]) -> Action | MoveMessage:
    """Return the message with a mixed strategy, if the entries have the form of the protocol."""
    kind = "action" if isinstance(question, Act) else "move"
    about = {"type": kind, "v": 1, "hand_id": question.hand_id, "turn": question.turn}
    try:
        message = read(json.dumps(about | {"strategy": strategy}))
        assert isinstance(message, Action | MoveMessage)
        if isinstance(question, Act) and isinstance(message, Action):
            return read_answer(answer_of(message), question)
    except (Rejected, AnswerError) as error:
        raise NotPlayed(str(error)) from None
    return message


def _move_of(question: Ask, move: str) -> Any:
    legal = question.legal
    if move.isdecimal():
        if int(move) >= len(legal):
            raise NotPlayed(f"move {move}: expected a number from 0 to {len(legal) - 1}")
        return legal[int(move)]
    try:
        return json.loads(move)
    except (ValueError, RecursionError):
        raise NotPlayed(f"{move!r:.80}: expected a move as JSON, or its number from 0 to {len(legal) - 1}") from None


class ConnectionLost(ArenaError):
    """The connection was lost or could not be opened, which may pass; `wait` is the seconds that the server gives."""

    def __init__(self, sentence: str, wait: float | None = None) -> None:
        super().__init__(sentence)
        self.wait = wait


@asynccontextmanager
async def visiting(
    url: str,
    team: str,
    code: str,
    tls_ca: str | Path | None,
    *,
    hear: Callable[[ServerMessage], object] = lambda message: None,
    tables: bool = False,
) -> AsyncIterator["Visit"]:
    """Connect and send the `hello`; at the end close the connection without leaving the match.

    `hear` receives every message; with `tables` also the table after each change.
    """
    import aiohttp

    connector = aiohttp.TCPConnector(ssl=trusted_authority(tls_ca))
    async with aiohttp.ClientSession(connector=connector) as http:
        ws = await open_socket(http, address_of(url))
        if isinstance(ws, ConnectionEnd):
            raise ConnectionLost(ws.why)
        async with ws:
            visit = Visit(ws, Conversation(team, code), hear)
            await visit.send(replace(visit.talk.begin(), tables=tables))
            yield visit


class Visit:
    """One connection of a team."""

    def __init__(
        self, ws: "aiohttp.ClientWebSocketResponse", talk: Conversation, hear: Callable[[ServerMessage], object]
    ) -> None:
        self.talk = talk
        self._hear = hear
        self._ws = ws
        self._seat = -1
        self.config: Config | None = None

    async def send(self, message: ClientMessage) -> None:
        """Send a message."""
        try:
            await self._ws.send_str(write(message))
        except ConnectionError as error:
            raise ConnectionLost(f"the connection was lost: {error}") from None

    async def question(self) -> Question | MatchEnd:
        """Return the open question, or the end of the match."""
        while True:
            frame, message = await self._next()
            if isinstance(message, Welcome):
                self._seat, self.config = message.seat, message.config
            found = await self._effects(frame)
            if found is not None:
                return found

    async def answer(self, answer: Action | MoveMessage) -> None:
        """Send an answer, and wait until the server has played it."""
        await self.send(answer)
        while True:
            _, message = await self._next()
            if isinstance(message, Error):
                raise NotPlayed(f"{printable(message.msg)} ({message.code})")
            if isinstance(message, OWN_ACTIONS) and message.seat == self._seat:
                return
            if isinstance(message, Happened | EndHand | MatchEnd):
                return

    async def _next(self) -> tuple[str, ServerMessage]:
        """Return the next frame that can be read."""
        import aiohttp

        while True:
            frame = await self._ws.receive()
            if frame.type is not aiohttp.WSMsgType.TEXT:
                raise ConnectionLost(f"the connection was closed with {self._ws.close_code}")
            with suppress(msgspec.DecodeError, UnicodeError, RecursionError):
                message = read_server(frame.data)
                self._hear(message)
                return frame.data, message

    async def _effects(self, frame: str) -> Question | MatchEnd | None:
        for effect in self.talk.receive(frame):
            match effect:
                case AskBot(act):
                    return act
                case EndOfMatch(MatchEnd() as end):
                    return end
                case EndOfMatch(ArenaError() as error):
                    raise error
                case SendAnyway(action):
                    await self.send(action)
                case Reconnect(after_ms):
                    raise ConnectionLost(f"the server asks to connect again in {after_ms} ms", after_ms / 1000)
                case SendSitIn():
                    await self.send(SitIn(v=1))
        return None
