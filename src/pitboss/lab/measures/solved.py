"""Solves small games: how much each policy loses to the best response, and how often the equilibrium bluffs.

A game with up to about 1,000 information sets is solved directly. For a larger game a miniature is solved if it is
small enough: the same steps and endings for two players and one deal, with fewer ranks, suits and cards.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting import core
from pitboss.lab.genome import Deck, Genome, problems
from pitboss.lab.measures.ladder import PLAYERS, Ladder
from pitboss.lab.phases.betting import VERBS
from pitboss.lab.policies.games import NAMES
from pitboss.lab.solver.solver import MOST_PLAIN_STEPS, TreeSolver, reach
from pitboss.lab.solver.tree import MOST_STATES, Progress, SolverError, Tree, build

ITERATIONS, TIMES, QUESTIONS = 300, 40, 12_000
"""Rounds of CFR+; how often a policy decides in each information set, and about how often in all sets together."""
MOST_NODES = 30_000
SIZES = ((6, 2, 3), (5, 2, 2), (4, 2, 2), (6, 1, 2), (4, 1, 2), (6, 2, 1), (5, 1, 1), (3, 2, 1), (3, 1, 1))
"""Ranks, suits and cards per player of the miniatures, the largest first."""
RAISING = (core.BET, core.RAISE, core.ALL_IN)


class Solved(Struct, frozen=True, kw_only=True):
    """The solution of a game, or of a miniature of it."""

    miniature: str  #: the size of the miniature; empty if the game itself was solved
    unit: str  #: of values: "chips" or "wins"
    value: float  #: the first seat's mean result
    bluffing: float  #: the share of bets at equilibrium that would lose on average if called
    information_sets: int
    exploitability: dict[str, float]  #: by player and "equilibrium": the mean win of both best responses


def solve_small(
    genome: Genome,
    *,
    players: Sequence[str] = tuple(PLAYERS),
    seed: int = 0,
    compiled: bool = True,
    progress: Progress | None = None,
) -> Solved | None:
    """Solve a game, or its largest miniature that is small enough, and evaluate the players; None if there is none."""
    for small, changed in candidates(genome):
        try:
            tree = build(small, most=MOST_NODES, sets=MOST_STATES, progress=progress)
        except SolverError:
            continue
        if tree.information_sets:
            return _solved(tree, changed, players, Ladder(small, seed, compiled=compiled), progress)
    return None


def candidates(genome: Genome) -> Iterator[tuple[Genome, str]]:
    """The game itself, then miniatures, the largest first, each with a description of its size."""
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


def _solved(tree: Tree, changed: str, players: Sequence[str], climbing: Ladder, progress: Progress | None) -> Solved:
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
    """The mean win of the best responses to both seats."""
    return sum([solver.best_response(strategy, seat) for seat in (0, 1)]) / 2


def _even(tree: Tree) -> list[float]:
    """The strategy that makes every move of the engine equally often."""
    t, shares = tree.nodes, list[float]()
    for first, count in zip(t.first, t.count, strict=True):
        copies = t.copies[first : first + count]
        shares += [copy / sum(copies) for copy in copies]
    return shares


def _habits(tree: Tree, moves: Any) -> list[float]:
    """How often each move of each information set was made."""
    shares, sight = list[float](), tree.unfolding.sight
    for number, labels in enumerate(tree.labels):
        made = [next(iter(sight.choices([int(move)]))) for move in moves[:, number]]
        shares += [made.count(label) / len(made) for label in labels]
    return shares


def _bluffing(solver: TreeSolver, strategy: Any) -> float:
    """The share of bets and raises that would lose on average if both players only checked and called afterwards."""
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
