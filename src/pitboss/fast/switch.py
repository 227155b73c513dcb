"""Switch from plain Python to compiled code when loading it pays.

A compiled loop is up to a hundred times as fast as the same loop in plain Python. But Numba has to be imported and
started first, and the loop has to be loaded, or compiled if it is not saved yet. This module adds up the processor
time that work takes in plain Python. The compiled loop is loaded before the work that would make the sum greater than
the price of loading. Whatever work follows, the total is then about twice the time of the better form at most: plain
Python all the time, or compiled code from the beginning.

The prices are constants, measured with saved code. On a slower machine loading takes longer than they say, and begins
earlier in comparison: if it takes twice as long, the total is up to three times the time of the better form.
"""

import time
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Protocol, TypeVar

from pitboss.fast.compiled import LOAD, numba

Result = TypeVar("Result")

START = 0.4
"""The seconds to import Numba, NumPy and what they need, and to call the first loop."""
TRUST = 0.05
"""The seconds of plain work after which the measured time counts more than the expected time."""


class Loop(Protocol):
    """A compiled loop, as `compiled.CompiledFunction` is."""

    @property
    def ready(self) -> bool:
        """Whether the loop has been loaded or compiled in this process."""

    @property
    def price(self) -> float:
        """The seconds to load the loop, or to compile it if it is not saved."""


class Start:
    """The price of starting Numba, which all switches of a process share."""

    def __init__(
        self,
        seconds: float = START,
        start: Callable[[], object] = numba,
        is_done: Callable[[], object] = lambda: numba.cache_info().currsize,
    ) -> None:
        """Start Numba by calling `start`, which takes `seconds` with the first loop."""
        self._seconds, self._start, self.is_done = seconds, start, is_done
        self._spent = 0.0

    def pays(self, more: float) -> bool:
        """Return whether Numba is started. Start it if the plain work of all switches has taken as long as that.

        `more` is the time of the work to come.
        """
        if not self.is_done() and self._spent + more >= self._seconds:
            self._start()
        return bool(self.is_done())

    def add(self, seconds: float) -> None:
        """Add plain work."""
        self._spent += seconds


NUMBA = Start()


class Switch:
    """The choice between plain Python and one compiled loop."""

    def __init__(
        self, loop: Callable[[], Loop], start: Start = NUMBA, clock: Callable[[], float] = time.thread_time
    ) -> None:
        """Switch to the loop that `loop()` returns; it is called after Numba is started."""
        self._loop, self._start, self._clock = loop, start, clock
        self._expected = self._spent = 0.0
        self._closed = False

    def close(self) -> None:
        """Stay with plain Python from now on, because the loop does not compile."""
        self._closed = True

    def run(
        self,
        seconds: float,
        plain: Callable[[], Result],
        compiled: Callable[[], Result],
        wanted: bool | None = None,
    ) -> Result:
        """Do work in one of two ways. `plain` is expected to take these seconds; `wanted` is the caller's choice."""
        if wanted or (wanted is None and self._pays(seconds)):
            return compiled()
        begun = self._clock()
        result = plain()
        if wanted is None:
            self._add(seconds, self._clock() - begun)
        return result

    def _pays(self, seconds: float) -> bool:
        """Return whether to use the compiled loop for work that is expected to take these seconds in plain Python."""
        if self._closed or not is_installed():
            return False
        if self._start.is_done() and self._loop().ready:
            return True
        seconds *= (self._spent + TRUST) / (self._expected + TRUST)
        total = self._spent + seconds
        if total < LOAD or not self._start.pays(_beyond(total) - _beyond(self._spent)):
            return False
        return total >= self._loop().price

    def _add(self, expected: float, measured: float) -> None:
        self._start.add(_beyond(self._spent + measured) - _beyond(self._spent))
        self._expected += expected
        self._spent += measured


def _beyond(seconds: float) -> float:
    """Return the part of a loop's plain work that counts towards the start; the loop's own loading takes the rest."""
    return max(0.0, seconds - LOAD)


@cache
def is_installed() -> bool:
    """Return whether Numba and NumPy can be imported."""
    return all(find_spec(name) is not None for name in ("numba", "numpy"))
