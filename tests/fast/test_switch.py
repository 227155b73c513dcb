"""The switch to compiled code, with a cost model and a clock that only moves when work is done."""

from dataclasses import dataclass, field
from functools import partial
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.fast import switch as module
from pitboss.fast.compiled import LOAD
from pitboss.fast.switch import START, Start, Switch

BOUND = 2.5
"""How many times as long as with the better form any sequence of calls takes at most."""


@dataclass
class Loop:
    """A loop that may have to be compiled first; compiled code takes `share` of the time of plain Python."""

    world: "World"
    price: float
    share: float
    ready: bool = False

    def call(self, seconds: float) -> str:
        self.world.start()
        if not self.ready:
            self.world.now += self.price
            self.ready = True
        self.world.now += self.share * seconds
        return "compiled"


@dataclass
class World:
    """A process with a clock, and several loops with their switches."""

    prices: tuple[tuple[float, float], ...]
    error: float = 1.0  # expected seconds, divided by the true ones
    now: float = 0.0
    started: bool = False
    loops: list[Loop] = field(default_factory=list)
    switches: list[Switch] = field(default_factory=list)

    def __post_init__(self) -> None:
        numba = Start(START, self.start, lambda: self.started)
        self.loops = [Loop(self, *both) for both in self.prices]
        self.switches = [
            Switch(partial(self.loops.__getitem__, at), numba, lambda: self.now) for at in range(len(self.loops))
        ]

    def start(self) -> None:
        if not self.started:
            self.now += START
            self.started = True

    def call(self, at: int, seconds: float, wanted: bool | None = None) -> str:
        """Do work that takes these seconds in plain Python."""

        def plain() -> str:
            self.now += seconds
            return "plain"

        expected = self.error * seconds
        return self.switches[at].run(expected, plain, lambda: self.loops[at].call(seconds), wanted)

    def best(self, calls: list[tuple[int, float]]) -> float:
        """Return the least time of the calls if it is known from the beginning which loops to load."""
        totals = [sum([seconds for at, seconds in calls if at == loop]) for loop in range(len(self.loops))]
        every = range(len(self.loops))
        return min(
            sum([START if chosen else 0.0])
            + sum([self.prices[at][0] + self.prices[at][1] * totals[at] for at in chosen])
            + sum([totals[at] for at in every if at not in chosen])
            for chosen in chain.from_iterable(combinations(every, size) for size in range(len(self.loops) + 1))
        )


def seconds(low: float, high: float) -> st.SearchStrategy[float]:
    """Return numbers of all magnitudes between these two."""
    return st.floats(0.0, 1.0).map(lambda at: low * (high / low) ** at)


LOOPS = st.tuples(st.sampled_from([LOAD, 1.0, 6.0]), st.sampled_from([0.002, 0.01, 0.1]))
CALLS = st.lists(st.tuples(st.integers(0, 3), seconds(1e-5, 30.0), st.integers(1, 60)), min_size=1, max_size=12)


@given(st.lists(LOOPS, min_size=4, max_size=4).map(tuple), CALLS, st.sampled_from([0.8, 1.0, 1.25]))
def test_no_sequence_of_calls_takes_2_5_times_as_long_as_the_better_form(
    prices: tuple[tuple[float, float], ...], runs: list[tuple[int, float, int]], error: float
) -> None:
    """Also if several loops share the start of Numba, and if the expected times are wrong by a quarter."""
    calls = [(at, each) for at, each, times in runs for _ in range(times)]
    world = World(prices, error)
    for done, (at, each) in enumerate(calls, 1):
        world.call(at, each)
        assert world.now <= BOUND * world.best(calls[:done]) + 1e-9, f"after {done} calls: {world}"


def test_the_bound_is_not_generous_without_a_switch() -> None:
    """Plain Python alone and compiled code alone both break the bound: the property above can fail."""
    for wanted, calls in ((False, [(0, 0.01)] * 1000), (True, [(0, 0.01)])):
        world = World(((LOAD, 0.01),))
        for at, each in calls:
            world.call(at, each, wanted)
        assert world.now > BOUND * world.best(calls)


def test_small_calls_switch_when_they_have_taken_as_long_as_loading() -> None:
    world = World(((LOAD, 0.01),))
    forms = [world.call(0, 0.01) for _ in range(100)]
    count = forms.index("compiled")
    assert forms == ["plain"] * count + ["compiled"] * (100 - count)
    assert 0.01 * count == pytest.approx(START + LOAD, abs=0.02)


def test_a_large_call_is_compiled_at_once() -> None:
    assert World(((LOAD, 0.01),)).call(0, 1.0) == "compiled"


def test_code_that_is_not_saved_costs_its_compilation() -> None:
    world = World(((6.0, 0.01),))
    assert [world.call(0, 1.0) for _ in range(8)] == ["plain"] * 5 + ["compiled"] * 3


def test_a_loop_that_is_already_loaded_is_always_used() -> None:
    world = World(((LOAD, 0.01), (LOAD, 0.01)))
    assert world.call(0, 1e-6, wanted=True) == "compiled"
    assert world.call(0, 1e-6) == "compiled"
    assert world.call(1, 1e-6) == "plain"  # Numba is started, but this loop is not loaded
    assert world.call(1, 2 * LOAD) == "compiled"


def test_the_caller_can_choose() -> None:
    world = World(((LOAD, 0.01),))
    assert [world.call(0, 10.0, wanted) for wanted in (False, True, False, None)] == ["plain", "compiled"] * 2


def test_measured_time_counts_and_not_expected_time() -> None:
    """A caller's function may be a thousand times as slow as expected."""
    world = World(((1.0, 0.01),), error=0.001)
    assert [world.call(0, 0.5) for _ in range(3)] == ["plain", "plain", "compiled"]


def test_without_numba_and_with_a_loop_that_does_not_compile_all_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = World(((LOAD, 0.01),))
    closed.switches[0].close()
    assert closed.call(0, 1000.0) == "plain"
    monkeypatch.setattr(module, "is_installed", lambda: False)
    assert World(((LOAD, 0.01),)).call(0, 1000.0) == "plain"
