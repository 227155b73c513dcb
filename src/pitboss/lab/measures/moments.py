"""Evaluates a moment of a game: simple players continue the game from it many times. The functions can be compiled."""

from math import sqrt
from typing import Any

from pitboss import chance
from pitboss.betting import core
from pitboss.lab import piles
from pitboss.lab.codes import CERTAIN, MOST_PLAYERS, NO_PLAYER
from pitboss.lab.engine import steps as engine
from pitboss.lab.phases.betting import VERBS
from pitboss.lab.policies import choice, knowledge

RANDOM, GREEDY, CALM, MIXED = range(4)
WHIMS = 150  # number of random moves, per thousand, of the mixed player
STAYING = 750  # number of checks and calls, per thousand moves in betting, when a deal is continued
MOST_MOVES_ON = 300  # maximum number of moves in a continuation
LARGEST_LEAD = 200  # larger leads count as this lead
NONE = -1
RACES = 8  # number of continuations that estimate lead and tension
DEALINGS = 20  # number of deals of the hidden cards that compare moves: one half chooses moves, the other measures them
MOST_TRIED = 4  # maximum number of moves that are compared
MOST_WORTH = 2.0  # in units of luck, the worth of a certain gain
TRIAL, BASE = 1, 2
BUDGET, SHOWN = 0, 2  # in `meter`: number of moves that may still be spent; whether players can use face-up cards
HERE, TENSE, PHASE, COUNT, WORTH, OTHERS, KNOWN, ROUND, LEAD = range(9)
"""Columns of a moment:

- HERE: whether it was observed. TENSE: the tension. PHASE: the phase. COUNT: the number of moves.
- WORTH: the best move minus the worst move, in units of luck. OTHERS: whether the choice affects other players.
- KNOWN: whether all players knew the winner when a bet was made, or NONE if it is not a bet.
- ROUND: the round of the deal. LEAD: from here on, the prospects of each seat.
"""
TRIED = LEAD + MOST_PLAYERS  # number of compared moves; after it, for each move, its code and its gains in both halves
WIDTH = TRIED + 1 + 3 * MOST_TRIED


def pick(kind: int, g: Any, rules: Any, s: Any, moves: Any, count: int, work: Any, stream: int) -> tuple[int, int]:
    """Return the move of a player of this kind, and the new random state."""
    if count == 1:
        return moves[0], stream
    if kind == MIXED:
        stream, drawn = chance.draw(stream, CERTAIN)
        kind = RANDOM if drawn < WHIMS else GREEDY
    if kind == GREEDY:
        return choice.choose_greedily(g, rules, s, moves, count, work, stream)
    if kind == CALM and g.bets[s.phase]:
        return moves[find_stay(moves, count)], stream
    stream, drawn = chance.draw(stream, count)
    return moves[int(drawn)], stream


def find_stay(moves: Any, count: int) -> int:
    """Return the index of the cheapest move that stays in: check, call, or all-in if the stack is too small to call."""
    for k in range(count):
        if moves[k] == VERBS + core.CHECK or moves[k] == VERBS + core.CALL:
            return k
    return count - 1


def play_out(g: Any, rules: Any, t: Any, moves: Any, calm: int, stream: int) -> tuple[int, int]:
    """Play a deal to its end, with mostly checks and calls, and other moves at random.

    Return the random state and the number of moves.
    """
    deal, steps = t.deal, 0
    while not t.over and t.deal == deal:
        count = engine.legal(g, rules, t, moves)
        steps += 1
        if steps > MOST_MOVES_ON:
            t.turns = g.limit
        at = 0
        if count > 1:
            stream, drawn = chance.draw(stream, CERTAIN)
            if g.bets[t.phase] and drawn < calm:
                at = find_stay(moves, count)
            else:
                stream, drawn = chance.draw(stream, count)
                at = int(drawn)
        engine.do(g, rules, t, moves[at])
        engine.go_on(g, rules, t)
    return stream, steps


