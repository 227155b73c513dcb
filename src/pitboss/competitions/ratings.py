"""Ratings of entrants from who won each match, by the Bradley–Terry model of openskill, with intervals.

A rating says how likely an entrant is to win a match. It does not depend on how many chips a match was won by, so the
standings are by bb/100 and a rating is only a column next to them.

openskill is optional: without it there are no ratings.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

NORMAL_95 = 1.96
"""Standard deviations on each side of a normal distribution's middle 95 %."""


class EntrantRating(NamedTuple):
    """A rating with its 95 % interval. An entrant without a match has 25 ± 16."""

    value: float
    low: float
    high: float


def rate(names: Sequence[str], matches: Iterable[Mapping[str, float]]) -> dict[str, EntrantRating] | None:
    """Return the rating of every entrant from the results of all matches, or None without openskill.

    A match gives each of its entrants a result; equal results are a draw.

    >>> ratings = rate(["a", "b"], [{"a": 300, "b": -300}, {"a": 100, "b": -100}])
    >>> ratings["a"].low > ratings["b"].low and ratings["a"].value > 25 > ratings["b"].value
    True
    """
    try:
        from openskill.models import BradleyTerryFull
    except ModuleNotFoundError:
        return None
    model = BradleyTerryFull()
    ratings = {name: model.rating(name=name) for name in names}
    for match in matches:
        teams = [[ratings[name]] for name in match]
        for name, (rating,) in zip(match, model.rate(teams, scores=[*match.values()]), strict=True):
            ratings[name] = rating
    half = {name: NORMAL_95 * rating.sigma for name, rating in ratings.items()}
    return {name: EntrantRating(each.mu, each.mu - half[name], each.mu + half[name]) for name, each in ratings.items()}
