"""What chips are worth in tournament prizes, by the independent chip model of Malmuth and Harville.

A player's probability of first place is their share of the chips. For second place it is their share of the chips
without those of the winner, and so on. All finishing orders are counted, and orders with the same players in front are
counted together. If that takes too long, orders are sampled.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from heapq import nsmallest
from importlib import import_module
from typing import Any

from msgspec import Struct

from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.stats import Interval, Mean

STEPS, ARRAY_STEPS, MOST_IN_ARRAY = 1_500_000, 60_000_000, 21
"""The maximum number of steps in plain code and in arrays, and the maximum number of players in arrays."""
SAMPLES = 20_000
MOST_PLAYERS = 100_000


class IcmError(PitbossError, ValueError):
    """Invalid stacks or payouts.

    >>> from pitboss import icm
    >>> icm([500, -1], [70])
    Traceback (most recent call last):
    pitboss.IcmError: stacks: expected numbers from 0, got -1
    """


class Icm(Struct, frozen=True, kw_only=True):
    """What each stack is worth, in the payouts' own unit and in the order of the stacks.

    >>> from pitboss import icm
    >>> [round(share, 2) for share in icm([500, 300, 200], [70, 30]).equity]
    [45.18, 32.25, 22.57]
    """

    equity: tuple[float, ...]
    exact: bool  #: whether every finishing order was counted; the values are then exact up to the rounding of floats
    samples: int = 0  #: the number of orders that were sampled instead
    interval: tuple[Interval, ...] | None = None  #: the 95 % confidence intervals of sampled values


def icm(
    stacks: Iterable[float | str],
    payouts: Iterable[float | str],
    *,
    exact: bool | None = None,
    samples: int | None = None,
    seed: int = 0,
) -> Icm:
    """Return what each stack is worth if first place wins the first payout, second place the second, and so on.

    >>> [round(worth, 2) for worth in icm((5000, 3000, 2000), (50, 30, 20)).equity]
    [38.39, 32.75, 28.86]

    All finishing orders are counted if that takes at most about a second: for up to about twenty players, or more if
    few places are paid. Otherwise, or if `samples` is given, orders are sampled, the same ones for the same seed.
    """
    chips, prizes = _amounts(stacks, "stacks"), _amounts(payouts, "payouts")
    if 0 in chips:
        raise IcmError("stacks: expected numbers above 0, got 0: leave out players without chips, who are out already")
    if not 1 <= len(chips) <= MOST_PLAYERS:
        raise IcmError(f"stacks: expected 1 to {MOST_PLAYERS}, got {len(chips)}")
    if not 1 <= len(prizes) <= len(chips):
        raise IcmError(f"payouts: expected one per paid place, 1 to {len(chips)} of them, got {len(prizes)}")
    if exact and samples is not None:
        raise IcmError("expected exact or samples, got both")
    if samples is not None and (type(samples) is not int or samples < 2):
        raise IcmError(f"samples: expected a whole number from 2, got {samples!r}")
    steps = _steps(len(chips), len(prizes))
    if samples is None and exact is not False:
        if steps <= STEPS:
            return Icm(equity=tuple(_count(chips, prizes)), exact=True)
        if len(chips) <= MOST_IN_ARRAY and steps <= ARRAY_STEPS and (numpy := _numpy()) is not None:
            return Icm(equity=tuple(_count_in_arrays(numpy, chips, prizes)), exact=True)
        if exact:
            raise IcmError(
                f"{len(chips)} stacks and {len(prizes)} payouts take about {steps:.0e} steps to count: "
                "leave out exact to sample finishing orders"
            )
    return _sample(chips, prizes, samples or SAMPLES, seed)


def _amounts(given: Any, what: str) -> list[float]:
    """Return numbers from 0."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise IcmError(f"{what}: expected a list of numbers, got {given!r:.40}")
    amounts = []
    for amount in given:
        try:
            number = float(amount)
        except (TypeError, ValueError, OverflowError):
            raise IcmError(f"{what}: expected numbers, got {amount!r:.40}") from None
        if not math.isfinite(number) or number < 0:
            raise IcmError(f"{what}: expected numbers from 0, got {amount!r}")
        amounts.append(number)
    return amounts


