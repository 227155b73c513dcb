"""The loops of the solver, in plain code that Numba compiles: reaches down the trees, values up, regrets on the way.

`rows` are reaches of the other player's hands, one row per action of theirs, in the order of strength on a river and in
the order of the range before. `values` are what the owner's hands win, times the chance of meeting each hand. At the
ends of the hand eight rows are judged together: one sweep over the hands from the weakest to the strongest keeps a
running sum, and a sum for each card, because a hand cannot meet a hand with which it shares a card.

Loops over eight numbers are in `twins`, which also has them in vector instructions.
"""

from typing import Any, NamedTuple

import numpy as np

from pitboss.solver.loops.columns import (
    FOLD_VALUES,
    GROUPS,
    HAS_FOLD,
    HAS_SHOW,
    HAS_TIES,
    LANES,
    LANES_FROM,
    NODES,
    NODES_FROM,
    SHOW_VALUES,
)
from pitboss.solver.loops.learning import FULL, LearningNode, mix_value, positive, shares
from pitboss.solver.loops.twins import add, learn, less, less_pair, running_sums

LEARN, BEST, AVERAGE = range(3)
"""What a pass does: learn against the current strategy, find the best response to the average, or value the average."""
CARDS = 52


class Learned(NamedTuple):
    """What a player has learned. Each node has a block per board, and each action a row of hands in it."""

    regrets: Any
    sums: Any  #: the average strategy
    scales: Any  #: of 16-bit regrets, by row
    held: Any  #: where the fixed strategy of a row's node begins in `fixed`, or -1; empty if nothing is fixed
    fixed: Any
    rows_from: Any  #: the first row of each tree
    starts: Any  #: the first number of each tree


class Side(NamedTuple):
    """A player as the owner of a pass, or as the other player in it."""

    plan: Any
    store: Any
    table: Any  #: on river boards
    high: Any  #: cards in the order of the range
    low: Any
    same: Any  #: the number of the same hand in the other player's range, or their count
    weights: Any
    renamed: Any


class Space(NamedTuple):
    """Working memory of one thread for one owner."""

    rows: Any  #: of the tree of a turn, or of the first street
    values: Any
    river_rows: Any
    river_values: Any
    reach: Any
    judged: Any
    sums: Any
    cards: Any
    all_cards: Any
    total: Any
    share: Any
    gains: Any


class StepWeights(NamedTuple):
    """The weights of one iteration."""

    gained: Any  #: the share of positive regrets that is kept
    lost: Any  #: negative regrets keep this share
    newest: Any  #: the share of the newest strategy in the average


# --- ends of the hand


def judge(own: Any, other: Any, tree: int, board: int, space: Any, rows: Any, values: Any) -> None:
    """Fill the values of all folds and showdowns of a tree; `board` is -1 before the river."""
    head = own.plan.heads[tree]
    if board < 0:
        high, low, same, mine = own.high, own.low, own.same, own.high.shape[0]
        their_high, their_low, size = other.high, other.low, other.high.shape[0]
    else:
        high, low, same = own.table.high[board], own.table.low[board], own.table.same[board]
        their_high, their_low = other.table.high[board], other.table.low[board]
        mine, size = own.table.count[board], other.table.count[board]
    for group in range(head[GROUPS]):
        first = head[LANES_FROM] + group * LANES
        needs = own.plan.flags[first]
        total_cards(own.plan, first, rows, space, their_high, their_low, size)
        for kind in range(2):
            if kind == 0 and needs & HAS_FOLD:
                judge_folds(space, high, low, same, size, mine)
            elif kind == 1 and needs & HAS_SHOW:
                judge_shows(own.table, other.table, board, space, size, mine)
                if needs & HAS_TIES:
                    judge_ties(own.plan, first, own.table, other.table, board, space, size, mine)
            else:
                continue
            lanes_out(space.judged, values, (head[SHOW_VALUES] if kind else head[FOLD_VALUES]) + group * LANES, mine)


