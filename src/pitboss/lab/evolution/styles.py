"""What a game is worth: its qualities, each from 0 to 1, multiplied with the weights of a style.

They are multiplied and not added: a game without decisions that matter is worth nothing, however tense it is. A quality
is reckoned half from its mean and half from the end of its interval that is worse, so that luck is not bred.
"""

from collections.abc import Mapping
from math import exp, log

from msgspec import Struct

from pitboss.lab.evolution.archive import EvolutionError
from pitboss.lab.measures.measure import Measure

DIGITS = 6
NEARLY_NOTHING = 0.01


class Quality(Struct, frozen=True, kw_only=True):
    """How a measure counts: nothing at `none`, all there is at `full`, which may lie below."""

    measure: str
    none: float
    full: float
    of_bets: bool = False  #: asked only of games with betting, unless the style is about bets

    def of(self, measures: Mapping[str, Measure]) -> float:
        """From 0 to 1."""
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
ABOUT_BETS = 2.0
"""A style that gives a quality of bets such a weight asks it of every game."""
WITHOUT_BETS = 0.5
"""What a quality of bets counts in a game without any: as middling bets do, so that leaving them out does not pay."""


def style_named(name: str) -> dict[str, float]:
    """The weights of a style; raises `EvolutionError`."""
    if name not in STYLES:
        raise EvolutionError(f"there is no style {name!r}: there are {', '.join(STYLES)}")
    return STYLES[name]


def worth(measures: Mapping[str, Measure], bets: bool, weights: Mapping[str, float]) -> float:
    """What a game is worth by these weights, from 0 to 1."""
    total = sums = 0.0
    for name, quality in QUALITIES.items():
        weight = weights[name]
        asked = bets or not quality.of_bets or weight >= ABOUT_BETS
        total += weight * log(max(NEARLY_NOTHING, quality.of(measures) if asked else WITHOUT_BETS))
        sums += weight
    return round(exp(total / sums), DIGITS)
