"""The policies of the lab, written to be compiled: each chooses among the legal moves from what its seat may know."""

from typing import Any

from pitboss import chance
from pitboss.lab.policies import greedy, search

NAMES = ("random", "greedy", "search")
RANDOM, GREEDY, SEARCH = range(len(NAMES))


def choose(kind: int, g: Any, rules: Any, s: Any, moves: Any, count: int, work: Any, stream: int) -> tuple[int, int]:
    """The move of whoever is asked, and the policies' own stream of chance as it left it."""
    if kind == GREEDY:
        return greedy.choose(g, rules, s, moves, count, work, stream)
    if kind == SEARCH:
        return search.choose(g, rules, s, moves, count, work, stream)
    stream, k = chance.draw(stream, count)
    return moves[k], stream