def total_cards(plan: Any, first: int, rows: Any, space: Any, high: Any, low: Any, size: int) -> None:
    """Gather eight rows, with their running sums and the sum of each card."""
    lanes_in(rows, plan.lanes, first, space.reach, size)
    for card in range(CARDS):
        for lane in range(LANES):
            space.cards[card, lane] = 0
    running_sums(space.reach, space.sums, space.cards, high, low, size)


def lanes_in(rows: Any, numbers: Any, first: int, reach: Any, size: int) -> None:
    """Copy eight rows to columns, and add a hand that is never held."""
    row0, row1, row2, row3 = (
        rows[numbers[first]],
        rows[numbers[first + 1]],
        rows[numbers[first + 2]],
        rows[numbers[first + 3]],
    )
    row4, row5, row6, row7 = (
        rows[numbers[first + 4]],
        rows[numbers[first + 5]],
        rows[numbers[first + 6]],
        rows[numbers[first + 7]],
    )
    for hand in range(size):
        reach[hand, 0], reach[hand, 1], reach[hand, 2], reach[hand, 3] = row0[hand], row1[hand], row2[hand], row3[hand]
        reach[hand, 4], reach[hand, 5], reach[hand, 6], reach[hand, 7] = row4[hand], row5[hand], row6[hand], row7[hand]
    for lane in range(LANES):
        reach[size, lane] = 0


def lanes_out(judged: Any, values: Any, first: int, mine: int) -> None:
    """Copy eight columns to rows."""
    row0, row1, row2, row3 = values[first], values[first + 1], values[first + 2], values[first + 3]
    row4, row5, row6, row7 = values[first + 4], values[first + 5], values[first + 6], values[first + 7]
    for hand in range(mine):
        row0[hand], row1[hand], row2[hand], row3[hand] = (
            judged[hand, 0],
            judged[hand, 1],
            judged[hand, 2],
            judged[hand, 3],
        )
        row4[hand], row5[hand], row6[hand], row7[hand] = (
            judged[hand, 4],
            judged[hand, 5],
            judged[hand, 6],
            judged[hand, 7],
        )


def judge_folds(space: Any, high: Any, low: Any, same: Any, size: int, mine: int) -> None:
    """Write how many hands each hand meets. A hand's own two cards are taken off twice, so they are added once."""
    for hand in range(mine):
        less_pair(space.judged, hand, space.sums, size, space.cards, high[hand], low[hand])
        add(space.judged, hand, space.reach, same[hand])


def judge_shows(own: Any, other: Any, board: int, space: Any, size: int, mine: int) -> None:
    """Write how many more hands each hand beats than loses to.

    That is P(weaker) + P(weaker or equal) - P(all). Half of each card's total is taken off at first, for the last term.
    """
    below, upto, high, low = own.below[board], own.upto[board], own.high[board], own.low[board]
    their_high, their_low = other.high[board], other.low[board]
    for card in range(CARDS):
        for lane in range(LANES):
            space.cards[card, lane] *= np.float32(-0.5)
    passed = 0
    hand = 0
    while hand < mine:
        weaker, equal = below[hand], upto[hand]
        while passed < weaker:
            add(space.cards, their_high[passed], space.reach, passed)
            add(space.cards, their_low[passed], space.reach, passed)
            passed += 1
        end = hand
        while end < mine and below[end] == weaker and upto[end] == equal:
            less_pair(space.judged, end, space.sums, weaker, space.cards, high[end], low[end])
            end += 1
        while passed < equal:
            add(space.cards, their_high[passed], space.reach, passed)
            add(space.cards, their_low[passed], space.reach, passed)
            passed += 1
        for tied in range(hand, end):
            add(space.judged, tied, space.sums, equal)
            less(space.judged, tied, space.sums, size, space.cards, high[tied], low[tied])
        hand = end


