"""The way of a connection to a seat: limits, pending hellos, join codes and wrong codes.

Checking a join code is slow on purpose and happens in another thread: a hello leads to a `CodeCheck`, and the result of
the check to a seat or a refusal. Hellos are numbered as they arrive, because checks may finish in another order. The
latest hello for a seat wins. Waiting times after wrong codes are per team and address, so that a guesser cannot lock
out the team.
"""

from collections import OrderedDict, deque
from collections.abc import Callable
from itertools import count

from msgspec import Struct, field

from pitboss.arena.hosts.host import AskParts
from pitboss.arena.journal.records import Lock
from pitboss.arena.rooms.match import Match
from pitboss.arena.wire.messages import Ask, GameView, Hello, Rejected, ServerMessage, milliseconds

FREE_WRONG_CODES = 5
"""The number of wrong codes without a waiting time. The next one leads to a wait of a second, which then doubles."""
LONGEST_WAIT = 60.0
FORGIVEN_EVERY = 60.0
"""Seconds until a wrong code is forgotten. Until then, the address from which it came is suspect."""
MOST_REMEMBERED = 10_000
"""The maximum numbers in memory of pairs of team and address, and of suspect addresses; the oldest are removed."""


class Limits(Struct, frozen=True, kw_only=True):
    """The limits of a room; times are in seconds."""

    hello: float = 10.0
    grace: float = 30.0  #: after a restart, how long a seat's clock waits for its client
    frames_a_second: float = 25.0
    burst: float = 50.0
    strikes: int = 200  #: the number of frames over the limit after which the connection is closed
    wrong_hellos: int = 5
    takeovers: int = 8  #: the maximum number of takeovers of one seat within `takeover_window`
    takeover_window: float = 10.0
    watchers: int = 1000
    delay: float = 0.0  #: delay of spectators
    reveal_after: float = 24 * 3600.0  #: how long after a hand of a cash table its deck becomes public
    mixing: float = 2.0  #: how long to wait for numbers; at most a quarter of a turn


class PendingConnections:
    """The sessions without a seat, in the order in which they expire."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._until: dict[int, float] = {}

    @property
    def due(self) -> float | None:
        """The time at which the first session expires."""
        return next(iter(self._until.values()), None)

    def add(self, session: int, now: float) -> None:
        """Add a new connection."""
        self._until[session] = now + self._patience

    def remove(self, session: int) -> None:
        """Remove a session that has got a seat or is closed."""
        self._until.pop(session, None)

    def overdue(self, now: float, is_checked: Callable[[int], bool]) -> list[int]:
        """Return the expired sessions. A session whose code is being checked gets more time."""
        late = []
        while self._until and (first := next(iter(self._until.items())))[1] <= now:
            del self._until[first[0]]
            if is_checked(first[0]):
                self.add(first[0], now)
            else:
                late.append(first[0])
        return late


class _Tally(Struct):
    """A team's wrong codes from one address."""

    wrong: float = 0.0
    at: float = 0.0  #: when the last wrong code was counted
    until: float = 0.0  #: when the next code may be checked
    checking: int = 0

    def left(self, now: float) -> float:
        """Return the wrong codes that are not forgotten yet."""
        return max(0.0, self.wrong - (now - self.at) / FORGIVEN_EVERY)


