"""95 % intervals for the results of matches.

All intervals are over blocks. A block is one deal with all its rotations of the seats: hands of the same deal depend on
each other, different deals do not. The value of a block is its result per hand, for example in big blinds.

`fixed_interval` is valid if the number of blocks was fixed before the match. `AnytimeInterval` is valid after every
block at once, so a match may stop as soon as the interval excludes zero.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean

from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss.stats import Mean

LEVEL = 0.95
SHARES = (0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 0.9)
"""The shares of its capital that each bet of an `AnytimeInterval` risks. Small shares find small differences."""
MOST_BLOCKS = 10**9
"""A larger number of blocks is not worth reporting."""
_HALVINGS = 40


class IntervalError(PitbossError, ValueError):
    """A value is outside its bounds, or the bounds or the level are not valid."""


class Estimate(Struct, frozen=True):
    """A mean over blocks and its interval, which is infinite if there are too few blocks."""

    blocks: int
    mean: float
    low: float
    high: float

    @property
    def decided(self) -> bool:
        """Whether the interval excludes zero."""
        return self.low > 0 or self.high < 0

    def scaled(self, factor: float) -> "Estimate":
        """Return the estimate in another unit: `factor` of the new unit are one of the old."""
        return Estimate(self.blocks, self.mean * factor, self.low * factor, self.high * factor)


def block_values(chips: Sequence[float], hands: Sequence[int]) -> list[float]:
    """Return one value per block, whose mean is the rate: all chips divided by all hands.

    With the same number of hands in every block, a value is the block's chips per hand.

    >>> block_values([300, -100], [2, 2])
    [150.0, -50.0]
    """
    played = sum(hands)
    if not played:
        return []
    rate, usual = sum(chips) / played, played / len(hands)
    return [rate + (won - rate * number) / usual for won, number in zip(chips, hands, strict=True)]


def fixed_interval(values: Sequence[float], level: float = LEVEL) -> Estimate:
    """Return the mean and its interval, for a number of blocks that was fixed in advance.

    >>> estimate = fixed_interval([1.0, 3.0, 2.0, 4.0])
    >>> estimate.mean, round(estimate.low, 2), round(estimate.high, 2)
    (2.5, 0.45, 4.55)
    """
    low, high = Mean(values).interval(level)
    return Estimate(len(values), fmean(values) if values else math.nan, low, high)


def further_blocks(estimate: Estimate) -> int | None:
    """Return how many more blocks would exclude zero, if the mean and the spread stay as they are.

    The result is 0 if zero is excluded already, and None if no reasonable number of blocks would do.

    >>> further_blocks(Estimate(100, 1.0, -1.0, 3.0))
    301
    """
    if estimate.decided:
        return 0
    reach = (estimate.high - estimate.low) / 2
    if not math.isfinite(reach) or not estimate.mean:
        return None
    needed = estimate.blocks * (reach / abs(estimate.mean)) ** 2
    return math.floor(needed - estimate.blocks) + 1 if needed < MOST_BLOCKS else None


class AnytimeInterval:
    """An interval that contains the true mean after every block at once, with at least the given probability.

    Two gamblers bet that the mean is greater, or less, than a number. If the number is the true mean, the expectation
    of their capital never grows, and it reaches 2 / (1 - level) times its start with a probability of at most
    (1 - level) / 2 (Ville's inequality). The interval has all numbers against which neither did. Each gambler divides
    the capital among fixed shares to risk (Waudby-Smith and Ramdas 2024, with a mixture of bets).

    The guarantee is exact for every number of blocks and needs two assumptions: all values are between `lowest` and
    `highest`, and each has the same mean whatever was played before. No shape of the distribution is assumed.

    >>> interval = AnytimeInterval(-100, 100)
    >>> for _ in range(200):
    ...     interval.add(20.0)
    ...     interval.add(-18.0)
    >>> interval.sign
    0
    >>> for _ in range(200):
    ...     interval.add(5.0)
    >>> interval.sign, interval.estimate().low > 0
    (1, True)
    """

    def __init__(self, lowest: float, highest: float, level: float = LEVEL, compared: float = 0.0) -> None:
        if not lowest < compared < highest or not math.isfinite(highest - lowest):
            raise IntervalError(f"bounds: expected finite numbers around {compared:g}, got {lowest:g} and {highest:g}")
        if not 0 < level < 1:
            raise IntervalError(f"level: expected a number between 0 and 1, got {level}")
        self.lowest, self.highest = lowest, highest
        self.blocks = 0
        self._compared = compared
        self._goal = math.log(2 / (1 - level))
        self._values: Counter[float] = Counter()
        self._above = [0.0] * len(SHARES)  # the logarithms of the capital of each share, against `compared`
        self._below = [0.0] * len(SHARES)
        self._sign = 0

    def add(self, value: float) -> None:
        """Add the value of a block."""
        if not self.lowest <= value <= self.highest:
            raise IntervalError(f"value: expected {self.lowest:g} to {self.highest:g}, got {value:g}")
        self.blocks += 1
        self._values[value] += 1
        up, down = self._odds(value, self._compared), self._odds(-value, -self._compared, -self.highest)
        for at, share in enumerate(SHARES):
            self._above[at] += math.log1p(share * up)
            self._below[at] += math.log1p(share * down)
        if not self._sign:
            self._sign = (_capital(self._above) >= self._goal) - (_capital(self._below) >= self._goal)

    @property
    def sign(self) -> int:
        """1 if the mean is above the number it is compared with (0 by default), -1 if below, 0 while undecided.

        Once decided, the sign stays: the probability that it is ever wrong is below 1 - level.
        """
        return self._sign

    def estimate(self) -> Estimate:
        """Return the mean so far and the interval."""
        if not self.blocks:
            return Estimate(0, math.nan, self.lowest, self.highest)
        counted = self._values
        mean = sum(value * times for value, times in counted.items()) / self.blocks
        low = self._limit(counted.items(), self.lowest, mean)
        high = -self._limit([(-value, times) for value, times in counted.items()], -self.highest, -mean)
        # The sign was decided at an earlier block, and all blocks hold at once.
        if self._sign > 0:
            low = max(low, self._compared)
        elif self._sign < 0:
            high = min(high, self._compared)
        return Estimate(self.blocks, mean, low, high)

    def _odds(self, value: float, number: float, lowest: float | None = None) -> float:
        """Return what a bet of 1 that the mean is above `number` wins with this value; at least -1."""
        lowest = self.lowest if lowest is None else lowest
        return (value - number) / (number - lowest)

    def _limit(self, counted: Iterable[tuple[float, int]], lowest: float, mean: float) -> float:
        """Return the greatest number below the mean against which the gambler has reached the goal."""
        counted = list(counted)
        low, high = lowest, mean
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if middle in (low, high):
                break
            if self._reached(counted, lowest, middle):
                low = middle
            else:
                high = middle
        return low

    def _reached(self, counted: Sequence[tuple[float, int]], lowest: float, number: float) -> bool:
        odds = [(self._odds(value, number, lowest), times) for value, times in counted]
        capital = [math.fsum(times * math.log1p(share * won) for won, times in odds) for share in SHARES]
        return _capital(capital) >= self._goal


def _capital(logarithms: Sequence[float]) -> float:
    """Return the logarithm of the average of numbers that are given by their logarithms."""
    most = max(logarithms)
    return most + math.log(fmean(math.exp(each - most) for each in logarithms))
