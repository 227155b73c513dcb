"""Values of stacks: published values, a sum over every finishing order, laws, and refused arguments."""

import sys
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.errors import PitbossError
from pitboss.fast.equity import icm as icm_module
from pitboss.fast.equity.icm import icm
from tests.support.for_each import for_each


def by_orders(stacks: tuple[int, ...], payouts: tuple[int, ...]) -> list[Fraction]:
    """Return the values by definition: every finishing order, with exact fractions."""
    worth = [Fraction(0)] * len(stacks)
    for order in permutations(range(len(stacks))):
        likely, left = Fraction(1), sum(stacks)
        for player in order:
            likely *= Fraction(stacks[player], left)
            left -= stacks[player]
        for player, payout in zip(order, payouts, strict=False):
            worth[player] += likely * payout
    return worth


@pytest.mark.parametrize(
    ("stacks", "payouts", "worth"),
    [
        ((5000, 3000, 2000), (50, 30, 20), (38.3929, 32.75, 28.8571)),
        ((50, 30, 20), (70, 30), (45.17857, 32.25, 22.57143)),
        ((1, 1), (65, 35), (50, 50)),
        ((7,), (100,), (100,)),
    ],
)
def test_known_values(stacks: tuple[int, ...], payouts: tuple[int, ...], worth: tuple[float, ...]) -> None:
    answer = icm(stacks, payouts)
    assert (answer.exact, answer.interval) == (True, None)
    assert answer.equity == pytest.approx(worth, abs=2e-4)
    assert answer.equity == pytest.approx([float(share) for share in by_orders(stacks, payouts)], rel=1e-12)


STACKS = st.lists(st.integers(1, 10_000), min_size=1, max_size=6)


@given(STACKS, st.data())
def test_counting_equals_the_sum_over_all_finishing_orders(stacks: list[int], data: st.DataObject) -> None:
    payouts = data.draw(st.lists(st.integers(0, 100), min_size=1, max_size=len(stacks)))
    expected = [float(share) for share in by_orders(tuple(stacks), tuple(payouts))]
    assert icm(stacks, payouts).equity == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(STACKS, st.data())
def test_values_add_up_to_the_prizes_and_follow_the_stacks(stacks: list[int], data: st.DataObject) -> None:
    payouts = sorted(data.draw(st.lists(st.integers(0, 100), min_size=1, max_size=len(stacks))), reverse=True)
    answer = icm(stacks, payouts)
    assert sum(answer.equity) == pytest.approx(sum(payouts))
    assert icm(stacks[::-1], payouts).equity == pytest.approx(answer.equity[::-1])
    by_chips = sorted(zip(stacks, answer.equity, strict=True))
    assert all(b >= a - 1e-9 for (_, a), (_, b) in pairwise(by_chips))
    if len(payouts) == 1:  # if the winner takes all, chips are money
        assert answer.equity == pytest.approx([payouts[0] * stack / sum(stacks) for stack in stacks])


@settings(max_examples=20)
@given(st.lists(st.integers(1, 1000), min_size=2, max_size=9))
def test_arrays_and_single_steps_agree(stacks: list[int]) -> None:
    numpy = pytest.importorskip("numpy", reason="NumPy is not installed: there are no arrays")
    payouts = [1.0 * place for place in range(len(stacks), 0, -1)]
    assert icm_module._count_in_arrays(numpy, stacks, payouts) == pytest.approx(
        icm_module._count(stacks, payouts), rel=1e-9
    )


def test_twenty_paid_players_are_exact() -> None:
    pytest.importorskip("numpy", reason="NumPy is not installed: so many are drawn")
    stacks, payouts = range(1000, 21_000, 1000), range(20, 0, -1)
    answer = icm(stacks, payouts)
    assert answer.exact
    assert sum(answer.equity) == pytest.approx(sum(payouts))
    assert list(answer.equity) == sorted(answer.equity)


def test_large_fields_are_exact_with_few_prizes_and_sampled_with_many() -> None:
    assert icm([1000] * 100, (50, 30, 20)).equity == pytest.approx([1.0] * 100)
    stacks, payouts = [100 * place for place in range(1, 41)], list(range(30, 0, -1))
    answer = icm(stacks, payouts, samples=3000, seed=3)
    assert (answer.exact, answer.samples) == (False, 3000)
    assert sum(answer.equity) == pytest.approx(sum(payouts))
    assert answer == icm(stacks, payouts, samples=3000, seed=3) != icm(stacks, payouts, samples=3000, seed=4)
    assert icm(stacks, payouts, samples=100).exact is False


def test_the_interval_of_a_sample_contains_the_exact_value() -> None:
    stacks, payouts = (5000, 3000, 2000, 400), (50, 30, 20)
    exact, drawn = icm(stacks, payouts), icm(stacks, payouts, samples=20_000, seed=1)
    assert drawn.interval is not None
    for worth, true, (low, high) in zip(drawn.equity, exact.equity, drawn.interval, strict=True):
        assert low <= worth <= high
        assert abs(worth - true) <= high - low  # four standard errors: the seed is fixed, and luck is not a bug


def test_without_numpy_larger_fields_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.setattr(icm_module, "SAMPLES", 50)
    assert icm([100] * 18, [1] * 18).exact is False


@for_each(
    "stacks, payouts, settings, sentence",
    [
        ((), (1,), {}, "stacks: expected 1 to 100000, got 0"),
        ((5, 0), (1,), {}, "stacks: expected numbers above 0, got 0"),
        ((5, -1), (1,), {}, "stacks: expected numbers from 0, got -1"),
        ((5, "x"), (1,), {}, "stacks: expected numbers, got 'x'"),
        ((5, float("nan")), (1,), {}, "stacks: expected numbers from 0, got nan"),
        ("500", (1,), {}, "stacks: expected a list of numbers, got '500'"),
        (5, (1,), {}, "stacks: expected a list of numbers, got 5"),
        ((5, 5), (), {}, "payouts: expected one per paid place, 1 to 2 of them, got 0"),
        ((5, 5), (3, 2, 1), {}, "payouts: expected one per paid place, 1 to 2 of them, got 3"),
        ((5, 5), (None,), {}, "payouts: expected numbers, got None"),
        ((5, 5), (3, -1), {}, "payouts: expected numbers from 0, got -1"),
        ((5, 5), (float("inf"),), {}, "payouts: expected numbers from 0, got inf"),
        ((5, 5), (1,), {"exact": True, "samples": 5}, "expected exact or samples, got both"),
        ((5, 5), (1,), {"samples": 1}, "samples: expected a whole number from 2, got 1"),
        ([5] * 60, [1] * 30, {"exact": True}, "60 stacks and 30 payouts take about"),
    ],
    ids=str,
)
def test_invalid_arguments_are_refused(stacks: Any, payouts: Any, settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PitbossError, match=sentence) as refused:
        icm(stacks, payouts, **settings)
    assert isinstance(refused.value, ValueError)
    assert "\n" not in str(refused.value)
