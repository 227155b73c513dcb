"""What betting did in a deal, counted when the deal is settled, written to be compiled.

It looks at cards that nobody shows, folded ones too, and so it tells nothing to a view and nothing to a policy.
"""

from typing import Any

from pitboss.betting import core
from pitboss.lab.base import piles
from pitboss.lab.base.counts import DEALS, LARGEST, POTS, SHOWDOWNS, STEALS, TO_BEST
from pitboss.lab.wins import kinds as wins


def count_deal(g: Any, rules: Any, s: Any, win: int) -> int:
    """Count a deal that is decided, before anything is paid, and return who had the best of it, a bit a player."""
    alone = piles.live_count(s) == 1
    owner, uncalled = core.uncalled(rules[0], s)
    if not (alone or g.side):
        uncalled = 0  # one pot goes whole to whoever wins it
    best, had_best, pot = 0, 0, s.pot - uncalled
    for p in range(g.n):
        pot += s.bets[p]
        if not dealt_in(s, p):
            continue
        value = wins.worth(g, s, win, p)
        if had_best == 0 or value > best:
            best, had_best = value, 1 << p
        elif value == best:
            had_best |= 1 << p
    counts = s.counts
    counts[DEALS] += 1
    counts[POTS] += pot
    counts[LARGEST] = max(counts[LARGEST], pot)
    if not alone:
        counts[SHOWDOWNS] += 1
    elif not had_best & s.winners:
        counts[STEALS] += 1
    if owner >= 0 and (had_best >> owner) & 1:
        counts[TO_BEST] -= uncalled
    for p in range(g.n):
        if (had_best >> p) & 1:
            counts[TO_BEST] -= s.stacks[p]  # `count_payment` adds what he has then
    return had_best


def count_payment(g: Any, s: Any, had_best: int) -> None:
    """Count what those have got who had the best of it."""
    for p in range(g.n):
        if (had_best >> p) & 1:
            s.counts[TO_BEST] += s.stacks[p]


def dealt_in(s: Any, p: int) -> bool:
    """Whether p began the deal; who had no chips did not."""
    return bool(not s.folded[p] or s.stacks[p] + s.paid[p] + s.bets[p] > 0)
