"""The strengths of many holdings, one row of card numbers each; written to be compiled."""

from typing import Any, NamedTuple

from pitboss.fast import lookup

SEVEN = 7
BYTES = 256
"""The tables have this length; numbers that are not cards have no bit."""
OTHERS = 2 * BYTES
"""Where in `RowTables.both` the numbers of all cards but a row's first begin."""
AFTER_FLUSHES = lookup.SUIT_BITS + 1
"""Where in `RowTables.strengths` the hands begin."""


class Lows(NamedTuple):
    """The lookup tables of eight-or-better lows."""

    bits: Any  # by card: its own bit
    low_ranks: Any  # by card: the bit of its rank, if that can be in a low
    lows: Any  # by the bits of ranks: the strength, or 0


class RowTables(NamedTuple):
    """The lookup tables of rows: `lookup.Ranks` rearranged so that the numbers of a card are adjacent."""

    both: Any  # by card, its key and its bit: first as a row's first card, with START, then as any other card
    blocks: Any
    places: Any
    strengths: Any  # the flushes, then the hands, so that one lookup reads both


def rank_rows(tables: Any, rows: Any, strengths: Any) -> int:
    """Write every row's strength; return -1, or the first row with an invalid or duplicate card.

    `tables` is a list of one; compiled it is an array of one record, whose tables are at fixed offsets.
    """
    ranks = tables[0]
    for i in range(len(rows)):
        total, held = lookup.START, 0
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
    flush = total & lookup.FLUSH
    place = lookup.suited(total, held) if flush else lookup.place(ranks, total, AFTER_FLUSHES)
    return ranks.strengths[place]  # type: ignore[no-any-return]  # a list's or an array's number


def add_cards(both: Any, cards: tuple[int, ...]) -> tuple[int, int]:
    """Return START plus the sum of the cards' keys, and the sum of their bits, one per card unless one appears twice.

    Compiled code calls `compiled.add_side_by_side` instead.
    """
    total, held = lookup.START, 0
    for card in cards:
        total += both[OTHERS + 2 * card]
        held += both[OTHERS + 2 * card + 1]
    return total, held


def rank_from_two(ranks: Any, hole: int, rows: Any, strengths: Any) -> int:
    """Do the same as `rank_rows` if two of a row's hole cards, which come first, play with three of the others."""
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
    """Return the best strength of two of a row's hole cards, which come first, with three of the others."""
    best = 0
    for a in range(hole - 1):
        for b in range(a + 1, hole):
            total = lookup.START + ranks.keys[row[a]] + ranks.keys[row[b]]
            best = max(best, best_three(ranks, row, hole, total, ranks.bits[row[a]] | ranks.bits[row[b]]))
    return best


def best_three(ranks: Any, row: Any, hole: int, two: int, held: int) -> int:
    """Return the best strength of two cards with three of a row's others."""
    best, count = 0, len(row)
    for c in range(hole, count - 2):
        for d in range(c + 1, count - 1):
            for e in range(d + 1, count):
                total = two + ranks.keys[row[c]] + ranks.keys[row[d]] + ranks.keys[row[e]]
                bits = held | ranks.bits[row[c]] | ranks.bits[row[d]] | ranks.bits[row[e]]
                best = max(best, lookup.strength(ranks, total, bits))
    return best


def rank_lows(lows: Any, hole: int, rows: Any, strengths: Any) -> int:
    """Do the same as `rank_rows` for lows: of any five cards if `hole` is 0, else of two hole cards and three more."""
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
    """Return the best low of a row: of any five cards if `hole` is 0, else of two hole cards and three others."""
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
    """Return the best low of two cards with three of a row's others."""
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
        if count_bits(total) == 2 * count:  # no two cards have the same rank or suit
            best = max(best, count << lookup.RANKS | (total & lookup.SUIT_BITS) ^ lookup.SUIT_BITS)
    return best


def count_bits(held: int) -> int:
    """Return how many bits are set; the compiler replaces this loop by one instruction."""
    count = 0
    while held:
        held &= held - 1
        count += 1
    return count
