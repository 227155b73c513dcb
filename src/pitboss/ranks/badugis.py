"""Which badugi wins: as many cards as possible of different ranks and suits, then the lowest."""

from collections.abc import Iterable
from itertools import combinations

from pitboss.cards import DECK, SUITS, Card
from pitboss.ranks.kinds import ACE_LOW
from pitboss.ranks.layout import RankError, looked_up

FEWEST, MOST = 1, 4

RANK_BITS = (1 << len(ACE_LOW)) - 1
# A bit for the rank and one for the suit: only of cards that share neither the sum has twice as many bits as cards.
BITS = {card: 1 << ACE_LOW.index(card[0]) | RANK_BITS + 1 << SUITS.index(card[1]) for card in DECK}


def badugi(cards: Iterable[Card]) -> int:
    """The strength of the best badugi of one to four cards: greater wins, equal ties.

    Of the cards so many play as differ in rank and suit; more beat fewer, then lower beats higher. Aces are low.

    >>> badugi(("Kc", "Qd", "Jh", "Ts")) > badugi(("Ac", "2d", "3h", "4h"))
    True
    >>> badugi(("Ac", "2d", "3h", "Kh")) == badugi(("As", "2c", "3h", "3d"))
    True
    """
    bits = looked_up(tuple(cards), BITS, FEWEST, MOST)
    count = len(bits)
    while not (sums := [total for total in map(sum, combinations(bits, count)) if total.bit_count() == 2 * count]):
        count -= 1
    mask = min([total & RANK_BITS for total in sums])
    # Of two masks of as many ranks the smaller is the better: their highest difference decides both.
    return count << len(ACE_LOW) | mask ^ RANK_BITS


def badugi_name(strength: int) -> str:
    """The ranks that play of a strength that ``badugi`` gave, highest first.

    >>> badugi_name(badugi(("Ac", "2d", "3h", "7s")))
    '7-3-2-A'
    >>> badugi_name(badugi(("Ac", "2d", "3h", "7h")))
    '3-2-A'
    """
    mask = strength & RANK_BITS ^ RANK_BITS
    if not FEWEST <= mask.bit_count() == strength >> len(ACE_LOW) <= MOST:
        raise RankError(f"no badugi has the strength {strength}")
    return "-".join([rank for place, rank in reversed([*enumerate(ACE_LOW)]) if mask >> place & 1])
