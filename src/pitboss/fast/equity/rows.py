"""The strengths of many holdings, a row of card numbers each, written to be compiled."""

from typing import Any

from pitboss.fast import ranking

SEVEN = 7
BYTES = 256
"""The tables go on to this length: what is no card has no bit."""


def rank_rows(ranks: Any, rows: Any, strengths: Any) -> int:
    """Write every row's strength; -1, or the first row in which something is no card or a card stands twice."""
    keys, bits = ranks.keys, ranks.bits
    for i in range(len(rows)):
        row = rows[i]
        if len(row) == SEVEN:  # spelt out, which is half as fast again
            total = ranking.START + keys[row[0]] + keys[row[1]] + keys[row[2]] + keys[row[3]]
            total += keys[row[4]] + keys[row[5]] + keys[row[6]]
            held = (
                bits[row[0]] | bits[row[1]] | bits[row[2]] | bits[row[3]] | bits[row[4]] | bits[row[5]] | bits[row[6]]
            )
        else:
            total, held = ranking.START, 0
            for card in row:
                total += keys[card]
                held |= bits[card]
        if different(held) != len(row):
            return i
        strengths[i] = ranking.strength(ranks, total, held)
    return -1


def different(held: int) -> int:
    """How many bits are set; the compiler knows this loop for a single instruction."""
    count = 0
    while held:
        held &= held - 1
        count += 1
    return count
