"""The policies by name, and the loop that plays whole games between them. The functions can be compiled."""

from typing import Any

from pitboss import chance
from pitboss.lab.codes import COUNTED, COUNTING
from pitboss.lab.engine import steps as engine
from pitboss.lab.policies.choice import choose_by_search, choose_greedily

NAMES = ("random", "greedy", "search")
RANDOM, GREEDY, SEARCH = range(len(NAMES))

WINNERS, TURNS, STOPPED, DECISIONS, CHOICES, ILLEGAL, BETTING = range(7)
STACKS = BETTING + COUNTED
"""The columns of a game's row. The betting counts follow them, and then each player's chips."""


def play_games(program: Any, kinds: Any, seed: int, numbers: Any, work: Any, out: Any) -> None:
    """Play the games with these numbers, and write one row for each."""
    g, rules, s, moves = program.games[0], program.rules, work.states[0], work.moves[0]
    for i in range(len(numbers)):
        stream = chance.fork(seed, numbers[i])  # the random numbers of the players; the cards have their own
        s.chance, s.arranged = chance.fork(stream, stream), 0
        illegal = 0
        for k in range(COUNTED):
            s.counts[k] = 0
        s.counts[COUNTING] = g.chips > 0
        engine.set_out(g, s)
        while True:  # `start` and `apply` would compile `go_on` twice
            engine.go_on(g, rules, s)
            if s.over:
                break
            count = engine.legal(g, rules, s, moves)
            s.decisions += 1
            s.choices += count
            move, stream = decide(kinds[s.to_act], g, rules, s, moves, count, work, stream)
            if not listed(moves, count, move):
                illegal += 1
                move = moves[0]
            engine.do(g, rules, s, move)
        out[i][WINNERS], out[i][TURNS], out[i][STOPPED] = s.winners, s.turns, s.stopped
        out[i][DECISIONS], out[i][CHOICES], out[i][ILLEGAL] = s.decisions, s.choices, illegal
        for k in range(COUNTED):
            out[i][BETTING + k] = s.counts[k]
        for p in range(g.n):
            out[i][STACKS + p] = s.stacks[p]


def listed(moves: Any, count: int, move: int) -> bool:
    """Return whether a move is legal."""
    for k in range(count):
        if moves[k] == move:
            return True
    return False


def decide(kind: int, g: Any, rules: Any, s: Any, moves: Any, count: int, work: Any, stream: int) -> tuple[int, int]:
    """Return the move of the player to act, and the new random state."""
    if kind == GREEDY:
        return choose_greedily(g, rules, s, moves, count, work, stream)
    if kind == SEARCH:
        return choose_by_search(g, rules, s, moves, count, work, stream)
    stream, k = chance.draw(stream, count)
    return moves[k], stream
