"""Which high hand wins, with the whole deck or the short one."""

from collections.abc import Iterable
from typing import Final

from pitboss.cards import Card
from pitboss.ranks.layout import SHORT, STANDARD
from pitboss.ranks.tables import Tables, load

STANDARD_TABLES: Final[Tables] = load(STANDARD)
SHORT_TABLES: Final[Tables] = load(SHORT)


def high(cards: Iterable[Card]) -> int:
    """The strength of the best five of five to seven cards: greater wins, equal ties.

    >>> high(("As", "Ad", "Kc", "Kh", "2c", "2d", "7s")) > high(("As", "Ad", "Qc", "Qh", "Kc"))
    True
    """
    return STANDARD_TABLES.best(cards)


def high_name(strength: int) -> str:
    """The class of a strength that ``high`` gave.

    >>> high_name(high(("5s", "4s", "3s", "2s", "As", "Ad")))
    'straight_flush'
    """
    return STANDARD.class_name(strength)


def short(cards: Iterable[Card]) -> int:
    """As ``high`` for the 36 cards from six to ace: a flush beats a full house, A-6-7-8-9 is the lowest straight.

    >>> short(("As", "Ks", "9s", "8s", "6s")) > short(("Ac", "Ad", "Ah", "Kc", "Kd"))
    True
    """
    return SHORT_TABLES.best(cards)


def short_name(strength: int) -> str:
    """The class of a strength that ``short`` gave.

    >>> short_name(short(("As", "6d", "7c", "8c", "9c")))
    'straight'
    """
    return SHORT.class_name(strength)
