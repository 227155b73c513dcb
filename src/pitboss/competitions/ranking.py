"""Places from the results of matches, and the places that cannot be told apart.

An entrant's rate is the average over its matches of big blinds per hundred hands; every match has the same weight. The
interval of a rate has 95 %. The differences between entrants are compared with a larger reach, so that with 95 %
probability no difference is wrong among all of them together (Bonferroni): the standings of thirty equal bots are one
tie in 95 % of competitions.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations
from statistics import NormalDist, fmean
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from pitboss.competitions.intervals import LEVEL, Estimate, further_blocks
from pitboss.stats import student_quantile

RankBy: TypeAlias = Literal["bb_per_100", "wins", "runoff"]
"""What decides the places: winnings, match wins, or winnings with the last entrant removed again and again."""

FEWEST_BLOCKS = 10
"""Fewer blocks in a match decide nothing."""
_MANY = 1000


class Meeting(Struct, frozen=True):
    """All blocks that the same entrants played: per block the rate of each entrant, in big blinds per hundred hands."""

    names: tuple[str, ...]
    blocks: tuple[tuple[float, ...], ...]
    hands: int  #: of all blocks

    @property
    def block_hands(self) -> float:
        """The average number of hands of a block."""
        return self.hands / len(self.blocks)


class EntrantComparison(Struct, frozen=True):
    """The difference between two entrants. `further_hands` in each of their matches would decide it.

    `further_hands` is 0 if the difference is decided, and None if no reasonable number of hands would decide it.
    """

    a: str
    b: str
    difference: float
    low: float
    high: float
    further_hands: int | None

    @property
    def decided(self) -> bool:
        """Whether the interval excludes zero."""
        return self.low > 0 or self.high < 0


class Standing(Struct, frozen=True):
    """The place of an entrant, its score, and its rate in big blinds per hundred hands with a 95 % interval.

    The score is what decides the place: the rate, the share of matches won, or for the run-off the number of entrants
    that were removed before this one. `further_hands` in each match would separate it from its nearest tied neighbour.
    """

    name: str
    place: int
    tied_with: tuple[str, ...]
    score: float
    bb_per_100: float
    low: float
    high: float
    further_hands: int | None


def rank(names: Sequence[str], meetings: Sequence[Meeting], by: RankBy = "bb_per_100") -> tuple[Standing, ...]:
    """Return the standings, the best first. Entrants without a match are last.

    >>> sure = tuple([(30.0, -30.0), (50.0, -50.0)] * 20)
    >>> [(each.name, each.place, each.tied_with) for each in rank(["a", "b"], [Meeting(("b", "a"), sure, 80)])]
    [('b', 1, ()), ('a', 2, ())]
    """
    rates = Rates([MeetingSummary(meeting) for meeting in meetings if meeting.blocks])
    order, scores, tied, further = _FORMS[by](names, rates)
    standings = []
    for place, name in enumerate(order, 1):
        rate = rates.rate(name)
        among = tuple([other for other in order if other != name and frozenset((name, other)) in tied])
        near = min(among, key=lambda other: abs(order.index(other) - place + 1), default=None)
        hands = 0 if near is None else further(name, near)
        standings.append(Standing(name, place, among, scores[name], rate.mean, rate.low, rate.high, hands))
    return tuple(standings)


class MeetingSummary:
    """The means and covariances of one meeting."""

    def __init__(self, meeting: Meeting) -> None:
        self.meeting = meeting
        self.names, self.count, self.block_hands = meeting.names, len(meeting.blocks), meeting.block_hands
        columns = [[*column] for column in zip(*meeting.blocks, strict=True)]
        self.means = {name: fmean(column) for name, column in zip(meeting.names, columns, strict=True)}
        self._centred = {
            name: [value - self.means[name] for value in column]
            for name, column in zip(meeting.names, columns, strict=True)
        }
        self._covariances: dict[tuple[str, str], float] = {}

    def covariance(self, a: str, b: str) -> float:
        """Return the sample covariance of two entrants."""
        key = (a, b) if a <= b else (b, a)
        if key not in self._covariances:
            products = math.fsum(x * y for x, y in zip(self._centred[a], self._centred[b], strict=True))
            self._covariances[key] = products / (self.count - 1)
        return self._covariances[key]

    def variance_of(self, mixture: Mapping[str, float]) -> float:
        """Return the variance of a weighted sum of entrants."""
        total = sum(
            weight * other_weight * self.covariance(name, other)
            for name, weight in mixture.items()
            for other, other_weight in mixture.items()
        )
        return max(0.0, total)

    def among(self, left: Collection[str]) -> "MeetingSummary | None":
        """Return the results against the entrants that are left; None if fewer than two of them played here."""
        at = [at for at, name in enumerate(self.names) if name in left]
        if len(at) in (0, 1, len(self.names)):
            return self if len(at) > 1 else None
        rows = []
        for block in self.meeting.blocks:
            level = fmean([block[each] for each in at])
            rows.append(tuple([block[each] - level for each in at]))
        return MeetingSummary(Meeting(tuple([self.names[each] for each in at]), tuple(rows), self.meeting.hands))


class Rates:
    """The rates of entrants with their variances and covariances, from the blocks of their matches."""

    def __init__(self, summaries: Sequence["MeetingSummary"]) -> None:
        self.summaries = summaries
        self._by_name: defaultdict[str, list[MeetingSummary]] = defaultdict(list)
        for summary in self.summaries:
            for name in summary.names:
                self._by_name[name].append(summary)

    def mean(self, name: str) -> float:
        """Return the rate of an entrant; 0 without a match."""
        return fmean([each.means[name] for each in self._by_name[name]]) if self._by_name[name] else 0.0

    def rate(self, name: str) -> Estimate:
        """Return the rate of an entrant with its interval."""
        mine = self._by_name[name]
        blocks = sum(each.count for each in mine)
        if not mine or min(each.count for each in mine) < 2:
            return Estimate(blocks, self.mean(name), -math.inf, math.inf)
        variance = sum(each.covariance(name, name) / each.count for each in mine) / len(mine) ** 2
        freedom = blocks - len(mine)
        return _around(blocks, self.mean(name), _quantile(LEVEL, freedom) * math.sqrt(variance))

    def compare(self, a: str, b: str, comparisons: int = 1) -> EntrantComparison:
        """Return the difference of two rates, with an interval that holds for this number of comparisons together."""
        first, second = self._by_name[a], self._by_name[b]
        difference = self.mean(a) - self.mean(b)
        weights: defaultdict[int, dict[str, float]] = defaultdict(dict)
        for name, mine, sign in ((a, first, 1), (b, second, -1)):
            for summary in mine:
                weights[id(summary)][name] = sign / len(mine)
        used = {id(summary): summary for summary in (*first, *second)}
        counts = [summary.count for summary in used.values()]
        if not first or not second or min(counts) < FEWEST_BLOCKS:
            return EntrantComparison(a, b, difference, -math.inf, math.inf, None)
        variance = sum(used[key].variance_of(mixture) / used[key].count for key, mixture in weights.items())
        level = 1 - (1 - LEVEL) / max(1, comparisons)
        estimate = _around(min(counts), difference, _quantile(level, min(counts) - 1) * math.sqrt(variance))
        more = further_blocks(estimate)
        hands = max(summary.block_hands for summary in used.values())
        return EntrantComparison(
            a, b, difference, estimate.low, estimate.high, None if more is None else round(more * hands)
        )


def _around(blocks: int, mean: float, reach: float) -> Estimate:
    return Estimate(blocks, mean, mean - reach, mean + reach)


def _quantile(level: float, freedom: int) -> float:
    upper = (1 + level) / 2
    return NormalDist().inv_cdf(upper) if freedom > _MANY else student_quantile(upper, freedom)


# --- the three ways to rank

Further: TypeAlias = Callable[[str, str], int | None]
"""The hands that would decide between two tied entrants."""


class Ranked(NamedTuple):
    """The result of one way to rank."""

    order: list[str]
    scores: dict[str, float]
    tied: Collection[frozenset[str]]
    further: Further


def _order(scores: Mapping[str, float], rates: Rates) -> list[str]:
    """Return the names, the best score first; equal scores by their rates, and equal rates in the order given."""
    return sorted(scores, key=lambda name: (-scores[name], -rates.mean(name)))


def _by_rate(names: Sequence[str], rates: Rates) -> Ranked:
    scores = {name: rates.mean(name) for name in names}
    pairs = [*combinations(names, 2)]
    compared = {frozenset(pair): rates.compare(*pair, comparisons=len(pairs)) for pair in pairs}
    tied = {pair for pair, comparison in compared.items() if not comparison.decided}
    return Ranked(_order(scores, rates), scores, tied, lambda a, b: compared[frozenset((a, b))].further_hands)


def _by_wins(names: Sequence[str], rates: Rates) -> Ranked:
    """Rank by the share of matches won; a draw counts half.

    A match that was won by a small margin could have been lost with other cards. Two entrants are tied unless it is
    nearly certain that the better one wins the greater share in the long run.
    """
    duels = [_Duel.of(summary, a, b) for summary in rates.summaries for a, b in combinations(summary.names, 2)]
    own = {name: [duel for duel in duels if name in (duel.a, duel.b)] for name in names}
    scores = {name: fmean([duel.won_by(name) for duel in own[name]]) if own[name] else 0.0 for name in names}
    pairs = [*combinations(names, 2)]
    tail = (1 - LEVEL) / 2 / max(1, len(pairs))
    tied = set[frozenset[str]]()
    for a, b in pairs:
        better, worse = (a, b) if scores[a] > scores[b] else (b, a)
        if scores[a] == scores[b] or _chance_not_better(better, worse, own) > tail:
            tied.add(frozenset((a, b)))

    def further(a: str, b: str) -> int | None:
        if scores[a] == scores[b]:
            return None
        needed = [duel.further_hands for name in (a, b) for duel in own[name]]
        return max(filter(None, needed), default=None)

    return Ranked(_order(scores, rates), scores, tied, further)


class _Duel(NamedTuple):
    """A match between two entrants: who won, the probability that the first is better, and the hands to decide it."""

    a: str
    b: str
    result: float
    probability: float
    further_hands: int | None

    @classmethod
    def of(cls, summary: MeetingSummary, a: str, b: str) -> "_Duel":
        """Return the match of two entrants in a meeting."""
        mean = summary.means[a] - summary.means[b]
        if summary.count < FEWEST_BLOCKS:
            return cls(a, b, mean, 0.5, None)
        error = math.sqrt(summary.variance_of({a: 1, b: -1}) / summary.count)
        if not error:
            return cls(a, b, mean, 0.5 + ((mean > 0) - (mean < 0)) / 2, 0 if mean else None)
        more = further_blocks(_around(summary.count, mean, _quantile(LEVEL, summary.count - 1) * error))
        hands = None if more is None else round(more * summary.block_hands)
        return cls(a, b, mean, NormalDist().cdf(mean / error), hands)

    def won_by(self, name: str) -> float:
        """Return 1 for a win, one half for a draw and 0 for a loss."""
        sign = (self.result > 0) - (self.result < 0)
        return (1 + (sign if name == self.a else -sign)) / 2

    def probability_of(self, name: str) -> float:
        """Return the probability that this entrant is the better one of the match."""
        return self.probability if name == self.a else 1 - self.probability


def _chance_not_better(better: str, worse: str, own: Mapping[str, Sequence[_Duel]]) -> float:
    """Return the probability that `better` does not win a greater share of its matches than `worse`."""
    shared = [duel for duel in own[better] if worse in (duel.a, duel.b)]
    counts = [_win_counts(name, [duel for duel in own[name] if duel not in shared]) for name in (better, worse)]
    played = [max(1, len(own[name])) for name in (better, worse)]
    return math.fsum(
        p * q * r
        for wins, p in enumerate(counts[0])
        for others, q in enumerate(counts[1])
        for between, r in enumerate(_win_counts(better, shared))
        if (wins + between) * played[1] <= (others + len(shared) - between) * played[0]
    )


def _win_counts(name: str, duels: Iterable[_Duel]) -> list[float]:
    """Return the probability of every number of wins."""
    counts = [1.0]
    for duel in duels:
        p = duel.probability_of(name)
        counts = [
            (counts[k] * (1 - p) if k < len(counts) else 0.0) + (counts[k - 1] * p if k else 0.0)
            for k in range(len(counts) + 1)
        ]
    return counts


def _by_runoff(names: Sequence[str], rates: Rates) -> Ranked:
    """Rank by removing the entrant with the lowest rate against those that are left, until one is left.

    An entrant is tied with those that are left and whose rate cannot be told apart from its own at that moment.
    """
    left, removed = list(names), list[str]()
    tied, further = set[frozenset[str]](), dict[frozenset[str], int | None]()
    comparisons = len(names) * (len(names) - 1) // 2
    while left:
        among = Rates([*filter(None, [summary.among(left) for summary in rates.summaries])])
        last = min(reversed(left), key=lambda name: (among.mean(name), rates.mean(name)))
        left.remove(last)
        removed.append(last)
        for other in left:
            comparison = among.compare(other, last, comparisons)
            further[frozenset((other, last))] = comparison.further_hands
            if not comparison.decided:
                tied.add(frozenset((other, last)))
    scores = {name: float(number) for number, name in enumerate(removed)}
    return Ranked(removed[::-1], scores, tied, lambda a, b: further[frozenset((a, b))])


_FORMS: dict[RankBy, Callable[[Sequence[str], Rates], Ranked]] = {
    "bb_per_100": _by_rate,
    "wins": _by_wins,
    "runoff": _by_runoff,
}