def judge_ties(plan: Any, first: int, own: Any, other: Any, board: int, space: Any, size: int, mine: int) -> None:
    """Add what rake and prizes give for each hand that is met, and for each tie."""
    high, low, same = own.high[board], own.low[board], own.same[board]
    for card in range(CARDS):
        for lane in range(LANES):
            space.cards[card, lane] = 0
            space.all_cards[card, lane] = 0
    for hand in range(size):
        add(space.all_cards, other.high[board, hand], space.reach, hand)
        add(space.all_cards, other.low[board, hand], space.reach, hand)
    passed = 0
    hand = 0
    while hand < mine:
        weaker, equal = own.below[board, hand], own.upto[board, hand]
        while passed < weaker:
            add(space.cards, other.high[board, passed], space.reach, passed)
            add(space.cards, other.low[board, passed], space.reach, passed)
            passed += 1
        end = hand
        while end < mine and own.below[board, end] == weaker and own.upto[board, end] == equal:
            one, two, mirror = high[end], low[end], same[end]
            for lane in range(LANES):
                met = space.sums[size, lane] - space.all_cards[one, lane] - space.all_cards[two, lane]
                met += space.reach[mirror, lane]
                lost = space.sums[weaker, lane] - space.cards[one, lane] - space.cards[two, lane]
                space.judged[end, lane] += plan.lane_all[first + lane] * met - plan.lane_tie[first + lane] * lost
            end += 1
        while passed < equal:
            add(space.cards, other.high[board, passed], space.reach, passed)
            add(space.cards, other.low[board, passed], space.reach, passed)
            passed += 1
        for tied in range(hand, end):
            one, two, mirror = high[tied], low[tied], same[tied]
            for lane in range(LANES):
                upto = space.sums[equal, lane] - space.cards[one, lane] - space.cards[two, lane]
                upto += space.reach[mirror, lane]
                space.judged[tied, lane] += plan.lane_tie[first + lane] * upto
        hand = end


# --- down the tree: reaches


def forward(
    own: Any, other: Any, tree: int, at: int, size: int, width: int, average: bool, space: Any, rows: Any
) -> None:
    """Fill the rows of reaches below the entries, which are filled already; `at` is the tree's place in the store."""
    plan = own.plan
    head = plan.heads[tree]
    store = other.store.sums if average else other.store.regrets
    for node in range(head[NODES_FROM], head[NODES_FROM] + head[NODES]):
        if not plan.theirs[node]:
            continue
        count, edge = plan.actions[node], plan.edges[node]
        start = at + plan.first[node] * width
        reach = rows[plan.row[node]]
        if count == 2:
            split_two(
                store[start : start + size],
                store[start + width : start + width + size],
                reach,
                rows[plan.edge_row[edge]],
                rows[plan.edge_row[edge + 1]],
                size,
            )
        elif count == 3:
            split_three(
                store[start : start + size],
                store[start + width : start + width + size],
                store[start + 2 * width : start + 2 * width + size],
                reach,
                rows[plan.edge_row[edge]],
                rows[plan.edge_row[edge + 1]],
                rows[plan.edge_row[edge + 2]],
                size,
            )
        else:
            shares(store, start, size, width, count, space)
            for action in range(count):
                here = start + action * width
                split_one(
                    store[here : here + size], space.total, space.share, reach, rows[plan.edge_row[edge + action]], size
                )


def split_two(first: Any, second: Any, reach: Any, row0: Any, row1: Any, size: int) -> None:
    """Split reaches between two actions in proportion to their positive regrets, evenly if there are none."""
    for hand in range(size):
        a, b = positive(first[hand]), positive(second[hand])
        total = a + b
        known = total > np.float32(0)
        scale = reach[hand] / total if known else np.float32(0)
        even = np.float32(0) if known else reach[hand] * np.float32(0.5)
        row0[hand] = a * scale + even
        row1[hand] = b * scale + even


