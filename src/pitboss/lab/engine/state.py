"""Everything that changes while a game is played, as plain objects with lists or as packed records of the same names.

The first names are a betting round's, as `betting/numbers.py` explains them; `folded` also says who is out of the deal.
Piles of cards are rows of card numbers with a count; those of players lie one after another, MOST_CARDS apart.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pitboss.fast.records import PlainRecords, record
from pitboss.lab.engine.codes import MOST_CARDS, MOST_PLAYERS, RANKS, SUITS

NUMBERS = (
    *("n", "price", "level", "step", "raises", "pot", "opener", "holder", "turn"),  # the betting round
    *("drawn", "undrawn", "discarded", "tabled", "piled", "tricked", "shared"),  # how many cards lie where
    *("player", "asked", "phase", "stage", "gone", "round", "deal", "starter", "direction"),  # where the game is
    *("left", "swapped", "sub", "put", "due", "claimer", "top_count", "fresh", "passes", "skip", "again"),  # in a phase
    *("lead", "next", "played", "awaited", "best", "best_by", "tied", "trump"),  # in a trick
    *(
        "turns",
        "quiet",
        "moved",
        "idle",
        "decisions",
        "choices",
        "over",
        "stopped",
        "winners",
        "arranged",
    ),  # of the game
)
FLAGS = ("folded", "acted")
ROWS = ("stacks", "bets", "paid", "held", "won", "tricks", "score", "deals_won")  # a number a player
PILES = ("deck", "discards", "tableau", "pile", "trick", "community")
PLAYERS_PILES = ("hands", "captured")
SCRATCH = {"tally": RANKS, "masks": SUITS, "strengths": MOST_PLAYERS}


class State:
    """One game at one moment, in plain Python."""

    __slots__ = (*NUMBERS, *FLAGS, *ROWS, *PILES, *PLAYERS_PILES, *SCRATCH, "chance")

    def __init__(self) -> None:
        self.chance = 0
        for name in NUMBERS:
            setattr(self, name, 0)
        for name, size in _sizes():
            setattr(self, name, [0] * size)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def copy(self) -> "State":
        """Another state that is the same."""
        twin = State.__new__(State)
        for name in State.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value[:] if isinstance(value, list) else value)
        return twin


class PlainStates(PlainRecords[State]):
    """So many states in a row."""

    def __init__(self, count: int) -> None:
        super().__init__(State() for _ in range(count))


def packed_states(count: int) -> Any:
    """An array of so many states, as records."""
    import numpy as np

    small = {*FLAGS, *PILES, *PLAYERS_PILES}
    fields: list[tuple[Any, ...]] = [("chance", np.uint64), *[(name, np.int64) for name in NUMBERS]]
    fields += [(name, np.uint8 if name in small else np.int64, size) for name, size in _sizes()]
    return np.zeros(count, record(fields))


def _sizes() -> Iterable[tuple[str, int]]:
    yield from [(name, MOST_PLAYERS) for name in (*FLAGS, *ROWS)]
    yield from [(name, MOST_CARDS) for name in PILES]
    yield from [(name, MOST_PLAYERS * MOST_CARDS) for name in PLAYERS_PILES]
    yield from SCRATCH.items()
