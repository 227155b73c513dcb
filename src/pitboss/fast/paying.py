"""Who gets the chips in the middle, side pots and odd chips among them, written to be compiled.

`s` is a round's numbers as `betting/core.py` reads them, all bets collected; `strengths` are everybody's, greater wins.
"""

from typing import Any

from pitboss.betting import core


def pay(s: Any, strengths: Any) -> None:
    """Pay the chips in the middle in layers of equal payment, each to the strongest of those who paid for it.

    Odd chips go one at a time clockwise from the button's left. What nobody left can claim joins the layer below.
    """
    counted, floor = s.pot, -1
    for p in range(s.n):
        counted -= s.paid[p]
    counted = -counted  # dead money belongs to the first layer
    while s.pot > 0:
        ceiling, last = next_ceiling(s, floor)
        if last:
            amount = s.pot
        else:
            below = 0
            for p in range(s.n):
                below += min(s.paid[p], ceiling)
            amount = below - counted
            counted = below
        best, winners = 0, 0
        for p in range(s.n):
            if not s.folded[p] and s.paid[p] >= ceiling:
                if strengths[p] > best:
                    best, winners = strengths[p], 1
                elif strengths[p] == best:
                    winners += 1
        each = amount // winners
        odd = amount - each * winners
        for p in range(s.n):
            if not s.folded[p] and s.paid[p] >= ceiling and strengths[p] == best:
                core.win(s, p, each + 1 if odd > 0 else each)
                odd -= 1
        floor = ceiling


def next_ceiling(s: Any, floor: int) -> tuple[int, bool]:
    """The least payment above the floor of anybody left in the hand, and whether nobody left paid more."""
    ceiling, most = -1, -1
    for p in range(s.n):
        if not s.folded[p] and s.paid[p] > floor:
            if ceiling < 0 or s.paid[p] < ceiling:
                ceiling = s.paid[p]
            if s.paid[p] > most:
                most = s.paid[p]
    return ceiling, ceiling == most
