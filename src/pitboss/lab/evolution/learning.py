"""What ratings teach: qualities that people's stars go with count more in the next run, others less.

How far a weight moves follows from the correlation of a quality with the stars, over the games that were rated; the
fewer ratings, the less. It is at most doubled or halved.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path

from msgspec import Struct

from pitboss.lab.evolution.archive import Cell, EvolutionError, read_archive
from pitboss.lab.evolution.styles import QUALITIES, Quality
from pitboss.lab.ratings import read_ratings

LEAST_GAMES = 3
HALFWAY = 6
"""With so many rated games a weight moves half as far as with very many."""
DIGITS = 4


class Lesson(Struct, frozen=True, kw_only=True):
    """What a quality's weight was and is, and how it went with the stars."""

    quality: str
    before: float
    after: float
    correlation: float


def learned(folder: Path, weights: Mapping[str, float]) -> tuple[dict[str, float], list[Lesson], int]:
    """The weights after what was rated in a folder, each lesson, and how many games were rated."""
    cells = {cell.name: cell for cell in read_archive(folder).cells}
    stars = defaultdict[str, list[int]](list)
    for rating in read_ratings(folder).given:
        if rating.game in cells:
            stars[rating.game].append(rating.stars)
    if len(stars) < LEAST_GAMES:
        raise EvolutionError(
            f"{folder} has ratings of {len(stars)} of its games, and fewer than {LEAST_GAMES} teach nothing: "
            "rate some with `pitboss lab play`, or leave --learn out"
        )
    rated = [(cells[name], sum(given) / len(given)) for name, given in sorted(stars.items())]
    lessons = [_lesson(name, weight, rated) for name, weight in weights.items()]
    return {lesson.quality: lesson.after for lesson in lessons}, lessons, len(rated)


def _lesson(name: str, weight: float, rated: Sequence[tuple[Cell, float]]) -> Lesson:
    quality = QUALITIES[name]
    asked = [(cell, stars) for cell, stars in rated if _has(cell, quality)]
    found = correlation([quality.of(cell.measures) for cell, _ in asked], [stars for _, stars in asked])
    sure = len(asked) / (len(asked) + HALFWAY)
    after = weight * 2 ** (found * sure)
    return Lesson(quality=name, before=weight, after=round(after, DIGITS), correlation=round(found, DIGITS))


def _has(cell: Cell, quality: Quality) -> bool:
    """Whether a game says something of a quality: one measured by an older version may lack what it is reckoned of."""
    return quality.measure in cell.measures and bool(cell.genome.betting_phases or not quality.of_bets)


def correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Pearson's correlation; 0 where one of the two never changes.

    >>> round(correlation([1, 2, 3], [2, 4, 6]), 6), correlation([1, 1, 1], [1, 2, 3])
    (1.0, 0.0)
    """
    if len(first) < LEAST_GAMES:
        return 0.0
    means = sum(first) / len(first), sum(second) / len(second)
    a, b = [one - means[0] for one in first], [one - means[1] for one in second]
    spread = sqrt(sum([one * one for one in a]) * sum([one * one for one in b]))
    return sum([x * y for x, y in zip(a, b, strict=True)]) / spread if spread > 1e-12 else 0.0
