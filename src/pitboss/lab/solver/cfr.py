"""CFR+ on a tree of numbers, the value of strategies and best responses to them, written to be compiled.

`t` is the tree (`tree.Nodes`). A strategy is a share of each slot, those of an information set adding up to 1. All
loops go through rows from the first node to the last or back: parents stand before their children.
"""

from typing import Any

from pitboss.lab.base.codes import NOBODY


def iterate(t: Any, begun: int, iterations: int, strategy: Any, regret: Any, total: Any, room: Any) -> None:
    """Go on with so many iterations after those begun: both seats in turn, each against what the other does now.

    Regrets never fall below nothing, and an iteration counts in the average as often as its number says.
    `room` has three rows of a number a node.
    """
    for at in range(begun + 1, begun + iterations + 1):
        for seat in range(2):
            reach(t, seat, strategy, room[0], room[1])
            evaluate(t, strategy, room[2])
            add_regrets(t, seat, room[1], room[2], regret)
            add_average(t, seat, at, room[0], strategy, total)
            match_regrets(t, seat, regret, strategy)


def reach(t: Any, seat: int, strategy: Any, own: Any, others: Any) -> None:
    """How likely every node is as far as the seat decides, and as far as chance and the other seat do."""
    own[0], others[0] = 1.0, 1.0
    for node in range(1, len(t.up)):
        up, edge = t.up[node], t.edge[node]
        own[node], others[node] = own[up], others[up]
        if edge < 0:
            others[node] *= t.odds[node]
        elif t.seat[up] == seat:
            own[node] *= strategy[edge]
        else:
            others[node] *= strategy[edge]


def evaluate(t: Any, strategy: Any, value: Any) -> float:
    """What seat 0 wins on average from every node on; returns the root's."""
    for node in range(len(t.up)):
        value[node] = float(t.payoff[node])
    for node in range(len(t.up) - 1, 0, -1):
        edge = t.edge[node]
        value[t.up[node]] += value[node] * (t.odds[node] if edge < 0 else strategy[edge])
    return value[0]  # type: ignore[no-any-return]  # a list's or an array's number


def add_regrets(t: Any, seat: int, others: Any, value: Any, regret: Any) -> None:
    """Add what the seat would have won more by always making each of its moves; less than nothing counts as nothing."""
    sign = 1.0 if seat == 0 else -1.0
    for node in range(1, len(t.up)):
        up, edge = t.up[node], t.edge[node]
        if edge >= 0 and t.seat[up] == seat:
            regret[edge] += sign * others[up] * (value[node] - value[up])
    for k in range(len(t.owner)):
        if t.owner[k] == seat:
            for slot in range(t.first[k], t.first[k] + t.count[k]):
                regret[slot] = max(regret[slot], 0.0)


def add_average(t: Any, seat: int, weight: int, own: Any, strategy: Any, total: Any) -> None:
    """Count the seat's present strategy in its average, as far as it lets itself come to each set."""
    for k in range(len(t.owner)):
        if t.owner[k] == seat:
            for slot in range(t.first[k], t.first[k] + t.count[k]):
                total[slot] += weight * own[t.sample[k]] * strategy[slot]


def match_regrets(t: Any, seat: int, regret: Any, strategy: Any) -> None:
    """Let the seat make each move in the share of its regret."""
    for k in range(len(t.owner)):
        if t.owner[k] == seat:
            shares(regret, t.first[k], t.count[k], strategy)


def shares(weights: Any, first: int, count: int, strategy: Any) -> None:
    """Turn a set's weights into shares; all alike where there are none."""
    whole = 0.0
    for slot in range(first, first + count):
        whole += weights[slot]
    for slot in range(first, first + count):
        strategy[slot] = weights[slot] / whole if whole > 0.0 else 1.0 / count


def best_response(t: Any, seat: int, strategy: Any, order: Any, gain: Any, room: Any) -> float:
    """What the seat wins at most on average against the other's strategy, choosing by what it can see.

    `order` has every node after those where the seat has decided more often, and after those below it.
    """
    value, others = room[2], room[1]
    reach(t, seat, strategy, room[0], others)
    sign = 1.0 if seat == 0 else -1.0
    for node in range(len(t.up)):
        value[node] = sign * others[node] * t.payoff[node]
    for slot in range(len(gain)):
        gain[slot] = 0.0
    for at in range(len(order)):
        node = order[at]
        if t.seat[node] == seat:
            value[node] = value[chosen(t, node, gain)]
        up = t.up[node]
        if node > 0 and t.seat[up] == seat:
            gain[t.edge[node]] += value[node]
        elif node > 0:
            value[up] += value[node]
    return value[0]  # type: ignore[no-any-return]  # a list's or an array's number


def chosen(t: Any, node: int, gain: Any) -> int:
    """The child that the best move of a node's information set leads to."""
    k = t.set[node]
    best, child, found = t.first[k], node + 1, NOBODY
    for slot in range(t.first[k], t.first[k] + t.count[k]):
        if gain[slot] > gain[best]:
            best = slot
    for slot in range(t.first[k], t.first[k] + t.count[k]):
        if slot == best:
            found = child
        child += t.size[child] if slot < t.first[k] + t.count[k] - 1 else 0
    return found
