"""Connections from their opening to a seat: limits, pending hellos, join codes and wrong codes.

Checking a join code is slow on purpose and happens elsewhere: a hello leads to a `CodeCheck`, and its result to a
seat or a refusal. Hellos are numbered as they arrive, because checks may finish in another order: the latest
hello for a seat wins. Waiting times after wrong codes are kept per team and address, so that a guesser cannot
lock out the team itself.
"""

from collections import OrderedDict, deque
from collections.abc import Callable
from itertools import count

from msgspec import Struct, field

from pitboss.arena.journal.records import Lock
from pitboss.arena.rooms.match import Match
from pitboss.arena.wire.messages import Hello, Rejected, milliseconds

FREE_WRONG_CODES = 5
"""Wrong codes that cost nothing; the next one costs a second of waiting, and each further one twice as much."""
LONGEST_WAIT = 60.0
FORGIVEN_EVERY = 60.0
"""Seconds after which one wrong code is forgotten, and an address that guessed wrong is like any other."""
MOST_REMEMBERED = 10_000
"""Teams by address, and addresses, that are remembered; beyond it the oldest are forgotten."""


class Limits(Struct, frozen=True, kw_only=True):
    """What a room puts up with; times in seconds."""

    hello: float = 10.0
    grace: float = 30.0  #: after a restart, how long a seat's clock waits for the seat
    frames_a_second: float = 25.0
    burst: float = 50.0
    strikes: int = 200  #: frames over the limit until the connection is closed
    wrong_hellos: int = 5
    takeovers: int = 8  #: of one seat within `takeover_window`
    takeover_window: float = 10.0
    watchers: int = 1000
    delay: float = 0.0  #: how long spectators lag behind
    mixing: float = 2.0  #: how long numbers are waited for; a quarter of a turn where that is less


class PendingConnections:
    """Sessions without a seat, in order of when they are closed."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._until: dict[int, float] = {}

    @property
    def due(self) -> float | None:
        """When the first of them is to be closed."""
        return next(iter(self._until.values()), None)

    def add(self, session: int, now: float) -> None:
        """A connection is open."""
        self._until[session] = now + self._patience

    def remove(self, session: int) -> None:
        """It has a seat, or is gone."""
        self._until.pop(session, None)

    def overdue(self, now: float, is_checked: Callable[[int], bool]) -> list[int]:
        """Who has put it off for too long; who has said hello and waits for us is given more time."""
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
    at: float = 0.0  #: when it was counted last
    until: float = 0.0  #: when the next code may come
    checking: int = 0

    def left(self, now: float) -> float:
        """The wrong codes that are not forgiven yet."""
        return max(0.0, self.wrong - (now - self.at) / FORGIVEN_EVERY)


class LoginThrottle:
    """See the module's docstring; each code that is let through by `ask` must be reported by `result`."""

    def __init__(self) -> None:
        self._tallies: OrderedDict[tuple[str, str, str], _Tally] = OrderedDict()
        self._suspects: OrderedDict[str, float] = OrderedDict()  # address → its last wrong code

    def ask(self, table: str, team: str, address: str, now: float) -> float:
        """How many seconds a code has to wait, 0 where it may be checked now."""
        tally = self._tallies.setdefault((table, team, address), _Tally(at=now))
        if now < tally.until:
            return tally.until - now
        if tally.checking and tally.left(now) + tally.checking >= FREE_WRONG_CODES:
            return 1.0  # otherwise many at once would be as good as many in a row
        tally.checking += 1
        return 0.0

    def result(self, table: str, team: str, address: str, fits: bool | None, now: float) -> None:
        """A code that was let through did fit, did not, or (None) was not checked after all."""
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
        """Whether a wrong code came from this address of late."""
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
    """A code to be held against a lock, or to make a lock of; `run` is slow, and may be called in any thread."""

    table: str
    session: int
    address: str
    code: str
    lock: Lock | None  #: None: one is to be made
    salt: bytes

    def run(self) -> Lock | None:
        """The lock that the code fits, or that was made; None where it does not fit."""
        if self.lock is None:
            return Lock.on(self.code, self.salt)
        return self.lock if self.lock.opens(self.code) else None

    def __repr__(self) -> str:
        return f"CodeCheck({self.table}, session {self.session})"  # a code stands in no log


