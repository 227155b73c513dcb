"""The strength of five to seven cards from sums of numbers, as `ranks/layout.py` describes it, written to be compiled.

A card is its number in `cards.DECK`. `ranks` holds the lookup tables; a holding is the sum of its cards' keys on top of
START and, for the flushes, the sum of their bits.
"""

from typing import Any, NamedTuple

from pitboss.ranks.layout import FLUSH, HIGH_SHIFT, LOW_MASK, START, SUIT_SHIFT

__all__ = ["FLUSH", "START", "Ranks", "flushed", "mixed", "strength"]

RANKS = 13
SUIT_BITS = (1 << RANKS) - 1
HIGH_BITS = 15
"""All that the high ranks can have, even of seven cards of which some stand twice."""
HIGH_MASK = (1 << HIGH_BITS) - 1
"""So the compiler sees that their number is not negative."""
NO_TOTAL = 1 << HIGH_SHIFT + HIGH_BITS
"""More than seven cards come to, whatever they are."""


class Ranks(NamedTuple):
    """The lookup tables: lists in plain play, arrays in compiled."""

    keys: Any  # by card
    bits: Any  # by card: one bit, in the thirteen of its suit
    blocks: Any
    places: Any
    flushes: Any
    hands: Any


def strength(ranks: Any, total: int, bits: int) -> int:
    """The strength of a holding: greater wins, equal ties."""
    if total & FLUSH:
        return flushed(ranks, total, bits)
    return mixed(ranks, total)


def mixed(ranks: Any, total: int) -> int:
    """The strength of a holding in which no suit has five."""
    return ranks.hands[place(ranks, total, 0)]  # type: ignore[no-any-return]  # a list's or an array's number


def flushed(ranks: Any, total: int, bits: int) -> int:
    """The strength of a holding with five of a suit: seven such cards hold nothing better than what that suit makes."""
    return ranks.flushes[suited(total, bits)]  # type: ignore[no-any-return]  # a list's or an array's number


def place(ranks: Any, total: int, first: int) -> int:
    """Where a holding in which no suit has five stands in a table whose first hand stands there."""
    return first + ranks.blocks[total >> HIGH_SHIFT & HIGH_MASK] + ranks.places[total & LOW_MASK]  # type: ignore[no-any-return]  # lists' or arrays' numbers


def suited(total: int, bits: int) -> int:
    """The ranks, as bits, of the suit of which there are five."""
    suit = total >> (SUIT_SHIFT + 3)  # its bits 0, 4, 8 and 12 are the suits; no branches, as none could be guessed
    shift = RANKS * ((suit >> 4 & 1) + 2 * (suit >> 8 & 1) + 3 * (suit >> 12 & 1))
    return (bits >> shift) & SUIT_BITS
