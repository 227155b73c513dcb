"""What a way to play compiled hands offers: the loops ready to be called, and the data that they read and write.

The source of the loops, `loops.py`, is the same for all. `plain.py` runs it as it is on lists, `packed.py`
compiles it for arrays; another way is another such record, listed in `backends.py`.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pitboss.betting.round import Round
from pitboss.fast.compiled import Function, with_parts
from pitboss.fast.play import loops
from pitboss.fast.play.flop import FIRST_STREET
from pitboss.fast.play.setup import RunSetup, Team

NUMBERS = ("n", "price", "level", "step", "raises", "pot", "opener", "holder", "turn", "street")
ROWS = ("stacks", "bets", "paid")
FLAGS = ("folded", "acted")
"""What the loops keep of a hand and of each place, as `betting/core.py` explains it, and the street."""


class LoopTable(NamedTuple):
    """A setup as the loops read it."""

    rules: Any  # one record of settings
    games: Any  # one game's rows
    templates: Any  # the state after the forced money, for each button
    seats: Any  # seats by place, one button's after another's
    stacks: Any  # by seat, what winnings are counted from


class Scratch(NamedTuple):
    """What the loops write on while they play, one of each a table."""

    states: Any
    dealers: Any
    views: Any
    notes: Any  # one for all of them


class Results(NamedTuple):
    """What the loop of `loops.py` writes: stacks by hand and seat, and what each seat won, added up and squared."""

    stacks: Any
    sums: Any
    squares: Any


class Lockstep(NamedTuple):
    """The loops of `loops.py`."""

    start_all: Function
    first_refusal: Function
    step: Function


class Backend(NamedTuple):
    """One way to play."""

    compiled: bool
    run: Callable[[Team, RunSetup], Function]  #: the loop of `loops.py` for these policies
    lockstep: Callable[[RunSetup], Lockstep]
    ranks: Callable[[RunSetup], Any]  #: the lookup tables
    table: Callable[[RunSetup], LoopTable]
    scratch: Callable[[RunSetup, int], Scratch]  #: for so many tables
    row: Callable[[int | Sequence[int]], Any]  #: so many numbers, or these
    number: Callable[[int], Any]  #: a state of chance
    numbers: Callable[[range], Any]  #: labels of chance
    most: int | None  #: the greatest number it can count to


def fill(state: Any, round: Round) -> None:
    """Write a round's numbers, on the first street, into a state."""
    for name in NUMBERS:
        setattr(state, name, FIRST_STREET if name == "street" else getattr(round, name))
    for name in ROWS + FLAGS:
        row = getattr(state, name)
        for place, number in enumerate(getattr(round, name)):
            row[place] = number


def run_with(**parts: Function) -> Function:
    """The loop of `loops.py` with another `decide` to ask policies, or another `settle` for its showdowns."""
    return with_parts(loops.run, **parts)
