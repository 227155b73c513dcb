"""What variation may write into a genome's fields: for every kind of part, the values to draw from.

Any valid value may stand in a file; these are the ones worth trying. `build` and `change` draw from them.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import fields, replace

from pitboss.chance import Chance
from pitboss.lab.genome.parts import (
    AnyPhase,
    AnyWin,
    BestHand,
    BettingPhase,
    CaptureAll,
    CardEffect,
    CardPoints,
    ClaimPhase,
    CommunityPhase,
    DiscardPhase,
    DrawPhase,
    EmptyHand,
    FirstToScore,
    Genome,
    HighCard,
    HighScore,
    LaySets,
    LeastDeadwood,
    LowScore,
    MostTricks,
    PlayPhase,
    TrickPhase,
    TrickPoints,
)

T = TypeVar("T")
Part = TypeVar("Part", bound=Struct)

CARD_PHASES: tuple[type[AnyPhase], ...] = (DrawPhase, PlayPhase, DiscardPhase, TrickPhase, ClaimPhase, CommunityPhase)
WINS: tuple[type[AnyWin], ...] = (
    *(BestHand, HighCard, HighScore, LowScore, FirstToScore, EmptyHand, CaptureAll, MostTricks, LeastDeadwood),
)

AMOUNTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  #: bets and antes
STACKS = (20, 50, 100, 200, 500, 1000, 2000)  #: starting chips
RAISES = (0, 1, 2, 3, 4, 5)
DEALS = (1, 2, 3, 5, 10, 20)
ROUNDS = (0, 1, 2, 3, 5, 8, 13)
TURN_LIMITS = (50, 100, 200, 300, 500, 1000, 2000)

_BOTH = (False, True)
_MATCHES = (
    *(("any",), ("suit",), ("rank",), ("suit", "rank"), ("higher",), ("higher_or_equal",)),
    *(("suit", "higher"), ("rank", "higher"), ("suit", "rank", "higher")),
)
_FIXED: dict[type[Struct], Mapping[str, Sequence[object]]] = {
    DrawPhase: {
        "source": ("deck", "discard", "either", "opponent", "ask"),
        "count": (1, 2, 3),
        "optional": _BOTH,
        "only_if_stuck": _BOTH,
    },
    DiscardPhase: {"count": (1, 2, 3), "optional": _BOTH, "replace": _BOTH},
    TrickPhase: {"follow": _BOTH, "blind": _BOTH, "to": ("captured", "hand"), "ties": ("first", "stay")},
    ClaimPhase: {"most": (1, 2, 3, 4)},
    CommunityPhase: {"count": (1, 2, 3)},
    TrickPoints: {"points": (1, 2, 3, 5, 10)},
    BestHand: {"ranking": ("poker", "points"), "bust": (0, 15, 17, 21, 25, 31)},
    FirstToScore: {"target": (5, 10, 20, 50, 100)},
    LeastDeadwood: {"knock": (0, 3, 5, 10)},
}


def values(kind: type[Struct], genome: Genome) -> Mapping[str, Sequence[object]]:
    """The values to draw from for every field of a part of this kind, in this genome."""
    deck = genome.setup.deck
    if kind is BettingPhase:
        stack = genome.setup.starting_chips
        return {"min_bet": [bet for bet in AMOUNTS if bet <= stack] or [stack], "max_raises": RAISES}
    if kind is PlayPhase:
        return {
            "target": ("discard", "tableau"),
            "match": _MATCHES,
            "wild": ("", *deck.ranks),
            "most": (1, 2, 3, 4),
            "optional": _BOTH,
            "clear_after_passes": _BOTH,
            "capture": ("none", "rank", "sum"),
        }
    if kind is CardEffect:
        return {"rank": tuple(deck.ranks), "effect": ("skip", "reverse", "draw_two", "again")}
    if kind is LaySets:
        return {"size": range(2, max(2, len(deck.suits)) + 1), "points": (0, 1, 2, 5)}
    if kind is CardPoints:
        patterns = ["**", *[f"{rank}*" for rank in deck.ranks], *[f"*{suit}" for suit in deck.suits]]
        single = [rank + suit for rank, suit in product(deck.ranks, deck.suits)]
        return {"cards": patterns + single, "points": (1, 2, 3, 5, 10), "where": ("captured", "hand")}
    return _FIXED.get(kind, {})


def other(chance: Chance, among: Sequence[T], than: T) -> T | None:
    """Draw a value that is another one, if there is any."""
    left = [value for value in among if value != than]
    return chance.choice(left) if left else None


def build(kind: type[Part], genome: Genome, chance: Chance) -> Part:
    """A part of this kind; a field keeps its default about half of the time, so that plain parts stay common."""
    among = values(kind, genome)
    drawn: dict[str, Any] = {}
    for field in fields(kind):
        if field.name in among and (field.default not in among[field.name] or chance.below(2)):
            drawn[field.name] = chance.choice(among[field.name])
    return kind(**drawn)


def change(part: Part, genome: Genome, chance: Chance) -> Part | None:
    """The part with another value in one of its fields, if it has any field to vary."""
    among = values(type(part), genome)
    for field in chance.shuffled(among):
        value = other(chance, among[field], getattr(part, field))
        if value is not None:
            return replace(part, **{field: value})
    return None
