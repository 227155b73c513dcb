"""The greedy policy's rating of moves that change its own hand: drawing, playing and discarding."""

from typing import Any

from pitboss.lab import piles
from pitboss.lab.codes import MOST_CARDS, WIDTH
from pitboss.lab.wins import kinds as wins
from pitboss.lab.wins.promise import promise


def rate(g: Any, s: Any, after: Any, coming: int, extra: int, rows: int, work: Any) -> int:
    """The value of a move: the change in the value of the position of the player to act.

    `after` is the state after it. `coming` is the number of unseen cards it brings, tried with each sampled holding.
    `extra` is added to the value.
    """
    p = s.asked
    total = 0
    before = value(g, s, p, work)
    for row in range(rows):
        added = min(coming, work.facts[WIDTH])
        for k in range(added):
            piles.give(after, p, work.holdings[row * MOST_CARDS + k])
        gain = value(g, after, p, work) - before + extra
        if wins.limited(g, 0):
            gain = 1 if gain > 0 else -1 if gain < 0 else 0  # too many points lose, so only the direction counts
        total += gain
        after.held[p] -= added
        if coming == 0:
            return total * rows
    return total


def value(g: Any, s: Any, p: int, work: Any) -> int:
    """The value of p's position: what p has already, plus what p's cards promise."""
    return wins.standing(g, s, 0, p) + promise(g, s, p, work)  # type: ignore[no-any-return]  # two whole numbers
