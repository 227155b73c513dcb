"""The strengths of holdings in any game, under each of its rankings, alone or with a board.

In big arrays they are found by compiled code: from any five cards or from two and three, badugis from up to four. Only
deuce to seven with more than five cards is ranked plain, a row at a time.
"""

import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from pitboss.cards import DECK, Card
from pitboss.fast import ranking
from pitboss.fast.compiled import compile_function
from pitboss.fast.equity import arrays, low_tables, rows
from pitboss.hand import showdown
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.starting import find_game
from pitboss.hand.structure import Ranking, Structure
from pitboss.ranks import badugis, layout, lows
from pitboss.ranks.errors import RankError
from pitboss.ranks.highs import SHORT_TABLES, STANDARD_TABLES
from pitboss.ranks.layout import FEWEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEW = 20_000
"""Up to so many rows are ranked plain: that takes about as long as loading what was compiled."""

WIDE = ("ace_to_five", "deuce_to_seven")
"""Orders whose strengths need more than sixteen bits."""

_TABLES: dict[str, Callable[[], ranking.Ranks]] = {
    "high": partial(arrays.padded_ranks, STANDARD_TABLES, compiled=True),
    "short": partial(arrays.padded_ranks, SHORT_TABLES, compiled=True),
    "ace_to_five": low_tables.ace_to_five_ranks,
    "deuce_to_seven": low_tables.deuce_to_seven_ranks,
}


def evaluate_in(game: str | Structure | None, cards: Any, board: Any) -> Any:
    """The strength of cards in a game with this board; in a game that splits the pot, one for each of its rankings."""
    structure = NO_LIMIT_HOLDEM if game is None else find_game(game)
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

    [order] = structure.showdown

    def plain(cards: Sequence[Card]) -> int:
        return showdown.strengths(structure, cards[:hole], cards[hole:])[0]

    kind = np.uint32 if order.order in WIDE else np.uint16
    loop = _loop(order, held.shape[-1], hole) if len(held) > FEW else None
    if loop is None:
        return np.array([arrays.rank_row(row, number, plain) for number, row in enumerate(held.tolist())], kind)
    arrays.rank_row(held[0].tolist(), 0, plain)  # refuses too few cards and too many
    strengths = np.zeros(len(held), kind)
    arrays.rank_pieces(held, strengths, loop, plain, compiled=True)
    return strengths


def _loop(order: Ranking, cards: int, hole: int) -> Callable[[Any, Any], int] | None:
    """The compiled loop that writes strengths of so many cards, or none."""
    match order.order:
        case "badugi":
            return partial(_compiled("rank_badugis"), _badugi_bits())
        case "low":
            return partial(_compiled("rank_lows"), _lows(), hole if order.from_two else 0)
        case "deuce_to_seven" if cards > FEWEST and not order.from_two:
            return None
    if order.from_two:
        return partial(_compiled("rank_from_two"), _ranks(order.order), hole)
    return partial(arrays.compiled_rank_loop(cards), _row_tables(order.order))


@cache
def _compiled(name: str) -> Callable[..., int]:
    return compile_function(getattr(rows, name), rows, ranking, layout)


@cache
def _ranks(order: str) -> ranking.Ranks:
    return _TABLES[order]()


@cache
def _row_tables(order: str) -> Any:
    return arrays.row_tables(_ranks(order), compiled=True)


@cache
def _badugi_bits() -> "NDArray[Any]":
    import numpy as np

    return np.array([badugis.BITS[card] for card in DECK] + [0] * (rows.BYTES - len(DECK)), np.int64)


@cache
def _lows() -> rows.Lows:
    import numpy as np

    rest = [0] * (rows.BYTES - len(DECK))
    return rows.Lows(
        bits=np.array([1 << number for number in range(len(DECK))] + rest, np.int64),
        low_ranks=np.array([lows.BITS[card] for card in DECK] + rest, np.int64),
        lows=np.array(lows.LOWS, np.uint16),
    )
