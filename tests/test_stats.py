"""Means and intervals agree with published tables and with the standard library."""

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.chance import Chance
from pitboss.stats import Mean, proportion
from tests.support.for_each import for_each

NUMBERS = st.floats(-1e6, 1e6)


@given(st.lists(NUMBERS, min_size=2, max_size=50))
def test_mean_and_variance_agree_with_the_standard_library(values: list[float]) -> None:
    mean = Mean(values)
    assert mean.count == len(values)
    assert mean.mean == pytest.approx(statistics.fmean(values), abs=1e-6)
    assert mean.variance == pytest.approx(statistics.variance(values), rel=1e-6, abs=1e-4)


def test_large_values_lose_no_digits() -> None:
    assert Mean([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]).variance == 30


def test_one_value_has_an_unknown_spread() -> None:
    one = Mean([3])
    assert math.isnan(one.variance)
    assert one.interval() == Mean().interval() == (-math.inf, math.inf)
    assert repr(one) == "<Mean 3 of 1>"


# Two-sided quantiles of Student's t from the usual tables, by number of values and level.
@for_each(
    "count, level, quantile",
    [
        (2, 0.95, 12.7062),
        (2, 0.99, 63.6567),
        (3, 0.95, 4.3027),
        (4, 0.95, 3.1824),
        (5, 0.90, 2.1318),
        (6, 0.99, 4.0321),
        (11, 0.95, 2.2281),
        (31, 0.99, 2.7500),
        (100_000, 0.95, 1.9600),
    ],
)
def test_interval_of_a_mean_is_students(count: int, level: float, quantile: float) -> None:
    mean = Mean(i % 2 for i in range(count))
    low, high = mean.interval(level)
    assert (low + high) / 2 == pytest.approx(mean.mean)
    assert (high - low) / 2 == pytest.approx(quantile * math.sqrt(mean.variance / count), rel=2e-3)


def test_intervals_cover_as_often_as_stated() -> None:
    chance = Chance(41)
    held = 0
    for _ in range(2000):
        low, high = Mean(chance.uniform() for _ in range(12)).interval(0.9)
        held += low < 0.5 < high
    assert 0.88 < held / 2000 < 0.92


# Wilson's interval at 95 %, from Newcombe (1998), table I; then one of them mirrored, and no trial at all.
@for_each(
    "successes, trials, low, high",
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 0.8389, 1.0),
        (0, 0, 0.0, 1.0),
    ],
)
def test_proportion_is_wilsons(successes: int, trials: int, low: float, high: float) -> None:
    assert proportion(successes, trials) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 1000), st.data())
def test_proportion_holds_the_share_and_mirrors(trials: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, trials))
    low, high = proportion(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1
    assert proportion(trials - successes, trials) == pytest.approx((1 - high, 1 - low))


def test_more_confidence_is_wider() -> None:
    assert proportion(5, 10, 0.99)[0] < proportion(5, 10, 0.9)[0]


@pytest.mark.parametrize(("successes", "trials"), [(-1, 5), (6, 5)])
def test_impossible_counts_are_refused(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match="successes: expected"):
        proportion(successes, trials)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_impossible_levels_are_refused(level: float) -> None:
    with pytest.raises(ValueError, match="level: expected"):
        proportion(1, 2, level)
    with pytest.raises(ValueError, match="level: expected"):
        Mean().interval(level)
