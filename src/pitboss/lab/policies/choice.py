"""The policies by name, and how they choose a move: at random, greedily or by search. Functions can be compiled."""

from math import sqrt
from typing import Any

from pitboss import chance
from pitboss.lab.codes import (
    BUDGET,
    CERTAIN,
    COUNTING,
    DRAWN_HOLDINGS,
    HOLDINGS,
    LABELS,
    MEASURED,
    MOST_MOVES,
    SHARED,
    STRENGTH,
    TRIAL,
    UNSEEN_CARDS,
    WHIM,
)
from pitboss.lab.engine import steps as engine
from pitboss.lab.phases import kinds as phases
from pitboss.lab.phases.betting import MEDIUM, STRONG
from pitboss.lab.policies import knowledge
from pitboss.lab.policies.knowledge import MOST_ITERATIONS, NOT_YET

NAMES = ("random", "greedy", "search")
RANDOM, GREEDY, SEARCH = range(len(NAMES))
LEVELS = 5  # number of levels of strength; each level has its own nodes
MOST_MOVES_TRIED = 60  # maximum number of moves in an iteration; the position after them decides the deal
EXPLORING = 0.3
TRIES = 20  # maximum number of redeals to find one that fits the bets of other players
HABITUAL = 900  # share, per mille, of greedy moves among those beyond the tree; the others are random
VISITS_BEFORE_ANOTHER = 8  # number of visits of each tried move before another move is tried
HOLDINGS_TRIED = 8  # number of sampled holdings that rate a move with cards in an iteration
# Probabilities, per mille: a bet without a strong hand, a call without a medium hand, a check with a strong hand.
BET_WITHOUT, CALL_WITHOUT, CHECK_WITH = 50, 100, 200
WIN = 60  # the value of winning a deal without chips; several winners share it
DEEPEST = MOST_MOVES
NONE = -1
# Other players do not see the searching player's cards, so only this share of their bets, per mille, is greedy.
GUESSED = 500
CLEAR_LEAD = 2.0  # the number of standard errors by which a move must be better than the greedy move


def decide(kind: int, g: Any, rules: Any, s: Any, moves: Any, count: int, work: Any, stream: int) -> tuple[int, int]:
    """Return the move of the player to act, and the new random state."""
    if kind == GREEDY:
        return choose_greedily(g, rules, s, moves, count, work, stream)
    if kind == SEARCH:
        return choose_by_search(g, rules, s, moves, count, work, stream)
    stream, k = chance.draw(stream, count)
    return moves[k], stream


def choose_greedily(g: Any, rules: Any, s: Any, moves: Any, count: int, work: Any, stream: int) -> tuple[int, int]:
    """Return the move with the best rating, and the new random state."""
    if count == 1:
        return moves[0], stream
    thought, whim = g.thought[s.phase], phases.whim(g, s)
    work.facts[WHIM] = 0
    if whim > 0:
        stream, drawn = chance.draw(stream, whim)
        work.facts[WHIM] = drawn == 0
    if thought >= UNSEEN_CARDS:
        knowledge.look(g, s, s.to_act, work)
    if thought >= DRAWN_HOLDINGS:
        stream = knowledge.draw_holdings(s, s.to_act, phases.coming(g, s), work, stream)
    if thought >= STRENGTH:
        work.strength[0] = knowledge.strength(g, s, s.to_act, work)
    return moves[best_move(g, rules, s, moves, count, work.facts[HOLDINGS], work)], stream


def best_move(g: Any, rules: Any, s: Any, moves: Any, count: int, rows: int, work: Any) -> int:
    """Return the index of the best move, or the first of several. The first `rows` samples replace unseen cards."""
    highest, at = 0, 0
    for k in range(count):
        value = phases.rate(g, rules, s, moves[k], rows, work)
        if k == 0 or value > highest:
            highest, at = value, k
    return at


