"""A team's seat whose connection stays open while its player thinks, for programs that call and wait.

A task reads every message. `wait` returns the open question and `play` answers it, for poker and for other games.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pitboss.arena.agents.opponents import Opponents
from pitboss.arena.wire.answers import Question
from pitboss.arena.wire.messages import (
    Action,
    EndHand,
    Error,
    Happened,
    MatchEnd,
    MoveMessage,
    ServerMessage,
    TableViewMessage,
    VoidMessage,
    Welcome,
)
from pitboss.arena.wire.poker import find_games
from pitboss.client.errors import ArenaError
from pitboss.client.network import DEFAULT_PATIENCE
from pitboss.client.turns import OWN_ACTIONS, ConnectionLost, NotPlayed, OpenTurn, Visit, visiting
from pitboss.printing import printable

ANSWERED_WITHIN = 30.0
"""The longest time in seconds that a server takes to play an answer."""


class HeldSeat:
    """A seat of a team. Open it in an event loop with `start`, and end it with `close`."""

    def __init__(self, url: str, team: str, code: str, *, tls_ca: str | Path | None = None) -> None:
        self.team = team
        self.welcome: Welcome | None = None
        self.opponents = Opponents()
        self.table: TableViewMessage | None = None  #: the table after the last change
        self.end: MatchEnd | None = None
        self._url, self._code, self._tls_ca = url, code, tls_ca
        self._open: Question | None = None
        self._error: ArenaError | None = None  # why the seat cannot be played any more
        self._lost: ArenaError | None = None  # why the connection was lost last
        self._visit: Visit | None = None
        self._answered: asyncio.Future[None] | None = None
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self, seconds: float) -> Welcome:
        """Take the seat. Raise `ArenaError` if the server refuses the team, or is not reached in time."""
        self._task = asyncio.create_task(self._read())
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.welcome is None and self._error is None:
                    await self._change()
        if self.welcome is None:
            await self.close()
            raise self._error or self._lost or ArenaError(f"{self._url} did not answer within {seconds:g} s")
        return self.welcome

    async def wait(self, seconds: float) -> OpenTurn | MatchEnd | None:
        """Return the open question or the end of the match; None if neither comes in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._open is None and self.end is None and self._error is None:
                    await self._change()
        if self._error is not None:
            raise self._error
        if self._open is not None and self.welcome is not None:
            return OpenTurn(self._open, self.welcome.config)
        return self.end

    async def play(self, choose: Callable[[Question], Action | MoveMessage]) -> None:
        """Answer the open question. Raise `NotPlayed` if there is none, or if the server refuses the answer."""
        if self._error is not None:
            raise self._error
        if self._open is None or self._visit is None:
            raise NotPlayed("the match is over" if self.end else "it is not your turn: wait for it")
        message = choose(self._open)
        self._answered = asyncio.get_running_loop().create_future()
        try:
            await self._visit.send(message)
            async with asyncio.timeout(ANSWERED_WITHIN):
                await self._answered
        except TimeoutError:
            raise NotPlayed("the server did not answer: wait for your turn to see whether it was played") from None
        finally:
            self._answered = None

    async def close(self) -> None:
        """Close the connection. The team keeps its seat."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    async def _read(self) -> None:
        """Read all messages until the match is over, and connect again if the connection is lost."""
        failures = 0
        while self.end is None and self._error is None:
            try:
                async with visiting(
                    self._url, self.team, self._code, self._tls_ca, hear=self._hear, tables=True
                ) as visit:
                    self._visit = visit
                    while self.end is None:
                        found = await visit.question()
                        failures = 0
                        if isinstance(found, MatchEnd):
                            self.end = found
                        else:
                            self._open = found
                        self._changed.set()
            except ConnectionLost as lost:
                self._lose(lost)
                await asyncio.sleep(DEFAULT_PATIENCE.wait(failures) if lost.wait is None else lost.wait)
                failures += 1
            except ArenaError as error:
                self._error = error
                self._lose(error)
            finally:
                self._visit = self._open = None
                self._changed.set()

    def _lose(self, error: ArenaError) -> None:
        """Note why the connection is lost; an answer that was sent on it fails."""
        self._lost = error
        if self._answered is not None and not self._answered.done():
            self._answered.set_exception(NotPlayed(f"{error}: wait for your turn to see whether it was played"))

    def _hear(self, message: ServerMessage) -> None:
        """Note what a message says about the seat and its question."""
        if isinstance(message, Welcome):
            self.welcome = message
        elif isinstance(message, TableViewMessage):
            self.table = message
        elif isinstance(message, Error):
            if self._answered is not None and not self._answered.done():
                self._answered.set_exception(NotPlayed(f"{printable(message.msg)} ({message.code})"))
            return
        welcome = self.welcome
        games = () if welcome is None else find_games(welcome.config.variant, welcome.config.game)
        self.opponents.receive(message, games[0] if len(games) == 1 else None)
        own = isinstance(message, OWN_ACTIONS) and welcome is not None and message.seat == welcome.seat
        if own or isinstance(message, Happened | EndHand | MatchEnd | VoidMessage):
            self._open = None
            if self._answered is not None and not self._answered.done():
                self._answered.set_result(None)
        self._changed.set()
