"""Which two cards are better before the flop: the 169 kinds of hand in order, and where any hand stands among all.

The order is that of the share won against one and against three random hands, both counted alike.
"""

from itertools import combinations
from typing import TypeAlias

from pitboss.cards import DECK, RANKS, Card

Pair: TypeAlias = tuple[Card, Card]

_ORDER = """
AA KK QQ JJ TT 99 AKs AQs 88 AKo AJs KQs ATs AQo 77 KJs KTs AJo QJs A9s KQo ATo A8s KJo 66 QTs K9s JTs KTo A5s A7s A9o
QJo A6s A4s A8o A3s QTo Q9s 55 K8s JTo K7s K6s J9s K9o A7o A2s Q8s T9s A5o A6o K8o A4o K5s J8s 44 Q7s Q9o A3o T8s K4s
J9o K3s Q6s K7o Q8o A2o T9o 98s J7s Q5s K6o K2s T7s 33 Q4s K5o Q3s J8o J6s 97s K4o Q7o 87s T8o T6s J5s Q2s 98o Q6o 96s
K3o J4s J7o J3s K2o Q5o 86s 22 J2s 76s T7o T5s Q4o T4s 97o Q3o 87o 95s 75s J6o 85s 65s T6o T3s J5o Q2o J4o 86o T2s 54s
J3o 76o 96o 84s 74s 64s 94s 93s 92s 53s T5o J2o 63s 73s 75o 95o 83s T4o 65o T3o 85o 43s 82s 52s T2o 62s 64o 94o 54o 84o
74o 42s 93o 72s 32s 53o 92o 83o 73o 63o 43o 82o 52o 72o 62o 42o 32o
"""

ORDER = tuple(_ORDER.split())
"""The kinds of hand, the best first."""


def kind(hand: Pair) -> str:
    """What players call two cards.

    >>> kind(("5d", "Ad")), kind(("Ks", "Ah")), kind(("7c", "7d"))
    ('A5s', 'AKo', '77')
    """
    low, high = sorted(hand, key=lambda card: RANKS.index(card[0]))
    if low[0] == high[0]:
        return high[0] + low[0]
    return high[0] + low[0] + ("s" if low[1] == high[1] else "o")


PAIRS: tuple[Pair, ...] = tuple(combinations(DECK, 2))
"""Every hand there is."""


def _standings() -> tuple[float, ...]:
    kinds = [kind(pair) for pair in PAIRS]
    better, standings = 0, dict[str, float]()
    for name in ORDER:
        standings[name] = better / len(PAIRS)
        better += kinds.count(name)
    return tuple(standings[name] for name in kinds)


STANDING = _standings()
"""For every hand, the share of all hands that are better: 0 for aces, almost 1 for three-deuce."""

BEST_FIRST = tuple(sorted(range(len(PAIRS)), key=STANDING.__getitem__))
"""The numbers of all hands, the best first."""

_AT = {pair: at for at, pair in enumerate(PAIRS)}


def standing(hand: Pair) -> float:
    """The share of all hands that are better than this one.

    >>> standing(("As", "Ah")) < 0.005 < 0.9 < standing(("2s", "3h"))
    True
    """
    first, second = hand
    return STANDING[_AT[hand] if hand in _AT else _AT[second, first]]
