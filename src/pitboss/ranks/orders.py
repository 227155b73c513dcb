"""Every order of holdings, as records in `ORDERS`.

To add an order, write a function that ranks cards and one that names strengths, and add an entry here. Hands,
`evaluate` and equities then support it in plain Python; `loop` selects the compiled loop, if there is one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from pitboss.cards import Card
from pitboss.ranks.highs import SHORT_TABLES, STANDARD_TABLES, Tables, high, high_name, short, short_name
from pitboss.ranks.layout import FEWEST
from pitboss.ranks.lows import (
    ace_to_five,
    ace_to_five_name,
    badugi,
    badugi_name,
    deuce_to_seven,
    deuce_to_seven_name,
    low,
    low_name,
)

Loop = Literal["tables", "low", "badugi"]
"""How a compiled loop looks up strengths: a table by keys, ranks as bits, or ranks and suits as bits."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HandOrder:
    """An order of holdings."""

    name: str  #: as in `Ranking.order`
    rank: Callable[[Iterable[Card]], int]  #: the strength of cards: greater wins, equal ties, 0 wins nothing
    name_of: Callable[[int], str]  #: a strength in words; empty for 0
    ace_low: bool = False  #: whether the ace is the lowest card
    strength_bits: Literal[16, 32, 64] = 64  #: size of a strength in an array
    loop: Loop | None = None  #: the compiled loop that ranks it; None: always plain Python
    tables: Tables | None = None  #: tables of its own; None: `rank` fills a copy of the standard tables
    suits: bool = True  #: whether suits count
    loop_cards: int | None = None  #: maximum number of cards for the loop; None: as many as `rank`

    @property
    def flushes_only_add(self) -> bool:
        """Whether a flush can only raise the strength of the ranks, so that equities may count boards by ranks."""
        return self.loop is not None and (self.tables is not None or not self.suits)

    @property
    def counted_from_two(self) -> bool:
        """Whether the compiled loops of equities support it with exactly two hole cards."""
        return self.loop == "low" or self.tables is not None


ORDERS: dict[str, HandOrder] = {
    order.name: order
    for order in (
        HandOrder(name="high", rank=high, name_of=high_name, strength_bits=16, loop="tables", tables=STANDARD_TABLES),
        HandOrder(name="short", rank=short, name_of=short_name, strength_bits=16, loop="tables", tables=SHORT_TABLES),
        # Eight or better: without five low cards the strength is 0.
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
        # Flushes count against a hand, so with more than five cards the ranks alone do not decide which five are worst.
        HandOrder(
            name="deuce_to_seven",
            rank=deuce_to_seven,
            name_of=deuce_to_seven_name,
            strength_bits=32,
            loop="tables",
            loop_cards=FEWEST,
        ),
        HandOrder(name="badugi", rank=badugi, name_of=badugi_name, ace_low=True, strength_bits=16, loop="badugi"),
    )
}
"""All orders by name."""
