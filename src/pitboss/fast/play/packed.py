"""The backend for many hands: the loops compiled by Numba, on NumPy arrays of records."""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, wraps
from types import FunctionType
from typing import Any

from pitboss import chance
from pitboss.betting import core, rules
from pitboss.betting.rules import Rules
from pitboss.cards import DECK
from pitboss.fast import lookup, payout
from pitboss.fast.compiled import (
    STORED,
    CompiledFunction,
    Function,
    compile_function,
    copy_to_stack,
    numba,
    record,
    stored_parts,
    with_parts,
)
from pitboss.fast.lookup import ranks_record
from pitboss.fast.play import decisions, flop, loops, policies
from pitboss.fast.play.backend import FLAGS, NUMBERS, ROWS, Backend, Lockstep, LoopTable, Scratch, fill, run_with
from pitboss.fast.play.setup import MOST_SEATS, FlopGame, NotCompilable, RunSetup, Team, is_holdem
from pitboss.fast.switch import Switch
from pitboss.ranks import layout

SOURCES = (chance, core, rules, layout, lookup, payout, flop, decisions, policies, loops)
"""The modules whose functions a compiled loop calls."""

Policies = tuple[Callable[..., Any], ...]

MOST_RUNS = 64
"""The maximum number of loops that are kept, because each new function of a caller needs its own loop."""


def run_switch(team: Team, setup: RunSetup) -> Switch:
    """Return the switch to the compiled loop for these policies and this game."""
    return _switch(team.functions, is_holdem(setup.structure))


@lru_cache(MOST_RUNS)
def _switch(functions: Policies, holdem: bool) -> Switch:
    switch = Switch(lambda: _compiled(functions, holdem))
    if not all(map(_is_function, functions)):
        switch.close()
    return switch


def compiled_run(team: Team, setup: RunSetup) -> Function:
    """Return the loop for these policies, compiled on its first call."""
    loop = _compiled(team.functions, is_holdem(setup.structure))
    return _explained(team, loop) if team.functions else loop


@lru_cache(MOST_RUNS)
def _compiled(functions: Policies, holdem: bool) -> CompiledFunction:
    """Compile the loop; it is saved for the next process unless it contains a caller's policies."""
    parts = {"copy_template": copy_to_stack(), "settle": flop.settle_high if holdem else flop.settle}
    if not functions:
        return compile_function(run_with(**parts), *SOURCES, purpose="simulated hands", seconds=6)
    own = run_with(decide=_chooser(functions), **parts)
    return compile_function(own, *SOURCES, save=False, purpose="simulated hands with your functions", seconds=6)


def _explained(team: Team, loop: Function) -> Function:
    """Return the loop for a caller's policies; if it does not compile, it raises `NotCompilable` with the reason."""

    @wraps(loop)
    def call(*arguments: Any) -> Any:
        try:
            return loop(*arguments)
        except Exception as error:
            if not isinstance(error, numba().core.errors.NumbaError):
                raise
            why = next(line for line in f"{error}".strip().splitlines() if not line.startswith("Failed in"))
            names = " with ".join(dict.fromkeys(team.names))
            raise NotCompilable(f"{names} cannot be compiled: {why}") from error

    return call


def _is_function(policy: Callable[..., Any]) -> bool:
    return isinstance(policy, FunctionType) or hasattr(policy, "py_func")


def _chooser(functions: Policies) -> Function:
    """Return a compiled function that calls one of these policies.

    It is needed because compiled code cannot index a tuple of functions.
    """
    jit = numba().njit
    first = functions[0]
    if not _is_function(first):
        raise NotCompilable(f"policies: expected a function, got {first!r}: write one, or leave out compiled")
    if not hasattr(first, "py_func"):
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


def compiled_lockstep(parts: Any) -> Lockstep:
    """Return the loops of a batch, compiled or loaded once per process for all parts of the same types."""
    return _lockstep(numba().typeof(parts))


@cache
def _lockstep(kind: Any) -> Lockstep:
    write, read = stored_parts(kind)
    step = with_parts(loops.checked_step, read_parts=read)
    step.__name__ += f"_{hashlib.sha256(repr(kind).encode()).hexdigest()[:8]}"  # its arguments do not have the types
    found = (loops.start_all, with_parts(loops.store_parts, write_parts=write), step)
    return Lockstep(
        *[
            compile_function(loop, *SOURCES, purpose=f"batches of hands ({name})", seconds=seconds)
            for loop, name, seconds in zip(found, Lockstep._fields, (4, 1, 6), strict=True)
        ]
    )


def packed_table(setup: RunSetup) -> LoopTable:
    """Return the setup as arrays of records."""
    import numpy as np

    rules = np.zeros(1, record([(name, np.int64) for name in Rules.__struct_fields__]))
    for name in Rules.__struct_fields__:
        rules[0][name] = int(getattr(setup.structure.betting, name))
    templates = _states(len(setup.buttons))
    for template, button in zip(templates, setup.buttons, strict=True):
        fill(template, setup.opened(button))
    return LoopTable(rules, _packed_games(setup), templates, _row(setup.places), _row(setup.stacks))


def _packed_games(setup: RunSetup) -> Any:
    """Return the game for the loops. Hold'em becomes a record, because the compiler then knows the lengths of its rows.

    Any other game becomes arrays.
    """
    import numpy as np

    game = setup.game
    if not is_holdem(setup.structure):
        return (FlopGame(*map(_row, game)),)
    packed = np.zeros(1, record([(name, np.int64, len(row)) for name, row in game._asdict().items()]))
    for name, row in game._asdict().items():
        packed[0][name] = row
    return packed


def _states(count: int) -> Any:
    """Return an array of states, each padded to whole cache lines."""
    import numpy as np

    fields: list[tuple[Any, ...]] = [(name, np.int64) for name in NUMBERS]
    fields += [(name, np.int64, MOST_SEATS) for name in ROWS] + [(name, np.uint8, MOST_SEATS) for name in FLAGS]
    line = 64
    spare = -np.dtype(fields, align=True).itemsize % line
    return np.zeros(count, record([*fields, ("spare", np.uint8, spare)] if spare else fields))


def _scratch(setup: RunSetup, count: int) -> Scratch:
    import numpy as np

    views = np.zeros(count, record([("hole", np.int64), ("cards", np.uint8, flop.SEEN)]))
    views["hole"], views["cards"] = len(setup.game.hole), flop.UNSEEN
    notes = [("strengths", np.int64, (2, MOST_SEATS)), ("keys", np.int64, flop.TRIOS), ("bits", np.int64, flop.TRIOS)]
    dealers = np.zeros(count, record([("deck", np.uint8, len(DECK))]))
    return Scratch(_states(count), dealers, views, np.zeros(1, record(notes)))


def _row(given: int | Sequence[int]) -> Any:
    import numpy as np

    return np.zeros(given, np.int64) if isinstance(given, int) else np.array(given, np.int64)


def _bytes(count: int) -> Any:
    import numpy as np

    return np.zeros(count, np.uint8)


def _number(number: int) -> Any:
    import numpy as np

    return np.uint64(number)


def _numbers(numbers: range) -> Any:
    import numpy as np

    return np.arange(numbers.start, numbers.stop, dtype=np.uint64)


PACKED = Backend(
    compiled=True,
    run=compiled_run,
    lockstep=compiled_lockstep,
    memory=lambda: _bytes(STORED),
    ranks=lambda setup: ranks_record(setup.ranking),
    table=packed_table,
    scratch=_scratch,
    row=_row,
    number=_number,
    numbers=_numbers,
    most=(1 << 63) - 1,
)
