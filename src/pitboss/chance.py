"""Reproducible random numbers from the SplitMix64 generator, with unbiased draws and shuffles.

The functions use only 64-bit unsigned arithmetic, so they give the same numbers when compiled with Numba. ``Chance``
has the same functions as methods. The numbers are not secret: all later numbers can be computed from one of them.
"""

from collections.abc import Iterable, MutableSequence, Sequence
from functools import cache
from operator import index
from struct import unpack
from typing import Any, TypeVar

from pitboss.errors import PitbossError

T = TypeVar("T")

GAMMA = 0x9E37_79B9_7F4A_7C15
MASK = 0xFFFF_FFFF_FFFF_FFFF
MOST = 1 << 32

MOST_AT_ONCE = 64
"""The maximum number of draws that `shuffle_plain` computes at once."""

_FIRST = 0xBF58_476D_1CE4_E5B9
_SECOND = 0x94D0_49BB_1331_11EB
_LOW = MOST - 1


def mix(state: int) -> int:
    """Return the 64 random bits that SplitMix64 computes from a state."""
    z = ((state ^ (state >> 30)) * _FIRST) & MASK
    z = ((z ^ (z >> 27)) * _SECOND) & MASK
    return z ^ (z >> 31)


def draw(state: int, n: int) -> tuple[int, int]:
    """Return the next state, and a number from 0 to n - 1. All numbers are equally likely.

    A product that would make some numbers more likely is drawn again. Integers stay below 2**64.
    """
    state = (state + GAMMA) & MASK
    product = (mix(state) >> 32) * n
    if (product & _LOW) < n:  # this test is fast, and the remainder is rarely needed
        unfair = (MOST - n) % n
        while (product & _LOW) < unfair:
            state = (state + GAMMA) & MASK
            product = (mix(state) >> 32) * n
    return state, product >> 32


def shuffle(state: int, pool: MutableSequence[Any], count: int) -> int:
    """Move `count` random items to the front of the pool, in random order. Return the next state."""
    size = len(pool)
    for here in range(count):
        state, offset = draw(state, size - here)
        there = here + offset
        pool[here], pool[there] = pool[there], pool[here]
    return state


def shuffle_plain(state: int, pool: MutableSequence[Any], count: int) -> int:
    """Do the same as `shuffle`, but twice as fast in plain Python. All draws are computed in one large integer.

    Each draw has 128 bits of the integer, so draws do not affect each other. If a draw must be repeated, which is rare,
    `shuffle` is called instead.
    """
    if count > MOST_AT_ONCE:
        return shuffle(state, pool, count)
    ones, steps, low = _lanes(count)
    z = (ones * state + steps) & low
    z = ((z ^ ((z >> 30) & low)) * _FIRST) & low
    z = ((z ^ ((z >> 27) & low)) * _SECOND) & low
    z ^= (z >> 31) & low
    n = len(pool)
    draws = []
    for bits in unpack(f"<{2 * count}Q", (z >> 32).to_bytes(16 * count, "little"))[::2]:
        product = (bits & _LOW) * n
        if (product & _LOW) < n:
            return shuffle(state, pool, count)
        draws.append(product >> 32)
        n -= 1
    for here, offset in enumerate(draws):
        there = here + offset
        pool[here], pool[there] = pool[there], pool[here]
    return (state + count * GAMMA) & MASK


@cache
def _lanes(count: int) -> tuple[int, int, int]:
    """Return the constants 1, multiples of GAMMA, and MASK for `count` draws, each in 128 bits of an integer."""
    places = range(count)
    return (
        sum([1 << 128 * k for k in places]),
        sum([((k + 1) * GAMMA & MASK) << 128 * k for k in places]),
        sum([MASK << 128 * k for k in places]),
    )


def fork(state: int, label: int) -> int:
    """Return the state of an independent generator. It depends only on `state` and `label`."""
    return mix((state + mix((label + GAMMA) & MASK)) & MASK)


class ChanceError(PitbossError, ValueError):
    """Invalid arguments of a draw.

    >>> from pitboss import Chance
    >>> Chance("seven")
    Traceback (most recent call last):
    pitboss.ChanceError: seed: expected a whole number, got 'seven'
    """


def _whole(number: Any, what: str) -> int:
    try:
        return index(number)
    except TypeError:
        raise ChanceError(f"{what}: expected a whole number, got {number!r}") from None


class Chance:
    """A generator of random numbers. The seed determines all numbers; it is reduced modulo 2**64.

    >>> chance = Chance(1234567)
    >>> chance.bits(), chance.below(6), chance.shuffled("abcde")
    (6457827717110365317, 1, ('c', 'b', 'e', 'd', 'a'))

    ``state`` is all that a generator needs to continue:

    >>> Chance(chance.state).bits() == chance.bits()
    True
    """

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = _whole(seed, "seed") & MASK

    def __repr__(self) -> str:
        return f"Chance({self.state})"

    def bits(self) -> int:
        """Draw 64 random bits."""
        self.state = (self.state + GAMMA) & MASK
        return mix(self.state)

    def below(self, n: int) -> int:
        """Return a random number from 0 to n - 1. All numbers are equally likely."""
        if not 1 <= n <= MOST:
            raise ChanceError(f"below: expected a bound from 1 to 2**32, got {n}")
        self.state, number = draw(self.state, n)
        return number

    def uniform(self) -> float:
        """Return a random fraction, at least 0 and less than 1."""
        return (self.bits() >> 11) * 2.0**-53

    def choice(self, items: Sequence[T]) -> T:
        """Return a random item."""
        if not items:
            raise ChanceError("choice: expected at least one item")
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[T], count: int | None = None) -> tuple[T, ...]:
        """Shuffle the items, and return the first ``count`` of them. By default, return all."""
        pool = list(items)
        if count is None:
            count = len(pool)
        elif not 0 <= count <= len(pool):
            raise ChanceError(f"count: expected 0 to {len(pool)} items, got {count}")
        self.state = shuffle_plain(self.state, pool, count)
        return tuple(pool[:count])

    def fork(self, label: int) -> "Chance":
        """Return an independent generator, which depends only on the current state and `label`.

        The state of this generator does not change.

        >>> match = Chance(7)
        >>> match.fork(1).bits() == match.fork(1).bits() != match.fork(2).bits()
        True
        """
        return Chance(fork(self.state, _whole(label, "label")))
