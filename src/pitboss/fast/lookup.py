"""Look up the strength of five to seven cards from sums of numbers, as `ranks/layout.py` describes it.

The first part is written to be compiled; the second makes the lookup tables of `ranks/` as lists and as arrays. A card
is its number in `cards.DECK`. A holding is START plus the sum of its cards' keys and, for flushes, the sum of their
bits.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from pitboss.cards import DECK
from pitboss.fast.compiled import record
from pitboss.ranks.highs import STANDARD_TABLES, Tables
from pitboss.ranks.layout import FEWEST, FLUSH, HIGH_SHIFT, LOW_MASK, MOST, START, SUIT_SHIFT
from pitboss.ranks.orders import ORDERS

__all__ = ["FLUSH", "START", "Ranks", "flushed", "mixed", "strength"]

RANKS = 13
SUIT_BITS = (1 << RANKS) - 1
HIGH_BITS = 15
"""The bits of the high ranks, even of seven cards with duplicates."""
HIGH_MASK = (1 << HIGH_BITS) - 1
"""Shows the compiler that their number is not negative."""
NO_TOTAL = 1 << HIGH_SHIFT + HIGH_BITS
"""More than the total of any seven cards."""


class Ranks(NamedTuple):
    """The lookup tables: lists in plain code, arrays in compiled code."""

    keys: Any  # by card
    bits: Any  # by card: one bit, in the thirteen of its suit
    blocks: Any
    places: Any
    flushes: Any
    hands: Any


def strength(ranks: Any, total: int, bits: int) -> int:
    """Return the strength of a holding: the greater wins, equal strengths tie."""
    if total & FLUSH:
        return flushed(ranks, total, bits)
    return mixed(ranks, total)


def mixed(ranks: Any, total: int) -> int:
    """Return the strength of a holding without five cards of a suit."""
    return ranks.hands[place(ranks, total, 0)]  # type: ignore[no-any-return]  # a list's or an array's number


def flushed(ranks: Any, total: int, bits: int) -> int:
    """Return the strength of a holding with five of a suit; no hand of its other cards is better."""
    return ranks.flushes[suited(total, bits)]  # type: ignore[no-any-return]  # a list's or an array's number


def place(ranks: Any, total: int, first: int) -> int:
    """Return the place of a holding without five of a suit, in a table whose hands begin at `first`."""
    return first + ranks.blocks[total >> HIGH_SHIFT & HIGH_MASK] + ranks.places[total & LOW_MASK]  # type: ignore[no-any-return]  # lists' or arrays' numbers


def suited(total: int, bits: int) -> int:
    """Return the ranks of the suit with five cards, as bits."""
    suit = total >> (SUIT_SHIFT + 3)  # bits 0, 4, 8 and 12 are the suits; no branches, they would be unpredictable
    shift = RANKS * ((suit >> 4 & 1) + 2 * (suit >> 8 & 1) + 3 * (suit >> 12 & 1))
    return (bits >> shift) & SUIT_BITS


@cache
def plain_ranks(order: str = "high") -> Ranks:
    """Return the tables as plain sequences, for small jobs."""
    tables = STANDARD_TABLES
    keys = [tables.keys[card] for card in DECK]
    bits = [1 << RANKS * (number % 4) + number // 4 for number in range(len(DECK))]
    own = ORDERS[order].tables or tables
    flushes, hands = (tables.flushes, tables.hands) if own is tables else _moved_strengths(own)
    return Ranks(keys, bits, tables.blocks, tables.places, flushes, hands)


@cache
def packed_ranks(order: str = "high") -> Ranks:
    """Return the tables as NumPy arrays, for compiled code."""
    import numpy as np

    types = (np.int64, np.int64, np.uint32, np.uint16, np.uint16, np.uint16)
    return Ranks(*[np.array(table, kind) for table, kind in zip(plain_ranks(order), types, strict=True)])


@cache
def ranks_record(order: str = "high") -> Any:
    """Return the tables as an array of one record, which compiled code passes on by address."""
    import numpy as np

    packed = packed_ranks(order)
    tables = np.zeros(
        1, record([(name, getattr(packed, name).dtype, len(getattr(packed, name))) for name in Ranks._fields])
    )
    for name in Ranks._fields:
        tables[0][name] = getattr(packed, name)
    return tables


# --- a shorter deck's strengths at the full deck's places, so that one compiled loop looks up both


def _moved_strengths(short: Tables) -> tuple[list[int], list[int]]:
    """Return a shorter deck's strengths, by the ranks of a flush and by the full deck's places."""
    whole = STANDARD_TABLES
    missing = RANKS - len(short.layout.ranks)
    flushes = [0 if mask & (1 << missing) - 1 else short.flushes[mask >> missing] for mask in range(1 << RANKS)]
    hands = [0] * len(whole.hands)
    for ranks in _holdings(short.layout.ranks):
        hands[_place(whole, ranks)] = short.hands[_place(short, ranks)]
    return flushes, hands


def _holdings(ranks: str) -> Iterator[tuple[str, ...]]:
    """Yield all holdings of five to seven cards by their ranks."""
    for size in range(FEWEST, MOST + 1):
        for held in combinations_with_replacement(ranks, size):
            if all(held.count(rank) <= 4 for rank in set(held)):
                yield held


def _place(tables: Tables, ranks: tuple[str, ...]) -> int:
    """Return the place of cards of these ranks without five of a suit."""
    total = sum([tables.keys[f"{rank}c"] for rank in ranks])
    return tables.blocks[total >> HIGH_SHIFT] + tables.places[total & LOW_MASK]
