"""Look up the strength of cards from sums of numbers, as `ranks/layout.py` describes it: of one holding, or of many.

The functions of the first part can be compiled. The others make the lookup tables, as lists and as arrays. A card is
its number in `cards.DECK`. A holding is START plus the sum of its cards' keys and, for flushes, the sum of their bits.
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
"""A mask that tells the compiler that the number of suit bits is not negative."""
NO_TOTAL = 1 << HIGH_SHIFT + HIGH_BITS
"""A number greater than the total of any seven cards."""
SEVEN = 7
BYTES = 256
"""The length of the tables. The bit of a number that is not a card is 0."""
OTHERS = 2 * BYTES
"""The index in `RowTables.both` of the numbers for all cards except the first of a row."""
AFTER_FLUSHES = SUIT_BITS + 1
"""The index in `RowTables.strengths` of the first hand without a flush."""


class Ranks(NamedTuple):
    """The lookup tables: lists in plain code, arrays in compiled code."""

    keys: Any  # by card
    bits: Any  # by card: one bit, in the thirteen of its suit
    blocks: Any
    places: Any
    flushes: Any
    hands: Any


class Lows(NamedTuple):
    """The lookup tables of eight-or-better lows."""

    bits: Any  # by card: its own bit
    low_ranks: Any  # by card: the bit of its rank, if that can be in a low
    lows: Any  # by the bits of ranks: the strength, or 0


class RowTables(NamedTuple):
    """The lookup tables of rows: `Ranks` rearranged so that the numbers of a card are adjacent."""

    both: Any  # by card, its key and its bit; first with START in the keys, for the first card of a row
    blocks: Any
    places: Any
    strengths: Any  # one table has the flushes and then all other hands, so that one lookup is enough


def strength(ranks: Any, total: int, bits: int) -> int:
    """Return the strength of a holding: the greater wins, equal strengths tie."""
    if total & FLUSH:
        return flushed(ranks, total, bits)
    return mixed(ranks, total)


def mixed(ranks: Any, total: int) -> int:
    """Return the strength of a holding without five cards of a suit."""
    return ranks.hands[place(ranks, total, 0)]  # type: ignore[no-any-return]  # a list's or an array's number


def flushed(ranks: Any, total: int, bits: int) -> int:
    """Return the strength of a holding with five cards of a suit. None of its other hands is better."""
    return ranks.flushes[suited(total, bits)]  # type: ignore[no-any-return]  # a list's or an array's number


def place(ranks: Any, total: int, first: int) -> int:
    """Return the place of a holding without five of a suit, in a table whose hands begin at `first`."""
    return first + ranks.blocks[total >> HIGH_SHIFT & HIGH_MASK] + ranks.places[total & LOW_MASK]  # type: ignore[no-any-return]  # lists' or arrays' numbers


def suited(total: int, bits: int) -> int:
    """Return the ranks of the suit with five cards, as bits."""
    suit = total >> (
        SUIT_SHIFT + 3
    )  # bits 0, 4, 8 and 12 are the suits; without branches, because a processor could not predict them
    shift = RANKS * ((suit >> 4 & 1) + 2 * (suit >> 8 & 1) + 3 * (suit >> 12 & 1))
    return (bits >> shift) & SUIT_BITS


def rank_rows(tables: Any, rows: Any, strengths: Any) -> int:
    """Write every row's strength. Return the first row with an invalid or duplicate card, or -1 if there is none.

    `tables` has one item. In compiled code it is an array with one record, because the tables of a record have
    fixed offsets.
    """
    ranks = tables[0]
    for i in range(len(rows)):
        total, held = START, 0
        for card in rows[i]:
            total += ranks.both[OTHERS + 2 * card]
            held += ranks.both[OTHERS + 2 * card + 1]
        if count_bits(held) != len(rows[i]):
            return i
        strengths[i] = look_up(ranks, total, held)
    return -1


def rank_sevens(tables: Any, rows: Any, strengths: Any) -> int:
    """Do the same as `rank_rows` for rows of seven cards, unrolled, which is faster."""
    ranks = tables[0]
    for i in range(len(rows)):
        row = rows[i]
        total, held = add_cards(ranks.both, (row[0], row[1], row[2], row[3], row[4], row[5], row[6]))
        if count_bits(held) != SEVEN:
            return i
        strengths[i] = look_up(ranks, total, held)
    return -1


def look_up(ranks: Any, total: int, held: int) -> int:
    """Return the strength of a holding by `RowTables`."""
    flush = total & FLUSH
    at = suited(total, held) if flush else place(ranks, total, AFTER_FLUSHES)
    return ranks.strengths[at]  # type: ignore[no-any-return]  # a list's or an array's number


def add_cards(both: Any, cards: tuple[int, ...]) -> tuple[int, int]:
    """Return START plus the sum of the cards' keys, and the sum of their bits.

    Compiled code calls `compiled.add_side_by_side` instead.
    """
    total, held = START, 0
    for card in cards:
        total += both[OTHERS + 2 * card]
        held += both[OTHERS + 2 * card + 1]
    return total, held


def rank_from_two(ranks: Any, hole: int, rows: Any, strengths: Any) -> int:
    """Do the same as `rank_rows` for games in which two hole cards play with three board cards."""
    for i in range(len(rows)):
        row = rows[i]
        held = 0
        for card in row:
            held |= ranks.bits[card]
        if count_bits(held) != len(row):
            return i
        strengths[i] = best_from_two(ranks, hole, row)
    return -1


def best_from_two(ranks: Any, hole: int, row: Any) -> int:
    """Return the best strength of two hole cards, which are first in the row, with three board cards."""
    best = 0
    for a in range(hole - 1):
        for b in range(a + 1, hole):
            total = START + ranks.keys[row[a]] + ranks.keys[row[b]]
            best = max(best, best_three(ranks, row, hole, total, ranks.bits[row[a]] | ranks.bits[row[b]]))
    return best


def best_three(ranks: Any, row: Any, hole: int, two: int, held: int) -> int:
    """Return the best strength of two cards with three of the row's board cards."""
    best, count = 0, len(row)
    for c in range(hole, count - 2):
        for d in range(c + 1, count - 1):
            for e in range(d + 1, count):
                total = two + ranks.keys[row[c]] + ranks.keys[row[d]] + ranks.keys[row[e]]
                bits = held | ranks.bits[row[c]] | ranks.bits[row[d]] | ranks.bits[row[e]]
                best = max(best, strength(ranks, total, bits))
    return best


