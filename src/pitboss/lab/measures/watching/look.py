"""What else could have happened at a moment of a game, tried out, written to be compiled.

Who leads is found as for somebody who sees all hands but not the deck; how tense it is and what the moves are worth, as
for the seat that is asked: all it cannot see is dealt anew. Whether a bet is on an open question, as for a spectator.
"""

from typing import Any

from pitboss import chance
from pitboss.lab.base import piles
from pitboss.lab.base.codes import NOBODY
from pitboss.lab.engine import steps as engine
from pitboss.lab.measures.watching.players import BETS, NONE, STAYING, SURE, gain, play_out, winners
from pitboss.lab.policies import knowledge

RACES = 8  # ways to go on by which who leads and how open it is is judged
DEALINGS = 8  # hidden cards are dealt anew so often to compare moves; half of them choose, half of them judge
MOST_TRIED = 6  # moves that are compared
TRIAL, BASE = 1, 2
BUDGET = 0

# Of a moment, by column.
HERE, TENSE, PHASE, COUNT, WORTH, BEST, OTHERS, KNOWN, LEAD = range(9)
"""Whether it was looked at, tension, phase, moves, best less worst as a share, the best, whether others are touched,
whether a bet's winner was open to all (NONE: no bet), and then everybody's prospects."""


def state_of_play(
    g: Any, rules: Any, s: Any, point: int, meter: Any, states: Any, work: Any, seen: Any, stream: int
) -> int:
    """Write who leads and how tense it is."""
    p, at = s.asked, seen[point]
    at[HERE], at[PHASE], at[KNOWN], at[COUNT] = 1, s.phase, NONE, 1
    for q in range(g.n):
        at[LEAD + q] = 0
    for _ in range(RACES):
        states[TRIAL] = s
        t = states[TRIAL]
        stream = piles.mixed(stream, t.deck, t.drawn, t.undrawn)
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
    # The sample's own variance is short by one part in as many as there are races.
    at[TENSE] = min(1.0, won * (1.0 - won) * RACES / (RACES - 1) / (fair * (1.0 - fair)))
    if g.kind[s.phase] == BETS:
        stream = public(g, rules, s, at, meter, states, work, stream)
    return stream


def share(g: Any, s: Any, t: Any, p: int) -> float:
    """p's part of the deal that has ended."""
    bits, count = winners(g, s, t), 0
    for q in range(g.n):
        count += (bits >> q) & 1
    return 1.0 / count if count > 0 and (bits >> p) & 1 else 0.0


def prospect(g: Any, s: Any, t: Any, p: int) -> float:
    """p's part of the chips after the deal or, in a game without them, of the deal."""
    if g.chips > 0:
        return float((s.stacks[p] + gain(g, s, t, p)) / (g.n * g.chips))
    return share(g, s, t, p)


def public(g: Any, rules: Any, s: Any, at: Any, meter: Any, states: Any, work: Any, stream: int) -> int:
    """Write whether everybody knows who will win if all stay in."""
    knowledge.look(g, s, NOBODY, work)
    first, same = NONE, 1
    for _ in range(RACES):
        states[TRIAL] = s
        t = states[TRIAL]
        stream = knowledge.redeal(g, t, work, stream)
        stream, steps = play_out(g, rules, t, work.moves[1], SURE, stream)
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
    """Write what the best move is worth against the worst, and whether the choice touches what others can do."""
    p, at, tried = s.asked, seen[point], min(count, MOST_TRIED)
    knowledge.look(g, s, p, work)
    own, totals = work.moves[0], work.promises  # a row of whole numbers that redeals do not touch
    for k in range(tried):  # some of them, drawn without favour
        stream, offset = chance.draw(stream, count - k)
        there = k + int(offset)
        own[k], own[there] = own[there], own[k]
        totals[k], totals[MOST_TRIED + k] = 0, 0
    low, high, touched, face = 0, 0, 0, 0
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
                now = faced(g, rules, t, p, s.deal, work)
                touched |= k > 0 and now != face
                face = now
            _, steps = play_out_from(g, rules, s, t, work, stream)
            meter[BUDGET] -= steps
            got = gain(g, s, t, p)
            totals[half + k] += got
            low = got if dealing + k == 0 else min(low, got)
            high = got if dealing + k == 0 else max(high, got)
        stream, _ = chance.draw(stream, SURE)
    at[COUNT], at[OTHERS] = count, touched
    at[WORTH], at[BEST] = difference(totals, tried, high - low, DEALINGS), own[best(totals, tried, 0, 1)]
    return stream


def play_out_from(g: Any, rules: Any, s: Any, t: Any, work: Any, stream: int) -> tuple[int, int]:
    """Play on, unless the deal has ended."""
    if t.over or t.deal != s.deal:
        return stream, 1
    return play_out(g, rules, t, work.moves[1], STAYING, stream)


def best(totals: Any, tried: int, half: int, sign: int) -> int:
    """Which move has the most in one half, or with another sign the least."""
    at = 0
    for k in range(tried):
        if sign * totals[half + k] > sign * totals[half + at]:
            at = k
    return at


def difference(totals: Any, tried: int, span: int, dealings: int) -> float:
    """Best less worst as a share of what could be won or lost; half of the dealings choose, the other half judges."""
    if span == 0:
        return 0.0
    total = 0
    for half in range(0, 2 * MOST_TRIED, MOST_TRIED):
        other = MOST_TRIED - half
        total += totals[other + best(totals, tried, half, 1)] - totals[other + best(totals, tried, half, -1)]
    return float(total / (dealings * span))


def faced(g: Any, rules: Any, t: Any, p: int, deal: int, work: Any) -> int:
    """A number for what somebody else than p faces now: whose turn it is, what they hold, can do and could take."""
    if t.over or t.deal != deal:
        return -2
    number = t.asked + 7 * t.price
    for q in range(g.n):
        if q != p:
            number = number * 64 + t.held[q]
    if t.asked == p:
        return int(number)
    count = engine.legal(g, rules, t, work.moves[1])
    for k in range(count):
        number = (number * 257 + work.moves[1][k]) % 1_000_003
    return int(number)