class LoginThrottle:
    """The waiting times after wrong codes. After each code that `ask` admits, call `result`."""

    def __init__(self) -> None:
        self._tallies: OrderedDict[tuple[str, str, str], _Tally] = OrderedDict()
        self._suspects: OrderedDict[str, float] = OrderedDict()  # address → its last wrong code

    def ask(self, table: str, team: str, address: str, now: float) -> float:
        """Return the seconds that a code must wait; 0 if it can be checked now."""
        tally = self._tallies.setdefault((table, team, address), _Tally(at=now))
        if now < tally.until:
            return tally.until - now
        if tally.checking and tally.left(now) + tally.checking >= FREE_WRONG_CODES:
            return 1.0  # counted before the check, so that a guesser cannot send many codes at the same time
        tally.checking += 1
        return 0.0

    def result(self, table: str, team: str, address: str, fits: bool | None, now: float) -> None:
        """Record whether an admitted code was right. None means that it was not checked."""
        key = table, team, address
        tally = self._tallies[key]
        tally.checking -= 1
        if fits is False:
            tally.wrong, tally.at = tally.left(now) + 1, now
            if tally.wrong >= FREE_WRONG_CODES:
                tally.until = now + min(LONGEST_WAIT, 2.0 ** (tally.wrong - FREE_WRONG_CODES))
            self._suspects[address] = now
            self._suspects.move_to_end(address)
            self._tallies.move_to_end(key)
        elif not tally.wrong and not tally.checking:
            del self._tallies[key]
        self._forget()

    def is_suspect(self, address: str, now: float) -> bool:
        """Whether a wrong code came from this address recently."""
        return now - self._suspects.get(address, -FORGIVEN_EVERY) < FORGIVEN_EVERY

    def _forget(self) -> None:
        while len(self._suspects) > MOST_REMEMBERED:
            self._suspects.popitem(last=False)
        while len(self._tallies) > MOST_REMEMBERED:
            key, tally = self._tallies.popitem(last=False)
            if tally.checking:
                self._tallies[key] = tally
                return


class CodeCheck(Struct, frozen=True):
    """A task: check a code against a lock, or make a lock for it. `run` is slow and can be called in any thread."""

    table: str
    session: int
    address: str
    code: str
    lock: Lock | None  #: the lock to check against; None: make one
    salt: bytes

    def run(self) -> Lock | None:
        """Return the lock if the code is right, or the new lock; None if the code is wrong."""
        if self.lock is None:
            return Lock.on(self.code, self.salt)
        return self.lock if self.lock.opens(self.code) else None

    def __repr__(self) -> str:
        return f"CodeCheck({self.table}, session {self.session})"  # leaves out the code, which must not be logged


class PendingLogin(Struct):
    """A pending hello: its code is being checked."""

    number: int
    hello: Hello
    wrong: Rejected  #: the answer if the code is wrong
    seat: int | None = None  #: the team's seat, if it has one
    queued: list[tuple[int, Hello]] = field(default_factory=list)  #: the sessions of new teams that wait for this one


class Logins:
    """The pending hellos of one table."""

    def __init__(self, match: Match, throttle: LoginThrottle, entropy: Callable[[int], bytes]) -> None:
        self._match = match
        self._throttle = throttle
        self._entropy = entropy
        self._numbers = count(1)
        self._pending: dict[int, PendingLogin] = {}
        self._new: PendingLogin | None = None  # the hello of a new team that is being checked
        self._queued: set[int] = set()  # sessions of other new teams, which wait for it

    def __contains__(self, session: int) -> bool:
        """Whether a session waits for the answer to its hello."""
        return session in self._pending or session in self._queued

    @property
    def newcomers(self) -> int:
        """The number of pending new teams, which may take a seat soon."""
        return len(self._queued) + (self._new is not None)

    def seat_of(self, session: int) -> int | None:
        """Return the seat that a session will resume if its code is right; None for a new team."""
        return self._pending[session].seat

    def ask(self, session: int, address: str, hello: Hello, now: float) -> CodeCheck | None:
        """Return the check of a hello's code; None if a new team must wait for another new team."""
        match, team = self._match, hello.team
        lock, wrong = self._lock_for(team)
        if lock is None and self._new is not None:
            self._new.queued.append((session, hello))
            self._queued.add(session)
            return None
        wait = self._throttle.ask(match.table_id, team, address, now) if lock is not None else 0.0
        if wait:
            raise Rejected("RATE_LIMITED", "too many wrong codes for this team from your address", milliseconds(wait))
        pending = self._pending[session] = PendingLogin(next(self._numbers), hello, wrong, match.seat_of(team))
        if lock is None:
            self._new = pending
        salt = self._entropy(16) if lock is None else b""
        return CodeCheck(match.table_id, session, address, hello.join_code, lock, salt)

    def answer(self, check: CodeCheck, fits: bool | None, now: float) -> PendingLogin:
        """Remove and return the hello of a finished check. The hellos that waited for it can be checked now."""
        pending = self._pending.pop(check.session)
        team = pending.hello.team
        if check.lock is None:
            self._new = None
        else:
            self._throttle.result(self._match.table_id, team, check.address, fits, now)
        self._queued.difference_update(session for session, _ in pending.queued)
        return pending

    def lock_of(self, team: str) -> Lock:
        """Return the lock of a team at the table, or a lock that no code opens."""
        return self._match.lock_of(team) or self._no_lock()

    def lock_for(self, team: str) -> Lock | None:
        """Return the lock for a team's code; None for a new team. Raise `Rejected` if the team cannot join."""
        return self._lock_for(team)[0]

    def _lock_for(self, team: str) -> tuple[Lock | None, Rejected]:
        """Return the lock for a team's code (None for a new team) and the answer to a wrong code. For a team that
        cannot join, return a lock that no code opens:

        its refusal then takes as long as the check of a wrong code.
        """
        match = self._match
        teams = match.history.teams
        taken = match.seat_of(team)
        listed = Rejected("TEAM_TAKEN", f"{team!r} is on the organiser's list with another join_code")
        if taken is not None:
            plays = Rejected("TEAM_TAKEN", f"{team!r} plays already, with another join_code")
            wrong = listed if team in (teams or ()) else plays
            return match.history.seats[taken].lock or self._no_lock(), wrong
        if teams is None:
            match.check_new(team)
            if team in match.history.former:
                played = Rejected("TEAM_TAKEN", f"{team!r} has played here before, with another join_code")
                return match.lock_of(team) or self._no_lock(), played
            return None, Rejected("TEAM_TAKEN", "")
        if team in teams:
            return teams[team], listed
        like = next(iter(teams.values()), None)
        return self._no_lock(like), Rejected("TEAM_UNKNOWN", f"{team!r} is not on this table's list of teams")

    def _no_lock(self, like: Lock | None = None) -> Lock:
        digest = self._entropy(16) + self._entropy(16)
        return Lock(self._entropy(16).hex(), digest.hex(), "scrypt" if like is None else like.kind)


