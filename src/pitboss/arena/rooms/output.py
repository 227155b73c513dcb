"""What a room wants done: entries to write down, frames to send, connections to close, lines for the log."""

from msgspec import Struct, field

from pitboss.arena.rooms.hellos import CodeCheck
from pitboss.store.chain import Entry


class Send(Struct):
    """One frame for some sessions."""

    to: tuple[int, ...]
    frame: str


class Close(Struct):
    """A session to be closed, and why."""

    session: int
    code: int
    reason: str


class Output(Struct):
    """What the outside has to do: write the entries down, send, then close; the notes are for the log.

    Checks take a while: their results are given to `Room.checked`.
    """

    entries: list[Entry] = field(default_factory=list)
    sends: list[Send] = field(default_factory=list)
    closes: list[Close] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    checks: list[CodeCheck] = field(default_factory=list)