def gain(g: Any, s: Any, t: Any, p: int) -> int:
    """Return the gain of p from a moment of the deal to its end: chips or, in a game without chips, the lead."""
    if g.chips > 0:
        got = t.stacks[p] - s.stacks[p]
        if not t.over:
            got += t.paid[p] + t.bets[p]  # the next deal's ante
        return int(got)
    best, first = 0, True
    for q in range(g.n):
        if q != p and (first or t.strengths[q] > best):
            best, first = t.strengths[q], False
    return int(max(-LARGEST_LEAD, min(LARGEST_LEAD, t.strengths[p] - best)))


def winners(g: Any, s: Any, t: Any) -> int:
    """Return the winners of the deal that ended between two moments. Each player is one bit."""
    bits = 0
    for q in range(g.n):
        if t.deals_won[q] > s.deals_won[q]:
            bits |= 1 << q
    return bits


def state_of_play(
    g: Any, rules: Any, s: Any, point: int, meter: Any, states: Any, work: Any, seen: Any, stream: int
) -> int:
    """Write each seat's prospects and the tension of a moment."""
    p, at = s.to_act, seen[point]
    at[HERE], at[PHASE], at[KNOWN], at[COUNT], at[ROUND] = 1, s.phase, NONE, 1, s.round
    for q in range(g.n):
        at[LEAD + q] = 0
    for _ in range(RACES):
        states[TRIAL] = s
        t = states[TRIAL]
        stream = piles.shuffle_part(stream, t.deck, t.drawn, t.undrawn)
        t.chance = chance.fork(stream, stream)
        stream, steps = play_out(g, rules, t, work.moves[1], STAYING, stream)
        meter[BUDGET] -= steps
        for q in range(g.n):
            at[LEAD + q] += prospect(g, s, t, q) / RACES
    knowledge.look(g, s, p, work)
    won = 0.0
    for _ in range(RACES):
        states[TRIAL] = s
        t = states[TRIAL]
        stream = knowledge.redeal(g, t, work, stream)
        stream, steps = play_out(g, rules, t, work.moves[1], STAYING, stream)
        meter[BUDGET] -= steps
        won += share(g, s, t, p) / RACES
    fair = 1.0 / g.n
    # The variance of a sample is too small by the factor (RACES - 1) / RACES.
    at[TENSE] = min(1.0, won * (1.0 - won) * RACES / (RACES - 1) / (fair * (1.0 - fair)))
    if g.bets[s.phase]:
        stream = note_if_decided(g, rules, s, at, meter, states, work, stream)
    return stream


def share(g: Any, s: Any, t: Any, p: int) -> float:
    """Return p's share of the deal that has ended."""
    bits, count = winners(g, s, t), 0
    for q in range(g.n):
        count += (bits >> q) & 1
    return 1.0 / count if count > 0 and (bits >> p) & 1 else 0.0


def prospect(g: Any, s: Any, t: Any, p: int) -> float:
    """Return p's share of all chips after the deal or, in a game without chips, p's share of the deal."""
    if g.chips > 0:
        return float((s.stacks[p] + gain(g, s, t, p)) / (g.n * g.chips))
    return share(g, s, t, p)


def note_if_decided(g: Any, rules: Any, s: Any, at: Any, meter: Any, states: Any, work: Any, stream: int) -> int:
    """Write whether the face-up cards already decide who wins if all players stay in."""
    knowledge.look(g, s, NO_PLAYER, work)
    first, same = NONE, 1
    for _ in range(RACES):
        states[TRIAL] = s
        t = states[TRIAL]
        stream = knowledge.redeal(g, t, work, stream)
        stream, steps = play_out(g, rules, t, work.moves[1], CERTAIN, stream)
        meter[BUDGET] -= steps
        bits = winners(g, s, t)
        if first == NONE:
            first = bits
        elif bits != first:
            same = 0
            break
    at[KNOWN] = same
    return stream


