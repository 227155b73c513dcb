"""Which cards nobody has seen, and what a strength wins of a pot."""

from collections.abc import Sequence

from pitboss.cards import DECK, Card


def unseen(hole: Sequence[Card], board: Sequence[Card]) -> list[Card]:
    """The cards that may lie in other hands or still come."""
    seen = {*hole, *board}
    return [card for card in DECK if card not in seen]


def part(mine: int, others: Sequence[int]) -> float:
    """What a strength wins of a pot against others: all, nothing, or an equal part of a tie."""
    best = max(others, default=0)
    return 1.0 if mine > best else 0.0 if mine < best else 1 / (1 + others.count(mine))
