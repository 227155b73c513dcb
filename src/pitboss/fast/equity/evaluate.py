"""The strength of one holding, or of every row of an array: five to seven cards each, greater wins, equal ties."""

import sys
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from math import floor
from typing import TYPE_CHECKING, Any, overload

from pitboss.cards import DECK, Card, CardError, is_known, read_cards
from pitboss.errors import PitbossError
from pitboss.fast import ranking
from pitboss.fast.blocks import available_cores, in_order
from pitboss.fast.compiled import Function, compile_function
from pitboss.fast.equity import rows
from pitboss.fast.lookup import packed_ranks, plain_ranks
from pitboss.ranks import high, layout
from pitboss.ranks.errors import RankError
from pitboss.ranks.layout import FEWEST, FLUSH, HIGH_SHIFT, LOW_MASK, MOST, SUIT_SHIFT
from pitboss.ranks.refusals import not_a_holding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SMALL = 100_000
"""Up to so many rows are ranked plain: that takes about as long as loading what was compiled."""
PIECE = 1 << 17
NO_CARD = rows.BYTES - 1

_NUMBERS = {card: number for number, card in enumerate(DECK)}


class NotCards(PitbossError, TypeError):
    """Something that holds no cards, or an array of other things than their numbers."""


def card_numbers(cards: str | Iterable[Card]) -> tuple[int, ...]:
    """The numbers of cards: their places in `pitboss.cards.DECK`, four times the rank (from 0) plus the suit.

    >>> card_numbers("2c2dAs")
    (0, 1, 51)
    """
    held = read_cards(cards) if isinstance(cards, str) else tuple(cards)
    for card in held:
        if not is_known(card):
            raise CardError(f"card {card!r} has no number: write a rank and a suit, such as As")
    return tuple([_NUMBERS[card] for card in held])


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
def evaluate(cards: Any) -> Any:
    """The strength of five to seven cards, as `pitboss.ranks.high` gives it and `high_name` names it.

    One holding is a text, cards, or card numbers:

    >>> evaluate("AsKsQsJsTs") > evaluate(["Ac", "Ad", "Ah", "Kc", "Kd", "2c", "3c"])
    True
    >>> evaluate((51, 47, 43, 39, 35)) == evaluate("AsKsQsJsTs")
    True

    An integer array of the shape (..., 5 to 7) holds card numbers, and the answer has the shape (...). Big arrays are
    ranked by compiled code on all cores, fastest where the numbers are bytes (np.uint8).

    What is no card is refused, and so is a card that stands twice. Only seven cards in a sequence, as programs with a
    loop of their own have them, are trusted to be different: looking would take half as long again.

    >>> import numpy as np
    >>> evaluate(np.array([[51, 47, 43, 39, 35], [0, 5, 10, 15, 23]])).tolist()
    [32778, 1]
    """
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
    if isinstance(cards, str):
        return high(read_cards(cards))
    if not isinstance(cards, Iterable):
        raise NotCards(f"{cards!r} holds no cards: give a text, cards, card numbers or an array of them")
    held = tuple(cards)
    if held and not any(isinstance(card, str) for card in held):
        return high([_named(number) for number in held])
    return high(held)


def _named(number: int) -> Card:
    if number not in range(len(DECK)):
        raise CardError(f"{number!r} is no card: numbers go from 0 to {len(DECK) - 1}")
    return DECK[number]


# --- arrays


def _rows(cards: "NDArray[Any]") -> "NDArray[np.uint16]":
    """The strengths of an array's rows, in pieces that go to the cores."""
    import numpy as np

    if cards.dtype.kind not in "iu":
        raise NotCards(f"an array of cards holds their numbers as integers, not {cards.dtype}")
    if cards.ndim == 0 or not FEWEST <= cards.shape[-1] <= MOST:
        raise RankError(f"an array of the shape {cards.shape} cannot be ranked: its last side is five to seven cards")
    held = np.ascontiguousarray(cards).reshape(-1, cards.shape[-1])
    strengths = np.zeros(len(held), np.uint16)
    compiled = len(held) > SMALL or bool(_compiled_rows.cache_info().currsize)
    rank = _compiled_rows() if compiled else rows.rank_rows
    ranks = _padded(compiled)
    starts = range(0, len(held), PIECE)

    def work(start: int) -> int:
        given = held[start : start + PIECE]
        narrow = given.astype(np.uint8, copy=False)
        if narrow is not given and not (narrow == given).all():
            narrow = np.where(narrow == given, narrow, np.uint8(NO_CARD))
        found = int(rank(ranks, narrow if compiled else narrow.tolist(), strengths[start : start + PIECE]))
        return start + found if found >= 0 else -1

    cores = max(1, min(available_cores(), len(starts))) if compiled else 1
    wrong = [row for row in in_order(work, starts, cores) if row >= 0]
    if wrong:
        raise _refusal(held[wrong[0]].tolist(), wrong[0])
    return strengths.reshape(cards.shape[:-1])


@cache
def _compiled_rows() -> Function:
    return compile_function(rows.rank_rows, rows, ranking, layout)


@cache
def _padded(compiled: bool) -> ranking.Ranks:
    """The tables with something to find for every number of eight bits."""
    ranks = plain_ranks()
    padded = [[*table, *[0] * (rows.BYTES - len(DECK))] for table in (ranks.keys, ranks.bits)]
    if not compiled:
        return ranks._replace(keys=padded[0], bits=padded[1])
    import numpy as np

    return packed_ranks()._replace(keys=np.array(padded[0]), bits=np.array(padded[1]))


def _refusal(row: list[int], number: int) -> ValueError:
    """Why a row has no strength."""
    try:
        why = not_a_holding([_named(card) for card in row])
    except CardError as error:
        why = error
    return CardError(f"row {number}: {why}")
