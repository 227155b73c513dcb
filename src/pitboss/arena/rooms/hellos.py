"""Who has said hello at a table and waits until his code is checked, which is slow on purpose and done elsewhere.

A hello leads to a `CodeCheck`, and its result to a seat or a refusal. Hellos are numbered as they come, because checks
may end in another order: of two connections to one seat the one that spoke last has it.
"""

from collections import deque
from collections.abc import Callable
from itertools import count

from msgspec import Struct, field

from pitboss.arena.journal.records import Lock
from pitboss.arena.rooms.guesses import Guesses
from pitboss.arena.rooms.match import Match
from pitboss.arena.v1.messages import Hello
from pitboss.arena.v1.reading import Rejected, milliseconds


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


class PendingHello(Struct):
    """A hello whose code is being checked: its number, and what is answered where the code does not fit."""

    number: int
    hello: Hello
    wrong: Rejected
    seat: int | None = None  #: the team's, where it has one already
    behind: list[tuple[int, Hello]] = field(default_factory=list)  #: of new teams that came later


class Hellos:
    """The hellos at one table whose codes are being checked."""

    def __init__(self, match: Match, guesses: Guesses, entropy: Callable[[int], bytes]) -> None:
        self._match = match
        self._guesses = guesses
        self._entropy = entropy
        self._numbers = count(1)
        self._pending: dict[int, PendingHello] = {}
        self._new: PendingHello | None = None  # the new team that is being seated; seats are taken in order
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
        wait = self._guesses.ask(match.table_id, team, address, now) if lock is not None else 0.0
        if wait:
            sentence = "too many wrong codes for this team from your address"
            raise Rejected("RATE_LIMITED", sentence, milliseconds(wait))
        pending = self._pending[session] = PendingHello(next(self._numbers), hello, wrong, match.seat_of(team))
        if lock is None:
            self._new = pending
        salt = self._entropy(16) if lock is None else b""
        return CodeCheck(match.table_id, session, address, hello.join_code, lock, salt)

    def answer(self, check: CodeCheck, fits: bool | None, now: float) -> PendingHello:
        """The hello whose code was checked, or was not (None); whoever waits behind it may ask now."""
        pending = self._pending.pop(check.session)
        team = pending.hello.team
        if check.lock is None:
            self._new = None
        else:
            self._guesses.result(self._match.table_id, team, check.address, fits, now)
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
