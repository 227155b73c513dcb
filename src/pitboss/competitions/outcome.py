"""The results of a competition from its matches: places, ties, rates with intervals, and pairs."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TypeAlias

from msgspec.structs import replace

from pitboss.competitions.forms import winner
from pitboss.competitions.intervals import AnytimeInterval, Estimate, block_values, fixed_interval
from pitboss.competitions.ranking import Meeting, MeetingSummary, RankBy, Rates, Standing, rank
from pitboss.competitions.results import (
    AdjustedRate,
    CompetitionRecord,
    CompetitionResult,
    DealBlock,
    EntrantResult,
    MatchResult,
    PairResult,
    rounded,
)

FAULTS = ("illegal", "timeouts", "crashes")


def results_of(record: CompetitionRecord) -> CompetitionResult:
    """Return the content of `results.json`."""
    names = [entrant.name for entrant in record.entrants]
    standings = standings_of(record)
    fair = _adjusted_rates(record)
    faults: Counter[tuple[str, str]] = Counter()
    hands, matches = Counter[str](), Counter[str]()
    for match in record.matches:
        for seat in match.seats:
            hands[seat.name] += match.hands
            matches[seat.name] += 1
            for fault in FAULTS:
                faults[seat.name, fault] += getattr(seat, fault)
    return CompetitionResult(
        form=record.form,
        game=record.game,
        hands=sum(match.hands for match in record.matches),
        entrants=tuple(
            [
                EntrantResult(
                    name=standing.name,
                    place=standing.place,
                    tied_with=standing.tied_with,
                    bb_per_100=rounded(standing.bb_per_100) or 0.0,
                    low=rounded(standing.low),
                    high=rounded(standing.high),
                    adjusted=fair[standing.name],
                    hands=hands[standing.name],
                    matches=matches[standing.name],
                    **{fault: faults[standing.name, fault] for fault in FAULTS},
                )
                for standing in standings
            ]
        ),
        pairs=tuple(_pairs(record, names)),
    )


def standings_of(record: CompetitionRecord) -> tuple[Standing, ...]:
    """Return the standings, the best first.

    In a knock-out the round that an entrant reached decides its place; ties are still what the results cannot tell
    apart.
    """
    names = [entrant.name for entrant in record.entrants]
    by: RankBy = record.settings["rank_by"]
    if record.form != "knock_out":
        return rank(names, meetings_of(record), by)
    standings = rank(names, meetings_of(record))
    lost = {
        seat.name: match.round
        for match in record.matches
        for seat in match.seats
        if seat.name != winner_of(match, names)
    }
    order = sorted(standings, key=lambda each: -lost.get(each.name, len(names)))
    places = {each.name: place for place, each in enumerate(order, 1)}
    return tuple(
        [replace(each, place=places[each.name], score=float(len(names) - places[each.name])) for each in order]
    )


def winner_of(match: MatchResult, names: Sequence[str]) -> str:
    """Return the entrant that won a knock-out match; in a draw, the earlier one of the file."""
    one, other = match.seats
    table = names.index(one.name), names.index(other.name)
    return names[winner(table, (one.net, other.net))]


Value: TypeAlias = Callable[[DealBlock], Sequence[float] | None]
"""The chips of a block that count, by seat; None if they are not known."""


def won(block: DealBlock) -> Sequence[float]:
    """Return the chips that were won."""
    return block.net


def adjusted(block: DealBlock) -> Sequence[float] | None:
    """Return the chips with as much luck removed as is known."""
    return block.refined or block.adjusted


def meetings_of(record: CompetitionRecord, value: Value = won) -> list[Meeting]:
    """Return the blocks of all matches, one meeting for all matches of the same entrants.

    Blocks without a value are left out.
    """
    rows: defaultdict[tuple[str, ...], list[tuple[float, ...]]] = defaultdict(list)
    hands: Counter[tuple[str, ...]] = Counter()
    for match in record.matches:
        names = tuple(sorted(match.names))
        order = [match.names.index(name) for name in names]
        for block in match.blocks:
            if (chips := value(block)) is not None:
                scale = 100 / match.big_blind / block.hands
                rows[names].append(tuple([chips[at] * scale for at in order]))
                hands[names] += block.hands
    return [Meeting(names, tuple(blocks), hands[names]) for names, blocks in rows.items()]


def _adjusted_rates(record: CompetitionRecord) -> dict[str, AdjustedRate]:
    rates = Rates([MeetingSummary(meeting) for meeting in meetings_of(record, adjusted)])
    found = {}
    for entrant in record.entrants:
        estimate = rates.rate(entrant.name)
        mean = rounded(estimate.mean) if estimate.blocks else None
        found[entrant.name] = AdjustedRate(mean, rounded(estimate.low), rounded(estimate.high))
    return found


def _pairs(record: CompetitionRecord, names: Sequence[str]) -> list[PairResult]:
    by_pair: defaultdict[tuple[str, str], list[MatchResult]] = defaultdict(list)
    order = {name: at for at, name in enumerate(names)}
    for match in record.matches:
        for one, other in combinations(sorted(match.names, key=lambda name: order[name]), 2):
            by_pair[one, other].append(match)
    pairs = []
    for (a, b), matches in sorted(by_pair.items(), key=lambda item: (order[item[0][0]], order[item[0][1]])):
        estimate = pair_estimate(record, matches, a, b)
        pairs.append(
            PairResult(
                a=a,
                b=b,
                hands=sum(match.hands for match in matches),
                bb_per_100=rounded(estimate.mean) or 0.0,
                low=rounded(estimate.low),
                high=rounded(estimate.high),
                decided=estimate.decided,
            )
        )
    return pairs


def pair_estimate(record: CompetitionRecord, matches: Sequence[MatchResult], a: str, b: str) -> Estimate:
    """Return what `a` wins against `b`, in big blinds per hundred hands.

    If matches could stop early, the interval is one that allows it.
    """

    def chips(match: MatchResult, block: DealBlock) -> float:
        return (block.net[match.names.index(a)] - block.net[match.names.index(b)]) / 2

    each = [(match, block) for match in matches for block in match.blocks]
    if record.settings["stop_when_decided"]:
        bound = float(record.settings["stack"])
        interval = AnytimeInterval(-bound, bound)
        for match, block in each:
            interval.add(chips(match, block) / block.hands)
        return interval.estimate().scaled(100 / record.settings["big_blind"])
    values = block_values([chips(*one) for one in each], [block.hands for _, block in each])
    return fixed_interval(values).scaled(100 / record.settings["big_blind"])