def rank_lows(lows: Any, hole: int, rows: Any, strengths: Any) -> int:
    """Do the same as `rank_rows` for lows. If `hole` is 0 any five cards play, otherwise two hole cards."""
    for i in range(len(rows)):
        row = rows[i]
        held = 0
        for card in row:
            held |= lows.bits[card]
        if count_bits(held) != len(row):
            return i
        strengths[i] = best_low(lows, hole, row)
    return -1


def best_low(lows: Any, hole: int, row: Any) -> int:
    """Return the best low of a row. If `hole` is 0 any five cards play, otherwise two hole cards."""
    low = 0
    for card in row:
        low |= lows.low_ranks[card]
    best = int(lows.lows[low])
    if hole > 0 and best > 0:
        best = 0
        for a in range(hole - 1):
            for b in range(a + 1, hole):
                best = max(best, best_low_three(lows, row, hole, lows.low_ranks[row[a]] | lows.low_ranks[row[b]]))
    return best


def best_low_three(lows: Any, row: Any, hole: int, two: int) -> int:
    """Return the best low of two cards with three of the row's board cards."""
    best, count = 0, len(row)
    for c in range(hole, count - 2):
        for d in range(c + 1, count - 1):
            for e in range(d + 1, count):
                low = lows.lows[two | lows.low_ranks[row[c]] | lows.low_ranks[row[d]] | lows.low_ranks[row[e]]]
                best = max(best, int(low))
    return best


def rank_badugis(bits: Any, rows: Any, strengths: Any) -> int:
    """Do the same as `rank_rows` for badugis; `bits` has the bits of each card's rank and suit."""
    for i in range(len(rows)):
        row = rows[i]
        for a in range(len(row)):
            if bits[row[a]] == 0:
                return i
            for b in range(a):
                if row[a] == row[b]:
                    return i
        strengths[i] = best_badugi(bits, row)
    return -1


def best_badugi(bits: Any, row: Any) -> int:
    """Return the best badugi of a row."""
    best = 0
    for chosen in range(1, 1 << len(row)):
        count, total = 0, 0
        for k in range(len(row)):
            if chosen >> k & 1:
                count += 1
                total += bits[row[k]]
        if count_bits(total) == 2 * count:  # the cards have different ranks and suits
            best = max(best, count << RANKS | (total & SUIT_BITS) ^ SUIT_BITS)
    return best


def count_bits(held: int) -> int:
    """Return how many bits are set; the compiler replaces this loop by one instruction."""
    count = 0
    while held:
        held &= held - 1
        count += 1
    return count


# --- the tables


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


# --- tables of a shorter deck in the order of the full deck, so that one compiled loop reads both


def _moved_strengths(short: Tables) -> tuple[list[int], list[int]]:
    """Return the strengths of a shorter deck: flushes by their ranks, all others in the order of the full deck."""
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
