"""The strength of one holding or of every row of an array, in any game: the greater wins, equal strengths tie.

Arrays are ranked by compiled code if loading it pays. Orders without a compiled loop, games with wild cards, and deuce
to seven with more than five cards are always ranked one row at a time in plain Python.
"""

import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import pairwise
from math import comb, floor
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from msgspec.structs import replace

from pitboss.cards import DECK, Card
from pitboss.fast import arrays, lookup
from pitboss.fast.compiled import CompiledFunction, compile_function
from pitboss.fast.lookup import plain_ranks
from pitboss.fast.switch import Switch
from pitboss.hand import showdown
from pitboss.hand.games import USUAL_GAME, AnyGame, find_game, given_game
from pitboss.hand.structure import Ranking, Structure
from pitboss.ranks import high, layout, lows
from pitboss.ranks.highs import STANDARD_TABLES
from pitboss.ranks.layout import (
    FEWEST,
    FLUSH,
    FROM_BOARD,
    FROM_HOLE,
    HIGH_SHIFT,
    LOW_MASK,
    MOST,
    SUIT_SHIFT,
    RankError,
)
from pitboss.ranks.orders import ORDERS, HandOrder
from pitboss.signatures import brief

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


ROW, ROW_IN_ANY_GAME, WAY = 1.3e-6, 3.5e-6, 0.2e-6
"""Seconds to rank a row in plain Python: five to seven cards in the high order, and a row in any game. If two hole
cards must play, WAY is added for each way to choose five cards."""


def evaluate_in_game(
    game: AnyGame | None, cards: Any, board: Any, compiled: bool | None = None, other: AnyGame | None = None
) -> Any:
    """Return the strength of cards in a game with this board; in a split-pot game, one strength per ranking."""
    structure = find_game(given_game(USUAL_GAME if game is None else game, other))
    numpy = sys.modules.get("numpy")
    made: tuple[Any, ...]
    if numpy is not None and (isinstance(cards, numpy.ndarray) or isinstance(board, numpy.ndarray)):
        made = _array_strengths(structure, _array(cards), _array(() if board is None else board), compiled)
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


def _array_strengths(
    structure: Structure, hole: "NDArray[Any]", board: "NDArray[Any]", compiled: bool | None
) -> tuple[Any, ...]:
    """Return the strengths of all rows under each ranking; hole cards and boards are broadcast together."""
    import numpy as np

    try:
        shape = np.broadcast_shapes(hole.shape[:-1], board.shape[:-1])
    except ValueError:
        raise RankError(f"hole cards of shape {hole.shape} and boards of shape {board.shape} do not match") from None
    sides = [np.broadcast_to(cards, (*shape, cards.shape[-1])) for cards in (hole, board)]
    held = np.ascontiguousarray(np.concatenate(sides, axis=-1)).reshape(-1, hole.shape[-1] + board.shape[-1])
    judged = [replace(structure, showdown=(ranking,)) for ranking in structure.showdown]
    found = [_ranked(one, held, hole.shape[-1], compiled).reshape(shape) for one in judged]
    return tuple([strengths if shape else int(strengths) for strengths in found])


class RowLoop(NamedTuple):
    """A compiled loop that writes strengths, its switch, and a function that makes its first arguments."""

    function: Callable[[], CompiledFunction]
    switch: Switch
    tables: Callable[[], tuple[Any, ...]]


def _ranked(structure: Structure, held: "NDArray[Any]", hole: int, compiled: bool | None) -> "NDArray[Any]":
    """Return the strengths of rows, `hole` hole cards and then the board, under a game's only ranking."""
    import numpy as np

    [ranking] = structure.showdown
    kind = np.dtype(f"uint{32 if structure.wild else ORDERS[ranking.order].strength_bits}")
    loop = None if structure.wild else _loop(ranking, held.shape[-1], hole)

    def rank(cards: Sequence[Card]) -> int:
        return showdown.strengths(structure, cards[:hole], cards[hole:])[0]

    def rank_plain() -> "NDArray[Any]":
        return np.array([arrays.rank_row(row, number, rank) for number, row in enumerate(held.tolist())], kind)

    def rank_compiled() -> "NDArray[Any]":
        assert loop is not None
        arrays.rank_row(held[0].tolist(), 0, rank)  # it refuses a wrong number of cards
        strengths = np.zeros(len(held), kind)
        arrays.rank_pieces(held, strengths, partial(loop.function(), *loop.tables()), rank, compiled=True)
        return strengths

    if loop is None and compiled:
        raise RankError(f"compiled: {held.shape[-1]} cards in {structure.name} are ranked in plain Python only")
    if loop is None or not len(held):
        return rank_plain()
    ways = comb(hole, FROM_HOLE) * comb(held.shape[-1] - hole, FROM_BOARD) if ranking.from_two else 0
    return loop.switch.run(len(held) * (ROW_IN_ANY_GAME + ways * WAY), rank_plain, rank_compiled, compiled)


