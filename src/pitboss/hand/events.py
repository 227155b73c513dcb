"""What may be done in a hand besides betting, what happened, and both as JSON values."""

from typing import TypeAlias

import msgspec
from msgspec import Struct

from pitboss.betting.events import BettingAction, BettingEvent
from pitboss.cards import Card
from pitboss.errors import PitbossError

FORMAT = 1
"""The number of this written form; it is stored beside what is written, and a number not known is refused."""

_encoder = msgspec.json.Encoder()

_UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)


class DealHole(Struct, frozen=True, forbid_unknown_fields=True, tag="deal_hole"):
    """Chance gives one player cards; unknown ones are `??`."""

    place: int
    cards: tuple[Card, ...]


class DealBoard(Struct, frozen=True, forbid_unknown_fields=True, tag="deal_board"):
    """Chance puts cards in the middle."""

    cards: tuple[Card, ...]


class Discard(Struct, frozen=True, forbid_unknown_fields=True, tag="discard"):
    """Change these of one's cards; none is standing pat."""

    cards: tuple[Card, ...] = ()


class Show(Struct, frozen=True, forbid_unknown_fields=True, tag="show"):
    """Turn one's cards up; `cards` names them where the deal left them unknown."""

    cards: tuple[Card, ...] = ()


class Muck(Struct, frozen=True, forbid_unknown_fields=True, tag="muck"):
    """Give up one's claim at showdown without showing."""


Action: TypeAlias = BettingAction | Discard | DealHole | DealBoard | Show | Muck


class HoleDealt(Struct, frozen=True, gc=False, tag="hole_dealt"):
    """Somebody was dealt cards that only he may see."""

    place: int
    cards: tuple[Card, ...]


class UpDealt(Struct, frozen=True, gc=False, tag="up_dealt"):
    """Somebody was dealt cards that everybody sees."""

    place: int
    cards: tuple[Card, ...]


class Discarded(Struct, frozen=True, gc=False, tag="discarded"):
    """Somebody gave away cards to change them, or none: he stands pat. Others learn how many."""

    place: int
    cards: tuple[Card, ...]


class RunBegun(Struct, frozen=True, gc=False, tag="run_begun"):
    """The board is dealt once more from where betting ended; board cards and payments that follow are this run's."""

    number: int


class BoardDealt(Struct, frozen=True, gc=False, tag="board_dealt"):
    """Cards were put in the middle."""

    street: str
    cards: tuple[Card, ...]


class Shown(Struct, frozen=True, gc=False, tag="shown"):
    """Somebody turned his cards up; `rank` is what they make in words once the board is complete (the first run's)."""

    place: int
    cards: tuple[Card, ...]
    rank: str | None = None


class Mucked(Struct, frozen=True, gc=False, tag="mucked"):
    """Somebody gave up at showdown without showing."""

    place: int


class Won(Struct, frozen=True, gc=False, tag="won"):
    """Somebody was paid out of one pot; `order` says by which ranking, None where nobody else was left."""

    place: int
    amount: int
    pot: int
    order: str | None = None


class Raked(Struct, frozen=True, gc=False, tag="raked"):
    """The house took its part of one pot before it was paid."""

    amount: int
    pot: int


Event: TypeAlias = BettingEvent | HoleDealt | UpDealt | Discarded | BoardDealt | RunBegun | Shown | Mucked | Raked | Won


_actions = msgspec.json.Decoder(Action)
_events = msgspec.json.Decoder(Event)


class ActionError(PitbossError, ValueError):
    """A text that is no action."""


class EventError(PitbossError, ValueError):
    """A text that is no event."""


def write_action(action: Action) -> bytes:
    """Write one action.

    >>> from pitboss.betting.events import Raise
    >>> write_action(Raise(to=60))
    b'{"type":"raise","to":60}'
    """
    return _encoder.encode(action)


def read_action(text: bytes | str) -> Action:
    """Read one action; the opposite of `write_action`."""
    try:
        action: Action = _actions.decode(text)
    except _UNREADABLE as error:
        raise ActionError(f"no action: {error}") from None
    return action


def write_event(event: Event) -> bytes:
    """Write one event.

    >>> from pitboss.betting.events import Called
    >>> write_event(Called(place=2, amount=20))
    b'{"type":"called","place":2,"amount":20,"all_in":false}'
    """
    return _encoder.encode(event)


def read_event(text: bytes | str) -> Event:
    """Read one event; the opposite of `write_event`."""
    try:
        event: Event = _events.decode(text)
    except _UNREADABLE as error:
        raise EventError(f"no event: {error}") from None
    return event
