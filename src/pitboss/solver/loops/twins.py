"""Functions that have two forms: the readable one, and another that compiled code calls in its place.

Most are operations on rows of eight numbers, which compiled code does in vector instructions. These do not check
bounds. They take arrays and not addresses, so that Numba keeps the arrays alive.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from pitboss.fast.compiled import numba
from pitboss.solver.loops.learning import LearningNode, learn_narrow, learn_wide

WIDTH = 8
WORD = 64
FAST_MATH = {"contract", "nsz", "reassoc", "nnan", "ninf"}
"""What the compiler may assume of floats: it may reorder sums, and no number is infinite or not a number."""


def add(to: Any, row: int, source: Any, other: int) -> None:
    """Add a row to a row."""
    for lane in range(WIDTH):
        to[row, lane] += source[other, lane]


def less(to: Any, row: int, sums: Any, size: int, cards: Any, one: int, two: int) -> None:
    """Subtract a sum and two cards from a row."""
    for lane in range(WIDTH):
        to[row, lane] -= sums[size, lane] + cards[one, lane] + cards[two, lane]


def less_pair(to: Any, row: int, sums: Any, size: int, cards: Any, one: int, two: int) -> None:
    """Write a sum without two cards."""
    for lane in range(WIDTH):
        to[row, lane] = sums[size, lane] - cards[one, lane] - cards[two, lane]


def running_sums(reach: Any, sums: Any, cards: Any, high: Any, low: Any, size: int) -> None:
    """Write the sum of the first rows for each number of rows, and add each row to the sums of its two cards."""
    for lane in range(WIDTH):
        sums[0, lane] = 0
    for hand in range(size):
        for lane in range(WIDTH):
            sums[hand + 1, lane] = sums[hand, lane] + reach[hand, lane]
            cards[high[hand], lane] += reach[hand, lane]
            cards[low[hand], lane] += reach[hand, lane]


def learn(own: Any, at: LearningNode, step: Any, space: Any, values: Any, value: Any) -> None:
    """Update the regrets and the average strategy of a node, and write its value under the strategy before."""
    if own.store.regrets.dtype == np.uint16:
        learn_narrow(own, at, step, space, values, value)
    else:
        learn_wide(own, at, step, space, values, value)


@cache
def compile_twins() -> None:
    """Register the compiled forms with Numba."""
    compiler, cgutils = numba(), import_module("numba.core.cgutils")
    ir, kinds = cgutils.ir, compiler.types
    intrinsic, overload = compiler.extending.intrinsic, compiler.extending.overload
    vector, word = ir.VectorType(ir.FloatType(), WIDTH), ir.IntType(WORD)

    def load(builder: Any, pointer: Any, row: Any) -> Any:
        return builder.load(builder.gep(pointer, [row]), align=4)

    def store(builder: Any, value: Any, pointer: Any, row: Any) -> None:
        builder.store(value, builder.gep(pointer, [row]), align=4)

    def typed(emit: Callable[..., None], *types: Any) -> Any:
        """Return what Numba asks for: the types, and a function that emits the instructions."""

        def code(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            found = []
            for kind, value in zip(types, values, strict=True):
                if not isinstance(kind, kinds.Array):
                    found.append(context.cast(builder, value, kind, kinds.int64))
                    continue
                data = context.make_array(kind)(context, builder, value).data
                found.append(builder.bitcast(data, vector.as_pointer()) if kind.ndim == 2 else data)
            emit(builder, *found)
            return context.get_dummy_value()

        return kinds.void(*types), code

    def emit_add(builder: Any, to: Any, row: Any, source: Any, other: Any) -> None:
        store(builder, builder.fadd(load(builder, to, row), load(builder, source, other)), to, row)

    def emit_less(builder: Any, to: Any, row: Any, sums: Any, size: Any, cards: Any, one: Any, two: Any) -> None:
        both = builder.fadd(load(builder, cards, one), load(builder, cards, two))
        store(builder, builder.fsub(load(builder, to, row), builder.fadd(load(builder, sums, size), both)), to, row)

    def emit_less_pair(builder: Any, to: Any, row: Any, sums: Any, size: Any, cards: Any, one: Any, two: Any) -> None:
        left = builder.fsub(load(builder, sums, size), load(builder, cards, one))
        store(builder, builder.fsub(left, load(builder, cards, two)), to, row)

    def emit_running_sums(builder: Any, reach: Any, sums: Any, cards: Any, high: Any, low: Any, size: Any) -> None:
        zero = ir.Constant(vector, [0.0] * WIDTH)
        total = cgutils.alloca_once_value(builder, zero)
        store(builder, zero, sums, ir.Constant(word, 0))
        with cgutils.for_range(builder, size) as loop:
            held = load(builder, reach, loop.index)
            builder.store(builder.fadd(builder.load(total), held), total)
            store(builder, builder.load(total), sums, builder.add(loop.index, ir.Constant(word, 1)))
            for cards_of in (high, low):
                card = builder.zext(builder.load(builder.gep(cards_of, [loop.index])), word)
                store(builder, builder.fadd(load(builder, cards, card), held), cards, card)

    @intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
    def add_rows(_typing: Any, to: Any, row: Any, source: Any, other: Any) -> Any:
        return typed(emit_add, to, row, source, other)

    @intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
    def less_rows(_typing: Any, to: Any, row: Any, sums: Any, size: Any, cards: Any, one: Any, two: Any) -> Any:
        return typed(emit_less, to, row, sums, size, cards, one, two)

    @intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
    def less_pair_rows(_typing: Any, to: Any, row: Any, sums: Any, size: Any, cards: Any, one: Any, two: Any) -> Any:
        return typed(emit_less_pair, to, row, sums, size, cards, one, two)

    @intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
    def running_rows(_typing: Any, reach: Any, sums: Any, cards: Any, high: Any, low: Any, size: Any) -> Any:
        return typed(emit_running_sums, reach, sums, cards, high, low, size)

    def choose_learn(own: Any, at: Any, step: Any, space: Any, values: Any, value: Any) -> Any:
        stored = dict(zip(own.fields, own.types, strict=True))["store"]
        regrets = dict(zip(stored.fields, stored.types, strict=True))["regrets"]
        return learn_narrow if regrets.dtype == kinds.uint16 else learn_wide

    overload(learn, strict=False, jit_options={"fastmath": FAST_MATH})(choose_learn)
    # Numba accepts only plain functions here.
    overload(add)(
        lambda to, row, source, other: (
            lambda to, row, source, other: add_rows(to, row, source, other)  # noqa: PLW0108  # see above
        )
    )
    overload(less)(
        lambda to, row, sums, size, cards, one, two: (
            lambda to, row, sums, size, cards, one, two: less_rows(  # noqa: PLW0108  # see above
                to, row, sums, size, cards, one, two
            )
        )
    )
    overload(less_pair)(
        lambda to, row, sums, size, cards, one, two: (
            lambda to, row, sums, size, cards, one, two: less_pair_rows(  # noqa: PLW0108  # see above
                to, row, sums, size, cards, one, two
            )
        )
    )
    overload(running_sums)(
        lambda reach, sums, cards, high, low, size: (
            lambda reach, sums, cards, high, low, size: running_rows(  # noqa: PLW0108  # see above
                reach, sums, cards, high, low, size
            )
        )
    )
