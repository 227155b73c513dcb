"""What ranks alone make, straights and flushes left aside: those of a kind first, as one number to compare.

A rank's place counts from 1. A number is ``class << 4 * cards`` and below it a digit of four bits for each card, most
telling first, so of the same number of cards the greater is the higher hand.
"""

from collections.abc import Iterable
from functools import cache

from pitboss.cards import DECK, RANKS, Card
from pitboss.ranks.layout import STANDARD, looked_up

ACE_LOW = "A" + RANKS[:-1]
ACE_HIGH = RANKS

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(len(STANDARD.classes))
_BY_COUNTS = {(2, 2): TWO_PAIR, (3, 2): FULL_HOUSE}  # how often the two most frequent ranks occur
_BY_COUNT = {1: HIGH_CARD, 2: PAIR, 3: THREE, 4: FOUR}


def places(ranks: str) -> dict[Card, int]:
    """The place of each card's rank in this order of the ranks, from 1."""
    return {card: ranks.index(card[0]) + 1 for card in DECK}


@cache
def made(ranks: tuple[int, ...]) -> int:
    """The number of these ranks, given in order (so that there are few to remember).

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


# --- up-cards, where neither straights nor flushes count

FEWEST_UP, MOST_UP = 1, 4
TOP = 1 << 20

_ACE_LOW = places(ACE_LOW)
_ACE_HIGH = places(ACE_HIGH)


def showing_high(cards: Iterable[Card]) -> int:
    """How high one to four up-cards are: greater opens, equal ties.

    >>> showing_high(("2s", "2d", "3c")) > showing_high(("As", "Ks", "Qs"))
    True
    """
    return made(tuple(sorted(looked_up(tuple(cards), _ACE_HIGH, FEWEST_UP, MOST_UP))))


def showing_low(cards: Iterable[Card]) -> int:
    """How low one to four up-cards are, aces low: greater opens, equal ties.

    >>> showing_low(("Ks", "Qd", "Jc")) > showing_low(("As", "Ad", "2c"))
    True
    """
    return TOP - made(tuple(sorted(looked_up(tuple(cards), _ACE_LOW, FEWEST_UP, MOST_UP))))
