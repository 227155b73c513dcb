"""The house's part of the pots: so many thousandths, up to a cap, and nothing where it ended on its first street."""

from collections.abc import Sequence

from msgspec import Struct

from pitboss.betting.pots import Pot
from pitboss.betting.refusals import SetupError


class Rake(Struct, frozen=True, kw_only=True):
    """What the house takes of a hand, rounded down to whole chips.

    >>> Rake(thousandths=50, cap=6).taken((Pot(90, (0, 1, 2)), Pot(30, (0, 1))), first_street=False)
    (4, 2)
    """

    thousandths: int  #: of all that is in the pots once uncalled bets are back: 50 is five per cent
    cap: int | None = None  #: the most of one hand
    no_flop_no_drop: bool = True  #: whether a hand that ends on its first street pays nothing

    def __post_init__(self) -> None:
        if type(self.thousandths) is not int or not 0 <= self.thousandths <= 1000:
            raise SetupError(f"a rake is 0 to 1000 thousandths of the pot, not {self.thousandths!r}")
        if self.cap is not None and (type(self.cap) is not int or self.cap < 0):
            raise SetupError(f"a cap on the rake is a whole number of chips, not {self.cap!r}")
        if type(self.no_flop_no_drop) is not bool:
            raise SetupError(f"no_flop_no_drop is True or False, not {self.no_flop_no_drop!r}")

    def taken(self, pots: Sequence[Pot], *, first_street: bool) -> tuple[int, ...]:
        """What the house takes of each pot: together the rake of the hand, from each its part."""
        if self.no_flop_no_drop and first_street:
            return (0,) * len(pots)
        total = sum(pot.amount for pot in pots)
        rake = total * self.thousandths // 1000
        if self.cap is not None and rake > self.cap:
            rake = self.cap
        parts, seen = [], 0
        for pot in pots:
            before, seen = seen, seen + pot.amount
            parts.append(rake * seen // total - rake * before // total if total else 0)
        return tuple(parts)
