"""Arrays of card numbers: checks, the lookup tables that rank them, and ranking in pieces on all cores."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING, Any

from pitboss.cards import DECK, RANKS, SUITS, Card, CardError, is_known, read_cards
from pitboss.errors import PitbossError
from pitboss.fast import lookup
from pitboss.fast.compiled import (
    CompiledFunction,
    Function,
    add_side_by_side,
    compile_function,
    record,
    with_parts,
)
from pitboss.fast.lookup import Ranks
from pitboss.fast.switch import Switch
from pitboss.fast.threads import available_cores, in_order
from pitboss.ranks import layout
from pitboss.ranks.highs import STANDARD_TABLES, Tables
from pitboss.ranks.layout import FEWEST, HIGH_SHIFT, LOW_MASK, MOST, SUIT_SHIFT
from pitboss.ranks.orders import HandOrder

if TYPE_CHECKING:
    from numpy.typing import NDArray


PIECE = 1 << 17
NO_CARD = lookup.BYTES - 1

_NUMBERS = {card: number for number, card in enumerate(DECK)}


class NotCards(PitbossError, TypeError):
    """An argument that is neither cards nor card numbers."""


def card_numbers(cards: str | Iterable[Card]) -> tuple[int, ...]:
    """Return the numbers of cards: their places in `pitboss.cards.DECK`, four times the rank (from 0) plus the suit.

    >>> card_numbers("2c2dAs")
    (0, 1, 51)
    """
    held = read_cards(cards) if isinstance(cards, str) else tuple(cards)
    for card in held:
        if not is_known(card):
            raise CardError(f"expected a known card such as As, got {card!r}")
    return tuple([_NUMBERS[card] for card in held])


def holding(cards: Any) -> tuple[Card, ...]:
    """Return the cards of one holding, given as text, cards or card numbers."""
    if isinstance(cards, str):
        return read_cards(cards)
    if not isinstance(cards, Iterable):
        raise NotCards(f"expected cards as text, cards, card numbers or an array of numbers, got {cards!r}")
    held = tuple(cards)
    if held and not any(isinstance(card, str) for card in held):
        return tuple([_named(number) for number in held])
    return held


def _named(number: int) -> Card:
    if number not in range(len(DECK)):
        raise CardError(f"expected a card number from 0 to {len(DECK) - 1}, got {number!r}")
    return DECK[number]


def check_kind(cards: "NDArray[Any]") -> None:
    """Refuse an array that does not hold integers."""
    if cards.dtype.kind not in "iu":
        raise NotCards(f"expected an array of integers, the numbers of cards, got {cards.dtype}")


def rank_pieces(
    held: "NDArray[Any]",
    strengths: "NDArray[Any]",
    loop: Callable[[Any, Any], int],
    plain: Callable[[Sequence[Card]], Any],
    compiled: bool,
) -> None:
    """Write the strength of every row with `loop`. If a row is not valid, call `plain` with it to raise an error."""
    import numpy as np

    def work(start: int) -> int:
        given = held[start : start + PIECE]
        narrow = given.astype(np.uint8, copy=False)
        if narrow is not given and not (narrow == given).all():
            narrow = np.where(narrow == given, narrow, np.uint8(NO_CARD))
        found = int(loop(narrow if compiled else narrow.tolist(), strengths[start : start + PIECE]))
        return start + found if found >= 0 else -1

    starts = range(0, len(held), PIECE)
    cores = max(1, min(available_cores(), len(starts))) if compiled else 1
    wrong = [row for row in in_order(work, starts, cores) if row >= 0]
    if wrong:
        rank_row(held[wrong[0]].tolist(), wrong[0], plain)


def rank_row(row: list[int], number: int, plain: Callable[[Sequence[Card]], Any]) -> Any:
    """Return the strength of one row of an array; an error names the row."""
    try:
        return plain(holding(row))
    except ValueError as error:
        why = error
    raise CardError(f"row {number}: {why}")


def rank_loop(cards: int) -> Function:
    """Return the loop that ranks rows of this many cards."""
    return lookup.rank_sevens if cards == lookup.SEVEN else lookup.rank_rows


def compiled_rank_loop(cards: int) -> CompiledFunction:
    """Return `rank_loop(cards)`, compiled on its first call."""
    return _compiled(rank_loop(cards))


@cache
def _compiled(loop: Function) -> CompiledFunction:
    quick = with_parts(loop, add_cards=add_side_by_side(lookup.NO_TOTAL))
    return compile_function(quick, lookup, layout, purpose="the ranking of hands")


def rank_switch(cards: int) -> Switch:
    """Return the switch from `rank_loop(cards)` to its compiled form."""
    return _switch(rank_loop(cards))


@cache
def _switch(loop: Function) -> Switch:
    return Switch(lambda: _compiled(loop))


def row_tables(ranks: lookup.Ranks, compiled: bool) -> Any:
    """Return padded tables for `lookup.rank_rows`: in a list with one item or, compiled, an array with one record."""
    starts = [lookup.START] * lookup.BYTES + [0] * lookup.BYTES
    keys = [start + int(key) for start, key in zip(starts, [*ranks.keys, *ranks.keys], strict=True)]
    both = [int(number) for pair in zip(keys, [*ranks.bits, *ranks.bits], strict=True) for number in pair]
    unused = [0] * (lookup.AFTER_FLUSHES - len(ranks.flushes))
    tables = lookup.RowTables(both, ranks.blocks, ranks.places, [*ranks.flushes, *unused, *ranks.hands])
    if not compiled:
        return [tables]
    import numpy as np

    types = (np.int64, np.uint32, np.uint16, ranks.hands.dtype)
    fields = [(name, kind, len(getattr(tables, name))) for name, kind in zip(tables._fields, types, strict=True)]
    return np.array([tuple(tables)], record(fields))


def padded_ranks(tables: Tables, compiled: bool) -> lookup.Ranks:
    """Return a deck's tables with an entry for every 8-bit number. The bit of a number that is not a card is 0."""
    ranks = tables.layout.ranks
    keys, bits = [0] * lookup.BYTES, [0] * lookup.BYTES
    for number, card in enumerate(DECK):
        if card in tables.keys:
            keys[number] = tables.keys[card]
            bits[number] = 1 << lookup.RANKS * (number % 4) + ranks.index(card[0])
    found = lookup.Ranks(keys, bits, tables.blocks, tables.places, tables.flushes, tables.hands)
    if not compiled:
        return found
    import numpy as np

    types = (np.int64, np.int64, np.uint32, np.uint16, np.uint16, np.uint16)
    return lookup.Ranks(*[np.array(table, kind) for table, kind in zip(found, types, strict=True)])


