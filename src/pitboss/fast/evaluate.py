"""The strength of one holding, or of every row of an array, in any game: greater wins, equal ties.

Big arrays are ranked by compiled code. Orders that no compiled loop knows, and deuce to seven with more than five
cards, are always ranked one row at a time in plain Python.
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
"""Up to this many rows of any game's holdings are ranked plain; more are worth loading compiled code for."""


def evaluate_in_game(game: str | Structure | None, cards: Any, board: Any) -> Any:
    """The strength of cards in a game with this board; in a game that splits the pot, one for each of its rankings."""
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
        raise RankError("an array of the shape () cannot be ranked: its last side is a holding's cards")
    return cards


def _array_strengths(structure: Structure, hole: "NDArray[Any]", board: "NDArray[Any]") -> tuple[Any, ...]:
    """The strengths of all rows under each ranking; where hole cards and boards are not as many, they are repeated."""
    import numpy as np

    try:
        shape = np.broadcast_shapes(hole.shape[:-1], board.shape[:-1])
    except ValueError:
        raise RankError(f"hole cards of the shape {hole.shape} do not go with boards of {board.shape}") from None
    sides = [np.broadcast_to(cards, (*shape, cards.shape[-1])) for cards in (hole, board)]
    held = np.ascontiguousarray(np.concatenate(sides, axis=-1)).reshape(-1, hole.shape[-1] + board.shape[-1])
    judged = [replace(structure, showdown=(ranking,)) for ranking in structure.showdown]
    found = [_ranked(one, held, hole.shape[-1]).reshape(shape) for one in judged]
    return tuple([strengths if shape else int(strengths) for strengths in found])


def _ranked(structure: Structure, held: "NDArray[Any]", hole: int) -> "NDArray[Any]":
    """The strengths of rows under a game's first ranking: so many hole cards, then the board."""
    import numpy as np

    [ranking] = structure.showdown

    def plain(cards: Sequence[Card]) -> int:
        return showdown.strengths(structure, cards[:hole], cards[hole:])[0]

    kind = np.dtype(f"uint{ORDERS[ranking.order].strength_bits}")
    loop = _loop(ranking, held.shape[-1], hole) if len(held) > FEW_IN_ANY_GAME else None
    if loop is None:
        return np.array([arrays.rank_row(row, number, plain) for number, row in enumerate(held.tolist())], kind)
    arrays.rank_row(held[0].tolist(), 0, plain)  # refuses too few cards and too many
    strengths = np.zeros(len(held), kind)
    arrays.rank_pieces(held, strengths, loop, plain, compiled=True)
    return strengths


def _loop(ranking: Ranking, cards: int, hole: int) -> Callable[[Any, Any], int] | None:
    """The compiled loop that writes strengths of so many cards, or none."""
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
"""Up to this many rows of five to seven cards are ranked plain, which is quicker than in other games."""

# What each card adds, by its name and by its number: floats, as sums of floats are faster than sums of integers of this
# size, and exact up to 53 bits.
_RANKS = plain_ranks()
_NAMES = [*[(number, number) for number in range(len(DECK))], *enumerate(DECK)]
_KEYS: dict[Any, float] = {name: float(_RANKS.keys[number]) for number, name in _NAMES}
_FIRST: dict[Any, float] = {name: key + lookup.START for name, key in _KEYS.items()}
_BITS: dict[Any, int] = {name: _RANKS.bits[number] for number, name in _NAMES}
_SHIFTS = {1 << SUIT_SHIFT + 4 * suit + 3: lookup.RANKS * suit for suit in range(4)}  # by the suit's bit of FLUSH
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
        return evaluate_in_game(game, cards, board)
    try:
        a, b, c, d, e, f, g = cards
        total = floor(_FIRST[a] + _KEYS[b] + _KEYS[c] + _KEYS[d] + _KEYS[e] + _KEYS[f] + _KEYS[g])
        if flush := total & FLUSH:
            bits = _BITS[a] | _BITS[b] | _BITS[c] | _BITS[d] | _BITS[e] | _BITS[f] | _BITS[g]
            return _FLUSHES[bits >> _SHIFTS[flush] & lookup.SUIT_BITS]
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
    compiled = len(held) > FEW_HIGH_HANDS or plain in arrays.COMPILED
    loop = partial(arrays.compiled_rank_loop(cards.shape[-1]) if compiled else plain, _tables(compiled))
    arrays.rank_pieces(held, strengths, loop, high, compiled)
    return strengths.reshape(cards.shape[:-1])


@cache
def _tables(compiled: bool) -> Any:
    return arrays.row_tables(arrays.padded_ranks(STANDARD_TABLES, compiled), compiled)
