"""The actions and events of a betting round."""

from typing import TypeAlias

from msgspec import Struct


class Fold(Struct, frozen=True, forbid_unknown_fields=True, tag="fold"):
    """Give up the hand and every claim on the pot."""


class Check(Struct, frozen=True, forbid_unknown_fields=True, tag="check"):
    """Stay in without paying."""


class Call(Struct, frozen=True, forbid_unknown_fields=True, tag="call"):
    """Pay what is owed, or all chips if that is less."""


class Bet(Struct, frozen=True, forbid_unknown_fields=True, tag="bet"):
    """Make the first bet of the round."""

    to: int | None = None


class Raise(Struct, frozen=True, forbid_unknown_fields=True, tag="raise"):
    """Raise the street total to `to`, above the price."""

    to: int | None = None


class RaiseBy(Struct, frozen=True, forbid_unknown_fields=True, tag="raise_by"):
    """Add `by` chips to the street bet, including the call."""

    by: int


class AllIn(Struct, frozen=True, forbid_unknown_fields=True, tag="all_in"):
    """Put in all chips, as a call, a bet or a raise."""


BettingAction: TypeAlias = Fold | Check | Call | Bet | Raise | RaiseBy | AllIn


class Posted(Struct, frozen=True, gc=False, tag="posted"):
    """A place paid forced money: an ante, a blind, a straddle or a post. `amount` is what the stack could pay."""

    place: int
    amount: int
    live: bool  #: whether it counts toward the street bet
    all_in: bool = False


class Folded(Struct, frozen=True, gc=False, tag="folded"):
    """A place folded."""

    place: int


class Checked(Struct, frozen=True, gc=False, tag="checked"):
    """A place checked."""

    place: int


class Called(Struct, frozen=True, gc=False, tag="called"):
    """A place paid what was owed, or all its chips."""

    place: int
    amount: int
    all_in: bool = False


class BroughtIn(Struct, frozen=True, gc=False, tag="brought_in"):
    """A place paid the bring-in, or all its chips."""

    place: int
    amount: int
    all_in: bool = False


class Raised(Struct, frozen=True, gc=False, tag="raised"):
    """A place bet (`opening`) or raised."""

    place: int
    amount: int
    to: int
    opening: bool = False
    all_in: bool = False


class Refunded(Struct, frozen=True, gc=False, tag="refunded"):
    """The uncalled part of a bet was returned to its owner."""

    place: int
    amount: int


BettingEvent: TypeAlias = Posted | Folded | Checked | Called | BroughtIn | Raised | Refunded
