"""What a player may do in a round of betting, and what happened."""

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


class Posted(Struct, frozen=True, gc=False, tag="posted"):
    """Forced money: an ante, a blind or straddle, a post; `amount` is what the stack really gave."""

    place: int
    amount: int
    live: bool  #: counts toward the street bet
    all_in: bool = False


class Folded(Struct, frozen=True, gc=False, tag="folded"):
    """Somebody gave up the hand."""

    place: int


class Checked(Struct, frozen=True, gc=False, tag="checked"):
    """Somebody stayed, owing nothing."""

    place: int


class Called(Struct, frozen=True, gc=False, tag="called"):
    """Somebody paid what was owed, or all he had."""

    place: int
    amount: int
    all_in: bool = False


class BroughtIn(Struct, frozen=True, gc=False, tag="brought_in"):
    """Somebody paid the bring-in, or all he had."""

    place: int
    amount: int
    all_in: bool = False


class Raised(Struct, frozen=True, gc=False, tag="raised"):
    """Somebody bet (`opening`) or raised."""

    place: int
    amount: int
    to: int
    opening: bool = False
    all_in: bool = False


class Refunded(Struct, frozen=True, gc=False, tag="refunded"):
    """The uncalled part of a bet went back to its owner."""

    place: int
    amount: int


BettingEvent: TypeAlias = Posted | Folded | Checked | Called | BroughtIn | Raised | Refunded