def choose_by_search(g: Any, rules: Any, s: Any, moves: Any, count: int, work: Any, stream: int) -> tuple[int, int]:
    """Return the move that was tried most often, and the new random state."""
    if count == 1:
        return moves[0], stream
    p = s.to_act
    knowledge.look(g, s, p, work)
    stream = knowledge.draw_holdings(s, p, max(1, phases.coming(g, s)), work, stream)
    nodes, span = 1, 1
    work.child[0] = NONE
    work.facts[WHIM] = 0
    habit_at, usual = NONE, NONE
    if g.habitual[s.phase]:
        work.strength[0] = knowledge.strength(g, s, p, work)
        habit_at = best_move(g, rules, s, moves, count, work.facts[HOLDINGS], work)
        usual = NONE if g.by_strength[s.phase] else habit_at
    for _ in range(work.facts[BUDGET]):
        work.states[TRIAL] = s
        if work.facts[SHARED] != s.shared:
            work.facts[MEASURED] = NOT_YET
        t = work.states[TRIAL]
        t.counts[COUNTING] = 0
        for _ in range(TRIES):
            stream = knowledge.redeal(g, t, work, stream)
            stream, fine = fits_bets(g, t, p, work, stream)
            if fine:
                break
        stream, nodes, span = play_once(g, rules, s, work, usual, nodes, span, stream)
    favourite, at = NONE, 0
    for k in range(count):
        child = find_child(work, 0, moves[k])
        if child != NONE and (favourite == NONE or work.visits[child] > work.visits[favourite]):
            favourite, at = child, k
    if habit_at != NONE and not is_clearly_better(work, favourite, find_child(work, 0, moves[habit_at])):
        at = habit_at
    return moves[at], stream


def is_clearly_better(work: Any, child: int, other: int) -> bool:
    """Return whether chance cannot explain that a move gained more than the other one."""
    if child == NONE or other == NONE:
        return bool(other == NONE)
    ahead = work.total[child] / work.visits[child] - work.total[other] / work.visits[other]
    return bool(ahead > CLEAR_LEAD * sqrt(doubt(work, child) + doubt(work, other)))


def doubt(work: Any, node: int) -> float:
    """Return the squared standard error of the mean gain of a move."""
    visits = work.visits[node]
    mean = work.total[node] / visits
    return float(max(0.0, work.squares[node] / visits - mean * mean) / visits)


def fits_bets(g: Any, t: Any, p: int, work: Any, stream: int) -> tuple[int, bool]:
    """Return the random state, and whether the bets of the other players are likely with these cards."""
    for q in range(g.n):
        if q == p or t.folded[q] or (t.bets[q] == 0 and not t.acted[q]):
            continue
        strength = knowledge.strength(g, t, q, work)
        likely = CERTAIN
        if t.bets[q] > t.bets[p]:
            likely = CERTAIN if strength > STRONG else BET_WITHOUT
        elif t.bets[q] > 0:
            likely = CERTAIN if strength > MEDIUM else CALL_WITHOUT
        elif t.price == 0:
            likely = CHECK_WITH if strength > STRONG else CERTAIN
        stream, drawn = chance.draw(stream, CERTAIN)
        if drawn >= likely:
            return stream, False
    likely = phases.likely(g, t, p)
    if likely < CERTAIN:
        stream, drawn = chance.draw(stream, CERTAIN)
        return stream, drawn < likely
    return stream, True


def play_once(
    g: Any, rules: Any, s: Any, work: Any, first: int, nodes: int, span: int, stream: int
) -> tuple[int, int, int]:
    """Play the deal once. Return the random state, the number of nodes and the largest gain so far."""
    t, moves = work.states[TRIAL], work.moves[1]
    node, depth, steps = 0, 0, 0
    while not t.over and t.deal == s.deal:
        count = engine.legal(g, rules, t, moves)
        steps += 1
        if steps > MOST_MOVES_TRIED:
            t.turns = g.limit
        at = 0
        if count > 1:
            level, usual, others = 0, first, t.to_act != s.to_act
            if steps > 1:
                if others and phases.whim(g, t) > 0:
                    stream, drawn = chance.draw(stream, phases.whim(g, t))
                    work.facts[WHIM] = drawn == 0
                level, usual = habitual_move(g, rules, t, moves, count, work)
                work.facts[WHIM] = 0
            if others and g.by_strength[t.phase]:
                stream, drawn = chance.draw(stream, CERTAIN)
                others = drawn < GUESSED
            else:
                others = others and phases.guessed(g, t)
            if others:
                at = usual
            elif node != NONE and depth < DEEPEST:
                stream, at, node, fresh = select_move(
                    work, node, moves, count, LABELS * level, usual, nodes, span, stream
                )
                if node != NONE:
                    work.path[depth], work.movers[depth] = node, t.to_act
                    depth += 1
                if fresh:
                    nodes, node = nodes + 1, NONE
            else:
                stream, drawn = chance.draw(stream, CERTAIN)
                at = usual
                if at == NONE or drawn >= HABITUAL:
                    stream, drawn = chance.draw(stream, count)
                    at = int(drawn)
        engine.do(g, rules, t, moves[at])
        engine.go_on(g, rules, t)
    return stream, nodes, give_out(g, s, t, work, depth, span)


