"""Solves small games: finds their value, and strategies near an equilibrium with their exploitability."""

import time
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct

from pitboss.fast.compiled import Function, compile_function
from pitboss.lab.codes import NO_PLAYER
from pitboss.lab.genome import Genome, check
from pitboss.lab.solver.information import SEATS
from pitboss.lab.solver.tree import MOST_NODES, Nodes, SolverError, StageProgress, Tree, build_tree

MOST_PLAIN_STEPS = 1_000_000
"""The maximum of nodes times iterations that run in plain Python. Larger runs are compiled."""
PIECE = 20_000_000
"""Nodes times iterations between two progress messages."""
MOST_PRINTED = 50_000


def iterate(t: Any, begun: int, iterations: int, strategy: Any, regret: Any, total: Any, room: Any) -> None:
    """Run more iterations of CFR+. In each, both seats in turn improve against the other's current strategy.

    Regrets never fall below 0. The weight of an iteration in the average is its number. `room` has three rows with one
    number per node.
    """
    for at in range(begun + 1, begun + iterations + 1):
        for seat in range(2):
            reach(t, seat, strategy, room[0], room[1])
            evaluate(t, strategy, room[2])
            add_regrets(t, seat, room[1], room[2], regret)
            add_average(t, seat, at, room[0], strategy, total)
            match_regrets(t, seat, regret, strategy)


def reach(t: Any, seat: int, strategy: Any, own: Any, others: Any) -> None:
    """Write two probabilities for each node: the first from the seat's own decisions, the second from all others.

    The second includes chance.
    """
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
    """Write seat 0's expected win at every node. Return the expected win at the root."""
    for node in range(len(t.up)):
        value[node] = float(t.payoff[node])
    for node in range(len(t.up) - 1, 0, -1):
        edge = t.edge[node]
        value[t.up[node]] += value[node] * (t.odds[node] if edge < 0 else strategy[edge])
    return value[0]  # type: ignore[no-any-return]  # a list's or an array's number


def add_regrets(t: Any, seat: int, others: Any, value: Any, regret: Any) -> None:
    """Add to each move's regret how much more the seat would have won with this move. A regret is at least 0."""
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
    """Add the seat's current strategy to its average, weighted by the probability that the seat reaches each set."""
    for k in range(len(t.owner)):
        if t.owner[k] == seat:
            for slot in range(t.first[k], t.first[k] + t.count[k]):
                total[slot] += weight * own[t.sample[k]] * strategy[slot]


def match_regrets(t: Any, seat: int, regret: Any, strategy: Any) -> None:
    """Set the seat's strategy in proportion to the regrets."""
    for k in range(len(t.owner)):
        if t.owner[k] == seat:
            to_shares(regret, t.first[k], t.count[k], strategy)


def to_shares(weights: Any, first: int, count: int, strategy: Any) -> None:
    """Turn the weights of an information set into shares. If all weights are 0, the shares are equal."""
    whole = 0.0
    for slot in range(first, first + count):
        whole += weights[slot]
    for slot in range(first, first + count):
        strategy[slot] = weights[slot] / whole if whole > 0.0 else 1.0 / count


def best_response(t: Any, seat: int, strategy: Any, order: Any, gain: Any, room: Any) -> float:
    """Return the maximum that the seat can win on average against the other's strategy, given what it can see.

    `order` lists the nodes of the tree. A node comes after the nodes below it, and after the nodes where the seat has
    made more decisions.
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
            value[node] = value[best_child(t, node, gain)]
        up = t.up[node]
        if node > 0 and t.seat[up] == seat:
            gain[t.edge[node]] += value[node]
        elif node > 0:
            value[up] += value[node]
    return value[0]  # type: ignore[no-any-return]  # a list's or an array's number


def best_child(t: Any, node: int, gain: Any) -> int:
    """Return the child node of the best move in a node's information set."""
    k = t.set[node]
    best, child, found = t.first[k], node + 1, NO_PLAYER
    for slot in range(t.first[k], t.first[k] + t.count[k]):
        if gain[slot] > gain[best]:
            best = slot
    for slot in range(t.first[k], t.first[k] + t.count[k]):
        if slot == best:
            found = child
        child += t.size[child] if slot < t.first[k] + t.count[k] - 1 else 0
    return found


