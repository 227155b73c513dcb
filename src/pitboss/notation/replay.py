"""A recorded hand played again, move by move, by the rules.

Strict: the first impossible action is an error. `mending.py` goes on where a record is merely incomplete or odd.
"""

from msgspec import Struct

from pitboss.hand.events import Event
from pitboss.hand.hand import Hand
from pitboss.notation.chips import Amount
from pitboss.notation.document.recorded import begin, find_unit, play_out
from pitboss.notation.playback import Playback, ReplayError, read_moves
from pitboss.notation.record import Record

__all__ = ["Playback", "Replay", "ReplayError", "begin", "find_unit", "play_out", "read_moves", "replay"]


class Replay(Struct, frozen=True):
    """How a recorded hand ended when played again."""

    hand: Hand
    events: tuple[Event, ...]
    finishing_stacks: tuple[Amount, ...]
    mended: tuple[str, ...] = ()


def replay(record: Record, cap: int | None = None) -> Replay:
    """Play a record to its end by the rules.

    A record carries no cap on raises, and so there is none unless one is given: the most bets and raises a round, a big
    blind among them.

    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 f"))
    >>> replay(record).finishing_stacks
    (51, 49)
    """
    playback = play_out(record, cap)
    if not playback.hand.over:
        raise ReplayError(f"the record stops before the hand is over, with {len(record.actions)} actions")
    return Replay(playback.hand, tuple(playback.events), playback.finishing_stacks())
