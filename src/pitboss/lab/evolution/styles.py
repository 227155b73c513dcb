"""Styles of games, and weights learned from players' ratings."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import exp, log, sqrt
from pathlib import Path

from msgspec import Struct

from pitboss.lab.evolution.archive import Cell, EvolutionError, read_archive
from pitboss.lab.measures.figures import Measure
from pitboss.lab.ratings import read_ratings

DIGITS = 6
NEARLY_NOTHING = 0.01
ABOUT_BETS = 2.0
"""The minimum weight with which a style applies a quality of betting to every game, also to games without betting."""
WITHOUT_BETS = 0.5
"""The value of a quality of betting in a game without betting. It is average, so it is not a disadvantage."""
LEAST_GAMES = 3
HALFWAY = 6
"""The number of rated games with which a weight moves half as far as with very many."""
DECIMALS = 4


class Quality(Struct, frozen=True, kw_only=True):
    """A measure as a quality. The quality is 0 at `none` and 1 at `full`, and `full` can be the smaller number."""

    measure: str
    none: float
    full: float
    of_bets: bool = False  #: applies only to games with betting, unless the style is about betting

    def of(self, measures: Mapping[str, Measure]) -> float:
        """Return the quality of a game, from 0 to 1."""
        found = measures[self.measure]
        worse = found.low if self.full > self.none else found.high
        value = (found.mean + worse) / 2
        return max(0.0, min(1.0, (value - self.none) / (self.full - self.none)))


QUALITIES = {
    "decisions": Quality(measure="decisions", none=0.0, full=0.6),
    "mattered": Quality(measure="mattered", none=0.0, full=0.3),
    "skill": Quality(measure="skill", none=-0.1, full=0.6),
    "tension": Quality(measure="tension", none=0.0, full=0.7),
    "comeback": Quality(measure="comeback", none=0.0, full=0.5),
    "interaction": Quality(measure="interaction", none=0.0, full=0.6),
    "fairness": Quality(measure="seat_advantage", none=0.4, full=0.05),
    "decisive": Quality(measure="decisive", none=0.3, full=0.9),
    "starts": Quality(measure="start_advantage", none=0.35, full=0.08),
    "plain": Quality(measure="complexity", none=1200, full=350),
    "lean": Quality(measure="parts", none=9, full=3),
    "used": Quality(measure="rule_use", none=0.3, full=0.9),
    "bluffing": Quality(measure="bluffs", none=0.0, full=0.1, of_bets=True),
    "secret": Quality(measure="open_bets", none=0.5, full=0.0, of_bets=True),
    "stakes": Quality(measure="pot", none=0.0, full=0.12, of_bets=True),
}

_ALL = dict.fromkeys(QUALITIES, 1.0)
STYLES: dict[str, dict[str, float]] = {
    "balanced": {**_ALL, "mattered": 2.0, "skill": 1.5, "tension": 2.5, "bluffing": 0.5, "comeback": 0.5},
    "bluffing": {**_ALL, "bluffing": 4.0, "secret": 2.0, "skill": 0.5, "comeback": 0.5},
    "strategic": {**_ALL, "mattered": 3.0, "skill": 3.0, "bluffing": 0.25, "comeback": 0.25, "plain": 0.5},
    "party": {**_ALL, "interaction": 2.0, "tension": 2.0, "comeback": 2.0, "plain": 2.0, "skill": 0.25},
}


def style_named(name: str) -> dict[str, float]:
    """Return the weights of a style. Raise `EvolutionError` if the style does not exist."""
    if name not in STYLES:
        raise EvolutionError(f"style: expected one of {', '.join(STYLES)}, got {name!r}")
    return STYLES[name]


def game_worth(measures: Mapping[str, Measure], bets: bool, weights: Mapping[str, float]) -> float:
    """Return the worth of a game by these weights, from 0 to 1."""
    total = sums = 0.0
    for name, quality in QUALITIES.items():
        weight = weights[name]
        applies = bets or not quality.of_bets or weight >= ABOUT_BETS
        total += weight * log(max(NEARLY_NOTHING, quality.of(measures) if applies else WITHOUT_BETS))
        sums += weight
    return round(exp(total / sums), DIGITS)


class Lesson(Struct, frozen=True, kw_only=True):
    """What was learned about a quality: its old and new weight, and its correlation with the stars."""

    quality: str
    before: float
    after: float
    correlation: float


def learn_weights(folder: Path, weights: Mapping[str, float]) -> tuple[dict[str, float], list[Lesson], int]:
    """Return the weights learned from the ratings in a folder, each lesson, and the number of rated games."""
    cells = {cell.name: cell for cell in read_archive(folder).cells}
    stars = defaultdict[str, list[int]](list)
    for rating in read_ratings(folder).given:
        if rating.game in cells:
            stars[rating.game].append(rating.stars)
    if len(stars) < LEAST_GAMES:
        raise EvolutionError(
            f"{folder}: expected ratings of at least {LEAST_GAMES} games, got {len(stars)}: "
            "rate more with `pitboss lab play`, or omit --learn"
        )
    rated = [(cells[name], sum(given) / len(given)) for name, given in sorted(stars.items())]
    lessons = [_lesson(name, weight, rated) for name, weight in weights.items()]
    return {lesson.quality: lesson.after for lesson in lessons}, lessons, len(rated)


def _lesson(name: str, weight: float, rated: Sequence[tuple[Cell, float]]) -> Lesson:
    quality = QUALITIES[name]
    # An older version may have measured the game without this measure.
    games = [
        (cell, stars)
        for cell, stars in rated
        if quality.measure in cell.measures and (cell.genome.betting_phases or not quality.of_bets)
    ]
    found = correlation([quality.of(cell.measures) for cell, _ in games], [stars for _, stars in games])
    sure = len(games) / (len(games) + HALFWAY)
    after = weight * 2 ** (found * sure)
    return Lesson(quality=name, before=weight, after=round(after, DECIMALS), correlation=round(found, DECIMALS))


def correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Pearson's correlation, or 0 if one of the two is constant.

    >>> round(correlation([1, 2, 3], [2, 4, 6]), 6), correlation([1, 1, 1], [1, 2, 3])
    (1.0, 0.0)
    """
    if len(first) < LEAST_GAMES:
        return 0.0
    means = sum(first) / len(first), sum(second) / len(second)
    a, b = [one - means[0] for one in first], [one - means[1] for one in second]
    spread = sqrt(sum([one * one for one in a]) * sum([one * one for one in b]))
    return sum([x * y for x, y in zip(a, b, strict=True)]) / spread if spread > 1e-12 else 0.0
