"""How strong a holding is under a ranking of any game, and who gets what of the pot, written to be compiled.

A row is a player's cards, the hole cards first, then the board. A pot is counted in POT parts, so that halves for high
and low and what several winners share are whole numbers.
"""

from math import lcm
from typing import Any, NamedTuple

from pitboss.fast import ranking
from pitboss.fast.equity import rows

MOST_PLAYERS = 10
POT = 2 * lcm(*range(1, MOST_PLAYERS + 1))
NOTHING, ANY_FIVE, FROM_TWO, LOW, LOW_FROM_TWO, BADUGI = range(6)
"""What a judge looks at; the second judge of a game that does not split its pots looks at nothing."""
SHARE, SQUARE, WON, SHARED, FIRST, SECOND, WIDTH = range(7)
"""What is counted for a player: his parts of pots, their squares, whole pots, others, and the parts by judge."""


class Judge(NamedTuple):
    """A ranking, and the tables it is looked up in."""

    kind: int
    suited: int  #: 1 where five of a suit are worth at least what their ranks are
    keys: Any  #: these six as in `ranking.Ranks`
    bits: Any
    blocks: Any
    places: Any
    flushes: Any
    hands: Any
    low_ranks: Any  #: these two as in `rows.Lows`
    lows: Any
    badugis: Any  #: by card, a bit for its rank and one for its suit


def strength(judge: Any, hole: int, row: Any) -> int:
    """The strength of a row of so many hole cards and the board; 0 is none."""
    if judge.kind == ANY_FIVE:
        total, bits = ranking.START, 0
        for card in row:
            total += judge.keys[card]
            bits |= judge.bits[card]
        return int(ranking.strength(judge, total, bits))
    if judge.kind == FROM_TWO:
        return int(rows.best_from_two(judge, hole, row))
    if judge.kind == LOW:
        return int(rows.best_low(judge, 0, row))
    if judge.kind == LOW_FROM_TWO:
        return int(rows.best_low(judge, hole, row))
    if judge.kind == BADUGI:
        return int(rows.best_badugi(judge.badugis, row))
    return 0


def score(n: int, firsts: Any, seconds: Any, times: int, squared: int, counts: Any) -> None:
    """Count who wins which part of a pot that comes so many times; squares only where they are asked for."""
    best, winners = top(n, firsts)
    lowest, sharing = top(n, seconds)
    half = POT // 2 if lowest else POT
    for p in range(n):
        first = half // winners if firsts[p] == best else 0
        second = half // sharing if lowest and seconds[p] == lowest else 0
        share = first + second
        if share:
            at = WIDTH * p
            counts[at + SHARE] += share * times
            counts[at + SQUARE] += share * share * times * squared
            counts[at + FIRST] += first * times
            counts[at + SECOND] += second * times
            if share == POT:
                counts[at + WON] += times
            else:
                counts[at + SHARED] += times


def top(n: int, strengths: Any) -> tuple[int, int]:
    """The best strength, and how many have it."""
    best, count = strengths[0], 1
    for p in range(1, n):
        if strengths[p] > best:
            best, count = strengths[p], 1
        elif strengths[p] == best:
            count += 1
    return best, count
