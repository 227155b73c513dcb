"""The settings and the results of an equity calculation."""

from typing import NamedTuple

from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss.fast.threads import Progress
from pitboss.stats import Interval, Mean, proportion


class EquityError(PitbossError, ValueError):
    """An equity that cannot be computed as requested.

    >>> from pitboss import equity
    >>> equity("AhAd")
    Traceback (most recent call last):
    pitboss.EquityError: players: expected 2 to 10, got 1
    """


class ComboEquity(Struct, frozen=True, kw_only=True):
    """The equity of one hand of a player's range against the ranges of the others.

    >>> from pitboss import equity
    >>> answer = equity("AhAd, AhAc", "KsKc", board="2c7d9h", each=True)
    >>> [(combo.hand, round(combo.equity, 3)) for combo in answer.combos[0]]
    [('AhAd', 0.916), ('AhAc', 0.916)]
    """

    hand: str
    weight: float  #: its weight in the range
    equity: float
    win: float
    tie: float
    exact: bool
    interval: Interval | None


class Equity(Struct, frozen=True, kw_only=True):
    """What each player wins, as shares of 1, in the order of the arguments.

    >>> from pitboss import equity
    >>> answer = equity("AhAd", "KsKc", board="2c7d9h")
    >>> answer.exact, answer.boards, [round(share, 3) for share in answer.win]
    (True, 990, [0.916, 0.084])
    """

    equity: tuple[float, ...]  #: the share of the pot, including the parts of split pots
    win: tuple[float, ...]  #: the share of deals in which the whole pot is won
    tie: tuple[float, ...]  #: the share of deals in which a part of the pot is won
    exact: bool
    boards: int  #: the number of deals of hands and board that were counted or sampled
    interval: tuple[Interval, ...] | None  #: the 95 % confidence interval of a sampled equity
    seconds: float
    parts: dict[str, tuple[float, ...]] | None = None  #: in split-pot games, the part of the equity from each ranking
    combos: tuple[tuple[ComboEquity, ...], ...] | None = None  #: with `each`, by player, all hands of the range


class EquitySettings(NamedTuple):
    """How to compute an equity."""

    exact: bool | None = None
    samples: int | None = None
    seed: int = 0
    cores: int | None = None
    progress: Progress | None = None
    compiled: bool | None = None  # compiled loops, plain loops, or compiled loops if loading them pays


def check_settings(settings: EquitySettings) -> EquitySettings:
    """Return the settings, or raise an error if they are invalid."""
    if settings.exact and settings.samples is not None:
        raise EquityError("expected exact or samples, got both")
    for what, number in (("samples", settings.samples), ("cores", settings.cores)):
        if number is not None and (type(number) is not int or number < 1):
            raise EquityError(f"{what}: expected a whole number from 1, got {number!r}")
    if not isinstance(settings.seed, int):
        raise EquityError(f"seed: expected a whole number, got {settings.seed!r}")
    return settings


def too_many_deals(count: int) -> EquityError:
    """Return the error for an exact equity with too many deals."""
    return EquityError(f"there are up to {count:,} possible deals, too many to count: leave out exact to sample them")


def sampled_interval(samples: int, pot: int, total: int, squares: int) -> Interval:
    """Return the 95 % confidence interval of a share.

    `total` is the sum of the won parts of pots, and `squares` the sum of the squares of these parts.
    """
    if total * total == samples * squares:  # every sample has the same share, so use the interval of its frequency
        same, _ = proportion(samples, samples)
        low = total / (samples * pot) * same
        return low, low + 1 - same
    low, high = Mean.of_sums(samples, total, squares).interval()
    return max(0.0, low / pot), min(1.0, high / pot)