def habitual_move(g: Any, rules: Any, t: Any, moves: Any, count: int, work: Any) -> tuple[int, int]:
    """Return the level that separates nodes in this position, and the index of the greedy move."""
    level = phases.level(g, t)
    if g.by_strength[t.phase]:
        work.strength[0] = knowledge.strength(g, t, t.to_act, work)
        level = min(LEVELS - 1, int(work.strength[0] * LEVELS))
    if not g.habitual[t.phase]:
        return level, NONE
    return level, best_move(g, rules, t, moves, count, min(work.facts[HOLDINGS], HOLDINGS_TRIED), work)


# --- the tree


def find_child(work: Any, node: int, label: int) -> int:
    """Return the child node of this move, or NONE."""
    child = work.child[node]
    while child != NONE and work.label[child] != label:
        child = work.next[child]
    return child  # type: ignore[no-any-return]  # an array's number


def select_move(
    work: Any, node: int, moves: Any, count: int, level: int, usual: int, nodes: int, span: int, stream: int
) -> tuple[int, int, int, bool]:
    """Select an untried move, or the move with the highest bound.

    Return the random state, the move's index, its node, and whether the node is new.
    """
    untried, visited = 0, 0
    for k in range(count):
        child = find_child(work, node, level + moves[k])
        work.found[k] = child
        if child == NONE:
            untried += 1
        else:
            work.offers[child] += 1
            visited += work.visits[child]
    if untried > 0 and (usual == NONE or visited >= VISITS_BEFORE_ANOTHER * (count - untried)):
        stream, drawn = chance.draw(stream, untried)
        at, skip = 0, int(drawn)
        while work.found[at] != NONE or skip > 0:
            if work.found[at] == NONE:
                skip -= 1
            at += 1
        if usual != NONE and work.found[usual] == NONE:
            at = usual
        if nodes > MOST_ITERATIONS:
            return stream, at, NONE, False
        add_node(work, node, nodes, level + moves[at])
        return stream, at, nodes, True
    at, highest = NONE, 0.0
    for k in range(count):
        child = work.found[k]
        if child == NONE:
            continue
        visits = work.visits[child]
        exploring = EXPLORING * span * sqrt(work.logs[work.offers[child]] / visits)
        bound = work.total[child] / visits + exploring
        if at == NONE or bound > highest:
            at, highest = k, bound
    return stream, at, work.found[at], False


def add_node(work: Any, node: int, child: int, label: int) -> None:
    """Add a node below another node."""
    work.label[child], work.child[child], work.next[child] = label, NONE, work.child[node]
    work.visits[child], work.offers[child], work.total[child], work.squares[child] = 0, 1, 0, 0.0
    work.child[node] = child


def give_out(g: Any, s: Any, t: Any, work: Any, depth: int, span: int) -> int:
    """Add to every node of the path the gain of the player who moved there. Return the largest gain so far."""
    deals = 0
    for q in range(g.n):
        deals += t.deals_won[q] - s.deals_won[q]
    for k in range(depth):
        q, node = work.movers[k], work.path[k]
        if g.chips > 0:
            got = t.stacks[q] - s.stacks[q]
            if not t.over:
                got += t.paid[q] + t.bets[q]  # the ante of the next deal
        else:
            got = WIN * (t.deals_won[q] - s.deals_won[q]) // deals
        work.visits[node] += 1
        work.total[node] += got
        work.squares[node] += float(got) * float(got)
        span = max(span, abs(got))
    return span
