"""The open turn of a table: when its time is up, which seats are away, and which answers were sent too early.

A seat is away when it has said goodbye, has been disconnected for the length of a turn, or has let three turns in
a row pass (A9b). The room acts for it at once, until its next message. If every connected seat lets its turns
pass, the clocks run as usual. When the time of a turn is up, the time bank of the seat runs; it is for the whole
match, and a seat that is away does not use it. While the server checks the code of a returning team, that time is
not counted, up to the grace period.

A client that may leave out the turn number is pinged before each question. Frames keep their order, so a frame
that arrives before the pong was sent before the client read the question, and is too late. A client that never
answers pings cannot be judged that way; until the room knows this, it holds such an answer for a moment.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct, field

from pitboss.arena.rooms.match import TIMEOUTS_TO_BE_AWAY, Match
from pitboss.arena.rooms.output import Output, Ping
from pitboss.arena.wire.messages import Action, MoveMessage, Rejected, milliseconds

AT_ONCE = 0.0
"""As the time something is due: it waits for nothing and nobody."""

PONG_PATIENCE = 1.0
"""Seconds after the first ping until a connection counts as one that answers none; a quarter of a turn where less."""
ENOUGH_NAMED_TURNS = 3
"""Answers that have named their turn, and none has not, after which a connection is not pinged before questions."""
MOST_HELD_ANSWERS = 16
ANSWER_TOO_EARLY = (
    "it was sent before you can have read the open question; name the turn, or answer once you have read it"
)
TURN_NOT_NAMED = "you have named your turns until now: name this one, or answer once more"


class OpenTurn(Struct):
    """The open question; its number is that of the journal entry that led to it."""

    number: int
    seat: int
    bank_ms: int | None = None  #: what the seat may use beyond its time; None: the table has no time banks
    given: tuple[int, int | None] = (0, None)  #: its time and its bank as the question says, in milliseconds
    is_sent: bool = True  #: whether the question is sent: not to a seat that has said goodbye
    expires: float | None = None  #: when its time is up, and its bank begins to run; None: the clock does not run yet
    clock_at: float | None = None  #: after a restart, when the clock starts at the latest


class TableClock:
    """Times are seconds of whoever calls; `connected` is the room's own, by seat, and only looked at."""

    def __init__(self, match: Match, connected: Mapping[int, int], grace: float) -> None:
        self.turn: OpenTurn | None = None
        self._match = match
        self._move_time = match.move_time_ms / 1000
        self._move_time_ms = milliseconds(self._move_time)
        self._connected = connected
        self._has_banks = match.settings.time_bank_ms > 0
        self._grace = grace
        self._gone: dict[int, float] = {}  # since when nobody is connected to a seat
        self._left: set[int] = set()  # seats that have taken leave
        self._silent: set[int] = set()  # seats that let too many turns pass, and have not said a word since
        self._awaited: set[int] = set()  # seats that have not come back since a restart; clocks wait for them
        self._awaited_until = 0.0
        self._checks: Counter[int] = Counter()  # codes that are being checked, by the seat they are for
        self._held_up: dict[int, float] = {}  # seats nobody is connected to, since when such a check keeps them waiting
        self._waited: dict[int, float] = {}  # for how long checks have kept a seat waiting before
        self.taken: list[tuple[int, int]] = []  #: the seat and the milliseconds of each turn not counted yet

    # --- who is there

    def connect(self, seat: int, now: float) -> None:
        """Somebody is connected to a seat: after a restart the clock of its turn starts now, else it runs on."""
        self._end_waiting(seat, now)
        self._gone.pop(seat, None)
        self._awaited.discard(seat)
        self.heard(seat)
        turn = self.turn
        if turn is not None and turn.seat == seat and turn.clock_at is not None:
            self._start(turn, now)

    def disconnect(self, seat: int, now: float) -> None:
        """Nobody is connected to a seat any more."""
        self._gone[seat] = now
        self._begin_waiting(seat, now)

    def checking(self, seat: int | None, now: float) -> None:
        """A code is being checked for a seat, or (None) for a team that has none yet."""
        if seat is not None:
            self._checks[seat] += 1
            self._begin_waiting(seat, now)

    def checked(self, seat: int | None, now: float) -> None:
        """Such a code was checked, whether it fits or not."""
        if seat is not None:
            self._checks[seat] -= 1
            if not self._checks[seat]:
                self._end_waiting(seat, now)

    def leave(self, seat: int) -> None:
        """A seat has taken leave."""
        self._left.add(seat)

    def heard(self, seat: int) -> bool:
        """A seat has said something; whether it is back by that."""
        if seat not in self._left and seat not in self._silent:
            return False
        self._left.discard(seat)
        self._silent.discard(seat)
        return True

    def miss_turn(self, seat: int) -> None:
        """A turn was played for a seat."""
        if self._match.history.seats[seat].timeouts >= TIMEOUTS_TO_BE_AWAY:
            self._silent.add(seat)

    def resume(self, seats: Iterable[int], turn: int | None, now: float) -> None:
        """After a restart: wait for these seats, and for the one whose turn it is."""
        self._awaited, self._awaited_until = set(seats), now + self._grace
        self._gone = dict.fromkeys(self._awaited, self._awaited_until)
        for seat in self._awaited:
            self.miss_turn(seat)
        if turn is not None and (to_act := self._match.to_act) is not None:
            bank_ms = self._match.bank_ms(to_act)
            self.turn = OpenTurn(turn, to_act, bank_ms, clock_at=self._awaited_until)

    def is_away(self, seat: int, now: float) -> bool:
        """Whether a seat is not waited for."""
        if seat in self._awaited and now < self._awaited_until:
            return False
        gone = self._gone_for_good(seat)
        return seat in self._left or seat in self._silent or (gone is not None and gone <= now)

    def away(self, now: float) -> frozenset[int]:
        """The seats that are away."""
        return frozenset([seat for seat in self._match.history.seats if self.is_away(seat, now)])

    @property
    def silent(self) -> set[int]:
        """The seats that have taken leave, or let too many turns pass and have not said a word since."""
        return self._left | self._silent

    @property
    def has_players(self) -> bool:
        """Whether anybody is connected who has chips and has not taken leave; else no hand begins."""
        return any(seat in self._connected and seat not in self._left for seat in self._match.playing)

    # --- the open turn

    def open_turn(self, number: int, seat: int) -> OpenTurn:
        """Open the turn of a seat; its clock starts when that is on disk."""
        bank_ms = self._match.bank_ms(seat) if self._has_banks else None
        given = (0, bank_ms and 0) if self._is_hurried(seat) else (self._move_time_ms, bank_ms)
        turn = self.turn = OpenTurn(number, seat, bank_ms, given, is_sent=seat not in self._left)
        return turn

    def close_turn(self, now: float) -> None:
        """Close the open turn, if there is one, and keep the time it took."""
        if self.turn is not None:
            self.taken.append((self.turn.seat, self.taken_ms(now)))
            self.turn = None

    def committed(self, seq: int, now: float) -> None:
        """Everything up to this entry is on disk: start the clock of a turn that waited for it."""
        turn = self.turn
        if turn is None or turn.number > seq or turn.expires is not None or turn.clock_at is not None:
            return
        if turn.seat in self._awaited and now < self._awaited_until:
            turn.clock_at = self._awaited_until
        else:
            turn.expires = now + self._move_time

    @property
    def due(self) -> float | None:
        """When something has to be done about the open turn."""
        turn = self.turn
        if turn is None:
            return None
        if turn.expires is None:
            return turn.clock_at
        if not (self._gone or self._left or self._silent):  # nobody is missing
            return turn.expires + (turn.bank_ms or 0) / 1000
        if self._is_hurried(turn.seat):
            return AT_ONCE
        spare, gone = self._spare(turn), self._gone_for_good(turn.seat)
        expires = self._put_off(turn.seat, turn.expires + spare, self._move_time + spare)
        return expires if gone is None else min(expires, gone)

    def expire(self, now: float) -> int | None:
        """What is due is done: a clock that waited starts, or a seat's time is up; gives that seat."""
        turn, due = self.turn, self.due
        if turn is None or due is None or due > now:
            return None
        if turn.expires is not None:
            return turn.seat
        self._start(turn, now)
        return None

    def left_ms(self, now: float) -> tuple[int, int | None]:
        """What is left of the open turn's time and of its seat's bank; None where seats have none."""
        assert self.turn is not None, "nobody is asked"
        expires, bank_ms = self.turn.expires, self.turn.bank_ms
        time_ms = self._move_time_ms if expires is None else milliseconds(expires - now)
        return time_ms, None if bank_ms is None else bank_ms - self.bank_used_ms(now)

    def taken_ms(self, now: float) -> int:
        """How long the open turn has taken so far; nothing where its clock does not run yet."""
        assert self.turn is not None, "nobody is asked"
        expires = self.turn.expires
        return 0 if expires is None else max(0, round((now - expires + self._move_time) * 1000))

    def bank_used_ms(self, now: float) -> int:
        """What the open turn has used of its seat's bank."""
        turn = self.turn
        if turn is None or turn.expires is None or now <= turn.expires or not turn.bank_ms or turn.seat in self._silent:
            return 0
        gone = self._gone_for_good(turn.seat)
        until = now if gone is None else min(now, gone)
        return min(round((until - turn.expires) * 1000), turn.bank_ms)

    def _spare(self, turn: OpenTurn) -> float:
        """What of its bank a seat may use now: nothing where it is away."""
        return 0.0 if turn.seat in self._silent else (turn.bank_ms or 0) / 1000

    # --- codes that are checked

    def _begin_waiting(self, seat: int, now: float) -> None:
        if self._checks[seat] and seat in self._gone:
            self._held_up.setdefault(seat, max(now, self._awaited_until if seat in self._awaited else now))

    def _end_waiting(self, seat: int, now: float) -> None:
        """Give back what a check has taken, of the time to come back and of the open turn's."""
        began = self._held_up.get(seat)
        if began is None:
            return
        turn, ended = self.turn, min(now, began + self._patience(seat))
        whole = self._move_time
        self._gone[seat] = self._later(began, ended, self._gone[seat] + whole, whole) - whole
        if turn is not None and turn.seat == seat and turn.expires is not None:
            spare = self._spare(turn)
            turn.expires = self._later(began, ended, turn.expires + spare, whole + spare) - spare
        self._waited[seat] = self._waited.get(seat, 0.0) + max(0.0, ended - began)
        del self._held_up[seat]

    def _put_off(self, seat: int, due: float, length: float) -> float:
        """When a time of this length is up, where a check that goes on holds it up as long as one may."""
        began = self._held_up.get(seat)
        return due if began is None else self._later(began, began + self._patience(seat), due, length)

    def _later(self, began: float, ended: float, due: float, length: float) -> float:
        """When a time of this length is up, where a check has held it up; not if it was up before that."""
        return due if due <= began else due + max(0.0, ended - max(began, due - length))

    def _patience(self, seat: int) -> float:
        return max(0.0, self._grace - self._waited.get(seat, 0.0))

    def _gone_for_good(self, seat: int) -> float | None:
        """When a seat is away because nobody has been connected to it for so long; None: somebody is."""
        gone = self._gone.get(seat)
        return None if gone is None else self._put_off(seat, gone + self._move_time, self._move_time)

    def _start(self, turn: OpenTurn, now: float) -> None:
        turn.expires, turn.clock_at = now + self._move_time, None

    def _is_hurried(self, seat: int) -> bool:
        """Whether a seat is played at once although it is or may be connected."""
        return seat in self._left or (seat in self._silent and self._somebody_waits)

    @property
    def _somebody_waits(self) -> bool:
        """Whether anybody is connected who plays and answers."""
        playing, silent = self._match.playing, self.silent
        return any(seat in self._connected and seat not in silent for seat in playing)


