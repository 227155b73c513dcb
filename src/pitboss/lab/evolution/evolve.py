"""The short evolution loop: known games vary, the better ones breed, and the best of each kind stays.

A game's score comes from random play and says only this much: there is something to choose, again and again, it is not
endless, and it ends by itself. It is √(choices × share) × length × ends, each between 0 and 1, and higher is better:

- `choices` = c / (c + 10), where c is the number of real choices a game: its decisions, each counted as the moves there
  were beyond the first, but as one at most;
- `share` = c / turns: how much of the game is choosing;
- `length`: 1 up to 200 turns, above that 200 / turns. Short games have few choices, and need no other lesson;
- `ends`: the share of games that the turn limit did not have to stop.

A bet is a choice like every other. Random players fold often, and a deal that ends so is short; that is why the share
counts beside the number, and betting costs a game nothing. Everything follows from one seed.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import sqrt

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.fast.compiled import NotInstalled
from pitboss.lab.evolution.archive import EvolutionError
from pitboss.lab.files import load, read_genome
from pitboss.lab.genome.known import known_games
from pitboss.lab.genome.parts import Genome
from pitboss.lab.policies import simulate as play
from pitboss.lab.variation.mutations import crossover, mutate

FEW_CHOICES = 10
LONGEST = 200
TOURNAMENT, ELITE = 3, 2
CROSSED, MUTATED_AGAIN = 0.3, 0.3
CROSSOVER = "Crossover"
"""How crossover is called where operators are counted and named."""
DIGITS = 6
LONGEST_STEM = 40
WORTH_COMPILING = 20_000
"""So many games in all, and compiled play is faster although it must be loaded first."""


class Parts(Struct, frozen=True, kw_only=True):
    """The parts of a score."""

    choices: float
    share: float
    length: float
    ends: float

    @property
    def score(self) -> float:
        """All of them in one number."""
        return round(sqrt(self.choices * self.share) * self.length * self.ends, DIGITS)


Judge = Callable[[Genome], Parts]


class Survivor(Struct, frozen=True, kw_only=True):
    """A game that lives or has lived: what it scored, and how it came about."""

    score: float
    parts: Parts
    history: tuple[str, ...]  #: the known game it comes from, then the operators one after another
    genome: Genome


def rate(played: play.Simulated) -> Parts:
    """The parts of the score of a game that was played so."""
    turns = max(1.0, played.turns.mean)
    real = played.decisions.mean * max(0.0, min(1.0, played.choices - 1))
    return Parts(
        choices=round(real / (real + FEW_CHOICES), DIGITS),
        share=round(min(1.0, real / turns), DIGITS),
        length=round(min(1.0, LONGEST / turns), DIGITS),
        ends=round(1 - played.stopped / played.games, DIGITS),
    )


def kind(genome: Genome) -> tuple[object, ...]:
    """What makes games of one kind: the phases one after another, how they are gone through, and what wins first."""
    turns = genome.turn_structure
    return (*map(type, turns.phases), turns.order, type(genome.win_conditions[0]))


class Evolution:
    """A population under way; the same arguments give the same games, generation by generation.

    >>> evolution = Evolution(population=4, games=5, seed=1, seeds=[load("kuhn")])
    >>> evolution.run(generations=1)
    >>> evolution.generation, len(evolution.members), sum(evolution.operators.values()) >= 2
    (1, 4, True)
    """

    def __init__(
        self,
        *,
        population: int,
        games: int,
        seed: int,
        seeds: Iterable[Genome] | None = None,
        judge: Judge | None = None,
    ) -> None:
        if population < 1 or games < 1:
            raise EvolutionError("a population needs at least one genome, and a score at least one game")
        self.population, self.games, self.seed = population, games, seed
        self.generation = -1  #: -1: not even the first games have been judged
        self.members: tuple[Survivor, ...] = ()  #: best first
        self.operators: Counter[str] = Counter()
        self.judged = 0
        self._seeds = tuple(seeds) if seeds is not None else tuple(map(load, known_games()))
        self._elite = min(ELITE, population - 1)
        self._judge = judge or self._play
        self._known: dict[Genome, Parts] = {}
        self._best: dict[tuple[object, ...], Survivor] = {}

    @property
    def archive(self) -> tuple[Survivor, ...]:
        """The best of each kind that ever lived, best first, as many as the population at most."""
        return tuple(_ranked(self._best.values())[: self.population])

    def births(self, generations: int) -> int:
        """How many games `run` judges, those it has judged before included."""
        return self.population + generations * (self.population - self._elite)

    def run(self, generations: int, advance: Callable[[], object] = lambda: None) -> None:
        """Judge the first games, then breed so many generations; `advance` is called after each game judged."""
        self._load(self.births(generations) * self.games)
        if self.generation < 0:
            self._begin(advance)
        for _ in range(generations):
            self._breed(advance)

    # --- generations

    def _begin(self, advance: Callable[[], object]) -> None:
        """The known games, as many as there is room for; then mutated ones."""
        chance = Chance(self.seed).fork(0)
        order = chance.shuffled(self._seeds)
        young = [self._born(seed, (seed.name,), advance) for seed in order[: self.population]]
        present = {_nameless(member.genome) for member in young}
        while len(young) < self.population:
            parent = order[len(young) % len(order)]
            child = parent
            history: tuple[str, ...] = (parent.name,)
            while _nameless(child) in present:
                child, operator = self._mutated(child, chance)
                history = (*history, operator)
            present.add(_nameless(child))
            child = replace(child, name=_name(history, 0, len(young)))
            young.append(self._born(child, history, advance))
        self.members, self.generation = tuple(_ranked(young)), 0

    def _breed(self, advance: Callable[[], object]) -> None:
        """The elite lives on; everybody else is a child of those who won a tournament."""
        number = self.generation + 1
        chance = Chance(self.seed).fork(number)
        young = list(self.members[: self._elite])
        present = {_nameless(member.genome) for member in young}
        while len(young) < self.population:
            genome, history = self._child(chance, present)
            present.add(_nameless(genome))
            genome = replace(genome, name=_name(history, number, len(young)))
            young.append(self._born(genome, history, advance))
        self.members, self.generation = tuple(_ranked(young)), number

    def _child(self, chance: Chance, present: set[Genome]) -> tuple[Genome, tuple[str, ...]]:
        """One that is not there yet."""
        parent = self._chosen(chance)
        genome, history = parent.genome, parent.history
        if chance.uniform() < CROSSED:
            genome = crossover(genome, self._chosen(chance).genome, chance)
            history = (*history, CROSSOVER)
            self.operators[CROSSOVER] += 1
        else:
            genome, operator = self._mutated(genome, chance)
            history = (*history, operator)
        while _nameless(genome) in present or chance.uniform() < MUTATED_AGAIN:
            genome, operator = self._mutated(genome, chance)
            history = (*history, operator)
        return genome, history

    def _chosen(self, chance: Chance) -> Survivor:
        """Who is best of a few drawn at random."""
        return _ranked([chance.choice(self.members) for _ in range(TOURNAMENT)])[0]

    def _mutated(self, genome: Genome, chance: Chance) -> tuple[Genome, str]:
        child, operator = mutate(genome, chance)
        self.operators[operator] += 1
        return child, operator

    # --- judging

    def _born(self, genome: Genome, history: tuple[str, ...], advance: Callable[[], object]) -> Survivor:
        """Judge a genome, and keep it if it is the best of its kind."""
        key = _nameless(genome)
        if key not in self._known:
            self._known[key] = self._judge(genome)
            self.judged += 1
        parts = self._known[key]
        born = Survivor(score=parts.score, parts=parts, history=history, genome=genome)
        rival = self._best.get(kind(genome))
        if rival is None or born.score > rival.score:
            self._best[kind(genome)] = born
        advance()
        return born

    def _play(self, genome: Genome) -> Parts:
        return rate(play.simulate(genome, games=self.games, players=("random",), seed=self.seed))

    def _load(self, games: int) -> None:
        """Have play compiled where it pays, which `simulate` alone, a few games at a time, would not see."""
        if self._judge == self._play and games >= WORTH_COMPILING:
            try:
                play.compiled_run()
            except NotInstalled:
                return  # then it takes longer, and comes out the same


def evolve(
    generations: int,
    population: int,
    games: int,
    seed: int,
    *,
    seeds: Sequence[Genome] | None = None,
    judge: Judge | None = None,
) -> Evolution:
    """Evolve known games, or these, for so many generations."""
    evolution = Evolution(population=population, games=games, seed=seed, seeds=seeds, judge=judge)
    evolution.run(generations)
    return evolution


def write_archive(survivors: Sequence[Survivor]) -> str:
    """The archive as JSON, best first."""
    return msgspec.json.format(msgspec.json.encode(survivors), indent=2).decode() + "\n"


def read_archive(text: str | bytes) -> tuple[Survivor, ...]:
    """An archive from its JSON; the opposite of `write_archive`."""
    found = []
    for written in msgspec.json.decode(text, type=list[dict[str, msgspec.Raw]]):
        genome = read_genome(bytes(written.pop("genome")))
        rest = {name: msgspec.json.decode(raw) for name, raw in written.items()}
        found.append(msgspec.convert({**rest, "genome": genome}, Survivor))
    return tuple(found)


def _name(history: tuple[str, ...], generation: int, place: int) -> str:
    """After the game it comes from, cut short where that has a long name, and when and where it was born."""
    return f"{history[0][:LONGEST_STEM]}_{generation}_{place}"


def _nameless(genome: Genome) -> Genome:
    """The game itself: what it is called makes no difference."""
    return replace(genome, name="unnamed")


def _ranked(survivors: Iterable[Survivor]) -> list[Survivor]:
    """Best first; among equals, who was there first."""
    return sorted(survivors, key=lambda survivor: -survivor.score)
