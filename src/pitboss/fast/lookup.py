"""The lookup tables of `ranks/` in the two forms in which `ranking.py` reads them."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

from pitboss.cards import DECK
from pitboss.fast.ranking import RANKS, Ranks
from pitboss.fast.records import record
from pitboss.ranks.highs import SHORT_TABLES, STANDARD_TABLES
from pitboss.ranks.layout import FEWEST, HIGH_SHIFT, LOW_MASK, MOST
from pitboss.ranks.tables import Tables


@cache
def plain_ranks(order: str = "high") -> Ranks:
    """Plain sequences, for small jobs."""
    tables = STANDARD_TABLES
    keys = [tables.keys[card] for card in DECK]
    bits = [1 << RANKS * (number % 4) + number // 4 for number in range(len(DECK))]
    flushes, hands = (tables.flushes, tables.hands) if order == "high" else _short_strengths()
    return Ranks(keys, bits, tables.blocks, tables.places, flushes, hands)


@cache
def packed_ranks(order: str = "high") -> Ranks:
    """NumPy arrays, for compiled code."""
    import numpy as np

    types = (np.int64, np.int64, np.uint32, np.uint16, np.uint16, np.uint16)
    return Ranks(*[np.array(table, kind) for table, kind in zip(plain_ranks(order), types, strict=True)])


@cache
def ranks_record(order: str = "high") -> Any:
    """An array of one record, for compiled code that hands the tables on: a record is passed by address."""
    import numpy as np

    packed = packed_ranks(order)
    tables = np.zeros(
        1, record([(name, getattr(packed, name).dtype, len(getattr(packed, name))) for name in Ranks._fields])
    )
    for name in Ranks._fields:
        tables[0][name] = getattr(packed, name)
    return tables


# --- the short deck's strengths where the whole deck's stand, so that one compiled loop looks up both


def _short_strengths() -> tuple[list[int], list[int]]:
    """By the ranks of a flush and by the whole deck's places, the strengths of cards of the short deck."""
    short, whole = SHORT_TABLES, STANDARD_TABLES
    missing = RANKS - len(short.layout.ranks)
    flushes = [0 if mask & (1 << missing) - 1 else short.flushes[mask >> missing] for mask in range(1 << RANKS)]
    hands = [0] * len(whole.hands)
    for ranks in _holdings(short.layout.ranks):
        hands[_place(whole, ranks)] = short.hands[_place(short, ranks)]
    return flushes, hands


def _holdings(ranks: str) -> Iterator[tuple[str, ...]]:
    """All holdings of five to seven cards, by their ranks alone."""
    for size in range(FEWEST, MOST + 1):
        for held in combinations_with_replacement(ranks, size):
            if all(held.count(rank) <= 4 for rank in set(held)):
                yield held


def _place(tables: Tables, ranks: tuple[str, ...]) -> int:
    """Where cards of these ranks stand when no suit has five."""
    total = sum([tables.keys[f"{rank}c"] for rank in ranks])
    return tables.blocks[total >> HIGH_SHIFT] + tables.places[total & LOW_MASK]
