"""The strength and the name of high hands, of five cards or of three. In some games, exactly two hole cards count."""

import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Final, TypeAlias

from pitboss.cards import RANKS, SUITS, Card, check_distinct
from pitboss.ranks import lows, pairs
from pitboss.ranks.layout import (
    CLASS_SHIFT,
    FEWEST,
    FLUSH,
    FROM_BOARD,
    FROM_HOLE,
    HIGH_SHIFT,
    LOW_MASK,
    MOST,
    SHORT,
    STANDARD,
    START,
    SUIT_SHIFT,
    Layout,
    RankError,
    look_up,
    not_a_holding,
    not_in_deck,
    numbers,
    span,
)

THREE = 3
THREE_CARD_CLASSES = ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush")
"""The classes of three cards, weakest first. A straight is rarer than a flush, and so it is stronger."""

_ACE_HIGH = pairs.places(RANKS)
_LOW_STRAIGHT = (1, 2, len(RANKS))


@dataclass(frozen=True, slots=True)
class Tables:
    """The lookup tables of a deck; ``layout`` describes them."""

    layout: Layout
    keys: dict[Card, int]
    key_of: Callable[[Card], int]  #: `keys.__getitem__`
    blocks: "array[int]"
    places: "array[int]"
    flushes: "array[int]"
    hands: "array[int]"

    def best(self, cards: Iterable[Card]) -> int:
        """Return the strength of the best five of five to seven cards."""
        held = tuple(cards)
        if not FEWEST <= len(held) == len(set(held)) <= MOST:
            raise not_a_holding(held)
        try:
            total = sum(map(self.key_of, held), START)
        except KeyError as missing:
            raise not_in_deck(missing.args[0]) from None
        if total & FLUSH:
            return self._flush(total, held)
        return self.hands[self.blocks[total >> HIGH_SHIFT] + self.places[total & LOW_MASK]]

    def best_on(
        self, board: Sequence[Card], holes: Sequence[Sequence[Card]], places: Iterable[int]
    ) -> dict[int, tuple[int, ...]]:
        """Return the strength of the best five of the board and each place's cards. All cards are from one deck.

        The keys of the board are added once. For few cards a plain loop is faster than `sum` and `map`.
        """
        keys = self.keys
        made: dict[int, tuple[int, ...]] = {}
        try:
            common = START
            for card in board:
                common += keys[card]
            for place in places:
                total, hole = common, holes[place]
                for card in hole:
                    total += keys[card]
                if total & FLUSH or not FEWEST <= len(board) + len(hole) <= MOST:
                    made[place] = (self.best((*hole, *board)),)
                else:
                    made[place] = (self.hands[self.blocks[total >> HIGH_SHIFT] + self.places[total & LOW_MASK]],)
        except KeyError as missing:
            raise not_in_deck(missing.args[0]) from None
        return made

    def best_from_two(self, hole: Sequence[Card], board: Sequence[Card]) -> int:
        """Return the strength of the best hand from two hole cards and three board cards."""
        starts = [first + second for first, second in combinations(numbers(hole, self.keys), FROM_HOLE)]
        ends = [sum(three) for three in combinations(numbers(board, self.keys), FROM_BOARD)]
        blocks, places, hands = self.blocks, self.places, self.hands
        totals = [start + end for start in starts for end in ends]
        strengths = [hands[blocks[total >> HIGH_SHIFT] + places[total & LOW_MASK]] for total in totals]
        # A flush has a higher strength than the same ranks without it, so the maximum of both is correct.
        return max(*strengths, self._flush_from_two(hole, board))

    def _flush_from_two(self, hole: Sequence[Card], board: Sequence[Card]) -> int:
        on_board = [card[1] for card in board]
        suits = [suit for suit in SUITS if on_board.count(suit) >= FROM_BOARD]
        return max([self._suited_from_two(hole, board, suit) for suit in suits], default=0)

    def _suited_from_two(self, hole: Sequence[Card], board: Sequence[Card], suit: str) -> int:
        starts = list(map(sum, combinations([self._bit(card) for card in hole if card[1] == suit], FROM_HOLE)))
        ends = list(map(sum, combinations([self._bit(card) for card in board if card[1] == suit], FROM_BOARD)))
        return max([self.flushes[start + end] for start in starts for end in ends], default=0)

    def _bit(self, card: Card) -> int:
        return 1 << self.layout.ranks.index(card[0])

    def _flush(self, total: int, held: tuple[Card, ...]) -> int:
        # With five cards of a suit, seven cards cannot have four of a kind or a full house, so only the suit matters.
        suit = SUITS[((total & FLUSH) >> SUIT_SHIFT).bit_length() // 4 - 1]
        return self.flushes[sum([self._bit(card) for card in held if card[1] == suit])]


def load(layout: Layout) -> Tables:
    """Read the tables of a deck from its file, which ``build`` computes."""
    data = Path(__file__).with_name(layout.file).read_bytes()
    blocks_end = 4 * span(len(layout.ranks) - layout.split)
    places_end = blocks_end + 2 * span(layout.split)
    flushes_end = places_end + 2 * (1 << len(layout.ranks))
    keys = layout.keys()
    return Tables(
        layout=layout,
        keys=keys,
        key_of=keys.__getitem__,
        blocks=_numbers("I", data[:blocks_end]),
        places=_numbers("H", data[blocks_end:places_end]),
        flushes=_numbers("H", data[places_end:flushes_end]),
        hands=_numbers("H", data[flushes_end:]),
    )


def _numbers(code: str, data: bytes) -> "array[int]":
    numbers = array(code, data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


STANDARD_TABLES: Final[Tables] = load(STANDARD)
SHORT_TABLES: Final[Tables] = load(SHORT)


def high(cards: Iterable[Card]) -> int:
    """Return the strength of the best five of five to seven cards. A better hand has a greater strength.

    >>> high(("As", "Ad", "Kc", "Kh", "2c", "2d", "7s")) > high(("As", "Ad", "Qc", "Qh", "Kc"))
    True
    """
    return STANDARD_TABLES.best(cards)


@lru_cache(maxsize=8192)
def high_name(strength: int) -> str:
    """Return the name of the class of a strength from ``high``.

    >>> high_name(high(("5s", "4s", "3s", "2s", "As", "Ad")))
    'straight_flush'
    """
    return STANDARD.class_name(strength)


def short(cards: Iterable[Card]) -> int:
    """Return the strength in a deck of 36 cards. A flush beats a full house, and A-6-7-8-9 is a straight.

    >>> short(("As", "Ks", "9s", "8s", "6s")) > short(("Ac", "Ad", "Ah", "Kc", "Kd"))
    True
    """
    return SHORT_TABLES.best(cards)


def short_name(strength: int) -> str:
    """Return the name of the class of a strength from ``short``.

    >>> short_name(short(("As", "6d", "7c", "8c", "9c")))
    'straight'
    """
    return SHORT.class_name(strength)


def three_card(cards: Iterable[Card]) -> int:
    """Return the strength of the best three of three to seven cards: greater wins, equal ties.

    >>> three_card(("4s", "3d", "2c")) > three_card(("As", "Ks", "Js")) > three_card(("Ac", "Ad", "Kh"))
    True
    >>> three_card(("As", "2d", "3c")) < three_card(("4s", "3d", "2c"))
    True
    """
    held = tuple(cards)
    ranks = look_up(held, _ACE_HIGH, THREE)
    return max(map(_three_card_strength, combinations(ranks, THREE), combinations([card[1] for card in held], THREE)))


def _three_card_strength(ranks: tuple[int, ...], suits: tuple[str, ...]) -> int:
    low, middle, high = rising = tuple(sorted(ranks))
    flush = len(set(suits)) == 1
    straight = rising == _LOW_STRAIGHT or (low + 1, low + 2) == (middle, high)
    if low == middle == high:
        name = "three_of_a_kind"
    elif straight:
        name = "straight_flush" if flush else "straight"
        low, middle, high = (0, 0, middle) if rising == _LOW_STRAIGHT else (0, 0, high)
    elif flush:
        name = "flush"
    elif middle in (low, high):
        name, low, high = "pair", low + high - middle, middle
    else:
        name = "high_card"
    return THREE_CARD_CLASSES.index(name) << CLASS_SHIFT | (high << 8 | middle << 4 | low)


def three_card_name(strength: int) -> str:
    """Return the class of a strength of ``three_card``.

    >>> three_card_name(three_card(("As", "2s", "3s")))
    'straight_flush'
    """
    if not 0 < strength < len(THREE_CARD_CLASSES) << CLASS_SHIFT:
        raise RankError(f"expected the strength of a hand, got {strength}")
    return THREE_CARD_CLASSES[strength >> CLASS_SHIFT]


Rank: TypeAlias = Callable[[Iterable[Card]], int]

# These functions add keys of two and of three cards, which is several times faster than ranking 60 to 150 hands.
_BEST: dict[Rank, Callable[[Sequence[Card], Sequence[Card]], int]] = {
    high: STANDARD_TABLES.best_from_two,
    short: SHORT_TABLES.best_from_two,
    lows.low: lows.best_from_two,
}


def from_two(rank: Rank, hole: Iterable[Card], board: Iterable[Card]) -> int:
    """Return the highest strength by ``rank`` of two hole cards and three board cards.

    >>> royal_board = ("As", "Ks", "Qs", "Js", "Ts")
    >>> from_two(high, ("Ad", "Ac", "2d", "3c"), royal_board) == high(("Ad", "Ac", "As", "Ks", "Qs"))
    True
    """
    hole, board = tuple(hole), tuple(board)
    if len(hole) < FROM_HOLE or len(board) < FROM_BOARD:
        raise RankError(f"expected at least 2 hole and 3 board cards, got {len(hole)} and {len(board)}")
    check_distinct(hole + board)
    if rank in _BEST:
        return _BEST[rank](hole, board)
    threes = list(combinations(board, FROM_BOARD))
    return max(rank(two + three) for two in combinations(hole, FROM_HOLE) for three in threes)
