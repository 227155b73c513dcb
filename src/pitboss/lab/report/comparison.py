"""Two games side by side: the rules that differ in words, and the measures with their intervals."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from pitboss.lab.genome.parts import Genome
from pitboss.lab.measures.measure import NAMES, Measure, Measured, measure
from pitboss.lab.report.ablation import Change, changes
from pitboss.lab.report.differences import differences
from pitboss.stats import Mean

REPEATS = 10


class Compared(Struct, frozen=True):
    """A measure of two games."""

    one: Measure
    other: Measure
    change: Change  #: from the first to the second


class GameComparison(Struct, frozen=True):
    """All that was compared."""

    rules: tuple[str, ...]  #: what the second game does differently from the first
    measures: dict[str, Compared]


def compare_games(
    one: Genome, other: Genome, *, games: int = 50, seed: int = 0, step: Callable[[], object] = lambda: None
) -> GameComparison:
    """Compare two games, each measured ten times over so many games; calls `step` after each time."""
    rows = [list[Measured](), list[Measured]()]
    for again in range(REPEATS):
        for row, genome in zip(rows, (one, other), strict=True):
            row.append(measure(genome, games=games, seed=seed + again))
            step()
    by_name = {change.measure: change for change in changes(rows[0], rows[1], NAMES)}
    measures = {name: Compared(_spread(rows[0], name), _spread(rows[1], name), by_name[name]) for name in NAMES}
    return GameComparison(tuple([difference.words for difference in differences(other, one)]), measures)


def _spread(row: Sequence[Measured], name: str) -> Measure:
    mean = Mean([measured.measures[name].mean for measured in row])
    return Measure(mean.mean, *mean.interval())
