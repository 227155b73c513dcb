"""The layout of the table files: keys of cards, numbers of classes, and errors for invalid cards.

The keys of five to seven cards are added to ``START``. A key has three fields, all within 47 bits:

    bits  0..16   low ranks: a base-5 digit for each of the first ``split`` ranks (none occurs more than four times)
    bits 17..32   suits: four bits each; they start at 3, so the fifth card of a suit sets that suit's bit of ``FLUSH``
    bits 33..46   high ranks: a base-5 digit for each of the other ranks

A table file is little-endian, without a header:

    blocks   uint32[span(high ranks)]    the start of the block of these high ranks in ``hands``
    places   uint16[span(low ranks)]     the position of these low ranks in any block
    flushes  uint16[2 ** ranks]          strength of the ranks of one suit, by mask; bit 0 is the lowest rank
    hands    uint16[rest]                strength without a flush: hands[blocks[high] + places[low]]

A strength is ``class << CLASS_SHIFT | place in the class``. The places are counted from 1. The strength 0 is that of
fewer than five cards.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pitboss.cards import RANKS, SUITS, Card, CardError, check_distinct, is_known
from pitboss.errors import PitbossError


class RankError(PitbossError, ValueError):
    """A wrong number of cards, or a number that is not a strength.

    >>> from pitboss import evaluate
    >>> evaluate("AsKs")
    Traceback (most recent call last):
    pitboss.RankError: expected 5 to 7 cards, got 2
    """


FEWEST, MOST = 5, 7
FROM_HOLE, FROM_BOARD = 2, 3  # the number of cards of each that must be used in games such as Omaha

LOW_MASK = (1 << 17) - 1
SUIT_SHIFT = 17
HIGH_SHIFT = 33
START = 0x3333 << SUIT_SHIFT
FLUSH = 0x8888 << SUIT_SHIFT

CLASS_SHIFT = 12


@dataclass(frozen=True)
class Layout:
    """The ranks of a deck (lowest first), the number of them in the low field, and the classes (weakest first)."""

    file: str
    ranks: str
    split: int
    classes: tuple[str, ...]

    def keys(self) -> dict[Card, int]:
        """Return the key of each card of the deck."""
        powers = [5**i if i < self.split else 5 ** (i - self.split) << HIGH_SHIFT for i in range(len(self.ranks))]
        return {
            rank + suit: power + (1 << SUIT_SHIFT + 4 * number)
            for rank, power in zip(self.ranks, powers, strict=True)
            for number, suit in enumerate(SUITS)
        }

    def class_name(self, strength: int) -> str:
        """Return the name of the class of a strength."""
        if not 0 < strength < len(self.classes) << CLASS_SHIFT:
            raise RankError(f"expected the strength of a hand, got {strength}")
        return self.classes[strength >> CLASS_SHIFT]


def span(ranks: int) -> int:
    """Return the number of values of a field with this number of ranks.

    The largest value has four cards of the highest rank, and three of the next.

    >>> span(6)
    14376
    """
    return int(4 * 5 ** (ranks - 1) + 3 * 5 ** (ranks - 2)) + 1


STANDARD = Layout(
    file="standard.bin",
    ranks=RANKS,
    split=7,
    classes=(
        "high_card",
        "pair",
        "two_pair",
        "three_of_a_kind",
        "straight",
        "flush",
        "full_house",
        "four_of_a_kind",
        "straight_flush",
    ),
)

SHORT = Layout(
    file="short.bin",
    ranks=RANKS[4:],
    split=5,
    classes=(
        "high_card",
        "pair",
        "two_pair",
        "three_of_a_kind",
        "straight",
        "full_house",
        "flush",
        "four_of_a_kind",
        "straight_flush",
    ),
)


def not_in_deck(card: object) -> CardError:
    """Return the error for a card that is unknown or not in the deck."""
    return CardError(f"card {card!r} cannot be ranked: it is unknown or not in this deck")


def not_a_holding(held: Sequence[Card], fewest: int = FEWEST, most: int = MOST) -> CardError | RankError:
    """Return the error for a wrong number of cards, or for a card that appears twice."""
    if not fewest <= len(held) <= most:
        return RankError(f"expected {fewest} to {most} cards, got {len(held)}")
    check_distinct(held)
    return not_in_deck(next(card for card in held if not is_known(card)))


def look_up(held: tuple[Card, ...], table: Mapping[Card, int], fewest: int = FEWEST, most: int = MOST) -> list[int]:
    """Return the table entry of each card. Raise an error for a wrong number of cards, or for a repeated card."""
    if not fewest <= len(held) == len(set(held)) <= most:
        raise not_a_holding(held, fewest, most)
    return numbers(held, table)


def numbers(cards: Iterable[Card], table: Mapping[Card, int]) -> list[int]:
    """Return the table entry of each card."""
    try:
        return [table[card] for card in cards]
    except KeyError as missing:
        raise not_in_deck(missing.args[0]) from None
