"""What a room wants done, and what its spectators are shown at which time.

An `Output` has entries to write, frames to send, connections to close and lines for the log.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct, field

from pitboss.arena.equities import EquitySpot
from pitboss.arena.rooms.logins import CodeCheck
from pitboss.arena.wire.messages import Lobby, write
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


Shown: TypeAlias = Lobby | str | Frames | RunOut | int | None
"""What spectators are shown; None is where a hand begins, and a number that of the last hand shown to its end."""


class Spectators:
    """Spectators by session, and what is yet to be shown to them."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.sessions: set[int] = set()
        self.lobby = Lobby(players=())  #: as it was last shown: after a restart nobody knows what had been
        self.over = False  #: whether the match's end was shown
        self.finished = 0  #: the last hand whose end was shown
        self.waiting: deque[tuple[float, Shown]] = deque()  #: what is to be shown, and when
        self._hand: list[str | Frames] = []  # what was shown of the hand

    @property
    def due(self) -> float | None:
        """When something is to be shown."""
        return self.waiting[0][0] if self.waiting else None

    def seen(self) -> list[str | Frames]:
        """What everybody here has seen: who is at the table, the hand, and what ended the match."""
        return [write(self.lobby), *self._hand]

    def put(self, shown: Iterable[Shown], out: Output, now: float) -> None:
        """Show lobbies, frames and the match's end when their time comes, which may be now."""
        if self.delay or self.sessions:
            self.waiting.extend([(now + self.delay, what) for what in shown])
            self.show(out, now)
        else:  # there is nobody to write it for
            for what in shown:
                self._see(what)

    def show(self, out: Output, now: float) -> None:
        """Send the frames whose time has come."""
        watching = tuple(self.sessions) if self.waiting else ()
        while self.waiting and self.waiting[0][0] <= now:
            what = self.waiting.popleft()[1]
            self._see(what)
            if not watching:
                continue
            if isinstance(what, str):
                out.sends.append(Send(watching, what))
            elif isinstance(what, RunOut):
                out.run_outs.append(what)
            elif what is not None and not isinstance(what, int):
                out.put(watching, write(what) if isinstance(what, Lobby) else what)

    def add(self, frame: str, out: Output) -> None:
        """Send one more frame about a hand that was shown, now."""
        self._hand.append(frame)
        if self.sessions:
            out.put(tuple(self.sessions), frame)

    def _see(self, what: Shown) -> None:
        if what is None:
            self._hand = []
        elif isinstance(what, int):
            self.finished = what
        elif isinstance(what, Lobby):
            self.lobby = what
        elif not isinstance(what, RunOut):
            self._hand.append(what)
            self.over = not isinstance(what, str)