def moves(
    g: Any, rules: Any, s: Any, count: int, point: int, meter: Any, states: Any, work: Any, seen: Any, stream: int
) -> int:
    """Write how much better the best move is than the worst, and whether the choice affects what others can do."""
    p, at, tried = s.to_act, seen[point], min(count, MOST_TRIED)
    knowledge.look(g, s, p, work)
    own, totals = work.moves[0], work.promises  # `redeal` does not use this array
    for k in range(tried):  # select some of the moves at random
        stream, offset = chance.draw(stream, count - k)
        there = k + int(offset)
        own[k], own[there] = own[there], own[k]
        totals[k], totals[MOST_TRIED + k] = 0, 0
    squares, touched, face = 0, 0, 0
    for dealing in range(DEALINGS):
        states[BASE] = s
        stream = knowledge.redeal(g, states[BASE], work, stream)
        half = MOST_TRIED if dealing >= DEALINGS // 2 else 0
        for k in range(tried):
            states[TRIAL] = states[BASE]
            t = states[TRIAL]
            engine.do(g, rules, t, own[k])
            engine.go_on(g, rules, t)
            if dealing == 0:
                now = hash_outlook(g, rules, t, p, s.deal, meter, work)
                touched |= k > 0 and now != face
                face = now
            steps = 1
            if not t.over and t.deal == s.deal:
                _, steps = play_out(g, rules, t, work.moves[1], STAYING, stream)
            meter[BUDGET] -= steps
            got = gain(g, s, t, p)
            totals[half + k] += got
            squares += got * got
        stream, _ = chance.draw(stream, CERTAIN)
    at[COUNT], at[OTHERS] = count, touched
    luck = measure_luck(totals, tried, squares)
    at[WORTH], at[TRIED] = difference(totals, tried, luck), tried
    for k in range(tried):
        at[TRIED + 3 * k + 1] = own[k]
        at[TRIED + 3 * k + 2] = in_luck(2 * totals[k] / DEALINGS, luck)
        at[TRIED + 3 * k + 3] = in_luck(2 * totals[MOST_TRIED + k] / DEALINGS, luck)
    return stream


def best(totals: Any, tried: int, half: int, sign: int) -> int:
    """Return the index of the move that gains most in one half, or least if the sign is -1."""
    at = 0
    for k in range(tried):
        if sign * totals[half + k] > sign * totals[half + at]:
            at = k
    return at


def measure_luck(totals: Any, tried: int, squares: int) -> float:
    """Return the standard deviation of the gains of one move, which measures luck."""
    total = float(squares)
    for k in range(tried):
        whole = totals[k] + totals[MOST_TRIED + k]
        total -= whole * whole / DEALINGS
    return sqrt(max(0.0, total) / (tried * (DEALINGS - 1)))


def difference(totals: Any, tried: int, luck: float) -> float:
    """Return the best move minus the worst, in units of luck. Half of the deals select, the others measure."""
    apart = 0
    for half in range(0, 2 * MOST_TRIED, MOST_TRIED):
        other = MOST_TRIED - half
        apart += totals[other + best(totals, tried, half, 1)] - totals[other + best(totals, tried, half, -1)]
    return in_luck(apart / DEALINGS, luck)


def in_luck(amount: float, luck: float) -> float:
    """Return an amount in units of luck, limited to `MOST_WORTH`."""
    if luck * MOST_WORTH <= abs(amount):
        return MOST_WORTH if amount > 0 else -MOST_WORTH if amount < 0 else 0.0
    return float(amount / luck)


def hash_outlook(g: Any, rules: Any, t: Any, p: int, deal: int, meter: Any, work: Any) -> int:
    """Return a hash of what the players other than p face: the player to act, hand sizes, moves, open cards."""
    if t.over or t.deal != deal:
        return -2
    price = t.price
    number = t.to_act + 7 * price
    for q in range(g.n):
        if q != p:
            number = number * 64 + t.held[q]
    if meter[SHOWN]:
        for k in range(t.tabled):
            number += 97 * t.tableau[k] * t.tableau[k]
        if t.discarded > 0:
            number += 10_007 * (1 + t.discards[t.discarded - 1])
    if t.to_act == p:
        return int(number)
    count = engine.legal(g, rules, t, work.moves[1])
    for k in range(count):
        number = (number * 257 + work.moves[1][k]) % 1_000_003
    return int(number)
