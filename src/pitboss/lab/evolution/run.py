"""A run of evolution, generation by generation, in one process or in several."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.jobs import pool
from pitboss.jobs.pool import WorkerDied, WorkersError
from pitboss.lab.evolution.archive import Cell, EvolutionError, GameArchive
from pitboss.lab.evolution.breeder import PRUNING, Birth, Breeder, simplify, with_free_name
from pitboss.lab.evolution.map import GameMap
from pitboss.lab.evolution.styles import game_worth, style_named
from pitboss.lab.genome import Genome
from pitboss.lab.measures.figures import Measure, step_name
from pitboss.lab.measures.measure import Measured, gate, measure

DIGITS = 6
LEAST_USED, MOST_ADVANTAGE = 0.1, 0.3
MOST_OF_STARTING = 0.15
BIRTHS_TRIED = 100
"""The maximum number of births that check whether the constraints allow any game."""
MORE_GAMES = 4
"""Before a game enters the map, it is measured again over this many times the number of games."""
SAVED = "the results so far are saved: continue with --resume"


class Limit(Struct, frozen=True, kw_only=True):
    """A range for the mean of a measure. A game outside of the range is rejected with this reason."""

    measure: str
    least: float = -inf
    most: float = inf
    reason: str

    def broken(self, found: Measured) -> bool:
        """Return whether a game is outside of the range."""
        return not self.least <= found.measures[self.measure].mean <= self.most


LIMITS = (
    Limit(measure="decisive", least=0.5, reason="few games have a single winner"),
    Limit(measure="decisions", least=0.15, reason="there is hardly anything to choose"),
    Limit(measure="mattered", least=0.02, reason="no choice matters"),
    Limit(measure="tension", least=0.08, reason="games are decided from the start"),
    Limit(measure="stopped", most=0.1, reason="too many games reach the turn limit"),
    Limit(measure="idle_steps", most=0.34, reason="a step decides nothing"),
)
LIMITS_OF_BETS = (
    Limit(measure="open_bets", most=0.25, reason="bets are made when all players know the winner"),
    Limit(measure="bets", least=0.25, reason="players hardly ever bet"),
    Limit(measure="pot", least=0.02, reason="the pots are too small to matter"),
    Limit(measure="showdowns", least=0.05, reason="few deals reach a showdown"),
)


class Judged(Struct, frozen=True):
    """A game's measures, or the reason why it was rejected."""

    measures: dict[str, Measure] = {}
    refused: str = ""


class GameTask(Struct, frozen=True):
    """A game to judge."""

    genome: Genome
    games: int
    seed: int


def judge(task: GameTask) -> Judged:
    """Judge a game: first by the gates, then by the measures and their limits."""
    if reason := gate(task.genome, seed=task.seed):
        return Judged(refused=_short(reason))
    found = measure(task.genome, games=task.games, seed=task.seed)
    if reason := reason_to_reject(task.genome, found):
        return Judged(refused=reason)
    return Judged({name: _rounded(one) for name, one in found.measures.items()})


def reason_to_reject(genome: Genome, found: Measured) -> str:
    """Return the reason why a measured game is rejected, or an empty text."""
    if found.measures["seat_advantage"].low > MOST_ADVANTAGE:
        return "one seat nearly always wins"
    if found.measures["start_advantage"].low > MOST_OF_STARTING:
        return "the starting player wins too many or too few deals"
    for limit in LIMITS + (LIMITS_OF_BETS if genome.betting_phases else ()):
        if limit.broken(found):
            return limit.reason
    phases = genome.turn_structure.phases
    unasked = {step_name(at, phase) for at, phase in enumerate(phases) if phase.least_shared}
    asked = [use for name, use in found.rules.items() if name not in unasked]
    return "a rule is hardly ever used" if any(use.mean < LEAST_USED for use in asked) else ""


def _short(reason: str) -> str:
    """Return the reason without its numbers, so that equal reasons can be counted."""
    return "".join([letter for letter in reason if not letter.isdigit()]).strip()


def _rounded(one: Measure) -> Measure:
    return Measure(round(one.mean, DIGITS), round(one.low, DIGITS), round(one.high, DIGITS))


