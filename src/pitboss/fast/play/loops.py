"""The loop of `run.py` in its two forms, with the tables, rows and scratch space that each of them reads and writes."""

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, NamedTuple

from pitboss import chance
from pitboss.betting import core, rules
from pitboss.fast import paying, ranking
from pitboss.fast.compiled import Function, compile_function, numba
from pitboss.fast.lookup import plain_ranks, ranks_record
from pitboss.fast.play import deciding, holdem, policies, run
from pitboss.fast.play.setup import (
    Desk,
    Setup,
    State,
    Tables,
    View,
    packed_desks,
    packed_states,
    packed_tables,
    packed_views,
    plain_tables,
)
from pitboss.fast.play.team import PolicyError, Team
from pitboss.fast.records import PlainRecords
from pitboss.ranks import layout

SOURCES = (chance, core, rules, layout, ranking, paying, holdem, deciding, policies, run)
"""All that a compiled loop is made of."""


CHOICE = ("a verb", "a total", "the state of chance")


class Scratch(NamedTuple):
    """What a loop writes on while it plays a hand."""

    states: Any
    desks: Any
    views: Any


class Loop(NamedTuple):
    """A loop, and how the things are made that it takes."""

    compiled: bool
    door: Function
    ranks: Any
    tables: Callable[[Setup], Tables]
    scratch: Callable[[Setup], Scratch]
    row: Callable[[int | Sequence[int]], Any]  #: so many numbers, or these
    number: Callable[[int], Any]  #: a state of chance
    numbers: Callable[[range], Any]  #: labels of chance
    sums: Callable[[Any, Sequence[int]], tuple[list[int], list[int]]]


# --- plain


def plain_loop(team: Team) -> Loop:
    """The loop as it is written, on lists."""
    functions = [getattr(function, "py_func", function) for function in team.functions]

    def decide(kind: int, *seen: Any) -> Any:
        chosen = functions[kind](*seen)
        if not isinstance(chosen, tuple | list) or len(chosen) != len(CHOICE):
            name = team.names[team.kinds.index(kind)]
            raise PolicyError(f"policy {name!r} returned {chosen!r}: return {', '.join(CHOICE)}")
        return chosen

    return Loop(
        compiled=False,
        door=_with_decide(decide) if functions else run.run,
        ranks=[plain_ranks()],
        tables=plain_tables,
        scratch=_plain_scratch,
        row=lambda given: [0] * given if isinstance(given, int) else list(given),
        number=int,
        numbers=lambda numbers: numbers,
        sums=_plain_sums,
    )


def _plain_scratch(setup: Setup) -> Scratch:
    return Scratch(PlainRecords([State()]), [Desk(setup)], [View()])


def _plain_sums(stacks: Any, before: Sequence[int]) -> tuple[list[int], list[int]]:
    won = [[after - stack for after in stacks[seat :: len(before)]] for seat, stack in enumerate(before)]
    return [sum(seat) for seat in won], [sum([chips * chips for chips in seat]) for seat in won]


# --- compiled


_DOORS: dict[tuple[Callable[..., Any], ...], Function] = {}


def is_loaded(team: Team) -> bool:
    """Whether this process has the compiled loop for these policies already."""
    return team.functions in _DOORS


def forget(team: Team) -> None:
    """Drop a loop that turned out not to compile."""
    _DOORS.pop(team.functions, None)


def compiled_loop(team: Team) -> Loop:
    """The loop compiled, on arrays."""
    if team.functions not in _DOORS:
        _DOORS[team.functions] = _compiled_door(team.functions)
    import numpy as np

    return Loop(
        compiled=True,
        door=_DOORS[team.functions],
        ranks=ranks_record(),
        tables=packed_tables,
        scratch=_packed_scratch,
        row=lambda given: np.zeros(given, np.int64) if isinstance(given, int) else np.array(given, np.int64),
        number=np.uint64,
        numbers=lambda numbers: np.arange(numbers.start, numbers.stop, dtype=np.uint64),
        sums=_packed_sums,
    )


def _compiled_door(functions: tuple[Callable[..., Any], ...]) -> Function:
    """The house's own loop is kept for the next process; one with a caller's policies lives as long as this one."""
    if not functions:
        return compile_function(run.run, *SOURCES)
    return compile_function(_with_decide(_chooser(functions)), *SOURCES, save=False)


def _chooser(functions: tuple[Callable[..., Any], ...]) -> Function:
    """A compiled `decide` among these policies: compiled code cannot pick a function out of a tuple by number."""
    jit = numba().njit
    first = functions[0]
    if not hasattr(first, "py_func"):
        if not isinstance(first, FunctionType):
            raise PolicyError(f"{first!r} cannot be compiled: write it as a function, or play fewer hands")
        first = jit(first)
    if len(functions) == 1:

        def decide(kind: int, rules: Any, s: Any, view: Any, ranks: Any, state: int) -> policies.Choice:
            return first(rules, s, view, ranks, state)  # type: ignore[no-any-return]  # the caller's function

    else:
        others = _chooser(functions[1:])

        def decide(kind: int, rules: Any, s: Any, view: Any, ranks: Any, state: int) -> policies.Choice:
            if kind == 0:
                return first(rules, s, view, ranks, state)  # type: ignore[no-any-return]  # the caller's function
            return others(kind - 1, rules, s, view, ranks, state)  # type: ignore[no-any-return]  # as above

    return jit(decide)  # type: ignore[no-any-return]  # Numba has no types


def _with_decide(decide: Function) -> Function:
    """The loop of `run.py` with other policies to call."""
    return FunctionType(run.run.__code__, {**run.run.__globals__, "decide": decide}, run.run.__name__)


def _packed_scratch(setup: Setup) -> Scratch:
    return Scratch(packed_states(1), packed_desks(1, setup), packed_views(1))


def _packed_sums(stacks: Any, before: Sequence[int]) -> tuple[list[int], list[int]]:
    import numpy as np

    won = stacks.reshape(-1, len(before)) - np.array(before, np.int64)
    if len(won) and len(won) * float(abs(won).max()) ** 2 > 2.0**62:
        won = won.astype(object)  # whole numbers of any size
    return [int(chips) for chips in won.sum(axis=0)], [int(chips) for chips in (won * won).sum(axis=0)]
