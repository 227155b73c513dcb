"""What a backend for compiled hands offers: the loops ready to be called, and the data they read and write.

The source of the loops, `loops.py`, is the same for all backends. The backend for few hands, `PLAIN`, runs it as plain
Python on lists; `packed.py` compiles it for arrays. To add one, make a `Backend` and let `simulate.py` choose it.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pitboss.betting.round import Round
from pitboss.cards import DECK
from pitboss.fast.compiled import Function, PlainRecords, with_parts
from pitboss.fast.lookup import plain_ranks
from pitboss.fast.play import loops
from pitboss.fast.play.flop import FIRST_STREET, SEEN, TRIOS, UNSEEN
from pitboss.fast.play.setup import MOST_SEATS, PolicyError, RunSetup, Team

NUMBERS = ("n", "price", "level", "step", "raises", "pot", "opener", "holder", "turn", "street")
ROWS = ("stacks", "bets", "paid")
FLAGS = ("folded", "acted")
"""The state of a hand and of each place in the loops, as `betting/core.py` explains it, and the street."""
CHOICE = ("a verb", "a total", "the state of chance")
"""What a policy returns."""


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
    """The results of a run: stacks by hand and seat, and for each seat the sums of winnings and of their squares."""

    stacks: Any
    sums: Any
    squares: Any


class Block(NamedTuple):
    """The result of a block of hands; by seat the sums of winnings and of their squares."""

    hands: int
    actions: int
    sums: list[int]
    squares: list[int]


class Lockstep(NamedTuple):
    """The loops of a batch, from `loops.py`."""

    start_all: Function
    store_parts: Function
    checked_step: Function


class Backend(NamedTuple):
    """One way to run the loops."""

    compiled: bool
    run: Callable[[Team, RunSetup], Function]  #: `loops.run` for these policies
    lockstep: Callable[[Any], Lockstep]  #: for these parts of a batch
    memory: Callable[[], Any]  #: memory for the parts
    ranks: Callable[[RunSetup], Any]  #: the lookup tables
    table: Callable[[RunSetup], LoopTable]
    scratch: Callable[[RunSetup, int], Scratch]  #: working memory for a number of tables
    row: Callable[[int | Sequence[int]], Any]  #: a row of these numbers, or of this number of zeros
    number: Callable[[int], Any]  #: the state of a stream of random numbers
    numbers: Callable[[range], Any]  #: the labels of several streams
    most: int | None  #: the largest number that the sums of the loops can have


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


class HandState:
    """The numbers of one hand."""

    __slots__ = NUMBERS + ROWS + FLAGS

    def __init__(self) -> None:
        for name in NUMBERS:
            setattr(self, name, 0)
        for name in ROWS + FLAGS:
            setattr(self, name, [0] * MOST_SEATS)


class SeenCards:
    """The cards that one place sees, and its number of hole cards."""

    __slots__ = ("cards", "hole")

    def __init__(self, hole: int = 2) -> None:
        self.cards, self.hole = [UNSEEN] * SEEN, hole


class Dealer:
    """The deck, as `flop.py` explains it."""

    __slots__ = ("deck",)

    def __init__(self) -> None:
        self.deck = [0] * len(DECK)


class ShowdownNotes:
    """The working memory of a showdown: all strengths, high and low, and the sums of three board cards each."""

    __slots__ = ("bits", "keys", "strengths")

    def __init__(self) -> None:
        self.strengths = [[0] * MOST_SEATS, [0] * MOST_SEATS]
        self.keys, self.bits = [0] * TRIOS, [0] * TRIOS


def plain_run(team: Team, _: RunSetup) -> Function:
    """Return the loop for these policies; it checks what a caller's policies return."""
    functions = [getattr(function, "py_func", function) for function in team.functions]

    def decide(kind: int, *seen: Any) -> Any:
        chosen = functions[kind](*seen)
        if not isinstance(chosen, tuple | list) or len(chosen) != len(CHOICE):
            name = team.names[team.kinds.index(kind)]
            raise PolicyError(f"policy {name!r}: expected {', '.join(CHOICE)}, got {chosen!r}")
        return chosen

    return run_with(decide=decide) if functions else loops.run


def plain_table(setup: RunSetup) -> LoopTable:
    """Return the setup as lists and plain objects."""
    templates = [HandState() for _ in setup.buttons]
    for template, button in zip(templates, setup.buttons, strict=True):
        fill(template, setup.opened(button))
    return LoopTable([setup.structure.betting], [setup.game], templates, setup.places, setup.stacks)


def _scratch(setup: RunSetup, count: int) -> Scratch:
    return Scratch(
        PlainRecords([HandState() for _ in range(count)]),
        [Dealer() for _ in range(count)],
        [SeenCards(len(setup.game.hole)) for _ in range(count)],
        [ShowdownNotes()],
    )


PLAIN = Backend(
    compiled=False,
    run=plain_run,
    lockstep=lambda _: Lockstep(*[getattr(loops, name) for name in Lockstep._fields]),
    ranks=lambda setup: [plain_ranks(setup.ranking)],
    table=plain_table,
    scratch=_scratch,
    memory=lambda: [None],
    row=lambda given: [0] * given if isinstance(given, int) else list(given),
    number=int,
    numbers=lambda numbers: numbers,
    most=None,
)
