"""The map of a run: its axes, its cells, and the game that holds each cell."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import Any, Protocol

from msgspec import Struct
from ribs.archives import GridArchive

from pitboss.lab.evolution.archive import SIZE, Cell, EvolutionError, Recipe
from pitboss.lab.evolution.constraints import Constraints
from pitboss.lab.genome import Genome, mechanic

GAMES_A_CHILD, ALWAYS_ALLOWED = 10, 2
"""A parent has at most one in `GAMES_A_CHILD` games of the map, but `ALWAYS_ALLOWED` games in any case."""
BETTING_SHARE = 0.5
"""The minimum share of games with betting, if betting is allowed."""
ALIKE_SHARE = 0.3
"""The maximum share of games with the same aim, and of games with the same mechanic."""


class HasMean(Protocol):
    """An object with a mean."""

    @property
    def mean(self) -> float: ...


class Axis(Struct, frozen=True, kw_only=True):
    """A measure and the range that the map shows. Games outside of the range go to the first or the last cells."""

    measure: str
    least: float
    most: float
    ratios: bool = False  #: a logarithmic axis
    says: str = ""

    def place(self, measures: Mapping[str, HasMean]) -> float:
        """Return the position of a game, from 0 to 1."""
        value = min(self.most, max(self.least, measures[self.measure].mean))
        if self.ratios:
            return log(value / self.least) / log(self.most / self.least)
        return (value - self.least) / (self.most - self.least)


AXES = {
    "skill": Axis(measure="skill", least=0.0, most=1.0, says="from luck to skill"),
    "length": Axis(measure="length", least=8, most=400, ratios=True, says="turns per game"),
    "bluffing": Axis(measure="bluffs", least=0.0, most=0.24, says="deals with a bet that won a pot it would have lost"),
    "interaction": Axis(measure="interaction", least=0.0, most=1.0, says="choices that change what others can do"),
    "complexity": Axis(measure="complexity", least=250, most=1000, ratios=True, says="words in the rulebook"),
    "betting": Axis(measure="bet_share", least=0.0, most=1.0, says="choices that are bets"),
}


def axes_named(names: tuple[str, ...]) -> tuple[Axis, Axis]:
    """Return the two axes of these names. Raise `EvolutionError` if the names are not valid."""
    for name in names:
        if name not in AXES:
            raise EvolutionError(f"axes: expected two of {', '.join(AXES)}, got {name!r}")
    if len(names) != 2 or names[0] == names[1]:
        raise EvolutionError(f"axes: expected two different axes such as skill,length, got {','.join(names)}")
    return AXES[names[0]], AXES[names[1]]


class GameMap:
    """The cells of a run, stored in an archive of the package `ribs`."""

    def __init__(self, recipe: Recipe, cells: Iterable[Cell] = ()) -> None:
        import numpy as np

        self.recipe, self.axes = recipe, axes_named(recipe.axes)
        self._grid = GridArchive(
            solution_dim=0,
            dims=(SIZE, SIZE),
            ranges=[(0.0, 1.0), (0.0, 1.0)],
            extra_fields={"game": ((), object)},
            dtype=np.float64,
        )
        self._put(list(cells))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The games on the map, in the order of their cells."""
        return tuple(sorted(self._grid.data("game"), key=lambda one: one.cell))

    def where(self, measures: Mapping[str, HasMean]) -> tuple[int, int]:
        """Return the cell of a game with these measures."""
        place = self._grid.index_of([self._place(measures)])
        row, column = self._grid.int_to_grid_index(place)[0]
        return int(row), int(column)

    def entering(self, newcomers: Sequence[Cell]) -> list[Cell]:
        """Return the newcomers that would get a cell if they were added now."""
        names = {cell.name for cell in add_newcomers(self.cells, newcomers, self.recipe)}
        return [cell for cell in newcomers if cell.name in names]

    def take_in(self, newcomers: Sequence[Cell]) -> int:
        """Let newcomers compete for cells. Return the number of newcomers that got a cell."""
        before = {cell.name for cell in self.cells}
        self._put(add_newcomers(self.cells, newcomers, self.recipe))
        return len([cell for cell in self.cells if cell.name not in before])

    def _put(self, cells: Sequence[Cell]) -> None:
        self._grid.clear()
        if cells:
            self._grid.add(
                solution=[[] for _ in cells],
                objective=[cell.worth for cell in cells],
                measures=[self._place(cell.measures) for cell in cells],
                game=_objects(cells),
            )

    def _place(self, measures: Mapping[str, HasMean]) -> list[float]:
        return [axis.place(measures) for axis in self.axes]


