"""What chips are worth in a tournament's prizes: the independent chip model as Malmuth and Harville have it.

Whoever is in takes first place as often as his share of the chips says, second place as often as his share of what is
left without the first, and so on. All finishing orders are counted, those with the same players in front together;
where even that takes long, orders are drawn.
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
"""So many steps are taken one by one, and so many in arrays, which hold every set of up to so many players."""
SAMPLES = 20_000
MOST_PLAYERS = 100_000


class IcmError(PitbossError, ValueError):
    """Stacks or payouts that cannot be."""


class Icm(Struct, frozen=True, kw_only=True):
    """What each stack is worth, in the payouts' own unit and in the order of the stacks."""

    equity: tuple[float, ...]
    exact: bool  #: every finishing order is counted; only the last digits of a float are rounded
    samples: int = 0  #: how many orders were drawn instead
    interval: tuple[Interval, ...] | None = None  #: where a sampled value lies with 95 % confidence


def icm(
    stacks: Iterable[float | str],
    payouts: Iterable[float | str],
    *,
    exact: bool | None = None,
    samples: int | None = None,
    seed: int = 0,
) -> Icm:
    """What each stack is worth where first place is paid the first payout, second place the second, and so on.

    >>> [round(worth, 2) for worth in icm((5000, 3000, 2000), (50, 30, 20)).equity]
    [38.39, 32.75, 28.86]

    All finishing orders are counted where that takes about a second at most: up to some twenty players, or more where
    few places are paid. Else, or when a number of `samples` is given, orders are drawn, the same for the same seed.
    """
    chips = _amounts(stacks, "stack", zero=": who has no chips is out, and has his prize already")
    prizes = _amounts(payouts, "payout")
    if not 1 <= len(chips) <= MOST_PLAYERS:
        raise IcmError(f"a tournament is worked out for 1 to {MOST_PLAYERS} stacks, not for {len(chips)}")
    if not 1 <= len(prizes) <= len(chips):
        raise IcmError(f"{len(prizes)} payouts do not go with {len(chips)} stacks: say one for each paid place")
    if exact and samples is not None:
        raise IcmError("an exact answer takes no samples: give one of the two")
    if samples is not None and (type(samples) is not int or samples < 2):
        raise IcmError(f"{samples!r} samples cannot be: say a whole number from 2 on")
    steps = _steps(len(chips), len(prizes))
    if samples is None and exact is not False:
        if steps <= STEPS:
            return Icm(equity=tuple(_count(chips, prizes)), exact=True)
        if len(chips) <= MOST_IN_ARRAY and steps <= ARRAY_STEPS and (numpy := _numpy()) is not None:
            return Icm(equity=tuple(_count_in_arrays(numpy, chips, prizes)), exact=True)
        if exact:
            raise IcmError(
                f"{len(chips)} stacks and {len(prizes)} payouts take some {steps:.0e} steps to count: "
                "leave out exact, and finishing orders are sampled"
            )
    return _sample(chips, prizes, samples or SAMPLES, seed)


def _amounts(given: Any, what: str, *, zero: str = "") -> list[float]:
    """Numbers from 0 on, or more than 0 where it is said why."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise IcmError(f"{what}s are a list of numbers, not {given!r:.40}")
    amounts = []
    for amount in given:
        try:
            number = float(amount)
        except (TypeError, ValueError, OverflowError):
            raise IcmError(f"{amount!r:.40} is no {what}: say a number") from None
        if zero and number == 0:
            raise IcmError(f"{amount!r} is no {what}{zero}")
        if not math.isfinite(number) or number < 0:
            raise IcmError(f"{amount!r} is no {what}: say a number {'more than 0' if zero else 'that is not below 0'}")
        amounts.append(number)
    return amounts


def _steps(players: int, places: int) -> float:
    """About how many steps it takes to count all orders of the paid places."""
    return sum([math.comb(players, taken) * (players - taken) for taken in range(min(places, 40))], 0.0)


def _count(stacks: Sequence[float], payouts: Sequence[float]) -> list[float]:
    """Place after place: how likely each set of players is to be in front, and who comes next."""
    total = math.fsum(stacks)
    values: list[list[float]] = [[] for _ in stacks]
    fronts = {0: (1.0, total)}  # who is in front as bits: how likely, and the chips of all others
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
    """The same with an entry for every set of players, all sets of one size at once."""
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
    """Draw finishing orders: where everybody waits a random time, shorter the more chips he has, the first wins."""
    chance = Chance(seed)
    taken = [[0] * len(payouts) for _ in stacks]  # by player and place, how often
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
    """What was won altogether, and the squares of it."""
    won = list(zip(counts, prizes, strict=True))
    return sum([count * prize for count, prize in won]), sum([count * prize * prize for count, prize in won])


def _numpy() -> Any:
    """NumPy, where it is installed."""
    try:
        return import_module("numpy")
    except ImportError:
        return None
