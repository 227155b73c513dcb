"""The actions of a betting round, and the events that they lead to."""

from typing import TypeAlias

from msgspec import Struct


class Fold(Struct, frozen=True, forbid_unknown_fields=True, tag="fold"):
    """Give up the hand.

    >>> from pitboss import Fold, Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> hand, events = hand.act(Fold())
    >>> events[0]
    Folded(place=1)
    """


class Check(Struct, frozen=True, forbid_unknown_fields=True, tag="check"):
    """Stay in without paying, if nothing is owed.

    >>> from pitboss import Call, Check, Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> hand, events = hand.act(Call())
    >>> hand, events = hand.act(Check())
    >>> events[0]
    Checked(place=0)
    """


class Call(Struct, frozen=True, forbid_unknown_fields=True, tag="call"):
    """Pay what is owed. A player with fewer chips pays all of them.

    >>> from pitboss import Call, Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> hand, events = hand.act(Call())
    >>> events
    (Called(place=1, amount=10, all_in=False),)
    """


class Bet(Struct, frozen=True, forbid_unknown_fields=True, tag="bet"):
    """Make the first bet of the round.

    >>> from pitboss import Bet, Call, Check, Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> for action in (Call(), Check(), Bet(to=40)):
    ...     hand, events = hand.act(action)
    >>> events
    (Raised(place=0, amount=40, to=40, opening=True, all_in=False),)
    """

    to: int | None = None


class Raise(Struct, frozen=True, forbid_unknown_fields=True, tag="raise"):
    """Raise the street total to `to`, above the price.

    >>> from pitboss import Hand, Raise
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> hand, events = hand.act(Raise(to=60))
    >>> events
    (Raised(place=1, amount=50, to=60, opening=False, all_in=False),)
    """

    to: int | None = None


class RaiseBy(Struct, frozen=True, forbid_unknown_fields=True, tag="raise_by"):
    """Add `by` chips to the street bet, including the call.

    >>> from pitboss import Hand, RaiseBy
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> hand, events = hand.act(RaiseBy(by=40))
    >>> events[0].to
    50
    """

    by: int


class AllIn(Struct, frozen=True, forbid_unknown_fields=True, tag="all_in"):
    """Put in all chips, as a call, a bet or a raise.

    >>> from pitboss import AllIn, Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> hand, events = hand.act(AllIn())
    >>> events[0].to
    1000
    """


BettingAction: TypeAlias = Fold | Check | Call | Bet | Raise | RaiseBy | AllIn


class Posted(Struct, frozen=True, gc=False, tag="posted"):
    """A player paid `amount` chips of forced money: an ante, a blind, a straddle or another post.

    >>> from pitboss import Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> events[0]
    Posted(place=1, amount=10, live=True, all_in=False)
    """

    place: int
    amount: int
    live: bool  #: whether the chips count toward the player's street bet
    all_in: bool = False


class Folded(Struct, frozen=True, gc=False, tag="folded"):
    """A place folded.

    >>> from pitboss import Folded
    >>> Folded(place=1).place
    1
    """

    place: int


class Checked(Struct, frozen=True, gc=False, tag="checked"):
    """A place checked.

    >>> from pitboss import Checked
    >>> Checked(place=1).place
    1
    """

    place: int


class Called(Struct, frozen=True, gc=False, tag="called"):
    """A player called, possibly all-in for less.

    >>> from pitboss import Called
    >>> Called(place=1, amount=20).amount
    20
    """

    place: int
    amount: int
    all_in: bool = False


class BroughtIn(Struct, frozen=True, gc=False, tag="brought_in"):
    """A player paid the bring-in, possibly all-in for less.

    >>> from pitboss import BroughtIn, Hand
    >>> hand, events = Hand.deal("razz", stacks=(500, 500), ante=2, bring_in=5, min_bet=20, seed=1)
    >>> hand, events = hand.act("call")
    >>> events
    (BroughtIn(place=1, amount=5, all_in=False),)
    """

    place: int
    amount: int
    all_in: bool = False


class Raised(Struct, frozen=True, gc=False, tag="raised"):
    """A player raised, or bet if `opening` is set.

    >>> from pitboss import Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> hand, events = hand.act("raise 60")
    >>> events[0].to, events[0].amount
    (60, 50)
    """

    place: int
    amount: int
    to: int
    opening: bool = False
    all_in: bool = False


class Refunded(Struct, frozen=True, gc=False, tag="refunded"):
    """The uncalled part of a bet was returned to its player.

    >>> from pitboss import Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> hand, events = hand.act("raise 60")
    >>> hand, events = hand.act("fold")
    >>> events[:2]
    (Folded(place=0), Refunded(place=1, amount=40))
    """

    place: int
    amount: int


BettingEvent: TypeAlias = Posted | Folded | Checked | Called | BroughtIn | Raised | Refunded
