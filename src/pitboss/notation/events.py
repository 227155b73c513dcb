"""The one written form of events, one JSON object each: journal, stream and transcript share it."""

from collections.abc import Iterable

import msgspec

from pitboss.hand.events import Event

VERSION = 1
"""Raised when an event's written form changes, so that old logs say how to read them."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Event)


class EventError(ValueError):
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


def write_log(events: Iterable[Event]) -> bytes:
    """Write events one a line, after a line that says the version."""
    return b"\n".join((_encoder.encode({"events": VERSION}), *map(write_event, events), b""))


def read_log(text: bytes) -> tuple[Event, ...]:
    """Read what `write_log` wrote."""
    head, *lines = text.splitlines()
    if head != _encoder.encode({"events": VERSION}):
        raise EventError(f"a log of events begins with {_encoder.encode({'events': VERSION}).decode()}")
    return tuple(map(read_event, lines))
