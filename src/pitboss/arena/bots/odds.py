"""How much of the pot a hand wins on average, by dealing the cards nobody has seen many times over.

So many deals, not so much time: the same chance gives the same share on every machine.
"""

from collections.abc import Sequence

from pitboss.cards import DECK, Card
from pitboss.chance import Chance
from pitboss.ranks import high


def unseen(hole: Sequence[Card], board: Sequence[Card]) -> list[Card]:
    """The cards that may lie in other hands or still come."""
    seen = {*hole, *board}
    return [card for card in DECK if card not in seen]


def share_won(hole: Sequence[Card], board: Sequence[Card], opponents: int, *, deals: int, chance: Chance) -> float:
    """The part of the pot these cards win at showdown against so many random hands.

    >>> aces = share_won(("As", "Ah"), (), 1, deals=500, chance=Chance(1))
    >>> 0.8 < aces < 0.9
    True
    """
    cards, missing = unseen(hole, board), 5 - len(board)
    won = 0.0
    for _ in range(deals):
        dealt = chance.shuffled(cards, missing + 2 * opponents)
        whole = (*board, *dealt[:missing])
        others = [high((*dealt[at : at + 2], *whole)) for at in range(missing, len(dealt), 2)]
        won += part(high((*hole, *whole)), others)
    return won / deals


def part(mine: int, others: Sequence[int]) -> float:
    """What a strength wins of a pot against others: all, nothing, or an equal part of a tie."""
    best = max(others, default=0)
    return 1.0 if mine > best else 0.0 if mine < best else 1 / (1 + others.count(mine))
