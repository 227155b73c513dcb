"""Cards as two letters, rank then suit: what they are called, how they are read, in which order a deck stands.

A card is a plain string such as ``"As"``, so a state prints, compares and travels as JSON without translation.
``"??"`` is a card nobody recorded; ``"A?"`` and ``"?s"`` are half known.
"""

from collections.abc import Iterable
from typing import TypeAlias

from pitboss.errors import PitbossError

Card: TypeAlias = str

RANKS = "23456789TJQKA"
SUITS = "cdhs"
UNKNOWN: Card = "??"

DECK: tuple[Card, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
SHORT_DECK: tuple[Card, ...] = tuple(card for card in DECK if card[0] not in "2345")

_KNOWN = frozenset(DECK)
_WRITABLE = _KNOWN | {rank + suit for rank in RANKS + "?" for suit in SUITS + "?"}


class CardError(PitbossError, ValueError):
    """A card that does not exist, or stands twice."""


def is_known(card: Card) -> bool:
    """Whether both rank and suit of a card are known."""
    return card in _KNOWN


def read_cards(text: str) -> tuple[Card, ...]:
    """Read cards written without separators (spaces are ignored).

    >>> read_cards("AsKd ??")
    ('As', 'Kd', '??')
    """
    letters = text.replace(" ", "")
    cards = tuple(letters[i : i + 2] for i in range(0, len(letters), 2))
    for card in cards:
        if card not in _WRITABLE:
            raise CardError(f"unknown card {card!r}: write a rank of {RANKS} and a suit of {SUITS}, such as As")
    return cards


def write_cards(cards: Iterable[Card]) -> str:
    """Write cards without separators; the opposite of ``read_cards``.

    >>> write_cards(("As", "Kd"))
    'AsKd'
    """
    return "".join(cards)


def check_distinct(cards: Iterable[Card]) -> None:
    """Refuse a known card that stands twice."""
    cards = tuple(cards)
    if len(set(cards)) == len(cards):
        return
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            raise CardError(f"card {card} stands twice")
        if card in _KNOWN:
            seen.add(card)
