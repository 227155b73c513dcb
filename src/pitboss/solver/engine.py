"""The arrays of a spot, and the passes over them: learn, the best responses, the values."""

import math
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from itertools import pairwise
from types import ModuleType
from typing import Any, NamedTuple

from msgspec.structs import replace

from pitboss.fast.compiled import Function, compile_function
from pitboss.fast.equity.icm import icm
from pitboss.solver.boards import Hands, find_alike, find_orbits, make_hands, rank_boards, renamings
from pitboss.solver.loops.columns import LANES, NODES_FROM, OWN_ACTIONS, ROWS, VALUES
from pitboss.solver.sizes import SpotError, smaller_sizes
from pitboss.solver.spot import Spot
from pitboss.solver.tree import (
    MOST_NODES,
    Forest,
    Payoff,
    TooManyNodes,
    build_forests,
    make_plan,
)

STORAGES = {"float": 4, "16-bit": 2}
"""The bytes of a number in each form of storage."""
SCALE_BYTES = 4
TURN_TASKS = 8
MEGABYTE = 1 << 20
ITERATIONS, SECONDS_PER_NUMBER = 110, 3e-9
"""For estimates: the iterations to 0.3 % of the pot, and the time of an iteration for each number of a strategy."""


def payoffs(spot: Spot) -> Payoff:
    """Return what a player gets: chips, less half the pot at the start of the spot, or prize money."""
    if spot.icm is not None:
        return _prize_money(spot)
    percent, cap = spot.rake or (0, 0)

    def chips(_player: int, added: tuple[int, int], result: str) -> float:
        pot = spot.pot + 2 * min(added)
        rake = min(pot * percent / 100, cap)
        return {"win": pot / 2 - rake, "lose": -pot / 2, "tie": -rake / 2}[result]

    return chips


def _prize_money(spot: Spot) -> Payoff:
    prizes = spot.icm
    assert prizes is not None

    @cache
    def worth(stacks: tuple[float, ...]) -> tuple[float, ...]:
        """Return what stacks are worth; of players without chips the first two share the last places."""
        left = [stack for stack in stacks if stack > 0]
        padded = [*prizes.payouts, *[0.0] * (len(stacks) - len(prizes.payouts))]
        found = iter(icm(left, padded[: len(left)], exact=True).equity)
        out = padded[len(left) : len(stacks)]
        lost = sum(out) / len(out) if out else 0.0
        return tuple([next(found) if stack > 0 else lost for stack in stacks])

    def prize(player: int, added: tuple[int, int], result: str) -> float:
        lost = min(added)
        gains = {"win": spot.pot + lost, "lose": -lost, "tie": spot.pot / 2}
        other = {"win": "lose", "lose": "win", "tie": "tie"}[result]
        changes = (gains[result], gains[other])
        after = [*prizes.stacks]
        for seat, change in zip((player, 1 - player), changes, strict=True):
            after[seat] = after[seat] + change
        return worth(tuple(after))[player]

    return prize


class StoredNode(NamedTuple):
    """Where a node is among what its player has learned on one board."""

    row: int  #: of its first action, among all rows
    start: int  #: of its first action, among all numbers
    width: int  #: the numbers of a row
    actions: int


