"""The output of a room: entries to write, frames to send, connections to close and lines for the log.

`Spectators` delays the output for spectators, `ResendBuffer` has the frames to send again after a reconnection, and
`TableLog` makes the lines.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, field

from pitboss.arena.equities import EquitySpot
from pitboss.arena.journal.history import History
from pitboss.arena.rooms.cash_document import NumberedDocument
from pitboss.arena.rooms.logins import CodeCheck
from pitboss.arena.rooms.match import Match
from pitboss.arena.wire.messages import Error, Hello, Lobby, write
from pitboss.arena.wire.summaries import CashSums
from pitboss.store.chain import Entry

Frames = Callable[[], Iterator[str]]
"""A series of frames. Each is made when the client has read the previous one."""

ALARM_EVERY = 60.0
"""Seconds between two alarms about a seat, so that a client with wrong numbers cannot fill the log."""
MOST_LINES, LINES_IN = 20, 10.0
"""The maximum number of log lines that clients of a table can cause in a period, and the period in seconds."""
LOBBY_EVERY = 0.5
"""The minimum number of seconds between two lobbies to spectators, against clients that leave and return quickly."""
MOST_TEAMS_NAMED = 5
"""The maximum number of missing teams in a line."""


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
    """A series of frames for some sessions. Each frame is made only when it can be written."""

    to: tuple[int, ...]
    frames: Frames


class RunOut(Struct, frozen=True):
    """The spots of a run-out that spectators see now."""

    table: str
    hand_id: str
    spots: tuple[EquitySpot, ...]


class Output(Struct):
    """The work that a room leaves to the server: write the entries, send the frames, close connections, log the notes
    and alarms, verify codes and compute equities.

    The results of the last two go to `Room.checked` and `Room.show_equities`.
    """

    entries: list[Entry] = field(default_factory=list)
    sends: list[Send | SendRow] = field(default_factory=list)
    closes: list[Close] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    checks: list[CodeCheck] = field(default_factory=list)
    run_outs: list[RunOut] = field(default_factory=list)
    is_free: bool = False  #: whether rate limits ignore the frame that caused this

    def join(self, later: "Output") -> None:
        self.entries += later.entries
        self.sends += later.sends
        self.closes += later.closes
        self.notes += later.notes
        self.alarms += later.alarms
        self.checks += later.checks
        self.run_outs += later.run_outs

    def put(self, to: tuple[int, ...], what: str | Frames) -> None:
        self.sends.append(Send(to, what) if isinstance(what, str) else SendRow(to, what))


class LateFrame(Struct):
    """A frame that is written when it is first needed."""

    make: Callable[[], str]
    written: str | None = None

    @property
    def frame(self) -> str:
        if self.written is None:
            self.written = self.make()
        return self.written


class Revealing(Struct, frozen=True):
    """The decks of a cash table up to a hand, for the present spectators."""

    number: int
    frames: Frames


Shown: TypeAlias = Lobby | str | Frames | LateFrame | RunOut | Revealing | CashSums | NumberedDocument | int | None
"""The output for spectators.