def split_three(first: Any, second: Any, third: Any, reach: Any, row0: Any, row1: Any, row2: Any, size: int) -> None:
    """Split reaches between three actions."""
    for hand in range(size):
        a, b, c = positive(first[hand]), positive(second[hand]), positive(third[hand])
        total = a + b + c
        known = total > np.float32(0)
        scale = reach[hand] / total if known else np.float32(0)
        even = np.float32(0) if known else reach[hand] * np.float32(1 / 3)
        row0[hand] = a * scale + even
        row1[hand] = b * scale + even
        row2[hand] = c * scale + even


def split_one(regrets: Any, total: Any, share: Any, reach: Any, row: Any, size: int) -> None:
    """Write the reaches of one action."""
    for hand in range(size):
        row[hand] = (positive(regrets[hand]) * total[hand] + share[hand]) * reach[hand]


# --- up the tree: values


def backward(
    own: Any, tree: int, at: int, row: int, size: int, width: int, mode: int, step: Any, space: Any, values: Any
) -> None:
    """Fill the values of all nodes from the last to the first; when learning, update what the owner has learned."""
    plan, store = own.plan, own.store
    head = plan.heads[tree]
    first = head[NODES_FROM]
    for node in range(first + head[NODES] - 1, first - 1, -1):
        count, edge = plan.actions[node], plan.edges[node]
        value = values[node - first]
        if plan.theirs[node]:
            for action in range(count):
                add_value(
                    values[plan.edge_value[edge + action]], plan.edge_factor[edge + action], value, size, action == 0
                )
            continue
        start, fixed = at + plan.first[node] * width, -1
        if store.held.shape[0] > 0:
            fixed = store.held[row + plan.first[node]]
        if mode == BEST:
            for action in range(count):
                most_value(
                    values[plan.edge_value[edge + action]], plan.edge_factor[edge + action], value, size, action == 0
                )
            if fixed >= 0:
                fixed_value(plan, edge, count, store.fixed, fixed, values, value, size)
        elif mode == AVERAGE:
            shares(store.sums, start, size, width, count, space)
            for action in range(count):
                here = start + action * width
                part = values[plan.edge_value[edge + action]]
                factor = plan.edge_factor[edge + action]
                mix_value(
                    store.sums[here : here + size], space.total, space.share, part, factor, value, size, action == 0
                )
        else:
            here = row + plan.first[node]
            learn(own, LearningNode(edge, count, start, here, size, width), step, space, values, value)
            if fixed >= 0:
                keep_fixed(store, start, fixed, count, size, width)


def add_value(part: Any, factor: Any, value: Any, size: int, begin: bool) -> None:
    """Add the value of an action of the other player."""
    if begin:
        for hand in range(size):
            value[hand] = part[hand] * factor
    else:
        for hand in range(size):
            value[hand] += part[hand] * factor


def most_value(part: Any, factor: Any, value: Any, size: int, begin: bool) -> None:
    """Keep the greatest value."""
    if begin:
        for hand in range(size):
            value[hand] = part[hand] * factor
    else:
        for hand in range(size):
            value[hand] = max(value[hand], part[hand] * factor)


def fixed_value(plan: Any, edge: int, count: int, fixed: Any, at: int, values: Any, value: Any, size: int) -> None:
    """Replace the best value of hands whose strategy is fixed by the value of that strategy."""
    for hand in range(size):
        if fixed[at + hand] > 0:
            value[hand] = 0
            for action in range(count):
                played = fixed[at + (1 + action) * size + hand]
                value[hand] += played * values[plan.edge_value[edge + action], hand] * plan.edge_factor[edge + action]


def keep_fixed(store: Any, start: int, at: int, count: int, size: int, width: int) -> None:
    """Write the fixed strategy of hands over their regrets."""
    unit = FULL if store.regrets.itemsize == 2 else np.float32(1)
    for action in range(count):
        for hand in range(size):
            if store.fixed[at + hand] > 0:
                store.regrets[start + action * width + hand] = store.fixed[at + (1 + action) * size + hand] * unit
