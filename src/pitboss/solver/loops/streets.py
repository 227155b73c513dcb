"""One pass over the boards of a spot, in plain code that Numba compiles.

A river board is visited with the reaches of all leaves of the turn at once. Its values are added to the leaves of the
turn, also for the boards that it stands for. On the flop each pair of a leaf and a turn card is a task of its own.
Tasks write to different places, so threads need no locks, and the order of sums does not depend on their number.
"""

from typing import Any, NamedTuple

import numpy as np

from pitboss.solver.loops.columns import (
    ENTRIES,
    ENTRIES_FROM,
    LEAF_VALUES,
    LEAVES,
    LEAVES_FROM,
    OTHER_ACTIONS,
    OWN_ACTIONS,
)
from pitboss.solver.loops.kernels import LEARN, StepWeights, backward, forward, judge

FLOP, TURN, RIVER = range(3)
WHOLE, BEGIN, TASKS, END, LOOK = range(5)
"""The parts of a pass: all of it, or the first street down, the tasks, and the first street up; or one tree only."""


class Boards(NamedTuple):
    """The boards of a spot, and what happens between streets."""

    street: int  #: the first street
    tasks: Any  #: on the flop: leaf and place of the turn card; on the turn: first river and the one after the last
    turn_cards: Any
    river_from: Any  #: where the rivers of each turn card begin
    river_images: Any  #: where the images of each river begin in `river_renamed`
    river_renamed: Any  #: the number of a renaming of suits
    turn_images: Any
    turn_renamed: Any
    turn_share: Any  #: the chance of each turn card
    river_share: Any


def run(
    part: int,
    owner: int,
    mode: int,
    first: int,
    end: int,
    steps: Any,
    sides: Any,
    boards: Any,
    top: Any,
    space: Any,
    parts: Any,
    results: Any,
    entries: Any,
    entry_rows: Any,
) -> None:
    """Do a part of a pass; whole passes learn for both owners, and are repeated for the steps from `first` to `end`.

    `entries` are the reaches with which a river, or the only tree to look at, begins.
    """
    both = part == WHOLE and mode == LEARN
    for number in range(first, end if both else first + 1):
        at = number if both else 0
        step = StepWeights(steps[at, 0], steps[at, 1], steps[at, 2])
        if part == WHOLE:
            for one in range(0 if both else owner, 2 if both else owner + 1):
                whole(one, mode, step, sides, boards, top, space, parts, results, entries, entry_rows)
        elif part == BEGIN:
            begin(sides[owner], sides[1 - owner], mode, top[owner])
        elif part == TASKS:
            do_tasks(
                sides[owner], sides[1 - owner], mode, step, boards, top[owner], space[owner], parts[owner], first, end
            )
        elif part == LOOK and boards.street == FLOP and first % 2 == 1:
            reach = entries[owner][0]
            visit_turn(
                sides[owner], sides[1 - owner], first // 2, end, reach, results[owner], mode, step, boards, space[owner]
            )
        elif part == LOOK:
            visit_river(
                sides[owner], sides[1 - owner], first, end, entries[owner], entry_rows, mode, step, space[owner]
            )
        else:
            finish(sides[owner], sides[1 - owner], mode, step, boards, top[owner], parts[owner], results[owner])


def whole(
    owner: int,
    mode: int,
    step: Any,
    sides: Any,
    boards: Any,
    top: Any,
    space: Any,
    parts: Any,
    results: Any,
    entries: Any,
    entry_rows: Any,
) -> None:
    """Do a whole pass for one owner; the result is the value of each of their hands."""
    own, other, here = sides[owner], sides[1 - owner], space[owner]
    if boards.street == RIVER:
        visit_river(own, other, 0, 0, entries[owner], entry_rows, mode, step, here)
        hand_out(own, 0, 0, here.river_values, results[owner])
        return
    begin(own, other, mode, top[owner])
    do_tasks(own, other, mode, step, boards, top[owner], here, parts[owner], 0, boards.tasks.shape[0])
    finish(own, other, mode, step, boards, top[owner], parts[owner], results[owner])


