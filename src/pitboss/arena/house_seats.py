"""House bots at the tables of a server, each with a seat and a session without a socket. Another process runs them."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

from pitboss.arena.bots import GAME_BOTS
from pitboss.arena.bots.house import House, HouseQuestion, bot_of_team
from pitboss.arena.rooms.output import Output, Send, SendRow
from pitboss.arena.rooms.room import Room

QUESTIONS = ('{"type":"act"', '{"type":"ask"')
"""The beginnings of the frames that matter to a house bot."""


class HouseSeats:
    """The house bots by session.

    `carry_out` handles the output of a room. An answer is used `think` seconds after its question.
    """

    def __init__(
        self,
        house: Callable[[Callable[[int, str], None]], House],
        carry_out: Callable[[Room, Output], None],
        think: float,
    ) -> None:
        self._house = house(self._on_answer)
        self._carry_out = carry_out
        self._think = think
        self.seats: dict[int, tuple[Room, str, int]] = {}  #: session → room, bot, seed

    @property
    def pid(self) -> int | None:
        """The ID of the process in which the bots run, if it is running."""
        return self._house.pid

    def run_on(
        self, loop: asyncio.AbstractEventLoop, now: Callable[[], float], is_stopping: Callable[[], bool]
    ) -> None:
        """Receive answers on this event loop as long as the server runs."""
        self._loop, self._now, self._is_stopping = loop, now, is_stopping

    def seat(self, room: Room, team: str, session: int, entropy: bytes, now: float) -> None:
        """Give a house bot a seat at a table, or its old seat."""
        self.seats[session] = room, bot_of_team(team), int.from_bytes(entropy, "big")
        is_own = bot_of_team(team) not in self._house.files
        self._carry_out(room, room.attach(session, team, now, is_own=is_own))

    def ask(self, sends: Iterable[Send | SendRow]) -> None:
        """Pass questions to the bots, and all messages to those that listen."""
        for send in sends:
            if not isinstance(send, Send):
                continue
            is_question = send.frame.startswith(QUESTIONS)
            for session in send.to if is_question or self._house.listeners else ():
                if session in self.seats:
                    room, bot, seed = self.seats[session]
                    if is_question:
                        position = (
                            room.match.host.position()
                            if bot in GAME_BOTS and send.frame.startswith(QUESTIONS[1])
                            else b""
                        )
                        self._house.ask(HouseQuestion(session, bot, seed, send.frame, position))
                    elif bot in self._house.listeners:
                        self._house.hear(session, bot, send.frame)

    def dismiss_from_ended(self) -> None:
        """Remove the bots whose matches are over."""
        for session, (room, bot, _) in [*self.seats.items()]:
            if room.match.over:
                del self.seats[session]
                self._house.dismiss(session, bot)

    def close(self) -> None:
        """Stop asking."""
        self._house.close()

    def _on_answer(self, session: int, frame: str) -> None:
        """Receive a bot's answer, in the house's thread."""
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._loop.call_later, self._think, self._receive, session, frame)

    def _receive(self, session: int, frame: str) -> None:
        if not self._is_stopping() and session in self.seats:
            room = self.seats[session][0]
            self._carry_out(room, room.receive(session, frame, self._now()))
