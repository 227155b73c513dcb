"""A server wakes its rooms in time on any event loop, also one that forgets when a thing is due that is due at once."""

import asyncio
from collections.abc import Callable
from contextvars import Context
from typing import Any

import pytest

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.room import Room
from pitboss.arena.server import BEAT, ROUNDS, STALL, Alarms, SteadyTime, longest_silence
from tests.support.arena.rooms import Parlour
from tests.support.arena.servers import within


class Forgetful(asyncio.SelectorEventLoop):
    """A loop whose handles have no time once they are due, as in uvloop."""

    def call_at(  # type: ignore[override]  # typeshed counts arguments one by one
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Call in time, and at once if the time has come."""
        if when <= self.time():
            return self.call_soon(callback, *args, context=context)  # type: ignore[return-value]  # as uvloop does
        return super().call_at(when, callback, *args, context=context)


def test_a_room_that_is_due_twice_at_once_is_woken_once() -> None:
    async def scene() -> None:
        loop, woken = asyncio.get_running_loop(), list[Room]()
        now = SteadyTime(loop.time)
        alarms, room = Alarms(loop, now, woken.append), Parlour(seed=1).room
        for deadline in (now() + 60, now() - 1, now() - 1, now() + 60):
            alarms.set(room, deadline)
        for _ in range(ROUNDS + 3):
            await asyncio.sleep(0)
        assert woken == [room]
        alarms.close()

    with asyncio.Runner(loop_factory=Forgetful) as runner:
        runner.run(scene())


def test_alarm_moved_earlier_fires_once() -> None:
    async def scene() -> None:
        loop, woken = asyncio.get_running_loop(), asyncio.Queue[Room]()
        now = SteadyTime(loop.time)
        alarms, room = Alarms(loop, now, woken.put_nowait), Parlour(seed=1).room
        alarms.set(room, now() + 3600.0)
        alarms.set(room, now() + 0.01)
        assert await woken.get() is room
        alarms.set(room, now() - 1.0)
        alarms.close()
        for _ in range(ROUNDS + 3):
            await asyncio.sleep(0)
        assert woken.empty(), "closed, it wakes nobody"

    within(scene())


class Jumping:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """What it was set to."""
        return self.now


def test_a_stall_is_not_counted_as_time() -> None:
    clock = Jumping()
    time = SteadyTime(clock)
    clock.now += STALL
    assert time() == 1000.0 + STALL, "that was no stall"
    clock.now += 3600.0
    assert time() == 1000.0 + STALL + BEAT
    assert time.stalled == 3600.0 - BEAT
    clock.now += 0.1
    assert time() == pytest.approx(1000.0 + STALL + BEAT + 0.1)


def test_time_passes_also_for_a_loop_that_is_always_late() -> None:
    clock = Jumping()
    time = SteadyTime(clock)
    began = time()
    for _ in range(100):
        clock.now += 5.0
        time()
    assert time() - began == pytest.approx(100 * BEAT)


def test_room_wakes_after_all_sessions_had_several_loop_turns() -> None:
    async def scene() -> None:
        loop, woken = asyncio.get_running_loop(), list[Room]()
        clock = Jumping()
        alarms, room = Alarms(loop, SteadyTime(clock), woken.append), Parlour(seed=1).room
        alarms.set(room, clock.now)
        turns = 0
        while not woken:
            await asyncio.sleep(0)
            turns += 1
            assert turns < 50
        assert ROUNDS < turns <= ROUNDS + 2
        alarms.close()

    within(scene())


def test_002_bot_that_reads_nothing_while_it_thinks_can_still_answer_a_ping() -> None:
    quick, default, slow = (Settings(move_time_ms=ms) for ms in (1_000, 15_000, 25_000))
    assert [longest_silence(settings) / 2 for settings in (quick, default, slow)] == [15, 15, 25]
    with_bank = Settings(move_time_ms=15_000, time_bank_ms=10_000)
    assert longest_silence(with_bank) / 2 == 25
    assert longest_silence(Settings(move_time_ms=600_000)) < 60  # a proxy closes what is silent for a minute
