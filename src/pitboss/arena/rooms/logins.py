"""Connections from their opening to a seat: limits, pending hellos, join codes and wrong codes.

Checking a join code is slow on purpose and happens elsewhere: a hello leads to a `CodeCheck`, and its result to a
seat or a refusal. Hellos are numbered as they arrive, because checks may finish in another order. The latest hello
for a seat wins. Waiting times after wrong codes are per team and address, so that a guesser cannot lock out the team.
"""

from collections import OrderedDict, deque
from collections.abc import Callable
from itertools import count

from msgspec import Struct, field

from pitboss.arena.journal.records import Lock
from pitboss.arena.rooms.match import Match
from pitboss.arena.wire.messages import Hello, Rejected, milliseconds

FREE_WRONG_CODES = 5
"""Wrong codes without a waiting time; the next one means a wait of a second, and each further one twice as long."""
LONGEST_WAIT = 60.0
FORGIVEN_EVERY = 60.0
"""Seconds until one wrong code is forgotten, and until an address with a wrong code is no longer suspect."""
MOST_REMEMBERED = 10_000
"""Most pairs of team and address, and most suspect addresses, in memory; then the oldest are forgotten."""


class Limits(Struct, frozen=True, kw_only=True):
    """The limits of a room; times are in seconds."""

    hello: float = 10.0
    grace: float = 30.0  #: after a restart, how long a seat's clock waits for its client
    frames_a_second: float = 25.0
    burst: float = 50.0
    strikes: int = 200  #: frames over the limit until the connection is closed
    wrong_hellos: int = 5
    takeovers: int = 8  #: of one seat within `takeover_window`
    takeover_window: float = 10.0
    watchers: int = 1000
    delay: float = 0.0  #: delay of spectators
    reveal_after: float = 24 * 3600.0  #: how long after a hand of a cash table its deck becomes public
    mixing: float = 2.0  #: how long to wait for numbers; at most a quarter of a turn


class PendingConnections:
    """The sessions without a seat, in the order in which their time runs out."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._until: dict[int, float] = {}

    @property
    def due(self) -> float | None:
        """When the time of the first session is up."""
        return next(iter(self._until.values()), None)

    def add(self, session: int, now: float) -> None:
        """Add a new connection."""
        self._until[session] = now + self._patience

    def remove(self, session: int) -> None:
        """Remove a connection that has a seat or is closed."""
        self._until.pop(session, None)

    def overdue(self, now: float, is_checked: Callable[[int], bool]) -> list[int]:
        """Return the sessions whose time is up; one whose code is being checked gets more time."""
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
    """Waiting times after wrong codes. Each code that `ask` admits must be reported with `result`."""

    def __init__(self) -> None:
        self._tallies: OrderedDict[tuple[str, str, str], _Tally] = OrderedDict()
        self._suspects: OrderedDict[str, float] = OrderedDict()  # address → its last wrong code

    def ask(self, table: str, team: str, address: str, now: float) -> float:
        """Return how many seconds a code has to wait; 0: check it now."""
        tally = self._tallies.setdefault((table, team, address), _Tally(at=now))
        if now < tally.until:
            return tally.until - now
        if tally.checking and tally.left(now) + tally.checking >= FREE_WRONG_CODES:
            return 1.0  # otherwise a guesser could send many codes at the same time
        tally.checking += 1
        return 0.0

    def result(self, table: str, team: str, address: str, fits: bool | None, now: float) -> None:
        """Report whether an admitted code was right; None: it was not checked."""
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
    """A code to check against a lock, or to make a lock from; `run` is slow, and any thread may call it."""

    table: str
    session: int
    address: str
    code: str
    lock: Lock | None  #: None: make one
    salt: bytes

    def run(self) -> Lock | None:
        """Return the lock that the code opens or that was made; None if the code is wrong."""
        if self.lock is None:
            return Lock.on(self.code, self.salt)
        return self.lock if self.lock.opens(self.code) else None

    def __repr__(self) -> str:
        return f"CodeCheck({self.table}, session {self.session})"  # without the code, which must not be logged


class PendingLogin(Struct):
    """A hello whose code is being checked."""

    number: int
    hello: Hello
    wrong: Rejected  #: the answer if the code is wrong
    seat: int | None = None  #: the team's seat, if it has one
    queued: list[tuple[int, Hello]] = field(default_factory=list)  #: later hellos of new teams


class Logins:
    """The pending hellos of one table."""

    def __init__(self, match: Match, throttle: LoginThrottle, entropy: Callable[[int], bytes]) -> None:
        self._match = match
        self._throttle = throttle
        self._entropy = entropy
        self._numbers = count(1)
        self._pending: dict[int, PendingLogin] = {}
        self._new: PendingLogin | None = None  # the hello of the next new team; new teams get seats in order
        self._queued: set[int] = set()  # sessions of new teams that wait for it

    def __contains__(self, session: int) -> bool:
        """Whether a session waits for the answer to its hello."""
        return session in self._pending or session in self._queued

    @property
    def newcomers(self) -> int:
        """How many new teams may take a seat soon."""
        return len(self._queued) + (self._new is not None)

    def seat_of(self, session: int) -> int | None:
        """Return the seat that a session gets back if its code is right; None: it is a new team's."""
        return self._pending[session].seat

    def ask(self, session: int, address: str, hello: Hello, now: float) -> CodeCheck | None:
        """Return the check of a hello's code; None if it is a new team's and waits for another new team."""
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
        """Return the hello of a check with this result; its queued hellos can be checked again now."""
        pending = self._pending.pop(check.session)
        team = pending.hello.team
        if check.lock is None:
            self._new = None
        else:
            self._throttle.result(self._match.table_id, team, check.address, fits, now)
        self._queued.difference_update(session for session, _ in pending.queued)
        return pending

    def lock_of(self, team: str) -> Lock:
        """Return the lock of a team at the table; if it has none, a lock that no code opens."""
        return self._match.lock_of(team) or self._no_lock()

    def lock_for(self, team: str) -> Lock | None:
        """Return the lock for a team's code; None: it is a new team's. Raises `Rejected` if the team cannot come."""
        return self._lock_for(team)[0]

    def _lock_for(self, team: str) -> tuple[Lock | None, Rejected]:
        """Return the lock for a team's code (None: a new team) and the answer to a wrong code.

        If no code can be right, the lock is one that no code opens, so that a refusal takes as long as a wrong code.
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
    """Limits how often connections may take a seat from each other."""

    def __init__(self, most: int, window: float) -> None:
        self._most = most
        self._window = window
        self._times: dict[int, deque[float]] = {}

    def count(self, seat: int, now: float) -> int | None:
        """Count a takeover of a seat; if there were too many, return how many milliseconds to wait."""
        times = self._times.setdefault(seat, deque())
        while times and times[0] <= now - self._window:
            times.popleft()
        if len(times) >= self._most:
            return milliseconds(times[0] + self._window - now)
        times.append(now)
        return None
