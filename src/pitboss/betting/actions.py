"""What a player may wish to do in a betting round; a wish can be refused.

Amounts say in their name what they mean: `to` is a street total, `by` is chips added from the stack.
Where the size is fixed, `Bet()` and `Raise()` need no number.
"""

from typing import TypeAlias

from msgspec import Struct


class Fold(Struct, frozen=True, forbid_unknown_fields=True, tag="fold"):
    """Give up the hand and every claim on the pot."""


class Check(Struct, frozen=True, forbid_unknown_fields=True, tag="check"):
    """Stay, owing nothing."""


class Call(Struct, frozen=True, forbid_unknown_fields=True, tag="call"):
    """Pay what is owed, or everything where that is less."""


class Bet(Struct, frozen=True, forbid_unknown_fields=True, tag="bet"):
    """Make the round's first bet."""

    to: int | None = None


class Raise(Struct, frozen=True, forbid_unknown_fields=True, tag="raise"):
    """Lift one's street total to `to`, above the price."""

    to: int | None = None


class RaiseBy(Struct, frozen=True, forbid_unknown_fields=True, tag="raise_by"):
    """Add `by` chips to what one has in on this street, the call among them."""

    by: int


class AllIn(Struct, frozen=True, forbid_unknown_fields=True, tag="all_in"):
    """Put in everything, as a call, a bet or a raise."""


BettingAction: TypeAlias = Fold | Check | Call | Bet | Raise | RaiseBy | AllIn