class HeldAnswer(NamedTuple):
    """An answer that is held back, and the turn that was open when it came."""

    session: int
    turn: int
    answer: Action | MoveMessage


class PingState(Struct):
    """What pings tell of one connection."""

    deaf_at: float  #: from when on it counts as one that answers no pings
    named: int = 0  #: how many of its answers have named their turn; below 0: one has not
    answers: bool = False  #: whether it has ever answered a ping
    sent: int = 0  #: the last turn that a ping went out for
    passed: int = 0  #: the last turn whose pong has come before all that is heard now
    held: list[HeldAnswer] = field(default_factory=list)


class TurnGuard:
    """The ping states of the connections of a room; a connection that cannot be pinged has none."""

    def __init__(self, move_time: float) -> None:
        self._patience = min(PONG_PATIENCE, move_time / 4)
        self._states: dict[int, PingState] = {}
        self._holding: dict[int, float] = {}  # sessions with an answer that is held → until when, in order of time

    @property
    def due(self) -> float | None:
        """When an answer has been held long enough."""
        return next(iter(self._holding.values()), None)

    def open(self, out: Output, session: int, now: float) -> None:
        """A connection that can be pinged has a seat: find out whether it answers pings."""
        self._states[session] = PingState(now + self._patience)
        out.sends.append(Ping(session, 0))

    def close(self, session: int) -> None:
        """A connection is gone."""
        self._states.pop(session, None)
        self._holding.pop(session, None)

    def ask(self, out: Output, session: int, turn: int) -> None:
        """A question goes out next: ping whoever may answer it without naming it."""
        state = self._states.get(session)
        if state is not None and state.named < ENOUGH_NAMED_TURNS:
            state.sent = turn
            out.sends.append(Ping(session, turn))

    def hear(self, session: int, answer: Action | MoveMessage) -> None:
        """A connection answers something, and names its turn or does not."""
        state = self._states.get(session)
        if state is not None and state.named >= 0:
            state.named = -1 if answer.turn is None else state.named + 1

    def judge(self, out: Output, session: int, turn: int, answer: Action | MoveMessage, now: float) -> bool:
        """Whether an answer that names no turn counts for the open one; raises `Rejected` where it came too early.

        Where that is not known yet it is held, and False.
        """
        state = self._states.get(session)
        if state is None or state.passed >= turn:
            return True
        if state.sent != turn:  # who has named his turns so far was not pinged
            self.ask(out, session, turn)
            raise Rejected("ACTION_TOO_LATE", TURN_NOT_NAMED)
        if state.answers or len(state.held) == MOST_HELD_ANSWERS:
            raise Rejected("ACTION_TOO_LATE", ANSWER_TOO_EARLY)
        if now >= state.deaf_at:
            return True
        state.held.append(HeldAnswer(session, turn, answer))
        self._holding[session] = state.deaf_at
        return False

    def answered(self, session: int) -> list[HeldAnswer]:
        """A pong has come, perhaps before some frames are heard that were sent earlier; what was held was early."""
        state = self._states.get(session)
        if state is None:
            return []
        state.answers = True
        early, state.held = state.held, []
        self._holding.pop(session, None)
        return early

    def passed(self, session: int, turn: int) -> None:
        """All that is heard from now on was sent after the ping for this turn was read."""
        state = self._states.get(session)
        if state is not None and turn <= state.sent:
            state.passed = max(state.passed, turn)

    def expire(self, now: float) -> list[HeldAnswer]:
        """The answers that have been held long enough."""
        due: list[HeldAnswer] = []
        while self._holding and (first := next(iter(self._holding.items())))[1] <= now:
            del self._holding[first[0]]
            state = self._states[first[0]]
            due += state.held
            state.held = []
        return due