None marks the beginning of a hand. A number is the number of the last hand that is shown completely.
"""


class Spectators:
    """The sessions of the spectators, what they have seen, and what waits to be shown to them."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.sessions: set[int] = set()
        self.lobby = Lobby(players=())  #: the last one shown; unknown after a restart
        self.revealed = 0  #: the last hand of a cash table whose cards were all shown
        self.sums: CashSums | None = None  #: the last sums of a cash table that spectators were shown
        self.document = NumberedDocument(0, b"")  #: the last one shown of a cash table, if there is a delay
        self.over = False  #: whether the end of the match was shown
        self.finished = 0  #: the last hand whose end was shown
        self.waiting: deque[tuple[float, Shown]] = deque()  #: the output that waits, and the time at which it is shown
        self.lobby_waits = False  #: whether the last lobby is not sent yet
        self._next_lobby = 0.0  # when it may be sent
        self._teams = 0  # the number of teams in the last lobby that was sent
        self._hand: list[str | Frames] = []  # the frames of the current hand that were shown
        self._table: LateFrame | None = None  # the table after the last change that was shown

    @property
    def due(self) -> float | None:
        due = self.waiting[0][0] if self.waiting else None
        if self.lobby_waits:
            return self._next_lobby if due is None else min(due, self._next_lobby)
        return due

    @property
    def has_hand(self) -> bool:
        """Whether a hand was shown."""
        return bool(self._hand)

    def seen(self) -> list[str | Frames]:
        """Everything shown so far: the lobby, the current hand, the table now, and the end of the match."""
        table = [] if self._table is None else [self._table.frame]
        end = next((at for at, frame in enumerate(self._hand) if not isinstance(frame, str)), len(self._hand))
        return [write(self.lobby), *self._hand[:end], *table, *self._hand[end:]]

    def put(self, shown: Iterable[Shown], out: Output, now: float) -> None:
        """Show these frames after the delay, which can be zero."""
        if self.delay or self.sessions:
            self.waiting.extend([(now + self.delay, what) for what in shown])
            self.show(out, now)
        else:  # without spectators it need not be encoded
            for what in shown:
                self._see(what)

    def show(self, out: Output, now: float) -> None:
        """Return the frames that are due."""
        watching = tuple(self.sessions) if self.waiting or self.lobby_waits else ()
        self._send_lobby(watching, out, now)  # the last lobby comes before newer frames
        while self.waiting and self.waiting[0][0] <= now:
            what = self.waiting.popleft()[1]
            self._see(what)
            if not watching:
                continue
            if isinstance(what, str):
                out.sends.append(Send(watching, what))
            elif isinstance(what, LateFrame):
                out.sends.append(Send(watching, what.frame))
            elif isinstance(what, RunOut):
                out.run_outs.append(what)
            elif isinstance(what, Lobby):
                self.lobby_waits = True
                self._send_lobby(watching, out, now)
            elif isinstance(what, Revealing):
                out.put(watching, what.frames)
            elif isinstance(what, CashSums | NumberedDocument):
                continue
            elif what is not None and not isinstance(what, int):
                out.put(watching, what)

    def _send_lobby(self, watching: tuple[int, ...], out: Output, now: float) -> None:
        """Send the last lobby, unless a lobby with the same number of teams was sent too recently."""
        if self.lobby_waits and (now >= self._next_lobby or len(self.lobby.players) > self._teams):
            self.lobby_waits = False
            if watching:
                self._next_lobby, self._teams = now + LOBBY_EVERY, len(self.lobby.players)
                out.put(watching, write(self.lobby))

    def add(self, frame: str, out: Output) -> None:
        """Send a frame about a hand that was already shown, without delay."""
        self._hand.append(frame)
        if self.sessions:
            out.put(tuple(self.sessions), frame)

    def _see(self, what: Shown) -> None:
        if isinstance(what, str):  # nearly always
            self._hand.append(what)
            self.over = False
        elif what is None:
            self._hand, self._table = [], None
        elif isinstance(what, LateFrame):
            self._table = what
        elif isinstance(what, int):
            self.finished = what
        elif isinstance(what, Lobby):
            self.lobby = what
        elif isinstance(what, CashSums):
            self.sums = what
        elif isinstance(what, NumberedDocument):
            self.document = what
        elif isinstance(what, Revealing):
            self.revealed = what.number
        elif not isinstance(what, RunOut):
            self._hand.append(what)
            self.over = True


def missing_teams(history: History) -> str:
    """Return a line with the listed teams that are missing or, without a list, the number of taken seats.

    >>> from pitboss.arena.journal.records import Lock
    >>> lock = Lock.on("sesame", bytes(16))
    >>> missing_teams(History("T-1", teams={"Alpha": lock, "Beta": lock}))
    "0 of 2 teams have come, missing: 'Alpha', 'Beta'"
    """
    if history.teams is None:
        return f"{len(history.seats)} of {history.settings.seats} seats are taken"
    here = {taken.team for taken in history.seats.values()}
    missing = [repr(team) for team in history.teams if team not in here]
    if not missing:
        return f"all {len(history.teams)} teams have come"
    came = f"{len(history.teams) - len(missing)} of {len(history.teams)} teams have come"
    more = f" and {len(missing) - MOST_TEAMS_NAMED} more" if len(missing) > MOST_TEAMS_NAMED else ""
    return f"{came}, missing: {', '.join(missing[:MOST_TEAMS_NAMED])}{more}"


