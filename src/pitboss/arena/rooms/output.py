"""The output of a room: entries to write, frames to send, connections to close and lines for the log.

`Spectators` delays what spectators are shown, and `TableLog` makes the lines.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct, field

from pitboss.arena.equities import EquitySpot
from pitboss.arena.journal.history import History
from pitboss.arena.rooms.cash_document import NumberedDocument
from pitboss.arena.rooms.logins import CodeCheck
from pitboss.arena.rooms.match import Match
from pitboss.arena.wire.messages import CashSums, Error, Hello, Lobby, write
from pitboss.store.chain import Entry

Frames = Callable[[], Iterator[str]]
"""A series of frames, perhaps a long one, that are made as they are read."""

ALARM_EVERY = 60.0
"""Seconds between two alarms about a seat, so that a client that invents numbers cannot fill the log."""
MOST_LINES, LINES_IN = 20, 10.0
"""How many log lines the clients of a table may cause within this many seconds."""
LOBBY_EVERY = 0.5
"""Seconds between two lobbies to spectators: a client that leaves and comes back all the time costs no more."""
MOST_TEAMS_NAMED = 5
"""How many missing teams a line names."""


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
    """A series of frames for some sessions; each frame is to be made when there is room for it."""

    to: tuple[int, ...]
    frames: Frames


class RunOut(Struct, frozen=True):
    """The spots of a run-out that spectators see now."""

    table: str
    hand_id: str
    spots: tuple[EquitySpot, ...]


class Output(Struct):
    """What the caller has to do: write the entries, send, then close, and log the notes and alarms.

    Checks and equities take time. Their results go to `Room.checked` and `Room.show_equities`.
    """

    entries: list[Entry] = field(default_factory=list)
    sends: list[Send | SendRow] = field(default_factory=list)
    closes: list[Close] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    checks: list[CodeCheck] = field(default_factory=list)
    run_outs: list[RunOut] = field(default_factory=list)
    is_free: bool = False  #: whether the frame that caused this does not count toward rate limits

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


class Revealing(Struct, frozen=True):
    """The decks of a cash table up to a hand, for the spectators who watch now."""

    number: int
    frames: Frames


Shown: TypeAlias = Lobby | str | Frames | RunOut | Revealing | CashSums | NumberedDocument | int | None
"""What spectators are shown; None marks the beginning of a hand, a number the last hand shown to its end."""


class Spectators:
    """The sessions of the spectators, what they have seen, and what waits to be shown to them."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.sessions: set[int] = set()
        self.lobby = Lobby(players=())  #: the last one shown; unknown after a restart
        self.revealed = 0  #: the last hand of a cash table whose cards were all shown
        self.sums: CashSums | None = None  #: the last ones shown of a cash table
        self.document = NumberedDocument(0, b"")  #: the last one shown of a cash table, if there is a delay
        self.over = False  #: whether the end of the match was shown
        self.finished = 0  #: the last hand whose end was shown
        self.waiting: deque[tuple[float, Shown]] = deque()  #: when each is to be shown
        self.lobby_waits = False  #: whether the last lobby is yet to be sent
        self._next_lobby = 0.0  # when it may be sent
        self._teams = 0  # how many the last lobby that was sent had
        self._hand: list[str | Frames] = []  # what was shown of the current hand

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
        """Everything shown so far: the lobby, the current hand, and the end of the match."""
        return [write(self.lobby), *self._hand]

    def put(self, shown: Iterable[Shown], out: Output, now: float) -> None:
        """Show these after the delay, which may be zero."""
        if self.delay or self.sessions:
            self.waiting.extend([(now + self.delay, what) for what in shown])
            self.show(out, now)
        else:  # no spectator to write it for
            for what in shown:
                self._see(what)

    def show(self, out: Output, now: float) -> None:
        """Show everything whose time has come."""
        watching = tuple(self.sessions) if self.waiting or self.lobby_waits else ()
        self._send_lobby(watching, out, now)  # as it was before what follows
        while self.waiting and self.waiting[0][0] <= now:
            what = self.waiting.popleft()[1]
            self._see(what)
            if not watching:
                continue
            if isinstance(what, str):
                out.sends.append(Send(watching, what))
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
        """Send the last lobby, unless the one before it was sent too recently and had all teams."""
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
        if what is None:
            self._hand = []
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
            self.over = not isinstance(what, str)


def missing_teams(history: History) -> str:
    """Return which listed teams have not come yet or, without a list, how many seats are taken.

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
        """Warn the client and the log if a hello names a message that this table has never sent."""
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
        """Add a line for each seat that the table no longer waits for."""
        for seat in sorted(seats):
            self.client(out, f"{self.name(seat)} is away: the table does not wait for it", now)

    def begin(self, out: Output) -> None:
        """Name the players once the match has begun."""
        if not self._begun and self._match.history.hands:
            self._begun = True
            self._put(out, f"the match begins: {', '.join(map(self.name, sorted(self._match.history.seats)))}")

    def over(self, out: Output, amounts: dict[int, int]) -> None:
        """Name the winners, then each team with its place and result."""
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
