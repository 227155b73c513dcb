"""Cards as two letters, rank then suit, and how to read and write them.

A card is a plain string such as ``"As"``, so it can be printed, compared and sent as JSON without conversion.
``"??"`` is an unknown card; ``"A?"`` and ``"?s"`` are partly known.
"""

from collections.abc import Iterable, Sequence
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
_SUIT_OF = {sign: suit for signs, suit in zip(("♣♧", "♦♢", "♥♡", "♠♤"), SUITS, strict=True) for sign in signs}
_NOTHING = {ord(","): " ", ord(";"): " ", 0xFE0E: None, 0xFE0F: None}
"""Characters between cards that are ignored: separators, and variation selectors of suit signs."""


class CardError(PitbossError, ValueError):
    """Text that is not a valid card, or a card that appears twice.

    >>> from pitboss import read_cards
    >>> read_cards("AsZz")
    Traceback (most recent call last):
    pitboss.CardError: unknown card 'Zz': write a rank of 23456789TJQKA and a suit of cdhs, such as As
    """


class CardTwiceError(CardError):
    """A known card that appears twice."""


def is_known(card: Card) -> bool:
    """Return whether both rank and suit of a card are known."""
    return card in _KNOWN


def read_cards(text: str | Sequence[str]) -> tuple[Card, ...]:
    """Read cards from text in any case, with or without commas and spaces, with 10 or T, and with ♠ or s.

    A list of texts is read in order. No card may appear twice.

    >>> read_cards("AsKd ??")
    ('As', 'Kd', '??')
    >>> read_cards("as, 10H, q♦")
    ('As', 'Th', 'Qd')
    """
    cards = _read_all(text)
    check_distinct(cards)
    return cards


def _read_all(text: str | Sequence[str]) -> tuple[Card, ...]:
    if isinstance(text, list | tuple) and all(isinstance(part, str) for part in text):
        return tuple([card for part in text for card in _read_all(part)])
    if not isinstance(text, str):
        raise CardError(f"expected cards as text such as 'As Kd', got {text!r:.40}")
    try:
        return read_written_cards(text)
    except CardError:
        return _read_typed_cards(text)


def read_written_cards(text: str) -> tuple[Card, ...]:
    """Read cards in exactly the form of `write_cards`; spaces are ignored. Files and journals use this form."""
    letters = text.replace(" ", "")
    cards = tuple([letters[i : i + 2] for i in range(0, len(letters), 2)])
    for card in cards:
        if card not in _WRITABLE:
            raise _unknown(card)
    return cards


def _read_typed_cards(text: str) -> tuple[Card, ...]:
    """Read cards in any case, with letters or signs for suits."""
    letters = "".join(text.translate(_NOTHING).split()).replace("10", "T")
    typed = [letters[i : i + 2] for i in range(0, len(letters), 2)]
    cards = tuple([card[0].upper() + _SUIT_OF.get(card[1:], card[1:].lower()) for card in typed])
    for card, given in zip(cards, typed, strict=True):
        if card not in _WRITABLE:
            raise _unknown(given)
    return cards


def _unknown(card: str) -> CardError:
    return CardError(f"unknown card {card!r}: write a rank of {RANKS} and a suit of {SUITS}, such as As")


def write_cards(cards: Iterable[Card]) -> str:
    """Write cards without separators. This is the inverse of ``read_cards``.

    >>> write_cards(("As", "Kd"))
    'AsKd'
    """
    return "".join(cards)


def check_distinct(cards: Iterable[Card]) -> None:
    """Raise `CardTwiceError` if a known card appears twice."""
    cards = tuple(cards)
    if len(set(cards)) == len(cards):
        return
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            raise CardTwiceError(f"card {card} appears twice")
        if card in _KNOWN:
            seen.add(card)
