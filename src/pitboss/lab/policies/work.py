"""The space that policies need to think: states, moves, cards and a tree beside the game's own, plain and packed.

Packed, it is one record, which compiled code passes by address: a tuple of arrays is handed over whole at every call.
"""

from math import log
from typing import Any, NamedTuple

from pitboss.fast.records import record
from pitboss.lab.base.codes import MOST_CARDS, MOST_MOVES
from pitboss.lab.base.notes import BUDGET, FACTS
from pitboss.lab.engine.state import PlainStates, packed_states

STATES, MOVES = 3, 2
"""The first of each is the game's; the others are for thinking, as `notes.py` says."""
MOST_HOLDINGS = 64
ITERATIONS, MOST_ITERATIONS = 400, 4096
"""How often the searching policy tries what may happen before it decides, and the most there is space for."""

NUMBERS = {
    "facts": FACTS,
    "promises": MOST_HOLDINGS,
    "chosen": MOST_CARDS,
    "found": MOST_MOVES,
    "label": MOST_ITERATIONS + 1,  # of a node: the move that leads to it
    "child": MOST_ITERATIONS + 1,  # its first child
    "next": MOST_ITERATIONS + 1,  # its parent's next child
    "visits": MOST_ITERATIONS + 1,
    "offers": MOST_ITERATIONS + 1,  # how often the move was legal
    "total": MOST_ITERATIONS + 1,  # what whoever moved got
    "path": MOST_MOVES,
    "movers": MOST_MOVES,
}
SHARES = {
    "strength": 1,  # how strong the holding of whoever decides is
    "squares": MOST_ITERATIONS + 1,  # of a node: what whoever moved got, squared
}
LOGS = MOST_ITERATIONS + 2
CARDS = {"unseen": MOST_CARDS, "seen": MOST_CARDS, "holdings": MOST_HOLDINGS * MOST_CARDS}


class Work(NamedTuple):
    """Rows to write on."""

    states: Any
    moves: Any
    facts: Any
    promises: Any
    chosen: Any
    found: Any
    label: Any
    child: Any
    next: Any
    visits: Any
    offers: Any
    total: Any
    path: Any
    movers: Any
    strength: Any
    squares: Any
    logs: Any
    unseen: Any
    seen: Any
    holdings: Any


def logarithms() -> list[float]:
    """Of the whole numbers from 1 on; as a table they are the same plain and compiled, on any machine."""
    return [0.0, *[log(number) for number in range(1, LOGS)]]


def plain_work(iterations: int = ITERATIONS) -> Work:
    """Lists."""
    rows: dict[str, list[Any]] = {name: [0] * size for name, size in (NUMBERS | CARDS).items()}
    rows |= {name: [0.0] * size for name, size in SHARES.items()}
    rows["facts"][BUDGET] = min(iterations, MOST_ITERATIONS)
    return Work(PlainStates(STATES), [[0] * MOST_MOVES for _ in range(MOVES)], logs=logarithms(), **rows)


def packed_work(iterations: int = ITERATIONS) -> Any:
    """A record."""
    import numpy as np

    kinds = [(NUMBERS, np.int64), (SHARES, np.float64), (CARDS, np.uint8)]
    columns: list[tuple[Any, ...]] = [(name, kind, size) for sizes, kind in kinds for name, size in sizes.items()]
    columns += [("states", packed_states(0).dtype, STATES), ("moves", np.int64, (MOVES, MOST_MOVES))]
    work = np.zeros(1, record([*columns, ("logs", np.float64, LOGS)]))[0]
    work.facts[BUDGET] = min(iterations, MOST_ITERATIONS)
    work.logs[:] = logarithms()
    return work
