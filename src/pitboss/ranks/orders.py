"""All orders of holdings.

To add an order, write a function that ranks cards and another that names strengths, and add an entry to `ORDERS`.
Hands, `evaluate` and equities then support the order in plain Python. `loop` selects a compiled loop, if there is one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from pitboss.cards import Card, is_known
from pitboss.ranks.highs import (
    SHORT_TABLES,
    STANDARD_TABLES,
    THREE,
    Tables,
    high,
    high_name,
    short,
    short_name,
    three_card,
    three_card_name,
)
from pitboss.ranks.layout import FEWEST, MOST
from pitboss.ranks.lows import (
    MOST_BADUGI,
    ace_to_five,
    ace_to_five_name,
    badugi,
    badugi_name,
    deuce_to_seven,
    deuce_to_seven_name,
    low,
    low_name,
)
from pitboss.ranks.wild import wild_high, wild_high_name

Loop = Literal["tables", "low", "badugi"]
"""How a compiled loop finds strengths: in tables by key, by the bits of ranks, or by the bits of ranks and suits."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HandOrder:
    """An order of holdings, which decides a pot or half of it."""

    name: str  #: the name in `Ranking.order`
    rank: Callable[[Iterable[Card]], int]  #: the strength of cards; 0 cannot win
    name_of: Callable[[int], str]  #: the name of a strength; empty for 0
    ace_low: bool = False  #: whether the ace is the lowest card
    strength_bits: Literal[16, 32, 64] = 64  #: the number of bits of a strength in an array
    loop: Loop | None = None  #: the compiled loop, or None if there is only plain Python
    tables: Tables | None = None  #: the tables of this order, or None if `rank` fills a copy of the standard tables
    suits: bool = True  #: whether suits count
    loop_cards: int | None = None  #: the maximum number of cards for the loop, or None if it is the same as for `rank`
    wild: Callable[[Iterable[Card], str], int] | None = None  #: the strength of cards with these wild ranks
    wild_name_of: Callable[[int], str] | None = None  #: the name of such a strength
    fewest: int = FEWEST  #: minimum number of cards
    most: int = MOST  #: maximum number of cards

    @property
    def flushes_only_add(self) -> bool:
        """Whether a flush never lowers a strength. If so, boards can be counted by their ranks for equities."""
        return self.loop is not None and (self.tables is not None or not self.suits)

    def can_rank(self, card: Card) -> bool:
        """Return whether a holding may contain this card."""
        return is_known(card) if self.tables is None else card in self.tables.keys

    @property
    def counted_from_two(self) -> bool:
        """Whether the compiled loops for equities support hands with exactly two hole cards."""
        return self.loop == "low" or self.tables is not None


ORDERS: dict[str, HandOrder] = {
    order.name: order
    for order in (
        HandOrder(
            name="high",
            rank=high,
            name_of=high_name,
            strength_bits=16,
            loop="tables",
            tables=STANDARD_TABLES,
            wild=wild_high,
            wild_name_of=wild_high_name,
        ),
        HandOrder(name="short", rank=short, name_of=short_name, strength_bits=16, loop="tables", tables=SHORT_TABLES),
        # Eight or better: the strength is 0 without five low cards.
        HandOrder(name="low", rank=low, name_of=low_name, ace_low=True, strength_bits=16, loop="low", suits=False),
        HandOrder(
            name="ace_to_five",
            rank=ace_to_five,
            name_of=ace_to_five_name,
            ace_low=True,
            strength_bits=32,
            loop="tables",
            suits=False,
        ),
        # Flushes count against a hand, so for more than five cards the ranks do not decide which five are best.
        HandOrder(
            name="deuce_to_seven",
            rank=deuce_to_seven,
            name_of=deuce_to_seven_name,
            strength_bits=32,
            loop="tables",
            loop_cards=FEWEST,
        ),
        HandOrder(
            name="badugi",
            rank=badugi,
            name_of=badugi_name,
            ace_low=True,
            strength_bits=16,
            loop="badugi",
            fewest=1,
            most=MOST_BADUGI,
        ),
        HandOrder(name="three_card", rank=three_card, name_of=three_card_name, strength_bits=16, fewest=THREE),
    )
}
"""All orders by name."""
