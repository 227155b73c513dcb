"""Solves small games: the loss of each policy against the best response, and the share of bluffs at equilibrium.

A game with up to about 1,000 information sets is solved directly. For a larger game, its largest miniature that is
small enough is solved. A miniature has the same steps and endings, but two players, one deal, and fewer ranks, suits
and cards.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting import core
from pitboss.lab.genome import Deck, Genome, problems
from pitboss.lab.measures.ladder import PLAYERS, Ladder
from pitboss.lab.phases.betting import VERBS
from pitboss.lab.policies.choice import NAMES
from pitboss.lab.solver.solver import MOST_PLAIN_STEPS, TreeSolver, reach
from pitboss.lab.solver.tree import MOST_STATES, SolverError, StageProgress, Tree, build_tree

ITERATIONS, TIMES, QUESTIONS = 300, 40, 12_000
"""The rounds of CFR+, the maximum number of decisions of a policy in an information set, and about that in all sets."""
MOST_NODES = 30_000
SIZES = ((6, 2, 3), (5, 2, 2), (4, 2, 2), (6, 1, 2), (4, 1, 2), (6, 2, 1), (5, 1, 1), (3, 2, 1), (3, 1, 1))
"""The numbers of ranks, suits and cards per player of the miniatures. The largest miniature is first."""
RAISING = (core.BET, core.RAISE, core.ALL_IN)


class Solved(Struct, frozen=True, kw_only=True):
    """The solution of a game, or of a miniature of the game."""

    miniature: str  #: the size of the miniature; empty if the game itself was solved
    unit: str  #: the unit of the values: "chips" or "wins"
    value: float  #: the mean result of the first seat
    bluffing: float  #: the share of bets at equilibrium that would lose on average if called
    information_sets: int
    exploitability: dict[str, float]  #: by player and for "equilibrium": mean result of both best responses


def solve_small(
    genome: Genome,
    *,
    players: Sequence[str] = tuple(PLAYERS),
    seed: int = 0,
    compiled: bool = True,
    progress: StageProgress | None = None,
) -> Solved | None:
    """Solve a game or its largest miniature that can be solved, and evaluate the players; None if neither can be."""
    for small, changed in solvable_versions(genome):
        try:
            tree = build_tree(small, most=MOST_NODES, sets=MOST_STATES, progress=progress)
        except SolverError:
            continue
        if tree.information_sets:
            return _solved(tree, changed, players, Ladder(small, seed, compiled=compiled), progress)
    return None


def solvable_versions(genome: Genome) -> Iterator[tuple[Genome, str]]:
    """Yield the game, then its miniatures with descriptions of their sizes. The largest miniature is first."""
    yield genome, ""
    setup, turns, seen = genome.setup, genome.turn_structure, {genome}
    for ranks, suits, cards in SIZES:
        deck = Deck(ranks=setup.deck.ranks[-ranks:], suits=setup.deck.suits[:suits])
        held = min(setup.cards_per_player, cards)
        small = replace(
            genome,
            player_count=2,
            setup=replace(setup, initial_deck=deck, cards_per_player=held, deals=1),
            turn_structure=replace(turns, rounds=min(turns.rounds, max(1, held))) if turns.rounds else turns,
        )
        if small not in seen and not any(True for _ in problems(small)):
            seen.add(small)
            each = "1 card" if held == 1 else f"{held} cards"
            size = f"{len(deck.ranks)} ranks in {len(deck.suits)} suits, {each} each, two players, one deal"
            yield small, size


def _solved(
    tree: Tree, changed: str, players: Sequence[str], climbing: Ladder, progress: StageProgress | None
) -> Solved:
    solver = TreeSolver(tree, compiled=len(tree) * ITERATIONS > MOST_PLAIN_STEPS)
    average = solver.average(ITERATIONS, progress)
    found, times = {"equilibrium": _exploited(solver, average)}, min(TIMES, QUESTIONS // tree.information_sets)
    for at, name in enumerate(players):
        policy, budget = PLAYERS[name]
        moves = climbing.decide(NAMES.index(policy), budget, tree.states, times)
        found[name] = _exploited(solver, solver.row(_habits(tree, moves) if policy != "random" else _even(tree)))
        if progress:
            progress("evaluating players", at + 1, len(players))
    return Solved(
        miniature=changed,
        unit="chips" if tree.unfolding.game.setup.starting_chips else "wins",
        value=solver.value(average),
        bluffing=_bluffing(solver, average),
        information_sets=tree.information_sets,
        exploitability=found,
    )


def _exploited(solver: TreeSolver, strategy: Any) -> float:
    """Return the mean result of the best responses to both seats."""
    return sum([solver.best_response(strategy, seat) for seat in (0, 1)]) / 2


def _even(tree: Tree) -> list[float]:
    """Return the strategy of the random policy. Moves that the solver counts as one have the sum of their shares."""
    t, shares = tree.nodes, list[float]()
    for first, count in zip(t.first, t.count, strict=True):
        copies = t.copies[first : first + count]
        shares += [copy / sum(copies) for copy in copies]
    return shares


def _habits(tree: Tree, moves: Any) -> list[float]:
    """Return the share of each move in each information set."""
    shares, sight = list[float](), tree.unfolding.sight
    for number, labels in enumerate(tree.labels):
        made = [next(iter(sight.choices([int(move)]))) for move in moves[:, number]]
        shares += [made.count(label) / len(made) for label in labels]
    return shares


def _bluffing(solver: TreeSolver, strategy: Any) -> float:
    """Return the share of bets and raises that would lose on average if both players only checked and called later."""
    tree, t = solver.tree, solver.tree.nodes
    staying = list[float]()
    for labels in tree.labels:
        stay = next((at for at, label in enumerate(labels) if label - VERBS in (core.CHECK, core.CALL)), None)
        staying += [float(at == stay) if stay is not None else 1 / len(labels) for at in range(len(labels))]
    value, bets, bluffs = solver.zeros(len(tree)), 0.0, 0.0
    solver.loops.evaluate(solver.nodes, solver.row(staying), value)
    for seat, sign in ((0, 1), (1, -1)):
        own, others = solver.zeros(len(tree)), solver.zeros(len(tree))
        reach(solver.nodes, seat, strategy, own, others)
        for node in range(1, len(tree)):
            up, edge = t.up[node], t.edge[node]
            if edge < 0 or t.seat[up] != seat:
                continue
            number = t.set[up]
            if tree.labels[number][edge - t.first[number]] - VERBS in RAISING:
                weight = float(own[node] * others[node])
                bets += weight
                bluffs += weight * (sign * value[node] < 0)
    return float(bluffs / bets) if bets else 0.0
