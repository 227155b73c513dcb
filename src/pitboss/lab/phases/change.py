"""How good a move is that changes one's own cards: what the greedy policy makes of drawing, playing and discarding."""

from typing import Any

from pitboss.lab import piles
from pitboss.lab.codes import MOST_CARDS, WIDTH
from pitboss.lab.wins import kinds as wins
from pitboss.lab.wins.promise import promise


def rate(g: Any, s: Any, after: Any, coming: int, extra: int, rows: int, work: Any) -> int:
    """What a move makes of the position of whoever is asked, against leaving it as it is.

    `after` is the state after it, `coming` how many unseen cards come with it: it is added up over so many drawn
    holdings what they may be. `extra` is what the move is worth besides.
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
            gain = 1 if gain > 0 else -1 if gain < 0 else 0  # too many points are worth nothing: count the cards
        total += gain
        after.held[p] -= added
        if coming == 0:
            return total * rows
    return total


def value(g: Any, s: Any, p: int, work: Any) -> int:
    """What p has and what p's cards promise."""
    return wins.standing(g, s, 0, p) + promise(g, s, p, work)  # type: ignore[no-any-return]  # two whole numbers
