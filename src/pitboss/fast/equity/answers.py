"""What is said about an equity, and how it may be asked for."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss.stats import Interval, Mean, proportion

Progress = Callable[[int, int], object]


class EquityError(PitbossError, ValueError):
    """An equity that cannot be asked for."""


class ComboEquity(Struct, frozen=True, kw_only=True):
    """What one hand of a player's range wins against all that the others may hold."""

    hand: str
    weight: float  #: how often it is held beside others of the range
    equity: float
    win: float
    tie: float
    exact: bool
    interval: Interval | None


class Equity(Struct, frozen=True, kw_only=True):
    """What each player wins, in shares of 1, in the order in which they were asked about."""

    equity: tuple[float, ...]  #: the share of the pot, split pots counted as their parts
    win: tuple[float, ...]  #: the share of deals in which the whole pot is won
    tie: tuple[float, ...]  #: the share of deals in which a part of it is won
    exact: bool
    boards: int  #: how many deals of hands and board were counted, or sampled
    interval: tuple[Interval, ...] | None  #: where a sampled equity lies with 95 % confidence
    seconds: float
    parts: dict[str, tuple[float, ...]] | None = None  #: where pots are split, what of the equity each ranking wins
    combos: tuple[tuple[ComboEquity, ...], ...] | None = None  #: where it is asked for, by player, each of his hands


class EquitySettings(NamedTuple):
    """How an equity is worked out."""

    exact: bool | None = None
    samples: int | None = None
    seed: int = 0
    cores: int | None = None
    progress: Progress | None = None


def check_settings(settings: EquitySettings) -> EquitySettings:
    """The same settings, if they can be."""
    if settings.exact and settings.samples is not None:
        raise EquityError("an exact equity takes no samples: give one of the two")
    for what, number in (("samples", settings.samples), ("cores", settings.cores)):
        if number is not None and (type(number) is not int or number < 1):
            raise EquityError(f"{number!r} {what} cannot be: say a whole number from 1 on")
    if not isinstance(settings.seed, int):
        raise EquityError(f"{settings.seed!r} is no seed: say a whole number")
    return settings


def too_many_deals(count: int) -> EquityError:
    """Why deals are not counted."""
    return EquityError(
        f"up to {count:,} deals are possible, too many to count them all: leave out exact, and they are sampled"
    )


def sampled_interval(samples: int, pot: int, total: int, squares: int) -> Interval:
    """Where a share lies with 95 % confidence, given the parts of so many pots that were won, and their squares."""
    if total * total == samples * squares:  # always the same share: how often can it be another one?
        same, _ = proportion(samples, samples)
        low = total / (samples * pot) * same
        return low, low + 1 - same
    low, high = Mean.of_sums(samples, total, squares).interval()
    return max(0.0, low / pot), min(1.0, high / pot)
