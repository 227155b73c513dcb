"""New games: a parent varied, two parents crossed, or a game drawn at random; and parts removed that do not matter."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.lab.evolution.archive import Cell, EvolutionError, Recipe
from pitboss.lab.evolution.constraints import TYPES, Constraints
from pitboss.lab.evolution.identity import structure, without_name
from pitboss.lab.files import known_games, load
from pitboss.lab.genome import CardEffect, CardPoints, Genome, LaySets, TrickPoints
from pitboss.lab.phases import kinds
from pitboss.lab.variation.edits import DoesNotApply, build, put, with_phases, with_setup
from pitboss.lab.variation.mutations import OPERATORS, child_of, crossover, random_genome
from pitboss.lab.variation.repair import repair
from pitboss.lab.variation.tidy import only_compares, tidy
from pitboss.lab.wins import kinds as wins

TRIES = 40
INVENTED, FROM_FOUNDERS, CROSSED, CHANGED_AGAIN = 0.12, 0.12, 0.25, 0.4
COMPETING = 3
LARGE_CHANGES = (
    *("AddPhase", "RemovePhase", "ReplacePhase", "SwapPhases", "AddBettingPhase", "ReplaceWinCondition"),
    *("AddEffect", "AddScoring"),
    *[f"Mutate{kind.__name__}" for kind in kinds.TYPES if kind.transforms],
    "DuplicatePhase",
)
BETTING_BIRTHS, PLAIN_BIRTHS = 0.65, 0.2
"""Where betting is allowed: the share of births that bet, and of those that do not; the others are as they come."""
LARGE_SHARE = 0.6
"""How often a change is one of the large ones, which make another kind of game."""
CROSSOVER, INVENTION, PRUNING = "Crossover", "Invention", "Pruning"
SIMPLE_PARTS = 3
"""Beside its aim, a game with no more parts than this is simple enough."""


class Birth(Struct, frozen=True, kw_only=True):
    """A game that nobody has judged yet, with its ancestors and what made it of the last of them."""

    genome: Genome
    lineage: tuple[str, ...]
    operators: tuple[str, ...]


class Breeder:
    """Makes children of the games of a map; what comes out follows from the map and the chance given."""

    def __init__(self, recipe: Recipe) -> None:
        self.constraints = Constraints(betting=recipe.betting, pins=recipe.pins, bans=recipe.bans)
        self.founders = recipe.founders or tuple([load(name) for name in known_games()])
        self.own = bool(recipe.founders)
        self._known = {structure(genome) for known in self.founders for genome in (known, tidy(known))}
        self.share = 1.0 if self.constraints.must_bet else BETTING_BIRTHS if self.constraints.may_bet else 0.0

    def births(self, cells: Sequence[Cell], count: int, chance: Chance) -> list[Birth]:
        """So many games that differ from each other and from those that are there."""
        present = {without_name(cell.genome) for cell in cells}
        children = Counter([cell.parent for cell in cells])
        born = list[Birth]()
        for number in range(count):
            betting = number < self.share * count
            plain = not self.constraints.must_bet and number >= (1 - PLAIN_BIRTHS) * count
            birth = self._birth(cells, children, chance.fork(number), (betting, plain), present)
            if birth is not None:
                present.add(without_name(birth.genome))
                born.append(birth)
        if not born and not cells:
            raise EvolutionError(f"no game could be made with {self.constraints.words}: ask for less")
        return born

    def _birth(
        self,
        cells: Sequence[Cell],
        children: Counter[str],
        chance: Chance,
        bets: tuple[bool, bool],
        present: set[Genome],
    ) -> Birth | None:
        betting, plain = bets
        for _ in range(TRIES):
            birth = self._drawn(cells, children, chance)
            genome = self._constrained(birth.genome, betting, plain, chance)
            new = without_name(genome) not in present
            if new and self.fits(genome) and bool(genome.betting_phases) >= betting:
                return Birth(genome=genome, lineage=birth.lineage, operators=birth.operators)
        return None

    def fits(self, genome: Genome) -> bool:
        """Whether a game meets the constraints, is not a founder, and is more than comparing hands."""
        idle = only_compares(genome) and not self.constraints.pins
        return self.constraints.met(genome) and structure(genome) not in self._known and not idle

    def _drawn(self, cells: Sequence[Cell], children: Counter[str], chance: Chance) -> Birth:
        """A child of somebody, as it comes."""
        where = chance.uniform()
        if where < INVENTED and not self.own:
            return Birth(genome=random_genome(chance), lineage=(), operators=(INVENTION,))
        if not cells or where < INVENTED + FROM_FOUNDERS:
            parent = chance.choice(self.founders)
            lineage: tuple[str, ...] = (parent.name,)
        else:
            chosen = self._chosen(cells, children, chance)
            parent, lineage = chosen.genome, (*chosen.lineage, chosen.name)
        genome, operators = parent, list[str]()
        if chance.uniform() < CROSSED:
            other = self._chosen(cells, children, chance).genome if cells else chance.choice(self.founders)
            genome = crossover(genome, other, chance)
            operators.append(CROSSOVER)
        while not operators or chance.uniform() < CHANGED_AGAIN:
            genome, operator = varied(genome, chance)
            operators.append(operator)
        return Birth(genome=genome, lineage=lineage, operators=tuple(operators))

    def _chosen(self, cells: Sequence[Cell], children: Counter[str], chance: Chance) -> Cell:
        """The best of a few, where those count less who have many children already."""
        drawn = [chance.choice(cells) for _ in range(COMPETING)]
        return max(drawn, key=lambda one: one.worth / (1 + children[one.name]))

    def _constrained(self, genome: Genome, betting: bool, plain: bool, chance: Chance) -> Genome:
        """With the pinned parts put in, betting put in or taken out, and made sensible."""
        if (plain or not self.constraints.may_bet) and genome.betting_phases:
            phases = tuple([phase for phase in genome.turn_structure.phases if not phase.bets])
            genome = repair(with_setup(with_phases(genome, phases), starting_chips=0, ante=0))
        genome = tidy(genome)
        for name in self.constraints.missing(genome):
            genome = tidy(repair(with_part(genome, name, chance)))
        if betting and not genome.betting_phases and self.constraints.may_bet:
            genome = tidy(child_of("AddBettingPhase", genome, chance))
        return genome


def varied(genome: Genome, chance: Chance) -> tuple[Genome, str]:
    """A child by an operator, mostly one that makes another kind of game."""
    while True:
        name = chance.choice(LARGE_CHANGES if chance.uniform() < LARGE_SHARE else tuple(OPERATORS))
        try:
            return child_of(name, genome, chance), name
        except DoesNotApply:
            continue


def with_part(genome: Genome, name: str, chance: Chance) -> Genome:
    """The game with a part of this type; an aim becomes the aim. It may not be playable."""
    kind = TYPES[name]
    part = build(kind, genome, chance)
    if kind in kinds.TYPES:
        phases = genome.turn_structure.phases
        if kind is kinds.BETTING and not genome.setup.starting_chips:
            genome = with_setup(genome, starting_chips=100, ante=5)
        return with_phases(genome, put(phases, chance.below(len(phases) + 1), part))  # type: ignore[arg-type]  # a phase
    if kind in wins.TYPES:
        return replace(genome, win_conditions=(part,))
    if isinstance(part, (CardEffect, LaySets)):
        return replace(genome, effects=(*genome.effects, part))
    assert isinstance(part, (CardPoints, TrickPoints))
    return replace(genome, scoring=(*genome.scoring, part))


def parts_of(genome: Genome) -> int:
    """How many steps, effects of cards, lines of points and endings beside the aim there are.

    >>> from pitboss.lab.files import load
    >>> parts_of(load("kuhn")), parts_of(load("mau_mau"))
    (1, 5)
    """
    rules = genome.turn_structure.phases, genome.effects, genome.scoring, genome.win_conditions
    return sum(map(len, rules)) - 1


def simpler(genome: Genome) -> tuple[Genome, ...]:
    """The sensible games that are left without one part, each once, unless it has few; they bet if this one does.

    >>> from pitboss.lab.files import load
    >>> [parts_of(left) for left in simpler(load("mau_mau"))], simpler(load("draw_poker"))
    ([4, 1, 4, 4, 4], ())
    """
    found = dict[Genome, Genome]()
    for removed in _without(genome) if parts_of(genome) > SIMPLE_PARTS else ():
        left = tidy(repair(removed))
        if parts_of(left) < parts_of(genome) and bool(left.betting_phases) == bool(genome.betting_phases):
            found.setdefault(without_name(left), left)
    return tuple(found.values())


def _without(genome: Genome) -> Iterator[Genome]:
    phases = genome.turn_structure.phases
    for at in range(len(phases)):
        if len(phases) > 1:
            yield with_phases(genome, put(phases, at, instead_of=1))
    for at in range(len(genome.effects)):
        yield replace(genome, effects=put(genome.effects, at, instead_of=1))
    for at in range(len(genome.scoring)):
        yield replace(genome, scoring=put(genome.scoring, at, instead_of=1))
    for at in range(1, len(genome.win_conditions)):
        yield replace(genome, win_conditions=put(genome.win_conditions, at, instead_of=1))
