"""Intervals cover the truth as often as they say, in simulated competitions with heavy-tailed results."""

import math
from typing import TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

from pitboss.competitions.intervals import (
    SHARES,
    AnytimeInterval,
    Estimate,
    IntervalError,
    block_values,
    fixed_interval,
    further_blocks,
)
from pitboss.stats import student_quantile

Floats: TypeAlias = NDArray[np.float64]

COMPETITIONS, BLOCKS, STACK = 1000, 800, 100.0


def poker_like(competitions: int, blocks: int, *, seed: int, edge: float) -> Floats:
    """Return results per block in big blinds, with mean `edge`: mostly small pots, and a few whole stacks."""
    chance = np.random.default_rng(seed)
    shape = (competitions, blocks)
    kind = chance.random(shape)
    small, middle = chance.choice([-1.0, -0.5, 0.0, 0.5, 1.0], shape), chance.normal(0, 6, shape).clip(-40, 40)
    stacks = chance.choice([-STACK + 5, -50.0, -25.0, 25.0, 50.0, STACK - 5], shape)
    drawn: Floats = np.where(kind < 0.7, small, np.where(kind < 0.96, middle, stacks)) + edge
    return drawn


@pytest.mark.parametrize("edge", [0.0, 0.7])
def test_fixed_intervals_cover_the_truth_in_93_to_97_percent_of_1000_competitions(edge: float) -> None:
    results = poker_like(COMPETITIONS, BLOCKS, seed=150, edge=edge)
    mean, spread = results.mean(1), results.std(1, ddof=1)
    reach = student_quantile(0.975, BLOCKS - 1) * spread / math.sqrt(BLOCKS)
    one = fixed_interval(results[0].tolist())
    assert [one.low, one.high] == pytest.approx([mean[0] - reach[0], mean[0] + reach[0]])
    covered = (abs(mean - edge) <= reach).mean()
    assert 0.93 <= covered <= 0.97, covered


def capital(results: Floats, number: float, sign: int) -> Floats:
    """Return the logarithm of a gambler's capital after every block of every competition, against `number`."""
    odds = sign * (results - number) / (sign * number + STACK)
    each = np.stack([np.cumsum(np.log1p(share * odds), axis=1) for share in SHARES])
    most = each.max(0)
    together: Floats = most + np.log(np.exp(each - most).mean(0))
    return together


@pytest.mark.parametrize("edge", [0.0, 0.7])
def test_anytime_intervals_cover_the_truth_at_every_block_in_95_percent_of_1000_competitions(edge: float) -> None:
    results = poker_like(COMPETITIONS, BLOCKS, seed=151, edge=edge)
    goal = math.log(2 / 0.05)
    missed = ((capital(results, edge, 1) >= goal) | (capital(results, edge, -1) >= goal)).any(1)
    assert 1 - missed.mean() >= 0.95, missed.mean()


def test_the_arrays_of_the_simulation_compute_what_the_interval_computes() -> None:
    for edge in (0.0, 4.5, -4.5):
        results = poker_like(1, 300, seed=152, edge=edge)
        interval, goal = AnytimeInterval(-STACK, STACK), math.log(2 / 0.05)
        above, below = (capital(results, 0.0, sign)[0] >= goal for sign in (1, -1))
        sign = 0
        for value, up, down in zip(results[0].tolist(), above, below, strict=True):
            interval.add(value)
            sign = sign or int(up) - int(down)
            assert interval.sign == sign
        assert sign == np.sign(edge)
        estimate = interval.estimate()
        assert estimate.low < estimate.mean < estimate.high
        for limit, way in ((estimate.low, 1), (estimate.high, -1)):
            if limit:
                assert capital(results, limit, way)[0, -1] == pytest.approx(goal, abs=1e-3)


def test_a_decided_interval_excludes_zero_also_after_later_losses() -> None:
    interval = AnytimeInterval(-STACK, STACK)
    while not interval.sign:
        interval.add(10.0)
    for _ in range(500):
        interval.add(0.1)
    assert interval.sign == 1
    assert interval.estimate().low >= 0


def test_an_anytime_interval_is_wider_than_a_fixed_one_and_becomes_narrower() -> None:
    values = poker_like(1, 4000, seed=153, edge=0.0)[0].tolist()
    interval, reaches = AnytimeInterval(-STACK, STACK), []
    for at, value in enumerate(values, 1):
        interval.add(value)
        if at in (500, 4000):
            estimate, fixed = interval.estimate(), fixed_interval(values[:at])
            assert estimate.low < fixed.low < fixed.high < estimate.high
            reaches.append(estimate.high - estimate.low)
    assert reaches[1] < reaches[0] / 2


def test_values_outside_the_bounds_are_refused_and_change_nothing() -> None:
    interval = AnytimeInterval(-1, 1)
    with pytest.raises(IntervalError, match=r"^value: expected -1 to 1, got 2$"):
        interval.add(2.0)
    with pytest.raises(IntervalError):
        interval.add(math.nan)
    assert interval.blocks == 0
    assert math.isnan(interval.estimate().mean)
    for lowest, highest in ((1, 2), (0, 1), (-math.inf, 1)):
        with pytest.raises(IntervalError, match="bounds"):
            AnytimeInterval(lowest, highest)
    with pytest.raises(IntervalError, match="level"):
        AnytimeInterval(-1, 1, level=1.0)


def test_extreme_values_at_the_bounds_are_counted() -> None:
    interval = AnytimeInterval(-1, 1)
    for value in (1, -1, 1, -1, 1.0, -1.0):
        interval.add(value)
    estimate = interval.estimate()
    assert -1 <= estimate.low < 0 < estimate.high <= 1


def test_further_blocks_would_exclude_zero_with_the_same_mean_and_spread() -> None:
    values = [3.0, -2.0, 1.5, -1.0] * 25
    estimate = fixed_interval(values)
    more = further_blocks(estimate)
    assert more is not None
    assert more > 0
    reach = (estimate.high - estimate.low) / 2
    assert reach * math.sqrt(100 / (100 + more)) < estimate.mean < reach * math.sqrt(100 / (100 + more - 1))
    assert further_blocks(Estimate(10, 2.0, 1.0, 3.0)) == 0
    assert further_blocks(Estimate(10, 0.0, -1.0, 1.0)) is None
    assert further_blocks(fixed_interval([1.0])) is None


def test_block_values_average_to_chips_by_hands() -> None:
    chips, hands = [300.0, -100.0, 50.0], [2, 2, 1]
    values = block_values(chips, hands)
    assert sum(values) / 3 == pytest.approx(250 / 5)
    assert block_values([], []) == []
