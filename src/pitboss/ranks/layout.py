"""The layout of the table files: what each card adds, how classes are numbered, and which cards are refused.

The keys of five to seven cards are added to ``START``. A key has three fields, all within 47 bits:

    bits  0..16   low ranks: a base-5 digit for each of the first ``split`` ranks (none occurs more than four times)
    bits 17..32   suits: four bits each; they start at 3, so the fifth card of a suit sets that suit's bit of ``FLUSH``
    bits 33..46   high ranks: a base-5 digit for each of the other ranks

A table file is little-endian, without a header:

    blocks   uint32[span(high ranks)]    where in ``hands`` the block of these high ranks begins
    places   uint16[span(low ranks)]     where in any block these low ranks are
    flushes  uint16[2 ** ranks]          strength of the ranks of one suit, by mask; bit 0 is the lowest rank
    hands    uint16[rest]                strength when no suit has five: hands[blocks[high] + places[low]]

A strength is ``class << CLASS_SHIFT | place in the class``, places from 1; 0 means that there are not five cards.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pitboss.cards import RANKS, SUITS, Card, CardError, check_distinct, is_known
from pitboss.errors import PitbossError


class RankError(PitbossError, ValueError):
    """Cards too few or too many to rank, or a strength that no cards have."""


FEWEST, MOST = 5, 7
FROM_HOLE, FROM_BOARD = 2, 3  # what plays where exactly so many must

LOW_MASK = (1 << 17) - 1
SUIT_SHIFT = 17
HIGH_SHIFT = 33
START = 0x3333 << SUIT_SHIFT
FLUSH = 0x8888 << SUIT_SHIFT

CLASS_SHIFT = 12


@dataclass(frozen=True)
class Layout:
    """A deck's ranks (lowest first), how many of them are in the low field, and the classes (weakest first)."""

    file: str
    ranks: str
    split: int
    classes: tuple[str, ...]

    def keys(self) -> dict[Card, int]:
        """What each card of the deck adds."""
        powers = [5**i if i < self.split else 5 ** (i - self.split) << HIGH_SHIFT for i in range(len(self.ranks))]
        return {
            rank + suit: power + (1 << SUIT_SHIFT + 4 * number)
            for rank, power in zip(self.ranks, powers, strict=True)
            for number, suit in enumerate(SUITS)
        }

    def class_name(self, strength: int) -> str:
        """The class of a strength."""
        if not 0 < strength < len(self.classes) << CLASS_SHIFT:
            raise RankError(f"no hand has the strength {strength}")
        return self.classes[strength >> CLASS_SHIFT]


def span(ranks: int) -> int:
    """How many values a field of so many ranks can reach: the last has four cards of the top rank, three of the next.

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


NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven")


def not_in_deck(card: object) -> CardError:
    """The refusal of a card that is unknown or that this deck lacks."""
    return CardError(f"card {card!r} cannot be ranked: it is unknown or not in this deck")


def not_a_holding(held: Sequence[Card], fewest: int = FEWEST, most: int = MOST) -> CardError | RankError:
    """The refusal of cards that are too few, too many, or not all different."""
    if not fewest <= len(held) <= most:
        return RankError(f"{len(held)} cards cannot be ranked: it takes {NUMBERS[fewest]} to {NUMBERS[most]}")
    check_distinct(held)
    return not_in_deck(next(card for card in held if not is_known(card)))


def looked_up(held: tuple[Card, ...], table: Mapping[Card, int], fewest: int = FEWEST, most: int = MOST) -> list[int]:
    """What stands in a table for each card of a holding of so many different cards."""
    if not fewest <= len(held) == len(set(held)) <= most:
        raise not_a_holding(held, fewest, most)
    return numbers(held, table)


def numbers(cards: Iterable[Card], table: Mapping[Card, int]) -> list[int]:
    """What stands in a table for each card."""
    try:
        return [table[card] for card in cards]
    except KeyError as missing:
        raise not_in_deck(missing.args[0]) from None