def _loop(ranking: Ranking, cards: int, hole: int) -> RowLoop | None:
    """Return the compiled loop that writes strengths of this many cards, or None."""
    order = ORDERS[ranking.order]
    match order.loop:
        case None:
            return None
        case "badugi":
            return _row_loop("rank_badugis", lambda: (_badugi_bits(),))
        case "low":
            return _row_loop("rank_lows", lambda: (_lows(), hole if ranking.from_two else 0))
    if ranking.from_two:
        return _row_loop("rank_from_two", lambda: (_ranks(order), hole))
    if order.loop_cards is not None and cards > order.loop_cards:
        return None
    function = partial(arrays.compiled_rank_loop, cards)
    return RowLoop(function, arrays.rank_switch(cards), lambda: (_row_tables(order),))


def _row_loop(name: str, tables: Callable[[], tuple[Any, ...]]) -> RowLoop:
    return RowLoop(partial(_compiled, name), _switch(name), tables)


@cache
def _switch(name: str) -> Switch:
    return Switch(partial(_compiled, name))


@cache
def _compiled(name: str) -> CompiledFunction:
    return compile_function(getattr(lookup, name), lookup, layout, purpose="the ranking of hands")


@cache
def _ranks(order: HandOrder) -> lookup.Ranks:
    return arrays.low_ranks(order) if order.tables is None else arrays.padded_ranks(order.tables, compiled=True)


@cache
def _row_tables(order: HandOrder) -> Any:
    return arrays.row_tables(_ranks(order), compiled=True)


@cache
def _badugi_bits() -> "NDArray[Any]":
    import numpy as np

    return np.array([lows.BADUGI_BITS[card] for card in DECK] + [0] * (lookup.BYTES - len(DECK)), np.int64)


@cache
def _lows() -> lookup.Lows:
    import numpy as np

    rest = [0] * (lookup.BYTES - len(DECK))
    return lookup.Lows(
        bits=np.array([1 << number for number in range(len(DECK))] + rest, np.int64),
        low_ranks=np.array([lows.BITS[card] for card in DECK] + rest, np.int64),
        lows=np.array(lows.LOWS, np.uint16),
    )


# The number that each card adds to the total, by its name and by its number. Floats are faster to add than integers of
# this size, and exact up to 53 bits.
_RANKS = plain_ranks()
_NAMES = [*[(number, number) for number in range(len(DECK))], *enumerate(DECK)]
_KEYS: dict[Any, float] = {name: float(_RANKS.keys[number]) for number, name in _NAMES}
_FIRST: dict[Any, float] = {name: key + lookup.START for name, key in _KEYS.items()}
_BITS: dict[Any, int] = {name: _RANKS.bits[number] for number, name in _NAMES}
# A suit's bit of FLUSH -> the shift of its ranks.
_SHIFTS = {1 << SUIT_SHIFT + 4 * suit + 3: lookup.RANKS * suit for suit in range(4)}
_FLUSHES = _RANKS.flushes
_PLACES = _RANKS.places
# The strengths of each block, indexed by the high ranks. This avoids an addition, and short arrays use less of the
# processor's cache.
_ENDS = dict(pairwise([*sorted(set(_RANKS.blocks)), len(_RANKS.hands)]))
_BY_START = {start: _RANKS.hands[start:end] for start, end in _ENDS.items()}
_BLOCKS = [_BY_START[start] for start in _RANKS.blocks]


