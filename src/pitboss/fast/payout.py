"""Pay out the chips in the middle, with side pots, halves and odd chips; written to be compiled.

`s` has a round's numbers as `betting/core.py` reads them, with all bets collected; `strengths` are those of all
players, and the greatest wins. The chips are paid in layers of equal payment, each to the strongest of the players who
paid for it.
"""

from typing import Any

from pitboss.betting import core


def pay(s: Any, strengths: Any, first: int) -> None:
    """Pay all chips to the strongest; odd chips go clockwise from place `first`."""
    ceiling, counted = -1, uncounted(s)
    while s.pot > 0:
        ceiling, amount, counted = next_layer(s, ceiling, counted)
        share(s, strengths, ceiling, amount, first)


def pay_parts(s: Any, strengths: Any, rankings: int) -> None:
    """Pay all chips in equal parts, one for every ranking in which a player has a strength above 0.

    `strengths` has those of all players by ranking. Odd chips go to the first rankings, and clockwise from place 0.
    """
    ceiling, counted = -1, uncounted(s)
    while s.pot > 0:
        ceiling, amount, counted = next_layer(s, ceiling, counted)
        parts = 0
        for ranking in range(rankings):
            if is_made(s, strengths[ranking], ceiling):
                parts += 1
        each = amount // parts
        odd = amount - each * parts
        for ranking in range(rankings):
            if is_made(s, strengths[ranking], ceiling):
                share(s, strengths[ranking], ceiling, each + 1 if odd > 0 else each, 0)
                odd -= 1


def is_made(s: Any, strengths: Any, ceiling: int) -> bool:
    """Return whether any live player who paid this much has a strength above 0."""
    for p in range(s.n):
        if not s.folded[p] and s.paid[p] >= ceiling and strengths[p] > 0:
            return True
    return False


def share(s: Any, strengths: Any, ceiling: int, amount: int, first: int) -> None:
    """Split `amount` between the strongest of the live players who paid at least `ceiling`.

    Odd chips go one at a time clockwise from place `first`: in hold'em place 0, left of the button.
    """
    best, winners = 0, 0
    for p in range(s.n):
        if not s.folded[p] and s.paid[p] >= ceiling:
            if strengths[p] > best:
                best, winners = strengths[p], 1
            elif strengths[p] == best:
                winners += 1
    each = amount // winners
    odd = amount - each * winners
    for k in range(first, first + s.n):
        p = k if k < s.n else k - s.n
        if not s.folded[p] and s.paid[p] >= ceiling and strengths[p] == best:
            core.win(s, p, each + 1 if odd > 0 else each)
            odd -= 1


# --- layers


def uncounted(s: Any) -> int:
    """Return the count at which the first layer starts. It includes dead money, which no player paid."""
    counted = -s.pot
    for p in range(s.n):
        counted += s.paid[p]
    return counted  # type: ignore[no-any-return]  # a list's or an array's number


def next_layer(s: Any, floor: int, counted: int) -> tuple[int, int, int]:
    """Return the payment of the next layer, its chips, and the new count.

    The last layer includes all chips that no player can claim.
    """
    ceiling, last = next_ceiling(s, floor)
    if last:
        return ceiling, s.pot, counted
    below = 0
    for p in range(s.n):
        below += min(s.paid[p], ceiling)
    return ceiling, below - counted, below


def next_ceiling(s: Any, floor: int) -> tuple[int, bool]:
    """Return the smallest payment of a live player above the floor, and whether no live player paid more than this."""
    ceiling, most = -1, -1
    for p in range(s.n):
        if not s.folded[p] and s.paid[p] > floor:
            if ceiling < 0 or s.paid[p] < ceiling:
                ceiling = s.paid[p]
            if s.paid[p] > most:
                most = s.paid[p]
    return ceiling, ceiling == most
