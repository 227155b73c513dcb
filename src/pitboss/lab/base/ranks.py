"""How often each rank occurs among cards, and each suit's ranks as bits, written to be compiled."""

from typing import Any

from pitboss.lab.base.codes import MOST_CARDS, RANKS, SUITS


def count_ranks(g: Any, s: Any, p: int, shared: int) -> None:
    """Write how often each rank occurs among p's cards and so many community cards, and each suit's ranks as bits."""
    for rank in range(RANKS):
        s.tally[rank] = 0
    for suit in range(SUITS):
        s.masks[suit] = 0
    for k in range(s.held[p] + shared):
        card = s.hands[p * MOST_CARDS + k] if k < s.held[p] else s.community[k - s.held[p]]
        rank = card // g.suits
        s.tally[rank] += 1
        s.masks[card - rank * g.suits] |= 1 << rank
