"""The one written form of events, one JSON object each: journal, stream and transcript share it."""

import msgspec

from pitboss.errors import PitbossError
from pitboss.hand.events import Event

FORMAT = 1
"""The number of this written form; whoever keeps events keeps it beside them, and refuses a number he does not know."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Event)


class EventError(PitbossError, ValueError):
    """A text that is no event."""


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
        event: Event = _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise EventError(f"no event: {error}") from None
    return event
