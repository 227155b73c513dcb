"""Which holding wins where exactly two hole cards and exactly three board cards must play."""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import TypeAlias

from pitboss.cards import Card, check_distinct
from pitboss.ranks import lows
from pitboss.ranks.errors import RankError
from pitboss.ranks.highs import SHORT_TABLES, STANDARD_TABLES, high, short

Rank: TypeAlias = Callable[[Iterable[Card]], int]

_Joined: TypeAlias = Callable[[Sequence[tuple[Card, ...]], Sequence[tuple[Card, ...]]], int]

FROM_HOLE, FROM_BOARD = 2, 3

# Adding up pairs and trios before they are joined is several times faster than ranking 60 hands.
_JOINED: dict[Rank, _Joined] = {
    high: STANDARD_TABLES.best_joined,
    short: SHORT_TABLES.best_joined,
    lows.low: lows.best_joined,
}


def from_two(rank: Rank, hole: Iterable[Card], board: Iterable[Card]) -> int:
    """The best strength that ``rank`` gives to two of the hole cards with three of the board's.

    >>> royal_board = ("As", "Ks", "Qs", "Js", "Ts")
    >>> from_two(high, ("Ad", "Ac", "2d", "3c"), royal_board) == high(("Ad", "Ac", "As", "Ks", "Qs"))
    True
    """
    hole, board = tuple(hole), tuple(board)
    if len(hole) < FROM_HOLE or len(board) < FROM_BOARD:
        raise RankError(f"{len(hole)} hole and {len(board)} board cards cannot be ranked: it takes two and three")
    check_distinct(hole + board)
    pairs, trios = list(combinations(hole, FROM_HOLE)), list(combinations(board, FROM_BOARD))
    if rank in _JOINED:
        return _JOINED[rank](pairs, trios)
    return max(rank(pair + trio) for pair in pairs for trio in trios)
