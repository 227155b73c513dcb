"""How a strength is looked up: a deck's tables, read from their file, and the sums that lead into them."""

import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pitboss.cards import SUITS, Card
from pitboss.ranks.layout import FEWEST, FLUSH, HIGH_SHIFT, LOW_MASK, MOST, START, SUIT_SHIFT, Layout, span
from pitboss.ranks.refusals import not_a_holding, not_in_deck


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of one deck, as ``layout`` describes them."""

    layout: Layout
    keys: dict[Card, int]
    blocks: "array[int]"
    places: "array[int]"
    flushes: "array[int]"
    hands: "array[int]"

    def best(self, cards: Iterable[Card]) -> int:
        """The strength of the best five of five to seven cards."""
        held = tuple(cards)
        if not FEWEST <= len(held) == len(set(held)) <= MOST:
            raise not_a_holding(held)
        try:
            total = sum(map(self.keys.__getitem__, held), START)
        except KeyError as missing:
            raise not_in_deck(missing.args[0]) from None
        if total & FLUSH:
            return self._flush(total, held)
        return self.hands[self.blocks[total >> HIGH_SHIFT] + self.places[total & LOW_MASK]]

    def best_joined(self, pairs: Sequence[tuple[Card, ...]], trios: Sequence[tuple[Card, ...]]) -> int:
        """The strength of the best pair and trio together; each pair and trio is added up once, not once a hand."""
        try:
            starts = [sum(map(self.keys.__getitem__, pair), START) for pair in pairs]
            ends = [sum(map(self.keys.__getitem__, trio)) for trio in trios]
        except KeyError as missing:
            raise not_in_deck(missing.args[0]) from None
        blocks, places, hands = self.blocks, self.places, self.hands
        strengths = [
            self._flush(total, pair + trio)
            if (total := start + end) & FLUSH
            else hands[blocks[total >> HIGH_SHIFT] + places[total & LOW_MASK]]
            for pair, start in zip(pairs, starts, strict=True)
            for trio, end in zip(trios, ends, strict=True)
        ]
        return max(strengths)

    def _flush(self, total: int, held: tuple[Card, ...]) -> int:
        # Seven cards with five of a suit hold neither four of a kind nor a full house: the suit alone decides.
        suit = SUITS[((total & FLUSH) >> SUIT_SHIFT).bit_length() // 4 - 1]
        ranks = self.layout.ranks
        return self.flushes[sum([1 << ranks.index(card[0]) for card in held if card[1] == suit])]


def load(layout: Layout) -> Tables:
    """Read a deck's tables from the file that ``build`` wrote."""
    data = Path(__file__).with_name(layout.file).read_bytes()
    blocks_end = 4 * span(len(layout.ranks) - layout.split)
    places_end = blocks_end + 2 * span(layout.split)
    flushes_end = places_end + 2 * (1 << len(layout.ranks))
    return Tables(
        layout=layout,
        keys=layout.keys(),
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
