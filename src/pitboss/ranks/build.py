"""Compute the table files by ranking every combination of ranks.

``python -m pitboss.ranks.build`` writes the files again; the bytes are always the same. The package loads the files
when it is imported, so replace a missing file by an empty one first.
"""

import struct
from collections.abc import Iterable, Iterator
from itertools import groupby, product
from operator import itemgetter
from pathlib import Path

from pitboss.ranks.layout import CLASS_SHIFT, FEWEST, MOST, SHORT, STANDARD, Layout, span

Counts = tuple[int, ...]  # the number of cards of each rank, lowest rank first
Value = tuple[str, tuple[int, ...]]  # the class, and the ranks that decide within the class, most important first

NO_VALUE: Value = ("", ())


def build_tables(layout: Layout) -> bytes:
    """Return the content of the table file of a layout."""
    lows = sorted(counts(layout.split), key=sum)
    highs = list(counts(len(layout.ranks) - layout.split))

    places = [0] * span(layout.split)
    for place, low in enumerate(lows):
        places[base5(low)] = place

    # Lows are sorted by their number of cards, so those that can be joined with a high come first.
    blocks = [0] * span(len(layout.ranks) - layout.split)
    hands: list[Value] = []
    for high in highs:
        blocks[base5(high)] = len(hands)
        hands += [unsuited(low + high) for low in lows if sum(low) + sum(high) <= MOST]

    flushes = [suited(mask, len(layout.ranks)) for mask in range(1 << len(layout.ranks))]
    numbers = strengths(layout, {*hands, *flushes})
    words = places + [numbers[value] for value in flushes + hands]
    return struct.pack(f"<{len(blocks)}I{len(words)}H", *blocks, *words)


def counts(ranks: int) -> Iterator[Counts]:
    """Yield every combination of at most seven cards of a number of ranks."""
    return (held for held in product(range(5), repeat=ranks) if sum(held) <= MOST)


def base5(held: Counts) -> int:
    """Return the sum of the cards' keys within a field."""
    return sum(count * 5**rank for rank, count in enumerate(held))


def strengths(layout: Layout, values: Iterable[Value]) -> dict[Value, int]:
    """Return the strength of each value: the class, and a number within the class from 1."""
    found = {NO_VALUE: 0}
    for name, members in groupby(sorted(set(values) - {NO_VALUE}), key=itemgetter(0)):
        first = layout.classes.index(name) << CLASS_SHIFT
        found |= {value: first + place for place, value in enumerate(members, start=1)}
    return found


def unsuited(held: Counts) -> Value:
    """Return the value of the best five of these ranks, without flushes."""
    if sum(held) < FEWEST:
        return NO_VALUE
    groups = sorted(((count, rank) for rank, count in enumerate(held) if count), reverse=True)
    run = straight(sum(1 << rank for _, rank in groups), len(held))
    match [count for count, _ in groups]:
        case [4, *_]:
            name, leaders, kickers = "four_of_a_kind", 1, 1
        case [3, 2 | 3, *_]:
            name, leaders, kickers = "full_house", 2, 0
        case _ if run:
            return "straight", (run,)
        case [3, *_]:
            name, leaders, kickers = "three_of_a_kind", 1, 2
        case [2, 2, *_]:
            name, leaders, kickers = "two_pair", 2, 1
        case [2, *_]:
            name, leaders, kickers = "pair", 1, 3
        case _:
            name, leaders, kickers = "high_card", 0, 5
    ranks = [rank for _, rank in groups]
    return name, (*ranks[:leaders], *sorted(ranks[leaders:], reverse=True)[:kickers])


def suited(mask: int, width: int) -> Value:
    """Return the value of the best five of these ranks in one suit."""
    if mask.bit_count() < FEWEST:
        return NO_VALUE
    run = straight(mask, width)
    if run:
        return "straight_flush", (run,)
    return "flush", tuple([rank for rank in reversed(range(width)) if mask >> rank & 1][:5])


def straight(mask: int, width: int) -> int:
    """Return the number of the highest straight in a mask, or 0 without one. In straight 1, the ace is low."""
    runs = [1 << width - 1 | 0b1111, *(0b11111 << lowest for lowest in range(width - 4))]
    return max((number for number, run in enumerate(runs, start=1) if mask & run == run), default=0)


if __name__ == "__main__":
    for deck in (STANDARD, SHORT):
        Path(__file__).with_name(deck.file).write_bytes(build_tables(deck))
