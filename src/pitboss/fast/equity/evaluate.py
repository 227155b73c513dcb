"""The strength of one holding, or of every row of an array: greater wins, equal ties."""

import sys
from collections.abc import Sequence
from functools import cache, partial
from itertools import pairwise
from math import floor
from typing import TYPE_CHECKING, Any, overload

from pitboss.cards import DECK, Card
from pitboss.fast import ranking
from pitboss.fast.equity import arrays
from pitboss.fast.equity.games import evaluate_in
from pitboss.fast.lookup import plain_ranks
from pitboss.hand.structure import Structure
from pitboss.ranks import high
from pitboss.ranks.errors import RankError
from pitboss.ranks.highs import STANDARD_TABLES
from pitboss.ranks.layout import FEWEST, FLUSH, HIGH_SHIFT, LOW_MASK, MOST, SUIT_SHIFT

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SMALL = 100_000
"""Up to so many rows are ranked plain: that takes about as long as loading what was compiled."""

# What each card adds, by its name and by its number: floats, as sums of floats are faster than sums of integers of this
# size, and exact up to 53 bits.
_RANKS = plain_ranks()
_NAMES = [*[(number, number) for number in range(len(DECK))], *enumerate(DECK)]
_KEYS: dict[Any, float] = {name: float(_RANKS.keys[number]) for number, name in _NAMES}
_FIRST: dict[Any, float] = {name: key + ranking.START for name, key in _KEYS.items()}
_BITS: dict[Any, int] = {name: _RANKS.bits[number] for number, name in _NAMES}
_SHIFTS = {1 << SUIT_SHIFT + 4 * suit + 3: ranking.RANKS * suit for suit in range(4)}  # by the suit's bit of FLUSH
_FLUSHES = _RANKS.flushes
_PLACES = _RANKS.places
# By the high ranks the strengths of their block: no sum to build, and arrays, which leave the processor's cache room.
_ENDS = dict(pairwise([*sorted(set(_RANKS.blocks)), len(_RANKS.hands)]))
_BY_START = {start: _RANKS.hands[start:end] for start, end in _ENDS.items()}
_BLOCKS = [_BY_START[start] for start in _RANKS.blocks]


@overload
def evaluate(cards: "NDArray[np.integer[Any]]") -> "NDArray[np.uint16]": ...
@overload
def evaluate(cards: str | Sequence[Card] | Sequence[int]) -> int: ...
@overload
def evaluate(cards: Any, *, game: str | Structure, board: Any = None) -> Any: ...
@overload
def evaluate(cards: Any, *, board: Any) -> Any: ...
def evaluate(cards: Any, *, game: str | Structure | None = None, board: Any = None) -> Any:
    """The strength of five to seven cards, as `pitboss.ranks.high` gives it and `high_name` names it.

    One holding is a text, cards, or card numbers:

    >>> evaluate("AsKsQsJsTs") > evaluate(["Ac", "Ad", "Ah", "Kc", "Kd", "2c", "3c"])
    True
    >>> evaluate((51, 47, 43, 39, 35)) == evaluate("AsKsQsJsTs")
    True

    An integer array of the shape (..., 5 to 7) holds card numbers, and the answer has the shape (...). Big arrays are
    ranked by compiled code on all cores, fastest where the numbers are bytes (np.uint8).

    In other games greater wins, too, and 0 is no low at all. `board` are the cards that all share, or an array of them;
    where exactly two hole cards play there must be one. A game that splits the pot gives a strength for each part:

    >>> evaluate("AsAd2s3d", game="omaha", board="KsQs4s5hJc") == evaluate("As2sKsQs4s")
    True
    >>> evaluate("AsAd2s3d", game="omaha_hi_lo", board="KsQs4s5hJc") == (evaluate("As2sKsQs4s"), 0)
    True

    Big arrays are compiled in every game, but for deuce to seven with more than five cards.

    What is no card is refused, and so is a card that stands twice. Only seven cards in a sequence, as programs with a
    loop of their own have them, are trusted to be different: looking would take half as long again.

    >>> import numpy as np
    >>> evaluate(np.array([[51, 47, 43, 39, 35], [0, 5, 10, 15, 23]])).tolist()
    [32778, 1]
    """
    if game is not None or board is not None:
        return evaluate_in(game, cards, board)
    try:
        a, b, c, d, e, f, g = cards
        total = floor(_FIRST[a] + _KEYS[b] + _KEYS[c] + _KEYS[d] + _KEYS[e] + _KEYS[f] + _KEYS[g])
        if flush := total & FLUSH:
            bits = _BITS[a] | _BITS[b] | _BITS[c] | _BITS[d] | _BITS[e] | _BITS[f] | _BITS[g]
            return _FLUSHES[bits >> _SHIFTS[flush] & ranking.SUIT_BITS]
        return _BLOCKS[total >> HIGH_SHIFT][_PLACES[total & LOW_MASK]]
    except (IndexError, KeyError, TypeError, ValueError):
        pass  # it is something else, or wrong: looked at outside, so that errors have no context
    return _checked(cards)


def _checked(cards: Any) -> Any:
    """The strength of what is not seven cards in a sequence, or why it has none."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(cards, numpy.ndarray):
        return _rows(cards) if cards.ndim != 1 else int(_rows(cards))
    return high(arrays.holding(cards))


def _rows(cards: "NDArray[Any]") -> "NDArray[np.uint16]":
    """The strengths of an array's rows."""
    import numpy as np

    arrays.check_kind(cards)
    if cards.ndim == 0 or not FEWEST <= cards.shape[-1] <= MOST:
        raise RankError(f"an array of the shape {cards.shape} cannot be ranked: its last side is five to seven cards")
    held = np.ascontiguousarray(cards).reshape(-1, cards.shape[-1])
    strengths = np.empty(len(held), np.uint16)  # all are written, or none returned
    plain = arrays.rank_loop(cards.shape[-1])
    compiled = len(held) > SMALL or plain in arrays.COMPILED
    loop = partial(arrays.compiled_rank_loop(cards.shape[-1]) if compiled else plain, _tables(compiled))
    arrays.rank_pieces(held, strengths, loop, high, compiled)
    return strengths.reshape(cards.shape[:-1])


@cache
def _tables(compiled: bool) -> Any:
    return arrays.row_tables(arrays.padded_ranks(STANDARD_TABLES, compiled), compiled)
