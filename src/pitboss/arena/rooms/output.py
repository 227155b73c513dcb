"""What a room wants done: entries to write down, frames to send, connections to close, lines for the log."""

from collections.abc import Callable, Iterator

from msgspec import Struct, field

from pitboss.arena.equities import EquitySpot
from pitboss.arena.rooms.logins import CodeCheck
from pitboss.store.chain import Entry

Frames = Callable[[], Iterator[str]]
"""A row of frames, long perhaps, that is made as it is read."""


class Send(Struct):
    """One frame for some sessions."""

    to: tuple[int, ...]
    frame: str


class Close(Struct):
    """A session to be closed, and why."""

    session: int
    code: int
    reason: str


class SendRow(Struct):
    """A row of frames for some sessions, long perhaps: each is to be made when there is room for it."""

    to: tuple[int, ...]
    frames: Frames


class Ping(Struct):
    """A ping for a session; its pong shows that everything sent before it was there to be read."""

    session: int
    turn: int  #: which question follows it; 0: none


class RunOut(Struct, frozen=True):
    """The spots of a run-out that spectators are shown now."""

    table: str
    hand_id: str
    spots: tuple[EquitySpot, ...]


class Output(Struct):
    """What the outside has to do: write the entries down, send, then close; the notes are for the log, alarms loudly.

    Checks take a while: their results are given to `Room.checked`. So do equities, which go to `Room.show_equities`.
    """

    entries: list[Entry] = field(default_factory=list)
    sends: list[Send | SendRow | Ping] = field(default_factory=list)
    closes: list[Close] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    checks: list[CodeCheck] = field(default_factory=list)
    run_outs: list[RunOut] = field(default_factory=list)

    def join(self, later: "Output") -> None:
        """Have also done what was to be done later."""
        self.entries += later.entries
        self.sends += later.sends
        self.closes += later.closes
        self.notes += later.notes
        self.alarms += later.alarms
        self.checks += later.checks
        self.run_outs += later.run_outs

    def put(self, to: tuple[int, ...], what: str | Frames) -> None:
        """Have a frame sent, or a row of them."""
        self.sends.append(Send(to, what) if isinstance(what, str) else SendRow(to, what))
