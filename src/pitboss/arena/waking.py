"""When rooms are woken: time that stands still while the process does, and alarms that let everybody be heard first.

After a stall (a stopped process, a suspended machine, a long pause for garbage) the answers that came in time lie in
the sockets unread, while every clock has run out. So an alarm first lets the event loop read all that has arrived.
And a stall is not counted as time at all: nobody was there to ask, nor, on the same machine, perhaps to answer.
"""

import asyncio
from collections.abc import Callable

from pitboss.arena.rooms.room import Room

BEAT = 0.25
"""How often the time is looked at, if nothing else happens; of a stall no more than this counts."""
STALL = 2 * BEAT
"""A longer time without a look at it is a stall."""
ROUNDS = 6
"""How often the event loop goes round before a room is woken.

Whatever lies in a socket when an alarm goes off is read in the next round at the latest, and heard by its task in the
one after that: asyncio looks at the sockets before it calls what is due, libuv after it. The rest is to spare.
"""


class SteadyTime:
    """The seconds of a clock, less those in which nobody looked at it for too long.

    A loop that is always late makes time pass slowly, and it passes all the same.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seen = clock()
        self.stalled = 0.0  #: in all

    def __call__(self) -> float:
        """What time it is."""
        now = self._clock()
        if now - self._seen > STALL:
            self.stalled += now - self._seen - BEAT
        self._seen = now
        return now - self.stalled


class Alarms:
    """One alarm for each room, on an event loop; `wake` is called with a room when everybody was heard."""

    def __init__(self, loop: asyncio.AbstractEventLoop, now: SteadyTime, wake: Callable[[Room], None]) -> None:
        self._loop = loop
        self._now = now
        self._wake = wake
        self._set: dict[Room, tuple[float, asyncio.Handle]] = {}  # when it is due (a handle may not know), and it
        self._beating = loop.call_later(BEAT, self._beat)

    def set(self, room: Room, deadline: float) -> None:
        """Wake the room in time; an alarm that goes off too early only asks again."""
        before = self._set.get(room)
        if before is not None:
            due, handle = before
            if due <= deadline:
                return
            handle.cancel()
        self._set[room] = deadline, self._loop.call_later(max(0.0, deadline - self._now()), self._ring, room, ROUNDS)

    def close(self) -> None:
        """Wake nobody any more."""
        self._beating.cancel()
        for _, handle in self._set.values():
            handle.cancel()

    def _beat(self) -> None:
        self._now()
        self._beating = self._loop.call_later(BEAT, self._beat)

    def _ring(self, room: Room, rounds: int) -> None:
        if rounds:
            self._set[room] = self._set[room][0], self._loop.call_soon(self._ring, room, rounds - 1)
        else:
            del self._set[room]
            self._wake(room)
