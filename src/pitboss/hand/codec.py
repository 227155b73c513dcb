"""The one written form of a hand's actions and events, one JSON object each: journal and transcripts share it."""

import msgspec

from pitboss.errors import PitbossError
from pitboss.hand.actions import Action
from pitboss.hand.events import Event

FORMAT = 1
"""The number of this written form; it is stored beside what is written, and a number not known is refused."""

_encoder = msgspec.json.Encoder()
_actions = msgspec.json.Decoder(Action)
_events = msgspec.json.Decoder(Event)
_UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)


class ActionError(PitbossError, ValueError):
    """A text that is no action."""


class EventError(PitbossError, ValueError):
    """A text that is no event."""


def write_action(action: Action) -> bytes:
    """Write one action.

    >>> from pitboss.betting.actions import Raise
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
