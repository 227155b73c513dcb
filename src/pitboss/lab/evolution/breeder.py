"""Makes new games: a changed parent, a cross of two parents, a random game, or a game without one of its parts."""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from hashlib import blake2b
from itertools import count
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.lab.evolution.archive import Cell, EvolutionError, Recipe
from pitboss.lab.evolution.constraints import TYPES, Constraints
from pitboss.lab.files import known_games, load
from pitboss.lab.genome import CardEffect, CardPoints, Genome, LaySets, TrickPoints
from pitboss.lab.phases import kinds
from pitboss.lab.variation.edits import DoesNotApply, random_part, splice, with_phases, with_setup
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
"""If betting is allowed: the share of births that must have betting, and the share that must not."""
LARGE_SHARE = 0.6
"""The share of large changes. A large change makes another kind of game."""
CROSSOVER, INVENTION, PRUNING = "Crossover", "Invention", "Pruning"
SIMPLE_PARTS = 3
"""The maximum number of parts, without the aim, of a game that is not pruned."""
_ADJECTIVES = (
    "amber ancient antique bashful blazing bold brave bright brisk broad calm careful cheerful chilly civil clever "
    "copper cosy crafty crisp curious daring dapper dashing deep dizzy dreamy dusty eager early earnest easy fabled "
    "faint fancy festive fierce fiery fleet foggy foxy frank fresh frosty gallant gentle giddy gilded glad golden "
    "grand green grey hardy hasty hazel hidden hollow honest humble hungry hushed idle ivory jaunty jolly keen kind "
    "lavish lazy light lively lofty lonely loud loyal lucky lunar mellow merry mighty misty modest mossy nimble noble "
    "odd olive open painted pale patient plucky polite proud quaint quick quiet rapid rare restless risky rosy royal "
    "ruby rustic sandy scarlet secret shady sharp shrewd shy silent silken silver sleek sleepy slow sly smoky smooth "
    "snowy sober solar solemn spicy spry steady stormy stray stout strange subtle sunny swift tame tender thirsty "
    "thorny tidy tiny tricky true upbeat velvet violet vivid wandering warm wary wild windy wise witty young zesty"
)
_NOUNS = (
    "acorn anchor apple arrow badger banjo barley basket beacon bear beaver bell birch bishop bison bluff bonfire "
    "bramble breeze bridge brook candle canyon castle cedar cellar chapel cherry circus clover cobalt comet coral "
    "cottage crane creek cricket crow crown dahlia dancer delta dove dragon drum duchess eagle ember falcon feather "
    "fern ferry fiddle finch flame flint forest fountain fox galleon garden garnet ginger glacier goose granite grove "
    "gull hammer harbour hare harp hawk hazelnut heron hill hornet inlet iris island ivy jackal jade jester juniper "
    "kestrel kite knave lagoon lantern lark laurel lemon lily linden lion lotus lynx magpie mango maple marble market "
    "marten meadow melon mill mint mirror monk moon moth nettle nutmeg oak oasis orchard otter owl oyster panther "
    "parade parrot peach pearl pebble pelican pepper pigeon pilot pine planet plum pocket pond poppy prairie prince "
    "quail quarry quill rabbit raven reef ribbon river robin rocket rose saddle saffron salmon shadow sparrow spruce "
    "squire stag stork summit swan thicket thistle thrush tiger timber trumpet tulip turnip valley violin wagon walnut "
    "wharf whistle willow wizard wolf wren yarrow"
)
ADJECTIVES, NOUNS = _ADJECTIVES.split(), _NOUNS.split()


class Birth(Struct, frozen=True, kw_only=True):
    """A new game before it is judged, with its ancestors and the changes that made it from its parent."""

    genome: Genome
    lineage: tuple[str, ...]
    operators: tuple[str, ...]


class Breeder:
    """Makes children of the games of a map. The same map and the same chance give the same children."""

    def __init__(self, recipe: Recipe) -> None:
        self.constraints = Constraints(betting=recipe.betting, pins=recipe.pins, bans=recipe.bans)
        self.founders = recipe.founders or tuple([load(name) for name in known_games()])
        self.own = bool(recipe.founders)
        self._known = {structure_text(genome) for known in self.founders for genome in (known, tidy(known))}
        self.share = 1.0 if self.constraints.must_bet else BETTING_BIRTHS if self.constraints.may_bet else 0.0

    def births(self, cells: Sequence[Cell], count: int, chance: Chance) -> list[Birth]:
        """Return up to `count` games that differ from each other and from the games on the map."""
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
            raise EvolutionError(f"cannot make a game with {self.constraints.words}: use fewer constraints")
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
        """Return whether a game meets the constraints, differs from the founders, and does more than compare hands."""
        idle = only_compares(genome) and not self.constraints.pins
        return self.constraints.met(genome) and structure_text(genome) not in self._known and not idle

    def _drawn(self, cells: Sequence[Cell], children: Counter[str], chance: Chance) -> Birth:
        """Return a random new game. The constraints are not yet applied."""
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
            genome, operator = make_child(genome, chance)
            operators.append(operator)
        return Birth(genome=genome, lineage=lineage, operators=tuple(operators))

    def _chosen(self, cells: Sequence[Cell], children: Counter[str], chance: Chance) -> Cell:
        """Return the best of a few random games. Games with many children are less likely."""
        drawn = [chance.choice(cells) for _ in range(COMPETING)]
        return max(drawn, key=lambda one: one.worth / (1 + children[one.name]))

    def _constrained(self, genome: Genome, betting: bool, plain: bool, chance: Chance) -> Genome:
        """Return the tidied game with the pinned parts, and with betting added or removed."""
        if (plain or not self.constraints.may_bet) and genome.betting_phases:
            phases = tuple([phase for phase in genome.turn_structure.phases if not phase.bets])
            genome = repair(with_setup(with_phases(genome, phases), starting_chips=0, ante=0))
        genome = tidy(genome)
        for name in self.constraints.missing(genome):
            genome = tidy(repair(with_part(genome, name, chance)))
        if betting and not genome.betting_phases and self.constraints.may_bet:
            genome = tidy(child_of("AddBettingPhase", genome, chance))
        return genome


