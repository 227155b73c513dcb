"""Random numbers from one specified generator (SplitMix64), with unbiased draws and shuffles.

The functions use only 64-bit unsigned arithmetic, so they give the same stream when compiled with Numba; ``Chance``
wraps them in a class. The stream is reproducible, not secret: one full output reveals all that follow.
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
"""The maximum number of draws in the large number of `shuffle_plain`."""

_FIRST = 0xBF58_476D_1CE4_E5B9
_SECOND = 0x94D0_49BB_1331_11EB
_LOW = MOST - 1


def mix(state: int) -> int:
    """Return the 64 random bits of a state, as SplitMix64 specifies."""
    z = ((state ^ (state >> 30)) * _FIRST) & MASK
    z = ((z ^ (z >> 27)) * _SECOND) & MASK
    return z ^ (z >> 31)


def draw(state: int, n: int) -> tuple[int, int]:
    """Draw a number from 0 to n - 1, all equally likely; return the new state and the number.

    The high 32 bits times n stay below 2**64. Products that would favour some numbers are drawn again.
    """
    state = (state + GAMMA) & MASK
    product = (mix(state) >> 32) * n
    if (product & _LOW) < n:  # a cheap test first: the remainder is rarely needed
        unfair = (MOST - n) % n
        while (product & _LOW) < unfair:
            state = (state + GAMMA) & MASK
            product = (mix(state) >> 32) * n
    return state, product >> 32


def shuffle(state: int, pool: MutableSequence[Any], count: int) -> int:
    """Move `count` random items, in random order, to the front of the pool; return the new state."""
    size = len(pool)
    for here in range(count):
        state, offset = draw(state, size - here)
        there = here + offset
        pool[here], pool[there] = pool[there], pool[here]
    return state


def shuffle_plain(state: int, pool: MutableSequence[Any], count: int) -> int:
    """Shuffle like `shuffle`, twice as fast in plain Python: all draws are computed in one large number.

    Each draw has 128 bits of it, so products do not overlap. In the rare case that a draw must be repeated, `shuffle`
    does all the work.
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
    """Return 1, the multiples of GAMMA, and MASK, each repeated `count` times at steps of 128 bits."""
    places = range(count)
    return (
        sum([1 << 128 * k for k in places]),
        sum([((k + 1) * GAMMA & MASK) << 128 * k for k in places]),
        sum([MASK << 128 * k for k in places]),
    )


def fork(state: int, label: int) -> int:
    """Return the start of another stream, determined by a state and a label."""
    return mix((state + mix((label + GAMMA) & MASK)) & MASK)


class ChanceError(PitbossError, ValueError):
    """A draw that cannot be made."""


def _whole(number: Any, what: str) -> int:
    try:
        return index(number)
    except TypeError:
        raise ChanceError(f"{what}: expected a whole number, got {number!r}") from None


class Chance:
    """A stream of random numbers determined by one integer, which is reduced modulo 2**64.

    >>> chance = Chance(1234567)
    >>> chance.bits(), chance.below(6), chance.shuffled("abcde")
    (6457827717110365317, 1, ('c', 'b', 'e', 'd', 'a'))

    The state is everything: another stream can continue from it.

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
        """Draw a number from 0 to n - 1, all equally likely."""
        if not 1 <= n <= MOST:
            raise ChanceError(f"below: expected a bound from 1 to 2**32, got {n}")
        self.state, number = draw(self.state, n)
        return number

    def uniform(self) -> float:
        """Draw a fraction from 0 up to, but not including, 1."""
        return (self.bits() >> 11) * 2.0**-53

    def choice(self, items: Sequence[T]) -> T:
        """Draw one of the items."""
        if not items:
            raise ChanceError("choice: expected at least one item")
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[T], count: int | None = None) -> tuple[T, ...]:
        """Shuffle the items and return the first ``count`` of them (default all)."""
        pool = list(items)
        if count is None:
            count = len(pool)
        elif not 0 <= count <= len(pool):
            raise ChanceError(f"count: expected 0 to {len(pool)} items, got {count}")
        self.state = shuffle_plain(self.state, pool, count)
        return tuple(pool[:count])

    def fork(self, label: int) -> "Chance":
        """Start another stream, determined by the state of this one and the label, without drawing from this one.

        >>> match = Chance(7)
        >>> match.fork(1).bits() == match.fork(1).bits() != match.fork(2).bits()
        True
        """
        return Chance(fork(self.state, _whole(label, "label")))
