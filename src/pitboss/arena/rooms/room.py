"""One table's room: it receives messages and the time, and returns what to write, what to send and whom to close.

A room knows no socket and no clock. A decision must be on disk before any client learns of it, so the room holds
its messages until `committed` is called.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.equities import run_out_spots
from pitboss.arena.hosts.host import Step
from pitboss.arena.journal.records import Lock, Record, write_record
from pitboss.arena.rooms.clock import ANSWER_TOO_EARLY, AT_ONCE, TableClock, TurnGuard
from pitboss.arena.rooms.logins import (
    CodeCheck,
    Limits,
    Logins,
    LoginThrottle,
    PendingConnections,
    PendingLogin,
    Takeovers,
)
from pitboss.arena.rooms.messages import TableMessages, summarise
from pitboss.arena.rooms.number_exchange import NumberExchange
from pitboss.arena.rooms.output import Close, Frames, Output, RunOut, Send, Spectators
from pitboss.arena.rooms.table_log import ResumeAlarm, TableLog
from pitboss.arena.rooms.team_stats import TeamStats
from pitboss.arena.wire.messages import (
    Action,
    Equities,
    EquityStep,
    Error,
    Hello,
    MoveMessage,
    Number,
    PublicMessage,
    Rejected,
    ServerMessage,
    Summary,
    milliseconds,
    read,
    write,
)
from pitboss.store.chain import Chain, Entry

ERROR_EVERY = 50
"""How many frames over the limit are answered with one error."""
POLICY, REPLACED = 1008, 4000
"""Why a connection is closed: it misbehaved, or a newer one has its seat."""


class Session(Struct):
    """A player's connection."""

    seat: int | None = None
    tokens: float = 0.0
    heard: float = 0.0
    strikes: int = 0
    wrong_hellos: int = 0
    asked: int = 0  #: the last turn this connection was asked about
    address: str = ""
    hello: int = 0  #: the number of the hello that seated it
    pings: bool = False  #: whether it can be pinged

    def may_speak(self, now: float, limits: Limits) -> bool:
        """Whether it has kept to its number of frames; each one over it is a strike."""
        tokens = self.tokens + (now - self.heard) * limits.frames_a_second
        self.heard = now
        if tokens >= limits.burst:
            tokens, self.strikes = limits.burst, 0
        if tokens < 1:
            self.tokens = tokens
            self.strikes += 1
            return False
        self.tokens = tokens - 1
        return True


class ResendBuffer:
    """The frames, and which seats may not know that a hand was taken back."""

    def __init__(self, frames: Sequence[tuple[int, str]] = (), mark: int = 0, unaware: Mapping[int, int] = {}) -> None:
        self.frames = list(frames)
        self._mark = mark  # where this hand begins in it
        self._unaware = dict(unaware)  # seat → the frame by which a hand was taken back while it was away

    @property
    def hand(self) -> list[str]:
        """The frames of this hand."""
        return [frame for _, frame in self.frames[self._mark :]]

    def begin_hand(self) -> None:
        """Another hand begins, and what was the last one is forgotten."""
        self.frames = self.frames[self._mark :]
        self._mark = len(self.frames)

    def add(self, seq: int, frame: str) -> None:
        """One more frame was sent."""
        self.frames.append((seq, frame))

    def seen(self, seat: int, resume_from: int | None, sent: int, last: int) -> int:
        """The last frame that a seat need not be sent again, where `sent` was the last of all, and `last` comes next.

        Who asks for nothing, or has seen another past, is only told of a hand that was taken back meanwhile.
        """
        void = self._unaware.pop(seat, 0)
        if resume_from is not None and resume_from <= sent:
            return resume_from
        return void - 1 if self.frames and self.frames[0][0] <= void else last


