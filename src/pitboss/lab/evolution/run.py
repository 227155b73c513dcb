"""A run: generation after generation of births, judged by workers, taken into the map, and written down.

All that happens follows from the recipe and the archive so far: a generation has its own chance, forked from the seed,
and a game is judged by itself. So a run that was broken off and goes on comes to the same archive, on any workers.
"""

from collections import Counter
from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.lab.evolution.archive import Cell, EvolutionError, GameArchive
from pitboss.lab.evolution.breeding import PRUNING, Birth, Breeder
from pitboss.lab.evolution.judge import GameTask, Judged
from pitboss.lab.evolution.map import GameMap
from pitboss.lab.evolution.names import named
from pitboss.lab.evolution.pruning import simpler
from pitboss.lab.evolution.styles import style_named, worth

Judges = Callable[[list[GameTask]], Iterable[Judged]]
"""Judge these, and give what is found in their order."""
TRIED = 100
"""So many births are tried to see whether any game can be made."""
AGAIN = 4
"""Before a game enters the map it is measured once more, over so many times the games."""


class Glance(Struct, frozen=True, kw_only=True):
    """How far a run is, for whoever watches it."""

    archive: GameArchive
    under_way: int = 0  #: games of the present generation that are judged
    births: int = 0  #: of so many


class EvolutionRun:
    """A run under way; `archive` is what it has come to."""

    def __init__(self, archive: GameArchive, judges: Judges) -> None:
        self.archive, self._judges = archive, judges
        recipe = archive.recipe
        if recipe.population < 1 or recipe.games < 1 or recipe.generations < 0:
            raise EvolutionError("a run needs at least one birth a generation and one game for each")
        self.weights = recipe.weights or style_named(recipe.style)
        self._breeder = Breeder(recipe)
        self._map = GameMap(recipe, archive.cells)

    def try_birth(self) -> None:
        """Say before anything is judged where no game can be made as was wished; raises `EvolutionError`."""
        if not self._map.cells:
            recipe = self.archive.recipe
            self._breeder.births((), min(TRIED, recipe.population), Chance(recipe.seed).fork(0))

    def run(self, watching: Callable[[Glance], object] = lambda _: None) -> None:
        """Go on to the last generation; after each of them and each game `watching` is called."""
        while not self.archive.finished:
            self.step(watching)

    def step(self, watching: Callable[[Glance], object] = lambda _: None) -> None:
        """One generation more."""
        recipe, number = self.archive.recipe, self.archive.generation + 1
        births = self._breeder.births(self._map.cells, recipe.population, Chance(recipe.seed).fork(number))
        tasks = [GameTask(birth.genome, recipe.games, recipe.seed) for birth in births]
        refused, newcomers = Counter(self.archive.refused), list[Cell]()
        taken = {name for cell in self._map.cells for name in (cell.name, *cell.lineage)}
        for at, (birth, found) in enumerate(zip(births, self._judges(tasks), strict=True), 1):
            if found.refused:
                refused[found.refused] += 1
            else:
                newcomers.append(self._cell(birth, found, taken))
                taken.add(newcomers[-1].name)
            watching(Glance(archive=self.archive, under_way=at, births=len(births)))
        self._map.take_in(self._seen_again(self._pruned(newcomers, taken)))
        self.archive = replace(
            self.archive,
            generation=number,
            judged=self.archive.judged + len(births),
            refused=dict(sorted(refused.items())),
            cells=self._map.cells,
        )
        watching(Glance(archive=self.archive))

    def _pruned(self, newcomers: list[Cell], taken: set[str]) -> list[Cell]:
        """The newcomers, those that would enter the map without whatever part they are worth as much without."""
        recipe, left, tried = self.archive.recipe, {cell.name: cell for cell in newcomers}, set[str]()
        while entering := [cell for cell in self._map.entering(list(left.values())) if cell.name not in tried]:
            tried.update([cell.name for cell in entering])
            tries = [(cell, game) for cell in entering for game in simpler(cell.genome) if self._breeder.fits(game)]
            judged = self._judges([GameTask(game, recipe.games, recipe.seed) for _, game in tries])
            for (cell, game), found in zip(tries, judged, strict=True):
                if found.refused:
                    continue
                birth = Birth(genome=game, lineage=cell.lineage, operators=(*cell.operators, PRUNING))
                pruned, now = self._cell(birth, found, taken), left[cell.name]
                if pruned.worth >= now.worth:
                    left[cell.name] = pruned
            left = {cell.name: cell for cell in left.values()}
            taken.update(left)
        return list(left.values())

    def _seen_again(self, newcomers: list[Cell]) -> list[Cell]:
        """Those that would enter the map, by what more games with other cards say of them.

        The best of many that were looked at briefly are partly the luckiest: only the second look is written down.
        """
        recipe, entering = self.archive.recipe, self._map.entering(newcomers)
        tasks = [GameTask(cell.genome, AGAIN * recipe.games, recipe.seed + 1) for cell in entering]
        looks = zip(entering, self._judges(tasks), strict=True)
        return [self._measured(cell, found) for cell, found in looks if not found.refused]

    def _measured(self, cell: Cell, found: Judged) -> Cell:
        """The game where these measures put it."""
        value = worth(found.measures, bool(cell.genome.betting_phases), self.weights)
        return replace(cell, cell=self._map.where(found.measures), measures=found.measures, worth=value)

    def _cell(self, birth: Birth, found: Judged, taken: set[str]) -> Cell:
        genome = replace(birth.genome, name=named(birth.genome, taken))
        cell = Cell(cell=(0, 0), genome=genome, measures={}, lineage=birth.lineage, operators=birth.operators)
        return self._measured(cell, found)
