"""The lab measured: random games of known genomes compiled on one core, how cost grows, and two games solved."""

import math
import os
import time
from collections.abc import Callable, Sequence
from statistics import linear_regression

from msgspec import Struct
from msgspec.structs import replace

from benchmarks.fast_report import Goal
from benchmarks.rules import Spread
from pitboss.lab.files import known_games, load
from pitboss.lab.genome import Genome
from pitboss.lab.policies.simulate import simulate
from pitboss.lab.solver.solver import solve

BETTING_WAR, LONG = "betting_war", "cheat"
"""The game of the first goal, and the one whose turn limit is moved to see what turns cost."""
GAMES_A_SECOND, MIXED_GAMES_A_SECOND, EXPONENT = 50_000, 20_000, 1.1
SOLVING_SECONDS = 60


class Known(Struct, frozen=True):
    """An answer that is published, and how near to it one must come."""

    name: str
    uniform: str
    value: float
    within: float
    exploitable: float | None


ANSWERS = (
    Known("kuhn", "1/8", -1 / 18, 1e-5, None),
    Known("leduc", "-5/64", -0.0856064, 1e-3, 1e-3),
)


class Size(Struct, frozen=True, kw_only=True):
    """How much is measured."""

    rounds: int = 5
    games: int = 100_000  #: of betting war, a round
    each: int = 2000  #: of every known game, a round
    growing_games: tuple[int, ...] = (1000, 10_000, 100_000, 1_000_000)
    growing_turns: tuple[int, ...] = (50, 100, 200, 400, 800)
    long_games: int = 2000  #: of the game that is cut short at more and more turns
    iterations: int = 1000


QUICK = Size(rounds=1, games=30, each=3, growing_games=(5, 20), growing_turns=(50, 100), long_games=3, iterations=60)
"""Enough to see that it runs."""


class Played(Struct, frozen=True):
    """How fast random games of a genome are played."""

    name: str
    per_second: Spread
    turns: float  #: a game
    decisions: float


class Solved(Struct, frozen=True):
    """How near the solver came to what is known."""

    name: str
    uniform_value: str  #: exactly, as a fraction
    value: float
    error: float
    exploitability: float
    uniform_exploitability: float
    information_sets: int
    iterations: int
    seconds: float


class Growth(Struct, frozen=True):
    """What more games and more turns cost."""

    games: tuple[int, ...]
    seconds: tuple[float, ...]  #: by number of games
    turns: tuple[float, ...]  #: turns a game
    microseconds: tuple[float, ...]  #: a game, by turns

    @property
    def by_games(self) -> float:
        """The power of the number of games that the cost grows with."""
        return exponent(self.games, self.seconds)

    @property
    def by_turns(self) -> float:
        """The power of the number of turns that a game's cost grows with."""
        return exponent(self.turns, self.microseconds)


class LabReport(Struct, frozen=True):
    """All figures of the lab."""

    load: float  #: how many processes wanted a processor in the minute before
    rounds: int
    compiled: bool
    war: Played
    known: tuple[Played, ...]
    mixed: Spread  #: all known games, each as often as the others: games a second over all
    growth: Growth
    solved: tuple[Solved, ...]

    def goals(self) -> list[Goal]:
        """All goals, in the order of the page."""
        found = [
            Goal("betting war, games a second", self.war.per_second, GAMES_A_SECOND, digits=0),
            Goal("all known games, games a second", self.mixed, MIXED_GAMES_A_SECOND, digits=0),
            _at_most("cost grows with this power of the games", self.growth.by_games, EXPONENT, 2),
            _at_most("with this power of the turns", self.growth.by_turns, EXPONENT, 2),
        ]
        for answer, solved in zip(ANSWERS, self.solved, strict=True):
            found.append(_at_most(f"{answer.name}: distance from the value", solved.error, answer.within, 7))
            if answer.exploitable is not None:
                exploitability = solved.exploitability
                found.append(_at_most(f"{answer.name}: exploitability", exploitability, answer.exploitable, 7))
            found.append(_at_most(f"{answer.name}: solved in", solved.seconds, SOLVING_SECONDS, 2, " s"))
        return found

    def missed(self) -> list[str]:
        """A sentence for each goal that was not reached, and for what came out wrong."""
        found = [
            f"{goal.name}: {goal.number(goal.found.median)}; the goal is {goal.target}"
            for goal in self.goals()
            if goal.found is not None and goal.missed
        ]
        for answer, solved in zip(ANSWERS, self.solved, strict=True):
            if solved.uniform_value != answer.uniform:
                found.append(f"{answer.name}: uniform play is worth {solved.uniform_value}, not {answer.uniform}")
        return found