class Takeovers:
    """Limits how often connections can take over a seat."""

    def __init__(self, most: int, window: float) -> None:
        self._most = most
        self._window = window
        self._times: dict[int, deque[float]] = {}

    def count(self, seat: int, now: float) -> int | None:
        """Count a takeover of a seat; if there were too many, return the milliseconds to wait."""
        times = self._times.setdefault(seat, deque())
        while times and times[0] <= now - self._window:
            times.popleft()
        if len(times) >= self._most:
            return milliseconds(times[0] + self._window - now)
        times.append(now)
        return None


class Session(Struct):
    """A player's connection."""

    seat: int | None = None
    tokens: float = 0.0
    last_frame: float = 0.0  #: when its last frame arrived
    strikes: int = 0
    wrong_hellos: int = 0
    question: int = 0  #: the last turn whose question was sent to it
    repeated: int = 0  #: the last turn whose question was sent to it twice
    address: str = ""
    hello: int = 0  #: the number of the hello that gave it its seat
    wants_new: bool = False  #: whether its questions contain only new events
    wants_table: bool = False  #: whether its questions contain the table as data
    is_own: bool = False  #: whether it is a bot of pitboss, which reads only the legal moves
    has_rules: bool = False  #: whether a question to it had the rules of the game
    sent: tuple[str, int] = ("", 0)  #: the last game of which events were sent, and the number of these events

    def parts(self, hand_id: str) -> AskParts:
        """Return what its next question in a game contains."""
        sent = self.sent[1] if self.sent[0] == hand_id else 0
        if self.is_own:
            return AskParts(sent, words=False)
        return AskParts(sent if self.wants_new else None, not self.has_rules, self.wants_table)

    def note(self, message: ServerMessage) -> None:
        """Note the number of events that this session has received."""
        if isinstance(message, Ask):
            self.sent = message.hand_id, (message.learned_from or 0) + len(message.learned)
            self.has_rules = True
        elif isinstance(message, GameView) and message.at_hand_id is not None:
            self.sent = message.at_hand_id, len(message.learned)

    def take_token(self, now: float, limits: Limits) -> bool:
        """Return whether this frame is within the rate limit. Frames over the limit are counted as strikes."""
        tokens = self.tokens + (now - self.last_frame) * limits.frames_a_second
        self.last_frame = now
        if tokens >= limits.burst:
            tokens, self.strikes = limits.burst, 0
        if tokens < 1:
            self.tokens = tokens
            self.strikes += 1
            return False
        self.tokens = tokens - 1
        return True