ALL_SUITS = (1 << 4 * len(SUITS)) - 1 << SUIT_SHIFT


@cache
def low_lists(order: HandOrder) -> dict[str, list[int]]:
    """Return the tables in which a low order differs from the high order.

    The keys of a low order have no suits, or its flushes differ. In an order in which flushes count against a hand,
    only five cards are ranked. With more cards the flush alone would not determine the best low.
    """
    hands = _by_ranks(order.rank, order.loop_cards or MOST)
    if not order.suits:
        return {"keys": [STANDARD_TABLES.keys[card] & ~ALL_SUITS for card in DECK], "hands": hands}
    flushes = [0] * len(STANDARD_TABLES.flushes)
    for places in combinations(range(len(RANKS)), FEWEST):
        flushes[sum([1 << place for place in places])] = order.rank([RANKS[place] + SUITS[0] for place in places])
    return {"flushes": flushes, "hands": hands}


def low_ranks(order: HandOrder) -> Ranks:
    """Return the padded tables of a low order as arrays."""
    import numpy as np

    ranks, lists = padded_ranks(STANDARD_TABLES, compiled=True), low_lists(order)
    keys = ranks.keys & ~ALL_SUITS if "keys" in lists else ranks.keys
    return ranks._replace(keys=keys, **{n: np.array(lists[n], np.uint32) for n in ("flushes", "hands") if n in lists})


def _by_ranks(order: Callable[[tuple[Card, ...]], int], most: int) -> list[int]:
    """Return the strengths of holdings that have no flush, arranged like the standard lookup table."""
    tables = STANDARD_TABLES
    strengths = [0] * len(tables.hands)
    for cards in _holdings(most):
        total = sum([tables.keys[card] for card in cards])
        strengths[tables.blocks[total >> HIGH_SHIFT] + tables.places[total & LOW_MASK]] = order(cards)
    return strengths


def _holdings(most: int) -> Iterator[tuple[Card, ...]]:
    """Yield one holding for every combination of ranks; no holding has five cards of a suit."""
    for size in range(FEWEST, most + 1):
        for letters in combinations_with_replacement(RANKS, size):
            if all(first != fifth for first, fifth in zip(letters, letters[4:], strict=False)):
                yield tuple([letter + SUITS[place % len(SUITS)] for place, letter in enumerate(letters)])
