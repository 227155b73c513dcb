"""A recorded hand played again, move by move, by the rules.

Strict: the first impossible action is an error. `mending.py` goes on where a record is merely incomplete or odd.
"""

from msgspec import Struct

from pitboss.hand.events import Event
from pitboss.hand.hand import Hand
from pitboss.notation.chips import Amount, Unit
from pitboss.notation.document.recorded import begin, find_unit, play_out
from pitboss.notation.money import in_money
from pitboss.notation.playback import Playback, ReplayError, read_moves
from pitboss.notation.record import Record

__all__ = ["Playback", "Replay", "ReplayError", "begin", "check_end", "find_unit", "play_out", "read_moves", "replay"]


class Replay(Struct, frozen=True):
    """How a recorded hand ended when played again; amounts are in the record's own money, those of `hand` in chips."""

    hand: Hand
    unit: Unit  #: how many chips make one unit of that money
    chip_events: tuple[Event, ...]  #: what happened, in chips
    finishing_stacks: tuple[Amount, ...]
    mended: tuple[str, ...] = ()

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened; an amount with a fraction is a Decimal."""
        return in_money(self.chip_events, self.unit)


def replay(record: Record, cap: int | None = None) -> Replay:
    """Play a record to its end by the rules; what it says of finishing stacks and rake must come out.

    A record carries no cap on raises, and so there is none unless one is given: the most bets and raises a round, a big
    blind among them.

    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 f"))
    >>> replay(record).finishing_stacks
    (51, 49)
    """
    playback = play_out(record, cap)
    check_end(playback)
    return Replay(playback.hand, playback.unit, tuple(playback.events), playback.finishing_stacks())


def check_end(playback: Playback) -> None:
    """Raise `ReplayError` unless a hand is over, with the outcome that its record has."""
    if not playback.hand.over:
        raise ReplayError(f"the record stops before the hand is over, with {len(playback.record.actions)} actions")
    for difference in playback.differences():
        raise ReplayError(difference)
