"""What has happened in a betting round: facts, which never fail. `amount` is chips moved, `to` a street total."""

from typing import TypeAlias

from msgspec import Struct


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
