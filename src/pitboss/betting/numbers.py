"""One round's numbers, as the betting arithmetic reads and changes them."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct


class Numbers(Struct, gc=False):
    """A round's numbers while they change, by place where indexed."""

    n: int
    stacks: list[int]  # chips behind
    bets: list[int]  # street totals
    paid: list[int]  # what antes and earlier streets took
    folded: list[bool]
    acted: list[bool]  # since raising was last reopened
    price: int  # what staying costs in total
    level: int  # what the next raise is measured from: the price, or in limit the last full bet
    step: int  # the least size of that raise
    raises: int  # how many counted toward the cap
    pot: int  # chips in the middle from before this round
    opener: int  # who spoke first
    holder: int  # who holds the initiative; -1: nobody
    turn: int  # who is asked; -1: nobody


class Seen(Protocol):
    """A round's numbers, to be read: lists, tuples or packed arrays will do."""

    @property
    def n(self) -> int: ...
    @property
    def stacks(self) -> Sequence[int]: ...
    @property
    def bets(self) -> Sequence[int]: ...
    @property
    def paid(self) -> Sequence[int]: ...
    @property
    def folded(self) -> Sequence[bool]: ...
    @property
    def acted(self) -> Sequence[bool]: ...
    @property
    def price(self) -> int: ...
    @property
    def level(self) -> int: ...
    @property
    def step(self) -> int: ...
    @property
    def raises(self) -> int: ...
    @property
    def pot(self) -> int: ...
    @property
    def opener(self) -> int: ...
    @property
    def holder(self) -> int: ...
    @property
    def turn(self) -> int: ...
