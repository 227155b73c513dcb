"""How a node learns: regrets to a strategy, and new regrets and averages, with 32-bit floats or with 16 bits.

Numba turns the inner loops into vector code. It does not do so for loops over more than about ten arrays.
"""

from typing import Any, NamedTuple

import numpy as np

FULL = np.float32(65534)
"""The number for 1 in 16-bit storage."""


class LearningNode(NamedTuple):
    """Where the owner learns: a node on a board. It has numbers only; each array in it would slow every node down."""

    edge: Any  #: the first edge
    count: Any  #: actions
    start: Any  #: where the node begins in the regrets and sums
    row: Any  #: the number of its first row
    size: Any  #: hands
    width: Any  #: the numbers of a row


def positive(number: Any) -> Any:
    """Return a stored number as a float, or 0 if it is negative."""
    return max(np.float32(number), np.float32(0))


def shares(store: Any, start: int, size: int, width: int, count: int, space: Any) -> None:
    """Write by what positive regrets are multiplied to become a strategy, and what is added to them."""
    for action in range(count):
        here = start + action * width
        add_positive(store[here : here + size], space.total, size, action == 0)
    invert(space.total, space.share, size, np.float32(1) / np.float32(count))


def add_positive(regrets: Any, total: Any, size: int, begin: bool) -> None:
    """Add positive regrets to a total, or begin it."""
    if begin:
        for hand in range(size):
            total[hand] = positive(regrets[hand])
    else:
        for hand in range(size):
            total[hand] += positive(regrets[hand])


def invert(total: Any, share: Any, size: int, even: Any) -> None:
    """Turn totals into factors; a hand without positive regrets plays each action equally often."""
    for hand in range(size):
        found = total[hand]
        known = found > np.float32(0)
        share[hand] = np.float32(0) if known else even
        total[hand] = np.float32(1) / found if known else np.float32(0)


def mix_value(known: Any, total: Any, share: Any, part: Any, factor: Any, value: Any, size: int, begin: bool) -> None:
    """Add the value of an action, as often as the owner plays it."""
    if begin:
        for hand in range(size):
            value[hand] = (positive(known[hand]) * total[hand] + share[hand]) * part[hand] * factor
    else:
        for hand in range(size):
            value[hand] += (positive(known[hand]) * total[hand] + share[hand]) * part[hand] * factor


def learn_wide(own: Any, at: LearningNode, step: Any, space: Any, values: Any, value: Any) -> None:
    """Learn with 32-bit floats."""
    plan, regrets, sums = own.plan, own.store.regrets, own.store.sums
    edge, count, start, size, width = at.edge, at.count, at.start, at.size, at.width
    if count == 2:
        second = start + width
        learn_two(
            regrets[start : start + size],
            regrets[second : second + size],
            sums[start : start + size],
            sums[second : second + size],
            values[plan.edge_value[edge]],
            values[plan.edge_value[edge + 1]],
            plan.edge_factor[edge],
            plan.edge_factor[edge + 1],
            value,
            size,
            step,
        )
        return
    shares(regrets, start, size, width, count, space)
    for action in range(count):
        here = start + action * width
        part, factor = values[plan.edge_value[edge + action]], plan.edge_factor[edge + action]
        mix_value(regrets[here : here + size], space.total, space.share, part, factor, value, size, action == 0)
    for action in range(count):
        here = start + action * width
        part, factor = values[plan.edge_value[edge + action]], plan.edge_factor[edge + action]
        learn_one(
            regrets[here : here + size],
            sums[here : here + size],
            space.total,
            space.share,
            part,
            factor,
            value,
            size,
            step,
        )


