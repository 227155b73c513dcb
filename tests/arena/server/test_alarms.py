"""Alarms: each room is woken in time, at the nearest of the times it wants, and the clock is read in between."""

import asyncio
from typing import cast

from pitboss.arena.rooms.room import Room
from pitboss.arena.server import BEAT, Alarms, SteadyTime


class Held(asyncio.SelectorEventLoop):
    """A loop whose timers are only written down."""

    def __init__(self) -> None:
        super().__init__()
        self.timers: list[float] = []

    def call_later(self, delay: float, *_: object, **__: object) -> asyncio.TimerHandle:
        self.timers.append(delay)
        return asyncio.TimerHandle(self.time() + delay, lambda: None, (), self)


def test_room_wakes_when_due_at_once_if_overdue_and_never_later_than_before() -> None:
    loop, room, other = Held(), cast(Room, "one"), cast(Room, "other")
    now = 100.0
    try:
        alarms = Alarms(loop, cast(SteadyTime, lambda: now), lambda _: None)
        assert loop.timers == [BEAT]
        for asked, deadline in ((room, 107.0), (room, 109.0), (room, 103.0), (other, 99.0)):
            alarms.set(asked, deadline)
        assert loop.timers[1:] == [7.0, 3.0, 0.0]
        alarms._beat()
        assert loop.timers[4:] == [BEAT], "and beats on"
        alarms.close()
    finally:
        loop.close()
