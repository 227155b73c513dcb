"""Pairs of entrants whose results against each other do not fit their other results: chip dumping and soft play.

Both signs compare a pair with what the matches of the two against all others lead to expect, and measure the deviation
in units of the usual deviation, which has two parts: the luck of the cards, and how far honest pairs deviate because
styles do not add up. Only deviations that are too large for one of all pairs together are reported.

- Chip dumping: one gives its chips to the other. It loses to this opponent much more than the difference between the
  two explains. Expected is the difference of their rates in all other matches.
- Soft play: the two avoid pots against each other. Their pots are much smaller than those of both with others.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import NormalDist, fmean, median
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from pitboss.competitions.ranking import Meeting

Sign: TypeAlias = Literal["chip dumping", "soft play"]

FEWEST_OPPONENTS = 3
"""Both entrants need this many other opponents; otherwise there is nothing to compare with."""
FEWEST_BLOCKS = 20
FALSE_ALARM = 0.001
"""The probability of a report in a competition of honest bots, if deviations are normal; simulations give less."""
SMALL_POTS = 0.5
"""Soft play is only reported if the pots are smaller than this part of what is expected."""
_MAD = 1.4826  # the standard deviation of normal values, divided by their median absolute deviation
_ROUNDS = 60


class SuspiciousPair(Struct, frozen=True):
    """A pair that deviates: what was found and expected, in big blinds per hundred hands, and the deviation's score.

    For chip dumping `a` is the entrant that gained.
    """

    a: str
    b: str
    sign: Sign
    found: float
    expected: float
    score: float
    hands: int

    @property
    def sentence(self) -> str:
        """What was found, as a sentence."""
        if self.sign == "chip dumping":
            return f"{self.b} lost to {self.a} much more than the results of both against others explain"
        return f"{self.a} and {self.b} played much smaller pots against each other than against others"


class PairBlocks(NamedTuple):
    """The blocks of two entrants: what the first won from the second, per block."""

    values: list[float]
    hands: int


def suspicious_pairs(meetings: Sequence[Meeting]) -> list[SuspiciousPair]:
    """Return the pairs that deviate too much, the highest score first."""
    pairs = _pairs(meetings)
    found = [*_dumping(pairs), *_soft_play(pairs)]
    return sorted(found, key=lambda pair: -pair.score)


def can_compare(meetings: Sequence[Meeting]) -> bool:
    """Return whether there is a pair whose results can be compared with those of other pairs."""
    values = dict.fromkeys(_pairs(meetings), 0.0)
    return any(_without(key, values, 1) is not None for key in values)


def _pairs(meetings: Sequence[Meeting]) -> dict[tuple[str, str], PairBlocks]:
    """Return what each entrant won from each other, in big blinds per hundred hands.

    At a table with more players, the losers of a block pay its winners in proportion to what these won.
    """
    found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    hands: defaultdict[tuple[str, str], int] = defaultdict(int)
    for meeting in meetings:
        for one, other in combinations(range(len(meeting.names)), 2):
            a, b = meeting.names[one], meeting.names[other]
            sign, key = (1, (a, b)) if a < b else (-1, (b, a))
            hands[key] += meeting.hands
            for block in meeting.blocks:
                won = sum(value for value in block if value > 0) or 1.0
                flow = max(block[one], 0.0) * max(-block[other], 0.0) - max(block[other], 0.0) * max(-block[one], 0.0)
                found[key].append(sign * flow / won)
    return {key: PairBlocks(values, hands[key]) for key, values in found.items() if len(values) >= FEWEST_BLOCKS}


def _dumping(pairs: Mapping[tuple[str, str], PairBlocks]) -> list[SuspiciousPair]:
    rates = {key: fmean(blocks.values) for key, blocks in pairs.items()}
    errors = {key: _spread(blocks.values) / len(blocks.values) for key, blocks in pairs.items()}
    expected = {key: each for key in pairs if (each := _without(key, rates, -1)) is not None}
    found = []
    for (a, b), score in _scores(rates, errors, expected).items():
        if abs(score) >= _limit(len(expected)):
            gained, gave = (a, b) if score > 0 else (b, a)
            sign = 1 if score > 0 else -1
            found.append(
                SuspiciousPair(
                    gained,
                    gave,
                    "chip dumping",
                    sign * rates[a, b],
                    sign * expected[a, b],
                    abs(score),
                    pairs[a, b].hands,
                )
            )
    return found


def _soft_play(pairs: Mapping[tuple[str, str], PairBlocks]) -> list[SuspiciousPair]:
    sizes = {key: [abs(value) for value in blocks.values] for key, blocks in pairs.items()}
    means = {key: fmean(values) for key, values in sizes.items()}
    floor = 0.01 * max(means.values(), default=0.0) or 1.0  # a pair that never plays a pot
    logs = {key: math.log(mean + floor) for key, mean in means.items()}
    errors = {key: _spread(values) / len(values) / (means[key] + floor) ** 2 for key, values in sizes.items()}
    expected = {key: each for key in pairs if (each := _without(key, logs, 1)) is not None}
    found = []
    for (a, b), score in _scores(logs, errors, expected).items():
        usual = math.exp(expected[a, b]) - floor
        if -score >= _limit(len(expected)) and means[a, b] < SMALL_POTS * usual:
            found.append(SuspiciousPair(a, b, "soft play", means[a, b], usual, -score, pairs[a, b].hands))
    return found


def _without(key: tuple[str, str], values: Mapping[tuple[str, str], float], sign: int) -> float | None:
    """Return the value of a pair that the other pairs of both lead to expect; None with too few other pairs.

    A value is the part of the first and `sign` times the part of the second. The parts of the two come from their pairs
    with all others, and the parts of the others from pairs without these two.
    """
    a, b = key
    own: dict[str, dict[str, float]] = {a: {}, b: {}}
    rest = dict[tuple[str, str], float]()
    for (one, other), value in values.items():
        if {one, other} == {a, b}:
            continue
        if one in own or other in own:
            me, rival, seen = (one, other, value) if one in own else (other, one, sign * value)
            own[me][rival] = seen
        else:
            rest[one, other] = value
    if min(map(len, own.values())) < FEWEST_OPPONENTS:
        return None
    parts = _parts(rest, sign)
    first, second = (
        median([value - sign * parts.get(rival, 0.0) for rival, value in own[name].items()]) for name in (a, b)
    )
    return first + sign * second


def _parts(values: Mapping[tuple[str, str], float], sign: int) -> dict[str, float]:
    """Return each entrant's part of the values of pairs, by repeated averaging."""
    by_name: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    for (one, other), value in values.items():
        by_name[one].append((other, value))
        by_name[other].append((one, sign * value))
    parts = dict.fromkeys(by_name, fmean(values.values()) / 2 if sign > 0 and values else 0.0)
    for _ in range(_ROUNDS):
        renewed = {
            name: fmean([value - sign * parts[other] for other, value in rows]) for name, rows in by_name.items()
        }
        parts = {name: (parts[name] + renewed[name]) / 2 for name in parts}
    return parts


def _scores(
    found: Mapping[tuple[str, str], float],
    errors: Mapping[tuple[str, str], float],
    expected: Mapping[tuple[str, str], float],
) -> dict[tuple[str, str], float]:
    """Return the deviation of each pair, divided by the usual deviation."""
    off = {key: found[key] - mean for key, mean in expected.items()}
    usual = (_MAD * median([abs(value) for value in off.values()])) ** 2 if off else 0.0
    return {key: value / (math.sqrt(errors[key] + usual) or 1.0) for key, value in off.items()}


def _limit(pairs: int) -> float:
    return NormalDist().inv_cdf(1 - FALSE_ALARM / 2 / max(1, 2 * pairs))


def _spread(values: Sequence[float]) -> float:
    mean = fmean(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