def learn_two(
    regret0: Any,
    regret1: Any,
    sum0: Any,
    sum1: Any,
    part0: Any,
    part1: Any,
    factor0: Any,
    factor1: Any,
    value: Any,
    size: int,
    step: Any,
) -> None:
    """Learn at a node with two actions."""
    gained, lost, newest = step.gained, step.lost, step.newest
    for hand in range(size):
        x, y = regret0[hand], regret1[hand]
        a, b = max(x, np.float32(0)), max(y, np.float32(0))
        total = a + b
        known = total > np.float32(0)
        scale = np.float32(1) / total if known else np.float32(0)
        even = np.float32(0) if known else np.float32(0.5)
        a = a * scale + even
        b = b * scale + even
        first, second = part0[hand] * factor0, part1[hand] * factor1
        worth = a * first + b * second
        value[hand] = worth
        regret0[hand] = x * (gained if x > np.float32(0) else lost) + (first - worth)
        regret1[hand] = y * (gained if y > np.float32(0) else lost) + (second - worth)
        sum0[hand] += (a - sum0[hand]) * newest
        sum1[hand] += (b - sum1[hand]) * newest


def learn_one(
    regrets: Any, sums: Any, total: Any, share: Any, part: Any, factor: Any, value: Any, size: int, step: Any
) -> None:
    """Learn one action of a node whose value is known."""
    gained, lost, newest = step.gained, step.lost, step.newest
    for hand in range(size):
        regret = regrets[hand]
        played = max(regret, np.float32(0)) * total[hand] + share[hand]
        sums[hand] += (played - sums[hand]) * newest
        regrets[hand] = regret * (gained if regret > np.float32(0) else lost) + (part[hand] * factor - value[hand])


def learn_narrow(own: Any, at: LearningNode, step: Any, space: Any, values: Any, value: Any) -> None:
    """Learn with 16 bits: positive regrets with one scale per node, and averages as fractions."""
    plan, store, regrets, sums = own.plan, own.store, own.store.regrets, own.store.sums
    edge, count, start, size, width = at.edge, at.count, at.start, at.size, at.width
    shares(regrets, start, size, width, count, space)
    for action in range(count):
        here = start + action * width
        part, factor = values[plan.edge_value[edge + action]], plan.edge_factor[edge + action]
        mix_value(regrets[here : here + size], space.total, space.share, part, factor, value, size, action == 0)
    remaining, most = store.scales[at.row] * step.gained, np.float32(0)
    for action in range(count):
        here = start + action * width
        part, factor = values[plan.edge_value[edge + action]], plan.edge_factor[edge + action]
        average(regrets[here : here + size], space.total, space.share, sums[here : here + size], size, step.newest)
        gain(regrets[here : here + size], part, factor, value, space.gains[action], size, remaining)
        most = max(most, greatest(space.gains[action], size))
    scale = FULL / most if most > np.float32(0) else np.float32(0)
    for action in range(count):
        here = start + action * width
        narrow(space.gains[action], regrets[here : here + size], size, scale)
    store.scales[at.row] = most / FULL


def to_16_bits(number: Any) -> Any:
    """Round a number from 0 to 65535."""
    return np.uint16(np.int32(number + np.float32(0.5)))


def average(regrets: Any, total: Any, share: Any, sums: Any, size: int, newest: Any) -> None:
    """Move the average of one action towards the newest strategy."""
    remaining, added = np.float32(1) - newest, newest * FULL
    for hand in range(size):
        played = np.float32(regrets[hand]) * total[hand] + share[hand]
        sums[hand] = to_16_bits(np.float32(sums[hand]) * remaining + played * added)


def gain(regrets: Any, part: Any, factor: Any, value: Any, gains: Any, size: int, remaining: Any) -> None:
    """Write the new regrets of one action; negative regrets become 0."""
    for hand in range(size):
        gains[hand] = max(np.float32(regrets[hand]) * remaining + (part[hand] * factor - value[hand]), np.float32(0))


def greatest(gains: Any, size: int) -> Any:
    """Return the greatest of numbers that are not negative. Their bits have the same order, and compile to vectors."""
    bits = gains.view(np.int32)
    most = np.int32(0)
    for hand in range(size):
        most = max(most, bits[hand])
    found = np.empty(1, np.int32)
    found[0] = most
    return found.view(np.float32)[0]


def narrow(gains: Any, regrets: Any, size: int, scale: Any) -> None:
    """Learned regrets as shares of the greatest."""
    for hand in range(size):
        regrets[hand] = to_16_bits(gains[hand] * scale)