@overload
def evaluate(cards: "NDArray[np.integer[Any]]", *, compiled: bool | None = None) -> "NDArray[np.uint16]": ...
@overload
def evaluate(cards: str | Sequence[Card] | Sequence[int]) -> int: ...
@overload
def evaluate(cards: Any, *, game: AnyGame, board: Any = None, compiled: bool | None = None) -> Any: ...
@overload
def evaluate(cards: Any, *, structure: AnyGame, board: Any = None, compiled: bool | None = None) -> Any: ...
@overload
def evaluate(cards: Any, *, board: Any, compiled: bool | None = None) -> Any: ...
@brief("cards", "game", "board")
def evaluate(
    cards: Any,
    *,
    game: AnyGame | None = None,
    board: Any = None,
    compiled: bool | None = None,
    structure: AnyGame | None = None,
) -> Any:
    """Return the strength of five to seven cards, as `pitboss.ranks.high` does; `high_name` names it.

    A holding is text, cards or card numbers:

    >>> evaluate("AsKsQsJsTs") > evaluate(["Ac", "Ad", "Ah", "Kc", "Kd", "2c", "3c"])
    True
    >>> evaluate((51, 47, 43, 39, 35)) == evaluate("AsKsQsJsTs")
    True

    For an integer array of card numbers of shape (..., 5 to 7) the result has shape (...). Compiled code ranks arrays
    on all cores, fastest if the numbers are bytes (np.uint8). It is loaded when plain Python has taken as long as
    loading takes; `compiled` forces compiled code (True) or plain Python (False).

    In other games the greater wins too, and 0 means no qualifying low. `board` is the shared cards, or an array of
    them; games in which exactly two hole cards play need it. A split-pot game has a strength for each part:

    >>> evaluate("AsAd2s3d", game="omaha", board="KsQs4s5hJc") == evaluate("As2sKsQs4s")
    True
    >>> evaluate("AsAd2s3d", game="omaha_hi_lo", board="KsQs4s5hJc") == (evaluate("As2sKsQs4s"), 0)
    True

    `structure` is an older name of `game`.

    There is compiled code for every game, except games with wild cards and deuce to seven with more than five cards.

    Invalid and duplicate cards are refused, with one exception: seven cards in a sequence are assumed to be different,
    because the check would take half as long again.

    >>> import numpy as np
    >>> evaluate(np.array([[51, 47, 43, 39, 35], [0, 5, 10, 15, 23]])).tolist()
    [32778, 1]
    """
    if game is not None or board is not None or structure is not None:
        return evaluate_in_game(game, cards, board, compiled, structure)
    try:
        a, b, c, d, e, f, g = cards
        total = floor(_FIRST[a] + _KEYS[b] + _KEYS[c] + _KEYS[d] + _KEYS[e] + _KEYS[f] + _KEYS[g])
        if flush := total & FLUSH:
            bits = _BITS[a] | _BITS[b] | _BITS[c] | _BITS[d] | _BITS[e] | _BITS[f] | _BITS[g]
            return _FLUSHES[bits >> _SHIFTS[flush] & lookup.SUIT_BITS]
        return _BLOCKS[total >> HIGH_SHIFT][_PLACES[total & LOW_MASK]]
    except (IndexError, KeyError, TypeError, ValueError):
        pass  # `_checked` is called outside, so that its errors have no context
    return _checked(cards, compiled)


def _checked(cards: Any, compiled: bool | None) -> Any:
    """Return the strength of cards that are not a sequence of seven valid cards. Raise an error if they have none."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(cards, numpy.ndarray):
        strengths = _rows(cards, compiled)
        return strengths if cards.ndim != 1 else int(strengths)
    return high(arrays.holding(cards))


def _rows(cards: "NDArray[Any]", wanted: bool | None) -> "NDArray[np.uint16]":
    """Return the strengths of an array's rows."""
    import numpy as np

    arrays.check_kind(cards)
    if cards.ndim == 0 or not FEWEST <= cards.shape[-1] <= MOST:
        raise RankError(f"expected an array whose last axis is five to seven cards, got shape {cards.shape}")
    held = np.ascontiguousarray(cards).reshape(-1, cards.shape[-1])

    def rank(compiled: bool) -> "NDArray[np.uint16]":
        strengths = np.empty(len(held), np.uint16)  # filled completely, or an error is raised
        loop = arrays.compiled_rank_loop(held.shape[-1]) if compiled else arrays.rank_loop(held.shape[-1])
        arrays.rank_pieces(held, strengths, partial(loop, _tables(compiled)), high, compiled)
        return strengths

    switch = arrays.rank_switch(held.shape[-1])
    return switch.run(len(held) * ROW, lambda: rank(False), lambda: rank(True), wanted).reshape(cards.shape[:-1])


@cache
def _tables(compiled: bool) -> Any:
    return arrays.row_tables(arrays.padded_ranks(STANDARD_TABLES, compiled), compiled)