def add_newcomers(cells: Sequence[Cell], newcomers: Sequence[Cell], recipe: Recipe) -> Sequence[Cell]:
    """Return the games of the map after these newcomers. The map never becomes smaller.

    A newcomer can displace several games: one from its cell, and others because of the limits. If the map would become
    smaller, the newcomers are added one by one, the highest worth first, except those that would make it smaller.
    """
    together = assign_cells([*cells, *newcomers], recipe)
    if len(together) >= len(cells):
        return together
    for one in sorted(newcomers, key=_by_worth):
        held = assign_cells([*cells, one], recipe)
        if len(held) >= len(cells):
            cells = held
    return cells


def assign_cells(candidates: Sequence[Cell], recipe: Recipe) -> list[Cell]:
    """Return the games that get a cell, within the limits. Games of higher worth are chosen first.

    The limits are shares of the final number of games, so they are tightened until that number fits.
    """
    ranked = sorted(candidates, key=_by_worth)
    many = len(ranked)
    while True:
        chosen = _chosen(ranked, recipe, many)
        if len(chosen) >= many:
            return chosen
        many = len(chosen)


def _chosen(ranked: Sequence[Cell], recipe: Recipe, many: int) -> list[Cell]:
    """Return the games of highest worth, one per cell and one per kind, with limits for a map of `many` games."""
    most = max(ALWAYS_ALLOWED, many // GAMES_A_CHILD)
    shared = recipe.betting == "allow" and Constraints(pins=recipe.pins, bans=recipe.bans).may_bet
    plain_left = int(many * (1 - BETTING_SHARE)) if shared else many
    cells, kinds = set[tuple[int, int]](), set[tuple[str, ...]]()
    founders, parents, alike = Counter[str](), Counter[str](), Counter[object]()
    most_alike = max(ALWAYS_ALLOWED, int(many * ALIKE_SHARE)) if not pinned_aim(recipe) else many
    chosen = list[Cell]()
    for one in ranked:
        plain, own = not one.genome.betting_phases, game_kind(one.genome)
        likes = (type(one.genome.win_conditions[0]), mechanic(one.genome))
        crowded = (
            any(alike[like] >= most_alike for like in likes)
            or parents[one.parent] >= most
            or (not recipe.founders and founders[one.founder] >= most)
        )
        if one.cell in cells or own in kinds or crowded or (plain and plain_left <= 0):
            continue
        chosen.append(one)
        cells.add(one.cell)
        kinds.add(own)
        parents[one.parent] += 1
        founders[one.founder] += 1
        alike.update(likes)
        plain_left -= plain
    return chosen


def game_kind(genome: Genome) -> tuple[str, ...]:
    """Return what two games of the same kind have in common: the steps in any order, the rules and the aim.

    >>> from pitboss.lab import load
    >>> game_kind(load("leduc"))
    ('rounds', 'Betting', 'Betting', 'Community', 'BestHand poker')
    >>> game_kind(load("whist"))
    ('rounds', 'Trick following', 'trumps', 'MostTricks')
    """
    rules = sorted({type(rule).__name__ for rule in (*genome.effects, *genome.scoring)})
    steps = sorted([phase.label for phase in genome.turn_structure.phases])
    trumps = ["trumps"] if genome.setup.trump_suit else []
    return (genome.turn_structure.order, *steps, *trumps, *rules, genome.win_conditions[0].label)


def _by_worth(cell: Cell) -> tuple[float, str]:
    return -cell.worth, cell.name


def pinned_aim(recipe: Recipe) -> bool:
    """Return whether the settings of a run may leave too few different aims for a limit on them."""
    return bool(recipe.founders or recipe.pins or recipe.bans)


def _objects(cells: Sequence[Cell]) -> Any:
    """Return an array whose elements are the cells. NumPy would otherwise make an array of their fields."""
    import numpy as np

    held = np.empty(len(cells), dtype=object)
    for at, cell in enumerate(cells):
        held[at] = cell
    return held