class Room:
    """See the module's docstring; methods that take `now` return an `Output` and may change `deadline`."""

    def __init__(
        self,
        messages: TableMessages,
        chain: Chain,
        *,
        entropy: Callable[[int], bytes],
        day: Callable[[], str],
        limits: Limits,
        throttle: LoginThrottle,
    ) -> None:
        self.messages, self.match, self.limits = messages, messages.match, limits
        match = self.match
        self.durable = chain.head.seq
        self._chain, self._entropy, self._day = chain, entropy, day
        self._sessions: dict[int, Session] = {}
        self._seats: dict[int, int] = {}  # seat → session
        self._pending = PendingConnections(limits.hello)
        self._clock = TableClock(match, self._seats, limits.grace)
        self._away: frozenset[int] = frozenset()  # as it was last sent
        self._resume_alarm = ResumeAlarm(match)
        self.logins = Logins(match, throttle, entropy)
        self._takeovers = Takeovers(limits.takeovers, limits.takeover_window)
        self._numbers = NumberExchange(match, limits.mixing)
        self.turn_guard = TurnGuard(match.move_time_ms / 1000)
        self._log = TableLog(match)
        self._held: deque[tuple[int, Output]] = deque()
        self._resend = ResendBuffer()
        self.spectators = Spectators(limits.delay)
        self.team_stats = TeamStats(match, self._clock, self.spectators)
        self._out = Output()

    # --- what stands

    @property
    def connected(self) -> tuple[int, ...]:
        """The seats that somebody is connected to."""
        return tuple(self._seats)

    def has_seat(self, session: int) -> bool:
        """Whether a connection has taken a seat and still has it."""
        known = self._sessions.get(session)
        return known is not None and known.seat is not None

    @property
    def pending(self) -> bool:
        """Whether something is decided that is not on disk yet."""
        return self._chain.head.seq > self.durable

    def summary(self) -> Summary:
        """The table in a list of tables, as spectators may see it."""
        if not self.limits.delay:
            return self.messages.summary(self.connected, self._away)
        shown, over = self.spectators.lobby.players, self.spectators.over
        return summarise(self.match.history, self.messages.config, shown, over=over, closed=over)

    @property
    def deadline(self) -> float | None:
        """When `tick` is due: `AT_ONCE`, or a time before which whatever has arrived should be heard first."""
        soonest = self._clock.due
        if self._clock.turn is None and (self.match.decided or self._may_start):
            soonest = AT_ONCE if self.match.decided else self._numbers.due(self._clock.silent)
        for time in (self.spectators.due, self._pending.due, self.turn_guard.due):
            if time is not None and (soonest is None or time < soonest):
                soonest = time
        return soonest

    @property
    def _may_start(self) -> bool:
        """Whether a hand is due: the game can start one, and somebody who takes part is there."""
        return self.match.can_start and self._clock.has_players

    # --- what comes in

    def connect(self, session: int, now: float, address: str = "", *, pings: bool = False) -> Output:
        """A player's connection is open, which may be one that can be pinged; it must say hello."""
        self._sessions[session] = Session(tokens=self.limits.burst, heard=now, address=address, pings=pings)
        self._pending.add(session, now)
        return self._done()

    def watch(self, session: int, now: float) -> Output:
        """A spectator's connection is open."""
        if len(self.spectators.sessions) >= self.limits.watchers:
            self._out.closes.append(Close(session, POLICY, "too many spectators"))
            return self._done()
        self.spectators.sessions.add(session)
        if not self.limits.delay:
            self.spectators.lobby = self.messages.lobby(self.connected, self._away)
        self._send((session,), self.messages.table())
        for frame in self.spectators.seen():
            self._out.put((session,), frame)
        if self._clock.turn is not None and not self.limits.delay:
            self._send((session,), self.messages.turn(self._clock.turn.seat, *self._clock.left_ms(now)))
        return self._done()

    def attach(self, session: int, team: str, now: float) -> Output:
        """A house bot sits down, or comes back to its seat; it needs no hello and no code."""
        seat, record = self.match.admit_house(team)
        if record is not None:
            self._append(record, seals=not self.match.underway)
        self._sessions[session] = known = Session(seat, tokens=self.limits.burst, heard=now)
        self._seats[seat] = session
        self._clock.connect(seat, now)
        turn = self._clock.turn
        if turn is not None and turn.seat == seat:
            known.asked = turn.number
            self._send((session,), self.messages.question(turn.number, *self._clock.left_ms(now)))
        self._send_lobby(now)
        return self._done()

    def receive(self, session: int, frame: str | bytes, now: float) -> Output:
        """A frame came in; from a connection that was replaced or closed it is nothing."""
        known = self._sessions.get(session)
        if known is None or not known.may_speak(now, self.limits):
            if known is not None:
                self._strike(session, known, now)
            return self._done()
        try:
            if known.seat is None and session in self.logins:
                raise Rejected("RATE_LIMITED", "your join_code is being checked", 1000)
            message = read(frame)
            if isinstance(message, Action | MoveMessage):
                self._note_presence(known, now)
                self.turn_guard.hear(session, message)
                self._answer(session, known, message, now)
            elif isinstance(message, Hello):
                self._note_presence(known, now)
                if known.seat is not None:
                    raise Rejected("BAD_SCHEMA", "this connection has said hello already - at `$.type`")
                self._start_login(session, known, message, now)
            elif isinstance(message, Number):  # no word of a player: it shows that somebody is there, not that he plays
                self._numbers.open(known.seat, message)
                known.tokens += 1
            else:
                self._leave(known, now)
        except Rejected as rejected:
            self._reject(session, rejected, now)
        return self._done()

    def is_checking(self, session: int) -> bool:
        """Whether a connection has said hello and its code is being checked: until then nothing it says is heard."""
        return session in self.logins and session in self._sessions

    def checked(self, about: CodeCheck, lock: Lock | None, now: float, *, busy: float = 0.0) -> Output:
        """A code was checked: the lock it fits or has made, or None; or nobody had the time, for so many seconds."""
        session = about.session
        pending = self.logins.answer(about, None if busy else lock is not None, now)
        self._clock.checked(pending.seat, now)
        known = self._sessions.get(session)
        if known is not None:
            try:
                if busy:
                    raise Rejected("RATE_LIMITED", "too many codes wait to be checked", milliseconds(busy))
                if lock is None:
                    self._note(f"refused a hello from {known.address or 'somewhere'}: {pending.wrong}", now)
                    raise pending.wrong
                self._sit_down(session, known, pending, lock, now)
            except Rejected as rejected:
                self._refuse(session, known, rejected, now)
        for behind, hello in pending.behind:
            if (waiting := self._sessions.get(behind)) is not None:
                self._start_login(behind, waiting, hello, now)
        return self._done()

    def show_equities(self, hand_id: str, steps: tuple[EquityStep, ...]) -> Output:
        """The equities of a run-out are computed: send them to the spectators."""
        self.spectators.add(write(Equities(hand_id=hand_id, steps=steps)), self._out)
        return self._done()

    def ponged(self, session: int, now: float) -> Output:
        """A connection has answered a ping for the first time; frames that it sent before may be heard yet."""
        for _ in self.turn_guard.answered(session):
            self._reject(session, Rejected("ACTION_TOO_LATE", ANSWER_TOO_EARLY), now)
        return self._done()

    def disconnect(self, session: int, now: float) -> Output:
        """A connection is gone; the seat stays its team's, and its clock runs on."""
        self.turn_guard.close(session)
        self.spectators.sessions.discard(session)
        self._pending.remove(session)
        known = self._sessions.pop(session, None)
        if known is not None and known.seat is not None:
            self._disconnect_seat(known.seat, now)
            self._note(f"{self._log.name(known.seat)} is disconnected", now)
            self._send_lobby(now)
        return self._done()

    def committed(self, seq: int, now: float) -> Output:
        """Everything up to this entry is on disk; what was held for it goes out, and the clock starts."""
        self.durable = seq
        released = self._held.popleft()[1] if self._held and self._held[0][0] <= seq else Output()
        while self._held and self._held[0][0] <= seq:
            released.join(self._held.popleft()[1])
        self._clock.committed(seq, now)
        self._numbers.committed(now)
        return released

    def tick(self, now: float) -> Output:
        """Time has passed."""
        for session in self._pending.overdue(now, self.logins.__contains__):
            self._drop(session, POLICY, f"no hello within {self.limits.hello:g} seconds", now)
        self.spectators.show(self._out, now)
        for session, number, answer in self.turn_guard.expire(now):
            try:
                self._answer(session, self._sessions[session], replace(answer, turn=number), now)
            except Rejected as rejected:
                self._reject(session, rejected, now)
        absent = self._clock.expire(now)
        if absent is not None:
            self._act_by_default(absent, now)
        elif self.match.decided:
            self._end(now)
        elif self._may_start and self._numbers.is_due(self._clock.silent, now):
            self._start(now)
        return self._done()

    # --- after a restart

    def resume(
        self, recent: Sequence[tuple[int, str]], mark: int, turn: int | None, now: float, unaware: Mapping[int, int]
    ) -> None:
        """Take up a table out of the journal: what was sent of its last hands, and the number of its open question.

        The last hand begins at `mark`. Unaware are seats, with the number of the frame that says a hand was taken back.
        """
        self._resend = ResendBuffer(recent, mark, unaware)
        hand: list[str | Frames] = [*self._resend.hand]
        if self.match.over:
            hand[-1] = self.messages.farewell  # with all decks before it
        self.spectators.put((self.messages.lobby(()), self.match.finished, None, *hand), self._out, now)
        self._clock.resume(self.match.history.seats, turn, now)
        self._numbers.resume(now + self.limits.grace)

    # --- hello

    def _start_login(self, session: int, known: Session, hello: Hello, now: float) -> None:
        """Have a hello's code checked, unless it is refused at once."""
        try:
            about = self.logins.ask(session, known.address, hello, now)
            if about is not None:
                self._out.checks.append(about)
                self._clock.checking(self.logins.seat_of(session), now)
        except Rejected as rejected:
            self._refuse(session, known, rejected, now)

    def _sit_down(self, session: int, known: Session, pending: PendingLogin, lock: Lock, now: float) -> None:
        """Seat a team whose code fits: at its seat, or at a free one."""
        team = pending.hello.team
        seat = self.match.seat_of(team)
        again = seat is not None
        if seat is None:
            seated = self.match.admit(team, lock)
            self._append(seated, seals=not self.match.underway)
            seat = seated.seat
        elif (holder := self._seats.get(seat)) is None or self._sessions[holder].hello < pending.number:
            self._takeovers.count(seat, now)
            if holder is not None:
                self._drop(holder, REPLACED, "replaced by a newer connection", now)
        else:  # a newer connection's code was checked before this one's
            self._drop(session, REPLACED, "replaced by a newer connection", now)
            return
        known.seat, known.hello = seat, pending.number
        self._numbers.offer(seat, pending.hello.next)
        self._seats[seat] = session
        self._clock.connect(seat, now)
        self._pending.remove(session)
        self._note(self._log.arrival(seat, again), now)
        self._welcome(session, known, pending.hello, again, now)

    def _refuse(self, session: int, known: Session, rejected: Rejected, now: float) -> None:
        """Refuse a hello; who is refused again and again is closed."""
        known.wrong_hellos += 1
        self._reject(session, rejected, now)
        if known.wrong_hellos >= self.limits.wrong_hellos:
            self._drop(session, POLICY, "too many wrong hellos", now)

    def _welcome(self, session: int, known: Session, hello: Hello, again: bool, now: float) -> None:
        seat, me = known.seat, (session,)
        assert seat is not None
        if known.pings:
            self.turn_guard.open(self._out, session, now)
        self._send(me, self.messages.welcome(seat))
        self._resume_alarm.look(self._out, session, seat, hello, now)
        last = self.match.seq if self.match.over else self.match.seq + 1  # the match's end is sent below
        seen = self._resend.seen(seat, hello.resume_from, self.match.seq, last)
        self._out.sends += [Send(me, frame) for seq, frame in self._resend.frames if seen < seq < last]
        if (bound := self._numbers.ask_again(seat, now)) is not None and bound.seq <= seen:
            self._send(me, self.messages.mix(bound, bound.seq))
        turn = self._clock.turn
        if turn is not None and turn.seat == seat:
            known.asked = turn.number
            self.turn_guard.ask(self._out, session, turn.number)
        if again:
            left_ms = self._clock.left_ms(now) if turn is not None else (None, None)
            self._send(me, self.messages.snapshot(seat, turn.number if turn else 0, *left_ms))
        if self.match.over:
            self._out.put(me, self.messages.farewell)
        self._send_lobby(now)

    # --- answers

    def _answer(self, session: int, known: Session, action: Action | MoveMessage, now: float) -> None:
        turn = self._clock.turn
        if known.seat is None:
            raise Rejected("OUT_OF_TURN", "say hello first")
        if action.hand_id != self.match.hand_id or (turn is None and not self.match.underway):
            raise Rejected("ACTION_TOO_LATE", f"{action.hand_id!r} is not the hand being played")
        if turn is None or (action.turn is not None and action.turn != turn.number):
            raise Rejected("ACTION_TOO_LATE", f"turn {action.turn} is not the open one")
        if turn.seat != known.seat:
            raise Rejected("OUT_OF_TURN", f"seat {turn.seat} is asked")
        if self.durable < turn.number or (action.turn is None and known.asked != turn.number):
            raise Rejected("ACTION_TOO_LATE", "the turn this answers is over; name the turn to answer the open one")
        if action.turn is None and not self.turn_guard.judge(self._out, session, turn.number, action, now):
            return
        step = self.match.act(known.seat, action, self._clock.bank_used_ms(now) if turn.bank_ms else 0)
        known.tokens += 1  # an answer that was asked for is no burden: the room itself sets the pace
        self._advance(step, now)

    # --- who is there

    def _note_presence(self, known: Session, now: float) -> None:
        """A connection has said something that can be read: its seat is back, whatever it said."""
        if known.seat is not None and self._clock.heard(known.seat):
            self._note(f"{self._log.name(known.seat)} is back", now)
            self._send_lobby(now)

    def _leave(self, known: Session, now: float) -> None:
        if known.seat is None:
            raise Rejected("OUT_OF_TURN", "say hello first")
        self._clock.leave(known.seat)
        self._note(f"{self._log.name(known.seat)} takes leave", now)
        self._send_lobby(now)

    def _disconnect_seat(self, seat: int, now: float) -> None:
        del self._seats[seat]
        self._clock.disconnect(seat, now)

    # --- what happens

    def _act_by_default(self, seat: int, now: float) -> None:
        """Play for a seat whose time is up, or that is away; who is found to be away is said to everybody."""
        away, bank_ms = self._clock.is_away(seat, now), self._clock.bank_used_ms(now)
        step = self.match.act_by_default(seat, away=away, bank_ms=bank_ms)
        self._clock.miss_turn(seat)
        self._advance(step, now)
        if self._clock.away(now) != self._away:  # not sooner: a lobby may tell how the hand ended
            self._send_lobby(now)

    def _start(self, now: float) -> None:
        """Start a hand, or mix its numbers first; where it is over at once, the next one waits for the next tick."""
        if self._numbers.bound is None:
            self._resend.begin_hand()
            self.spectators.put((None,), self._out, now)
        here = [seat for seat in self._seats if seat not in self._clock.silent]
        change = self._numbers.proceed(here, self._entropy, self._day())
        if isinstance(change, Step):
            self._advance(change, now)
        else:
            self._broadcast(self.messages.of(change, self._append(change).hash), now)
            self._between_hands(now)
        self._log.begins(self._out)

    def _advance(self, step: Step, now: float) -> None:
        """Write a step of the game down, send its messages, and ask the next question or end the match."""
        self._clock.close_turn(now)
        over = step.result is not None
        entry = self._append(step.record, seals=over)
        self._broadcast(self.messages.of(step, entry.hash) if over else step.messages, now)
        if step.to_act is not None:
            self._ask(entry.seq, step.to_act, now)
            return
        self.team_stats.end_hand()
        self._between_hands(now)
        if self.match.decided:
            self._end(now)

    def _between_hands(self, now: float) -> None:
        """Show spectators that lag behind who is at the table, and that the last hand is over."""
        if self.limits.delay:
            lobby = self.messages.lobby(self.connected, self._away)
            self.spectators.put((lobby, self.match.finished), self._out, now)

    def _end(self, now: float) -> None:
        ended = self.match.end()
        self._log.over(self._out, ended.stacks)
        (end,) = self.messages.of(ended, self._append(ended).hash)
        self._resend.add(self.match.seq, write(end))
        self._out.put(tuple(self._seats.values()), self.messages.farewell)
        self.spectators.put((self.messages.farewell,), self._out, now)

    def _ask(self, number: int, seat: int, now: float) -> None:
        """Ask a seat for its action, in the turn of this number."""
        turn = self._clock.open_turn(number, seat)
        session = self._seats.get(seat)
        if session is not None and turn.is_sent:
            self._sessions[session].asked = number
            self.turn_guard.ask(self._out, session, number)
            self._send((session,), self.match.host.question(self.match.hand_id, number, *turn.given))
        if self.spectators.sessions:
            frame = write(self.messages.turn(seat, *turn.given))
            self.spectators.put((frame,), self._out, now)

    def _append(self, record: Record, *, seals: bool = True) -> Entry:
        """Put a record on the chain; one that seals finishes everything up to it for good."""
        entry = self._chain.append(write_record(record), seals=seals)
        self._out.entries.append(entry)
        return entry

    # --- what goes out

    def _note(self, sentence: str, now: float) -> None:
        self._log.client(self._out, sentence, now)

    def _send(self, to: tuple[int, ...], message: ServerMessage) -> None:
        if to:
            self._out.sends.append(Send(to, write(message)))

    def _broadcast(self, messages: Sequence[PublicMessage], now: float) -> None:
        """Send to everybody at the table, and to spectators in their time."""
        everybody = tuple(self._seats.values())
        frames = []
        for message in messages:
            frame = write(message)
            self._resend.add(message.seq, frame)
            if everybody:
                self._out.sends.append(Send(everybody, frame))
            frames.append(frame)
        self.spectators.put(frames, self._out, now)
        if self.spectators.sessions and (hand := self.match.history.last) is not None:
            spots = run_out_spots(messages, hand.started.variant or self.match.host.variant)
            if spots:
                run_out = RunOut(self.match.table_id, self.match.hand_id, tuple(spots))
                self.spectators.put((run_out,), self._out, now)

    def _send_lobby(self, now: float) -> None:
        before, self._away = self._away, self._clock.away(now)
        self._log.away(self._out, self._away - before, now)
        lobby = self.messages.lobby(self.connected, self._away)
        self._send(tuple(self._seats.values()), lobby)
        self.spectators.put((lobby,), self._out, now)

    def _reject(self, session: int, rejected: Rejected, now: float) -> None:
        if (known := self._sessions.get(session)) is not None and known.seat is not None:
            self.team_stats.refuse(known.seat, rejected, now)
        self._send((session,), Error(code=rejected.code, msg=str(rejected), retry_after_ms=rejected.retry_after_ms))

    def _drop(self, session: int, code: int, reason: str, now: float) -> None:
        """Close a connection; from now on it is nobody."""
        known = self._sessions.pop(session, None)
        self._pending.remove(session)
        self.turn_guard.close(session)
        if known is not None and known.seat is not None:
            self._disconnect_seat(known.seat, now)
        self._out.closes.append(Close(session, code, reason))

    def _strike(self, session: int, known: Session, now: float) -> None:
        """A connection has sent too many frames: it is not heard, and one that goes on and on is closed."""
        if known.strikes >= self.limits.strikes:
            self._drop(session, POLICY, "too many frames", now)
            self._send_lobby(now)
        elif known.strikes % ERROR_EVERY == 1:  # an answer to each would be a flood too
            wait = milliseconds((1 - known.tokens) / self.limits.frames_a_second)
            why = Rejected("RATE_LIMITED", f"{self.limits.frames_a_second:g} frames a second", wait)
            self._reject(session, why, now)

    def _done(self) -> Output:
        """Hand out what there is to do; what is to be sent waits until all that was decided before is on disk."""
        out, self._out = self._out, Output()
        if self._chain.head.seq <= self.durable:
            return out
        at_once = Output(entries=out.entries, checks=out.checks)
        if out.sends or out.closes or out.notes or out.alarms:
            out.entries, out.checks = [], []
            self._held.append((self._chain.head.seq, out))
        return at_once