def _at_most(name: str, figure: float, wanted: float, digits: int, unit: str = "") -> Goal:
    return Goal(name, Spread(figure, figure, figure), wanted, at_least=False, digits=digits, unit=unit)


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The power of the size that the cost grows with, from all points: 1 is in proportion.

    >>> exponent([1, 10, 100], [2, 20, 200])
    1.0
    """
    logarithms = [[math.log(figure) for figure in figures] for figures in (sizes, costs)]
    return round(linear_regression(*logarithms).slope, 6)


def measure_lab(size: Size, say: Callable[[str], None]) -> LabReport:
    """Measure everything."""
    load_before = os.getloadavg()[0]
    say("lab: games a second (compiling first, where that is not done)")
    first = simulate(load(BETTING_WAR), games=size.games, cores=1)
    war = played(load(BETTING_WAR), size.games, size.rounds)
    known, mixed = measure_known(size)
    say("lab: growth")
    growth = measure_growth(size)
    say("lab: solving")
    return LabReport(
        load=load_before,
        rounds=size.rounds,
        compiled=first.compiled,
        war=war,
        known=known,
        mixed=mixed,
        growth=growth,
        solved=tuple([measure_solving(answer, size.iterations) for answer in ANSWERS]),
    )


def timed(genome: Genome, games: int, seed: int) -> tuple[float, float, float]:
    """Processor time of random games on one core, and turns and decisions per game."""
    begun = time.process_time()
    found = simulate(genome, games=games, seed=seed, cores=1)
    return time.process_time() - begun, found.turns.mean, found.decisions.mean


def played(genome: Genome, games: int, rounds: int) -> Played:
    """How fast a genome is played, each round under a seed of its own."""
    found = [timed(genome, games, seed) for seed in range(1, rounds + 1)]
    _, turns, decisions = found[0]
    return Played(genome.name, Spread.of([games / seconds for seconds, _, _ in found]), turns, decisions)


def measure_known(size: Size) -> tuple[tuple[Played, ...], Spread]:
    """Every known game as often as the others: each one's rate, and the rate over all."""
    genomes = [load(name) for name in known_games()]
    rounds = [[timed(genome, size.each, seed) for genome in genomes] for seed in range(1, size.rounds + 1)]
    mixed = [size.each * len(genomes) / sum([seconds for seconds, _, _ in found]) for found in rounds]
    known = []
    for at, genome in enumerate(genomes):
        rates = [size.each / found[at][0] for found in rounds]
        _, turns, decisions = rounds[0][at]
        known.append(Played(genome.name, Spread.of(rates), turns, decisions))
    return tuple(known), Spread.of(mixed)


def measure_growth(size: Size) -> Growth:
    """More games, and more turns; the least of some tries, as whatever disturbs only adds."""
    war, long = load(BETTING_WAR), load(LONG)
    seconds = [min([timed(war, games, 1)[0] for _ in range(size.rounds)]) for games in size.growing_games]
    turns, microseconds = [], []
    for limit in size.growing_turns:
        tries = [timed(replace(long, max_turns=limit), size.long_games, 1) for _ in range(size.rounds)]
        microseconds.append(min(tries)[0] / size.long_games * 1e6)
        turns.append(tries[0][1])
    return Growth(size.growing_games, tuple(seconds), tuple(turns), tuple(microseconds))


def measure_solving(answer: Known, iterations: int) -> Solved:
    """Solve a game whose answer is known."""
    begun = time.perf_counter()
    found = solve(load(answer.name), iterations)
    return Solved(
        name=answer.name,
        uniform_value=str(found.uniform_value),
        value=found.value,
        error=abs(found.value - answer.value),
        exploitability=found.exploitability,
        uniform_exploitability=found.uniform_exploitability,
        information_sets=found.information_sets,
        iterations=found.iterations,
        seconds=time.perf_counter() - begun,
    )
