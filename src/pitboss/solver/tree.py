"""The betting of one street as a tree, and all trees of a spot as flat arrays, which are walked without recursion.

Cards are not in these trees. A forest has one root for each way in which the street before can end, so that all turn
bettings are followed by one river forest. For each player who is updated (the owner), the arrays say:

- which row of reaches an edge leads to. A row is new only after an action of the other player, because the owner's own
  actions do not change the other player's reach;
- which row of values an edge reads: a node's, a leaf's (the next street), or that of a fold or a showdown;
- the factor of that value, half the pot if the owner wins or loses it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pitboss.errors import PitbossError
from pitboss.solver.loops.columns import (
    ENTRIES,
    ENTRIES_FROM,
    FOLD_VALUES,
    GROUPS,
    HAS_FOLD,
    HAS_SHOW,
    HAS_TIES,
    HEAD_COLUMNS,
    LANES,
    LANES_FROM,
    LEAF_VALUES,
    LEAVES,
    LEAVES_FROM,
    NODES,
    NODES_FROM,
    OTHER_ACTIONS,
    OWN_ACTIONS,
    ROWS,
    SHOW_VALUES,
    VALUES,
)
from pitboss.solver.sizes import STREETS, BetSituation, amounts
from pitboss.solver.spot import Spot

NODE, LEAF, FOLD, SHOWDOWN = range(4)
MOST_NODES = 200_000
_INT32 = {"actions", "edges", "first", "row", "edge_row", "edge_value", "lanes", "leaf_row", "root_value"}


class End(NamedTuple):
    """Where an edge leads: a node, a leaf of the street, or the end of the hand."""

    kind: int
    number: int  #: of the node or leaf
    chips: tuple[int, int] = (0, 0)  #: what both players have added to the pot since the start of the spot


@dataclass
class Decision:
    """A decision: who acts, and where each action leads."""

    player: int
    chips: tuple[int, int]
    actions: list[str] = field(default_factory=list)
    ends: list[End] = field(default_factory=list)


class StreetStart(NamedTuple):
    """How a street begins: the chips that each player has added so far, and who raised last before (-1: no one)."""

    chips: int
    raiser: int = -1


class Forest:
    """The bettings of one street, with its nodes in preorder, one root per entry."""

    def __init__(self, spot: Spot, street: str, entries: Sequence[StreetStart], most_nodes: int = MOST_NODES) -> None:
        """Build the bettings that follow the entries."""
        self.street = street
        self.last = street == STREETS[-1]
        self.nodes: list[Decision] = []
        self.leaves: list[StreetStart] = []
        self._spot, self._most = spot, most_nodes
        self._left = len(STREETS) - STREETS.index(street)
        self.roots = [self._close(entry) if entry.chips >= spot.stack else self._open(entry) for entry in entries]

    def _open(self, entry: StreetStart) -> End:
        return self._node(0, entry, (0, 0), entry.raiser, 0)

    def _close(self, entry: StreetStart) -> End:
        """End the street: with a showdown on the river, else with a leaf."""
        if self.last:
            return End(SHOWDOWN, 0, (entry.chips, entry.chips))
        self.leaves.append(entry)
        return End(LEAF, len(self.leaves) - 1)

    def _node(self, player: int, entry: StreetStart, bets: tuple[int, int], raiser: int, raises: int) -> End:
        number = len(self.nodes)
        if number >= self._most:
            raise TooManyNodes
        chips = (entry.chips + bets[0], entry.chips + bets[1])
        node = Decision(player, chips)
        self.nodes.append(node)
        own, other = bets[player], bets[1 - player]

        def add(action: str, end: End) -> None:
            node.actions.append(action)
            node.ends.append(end)

        if other > own:
            add("fold", End(FOLD, 0, chips))
            add("call", self._close(StreetStart(entry.chips + other, raiser)))
        elif player == 0:
            add("check", self._node(1, entry, bets, raiser, raises))
        else:
            # No player has bet on this street, so on the next one no player leads into a raiser.
            add("check", self._close(StreetStart(entry.chips, -1)))
        spot = self._spot
        at = BetSituation(spot.pot + 2 * entry.chips, spot.stack - entry.chips, own, other, self._left, raises)
        for to in amounts(self._menu(player, entry, bets), at, spot.setting[0], spot.menus):
            after = (to, bets[1]) if player == 0 else (bets[0], to)
            verb = "raise" if other else "bet"
            add(f"{verb} {to}", self._node(1 - player, entry, after, player, raises + bool(other)))
        return End(NODE, number)

    def _menu(self, player: int, entry: StreetStart, bets: tuple[int, int]) -> Any:
        menus = self._spot.menus
        if player == 0 and entry.raiser == 1 and bets == (0, 0) and self.street in menus.donk:
            return menus.donk[self.street]
        return menus.by_street[self.street][player]


class TooManyNodes(PitbossError):
    """The bet sizes make more nodes than any memory holds."""


def build_forests(spot: Spot) -> list[Forest]:
    """Return the trees of a spot.

    A river spot has one. A turn spot has two: the turn and the river. A flop spot has the flop, and a turn and a river
    for each of its leaves.
    """
    left = MOST_NODES
    forests: list[Forest] = []

    def add(street: str, entries: Sequence[StreetStart]) -> Forest:
        nonlocal left
        forests.append(Forest(spot, street, entries, left))
        left -= len(forests[-1].nodes)
        return forests[-1]

    first = add(spot.streets[0], [StreetStart(0)])
    if first.street == "turn":
        add("river", first.leaves)
    elif first.street == "flop":
        for leaf in first.leaves:
            turn = add("turn", [leaf])
            add("river", turn.leaves)
    return forests


Payoff = Callable[[int, tuple[int, int], str], float]
"""What a player gets at the end of a hand: the player, the chips that both added, and `win`, `lose` or `tie`."""


class Plan(NamedTuple):
    """All trees of a spot for one owner, as arrays."""

    heads: Any
    theirs: Any  #: whether the other player acts at a node
    actions: Any  #: the number of actions of a node
    edges: Any  #: the first edge of a node
    first: Any  #: the number of the node's first action among the actions of its player in this tree
    row: Any  #: the row of reaches of a node
    edge_row: Any
    edge_value: Any
    edge_factor: Any
    lanes: Any  #: rows of reaches at ends of the hand, in groups of eight
    flags: Any
    lane_all: Any  #: what an end adds for each hand that is met, as a share of its factor
    lane_tie: Any  #: the same for each tie
    leaf_row: Any
    root_value: Any
    root_factor: Any


def make_plan(forests: Sequence[Forest], owner: int, payoff: Payoff) -> Plan:
    """Return the arrays of all trees for one owner."""
    import numpy as np

    found: dict[str, list[Any]] = {name: [] for name in Plan._fields}
    for forest in forests:
        _add_tree(found, forest, owner, payoff)
    kinds = {"heads": np.int64, "flags": np.uint8, "theirs": np.uint8, **dict.fromkeys(_INT32, np.int32)}
    arrays = {name: np.array(values, kinds.get(name, np.float32)) for name, values in found.items()}
    arrays["heads"] = arrays["heads"].reshape(-1, HEAD_COLUMNS)
    return Plan(**arrays)


class _Ends:
    """The ends of the hand in one tree, by the row of reaches that they read."""

    def __init__(self, owner: int, payoff: Payoff) -> None:
        self.folds: dict[int, float] = {}
        self.shows: dict[int, tuple[float, float, float]] = {}
        self._owner, self._payoff = owner, payoff

    def add(self, end: End, row: int, folder: int) -> float:
        """Note an end and return the factor of its value."""
        pay = self._payoff
        if end.kind == FOLD:
            self.folds[row] = 1.0
            return pay(self._owner, end.chips, "lose" if folder == self._owner else "win")
        win, lose, tie = [pay(self._owner, end.chips, result) for result in ("win", "lose", "tie")]
        half = (win - lose) / 2
        middle = (win + lose) / 2
        scale = half or 1.0
        self.shows[row] = (half, middle / scale, (tie - middle) / scale)
        return half


def _add_tree(found: dict[str, list[Any]], forest: Forest, owner: int, payoff: Payoff) -> None:
    entries, leaves, nodes = len(forest.roots), len(forest.leaves), forest.nodes
    edges_from, ends = len(found["edge_row"]), _Ends(owner, payoff)
    row_of: dict[int, int] = {}
    leaf_row = [0] * leaves
    targets: list[tuple[End, int, float]] = []  # of every edge: its end, its row and the factor of its value
    next_row = entries

    def reach(end: End, row: int, folder: int) -> tuple[End, int, float]:
        if end.kind == NODE:
            row_of[end.number] = row
        elif end.kind == LEAF:
            leaf_row[end.number] = row
        return end, row, ends.add(end, row, folder) if end.kind in (FOLD, SHOWDOWN) else 1.0

    roots = [reach(end, row, -1) for row, end in enumerate(forest.roots)]
    own_actions = [0, 0]
    for number, node in enumerate(nodes):
        found["theirs"].append(node.player != owner)
        found["actions"].append(len(node.ends))
        found["edges"].append(edges_from + len(targets))
        found["first"].append(own_actions[node.player])
        found["row"].append(row_of[number])
        own_actions[node.player] += len(node.ends)
        for end in node.ends:
            row = row_of[number]
            if node.player != owner:
                row, next_row = next_row, next_row + 1
            targets.append(reach(end, row, node.player))
    lanes, flags = _lanes(ends)
    groups = len(lanes) // LANES
    place = {row: lane for lane, row in reversed(list(enumerate(lanes)))}
    leaf_values, show_values = len(nodes), len(nodes) + leaves
    fold_values = show_values + groups * LANES

    def value_row(end: End, row: int) -> int:
        starts = {NODE: end.number, LEAF: leaf_values + end.number}
        return starts.get(end.kind, (fold_values if end.kind == FOLD else show_values) + place.get(row, 0))

    heads = [0] * HEAD_COLUMNS
    heads[NODES_FROM], heads[NODES] = len(found["row"]) - len(nodes), len(nodes)
    heads[ENTRIES], heads[ENTRIES_FROM] = entries, len(found["root_value"])
    heads[LEAVES], heads[LEAVES_FROM] = leaves, len(found["leaf_row"])
    heads[LANES_FROM], heads[GROUPS] = len(found["lanes"]), groups
    heads[LEAF_VALUES], heads[SHOW_VALUES], heads[FOLD_VALUES] = leaf_values, show_values, fold_values
    heads[ROWS], heads[VALUES] = next_row, fold_values + groups * LANES
    heads[OWN_ACTIONS], heads[OTHER_ACTIONS] = own_actions[owner], own_actions[1 - owner]
    found["heads"] += heads
    for end, row, factor in targets:
        found["edge_row"].append(row)
        found["edge_value"].append(value_row(end, row))
        found["edge_factor"].append(factor)
    found["lanes"] += lanes
    found["flags"] += flags
    extra = [ends.shows.get(row, (0.0, 0.0, 0.0)) for row in lanes]
    found["lane_all"] += [each for _, each, _ in extra]
    found["lane_tie"] += [tie for _, _, tie in extra]
    found["leaf_row"] += leaf_row
    found["root_value"] += [value_row(end, row) for end, row, _ in roots]
    found["root_factor"] += [factor for _, _, factor in roots]


def _lanes(ends: _Ends) -> tuple[list[int], list[int]]:
    """Return the rows at the ends of the hand in groups of eight, and a flag for each that says what its group needs.

    Rows with folds only come first, then rows with both, then showdowns, so that few groups need both.
    """
    rows = sorted(ends.folds.keys() - ends.shows.keys())
    rows += sorted(ends.folds.keys() & ends.shows.keys())
    rows += sorted(ends.shows.keys() - ends.folds.keys())
    rows += rows[-1:] * (-len(rows) % LANES)
    flags: list[int] = []
    for at in range(0, len(rows), LANES):
        group = rows[at : at + LANES]
        flag = HAS_FOLD * any(row in ends.folds for row in group) | HAS_SHOW * any(row in ends.shows for row in group)
        flag |= HAS_TIES * any(ends.shows.get(row, (0.0, 0.0, 0.0))[1:] != (0.0, 0.0) for row in group)
        flags += [flag] * LANES
    return rows, flags
