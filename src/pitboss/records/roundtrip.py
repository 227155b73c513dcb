"""Check that a record, written in another format and read again, is still played the same."""

from collections.abc import Iterator
from itertools import zip_longest

from msgspec.structs import replace

from pitboss.betting.events import BettingEvent
from pitboss.hand.events import Event, Raked, Won
from pitboss.records.lenient import replay_leniently
from pitboss.records.record import Record
from pitboss.records.replay import Replay, ReplayError


def roundtrip_difference(played: Replay, again: Record) -> str | None:
    """What is played otherwise when the record that was read again is played; None where nothing is."""
    try:
        there = replay_leniently(again)
    except ReplayError as error:
        return f"read again, {error}"
    for here, read in zip_longest(_chips_moved(played), _chips_moved(there)):
        if here != read:
            return f"{here} would be read as {read}"
    return None


def _chips_moved(played: Replay) -> Iterator[Event]:
    """What happened to the chips, in the record's money; whose cards were best is no matter of chips."""
    for event in played.events:
        if isinstance(event, Won):
            yield replace(event, order=None)
        elif isinstance(event, BettingEvent | Raked):
            yield event