def make_child(genome: Genome, chance: Chance) -> tuple[Genome, str]:
    """Return a child and the name of the operator that made it."""
    while True:
        name = chance.choice(LARGE_CHANGES if chance.uniform() < LARGE_SHARE else tuple(OPERATORS))
        try:
            return child_of(name, genome, chance), name
        except DoesNotApply:
            continue


def with_part(genome: Genome, name: str, chance: Chance) -> Genome:
    """Return the game with a part of this type. A win condition replaces the aim. The result may need repair."""
    kind = TYPES[name]
    part = random_part(kind, genome, chance)
    if kind in kinds.TYPES:
        phases = genome.turn_structure.phases
        if kind is kinds.BETTING and not genome.setup.starting_chips:
            genome = with_setup(genome, starting_chips=100, ante=5)
        return with_phases(genome, splice(phases, chance.below(len(phases) + 1), part))  # type: ignore[arg-type]  # a phase
    if kind in wins.TYPES:
        return replace(genome, win_conditions=(part,))
    if isinstance(part, (CardEffect, LaySets)):
        return replace(genome, effects=(*genome.effects, part))
    assert isinstance(part, (CardPoints, TrickPoints))
    return replace(genome, scoring=(*genome.scoring, part))


def parts_of(genome: Genome) -> int:
    """Return the number of steps, card effects, scoring rules and additional endings.

    >>> parts_of(load("kuhn")), parts_of(load("mau_mau"))
    (1, 5)
    """
    rules = genome.turn_structure.phases, genome.effects, genome.scoring, genome.win_conditions
    return sum(map(len, rules)) - 1


def simplify(genome: Genome) -> tuple[Genome, ...]:
    """Return the valid games that remain without one part. A game with few parts has none.

    If this game has betting, only remaining games with betting are returned.

    >>> [parts_of(left) for left in simplify(load("mau_mau"))], simplify(load("draw_poker"))
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
            yield with_phases(genome, splice(phases, at, instead_of=1))
    for at in range(len(genome.effects)):
        yield replace(genome, effects=splice(genome.effects, at, instead_of=1))
    for at in range(len(genome.scoring)):
        yield replace(genome, scoring=splice(genome.scoring, at, instead_of=1))
    for at in range(1, len(genome.win_conditions)):
        yield replace(genome, win_conditions=splice(genome.win_conditions, at, instead_of=1))


def without_name(genome: Genome) -> Genome:
    """Return the game with a fixed name, so that two games can be compared."""
    return replace(genome, name="unnamed")


def structure_text(genome: Genome) -> str:
    """Return a text that describes a game without its names, numbers and cards. Equal texts mean the same structure.

    >>> structure_text(load("kuhn")) == structure_text(load("highest_card"))
    True
    >>> structure_text(load("kuhn")) == structure_text(load("leduc"))
    False
    """
    return msgspec.json.encode(_bare(msgspec.to_builtins(without_name(genome)))).decode()


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        letters = ("name", "initial_deck", "trump_suit", "wild", "rank", "cards")
        return {name: _bare(part) for name, part in value.items() if name not in letters}
    if isinstance(value, list | tuple):
        return [_bare(part) for part in value]
    return 0 if isinstance(value, int | float) and not isinstance(value, bool) else value


def with_free_name(genome: Genome, taken: Container[str]) -> str:
    """Return a free name. It depends only on the game and on the names that are taken.

    >>> first = with_free_name(load("kuhn"), ())
    >>> first, with_free_name(load("kuhn"), (first,)) == first
    ('scarlet_lynx', False)
    """
    game = msgspec.json.encode(without_name(genome))
    for attempt in count():
        digest = blake2b(game, digest_size=8, salt=attempt.to_bytes(8, "big")).digest()
        rest, at = divmod(int.from_bytes(digest, "big"), len(ADJECTIVES))
        if (name := f"{ADJECTIVES[at]}_{NOUNS[rest % len(NOUNS)]}") not in taken:
            break
    return name
