"""Small edits for variation and repair, and the values to try for a genome's fields."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import fields, replace

from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.lab.genome import CardEffect, CardPoints, Genome, LaySets, Part, Phase, TrickPoints, Values
from pitboss.lab.phases import kinds as phases
from pitboss.lab.wins import kinds as wins

T = TypeVar("T")

Change: TypeAlias = Callable[[Genome, Chance], Genome]
"""A function that changes a genome. The result may need repair. It raises `DoesNotApply` if nothing can change."""
NO_OTHER = "no other value is possible"
CARD_PHASES: tuple[type[Phase], ...] = tuple([kind for kind in phases.TYPES if not kind.bets])
WINS = wins.TYPES
STACKS = (20, 50, 100, 200, 500, 1000, 2000)  #: starting chips
DEALS = (1, 2, 3, 5, 10, 20)
ROUNDS = (0, 1, 2, 3, 5, 8, 13)
TURN_LIMITS = (50, 100, 200, 300, 500, 1000, 2000)


class DoesNotApply(PitbossError):
    """A variation cannot change this genome. The message contains what is missing."""


def with_setup(genome: Genome, **changes: Any) -> Genome:
    """Return the genome with these fields of its setup changed."""
    return replace(genome, setup=replace(genome.setup, **changes))


def with_structure(genome: Genome, **changes: Any) -> Genome:
    """Return the genome with these fields of its turn structure changed."""
    return replace(genome, turn_structure=replace(genome.turn_structure, **changes))


def with_phases(genome: Genome, phases: tuple[Phase, ...]) -> Genome:
    """Return the genome with these phases."""
    return with_structure(genome, phases=phases)


def splice(items: tuple[T, ...], place: int, *new: T, instead_of: int = 0) -> tuple[T, ...]:
    """Return the items with new ones inserted at an index. They replace `instead_of` items at this index.

    >>> splice(("a", "b", "c"), 1, "x"), splice(("a", "b", "c"), 1, instead_of=1)
    (('a', 'x', 'b', 'c'), ('a', 'c'))
    """
    return (*items[:place], *new, *items[place + instead_of :])


Value = TypeVar("Value")
P = TypeVar("P", bound=Struct)


def values(kind: type[Struct], genome: Genome) -> Values:
    """Return the values to try for every field of a part of this kind in this genome."""
    deck = genome.setup.deck
    if issubclass(kind, Part):
        return kind.values(genome)
    if kind is CardEffect:
        return {"rank": tuple(deck.ranks), "effect": ("skip", "reverse", "draw_two", "again")}
    if kind is LaySets:
        return {"size": range(2, max(2, len(deck.suits)) + 1), "points": (0, 1, 2, 5)}
    if kind is CardPoints:
        patterns = ["**", *[f"{rank}*" for rank in deck.ranks], *[f"*{suit}" for suit in deck.suits]]
        single = [rank + suit for rank, suit in product(deck.ranks, deck.suits)]
        return {"cards": patterns + single, "points": (1, 2, 3, 5, 10), "where": ("captured", "hand")}
    return {"points": (1, 2, 3, 5, 10)} if kind is TrickPoints else {}


def draw_other(chance: Chance, among: Sequence[Value], than: Value) -> Value | None:
    """Draw a different value. Return None if there is none."""
    left = [value for value in among if value != than]
    return chance.choice(left) if left else None


def draw_another(chance: Chance, among: Sequence[Value], than: Value) -> Value:
    """Draw a different value. Raise `DoesNotApply` if there is none."""
    left = [value for value in among if value != than]
    if not left:
        raise DoesNotApply(NO_OTHER)
    return chance.choice(left)


def random_part(kind: type[P], genome: Genome, chance: Chance) -> P:
    """Return a random part of this kind. About half of the fields keep their default, so many parts are simple."""
    among = values(kind, genome)
    drawn: dict[str, Any] = {}
    for field in fields(kind):
        if field.name in among and (field.default not in among[field.name] or chance.below(2)):
            drawn[field.name] = chance.choice(among[field.name])
    return kind(**drawn)


def change(part: P, genome: Genome, chance: Chance) -> P | None:
    """Return the part with another value in one of its fields, or None if no field has another value."""
    among = values(type(part), genome)
    for field in chance.shuffled(among):
        value = draw_other(chance, among[field], getattr(part, field))
        if value is not None:
            return replace(part, **{field: value})
    return None