def _steps(players: int, places: int) -> float:
    """Return the approximate number of steps to count all orders of the paid places."""
    return sum([math.comb(players, taken) * (players - taken) for taken in range(min(places, 40))], 0.0)


def _count(stacks: Sequence[float], payouts: Sequence[float]) -> list[float]:
    """Return the mean prize of each player, computed place by place from the probability of each set in front."""
    total = math.fsum(stacks)
    values: list[list[float]] = [[] for _ in stacks]
    fronts = {
        0: (1.0, total)
    }  # the key has the players in front as bits; the value is the probability and the chips of the others
    for payout in payouts:
        following: dict[int, tuple[float, float]] = {}
        for front, (likely, left) in fronts.items():
            for player, stack in enumerate(stacks):
                bit = 1 << player
                if not front & bit:
                    part = likely * stack / left
                    values[player].append(part * payout)
                    before = following.get(front | bit)
                    following[front | bit] = (part, left - stack) if before is None else (before[0] + part, before[1])
        fronts = following
    return [math.fsum(parts) for parts in values]


def _count_in_arrays(numpy: Any, stacks: Sequence[float], payouts: Sequence[float]) -> list[float]:
    """Do the same as `_count` with arrays that have an entry for every set of players."""
    players = len(stacks)
    sets = numpy.arange(1 << players, dtype=numpy.int64)
    left, sizes = numpy.full(1 << players, math.fsum(stacks)), numpy.zeros(1 << players, numpy.int8)
    for player, stack in enumerate(stacks):
        held = (sets >> player & 1).astype(bool)
        left[held] -= stack
        sizes[held] += 1
    likely = numpy.zeros(1 << players)
    likely[0] = 1.0
    values = [0.0] * players
    for place, payout in enumerate(payouts):
        fronts = sets[sizes == place]
        shares = likely[fronts] / left[fronts]
        for player, stack in enumerate(stacks):
            free = (fronts >> player & 1) == 0
            parts = shares[free] * stack
            likely[fronts[free] | 1 << player] += parts
            values[player] += float(parts.sum()) * payout
    return values


def _sample(stacks: Sequence[float], payouts: Sequence[float], samples: int, seed: int) -> Icm:
    """Sample finishing orders: players finish by random times, which are shorter on average with more chips."""
    chance = Chance(seed)
    taken = [[0] * len(payouts) for _ in stacks]  # by player and place, the number of orders
    for _ in range(samples):
        waits = [(-math.log1p(-chance.uniform()) / stack, player) for player, stack in enumerate(stacks)]
        for place, (_, player) in enumerate(nsmallest(len(payouts), waits)):
            taken[player][place] += 1
    scale = math.lcm(*[Fraction(payout).denominator for payout in payouts])
    prizes = [int(Fraction(payout) * scale) for payout in payouts]
    means = [Mean.of_sums(samples, *_sums(counts, prizes)) for counts in taken]
    return Icm(
        equity=tuple([mean.mean / scale for mean in means]),
        exact=False,
        samples=samples,
        interval=tuple([(low / scale, high / scale) for low, high in [mean.interval() for mean in means]]),
    )


def _sums(counts: Sequence[int], prizes: Sequence[int]) -> tuple[int, int]:
    """Return the sums of the prizes won and of their squares."""
    won = list(zip(counts, prizes, strict=True))
    return sum([count * prize for count, prize in won]), sum([count * prize * prize for count, prize in won])


def _numpy() -> Any:
    """Return NumPy if it is installed."""
    try:
        return import_module("numpy")
    except ImportError:
        return None
