"""Timing: processor time of pieces of work taken in turn, and the median and spread of what they give."""

import math
import random
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from benchmarks import recorded as recordings
from benchmarks import stud
from benchmarks.players import Play, pitboss, pokerkit
from pitboss.cards import DECK
from pitboss.formats.phh import read_phhs
from pitboss.ranks import high
from pitboss.records.replay import replay
from pitboss.stats import Mean

GOAL = 40
"""How many times as many hands as PokerKit we want to play in the same time."""
STUD_GOAL = 20
"""The same for plain stud hands."""
RECORDED_GOAL = 3
"""The same for recorded hands, read and replayed."""
RECORDED = Path(__file__).resolve().parents[2] / "shared" / "data" / "phh" / "pluribus.phhs"


class Spread(Struct, frozen=True):
    """A figure measured several times."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, figures: Sequence[float]) -> "Spread":
        """The median, the least and the greatest."""
        return cls(statistics.median(figures), min(figures), max(figures))


class Side(Struct, frozen=True):
    """How one library did."""

    hands: int
    hands_per_second: Spread
    actions_per_hand: float
    microseconds_per_action: float


class Comparison(Struct, frozen=True):
    """Two libraries at the same work; `ratio` is of the rates within a round."""

    rounds: int
    pitboss: Side
    pokerkit: Side
    ratio: Spread
    similar: bool  #: whether their hands are as long as each other's, chance aside


class RecordedHands(Struct, frozen=True):
    """Both libraries at the same recorded hands; `ratio` is of the rates within a round."""

    hands: int
    pitboss: Spread  #: hands a second, read and replayed
    pokerkit: Spread
    ratio: Spread
    same: bool  #: whether all players end with the same stack


class Rate(Struct, frozen=True):
    """Return how often per second something was done, given the pieces per round."""

    pieces: int
    per_second: Spread


class Report(Struct, frozen=True):
    """All figures of a run."""

    play: Comparison
    stud: Comparison  #: hands that are called and checked to the showdown
    random_stud: Comparison
    recorded: RecordedHands | None  #: None: the recorded hands are not here
    replay: Rate | None
    read: Rate | None
    high: Rate


def measure(*, rounds: int, hands: int, pokerkit_hands: int, evaluations: int, recorded: Path) -> Report:
    """Measure everything."""
    records, reading = _recorded(recorded, rounds)
    return Report(
        play=compare((pitboss, hands), (pokerkit, pokerkit_hands), rounds=rounds),
        stud=_stud(stud.PLAIN, rounds, hands, pokerkit_hands),
        random_stud=_stud(stud.RANDOM, rounds, hands, pokerkit_hands),
        recorded=compare_recorded(recorded, rounds, pokerkit_hands),
        replay=records,
        read=reading,
        high=_evaluations(rounds, evaluations),
    )


def _stud(players: tuple[Play, Play], rounds: int, hands: int, pokerkit_hands: int) -> Comparison:
    """Stud's hands are longer, so there are fewer of them."""
    ours, theirs = players
    return compare((ours, max(2, hands // 4)), (theirs, max(2, pokerkit_hands // 4)), rounds=rounds)


def compare(ours: tuple[Play, int], theirs: tuple[Play, int], *, rounds: int) -> Comparison:
    """Let both play some hands in turn, in alternating order, each round with its own seed."""
    works = (ours, theirs)
    for play, count in works:
        play(0, max(1, count // 10))  # once unmeasured: tables loaded, code warm
    seconds: tuple[list[float], list[float]] = ([], [])
    lengths = (Mean(), Mean())
    for seed in range(1, rounds + 1):
        for which in (0, 1) if seed % 2 else (1, 0):
            play, count = works[which]
            begun = time.process_time()
            played = play(seed, count)
            seconds[which].append(time.process_time() - begun)
            for length in played:
                lengths[which].add(length)
    hands = (ours[1], theirs[1])
    here, there = (_side(*both) for both in zip(hands, seconds, lengths, strict=True))
    ratios = [(hands[0] / a) / (hands[1] / b) for a, b in zip(*seconds, strict=True)]
    return Comparison(rounds, here, there, Spread.of(ratios), _similar(*lengths))


def compare_recorded(file: Path, rounds: int, hands: int) -> RecordedHands | None:
    """Let both read and replay the first hands of a file, in turn, the one first that came second before."""
    if not file.exists():
        return None
    text = recordings.first_hands(file.read_text(encoding="utf-8"), hands)
    works = (recordings.pitboss, recordings.pokerkit)
    ends = [work(text) for work in works]  # once unmeasured: tables loaded, code warm
    rates: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds):
        for which in (0, 1) if number % 2 else (1, 0):
            begun = time.process_time()
            played = works[which](text)
            rates[which].append(len(played) / (time.process_time() - begun))
    ratio = Spread.of([ours / theirs for ours, theirs in zip(*rates, strict=True)])
    return RecordedHands(len(ends[0]), Spread.of(rates[0]), Spread.of(rates[1]), ratio, ends[0] == ends[1])


def _side(hands: int, seconds: list[float], lengths: Mean) -> Side:
    rates = Spread.of([hands / each for each in seconds])
    return Side(hands, rates, lengths.mean, 1e6 / (rates.median * lengths.mean))


def _similar(ours: Mean, theirs: Mean) -> bool:
    """Return whether two mean lengths differ by at most four standard errors."""
    error = math.sqrt(ours.variance / ours.count + theirs.variance / theirs.count)
    return abs(ours.mean - theirs.mean) <= 4 * error


def _recorded(file: Path, rounds: int) -> tuple[Rate | None, Rate | None]:
    """How fast a file of hands is replayed once read, and read."""
    if not file.exists():
        return None, None
    text = file.read_text(encoding="utf-8")
    replaying, reading = [], []
    for _ in range(min(rounds, 3)):
        begun = time.process_time()
        hands = read_phhs(text)
        between = time.process_time()
        for _, record in hands:
            replay(record)
        replaying.append(len(hands) / (time.process_time() - between))
        reading.append(len(hands) / (between - begun))
    return Rate(len(hands), Spread.of(replaying)), Rate(len(hands), Spread.of(reading))


def _evaluations(rounds: int, count: int) -> Rate:
    """How fast the best five of seven cards are ranked, the cards drawn beforehand."""
    draw = random.Random(1)
    holdings = [tuple(draw.sample(DECK, 7)) for _ in range(count)]
    rates = []
    for _ in range(rounds):
        begun = time.process_time()
        for holding in holdings:
            high(holding)
        rates.append(count / (time.process_time() - begun))
    return Rate(count, Spread.of(rates))
