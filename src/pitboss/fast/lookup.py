"""The lookup tables of `ranks/` in the two forms in which `ranking.py` reads them."""

from functools import cache
from typing import Any

from pitboss.cards import DECK
from pitboss.fast.ranking import RANKS, Ranks
from pitboss.fast.records import record
from pitboss.ranks.highs import STANDARD_TABLES


@cache
def plain_ranks() -> Ranks:
    """Plain sequences, for small jobs."""
    tables = STANDARD_TABLES
    keys = [tables.keys[card] for card in DECK]
    bits = [1 << RANKS * (number % 4) + number // 4 for number in range(len(DECK))]
    return Ranks(keys, bits, tables.blocks, tables.places, tables.flushes, tables.hands)


@cache
def packed_ranks() -> Ranks:
    """NumPy arrays, for compiled code."""
    import numpy as np

    types = (np.int64, np.int64, np.uint32, np.uint16, np.uint16, np.uint16)
    return Ranks(*[np.array(table, kind) for table, kind in zip(plain_ranks(), types, strict=True)])


@cache
def ranks_record() -> Any:
    """An array of one record, for compiled code that hands the tables on: a record is passed by address."""
    import numpy as np

    packed = packed_ranks()
    tables = np.zeros(
        1, record([(name, getattr(packed, name).dtype, len(getattr(packed, name))) for name in Ranks._fields])
    )
    for name in Ranks._fields:
        tables[0][name] = getattr(packed, name)
    return tables
