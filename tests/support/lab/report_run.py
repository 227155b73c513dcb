"""A small run of the lab for tests of reports: a few known games in the cells of a map, one with a hostile name."""

from pathlib import Path

from msgspec.structs import replace

from pitboss.lab.evolution.archive import Cell, GameArchive, Recipe, write_archive
from pitboss.lab.files import load
from pitboss.lab.genome import Genome
from pitboss.lab.measures.figures import Measure
from pitboss.lab.measures.small_games import Solved

HOSTILE = "<b>kuhn</b> & '../x'"
SOLVED = Solved(
    miniature="three cards",
    unit="chips",
    value=-0.125,
    bluffing=0.25,
    information_sets=12,
    exploitability={"greedy": 0.5},
)
"""Replaces a solution: finding one takes seconds, and `tests/lab/measures` does it."""


def solve_quickly(genome: Genome) -> Solved | None:
    """Solve nothing, and report that for games with bets only."""
    return SOLVED if genome.betting_phases else None


def write_run(folder: Path) -> GameArchive:
    """Three games: two that bet, of which one is called what no file can be, and one that does not."""
    cells = (
        _cell("leduc", (2, 3), skill=0.2, tension=0.7),
        _cell("crazy_eights", (5, 6), skill=0.6, tension=0.4),
        _cell("kuhn", (7, 1), HOSTILE, skill=0.1, tension=0.5),
    )
    archive = GameArchive(recipe=Recipe(), generation=3, judged=7, cells=cells)
    write_archive(folder, archive)
    return archive


def _cell(known: str, cell: tuple[int, int], name: str = "", **means: float) -> Cell:
    genome = replace(load(known), name=name or f"fine_{known}")
    measures = {measure: Measure(mean, mean - 0.05, mean + 0.05) for measure, mean in means.items()}
    return Cell(cell=cell, genome=genome, measures=measures, lineage=(known,), operators=("ChangeName",))
