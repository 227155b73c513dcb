"""High hands with wild cards.

A wild card stands for any card that the hand does not have. As the only exception, five cards of one rank are allowed:
five of a kind is the strongest hand. A strength is ``class << 20``, plus five ranks in four bits each, the most
important one first.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

from pitboss.cards import RANKS, SUITS, Card
from pitboss.ranks import pairs
from pitboss.ranks.layout import FEWEST, STANDARD, RankError, look_up

CLASSES = (*STANDARD.classes, "five_of_a_kind")
"""The classes of hands, weakest first."""

_ACE_HIGH = pairs.places(RANKS)
_HIGHEST_FIRST = range(len(RANKS), 0, -1)
_STRAIGHTS = [tuple(range(top, top - 5, -1)) for top in range(len(RANKS), 4, -1)] + [(4, 3, 2, 1, len(RANKS))]
_SHIFT = 20


def wild_high(cards: Iterable[Card], wild: str) -> int:
    """Return the strength of the best five of five to seven cards: greater wins, equal ties. `wild` has wild ranks.

    >>> wild_high("As Ad Ac Ah 2c".split(), wild="2") > wild_high("Ks Qs Js Ts 2c".split(), wild="2")
    True
    >>> wild_high("9s 9d 5c 5h 2c".split(), wild="2") == wild_high("9s 9d 9c 5h 5c".split(), wild="2")
    True
    """
    held = tuple(cards)
    look_up(held, _ACE_HIGH, FEWEST)  # it refuses a wrong number of cards, and unknown or repeated cards
    natural = [card for card in held if card[0] not in wild]
    name, ranks = next(_hands(natural, len(held) - len(natural)))
    strength = CLASSES.index(name)
    for rank in (*ranks, 0, 0, 0, 0, 0)[:5]:
        strength = strength << 4 | rank
    return strength


def _hands(natural: Sequence[Card], wild: int) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield hands that these cards make with this number of wild cards, strongest first, and the ranks that decide."""
    places = sorted([_ACE_HIGH[card] for card in natural], reverse=True)
    count = Counter(places)
    by_suit = [{_ACE_HIGH[card] for card in natural if card[1] == suit} for suit in SUITS]

    def others(*ranks: int) -> list[int]:
        return [place for place in places if place not in ranks]

    for rank in _HIGHEST_FIRST:
        if count[rank] + wild >= 5:
            yield "five_of_a_kind", (rank,)
    for straight in _STRAIGHTS:
        if any(5 - len(suited.intersection(straight)) <= wild for suited in by_suit):
            yield "straight_flush", straight[:1]
    for rank in _HIGHEST_FIRST:
        if count[rank] + wild >= 4:
            yield "four_of_a_kind", (rank, *others(rank)[:1])
    for three, two in permutations(_HIGHEST_FIRST, 2):
        if max(0, 3 - count[three]) + max(0, 2 - count[two]) <= wild:
            yield "full_house", (three, two)
    if flushes := [_flush(suited, wild) for suited in by_suit if len(suited) + wild >= 5]:
        yield "flush", max(flushes)
    for straight in _STRAIGHTS:
        if 5 - len(set(places).intersection(straight)) <= wild:
            yield "straight", straight[:1]
    for rank in _HIGHEST_FIRST:
        if count[rank] + wild >= 3:
            yield "three_of_a_kind", (rank, *others(rank)[:2])
    if len(pairs := [rank for rank in _HIGHEST_FIRST if count[rank] == 2]) > 1:
        yield "two_pair", (*pairs[:2], *others(*pairs[:2])[:1])
    for rank in _HIGHEST_FIRST:
        if count[rank] + wild >= 2:
            yield "pair", (rank, *others(rank)[:3])
    yield "high_card", places[:5]


def _flush(suited: set[int], wild: int) -> list[int]:
    """Return the five highest ranks of a flush. Wild cards are the highest ranks that the suit does not have."""
    missing = [rank for rank in _HIGHEST_FIRST if rank not in suited][:wild]
    return sorted([*suited, *missing], reverse=True)[:5]


def wild_high_name(strength: int) -> str:
    """Return the class of a strength of ``wild_high``.

    >>> wild_high_name(wild_high("As Ad Ac Ah 2c".split(), wild="2"))
    'five_of_a_kind'
    """
    if not 0 < strength < len(CLASSES) << _SHIFT:
        raise RankError(f"expected the strength of a hand, got {strength}")
    return CLASSES[strength >> _SHIFT]
