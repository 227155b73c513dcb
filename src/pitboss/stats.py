"""Means and proportions with confidence intervals.

An interval is valid only if the sample size was fixed in advance. It is not valid if the sampling stops at a good
result.
"""

import math
from collections.abc import Iterable
from statistics import NormalDist

from pitboss.errors import PitbossError

Interval = tuple[float, float]

_NORMAL = NormalDist()


class StatsError(PitbossError, ValueError):
    """Invalid counts or an invalid confidence level."""


class Mean:
    """A running mean. Welford's method keeps it precise for large values.

    >>> heights = Mean([1, 2, 3, 4, 5])
    >>> heights.count, heights.mean, heights.variance
    (5, 3.0, 2.5)
    >>> low, high = heights.interval()
    >>> f"{low:.2f} to {high:.2f}"
    '1.04 to 4.96'
    """

    __slots__ = ("_squares", "count", "mean")

    def __init__(self, values: Iterable[float] = ()) -> None:
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0
        for value in values:
            self.add(value)

    @classmethod
    def of_sums(cls, count: int, total: int, squares: int) -> "Mean":
        """Return the mean of integers from their count, their sum and the sum of their squares.

        >>> Mean.of_sums(5, 15, 55).variance
        2.5
        """
        mean = cls()
        mean.count = count
        if count:
            mean.mean = total / count
            mean._squares = (count * squares - total * total) / count
        return mean

    def __repr__(self) -> str:
        return f"<Mean {self.mean:g} of {self.count}>"

    def add(self, value: float) -> None:
        """Add a value."""
        self.count += 1
        change = value - self.mean
        self.mean += change / self.count
        self._squares += change * (value - self.mean)

    @property
    def variance(self) -> float:
        """The sample variance. It is NaN with fewer than two values."""
        return self._squares / (self.count - 1) if self.count > 1 else math.nan

    def interval(self, level: float = 0.95) -> Interval:
        """Return the confidence interval of the true mean by Student's t. It is infinite with fewer than two values."""
        upper = _upper(level)
        if self.count < 2:
            return -math.inf, math.inf
        reach = student_quantile(upper, self.count - 1) * math.sqrt(self.variance / self.count)
        return self.mean - reach, self.mean + reach


def proportion(successes: int, trials: int, level: float = 0.95) -> Interval:
    """Return the confidence interval of the true proportion by Wilson's score interval.

    >>> low, high = proportion(8, 10)
    >>> f"{low:.3f} to {high:.3f}"
    '0.490 to 0.943'
    """
    if not 0 <= successes <= trials:
        raise StatsError(f"successes: expected 0 to {trials}, the number of trials, got {successes}")
    z2 = _NORMAL.inv_cdf(_upper(level)) ** 2
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    centre = share + z2 / (2 * trials)
    reach = math.sqrt(z2 * (share * (1 - share) + z2 / (4 * trials)) / trials)
    scale = 1 + z2 / trials
    # Rounding errors would otherwise give limits slightly above 0 and below 1.
    low = 0.0 if successes == 0 else (centre - reach) / scale
    high = 1.0 if successes == trials else (centre + reach) / scale
    return low, high


def _upper(level: float) -> float:
    """Return the probability below the upper limit of a two-sided interval."""
    if not 0 < level < 1:
        raise StatsError(f"level: expected a number between 0 and 1, got {level}")
    return (1 + level) / 2


def student_quantile(p: float, freedom: int) -> float:
    """Return the quantile of Student's t: exact for 1 and 2 degrees of freedom, and from a series for more.

    With four terms (Abramowitz and Stegun, 26.7.5) the error is below 1 % up to a level of 0.99.
    """
    if freedom == 1:
        return math.tan(math.pi * (p - 0.5))
    if freedom == 2:
        return (2 * p - 1) / math.sqrt(2 * p * (1 - p))
    z = _NORMAL.inv_cdf(p)
    g1 = (z**3 + z) / 4
    g2 = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    g3 = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    g4 = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + g1 / freedom + g2 / freedom**2 + g3 / freedom**3 + g4 / freedom**4