Judges = Callable[[Sequence[GameTask]], Iterable[Judged]]
"""A function that judges tasks. It returns the results in the order of the tasks."""


class RunProgress(Struct, frozen=True, kw_only=True):
    """The progress of a run."""

    archive: GameArchive
    under_way: int = 0  #: number of judged games of the current generation
    births: int = 0  #: number of all games of the current generation


class EvolutionRun:
    """A run of evolution. Its current state is `archive`."""

    def __init__(self, archive: GameArchive, judges: Judges) -> None:
        self.archive, self._judges = archive, judges
        recipe = archive.recipe
        if recipe.population < 1 or recipe.games < 1 or recipe.generations < 0:
            raise EvolutionError("population, games: expected at least 1; generations: expected at least 0")
        self.weights = recipe.weights or style_named(recipe.style)
        self._breeder = Breeder(recipe)
        self._map = GameMap(recipe, archive.cells)

    def try_birth(self) -> None:
        """Check that a game can meet the constraints, before any is judged. Raise `EvolutionError` if none can."""
        if not self._map.cells:
            recipe = self.archive.recipe
            self._breeder.births((), min(BIRTHS_TRIED, recipe.population), Chance(recipe.seed).fork(0))

    def run(self, watching: Callable[[RunProgress], object] = lambda _: None) -> None:
        """Run to the last generation. Call `watching` after each game and after each generation."""
        while not self.archive.finished:
            self.step(watching)

    def step(self, watching: Callable[[RunProgress], object] = lambda _: None) -> None:
        """Run one generation."""
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
            watching(RunProgress(archive=self.archive, under_way=at, births=len(births)))
        self._map.take_in(self._seen_again(self._pruned(newcomers, taken)))
        self.archive = replace(
            self.archive,
            generation=number,
            judged=self.archive.judged + len(births),
            refused=dict(sorted(refused.items())),
            cells=self._map.cells,
        )
        watching(RunProgress(archive=self.archive))

    def _pruned(self, newcomers: list[Cell], taken: set[str]) -> list[Cell]:
        """Return the newcomers, some of them simpler.

        A newcomer that would enter the map loses every part without which it is worth at least as much.
        """
        recipe, left, tried = self.archive.recipe, {cell.name: cell for cell in newcomers}, set[str]()
        while entering := [cell for cell in self._map.entering(list(left.values())) if cell.name not in tried]:
            tried.update([cell.name for cell in entering])
            tries = [(cell, game) for cell in entering for game in simplify(cell.genome) if self._breeder.fits(game)]
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
        """Return the newcomers that would enter the map, measured again over more games with other cards.

        The best of many short measurements are partly lucky, so only the second measurement counts.
        """
        recipe, entering = self.archive.recipe, self._map.entering(newcomers)
        tasks = [GameTask(cell.genome, MORE_GAMES * recipe.games, recipe.seed + 1) for cell in entering]
        looks = zip(entering, self._judges(tasks), strict=True)
        return [self._measured(cell, found) for cell, found in looks if not found.refused]

    def _measured(self, cell: Cell, found: Judged) -> Cell:
        """Return the game with these measures, and with its worth and its cell."""
        value = game_worth(found.measures, bool(cell.genome.betting_phases), self.weights)
        return replace(cell, cell=self._map.where(found.measures), measures=found.measures, worth=value)

    def _cell(self, birth: Birth, found: Judged, taken: set[str]) -> Cell:
        genome = replace(birth.genome, name=with_free_name(birth.genome, taken))
        cell = Cell(cell=(0, 0), genome=genome, measures={}, lineage=birth.lineage, operators=birth.operators)
        return self._measured(cell, found)


Judging = Callable[[GameTask], Judged]


@contextmanager
def worker_pool(workers: int, ray: str | None = None, judging: Judging | None = None) -> Iterator[Judges]:
    """Start workers on this machine or, if `ray` is "auto" or an address, on a Ray cluster."""
    try:
        with pool.worker_pool(judging or judge, workers, ray) as judges:
            yield judges
    except WorkerDied as error:
        raise EvolutionError(f"{error}; {SAVED}") from None
    except WorkersError as error:
        raise EvolutionError(str(error)) from None