def begin(own: Any, other: Any, mode: int, top: Any) -> None:
    """Fill the reaches of the first street."""
    top.rows[0, :] = other.weights
    size = other.high.shape[0]
    forward(own, other, 0, other.store.starts[0], size, size, mode != LEARN, top, top.rows)


def do_tasks(
    own: Any, other: Any, mode: int, step: Any, boards: Any, top: Any, space: Any, parts: Any, first: int, end: int
) -> None:
    """Visit the boards of some tasks, and write their values to `parts`."""
    head = own.plan.heads[0]
    leaves, leaf_rows = head[LEAVES], own.plan.leaf_row[head[LEAVES_FROM] : head[LEAVES_FROM] + head[LEAVES]]
    for task in range(first, end):
        if boards.street == TURN:
            values = parts[task]
            values[:, :] = 0
            visit_rivers(
                own,
                other,
                1,
                boards.tasks[task, 0],
                boards.tasks[task, 1],
                top.rows,
                leaf_rows,
                values,
                mode,
                step,
                boards,
                space,
            )
        elif leaves > 0:
            leaf, turn = boards.tasks[task, 0], boards.tasks[task, 1]
            visit_turn(own, other, leaf, turn, top.rows[leaf_rows[leaf]], parts[task, 0], mode, step, boards, space)


def finish(own: Any, other: Any, mode: int, step: Any, boards: Any, top: Any, parts: Any, result: Any) -> None:
    """Add the values of all tasks to the leaves of the first street, and take them up to its root."""
    head = own.plan.heads[0]
    size, leaves = own.high.shape[0], head[LEAF_VALUES]
    top.values[leaves : leaves + head[LEAVES], :] = 0
    for task in range(boards.tasks.shape[0]):
        if boards.street == TURN:
            for leaf in range(head[LEAVES]):
                add_row(parts[task, leaf], top.values[leaves + leaf], size)
        else:
            leaf, turn = boards.tasks[task, 0], boards.tasks[task, 1]
            for image in range(boards.turn_images[turn], boards.turn_images[turn + 1]):
                renamed = own.renamed[boards.turn_renamed[image]]
                add_renamed(parts[task, 0], renamed, boards.turn_share, top.values[leaves + leaf], size)
    judge(own, other, 0, -1, top, top.rows, top.values)
    row = own.store.rows_from[0]
    backward(own, 0, own.store.starts[0], row, size, size, mode, step, top, top.values)
    root, factor = own.plan.root_value[0], own.plan.root_factor[0]
    for hand in range(size):
        result[hand] = top.values[root, hand] * factor


def visit_turn(
    own: Any, other: Any, leaf: int, turn: int, reach: Any, result: Any, mode: int, step: Any, boards: Any, space: Any
) -> None:
    """Visit one turn card after one leaf of the flop."""
    tree = 1 + 2 * leaf
    card, rows, values = boards.turn_cards[turn], space.rows, space.values
    theirs, mine = other.high.shape[0], own.high.shape[0]
    without_card(reach, other.high, other.low, card, rows[0], theirs)
    head = own.plan.heads[tree]
    at = other.store.starts[tree] + turn * head[OTHER_ACTIONS] * theirs
    forward(own, other, tree, at, theirs, theirs, mode != LEARN, space, rows)
    leaf_rows = own.plan.leaf_row[head[LEAVES_FROM] : head[LEAVES_FROM] + head[LEAVES]]
    into = values[head[LEAF_VALUES] : head[LEAF_VALUES] + head[LEAVES]]
    into[:, :] = 0
    first, end = boards.river_from[turn], boards.river_from[turn + 1]
    visit_rivers(own, other, tree + 1, first, end, rows, leaf_rows, into, mode, step, boards, space)
    judge(own, other, tree, -1, space, rows, values)
    row = own.store.rows_from[tree] + turn * head[OWN_ACTIONS]
    backward(
        own, tree, own.store.starts[tree] + turn * head[OWN_ACTIONS] * mine, row, mine, mine, mode, step, space, values
    )
    root, factor = own.plan.root_value[head[ENTRIES_FROM]], own.plan.root_factor[head[ENTRIES_FROM]]
    without_card(values[root], own.high, own.low, card, result, mine)
    for hand in range(mine):
        result[hand] *= factor


