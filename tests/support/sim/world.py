"""One clock for everything simulated: timers, chance from one seed, a trace of events, and counters."""

from collections import Counter
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Protocol

from pitboss.chance import Chance

BEGINS = 1000.0
"""The time at the start."""


class Runner(Protocol):
    """Something that wants to run by itself: the server's process."""

    def due(self) -> float | None:
        """When it wants to run; None: not until an event concerns it."""

    def run(self) -> None:
        """Run once."""


class Timer:
    """Something that will happen, unless it is cancelled."""

    __slots__ = ("do",)

    def __init__(self, do: Callable[[], None]) -> None:
        self.do: Callable[[], None] | None = do

    def cancel(self) -> None:
        """Cancel it."""
        self.do = None


class World:
    """Virtual time and what is due in it. Nothing waits: time jumps to the next event."""

    def __init__(self, seed: int) -> None:
        self.now = BEGINS
        self.chance = Chance(seed)
        self.counts = Counter[str]()
        self.trace: list[tuple[float, str]] = []
        self.runner: Runner | None = None
        self._due: list[tuple[float, int, Timer]] = []
        self._number = 0

    def at(self, when: float, do: Callable[[], None]) -> Timer:
        """Do something at a time; things due at the same moment happen in the order of these calls."""
        timer = Timer(do)
        self._number += 1
        heappush(self._due, (max(when, self.now), self._number, timer))
        return timer

    def after(self, delay: float, do: Callable[[], None]) -> Timer:
        """Do something after a while."""
        return self.at(self.now + delay, do)

    def between(self, low: float, high: float) -> float:
        """A random duration, in whole microseconds."""
        return low + self.chance.below(int((high - low) * 1_000_000) + 1) / 1_000_000

    def one_in(self, count: int) -> bool:
        """Return whether a rare event happens, once in this many times."""
        return self.chance.below(count) == 0

    def note(self, what: str) -> None:
        """Put a line into the trace."""
        self.trace.append((self.now, what))

    def count(self, what: str) -> None:
        """Count a rare event, and note it."""
        self.counts[what] += 1
        self.trace.append((self.now, what))

    def step(self) -> bool:
        """Let the next event happen; False if there is none."""
        due = self._due
        while due and due[0][2].do is None:
            heappop(due)
        runner = self.runner
        mine = runner.due() if runner is not None else None
        if runner is not None and mine is not None and (not due or mine <= due[0][0]):
            self.now = max(self.now, mine)
            runner.run()
            return True
        if not due:
            return False
        self.now, _, timer = heappop(due)
        assert timer.do is not None
        timer.do()
        return True

    def written_trace(self) -> str:
        """The trace as text, one line per event."""
        return "".join(f"{when - BEGINS:.6f} {what}\n" for when, what in self.trace)
