"""The axes of the map: which measure each stands for, and where its cells begin and end."""

from collections.abc import Mapping
from math import log
from typing import Protocol

from msgspec import Struct

from pitboss.lab.evolution.archive import EvolutionError


class HasMean(Protocol):
    """Whatever has a mean."""

    @property
    def mean(self) -> float: ...


class Axis(Struct, frozen=True, kw_only=True):
    """A measure from the least to the greatest that the map tells apart; what lies beyond is in its last cells."""

    measure: str
    least: float
    most: float
    ratios: bool = False  #: cells are as far apart as their ratios: twice as long is a step, wherever it is
    says: str = ""

    def place(self, measures: Mapping[str, HasMean]) -> float:
        """Where a game stands, from 0 to 1."""
        value = min(self.most, max(self.least, measures[self.measure].mean))
        if self.ratios:
            return log(value / self.least) / log(self.most / self.least)
        return (value - self.least) / (self.most - self.least)


AXES = {
    "skill": Axis(measure="skill", least=0.0, most=1.0, says="from luck to skill"),
    "length": Axis(measure="length", least=8, most=400, ratios=True, says="turns a game"),
    "bluffing": Axis(measure="bluffs", least=0.0, most=0.24, says="deals in which a bet took a pot it would have lost"),
    "interaction": Axis(measure="interaction", least=0.0, most=1.0, says="choices that change what others can do"),
    "complexity": Axis(measure="complexity", least=250, most=1000, ratios=True, says="words in the rulebook"),
    "betting": Axis(measure="bet_share", least=0.0, most=1.0, says="choices that are bets"),
}


def axes_named(names: tuple[str, ...]) -> tuple[Axis, Axis]:
    """The two axes of these names; raises `EvolutionError`."""
    for name in names:
        if name not in AXES:
            raise EvolutionError(f"there is no axis {name!r}: there are {', '.join(AXES)}")
    if len(names) != 2 or names[0] == names[1]:
        raise EvolutionError("a map has two axes that differ, such as skill,length")
    return AXES[names[0]], AXES[names[1]]
