"""The actions of a hand other than betting, its events, and both as JSON."""

from typing import TypeAlias

import msgspec
from msgspec import Struct

from pitboss.betting.events import BettingAction, BettingEvent
from pitboss.cards import Card
from pitboss.errors import PitbossError

FORMAT = 1
"""The version of the JSON form. It is stored with the data, and unknown versions are refused."""

_encoder = msgspec.json.Encoder()

_UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)


class DealHole(Struct, frozen=True, forbid_unknown_fields=True, tag="deal_hole"):
    """Deal a player these cards; unknown ones are `??`."""

    place: int
    cards: tuple[Card, ...]


class DealBoard(Struct, frozen=True, forbid_unknown_fields=True, tag="deal_board"):
    """Deal these cards to the board."""

    cards: tuple[Card, ...]


class Discard(Struct, frozen=True, forbid_unknown_fields=True, tag="discard"):
    """Discard these cards for new ones; an empty tuple stands pat."""

    cards: tuple[Card, ...] = ()


class Show(Struct, frozen=True, forbid_unknown_fields=True, tag="show"):
    """Show one's cards. `cards` names them if the deal did not."""

    cards: tuple[Card, ...] = ()


class Muck(Struct, frozen=True, forbid_unknown_fields=True, tag="muck"):
    """Give up the pot at showdown without showing."""


Action: TypeAlias = BettingAction | Discard | DealHole | DealBoard | Show | Muck


class HoleDealt(Struct, frozen=True, gc=False, tag="hole_dealt"):
    """A player was dealt cards that only that player may see."""

    place: int
    cards: tuple[Card, ...]


class UpDealt(Struct, frozen=True, gc=False, tag="up_dealt"):
    """A player was dealt cards that everyone sees."""

    place: int
    cards: tuple[Card, ...]


class Discarded(Struct, frozen=True, gc=False, tag="discarded"):
    """A player discarded cards, or none to stand pat. Other players only see how many."""

    place: int
    cards: tuple[Card, ...]


class RunBegun(Struct, frozen=True, gc=False, tag="run_begun"):
    """The board is run once more from where betting ended; the board cards and payments that follow are of this run."""

    number: int


class BoardDealt(Struct, frozen=True, gc=False, tag="board_dealt"):
    """Cards were dealt to the board."""

    street: str
    cards: tuple[Card, ...]


class Shown(Struct, frozen=True, gc=False, tag="shown"):
    """A player showed cards. `rank` names the hand once the board is complete (in the first run)."""

    place: int
    cards: tuple[Card, ...]
    rank: str | None = None


class Mucked(Struct, frozen=True, gc=False, tag="mucked"):
    """A player gave up at showdown without showing."""

    place: int


class Won(Struct, frozen=True, gc=False, tag="won"):
    """A player was paid from one pot. `order` names the ranking; None if no other player was left."""

    place: int
    amount: int
    pot: int
    order: str | None = None


class Raked(Struct, frozen=True, gc=False, tag="raked"):
    """The house took its rake from one pot before the pot was paid."""

    amount: int
    pot: int


Event: TypeAlias = BettingEvent | HoleDealt | UpDealt | Discarded | BoardDealt | RunBegun | Shown | Mucked | Raked | Won


_actions = msgspec.json.Decoder(Action)
_events = msgspec.json.Decoder(Event)


class ActionError(PitbossError, ValueError):
    """Text that is not a valid action."""


class EventError(PitbossError, ValueError):
    """Text that is not a valid event."""


def write_action(action: Action) -> bytes:
    """Return one action as JSON.

    >>> from pitboss.betting.events import Raise
    >>> write_action(Raise(to=60))
    b'{"type":"raise","to":60}'
    """
    return _encoder.encode(action)


def read_action(text: bytes | str) -> Action:
    """Return the action that `write_action` wrote."""
    try:
        action: Action = _actions.decode(text)
    except _UNREADABLE as error:
        raise ActionError(f"not a valid action: {error}") from None
    return action


def write_event(event: Event) -> bytes:
    """Return one event as JSON.

    >>> from pitboss.betting.events import Called
    >>> write_event(Called(place=2, amount=20))
    b'{"type":"called","place":2,"amount":20,"all_in":false}'
    """
    return _encoder.encode(event)


def read_event(text: bytes | str) -> Event:
    """Return the event that `write_event` wrote."""
    try:
        event: Event = _events.decode(text)
    except _UNREADABLE as error:
        raise EventError(f"not a valid event: {error}") from None
    return event
