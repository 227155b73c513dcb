"""The stream is SplitMix64 to the bit, draws are fair, and the compiled functions give the same stream."""

import copy
import pickle
from collections import Counter
from itertools import permutations
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss import chance as plain
from pitboss.cards import DECK
from pitboss.chance import Chance, ChanceError

SEEDS = st.integers(0, 2**64 - 1)


def test_stream_equals_the_published_reference() -> None:
    chance = Chance(1234567)
    assert [chance.bits() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_stream_of_seed_zero_equals_the_published_reference() -> None:
    chance = Chance(0)
    assert [chance.bits() for _ in range(3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_golden_draws() -> None:
    """Recorded games depend on these: they change only together with the version of the journal."""
    chance = Chance(2026)
    assert [chance.below(52) for _ in range(8)] == [44, 24, 34, 20, 41, 37, 49, 41]
    assert "".join(chance.shuffled(DECK, 9)) == "6d5c6hKs6s2hTs5h3d"
    assert chance.fork(1).bits() == 13769364067094191868
    assert chance.uniform() == 0.3111504753441443


@given(st.integers())
def test_seeds_are_reduced_modulo_two_to_the_64(seed: int) -> None:
    assert Chance(seed).state == Chance(seed + 2**64).state == seed % 2**64


def test_a_seed_must_be_an_integer() -> None:
    with pytest.raises(ChanceError, match="seed: expected a whole number"):
        Chance(1.5)  # type: ignore[arg-type]  # the wrong type is what is tested


@given(SEEDS)
def test_the_state_is_all_there_is(seed: int) -> None:
    chance = Chance(seed)
    chance.bits()
    resumed = [Chance(chance.state), copy.copy(chance), pickle.loads(pickle.dumps(chance)), eval(repr(chance))]
    expected = chance.bits()
    assert [other.bits() for other in resumed] == [expected] * 4


@given(SEEDS, st.integers(1, 2**32))
def test_below_stays_below(seed: int, n: int) -> None:
    assert 0 <= Chance(seed).below(n) < n


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_below_refuses_bounds_it_cannot_draw(n: int) -> None:
    with pytest.raises(ValueError, match="expected a bound"):
        Chance(1).below(n)


def test_below_draws_again_to_avoid_bias() -> None:
    """With a bound of 3 * 2**30, one first draw in four is unfair."""
    n = 3 << 30
    redrawn = 0
    for seed in range(2000):
        state, _ = plain.draw(seed, n)
        redrawn += state != (seed + plain.GAMMA) & plain.MASK
    assert 400 < redrawn < 600


def test_below_is_fair() -> None:
    chance = Chance(11)
    counts = Counter(chance.below(6) for _ in range(60_000))
    assert sorted(counts) == list(range(6))
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts.values()) < 20.5  # chi-square, 5 degrees, 0.1 %


def test_uniform_is_at_least_0_and_below_1() -> None:
    chance = Chance(5)
    values = [chance.uniform() for _ in range(10_000)]
    assert 0 <= min(values) < 0.001
    assert 0.999 < max(values) < 1
    assert abs(sum(values) / len(values) - 0.5) < 0.01


def test_choice_draws_every_item_and_refuses_an_empty_list() -> None:
    chance = Chance(3)
    assert {chance.choice("abc") for _ in range(100)} == set("abc")
    with pytest.raises(ValueError, match="at least one item"):
        chance.choice([])


@given(SEEDS, st.lists(st.integers(), max_size=60), st.data())
def test_shuffled_takes_the_items_it_was_given(seed: int, items: list[int], data: st.DataObject) -> None:
    count = data.draw(st.integers(0, len(items)))
    before = list(items)
    whole = Chance(seed).shuffled(items)
    assert Chance(seed).shuffled(items, count) == whole[:count]
    assert Counter(whole) == Counter(items)
    assert items == before


@pytest.mark.parametrize("count", [-1, 4])
def test_shuffled_refuses_too_large_a_count(count: int) -> None:
    with pytest.raises(ValueError, match="0 to 3 items"):
        Chance(1).shuffled("abc", count)


def test_every_order_is_equally_likely() -> None:
    chance = Chance(17)
    counts = Counter(chance.shuffled("abcd") for _ in range(24_000))
    assert set(counts) == set(permutations("abcd"))
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 49.7  # chi-square, 23 degrees, 0.1 %


@given(SEEDS, st.integers())
def test_fork_does_not_change_the_stream(seed: int, label: int) -> None:
    chance = Chance(seed)
    assert chance.fork(label).state == chance.fork(label).state
    assert chance.state == seed


def test_forks_differ_by_label_and_by_seed() -> None:
    states = {Chance(seed).fork(label).state for seed in range(100) for label in range(100)}
    assert len(states) == 10_000


def test_compiled_functions_give_the_same_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = Chance(99)
    dealt = [expected.shuffled(range(52), 17) for _ in range(200)]

    # Numba resolves what a function calls by its global name, so compile from the inside out.
    for name in ("mix", "draw", "shuffle"):
        monkeypatch.setattr(plain, name, numba.njit(getattr(plain, name)))
    shuffle: Any = plain.shuffle
    state = np.uint64(99)
    for cards in dealt:
        pool = np.arange(52)
        state = np.uint64(shuffle(state, pool, 17))  # it comes back as a plain int, which Numba would take for signed
        assert tuple(pool[:17].tolist()) == cards
    assert int(state) == expected.state


@given(SEEDS, st.integers(0, 70), st.data())
def test_a_plain_shuffle_is_the_compiled_one_s(seed: int, size: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, size))
    one, other = list(range(size)), list(range(size))
    assert plain.shuffle_plain(seed, one, count) == plain.shuffle(seed, other, count)
    assert one == other


def test_shuffle_draws_again_to_avoid_bias() -> None:
    """A quarter of the draws below 3 * 2**30 is unfair."""
    size = 3 << 30
    for seed in range(200):
        one: Any = Sparse(size)
        other: Any = Sparse(size)
        assert plain.shuffle_plain(seed, one, 5) == plain.shuffle(seed, other, 5)
        assert one == other


class Sparse(dict[int, int]):
    """Some numbers in order, which stores only those that were moved."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __len__(self) -> int:
        return self.size

    def __missing__(self, at: int) -> int:
        return at
