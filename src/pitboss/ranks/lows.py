"""Which low hand wins: ace to five, eight or better, straights and flushes ignored."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from pitboss.cards import DECK, Card
from pitboss.ranks.errors import RankError
from pitboss.ranks.holdings import looked_up, numbers
from pitboss.ranks.layout import FEWEST, FROM_BOARD, FROM_HOLE

LOW_RANKS = "A2345678"
BITS = {card: 1 << LOW_RANKS.index(card[0]) if card[0] in LOW_RANKS else 0 for card in DECK}


def low(cards: Iterable[Card]) -> int:
    """The strength of the best low of five to seven cards: greater wins, equal ties, 0 is no low.

    >>> low(("As", "2d", "3c", "5h", "7h", "Kd", "Kc")) > low(("As", "2d", "3c", "4c", "8h"))
    True
    >>> low(("As", "2d", "3c", "4c", "9h"))
    0
    """
    mask = 0
    for bit in looked_up(tuple(cards), BITS):
        mask |= bit
    return LOWS[mask]


def low_name(strength: int) -> str:
    """The five ranks of a strength that ``low`` gave, highest first; empty for no low.

    >>> low_name(low(("As", "2d", "3c", "5h", "7h", "Kd", "Kc")))
    '7-5-3-2-A'
    """
    if strength not in LOWS:
        raise RankError(f"no low has the strength {strength}")
    mask = 256 - strength if strength else 0
    return "-".join(rank for place, rank in reversed([*enumerate(LOW_RANKS)]) if mask >> place & 1)


def best_from_two(hole: Sequence[Card], board: Sequence[Card]) -> int:
    """The strength of the best two hole cards and three board cards."""
    starts = {first | second for first, second in combinations(numbers(hole, BITS), FROM_HOLE)}
    ends = {first | second | third for first, second, third in combinations(numbers(board, BITS), FROM_BOARD)}
    return max([LOWS[start | end] for start in starts for end in ends])


def _strength(mask: int) -> int:
    # Of two masks of five ranks the smaller is the better low: their highest difference decides both.
    while mask.bit_count() > FEWEST:
        mask ^= 1 << mask.bit_length() - 1
    return 256 - mask if mask.bit_count() == FEWEST else 0


LOWS = tuple(_strength(mask) for mask in range(256))
