"""Games between policies that think for different lengths, and what a policy does in a position; to be compiled."""

from typing import Any

from pitboss import chance
from pitboss.lab.base.notes import BUDGET
from pitboss.lab.engine import steps as engine
from pitboss.lab.policies.choose import choose

WINNERS, STACKS = range(2)
"""What is written of a game, by column; everybody's chips come last."""
GAME = 0


def climb(
    program: Any, kinds: Any, budgets: Any, seed: int, numbers: Any, positions: int, states: Any, work: Any, out: Any
) -> None:
    """Play the games of these numbers; or, given positions, decide in each of them once for each number.

    Seats have policies and budgets. Positions stand behind the first state, which is for playing.
    """
    g, rules, s, moves = program.games[0], program.rules, states[GAME], work.moves[0]
    for i in range(len(numbers)):
        stream = chance.fork(seed, numbers[i])
        if positions > 0:
            for k in range(positions):
                states[GAME] = states[1 + k]
                count = engine.legal(g, rules, s, moves)
                work.facts[BUDGET] = budgets[s.asked]
                move, stream = choose(kinds[s.asked], g, rules, s, moves, count, work, stream)
                out[i][k] = move
            continue
        s.chance, s.arranged = chance.fork(stream, stream), 0
        engine.set_out(g, s)
        engine.go_on(g, rules, s)
        while not s.over:
            count = engine.legal(g, rules, s, moves)
            work.facts[BUDGET] = budgets[s.asked]
            move, stream = choose(kinds[s.asked], g, rules, s, moves, count, work, stream)
            engine.do(g, rules, s, move)
            engine.go_on(g, rules, s)
        out[i][WINNERS] = s.winners
        for p in range(g.n):
            out[i][STACKS + p] = s.stacks[p]
