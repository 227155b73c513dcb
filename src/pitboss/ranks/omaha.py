"""Which holding wins where exactly two hole cards and exactly three board cards must play."""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import TypeAlias

from pitboss.cards import Card, check_distinct
from pitboss.ranks import lows
from pitboss.ranks.highs import SHORT_TABLES, STANDARD_TABLES, high, short
from pitboss.ranks.layout import FROM_BOARD, FROM_HOLE, RankError

Rank: TypeAlias = Callable[[Iterable[Card]], int]

# Adding up twos and threes before they are joined is several times faster than ranking 60 to 150 hands.
_BEST: dict[Rank, Callable[[Sequence[Card], Sequence[Card]], int]] = {
    high: STANDARD_TABLES.best_from_two,
    short: SHORT_TABLES.best_from_two,
    lows.low: lows.best_from_two,
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
    if rank in _BEST:
        return _BEST[rank](hole, board)
    threes = list(combinations(board, FROM_BOARD))
    return max(rank(two + three) for two in combinations(hole, FROM_HOLE) for three in threes)
