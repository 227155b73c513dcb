"""The interface of a backend for compiled hands: the loops ready to be called, and the data they read and write.

The source of the loops, `loops.py`, is the same for all backends. `plain.py` runs it as plain Python on lists,
`packed.py` compiles it for arrays. To add a backend, make another `Backend` and let `simulate.py` choose it.
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
"""The state of a hand and of each place in the loops, as `betting/core.py` explains it, and the street."""


class LoopTable(NamedTuple):
    """A setup as the loops read it."""

    rules: Any  # one record of settings
    games: Any  # one game's rows
    templates: Any  # the state after the forced bets, for each button
    seats: Any  # seats by place, for one button after another
    stacks: Any  # the starting stacks by seat


class Scratch(NamedTuple):
    """The working memory of the loops, one of each per table."""

    states: Any
    dealers: Any
    views: Any
    notes: Any  # one for all tables


class Results(NamedTuple):
    """The results of a run: stacks by hand and seat, and by seat the sums of the winnings and of their squares."""

    stacks: Any
    sums: Any
    squares: Any


class Lockstep(NamedTuple):
    """The loops of a batch, from `loops.py`."""

    start_all: Function
    first_refusal: Function
    step: Function


class Backend(NamedTuple):
    """One way to run the loops."""

    compiled: bool
    run: Callable[[Team, RunSetup], Function]  #: `loops.run` for these policies
    lockstep: Callable[[RunSetup], Lockstep]
    ranks: Callable[[RunSetup], Any]  #: the lookup tables
    table: Callable[[RunSetup], LoopTable]
    scratch: Callable[[RunSetup, int], Scratch]  #: for a number of tables
    row: Callable[[int | Sequence[int]], Any]  #: zeros, given their number, or the numbers given
    number: Callable[[int], Any]  #: a state of chance
    numbers: Callable[[range], Any]  #: labels of chance
    most: int | None  #: the greatest number that it can count to


def fill(state: Any, round: Round) -> None:
    """Write the numbers of a round on the first street into a state."""
    for name in NUMBERS:
        setattr(state, name, FIRST_STREET if name == "street" else getattr(round, name))
    for name in ROWS + FLAGS:
        row = getattr(state, name)
        for place, number in enumerate(getattr(round, name)):
            row[place] = number


def run_with(**parts: Function) -> Function:
    """Return `loops.run` with some of its functions replaced, such as `decide` or `settle`."""
    return with_parts(loops.run, **parts)
