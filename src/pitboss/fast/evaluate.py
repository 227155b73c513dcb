"""The strength of one holding or of every row of an array, in any game: the greater wins, equal strengths tie.

Large arrays are ranked by compiled code. Orders without a compiled loop, and deuce to seven with more than five cards,
are always ranked one row at a time in plain Python.
"""

import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import pairwise
from math import floor
from typing import TYPE_CHECKING, Any, overload

from msgspec.structs import replace

from pitboss.cards import DECK, Card
from pitboss.fast import arrays, lookup, rows
from pitboss.fast.compiled import compile_function
from pitboss.fast.lookup import plain_ranks
from pitboss.hand import showdown
from pitboss.hand.games import NO_LIMIT_HOLDEM, find_structure
from pitboss.hand.structure import Ranking, Structure
from pitboss.ranks import high, layout, lows
from pitboss.ranks.highs import STANDARD_TABLES
from pitboss.ranks.layout import FEWEST, FLUSH, HIGH_SHIFT, LOW_MASK, MOST, SUIT_SHIFT, RankError
from pitboss.ranks.orders import ORDERS, HandOrder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


FEW_IN_ANY_GAME = 20_000
"""The maximum number of rows ranked in plain Python; more are worth loading compiled code for."""


def evaluate_in_game(game: str | Structure | None, cards: Any, board: Any) -> Any:
    """Return the strength of cards in a game with this board; in a split-pot game, one strength per ranking."""
    structure = NO_LIMIT_HOLDEM if game is None else find_structure(game)
    numpy = sys.modules.get("numpy")
    made: tuple[Any, ...]
    if numpy is not None and (isinstance(cards, numpy.ndarray) or isinstance(board, numpy.ndarray)):
        made = _array_strengths(structure, _array(cards), _array(() if board is None else board))
    else:
        made = showdown.strengths(structure, arrays.holding(cards), arrays.holding(() if board is None else board))
    return made[0] if len(made) == 1 else made


def _array(cards: Any) -> "NDArray[Any]":
    import numpy as np

    if not isinstance(cards, np.ndarray):
        return np.array(arrays.card_numbers(arrays.holding(cards)), np.uint8)
    arrays.check_kind(cards)
    if cards.ndim == 0:
        raise RankError("expected an array whose last axis is the cards of a holding, got shape ()")
    return cards


def _array_strengths(structure: Structure, hole: "NDArray[Any]", board: "NDArray[Any]") -> tuple[Any, ...]:
    """Return the strengths of all rows under each ranking; hole cards and boards are broadcast together."""
    import numpy as np

    try:
        shape = np.broadcast_shapes(hole.shape[:-1], board.shape[:-1])
    except ValueError:
        raise RankError(f"hole cards of shape {hole.shape} and boards of shape {board.shape} do not match") from None
    sides = [np.broadcast_to(cards, (*shape, cards.shape[-1])) for cards in (hole, board)]
    held = np.ascontiguousarray(np.concatenate(sides, axis=-1)).reshape(-1, hole.shape[-1] + board.shape[-1])
    judged = [replace(structure, showdown=(ranking,)) for ranking in structure.showdown]
    found = [_ranked(one, held, hole.shape[-1]).reshape(shape) for one in judged]
    return tuple([strengths if shape else int(strengths) for strengths in found])


def _ranked(structure: Structure, held: "NDArray[Any]", hole: int) -> "NDArray[Any]":
    """Return the strengths of rows, `hole` hole cards and then the board, under a game's only ranking."""
    import numpy as np

    [ranking] = structure.showdown

    def plain(cards: Sequence[Card]) -> int:
        return showdown.strengths(structure, cards[:hole], cards[hole:])[0]

    kind = np.dtype(f"uint{ORDERS[ranking.order].strength_bits}")
    loop = _loop(ranking, held.shape[-1], hole) if len(held) > FEW_IN_ANY_GAME else None
    if loop is None:
        return np.array([arrays.rank_row(row, number, plain) for number, row in enumerate(held.tolist())], kind)
    arrays.rank_row(held[0].tolist(), 0, plain)  # refuses a wrong number of cards
    strengths = np.zeros(len(held), kind)
    arrays.rank_pieces(held, strengths, loop, plain, compiled=True)
    return strengths


def _loop(ranking: Ranking, cards: int, hole: int) -> Callable[[Any, Any], int] | None:
    """Return the compiled loop that writes strengths of this many cards, or None."""
    order = ORDERS[ranking.order]
    match order.loop:
        case None:
            return None
        case "badugi":
            return partial(_compiled("rank_badugis"), _badugi_bits())
        case "low":
            return partial(_compiled("rank_lows"), _lows(), hole if ranking.from_two else 0)
    if ranking.from_two:
        return partial(_compiled("rank_from_two"), _ranks(order), hole)
    if order.loop_cards is not None and cards > order.loop_cards:
        return None
    return partial(arrays.compiled_rank_loop(cards), _row_tables(order))


@cache
def _compiled(name: str) -> Callable[..., int]:
    return compile_function(getattr(rows, name), rows, lookup, layout, purpose="the ranking of hands")


@cache
def _ranks(order: HandOrder) -> lookup.Ranks:
    return arrays.low_ranks(order) if order.tables is None else arrays.padded_ranks(order.tables, compiled=True)


@cache
def _row_tables(order: HandOrder) -> Any:
    return arrays.row_tables(_ranks(order), compiled=True)


