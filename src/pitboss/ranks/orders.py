"""Every order of holdings: one record each, in `ORDERS`.

Another order is a function that ranks cards, one that names its strengths, and one entry here. Hands, `evaluate` and
equities then know it, in plain Python; `loop` says whether compiled code can rank it, too.
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
"""What a compiled loop looks strengths up in: a table by keys, ranks as bits, or ranks and suits as bits."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HandOrder:
    """What makes one holding better than another."""

    name: str  #: as `Ranking.order` has it
    rank: Callable[[Iterable[Card]], int]  #: the strength of cards: greater wins, equal ties, 0 wins nothing
    name_of: Callable[[int], str]  #: a strength in words; empty for 0
    ace_low: bool = False  #: an ace is the lowest card
    strength_bits: Literal[16, 32, 64] = 64  #: how many bits a strength takes in an array
    loop: Loop | None = None  #: the compiled loop that ranks it; None: it is always ranked in plain Python
    tables: Tables | None = None  #: a deck's own tables; None: `rank` fills the standard deck's where `loop` has tables
    suits: bool = True  #: suits count
    loop_cards: int | None = None  #: the most cards whose best five the loop finds; None: as many as `rank`

    @property
    def flushes_only_add(self) -> bool:
        """Whether the ranks alone tell a strength, unless five of a suit raise it: boards are counted by ranks then."""
        return self.loop is not None and (self.tables is not None or not self.suits)

    @property
    def counted_from_two(self) -> bool:
        """Whether the compiled loops of equities know it where exactly two hole cards play."""
        return self.loop == "low" or self.tables is not None


ORDERS: dict[str, HandOrder] = {
    order.name: order
    for order in (
        HandOrder(name="high", rank=high, name_of=high_name, strength_bits=16, loop="tables", tables=STANDARD_TABLES),
        HandOrder(name="short", rank=short, name_of=short_name, strength_bits=16, loop="tables", tables=SHORT_TABLES),
        # Eight or better: where no five cards are low enough the strength is 0.
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
        # Flushes count against a hand, so of more than five cards the ranks do not tell which five are the worst.
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
"""Every order by its name."""