def visit_rivers(
    own: Any,
    other: Any,
    tree: int,
    first: int,
    end: int,
    rows: Any,
    leaf_rows: Any,
    into: Any,
    mode: int,
    step: Any,
    boards: Any,
    space: Any,
) -> None:
    """Visit river boards, and add their values to the leaves of the turn, also for the boards they stand for."""
    head = own.plan.heads[tree]
    for board in range(first, end):
        visit_river(own, other, tree, board, rows, leaf_rows, mode, step, space)
        size, order = own.table.count[board], own.table.order[board]
        for entry in range(head[ENTRIES]):
            source = space.river_values[own.plan.root_value[head[ENTRIES_FROM] + entry]]
            factor = own.plan.root_factor[head[ENTRIES_FROM] + entry] * boards.river_share
            for image in range(boards.river_images[board], boards.river_images[board + 1]):
                renamed = own.renamed[boards.river_renamed[image]]
                add_ordered(source, order, renamed, factor, into[entry], size)


def visit_river(
    own: Any, other: Any, tree: int, board: int, rows: Any, leaf_rows: Any, mode: int, step: Any, space: Any
) -> None:
    """Visit one river board with the reaches of all entries; the values are left in the order of strength."""
    head = own.plan.heads[tree]
    theirs, mine, order = other.table.count[board], own.table.count[board], other.table.order[board]
    for entry in range(head[ENTRIES]):
        gather(rows[leaf_rows[entry]], order, space.river_rows[entry], theirs)
    width, own_width = other.table.order.shape[1], own.table.order.shape[1]
    at = other.store.starts[tree] + board * head[OTHER_ACTIONS] * width
    forward(own, other, tree, at, theirs, width, mode != LEARN, space, space.river_rows)
    judge(own, other, tree, board, space, space.river_rows, space.river_values)
    row = own.store.rows_from[tree] + board * head[OWN_ACTIONS]
    start = own.store.starts[tree] + board * head[OWN_ACTIONS] * own_width
    backward(own, tree, start, row, mine, own_width, mode, step, space, space.river_values)


def hand_out(own: Any, tree: int, board: int, values: Any, result: Any) -> None:
    """Write the values of a river in the order of the range."""
    head, order = own.plan.heads[tree], own.table.order[board]
    source, factor = values[own.plan.root_value[head[ENTRIES_FROM]]], own.plan.root_factor[head[ENTRIES_FROM]]
    result[:] = 0
    for hand in range(own.table.count[board]):
        result[order[hand]] = source[hand] * factor


def gather(source: Any, order: Any, to: Any, size: int) -> None:
    """Copy a row in the order of strength."""
    for hand in range(size):
        to[hand] = source[order[hand]]


def add_row(source: Any, to: Any, size: int) -> None:
    """Add a row to a row."""
    for hand in range(size):
        to[hand] += source[hand]


def add_renamed(source: Any, renamed: Any, factor: Any, to: Any, size: int) -> None:
    """Add a row whose hands are renamed."""
    for hand in range(size):
        to[renamed[hand]] += source[hand] * factor


def add_ordered(source: Any, order: Any, renamed: Any, factor: Any, to: Any, size: int) -> None:
    """Add a row in the order of strength to a row in the order of the range, with hands renamed."""
    for hand in range(size):
        to[renamed[order[hand]]] += source[hand] * factor


def without_card(source: Any, high: Any, low: Any, card: int, to: Any, size: int) -> None:
    """Copy a row without the hands that contain a card."""
    for hand in range(size):
        blocked = high[hand] == card or low[hand] == card
        to[hand] = np.float32(0) if blocked else source[hand]
