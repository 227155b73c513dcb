"""Who plays where games are measured, written to be compiled: nobody here looks at a card that it cannot see.

Random players fold good hands and so flatter every bet. So there are two more: a calm one, who checks or calls and else
moves at random; and a mixed one, who mostly plays greedily and sometimes at random, so that games between its kind
differ and bluffs occur.
"""

from typing import Any

from pitboss import chance
from pitboss.betting import core
from pitboss.lab.engine import steps as engine
from pitboss.lab.phases import kinds as phases
from pitboss.lab.phases.betting import VERBS, BettingPhase
from pitboss.lab.policies import greedy

RANDOM, GREEDY, CALM, MIXED = range(4)
BETS = phases.number(BettingPhase)
WHIMS = 150  # of a thousand moves of the mixed player: at random
STAYING = 750  # of a thousand bets where a game is played on to see what comes of it: check or call
SURE = 1000
LONGEST = 300  # moves until a deal that is played on is decided as it stands
FAR = 200  # a lead beyond which it makes no difference
NONE = -1


def pick(kind: int, g: Any, rules: Any, s: Any, moves: Any, count: int, work: Any, stream: int) -> tuple[int, int]:
    """The move of whoever is asked, and the stream as it is then."""
    if count == 1:
        return moves[0], stream
    if kind == MIXED:
        stream, drawn = chance.draw(stream, SURE)
        kind = RANDOM if drawn < WHIMS else GREEDY
    if kind == GREEDY:
        return greedy.choose(g, rules, s, moves, count, work, stream)
    if kind == CALM and g.kind[s.phase] == BETS:
        return moves[staying(moves, count)], stream
    stream, drawn = chance.draw(stream, count)
    return moves[int(drawn)], stream


def staying(moves: Any, count: int) -> int:
    """Where the move is listed that stays in for the least: check, call, or all-in where that is not enough."""
    for k in range(count):
        if moves[k] == VERBS + core.CHECK or moves[k] == VERBS + core.CALL:
            return k
    return count - 1


def play_out(g: Any, rules: Any, t: Any, moves: Any, calm: int, stream: int) -> tuple[int, int]:
    """Play a deal to its end, mostly staying in, else at random: the stream, and how many moves it took."""
    deal, steps = t.deal, 0
    while not t.over and t.deal == deal:
        count = engine.legal(g, rules, t, moves)
        steps += 1
        if steps > LONGEST:
            t.turns = g.limit
        at = 0
        if count > 1:
            stream, drawn = chance.draw(stream, SURE)
            if g.kind[t.phase] == BETS and drawn < calm:
                at = staying(moves, count)
            else:
                stream, drawn = chance.draw(stream, count)
                at = int(drawn)
        engine.do(g, rules, t, moves[at])
        engine.go_on(g, rules, t)
    return stream, steps


def gain(g: Any, s: Any, t: Any, p: int) -> int:
    """What p got between two moments of a deal, the later one its end: chips, or how far it is ahead."""
    if g.chips > 0:
        got = t.stacks[p] - s.stacks[p]
        if not t.over:
            got += t.paid[p] + t.bets[p]  # the next deal's ante
        return int(got)
    best, first = 0, True
    for q in range(g.n):
        if q != p and (first or t.strengths[q] > best):
            best, first = t.strengths[q], False
    return int(max(-FAR, min(FAR, t.strengths[p] - best)))


def winners(g: Any, s: Any, t: Any) -> int:
    """Who won the deal that has ended between two moments: a bit a player."""
    bits = 0
    for q in range(g.n):
        if t.deals_won[q] > s.deals_won[q]:
            bits |= 1 << q
    return bits
