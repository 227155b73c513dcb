"""The greedy policy, written to be compiled: rates every move as its kind of phase does, and makes the best.

It looks one move ahead and at nothing that its seat cannot see (`knowledge.py`).
"""

from typing import Any

from pitboss import chance
from pitboss.lab.base.notes import DRAWN_HOLDINGS, HOLDINGS, STRENGTH, UNSEEN_CARDS, WHIM
from pitboss.lab.phases import kinds as phases
from pitboss.lab.policies import knowledge


def choose(g: Any, rules: Any, s: Any, moves: Any, count: int, work: Any, stream: int) -> tuple[int, int]:
    """The move, and the stream as it is then."""
    if count == 1:
        return moves[0], stream
    thought, whim = g.thought[s.phase], phases.whim(g, s)
    work.facts[WHIM] = 0
    if whim > 0:
        stream, drawn = chance.draw(stream, whim)
        work.facts[WHIM] = drawn == 0
    if thought >= UNSEEN_CARDS:
        knowledge.look(g, s, s.asked, work)
    if thought >= DRAWN_HOLDINGS:
        stream = knowledge.draw_holdings(s, s.asked, phases.coming(g, s), work, stream)
    if thought >= STRENGTH:
        work.strength[0] = knowledge.strength(g, s, s.asked, work)
    return moves[best(g, rules, s, moves, count, work.facts[HOLDINGS], work)], stream


def best(g: Any, rules: Any, s: Any, moves: Any, count: int, rows: int, work: Any) -> int:
    """Where the best move is listed, the first of equals; so many drawn holdings say what may come."""
    highest, at = 0, 0
    for k in range(count):
        value = phases.rate(g, rules, s, moves[k], rows, work)
        if k == 0 or value > highest:
            highest, at = value, k
    return at
