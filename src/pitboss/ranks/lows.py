"""Which low hand wins: ace to five, eight or better, straights and flushes ignored."""

from collections.abc import Iterable, Sequence

from pitboss.cards import DECK, Card
from pitboss.ranks.errors import RankError
from pitboss.ranks.layout import FEWEST, MOST
from pitboss.ranks.refusals import not_a_holding, not_in_deck

LOW_RANKS = "A2345678"
BITS = {card: 1 << LOW_RANKS.index(card[0]) if card[0] in LOW_RANKS else 0 for card in DECK}


def low(cards: Iterable[Card]) -> int:
    """The strength of the best low of five to seven cards: greater wins, equal ties, 0 is no low.

    >>> low(("As", "2d", "3c", "5h", "7h", "Kd", "Kc")) > low(("As", "2d", "3c", "4c", "8h"))
    True
    >>> low(("As", "2d", "3c", "4c", "9h"))
    0
    """
    held = tuple(cards)
    if not FEWEST <= len(held) == len(set(held)) <= MOST:
        raise not_a_holding(held)
    return LOWS[_mask(held)]


def low_name(strength: int) -> str:
    """The five ranks of a strength that ``low`` gave, highest first; empty for no low.

    >>> low_name(low(("As", "2d", "3c", "5h", "7h", "Kd", "Kc")))
    '7-5-3-2-A'
    """
    if strength not in LOWS:
        raise RankError(f"no low has the strength {strength}")
    mask = 256 - strength if strength else 0
    return "-".join(rank for place, rank in reversed([*enumerate(LOW_RANKS)]) if mask >> place & 1)


def best_joined(pairs: Sequence[tuple[Card, ...]], trios: Sequence[tuple[Card, ...]]) -> int:
    """The strength of the best pair and trio together."""
    starts, ends = {_mask(pair) for pair in pairs}, {_mask(trio) for trio in trios}
    return max([LOWS[start | end] for start in starts for end in ends])


def _mask(held: tuple[Card, ...]) -> int:
    mask = 0
    try:
        for card in held:
            mask |= BITS[card]
    except KeyError as missing:
        raise not_in_deck(missing.args[0]) from None
    return mask


def _strength(mask: int) -> int:
    # Of two masks of five ranks the smaller is the better low: their highest difference decides both.
    while mask.bit_count() > FEWEST:
        mask ^= 1 << mask.bit_length() - 1
    return 256 - mask if mask.bit_count() == FEWEST else 0


LOWS = tuple(_strength(mask) for mask in range(256))