@cache
def _badugi_bits() -> "NDArray[Any]":
    import numpy as np

    return np.array([lows.BADUGI_BITS[card] for card in DECK] + [0] * (rows.BYTES - len(DECK)), np.int64)


@cache
def _lows() -> rows.Lows:
    import numpy as np

    rest = [0] * (rows.BYTES - len(DECK))
    return rows.Lows(
        bits=np.array([1 << number for number in range(len(DECK))] + rest, np.int64),
        low_ranks=np.array([lows.BITS[card] for card in DECK] + rest, np.int64),
        lows=np.array(lows.LOWS, np.uint16),
    )


FEW_HIGH_HANDS = 100_000
"""The same for five to seven cards of the high order, where plain Python is faster."""

# What each card adds to the total, by its name and by its number. Floats are faster to add than integers of this size,
# and exact up to 53 bits.
_RANKS = plain_ranks()
_NAMES = [*[(number, number) for number in range(len(DECK))], *enumerate(DECK)]
_KEYS: dict[Any, float] = {name: float(_RANKS.keys[number]) for number, name in _NAMES}
_FIRST: dict[Any, float] = {name: key + lookup.START for name, key in _KEYS.items()}
_BITS: dict[Any, int] = {name: _RANKS.bits[number] for number, name in _NAMES}
_SHIFTS = {1 << SUIT_SHIFT + 4 * suit + 3: lookup.RANKS * suit for suit in range(4)}  # by the suit's bit of FLUSH
_FLUSHES = _RANKS.flushes
_PLACES = _RANKS.places
# The strengths of each block by the high ranks: this saves a sum, and arrays use less of the processor's cache.
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
    """Return the strength of five to seven cards, as `pitboss.ranks.high` does; `high_name` names it.

    A holding is text, cards or card numbers:

    >>> evaluate("AsKsQsJsTs") > evaluate(["Ac", "Ad", "Ah", "Kc", "Kd", "2c", "3c"])
    True
    >>> evaluate((51, 47, 43, 39, 35)) == evaluate("AsKsQsJsTs")
    True

    For an integer array of card numbers of shape (..., 5 to 7) the result has shape (...). Large arrays are ranked by
    compiled code on all cores, fastest if the numbers are bytes (np.uint8).

    In other games the greater wins too, and 0 means no qualifying low. `board` is the shared cards, or an array of
    them; games in which exactly two hole cards play need it. A split-pot game has a strength for each part:

    >>> evaluate("AsAd2s3d", game="omaha", board="KsQs4s5hJc") == evaluate("As2sKsQs4s")
    True
    >>> evaluate("AsAd2s3d", game="omaha_hi_lo", board="KsQs4s5hJc") == (evaluate("As2sKsQs4s"), 0)
    True

    Large arrays are ranked by compiled code in every game, except deuce to seven with more than five cards.

    Invalid and duplicate cards are refused, with one exception: seven cards in a sequence are assumed to be different,
    because the check would take half as long again.

    >>> import numpy as np
    >>> evaluate(np.array([[51, 47, 43, 39, 35], [0, 5, 10, 15, 23]])).tolist()
    [32778, 1]
    """
    if game is not None or board is not None:
        return evaluate_in_game(game, cards, board)
    try:
        a, b, c, d, e, f, g = cards
        total = floor(_FIRST[a] + _KEYS[b] + _KEYS[c] + _KEYS[d] + _KEYS[e] + _KEYS[f] + _KEYS[g])
        if flush := total & FLUSH:
            bits = _BITS[a] | _BITS[b] | _BITS[c] | _BITS[d] | _BITS[e] | _BITS[f] | _BITS[g]
            return _FLUSHES[bits >> _SHIFTS[flush] & lookup.SUIT_BITS]
        return _BLOCKS[total >> HIGH_SHIFT][_PLACES[total & LOW_MASK]]
    except (IndexError, KeyError, TypeError, ValueError):
        pass  # something else or invalid: handled outside, so that errors have no context
    return _checked(cards)


def _checked(cards: Any) -> Any:
    """Return the strength of anything but seven cards in a sequence, or raise an error."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(cards, numpy.ndarray):
        return _rows(cards) if cards.ndim != 1 else int(_rows(cards))
    return high(arrays.holding(cards))


def _rows(cards: "NDArray[Any]") -> "NDArray[np.uint16]":
    """Return the strengths of an array's rows."""
    import numpy as np

    arrays.check_kind(cards)
    if cards.ndim == 0 or not FEWEST <= cards.shape[-1] <= MOST:
        raise RankError(f"expected an array whose last axis is five to seven cards, got shape {cards.shape}")
    held = np.ascontiguousarray(cards).reshape(-1, cards.shape[-1])
    strengths = np.empty(len(held), np.uint16)  # filled completely, or an error is raised
    plain = arrays.rank_loop(cards.shape[-1])
    compiled = len(held) > FEW_HIGH_HANDS or plain in arrays.COMPILED
    loop = partial(arrays.compiled_rank_loop(cards.shape[-1]) if compiled else plain, _tables(compiled))
    arrays.rank_pieces(held, strengths, loop, high, compiled)
    return strengths.reshape(cards.shape[:-1])


@cache
def _tables(compiled: bool) -> Any:
    return arrays.row_tables(arrays.padded_ranks(STANDARD_TABLES, compiled), compiled)