class Engine:
    """A spot in arrays, and what both players have learned."""

    def __init__(
        self,
        spot: Spot,
        storage: str = "float",
        isomorphism: bool = True,
        threads: int = 1,
        hands: tuple[Hands, Hands] | None = None,
    ) -> None:
        """Build the trees; `allocate` makes the arrays, if they fit into memory."""
        if storage not in STORAGES:
            raise SpotError(f"storage: expected {' or '.join(STORAGES)}, got {storage!r:.20}")
        self.spot, self.storage, self.threads = spot, storage, threads
        self.forests = _forests(spot)
        self.isomorphism = isomorphism
        self.hands = hands or (make_hands(spot.ranges[0]), make_hands(spot.ranges[1]))
        self.orbits = find_orbits(spot, self.hands, isomorphism)
        self.plans = [make_plan(self.forests, owner, payoffs(spot)) for owner in (0, 1)]
        self.blocks = self._count_blocks()
        self.iterations = 0

    # --- sizes

    def _count_blocks(self) -> list[int]:
        """Return the number of boards on which each tree is played."""
        boards = {"flop": 1, "turn": len(self.orbits.turns) or 1, "river": len(self.orbits.boards)}
        return [boards[forest.street] for forest in self.forests]

    def _most_hands(self, player: int) -> int:
        """Return the most hands of a player that any river board allows."""
        import numpy as np

        hands = self.hands[player]
        if len(self.spot.cards) == 5:
            return len(hands.names)
        counts = np.bincount(np.concatenate([hands.high, hands.low]), minlength=52)
        known = len(self.spot.cards)
        dealt = np.array([board[known:] for board in self.orbits.boards])
        both = np.zeros(len(dealt), int)
        if dealt.shape[1] == 2:
            pairs = {(int(a), int(b)) for a, b in zip(hands.high, hands.low, strict=True)}
            both = np.array([(max(a, b), min(a, b)) in pairs for a, b in dealt.tolist()], int)
        return int((len(hands.names) - counts[dealt].sum(axis=1) + both).max())

    def estimate(self) -> int:
        """Return the bytes that the regrets, the average strategies and the tables of boards take."""
        number = STORAGES[self.storage]
        size = 0
        for player, plan in enumerate(self.plans):
            most = self._most_hands(player)
            for tree, (forest, blocks) in enumerate(zip(self.forests, self.blocks, strict=True)):
                width = most if forest.street == "river" else len(self.hands[player].names)
                rows = int(plan.heads[tree, OWN_ACTIONS]) * blocks
                size += rows * (width * 2 * number + (SCALE_BYTES if self.storage == "16-bit" else 0))
            size += len(self.orbits.boards) * most * 10
        return size

    def least_bytes(self) -> int:
        """Return the bytes of both average strategies on the boards with the fewest hands."""
        fewest = [max(len(hands.names) - 51 * (5 - len(self.spot.cards)), 0) for hands in self.hands]
        size = 0
        for player, plan in enumerate(self.plans):
            for tree, blocks in enumerate(self.blocks):
                size += int(plan.heads[tree, OWN_ACTIONS]) * blocks * fewest[player]
        return size * STORAGES[self.storage]

    def estimated_seconds(self, target: float) -> float:
        """Return about how many seconds a solve takes; a busy or older machine needs two or three times as many."""
        iterations = ITERATIONS * math.pow(0.003 / max(target, 1e-6), 1 / 1.5)
        numbers = self.estimate() / STORAGES[self.storage] / 2
        return iterations * numbers * SECONDS_PER_NUMBER / (1 if len(self.spot.streets) == 1 else self.threads)

    def _check_memory(self) -> None:
        needed, free = self.estimate(), free_memory()
        if needed <= free:
            return
        found = list(self._smaller())
        fitting = [f"{words} ({size / MEGABYTE:,.0f} MB)" for words, size in found if size <= free]
        least = f"; even {found[0][0]} it needs {found[0][1] / MEGABYTE:,.0f} MB" if found else ""
        advice = f"it fits {', or '.join(fitting[:3])}" if fitting else "use smaller ranges or a later street" + least
        raise SpotError(
            f"the spot needs about {needed / MEGABYTE:,.0f} MB, and {free / MEGABYTE:,.0f} MB are free: {advice}"
        )

    def _smaller(self) -> Iterator[tuple[str, int]]:
        """Yield what to change, in words, and the bytes that are then needed."""
        if self.storage == "float":
            yield "with 16-bit storage", self.estimate() // 2
        for words, sizes in smaller_sizes(self.spot.sizes):
            try:
                other = Engine(replace(self.spot, sizes=sizes), self.storage, self.isomorphism, hands=self.hands)
            except SpotError:  # nothing is left to decide
                continue
            yield words, other.estimate()

    # --- arrays

    def allocate(self) -> "Engine":
        """Make the tables of boards and the arrays of what is learned, and return the engine."""
        import numpy as np

        self._check_memory()

        from pitboss.solver.loops.streets import FLOP, RIVER, TURN, Boards

        spot, orbits = self.spot, self.orbits
        self.street = {"flop": FLOP, "turn": TURN, "river": RIVER}[spot.streets[0]]
        self.tables = rank_boards(np.array(orbits.boards, np.int64), self.hands, spot.setting[2])
        self.alike = find_alike(self.hands)
        self.sides = (self._side(0), self._side(1))
        self.memory = sum(array.nbytes for side in self.sides for array in side.store[:3])
        if self.street == FLOP:
            leaves = len(self.forests[0].leaves)
            tasks = [(leaf, turn) for leaf in range(leaves) for turn in range(len(orbits.turns))]
        else:
            rivers = len(orbits.boards) if self.street == TURN else 0
            cuts = [rivers * task // TURN_TASKS for task in range(TURN_TASKS + 1)]
            tasks = list(pairwise(cuts))
        deck = len(spot.setting[1])
        self.boards = Boards(
            street=self.street,
            tasks=np.array(tasks, np.int64).reshape(-1, 2),
            turn_cards=np.array([dealt.card for dealt in orbits.turns], np.int64),
            river_from=np.array(orbits.river_from, np.int64),
            river_images=_starts([len(dealt.images) for dealt in orbits.rivers]),
            river_renamed=np.array([image for dealt in orbits.rivers for image in dealt.images], np.int64),
            turn_images=_starts([len(dealt.images) for dealt in orbits.turns]),
            turn_renamed=np.array([image for dealt in orbits.turns for image in dealt.images], np.int64),
            turn_share=np.float32(1 / (deck - 7)),
            river_share=np.float32(1 / (deck - 8)),
        )
        shape = (len(tasks), len(self.forests[0].leaves) if self.street == TURN else 1)
        self.parts = tuple([np.zeros((*shape, len(hands.names)), np.float32) for hands in self.hands])
        self.results = tuple([np.zeros(len(hands.names), np.float32) for hands in self.hands])
        self.entries = (self.hands[1].weights[None, :].copy(), self.hands[0].weights[None, :].copy())
        self.entry_rows = np.zeros(1, np.int32)
        self.top = (self._space(0, True), self._space(1, True))
        self._spaces = [(self._space(0, False), self._space(1, False)) for _ in range(self.threads)]
        weights = [hands.weights.astype(float) for hands in self.hands]
        self.met = tuple([meetings(self.hands, self.alike, player, weights[1 - player]) for player in (0, 1)])
        self.pairs = float(weights[0] @ self.met[0])
        return self

    def _side(self, player: int) -> Any:
        import numpy as np

        from pitboss.solver.loops.kernels import Learned, Side

        plan, hands, table = self.plans[player], self.hands[player], self.tables[player]
        rows, starts, row, start = [], [], 0, 0
        for tree, (forest, blocks) in enumerate(zip(self.forests, self.blocks, strict=True)):
            width = table.order.shape[1] if forest.street == "river" else len(hands.names)
            rows.append(row)
            starts.append(start)
            row += int(plan.heads[tree, OWN_ACTIONS]) * blocks
            start += int(plan.heads[tree, OWN_ACTIONS]) * blocks * width
        kind = np.float32 if self.storage == "float" else np.uint16
        store = Learned(
            regrets=np.zeros(start, kind),
            sums=np.zeros(start, kind),
            scales=np.zeros(row if self.storage == "16-bit" else 0, np.float32),
            held=np.zeros(0, np.int64),
            fixed=np.zeros(0, np.float32),
            rows_from=np.array(rows, np.int64),
            starts=np.array(starts, np.int64),
        )
        same = np.where(self.alike[player] >= 0, self.alike[player], len(self.hands[1 - player].names))
        renamed = renamings(self.orbits, hands)
        return Side(plan, store, table, hands.high, hands.low, same.astype(np.int16), hands.weights, renamed)

    def _space(self, owner: int, top: bool) -> Any:
        import numpy as np

        from pitboss.solver.loops.kernels import CARDS, Space

        heads = self.plans[owner].heads
        mine, theirs = len(self.hands[owner].names), len(self.hands[1 - owner].names)
        longest = max(mine, theirs) + 1
        rivers = [tree for tree, forest in enumerate(self.forests) if forest.street == "river"]
        upper = [0] if top else [tree for tree, forest in enumerate(self.forests) if tree and forest.street == "turn"]
        actions = (
            max(len(node.actions) for forest in self.forests for node in forest.nodes)
            if any(forest.nodes for forest in self.forests)
            else 1
        )

        def most(column: int, trees: list[int]) -> int:
            return max([int(heads[tree, column]) for tree in trees], default=1)

        def floats(*shape: int) -> Any:
            return np.zeros(shape, np.float32)

        if top and self.street == 2:
            rivers, upper = [], []
        elif top:
            rivers = []
        return Space(
            rows=floats(most(ROWS, upper), theirs),
            values=floats(most(VALUES, upper), mine),
            river_rows=floats(most(ROWS, rivers), theirs),
            river_values=floats(most(VALUES, rivers), mine),
            reach=floats(longest, LANES),
            judged=floats(longest, LANES),
            sums=floats(longest + 1, LANES),
            cards=floats(CARDS, LANES),
            all_cards=floats(CARDS, LANES),
            total=floats(longest),
            share=floats(longest),
            gains=floats(actions, longest),
        )

    def fix(self, fixed: Mapping[Any, Any]) -> None:
        """Let hands play fixed strategies: for each player, tree, block and node a mask of hands, and shares."""
        first, second = [self._fixed_side(player, fixed) for player in (0, 1)]
        self.sides = (first, second)
        self.iterations = 0

    def _fixed_side(self, player: int, fixed: Mapping[Any, Any]) -> Any:
        import numpy as np

        side, parts, length = self.sides[player], [np.zeros(0, np.float32)], 0
        mine = {place: found for place, found in fixed.items() if place[0] == player}
        rows = sum(int(head[OWN_ACTIONS]) * count for head, count in zip(side.plan.heads, self.blocks, strict=True))
        held = np.full(rows if mine else 0, -1, np.int64)
        for (_, tree, block, node), (mask, shares) in mine.items():
            at, order = self._stored(player, tree, block, node), self._order(player, tree, block)
            held[at.row] = length
            parts += [mask[order].astype(np.float32), shares[:, order].ravel().astype(np.float32)]
            length += (1 + at.actions) * len(order)
            self._write_strategy(side.store, at, mask[order], shares[:, order])
        return side._replace(store=side.store._replace(held=held, fixed=np.concatenate(parts)))

    def _write_strategy(self, store: Any, at: StoredNode, mask: Any, shares: Any) -> None:
        """Write a strategy over the regrets and the average of some hands."""
        from pitboss.solver.loops.learning import FULL

        for action, row in enumerate(shares):
            start = at.start + action * at.width
            for array in (store.regrets, store.sums):
                whole = row[mask] if array.dtype.kind == "f" else (row[mask] * FULL).round()
                array[start : start + len(mask)][mask] = whole

    # --- passes

    def learn(self, steps: Any) -> None:
        """Do one iteration for each step."""
        from pitboss.solver.loops.kernels import LEARN

        if self.threads == 1 or self.street == 2:
            self._run(0, 0, LEARN, 0, len(steps), steps, self._spaces[0])
            self.iterations += len(steps)
        else:
            for number in range(len(steps)):
                for owner in (0, 1):
                    self._pass(owner, LEARN, steps[number : number + 1])
                self.iterations += 1

    def _pass(self, owner: int, mode: int, steps: Any) -> Any:
        """Do one pass for an owner, with all threads, and return the values of their hands."""
        from pitboss.solver.loops.streets import BEGIN, END, TASKS, WHOLE

        if self.threads == 1 or self.street == 2:
            self._run(WHOLE, owner, mode, 0, 1, steps, self._spaces[0])
            return self.results[owner]
        self._run(BEGIN, owner, mode, 0, 0, steps, self._spaces[0])
        count = len(self.boards.tasks)
        waiting = iter(range(0, count, max(1, count // (8 * self.threads))))
        size = max(1, count // (8 * self.threads))

        def work(space: Any) -> None:
            for first in waiting:  # a range's iterator is safe to share: each number is given once
                self._run(TASKS, owner, mode, first, min(first + size, count), steps, space)

        jobs = [self._pool().submit(work, space) for space in self._spaces]
        try:
            for job in jobs:
                job.result()
        finally:
            wait(jobs)  # an interrupted pass must not go on while the next one begins
        self._run(END, owner, mode, 0, 0, steps, self._spaces[0])
        return self.results[owner]

    def _pool(self) -> ThreadPoolExecutor:
        if not hasattr(self, "_threads"):
            self._threads = ThreadPoolExecutor(self.threads)
        return self._threads

    def _run(self, part: int, owner: int, mode: int, first: int, end: int, steps: Any, space: Any) -> None:
        fixed = self.sides, self.boards, self.top
        entries = self.entries, self.entry_rows
        compiled_run()(part, owner, mode, first, end, steps, *fixed, space, self.parts, self.results, *entries)

    def look(self, owner: int, tree: int, block: int, entries: Any) -> tuple[Any, Any]:
        """Return the values and the rows of a tree on one board, if it begins with these reaches of the other player.

        The values are those of the average strategies. On the river they are in the order of strength.
        """
        import numpy as np

        from pitboss.solver.loops.kernels import AVERAGE
        from pitboss.solver.loops.streets import LOOK

        steps, space = np.zeros((1, 3), np.float32), self._spaces[0]
        if tree == 0 and self.street != 2:
            self._pass(owner, AVERAGE, steps)
            return self.top[owner].values, self.top[owner].rows
        before, rows = self.entries, self.entry_rows
        try:
            self.entries = (entries, before[1]) if owner == 0 else (before[0], entries)
            self.entry_rows = np.arange(len(entries), dtype=np.int32)
            self._run(LOOK, owner, AVERAGE, tree, block, steps, space)
        finally:
            self.entries, self.entry_rows = before, rows
        own = space[owner]
        if self.forests[tree].street == "river":
            return own.river_values, own.river_rows
        return own.values, own.rows

    def values_by_hand(self, owner: int, mode: int) -> Any:
        """Return the value of each hand, times the chance to meet the other player's hands."""
        import numpy as np

        return self._pass(owner, mode, np.zeros((1, 3), np.float32)).copy()

    def _stored(self, player: int, tree: int, block: int, node: int) -> StoredNode:
        plan, store = self.plans[player], self.sides[player].store
        number = int(plan.heads[tree, NODES_FROM]) + node
        width = self.tables[player].order.shape[1] if self._is_river(tree) else len(self.hands[player].names)
        row = block * int(plan.heads[tree, OWN_ACTIONS]) + int(plan.first[number])
        start = int(store.starts[tree]) + row * width
        return StoredNode(int(store.rows_from[tree]) + row, start, width, int(plan.actions[number]))

    def _is_river(self, tree: int) -> bool:
        return self.forests[tree].street == "river"

    def _order(self, player: int, tree: int, block: int) -> Any:
        """Return the numbers of the hands in the order in which a tree keeps them on a board."""
        import numpy as np

        if not self._is_river(tree):
            return np.arange(len(self.hands[player].names))
        table = self.tables[player]
        return table.order[block, : int(table.count[block])]

    def average(self, player: int, tree: int, block: int, node: int) -> Any:
        """Return a node's average strategy on a board: a row per action, in the order of the range."""
        import numpy as np

        at = self._stored(player, tree, block, node)
        sums = self.sides[player].store.sums[at.start : at.start + at.actions * at.width]
        rows = np.stack([self.natural(player, tree, block, row) for row in sums.reshape(at.actions, at.width)])
        total = rows.sum(axis=0)
        return np.where(total > 0, rows / np.where(total > 0, total, 1), 1 / at.actions)

    def natural(self, player: int, tree: int, block: int, row: Any) -> Any:
        """Return a row of a tree for the hands in the order of the range."""
        import numpy as np

        order = self._order(player, tree, block)
        found = np.zeros(len(self.hands[player].names))
        found[order] = row[: len(order)]
        return found

    def values(self, mode: int) -> list[float]:
        """Return the mean value for each player: of the average strategies, or of the best responses to them."""
        import numpy as np

        steps = np.zeros((1, 3), np.float32)
        found = []
        for owner in (0, 1):
            values = self._pass(owner, mode, steps).astype(float)
            found.append(float(values @ self.hands[owner].weights.astype(float)) / self.pairs)
        return found

    def exploitability(self) -> float:
        """Return the mean gain of the two best responses, as a share of the pot (or of all prizes)."""
        from pitboss.solver.loops.kernels import AVERAGE, BEST

        best = sum(self.values(BEST))
        if self.spot.icm is None and self.spot.rake is None:
            return best / 2 / self.spot.pot
        whole = self.spot.pot if self.spot.icm is None else sum(self.spot.icm.payouts)
        return (best - sum(self.values(AVERAGE))) / 2 / whole


@cache
def compiled_run() -> Function:
    """Return the compiled form of `streets.run`."""
    from pitboss.solver.loops import kernels, learning, streets, twins

    twins.compile_twins()
    sources: list[ModuleType] = [kernels, learning]
    return compile_function(streets.run, *sources, vectors=twins.FAST_MATH, purpose="the solver", seconds=25)


def meetings(hands: tuple[Hands, Hands], alike: list[Any], player: int, weights: Any) -> Any:
    """Return for each hand of a player the total weight of the other player's hands that it can meet."""
    import numpy as np

    own, other = hands[player], hands[1 - player]
    cards = np.bincount(other.high, weights, 52) + np.bincount(other.low, weights, 52)
    twin = np.where(alike[player] >= 0, weights[np.maximum(alike[player], 0)], 0.0)
    return np.maximum(weights.sum() - cards[own.high] - cards[own.low] + twin, 0.0)


def _starts(counts: list[int]) -> Any:
    import numpy as np

    return np.cumsum([0, *counts]).astype(np.int64)


def _forests(spot: Spot) -> list[Forest]:
    try:
        return build_forests(spot)
    except (TooManyNodes, RecursionError):
        raise SpotError(
            f"sizes: expected at most {MOST_NODES:,} decisions, got more: leave out some sizes, or set max_raises"
        ) from None


def free_memory() -> int:
    """Return the bytes of memory that are free, or a great number if the system does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 1 << 62