class Solution(Struct, frozen=True, kw_only=True):
    """A solved game. Only `seconds` and `compiled` depend on the machine.

    Values are seat 0's mean win per deal: chips or, in a game without chips, 1 for a win and -1 for a loss.

    >>> from pitboss.lab import load, solve
    >>> kuhn = solve(load("kuhn"), 10)
    >>> kuhn.unit, kuhn.iterations, kuhn.nodes
    ('chips', 10, 55)
    """

    name: str
    unit: str  #: "chips" or "wins"
    value: float  #: the value with the average strategies
    bounds: tuple[float, float]  #: the value of the game is between these two numbers
    uniform_value: Fraction  #: the exact value if both choose all moves equally often
    exploitability: float  #: the mean win of the best responses to the average strategies
    uniform_exploitability: float
    information_sets: int  #: number of information sets with a choice
    iterations: int
    nodes: int
    deals: int  #: number of different ways to deal
    suits: bool  #: whether cards of one rank were distinguished
    seconds: float
    compiled: bool
    strategy: dict[str, dict[str, float]]  #: by information set: shares of moves; empty if there are over 50,000


def solve(
    genome: Genome,
    iterations: int = 1000,
    *,
    suits: bool = False,
    most: int = MOST_NODES,
    progress: StageProgress | None = None,
) -> Solution:
    """Solve a game. Raise `SolverError` if it cannot be solved. With `suits`, suits are always distinguished.

    >>> from pitboss.lab import load
    >>> kuhn = solve(load("kuhn"), 100)
    >>> kuhn.uniform_value, round(kuhn.value, 3), kuhn.information_sets
    (Fraction(1, 8), -0.056, 12)
    >>> round(kuhn.strategy["seat 1, K: bet"]["call"], 3)
    1.0
    """
    if type(iterations) is not int or iterations < 1:
        raise SolverError(f"iterations: expected a whole number of at least 1, got {iterations!r}")
    begun = time.perf_counter()
    tree = build_tree(check(genome), suits=suits, most=most, progress=progress)
    solver = TreeSolver(tree, compiled=len(tree) * iterations > MOST_PLAIN_STEPS)
    uniform, average = solver.uniform(), solver.average(iterations, progress)
    strategy = strategy_words(tree, average) if tree.information_sets <= MOST_PRINTED else {}
    best = [solver.best_response(average, seat) for seat in range(SEATS)]
    return Solution(
        name=genome.name,
        unit="chips" if genome.setup.starting_chips else "wins",
        value=solver.value(average),
        bounds=(-best[1], best[0]),
        uniform_value=uniform_value(tree),
        exploitability=sum(best) / SEATS,
        uniform_exploitability=sum([solver.best_response(uniform, seat) for seat in range(SEATS)]) / SEATS,
        information_sets=tree.information_sets,
        iterations=iterations,
        nodes=len(tree),
        deals=tree.deals,
        suits=tree.unfolding.sight.suits,
        seconds=time.perf_counter() - begun,
        compiled=solver.compiled,
        strategy=strategy,
    )


class SolverLoops(NamedTuple):
    """The loops of the solver, plain or compiled."""

    iterate: Function
    evaluate: Function
    best_response: Function


@cache
def compiled_loops() -> SolverLoops:
    """Return the compiled loops."""
    loops = (iterate, evaluate, best_response)
    return SolverLoops(*[compile_function(loop, purpose=f"the solver ({loop.__name__})") for loop in loops])


