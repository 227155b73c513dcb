"""Variations of what cards do and what wins: effects, scoring, win conditions and the turn limit.

Each is a plain change, not yet a valid game: `mutations.py` has every child repaired.
"""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.lab.genome.parts import MOST_WINS, CardEffect, CardPoints, Genome, LaySets, TrickPoints
from pitboss.lab.genome.validity import problems
from pitboss.lab.variation.edits import NO_OTHER, Change, DoesNotApply, put
from pitboss.lab.variation.values import TURN_LIMITS, WINS, another, build, change

MOST_EFFECTS = MOST_SCORING = 4
SCORINGS: tuple[type[Struct], ...] = (CardPoints, TrickPoints)

_NAMES = {"effects": "card effect", "scoring": "scoring rule", "win_conditions": "win condition"}


def adding(field: str, kinds: tuple[type[Struct], ...], most: int) -> Change:
    """The variation that puts one more part of these kinds in, where there is room."""

    def add(genome: Genome, chance: Chance) -> Genome:
        parts: tuple[Struct, ...] = getattr(genome, field)
        if len(parts) >= most:
            raise DoesNotApply(f"there are {len(parts)} already")
        new = build(chance.choice(kinds), genome, chance)
        return _with(genome, field, put(parts, chance.below(len(parts) + 1), new))

    add.__doc__ = f"One {_NAMES[field]} more."
    return add


def removing(field: str) -> Change:
    """The variation that takes one of the parts out, if the rest can do without any of them."""

    def remove(genome: Genome, chance: Chance) -> Genome:
        parts: tuple[Struct, ...] = getattr(genome, field)
        for place in chance.shuffled(range(len(parts))):
            child = _with(genome, field, put(parts, place, instead_of=1))
            if not problems(child):
                return child
        raise DoesNotApply("the rest cannot do without it" if parts else f"there is no {_NAMES[field]}")

    remove.__doc__ = f"One {_NAMES[field]} less, where the rest can do without it."
    return remove


def changing(field: str) -> Change:
    """The variation that changes a number or a word in one of the parts."""

    def vary(genome: Genome, chance: Chance) -> Genome:
        parts: tuple[Struct, ...] = getattr(genome, field)
        for place in chance.shuffled(range(len(parts))):
            changed = change(parts[place], genome, chance)
            if changed is not None:
                return _with(genome, field, put(parts, place, changed, instead_of=1))
        raise DoesNotApply(NO_OTHER if parts else f"there is no {_NAMES[field]}")

    vary.__doc__ = f"Another value in a field of a {_NAMES[field]}."
    return vary


def add_effect(genome: Genome, chance: Chance) -> Genome:
    """An effect for a rank that has none yet, or sets that are laid, if none are."""
    taken = [effect.rank for effect in genome.effects if isinstance(effect, CardEffect)]
    free = [rank for rank in genome.setup.deck.ranks if rank not in taken]
    kinds = [kind for kind, open_ in ((CardEffect, free), (LaySets, len(taken) == len(genome.effects))) if open_]
    if not kinds or len(genome.effects) >= MOST_EFFECTS:
        raise DoesNotApply(f"there are {len(genome.effects)} already")
    new = build(chance.choice(kinds), genome, chance)
    if isinstance(new, CardEffect):
        new = replace(new, rank=chance.choice(free))
    return _with(genome, "effects", (*genome.effects, new))


def exchange_win(genome: Genome, chance: Chance) -> Genome:
    """A win condition of another kind instead of one."""
    wins = genome.win_conditions
    kinds = [kind for kind in WINS if kind not in map(type, wins)]
    new = build(chance.choice(kinds), genome, chance)
    return _with(genome, "win_conditions", put(wins, chance.below(len(wins)), new, instead_of=1))


def add_win(genome: Genome, chance: Chance) -> Genome:
    """A win condition of a kind that is not there yet."""
    kinds = tuple([kind for kind in WINS if kind not in map(type, genome.win_conditions)])
    return adding("win_conditions", kinds, MOST_WINS)(genome, chance)


def first_win(genome: Genome, chance: Chance) -> Genome:
    """Another win condition comes first: it decides when none has ended the deal."""
    wins = genome.win_conditions
    if len(wins) < 2:
        raise DoesNotApply("there is only one win condition")
    place = 1 + chance.below(len(wins) - 1)
    return _with(genome, "win_conditions", (wins[place], *wins[:place], *wins[place + 1 :]))


def turn_limit(genome: Genome, chance: Chance) -> Genome:
    """Another turn limit."""
    return replace(genome, max_turns=another(chance, TURN_LIMITS, genome.max_turns))


def _with(genome: Genome, field: str, parts: tuple[Any, ...]) -> Genome:
    return replace(genome, **{field: parts})
