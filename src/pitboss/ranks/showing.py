"""Whose up-cards are best, among players who show as many: neither straights nor flushes count."""

from collections.abc import Iterable

from pitboss.cards import Card
from pitboss.ranks import kinds
from pitboss.ranks.layout import looked_up

FEWEST, MOST = 1, 4
TOP = 1 << 20

_ACE_LOW = kinds.places(kinds.ACE_LOW)
_ACE_HIGH = kinds.places(kinds.ACE_HIGH)


def showing_high(cards: Iterable[Card]) -> int:
    """How high one to four up-cards are: greater opens, equal ties.

    >>> showing_high(("2s", "2d", "3c")) > showing_high(("As", "Ks", "Qs"))
    True
    """
    return kinds.made(tuple(sorted(looked_up(tuple(cards), _ACE_HIGH, FEWEST, MOST))))


def showing_low(cards: Iterable[Card]) -> int:
    """How low one to four up-cards are, aces low: greater opens, equal ties.

    >>> showing_low(("Ks", "Qd", "Jc")) > showing_low(("As", "Ad", "2c"))
    True
    """
    return TOP - kinds.made(tuple(sorted(looked_up(tuple(cards), _ACE_LOW, FEWEST, MOST))))
