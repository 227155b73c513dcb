"""Hands compared by their ranks only, without straights and flushes.

A hand is a number: ``class << 4 * cards``, plus the rank of each card in four bits, most important card first. Ranks
are counted from 1. Of two hands with as many cards, the higher one has the greater number.
"""

from collections.abc import Iterable
from functools import cache

from pitboss.cards import DECK, RANKS, Card
from pitboss.ranks.layout import STANDARD, look_up

ACE_LOW = "A" + RANKS[:-1]
ACE_HIGH = RANKS

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(len(STANDARD.classes))
_BY_COUNTS = {(2, 2): TWO_PAIR, (3, 2): FULL_HOUSE}  # by the numbers of cards of the two most frequent ranks
_BY_COUNT = {1: HIGH_CARD, 2: PAIR, 3: THREE, 4: FOUR}


def places(ranks: str) -> dict[Card, int]:
    """Return the rank of each card as a number from 1, for this order of ranks."""
    return {card: ranks.index(card[0]) + 1 for card in DECK}


@cache
def made(ranks: tuple[int, ...]) -> int:
    """Return the number of a hand with these ranks, which must be sorted. Sorting keeps the cache small.

    >>> hex(made((1, 4, 5, 7, 7)))
    '0x177541'
    """
    ordered = sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True)
    most = ranks.count(ordered[0])
    next_most = ranks.count(ordered[most]) if most < len(ordered) else 0
    number = _BY_COUNTS.get((most, next_most), _BY_COUNT[most])
    for rank in ordered:
        number = number << 4 | rank
    return number


# --- up-cards: neither straights nor flushes count

FEWEST_UP, MOST_UP = 1, 4
TOP = 1 << 20

_ACE_LOW = places(ACE_LOW)
_ACE_HIGH = places(ACE_HIGH)


def showing_high(cards: Iterable[Card]) -> int:
    """Return the strength of one to four up-cards, if the highest hand acts first.

    >>> showing_high(("2s", "2d", "3c")) > showing_high(("As", "Ks", "Qs"))
    True
    """
    return made(tuple(sorted(look_up(tuple(cards), _ACE_HIGH, FEWEST_UP, MOST_UP))))


def showing_low(cards: Iterable[Card]) -> int:
    """Return the strength of one to four up-cards, if the lowest hand acts first. Aces are low.

    >>> showing_low(("Ks", "Qd", "Jc")) > showing_low(("As", "Ad", "2c"))
    True
    """
    return TOP - made(tuple(sorted(look_up(tuple(cards), _ACE_LOW, FEWEST_UP, MOST_UP))))
