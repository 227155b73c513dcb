"""The clocks of a table: the time of the open turn, the seats that are away, and the start of the next hand.

A seat is away if it has left, has been disconnected for the length of a turn, or has missed three turns in a row (A9b).
The room acts for an away seat immediately, until the seat sends a message. If all connected seats have missed their
turns, the clocks run as usual. When the time of a turn is up, the seat's time bank runs. The bank is for the whole
match. A seat that is away does not use it. The time for checking the code of a returning team is not counted, up to the
grace period.

Hands with an away seat are slowed down, because otherwise a team could lose its match in an outage of half a minute:
each such hand takes at least `away_pace_ms`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from pitboss.arena.rooms.match import TIMEOUTS_TO_BE_AWAY, Match
from pitboss.arena.wire.messages import milliseconds

AT_ONCE = 0.0
"""A time in the past, for work that is due immediately."""


class RunningTurn(Struct):
    """The open turn. Its number is the number of the journal entry before it."""

    number: int
    seat: int
    bank_ms: int | None = None  #: the seat's time bank; None: the table has no time banks
    given: tuple[int, int | None] = (0, None)  #: the time and the time bank in the question, in milliseconds
    is_sent: bool = True  #: whether the question is sent; a seat that has left gets none
    is_repeated: bool = False  #: whether the question was sent again
    is_doubled: bool = False  #: whether it was sent again after a late answer, so that two answers may arrive
    expires: float | None = None  #: the time at which the time bank begins to run; None if the clock does not run yet
    clock_at: float | None = None  #: after a restart, the latest time at which the clock starts


class TableClock:
    """The clock of the open turn, and which seats are away; times are in the caller's seconds.

    `connected` belongs to the room and is only read here.
    """

    def __init__(self, match: Match, connected: Mapping[int, int], grace: float) -> None:
        self.turn: RunningTurn | None = None
        self._match = match
        self._move_time = match.move_time_ms / 1000
        self._move_time_ms = milliseconds(self._move_time)
        self._connected = connected
        self._has_banks = match.settings.time_bank_ms > 0
        self._grace = grace
        self._pace = match.settings.away_pace_ms / 1000
        self._began = 0.0  # when the current hand began
        self.next_hand = AT_ONCE  #: when the next hand may begin
        self._gone: dict[int, float] = {}  # seat → the time at which it lost its connection
        self._left: set[int] = set()  # seats that sent `leave`
        self._silent: set[int] = set()  # seats that missed too many turns and have not sent a message since
        self._missed: Counter[int] = Counter()  # seat → the number of turns in a row that it has missed
        self._awaited: set[int] = set()  # seats that have not connected since a restart; their clocks wait
        self._awaited_until = 0.0
        self._checks: Counter[int] = Counter()  # seat → the number of its codes that are being checked
        self._held_up: dict[int, float] = {}  # seat without a connection → the time at which a check began
        self._waited: dict[int, float] = {}  # seat → the total time of earlier checks
        self.taken: list[tuple[int, int]] = []  #: seat and milliseconds of each turn that is not counted yet

    # --- presence

    def connect(self, seat: int, now: float) -> None:
        """Note a seat's connection; after a restart this starts the clock of its turn."""
        self._end_waiting(seat, now)
        self._gone.pop(seat, None)
        self._awaited.discard(seat)
        self.note_message(seat)
        turn = self.turn
        if turn is not None and turn.seat == seat and turn.clock_at is not None:
            self._start(turn, now)

    def disconnect(self, seat: int, now: float) -> None:
        """Note that a seat has lost its connection."""
        self._gone[seat] = now
        self._begin_waiting(seat, now)

    def checking(self, seat: int | None, now: float) -> None:
        """Note that a code is being checked for a seat. None means a team without a seat."""
        if seat is not None:
            self._checks[seat] += 1
            self._begin_waiting(seat, now)

    def checked(self, seat: int | None, now: float) -> None:
        """Note that a check for a seat has ended, with any result."""
        if seat is not None:
            self._checks[seat] -= 1
            if not self._checks[seat]:
                self._end_waiting(seat, now)

    def leave(self, seat: int) -> None:
        """Note that a seat has left."""
        self._left.add(seat)

    def forget(self, seat: int) -> None:
        """Forget a seat whose team has left the table."""
        for seats in (self._left, self._silent, self._awaited):
            seats.discard(seat)
        for times in (self._gone, self._checks, self._held_up, self._waited, self._missed):
            times.pop(seat, None)

    def note_message(self, seat: int) -> bool:
        """Note a message of a seat.

        Return whether it ends an absence. In a match, only an answer resets the number of missed turns.
        """
        if self._match.settings.cash:
            self._missed.pop(seat, None)
        if seat not in self._left and seat not in self._silent:
            return False
        self._left.discard(seat)
        self._silent.discard(seat)
        return True

    def miss_turn(self, seat: int) -> None:
        """Note that the room has acted for a seat whose time was up."""
        self._count_missed(seat, self._missed[seat] + 1)

    def _count_missed(self, seat: int, missed: int) -> None:
        self._missed[seat] = min(missed, self._match.history.seats[seat].timeouts)
        if self._missed[seat] >= TIMEOUTS_TO_BE_AWAY:
            self._silent.add(seat)

    def resume(self, seats: Iterable[int], turn: int | None, now: float) -> None:
        """Wait for these seats after a restart, and reopen the turn with this number."""
        self._awaited, self._awaited_until, self._began = set(seats), now + self._grace, now
        self._gone = dict.fromkeys(self._awaited, self._awaited_until)
        for seat in self._awaited:
            self._count_missed(seat, TIMEOUTS_TO_BE_AWAY)
        if turn is not None and (to_act := self._match.to_act) is not None:
            bank_ms = self._match.bank_ms(to_act)
            self.turn = RunningTurn(turn, to_act, bank_ms, clock_at=self._awaited_until)

    def is_away(self, seat: int, now: float) -> bool:
        """Whether a seat is away."""
        if seat in self._awaited and now < self._awaited_until:
            return False
        gone = self._gone_for_good(seat)
        return seat in self._left or seat in self._silent or (gone is not None and gone <= now)

    def away(self, now: float) -> frozenset[int]:
        """The seats that are away."""
        return frozenset([seat for seat in self._match.history.seats if self.is_away(seat, now)])

    @property
    def silent(self) -> set[int]:
        """The seats that have left, or that missed too many turns and have not sent a message since."""
        return self._left | self._silent

    @property
    def has_players(self) -> bool:
        """Whether a connected seat with chips has not left. Without such a seat no hand begins."""
        return any(seat in self._connected and seat not in self._left for seat in self._match.playing)

    # --- the pace of hands

    def begin_hand(self, now: float) -> None:
        """Note that a hand begins."""
        self._began, self.next_hand = now, AT_ONCE

    def slow_down(self, seats: Iterable[int], now: float) -> None:
        """Delay the next hand if one of these seats is away and has not left."""
        if self._pace and any(seat not in self._left and self.is_away(seat, now) for seat in seats):
            self.next_hand = self._began + self._pace

    # --- the open turn

    def open_turn(self, number: int, seat: int) -> RunningTurn:
        """Open the turn of a seat; its clock starts when the entry of this number is on disk."""
        bank_ms = self._match.bank_ms(seat) if self._has_banks else None
        given = (0, bank_ms and 0) if self._is_hurried(seat) else (self._move_time_ms, bank_ms)
        is_sent = seat not in self._left and seat not in self._match.folding
        turn = self.turn = RunningTurn(number, seat, bank_ms, given, is_sent=is_sent)
        return turn

    def close_turn(self, now: float) -> None:
        """Close the open turn, if there is one, and record the time it took."""
        if self.turn is not None:
            self.taken.append((self.turn.seat, self.taken_ms(now)))
            self.turn = None

    def committed(self, seq: int, now: float) -> None:
        """Start the clock of a turn that waited for this entry to be on disk."""
        turn = self.turn
        if turn is None or turn.number > seq or turn.expires is not None or turn.clock_at is not None:
            return
        if turn.seat in self._awaited and now < self._awaited_until:
            turn.clock_at = self._awaited_until
        else:
            turn.expires = now + self._move_time

    @property
    def due(self) -> float | None:
        """The next time at which `expire` must be called."""
        turn = self.turn
        if turn is None:
            return None
        if turn.expires is None:
            return turn.clock_at
        if not (self._gone or self._left or self._silent or self._match.folding):  # all seats have connected
            return turn.expires + (turn.bank_ms or 0) / 1000
        if self._is_hurried(turn.seat):
            return AT_ONCE
        spare, gone = self._spare(turn), self._gone_for_good(turn.seat)
        expires = self._delayed(turn.seat, turn.expires + spare, self._move_time + spare)
        return expires if gone is None else min(expires, gone)

    def expire(self, now: float) -> int | None:
        """Start the clock of a turn if it waited for a connection, or return the seat whose time is up."""
        turn, due = self.turn, self.due
        if turn is None or due is None or due > now:
            return None
        if turn.expires is not None:
            return turn.seat
        self._start(turn, now)
        return None

    def left_ms(self, now: float) -> tuple[int, int | None]:
        """Return what is left of the time and of the time bank of the open turn.

        The bank is None if the table has no time banks.
        """
        assert self.turn is not None, "no turn is open"
        expires, bank_ms = self.turn.expires, self.turn.bank_ms
        time_ms = self._move_time_ms if expires is None else milliseconds(expires - now)
        return time_ms, None if bank_ms is None else bank_ms - self.bank_used_ms(now)

    def taken_ms(self, now: float) -> int:
        """Return the time that the open turn has taken; 0 if its clock does not run yet."""
        assert self.turn is not None, "no turn is open"
        expires = self.turn.expires
        return 0 if expires is None else max(0, round((now - expires + self._move_time) * 1000))

    def bank_used_ms(self, now: float) -> int:
        """Return the part of the time bank that the open turn has used."""
        turn = self.turn
        if turn is None or turn.expires is None or now <= turn.expires or not turn.bank_ms or turn.seat in self._silent:
            return 0
        gone = self._gone_for_good(turn.seat)
        until = now if gone is None else min(now, gone)
        return min(round((until - turn.expires) * 1000), turn.bank_ms)

    def _spare(self, turn: RunningTurn) -> float:
        """Return the seconds of its time bank that a seat may use now; 0 if it is away."""
        return 0.0 if turn.seat in self._silent else (turn.bank_ms or 0) / 1000

    # --- checks of codes

    def _begin_waiting(self, seat: int, now: float) -> None:
        if self._checks[seat] and seat in self._gone:
            self._held_up.setdefault(seat, max(now, self._awaited_until if seat in self._awaited else now))

    def _end_waiting(self, seat: int, now: float) -> None:
        """Extend the time to reconnect and the open turn by the time that a check took."""
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

    def _delayed(self, seat: int, due: float, length: float) -> float:
        """Return the end of a seat's period, if the current check takes its maximum time."""
        began = self._held_up.get(seat)
        return due if began is None else self._later(began, began + self._patience(seat), due, length)

    def _later(self, began: float, ended: float, due: float, length: float) -> float:
        """Return the end of a period, extended by the check of a code if the check began before that end."""
        return due if due <= began else due + max(0.0, ended - max(began, due - length))

    def _patience(self, seat: int) -> float:
        return max(0.0, self._grace - self._waited.get(seat, 0.0))

    def _gone_for_good(self, seat: int) -> float | None:
        """Return the time from which a seat without a connection is away; None for a connected seat."""
        gone = self._gone.get(seat)
        return None if gone is None else self._delayed(seat, gone + self._move_time, self._move_time)

    def _start(self, turn: RunningTurn, now: float) -> None:
        turn.expires, turn.clock_at = now + self._move_time, None

    def _is_hurried(self, seat: int) -> bool:
        """Whether the room acts for a seat immediately: it has left, or missed too many turns while others wait."""
        if seat in self._left or seat in self._match.folding:
            return True
        here, silent = self._connected, self.silent
        return seat in self._silent and any(each in here and each not in silent for each in self._match.playing)