class TreeSolver:
    """A tree with rows for intermediate results, as lists or arrays."""

    def __init__(self, tree: Tree, *, compiled: bool) -> None:
        self.tree, self.compiled = tree, compiled
        self.loops = compiled_loops() if compiled else SolverLoops(iterate, evaluate, best_response)
        self.nodes = _packed(tree.nodes) if compiled else tree.nodes
        self.room = [self.zeros(len(tree)) for _ in range(3)]
        if compiled:
            self.room = _array(self.room)
        self.orders = [self.row(order) for order in orders(tree.nodes)]

    def row(self, numbers: Sequence[int] | Sequence[float]) -> Any:
        """Return numbers as a list or an array."""
        return _array(numbers) if self.compiled else list(numbers)

    def zeros(self, count: int) -> Any:
        """Return a row of zeros."""
        return self.row([0.0] * count)

    def uniform(self) -> Any:
        """Return the strategy that makes all moves of the engine equally often."""
        return self._shared([float(copies) for copies in self.tree.nodes.copies])

    def average(self, iterations: int, progress: StageProgress | None = None) -> Any:
        """Return the average strategies after this number of iterations of CFR+."""
        slots, done = len(self.tree.nodes.copies), 0
        strategy = self._shared([0.0] * slots)
        regret, total = self.zeros(slots), self.zeros(slots)
        while done < iterations:
            piece = min(iterations - done, max(1, PIECE // len(self.tree)))
            self.loops.iterate(self.nodes, done, piece, strategy, regret, total, self.room)
            done += piece
            if progress:
                progress("solving", done, iterations)
        return self._shared(total)

    def _shared(self, weights: Any) -> Any:
        strategy = [0.0] * len(self.tree.nodes.copies)
        for first, count in zip(self.tree.nodes.first, self.tree.nodes.count, strict=True):
            to_shares(weights, first, count, strategy)
        return self.row(strategy)

    def value(self, strategy: Any) -> float:
        """Return seat 0's mean win with this strategy."""
        return float(self.loops.evaluate(self.nodes, strategy, self.room[2]))

    def best_response(self, strategy: Any, seat: int) -> float:
        """Return the maximum that a seat can win against the other's strategy."""
        gain = self.zeros(len(self.tree.nodes.copies))
        return float(self.loops.best_response(self.nodes, seat, strategy, self.orders[seat], gain, self.room))


def uniform_value(tree: Tree) -> Fraction:
    """Return the exact value to seat 0 if both seats make all moves of the engine equally often."""
    t = tree.nodes
    whole = [sum(t.copies[first : first + count]) for first, count in zip(t.first, t.count, strict=True)]
    value = [Fraction(payoff) for payoff in t.payoff]
    for node in range(len(tree) - 1, -1, -1):
        if t.seat[node] >= 0:
            value[node] /= whole[t.set[node]]
        if node > 0:
            edge = t.edge[node]
            value[t.up[node]] += value[node] * (tree.chances.get(node, 1) if edge < 0 else t.copies[edge])
    return value[0]


def orders(t: Nodes) -> list[list[int]]:
    """Return an order of the nodes for each seat. Nodes with more decisions of that seat above them come first.

    Children come before their parents.
    """
    found = []
    for seat in range(SEATS):
        decided = [0] * len(t.up)
        for node in range(1, len(t.up)):
            decided[node] = decided[t.up[node]] + (t.seat[t.up[node]] == seat)
        found.append(sorted(range(len(t.up)), key=lambda node: (decided[node], node), reverse=True))
    return found


def strategy_words(tree: Tree, strategy: Any) -> dict[str, dict[str, float]]:
    """Return a strategy in words, in the order of the tree. Seat 0 is first."""
    t, found = tree.nodes, dict[str, dict[str, float]]()
    for k in sorted(range(tree.information_sets), key=lambda k: t.owner[k]):
        words, shares = tree.set_words(k), strategy[t.first[k] : t.first[k] + t.count[k]]
        same = 1
        while words in found:  # different sets with the same words get a number
            same += 1
            words = f"{tree.set_words(k)} ({same})"
        found[words] = dict(zip(tree.move_words(k), map(float, shares), strict=True))
    return found


def _array(numbers: Any) -> Any:
    import numpy as np

    return np.array(numbers)


def _packed(nodes: Nodes) -> Nodes:
    import numpy as np

    kinds = {"odds": np.float64, "payoff": np.float64}
    return Nodes(*[np.array(row, kinds.get(name, np.int64)) for name, row in nodes._asdict().items()])