class TableLog:
    """Adds log lines to a room's output: arrivals, departures, results, wrong codes and alarms."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._begun = match.history.hands > 0
        self._lines, self._since, self._left_out = 0, 0.0, 0
        self._alarms: dict[int, float] = {}  # when each seat caused its last alarm

    def client(self, out: Output, sentence: str, now: float) -> None:
        """Add a line that a client caused; lines over the limit are only counted."""
        if now - self._since >= LINES_IN:
            if self._left_out:
                self._put(out, f"and {self._left_out} more such lines")
            self._lines, self._since, self._left_out = 0, now, 0
        self._lines += 1
        if self._lines <= MOST_LINES:
            self._put(out, sentence)
        else:
            self._left_out += 1

    def resumed(self, out: Output, session: int, seat: int, hello: Hello, now: float) -> None:
        """Warn the client, and log an alarm, if a hello contains a message number that this table has not sent."""
        seen, last = hello.resume_from, self._match.seq
        if seen is None or seen <= last:
            return
        warning = f"you have seen message {seen}, but this table has sent only {last}"
        error = Error(code="RESUME_AHEAD", msg=f"{warning}: keep your record, and ask the organiser")
        out.put((session,), write(error))
        if now - self._alarms.get(seat, -ALARM_EVERY) >= ALARM_EVERY:
            self._alarms[seat] = now
            alarm = f"ALARM: {hello.team!r} at seat {seat} has seen message {seen}, but the journal ends with message"
            why = "the end of the journal is lost, or the client invents numbers"
            out.alarms.append(f"{self._match.table_id}: {alarm} {last}: {why}")

    def away(self, out: Output, seats: Iterable[int], now: float) -> None:
        """Add a line for each seat for which the table no longer waits."""
        for seat in sorted(seats):
            self.client(out, f"{self.name(seat)} is away: the table does not wait for it", now)

    def begin(self, out: Output) -> None:
        """Add a line with the players when the match begins."""
        if not self._begun and self._match.history.hands:
            self._begun = True
            self._put(out, f"the match begins: {', '.join(map(self.name, sorted(self._match.history.seats)))}")

    def over(self, out: Output, amounts: dict[int, int]) -> None:
        """Add a line with the winners, then a line with the place and result of each team."""
        history = self._match.history
        won, places = history.winners(), history.places()
        names = " and ".join(self.name(seat) for seat in won)
        hands = f"{history.played:,} hand{'s' if history.played != 1 else ''}"
        self._put(out, f"the match is over after {hands}: {names} {'has won' if len(won) == 1 else 'tie for the win'}")
        for seat, amount in amounts.items():
            is_shared = [*places.values()].count(places[seat]) > 1
            place = f"{places[seat]}{'=' if is_shared else '.'}"
            self._put(out, f"{place:>5} {amount:>12,}  {history.seats[seat].team}")

    def arrival(self, seat: int, again: bool) -> str:
        """Return the line for a team that takes or resumes its seat."""
        history = self._match.history
        who = f"{history.seats[seat].team!r} {'is back at' if again else 'takes'} seat {seat}"
        return who if again else f"{who}; {missing_teams(history)}"

    def name(self, seat: int) -> str:
        return f"{self._match.history.seats[seat].team!r} (seat {seat})"

    def _put(self, out: Output, sentence: str) -> None:
        out.notes.append(f"{self._match.table_id}: {sentence}")


class ResendBuffer:
    """The frames of the last two hands, to send again, and the seats that may not have received that a hand is void."""

    def __init__(self, frames: Sequence[tuple[int, str]] = (), mark: int = 0, unaware: Mapping[int, int] = {}) -> None:
        self.frames = list(frames)
        self._mark = mark  # where the current hand begins in `frames`
        self._unaware = dict(unaware)  # seat → the number of the frame that voided a hand while the seat was away

    @property
    def hand(self) -> list[str]:
        return [frame for _, frame in self.frames[self._mark :]]

    def begin_hand(self) -> None:
        """Start a new hand: keep the frames of the last hand, and drop the frames of the hand before."""
        self.frames = self.frames[self._mark :]
        self._mark = len(self.frames)

    def add(self, seq: int, frame: str) -> None:
        self.frames.append((seq, frame))

    def seen(self, seat: int, resume_from: int | None, sent: int, last: int) -> int:
        """Return the number of the last frame that a seat does not need again. `sent` is the highest number so far.

        A client without `resume_from`, or with one that is too high, only needs the frames from a voided hand on.
        """
        void = self._unaware.pop(seat, 0)
        if resume_from is not None and resume_from <= sent:
            return resume_from
        return void - 1 if self.frames and self.frames[0][0] <= void else last
