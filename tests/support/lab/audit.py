"""Plays games of a genome at random and checks the laws at every decision; written to be compiled, and runs plainly.

At some decisions every legal move is tried on a copy, and the laws are checked after each.
"""

from typing import Any

from pitboss import chance
from pitboss.lab import codes
from pitboss.lab.codes import MOST_CARDS
from pitboss.lab.engine import steps

LAWS = (
    "all hold",
    "every card lies in exactly one place",
    "no chip appears or is lost",
    "nobody has less than nothing",
    "who is asked is in the deal and has a move",
    "no move is offered twice",
    "the turn limit is respected",
    "a game that is over has winners and an empty pot",
)
ALL_HOLD, CARDS, CHIPS, NEGATIVE, ASKED, TWICE, LIMIT, WINNERS = range(len(LAWS))
BROKEN, OVER, STOPPED, TURNS, DECISIONS, TRIED, BETS, SHORT, UNEQUAL, DEALS = range(10)
"""What is written of a game: which law is broken; then counts, bets of players who are short or unequal among them."""
COLUMNS = 10
EVERY = 16  # one decision in this many is tried out


def audit(program: Any, total: int, seed: int, numbers: Any, states: Any, rows: Any, out: Any) -> None:
    """Play the games of these numbers. `states` has two, `rows` two of numbers: moves, and places of cards."""
    g, rules, s, moves, places = program.games[0], program.rules, states[0], rows[0], rows[1]
    for i in range(len(numbers)):
        stream = chance.fork(seed, numbers[i])
        s.chance, s.arranged = chance.fork(stream, stream), 0
        steps.set_out(g, s)
        which, first, at, broken = 0, 0, 0, ALL_HOLD
        while True:
            steps.go_on(g, rules, states[which])
            if broken == ALL_HOLD:
                broken = law(g, states[which], total, places)
            if which == 0:
                if s.over or broken != ALL_HOLD:
                    break
                count = steps.legal(g, rules, s, moves)
                broken = fair(s, moves, count)
                if broken != ALL_HOLD:
                    break
                note(s, out[i])
                stream, k = chance.draw(stream, count * EVERY)
                first, at = k % count, k % count
                if k < count:  # all are tried, and then the first is done
                    first, at = 0, count - 1
            which = 1 if at > first else 0
            if which == 1:
                states[1] = states[0]
                out[i][TRIED] += 1
            steps.do(g, rules, states[which], moves[at])
            at -= 1
        out[i][BROKEN], out[i][OVER], out[i][STOPPED] = broken, s.over, s.stopped
        out[i][TURNS], out[i][DEALS] = s.turns, s.deal


def note(s: Any, row: Any) -> None:
    """Count a decision."""
    row[DECISIONS] += 1
    if s.turn >= 0:
        row[BETS] += 1
        row[SHORT] += s.stacks[s.turn] < s.step
        row[UNEQUAL] += unequal(s)


def law(g: Any, s: Any, total: int, places: Any) -> int:
    """The first law that is broken, or ALL_HOLD."""
    if s.turns > g.limit or s.deal > g.deals:
        return LIMIT
    chips = s.pot
    for p in range(g.n):
        chips += s.stacks[p] + s.bets[p]
        if s.stacks[p] < 0 or s.bets[p] < 0 or s.held[p] < 0 or s.won[p] < 0:
            return NEGATIVE
    if chips != total:
        return CHIPS
    if not sorted_out(g, s, places):
        return CARDS
    if s.over and (s.winners <= 0 or s.winners >> g.n or s.pot != 0):
        return WINNERS
    if not s.over and (s.to_act < 0 or s.to_act >= g.n or s.folded[s.to_act]):
        return ASKED
    return ALL_HOLD


def sorted_out(g: Any, s: Any, places: Any) -> bool:
    """Whether every card is in exactly one place."""
    for card in range(g.cards):
        places[card] = 0
    count = counted(s.deck, s.drawn, s.undrawn, places)
    count += counted(s.discards, 0, s.discarded, places) + counted(s.tableau, 0, s.tabled, places)
    count += counted(s.pile, 0, s.piled, places) + counted(s.trick, 0, s.tricked, places)
    count += counted(s.community, 0, s.shared, places)
    for p in range(g.n):
        count += counted(s.hands, p * MOST_CARDS, p * MOST_CARDS + s.held[p], places)
        count += counted(s.captured, p * MOST_CARDS, p * MOST_CARDS + s.won[p], places)
    for card in range(g.cards):
        if places[card] != 1:
            return False
    return bool(count == g.cards)


def counted(pile: Any, first: int, end: int, places: Any) -> int:
    """Count the cards of a pile at their places."""
    for k in range(first, end):
        places[pile[k]] += 1
    return end - first


def fair(s: Any, moves: Any, count: int) -> int:
    """Whether there is a move, and none twice."""
    if count < 1 or count > codes.MOST_MOVES:
        return ASKED
    for k in range(count):
        for other in range(k):
            if moves[k] == moves[other]:
                return TWICE
    return ALL_HOLD


def unequal(s: Any) -> bool:
    """Whether those in the deal began this round of bets with different stacks."""
    for p in range(s.n):
        for q in range(p):
            if not s.folded[p] and not s.folded[q] and s.stacks[p] + s.bets[p] != s.stacks[q] + s.bets[q]:
                return True
    return False