class PendingLogin(Struct):
    """A hello whose code is being checked: its number, and what is answered where the code does not fit."""

    number: int
    hello: Hello
    wrong: Rejected
    seat: int | None = None  #: the team's, where it has one already
    behind: list[tuple[int, Hello]] = field(default_factory=list)  #: of new teams that came later


class Logins:
    """The hellos at one table whose codes are being checked."""

    def __init__(self, match: Match, throttle: LoginThrottle, entropy: Callable[[int], bytes]) -> None:
        self._match = match
        self._throttle = throttle
        self._entropy = entropy
        self._numbers = count(1)
        self._pending: dict[int, PendingLogin] = {}
        self._new: PendingLogin | None = None  # the new team that is being seated; seats are taken in order
        self._behind: set[int] = set()  # sessions of new teams that wait until it is

    def __contains__(self, session: int) -> bool:
        """Whether a session waits for its hello's answer."""
        return session in self._pending or session in self._behind

    @property
    def newcomers(self) -> int:
        """How many new teams may take a seat soon: their codes are being made locks of, or wait for that."""
        return len(self._behind) + (self._new is not None)

    def seat_of(self, session: int) -> int | None:
        """The seat that a session comes back to, if its code fits."""
        return self._pending[session].seat

    def ask(self, session: int, address: str, hello: Hello, now: float) -> CodeCheck | None:
        """What is to be checked for a hello; None where it is a new team's and waits for another one's."""
        match, team = self._match, hello.team
        lock, wrong = self._lock_for(team)
        if lock is None and self._new is not None:
            self._new.behind.append((session, hello))
            self._behind.add(session)
            return None
        wait = self._throttle.ask(match.table_id, team, address, now) if lock is not None else 0.0
        if wait:
            sentence = "too many wrong codes for this team from your address"
            raise Rejected("RATE_LIMITED", sentence, milliseconds(wait))
        pending = self._pending[session] = PendingLogin(next(self._numbers), hello, wrong, match.seat_of(team))
        if lock is None:
            self._new = pending
        salt = self._entropy(16) if lock is None else b""
        return CodeCheck(match.table_id, session, address, hello.join_code, lock, salt)

    def answer(self, check: CodeCheck, fits: bool | None, now: float) -> PendingLogin:
        """The hello whose code was checked, or was not (None); whoever waits behind it may ask now."""
        pending = self._pending.pop(check.session)
        team = pending.hello.team
        if check.lock is None:
            self._new = None
        else:
            self._throttle.result(self._match.table_id, team, check.address, fits, now)
        self._behind.difference_update(session for session, _ in pending.behind)
        return pending

    def lock_of(self, team: str) -> Lock:
        """The lock of a team that has a seat; where it has none, or no code, one that nothing opens."""
        taken = self._match.seat_of(team)
        lock = None if taken is None else self._match.history.seats[taken].lock
        return lock or self._no_lock()

    def _lock_for(self, team: str) -> tuple[Lock | None, Rejected]:
        """The lock that a team's code must fit, None for a new team's, and what is answered if it does not.

        Where no code would do, the lock is one that nothing opens: a refusal takes as long as a wrong code.
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
            return None, Rejected("TEAM_TAKEN", "")
        if team in teams:
            return teams[team], listed
        like = next(iter(teams.values()), None)
        return self._no_lock(like), Rejected("TEAM_UNKNOWN", f"{team!r} is not on this table's list of teams")

    def _no_lock(self, like: Lock | None = None) -> Lock:
        digest = self._entropy(16) + self._entropy(16)
        return Lock(self._entropy(16).hex(), digest.hex(), "scrypt" if like is None else like.kind)


class Takeovers:
    """How often each seat has changed hands of late; two that fight for one are slowed down."""

    def __init__(self, most: int, window: float) -> None:
        self._most = most
        self._window = window
        self._times: dict[int, deque[float]] = {}

    def count(self, seat: int, now: float) -> None:
        """A seat changes hands; raises `Rejected` where it does so too often."""
        times = self._times.setdefault(seat, deque())
        while times and times[0] <= now - self._window:
            times.popleft()
        if len(times) >= self._most:
            wait = times[0] + self._window - now
            raise Rejected("RATE_LIMITED", "this seat changes hands too often", milliseconds(wait))
        times.append(now)
