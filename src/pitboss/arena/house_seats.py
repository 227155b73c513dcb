"""House bots at the tables of a server: each has a seat and a session without a socket, and is asked elsewhere."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

from pitboss.arena.bots.house import House, HouseQuestion, bot_of_team
from pitboss.arena.rooms.output import Output, Send, SendRow
from pitboss.arena.rooms.room import Room

QUESTIONS = ('{"type":"act"', '{"type":"ask"')
"""How the frames begin that a house bot cares for."""


class HouseSeats:
    """The bots by session; `carry_out` does what a room wants, and an answer is heard `think` seconds after it came."""

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
        """The process that thinks, if there is one."""
        return self._house.pid

    def run_on(
        self, loop: asyncio.AbstractEventLoop, now: Callable[[], float], is_stopping: Callable[[], bool]
    ) -> None:
        """Hear answers on this event loop, by this clock, until the server stops."""
        self._loop, self._now, self._is_stopping = loop, now, is_stopping

    def seat(self, room: Room, team: str, session: int, entropy: bytes, now: float) -> None:
        """Seat a house bot at a table, or have it come back to its seat."""
        self.seats[session] = room, bot_of_team(team), int.from_bytes(entropy, "big")
        self._carry_out(room, room.attach(session, team, now))

    def ask(self, sends: Iterable[Send | SendRow]) -> None:
        """Hand the bots the questions for them."""
        for send in sends:
            if isinstance(send, Send) and send.frame.startswith(QUESTIONS):
                for session in send.to:
                    if session in self.seats:
                        _, bot, seed = self.seats[session]
                        self._house.ask(HouseQuestion(session, bot, seed, send.frame))

    def dismiss_from_ended(self) -> None:
        """Let the bots go whose matches are over."""
        for session, (room, bot, _) in [*self.seats.items()]:
            if room.match.over:
                del self.seats[session]
                self._house.dismiss(session, bot)

    def close(self) -> None:
        """Ask no more."""
        self._house.close()

    def _on_answer(self, session: int, frame: str) -> None:
        """In the house's thread: a bot has answered."""
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._loop.call_later, self._think, self._hear, session, frame)

    def _hear(self, session: int, frame: str) -> None:
        if not self._is_stopping() and session in self.seats:
            room = self.seats[session][0]
            self._carry_out(room, room.receive(session, frame, self._now()))
