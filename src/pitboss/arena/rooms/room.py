"""A room: the part of one table that handles frames from clients. Methods return what to write, send and close.

A room uses no sockets and does not read the time. Clients must not learn of a decision before it is on disk. So
messages wait in the room until `committed` is called.
"""

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from math import inf

from msgspec.structs import replace

from pitboss.arena.equities import run_out_spots
from pitboss.arena.hosts.host import Step
from pitboss.arena.journal.records import DecksRevealed, Lock, Record, Seated, TeamLeft, write_record
from pitboss.arena.rooms.cash import RevealSchedule
from pitboss.arena.rooms.cash_document import DocumentRequest, NumberedDocument, empty_document, see_document
from pitboss.arena.rooms.clock import AT_ONCE, TableClock
from pitboss.arena.rooms.logins import (
    CodeCheck,
    Limits,
    Logins,
    LoginThrottle,
    PendingConnections,
    PendingLogin,
    Session,
    Takeovers,
)
from pitboss.arena.rooms.messages import TableMessages, summarise
from pitboss.arena.rooms.number_exchange import NumberExchange
from pitboss.arena.rooms.output import (
    Close,
    Frames,
    LateFrame,
    Output,
    ResendBuffer,
    Revealing,
    RunOut,
    Send,
    Spectators,
    TableLog,
)
from pitboss.arena.rooms.team_stats import TeamStats
from pitboss.arena.wire.fields import EquityStep
from pitboss.arena.wire.messages import (
    Action,
    CashRequest,
    Equities,
    Error,
    Hello,
    Leave,
    Lobby,
    MoveMessage,
    Number,
    PublicMessage,
    Rejected,
    ServerMessage,
    ViewRequest,
    milliseconds,
    read,
    write,
)
from pitboss.arena.wire.summaries import CashSums, Summary, TableState
from pitboss.store.chain import Chain, Entry

ERROR_EVERY = 50
"""The number of frames over the limit for each error message."""
VIEW_EVERY = 1.0
"""The minimum number of seconds between two requests of a seat for a view, which can have hundreds of kilobytes."""
REPEATED_WITHIN = 0.5
"""For this number of seconds after an accepted answer, the same answer without a turn counts as a duplicate.

If a question was sent twice after a late answer, a client may answer both copies; then the time is not limited.
"""
LATE = "your last question ran out before this answer; send `turn` to avoid this"
POLICY, REPLACED = 1008, 4000
"""Close codes: the connection exceeded a limit, or a newer connection has the seat."""


class Room:
    """The room of one match. Methods that take `now` return an `Output` and may change `deadline`."""

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
        self._away: frozenset[int] = frozenset()  # the seats that were away in the last lobby
        self._lobby: Lobby | None = None  # the last one
        self.logins = Logins(match, throttle, entropy)
        self._takeovers = Takeovers(limits.takeovers, limits.takeover_window)
        self._numbers = NumberExchange(match, limits.mixing)
        self._followers: set[int] = set()  # the sessions of players that also receive the turns of other seats
        self._viewers: set[int] = set()  # the sessions of players that are sent the table after each change
        self._late: dict[int, str] = {}  # seat → the hand in which it last missed a turn
        self._accepted: dict[
            int, tuple[float, Action | MoveMessage]
        ] = {}  # seat → its last answer, and the time until which the same answer is a duplicate
        self._views: dict[int, float] = {}  # seat → the time of the last view that it requested
        self._shown_document = 0  # the number of the last document for spectators
        self._log = TableLog(match)
        self._unrevealed = RevealSchedule(limits.reveal_after if match.settings.cash else None)
        self._held: deque[tuple[int, Output]] = deque()
        self._resend = ResendBuffer()
        self.spectators = Spectators(limits.delay)
        if match.settings.cash:
            self.spectators.document = NumberedDocument(0, empty_document(match))
        self.team_stats = TeamStats(match, self._clock, self.spectators)
        self._out = Output()

    # --- state

    @property
    def connected(self) -> tuple[int, ...]:
        """The seats that have a connection."""
        return tuple(self._seats)

    def has_seat(self, session: int) -> bool:
        """Whether a connection has or had a seat."""
        known = self._sessions.get(session)
        return known is not None and (known.seat is not None or known.hello > 0)

    @property
    def pending(self) -> bool:
        """Whether the journal has entries that are not on disk yet."""
        return self._chain.head.seq > self.durable

    def summary(self) -> Summary:
        """The entry of this table in a list of tables, as spectators may see it."""
        if not self.limits.delay:
            return self.messages.summary(self.connected, self._away)
        shown, over = self.spectators.lobby.players, self.spectators.over
        return summarise(self.match.history, self.messages.config, shown, over=over, closed=over)

    @property
    def sums(self) -> CashSums | None:
        """What players brought to a cash table and took away, as far as spectators may know.

        None if the table is not a cash table.
        """
        return self.spectators.sums if self.limits.delay else self.match.sums

    @property
    def described(self) -> TableState:
        """This table alone, as spectators may see it."""
        sums = self.sums
        added = {} if sums is None else {name: getattr(sums, name) for name in sums.__struct_fields__}
        summary = self.summary()
        return TableState(
            **{name: getattr(summary, name) for name in summary.__struct_fields__}, **added, rules=self.match.host.rules
        )

    @property
    def deadline(self) -> float | None:
        """The time at which `tick` is due, or `AT_ONCE`. Frames that arrived before should be handled first."""
        soonest = self._clock.due
        if self._clock.turn is None and (self.match.decided or self._may_start):
            soonest = AT_ONCE if self.match.decided else self._start_due
        for time in (self.spectators.due, self._pending.due, self._unrevealed.due):
            if time is not None and (soonest is None or time < soonest):
                soonest = time
        return soonest

    @property
    def _may_start(self) -> bool:
        """Whether a hand is due: the game can start one, and one of its players is connected."""
        return self.match.can_start and self._clock.has_players

    @property
    def _start_due(self) -> float | None:
        """The time at which the next hand, or the exchange of its numbers, continues."""
        due = self._numbers.due(self._clock.silent)
        return None if due is None else max(due, self._clock.next_hand)

    # --- input

    def connect(self, session: int, now: float, address: str = "") -> Output:
        """Register a player's new connection, which must now send a hello."""
        self._sessions[session] = Session(tokens=self.limits.burst, last_frame=now, address=address)
        self._pending.add(session, now)
        return self._done()

    def watch(self, session: int, now: float) -> Output:
        """Register a spectator's new connection."""
        if len(self.spectators.sessions) >= self.limits.watchers:
            self._out.closes.append(Close(session, POLICY, "too many spectators"))
            return self._done()
        self._show_table(session, now)
        return self._done()

    def _show_table(self, session: int, now: float) -> None:
        """Send a new spectator what has been shown of the current hand."""
        self.spectators.sessions.add(session)
        if not self.limits.delay:
            self.spectators.lobby = self.messages.lobby(self.connected, self._away)
        self._send((session,), self.messages.table())
        for frame in self.spectators.seen():
            self._out.put((session,), frame)
        if self._clock.turn is not None and not self.limits.delay:
            self._send((session,), self.messages.turn(self._clock.turn.seat, *self._clock.left_ms(now)))

    def attach(self, session: int, team: str, now: float, *, is_own: bool = True) -> Output:
        """Give a house bot its old seat or a new one. It needs no hello and no code.

        A bot that is not pitboss's own gets questions with words and the table.
        """
        seat, record = self.match.admit_house(team)
        if record is not None:
            self._append(record, seals=not self.match.underway)
        known = self._take_house_seat(session, seat, now, is_own=is_own)
        turn = self._clock.turn
        if turn is not None and turn.seat == seat:
            known.question = turn.number
            self._send_question(session, known, self._clock.left_ms(now))
        self._send_lobby(now)
        return self._done()

    def _take_house_seat(self, session: int, seat: int, now: float, *, is_own: bool = True) -> Session:
        """Let a house bot play at a seat."""
        known = Session(seat, tokens=self.limits.burst, last_frame=now, is_own=is_own, wants_table=not is_own)
        self._sessions[session] = known
        self._seats[seat] = session
        self._clock.connect(seat, now)
        return known

    def receive(self, session: int, frame: str | bytes, now: float) -> Output:
        """Handle a frame; frames of a connection that was replaced or closed are ignored."""
        known = self._sessions.get(session)
        if known is None or not known.take_token(now, self.limits):
            if known is not None:
                self._strike(session, known, now)
            return self._done()
        try:
            if known.seat is None and session in self.logins:
                raise Rejected("RATE_LIMITED", "your join_code is being checked", 1000)
            message = read(frame)
            if isinstance(message, Action | MoveMessage):
                self._note_presence(known, now)
                if not self._is_stray(session, known, message, now):
                    self._answer(known, message, now)
            elif isinstance(message, Hello):
                self._note_presence(known, now)
                if known.seat is not None:
                    raise Rejected("BAD_SCHEMA", "this connection has already sent a hello - at `$.type`")
                self._start_login(session, known, message, now)
            elif isinstance(message, Number):  # clients send numbers automatically, so a number does not end an absence
                self._numbers.open(known.seat, message)
                known.tokens += 1
            elif isinstance(message, ViewRequest):
                self._note_presence(known, now)
                self._show_game(session, known, now)
            else:
                self._request(known, message, now)
        except Rejected as rejected:
            self._reject(session, rejected, now)
            if rejected.code == "ACTION_TOO_LATE":
                self._ask_again(session, known, now)
        return self._done()

    def is_checking(self, session: int) -> bool:
        """Whether the code of a connection's hello is being checked; until then its frames are not handled."""
        return session in self.logins and session in self._sessions

    def checked(self, about: CodeCheck, lock: Lock | None, now: float, *, busy: float = 0.0) -> Output:
        """Continue a hello whose code was checked. `lock` is None if the code is wrong.

        `busy` is the number of seconds to wait if the code could not be checked.
        """
        session = about.session
        pending = self.logins.answer(about, None if busy else lock is not None, now)
        self._clock.checked(pending.seat, now)
        known = self._sessions.get(session)
        if known is not None:
            try:
                if busy:
                    raise Rejected("RATE_LIMITED", "too many codes wait to be checked", milliseconds(busy))
                if lock is None:
                    raise pending.wrong
                self._sit_down(session, known, pending, lock, now)
            except Rejected as rejected:
                self._refuse(session, known, pending.hello, rejected, now)
        for other, hello in pending.queued:
            if (waiting := self._sessions.get(other)) is not None:
                self._start_login(other, waiting, hello, now)
        return self._done()

    def show_equities(self, hand_id: str, steps: tuple[EquityStep, ...]) -> Output:
        """Send the computed equities of a run-out to the spectators."""
        self.spectators.add(write(Equities(hand_id=hand_id, steps=steps)), self._out)
        return self._done()

    def disconnect(self, session: int, now: float) -> Output:
        """Remove a connection; its team keeps the seat, and the clock keeps running."""
        self.spectators.sessions.discard(session)
        self._followers.discard(session)
        self._viewers.discard(session)
        self._pending.remove(session)
        known = self._sessions.pop(session, None)
        if known is not None and known.seat is not None:
            self._disconnect_seat(known.seat, now)
            self._note(f"{self._log.name(known.seat)} is disconnected", now)
            self._send_lobby(now)
        return self._done()

    def committed(self, seq: int, now: float) -> Output:
        """Release the output that waited for this entry to be on disk, and start the clock of the open turn."""
        self.durable = seq
        released = self._held.popleft()[1] if self._held and self._held[0][0] <= seq else Output()
        while self._held and self._held[0][0] <= seq:
            released.join(self._held.popleft()[1])
        self._clock.committed(seq, now)
        self._numbers.committed(now)
        return released

    def tick(self, now: float) -> Output:
        """Do everything that is due now."""
        for session in self._pending.overdue(now, self.logins.__contains__):
            self._drop(session, POLICY, f"no hello within {self.limits.hello:g} seconds", now)
        self.spectators.show(self._out, now)
        absent = self._clock.expire(now)
        if absent is not None:
            self._act_by_default(absent, now)
        elif self.match.decided:
            self._end(now)
        elif self._may_start and (due := self._start_due) is not None and due <= now:
            self._start(now)
        if (number := self._unrevealed.take(now)) is not None:
            self._reveal(number, now)
        return self._done()

    def reveal_all(self, now: float) -> Output:
        """Reveal the decks of all finished hands of a cash table, because the server stops."""
        if self.match.settings.cash and self.match.finished > self.match.history.revealed:
            self._reveal(self.match.finished, now)
        return self._done()

    # --- after a restart

    def resume(
        self, recent: Sequence[tuple[int, str]], mark: int, turn: int | None, now: float, unaware: Mapping[int, int]
    ) -> None:
        """Resume a table from the journal, with the frames of its last hands and the number of its open turn.

        The last hand begins at `mark`. `unaware` maps seats to the number of the frame that voided a hand.
        """
        self._resend = ResendBuffer(recent, mark, unaware)
        hand: list[str | Frames] = [*self._resend.hand]
        if self.match.over:
            hand[-1] = self.messages.farewell  # all decks, then the match's end
        tables = [] if self.match.over else self._table_for_spectators()
        self.spectators.put((self.messages.lobby(()), self.match.finished, None, *hand, *tables), self._out, now)
        self._clock.resume(self.match.history.seats, turn, now)
        self._numbers.resume(now + self.limits.grace)
        if self.match.finished > self.match.history.revealed:
            self._unrevealed.add(self.match.finished, now)
        self._show_document(now)
        self._settle(now)

    # --- the table's document

    @property
    def public_number(self) -> int:
        """The number of the last journal entry that spectators may know of."""
        return min(self.durable, self.spectators.document.number) if self.limits.delay else self.durable

    def document(self, team: str | None = None) -> NumberedDocument:
        """Return the document of a cash table as a team or, None, a spectator may see it, once it is on disk."""
        late = self.spectators.document if self.limits.delay else None
        return see_document(self.match, team, self._chain.head.seq, late)

    def greet(self, team: str, now: float) -> Output:
        """Note that a team at this cash table has read its document. Its seat then counts as connected."""
        seat = self.match.seat_of(team)
        if seat is not None and seat not in self._seats:
            self._read_by_document(seat, now)
        return self._done()

    def post(self, team: str, lock: Lock, posted: DocumentRequest, now: float) -> tuple[Rejected | None, Output]:
        """Carry out the request in a team's document; return the reason if that is not possible."""
        rejected = None
        try:
            known = self._reader(team, now) if posted.hello is None else self._join(posted.hello, lock, now)
            if posted.request is not None:
                self._request(known, posted.request, now)
            if posted.action is not None:
                turn = self._clock.turn
                self._answer(known, replace(posted.action, turn=0 if turn is None else turn.number), now)
        except Rejected as why:
            rejected = why
        return rejected, self._done()

    def _join(self, hello: Hello, lock: Lock, now: float) -> Session:
        """Seat a new team that uses a document."""
        seated = self.match.admit(hello, lock)
        self._append(seated, seals=not self.match.underway)
        self._note(self._log.arrival(seated.seat, again=False), now)
        return self._read_by_document(seated.seat, now)

    def _reader(self, team: str, now: float) -> Session:
        """Return the session of a team that posts something, unless it posts too often."""
        seat = self.match.seat_of(team)
        if seat is None:
            raise Rejected("NOT_SEATED", "join the table first")
        known = self._read_by_document(seat, now)
        if not known.take_token(now, self.limits):
            wait = milliseconds((1 - known.tokens) / self.limits.frames_a_second)
            raise Rejected("RATE_LIMITED", f"{self.limits.frames_a_second:g} requests a second", wait)
        if self._clock.note_message(seat):
            self._send_lobby(now)
        return known

    def _read_by_document(self, seat: int, now: float) -> Session:
        """Return the session of a seat's requests; it keeps the seat connected until a connection takes it over."""
        session = -1 - seat  # connections have numbers from 1
        known = self._sessions.get(session)
        if known is None:
            known = self._sessions[session] = Session(seat, tokens=self.limits.burst, last_frame=now)
        if seat not in self._seats:
            self._seats[seat] = session
            self._clock.connect(seat, now)
            self._send_lobby(now)
        return known

    def _show_document(self, now: float) -> None:
        """Keep the document for spectators who see it later."""
        if self.limits.delay and self.match.settings.cash and self._chain.head.seq != self._shown_document:
            self._shown_document = self._chain.head.seq
            self.spectators.put((see_document(self.match, None, self._shown_document),), self._out, now)

    # --- hello

    def _start_login(self, session: int, known: Session, hello: Hello, now: float) -> None:
        """Have the code of a hello verified, or refuse the hello."""
        try:
            about = self.logins.ask(session, known.address, hello, now)
            if about is not None:
                self._out.checks.append(about)
                self._clock.checking(self.logins.seat_of(session), now)
        except Rejected as rejected:
            self._refuse(session, known, hello, rejected, now)

    def _sit_down(self, session: int, known: Session, pending: PendingLogin, lock: Lock, now: float) -> None:
        """Give a team with the right code its own seat or a free seat."""
        team = pending.hello.team
        seat = self.match.seat_of(team)
        again = seat is not None
        if seat is None:
            seated = self.match.admit(pending.hello, lock)
            self._append(seated, seals=not self.match.underway)
            seat = seated.seat
            self.spectators.sessions.discard(session)
        elif (holder := self._seats.get(seat)) is None or self._sessions[holder].hello < pending.number:
            if (wait_ms := self._takeovers.count(seat, now)) is not None:
                self._turn_away(session, wait_ms, now)
                return
            if holder is not None:
                self._drop(holder, REPLACED, "replaced by a newer connection", now)
        else:  # a newer connection's code was checked before this one's
            self._drop(session, REPLACED, "replaced by a newer connection", now)
            return
        known.seat, known.hello = seat, pending.number
        known.wants_new, known.wants_table = pending.hello.learned == "new", pending.hello.ask_table
        if pending.hello.turns:
            self._followers.add(session)
        if pending.hello.tables:
            self._viewers.add(session)
        self._numbers.offer(seat, pending.hello.next)
        self._seats[seat] = session
        self._clock.connect(seat, now)
        self._pending.remove(session)
        self._note(self._log.arrival(seat, again), now)
        for record in self.match.come_back(seat) if again else ():
            self._record(record, now)
        self._welcome(session, known, pending.hello, again, now)

    def _refuse(self, session: int, known: Session, hello: Hello, rejected: Rejected, now: float) -> None:
        """Refuse a hello; close a connection that was refused too often."""
        known.wrong_hellos += 1
        address = known.address or "an unknown address"
        self._note(f"turned away {hello.team!r} from {address}: {rejected} ({rejected.code})", now)
        self._reject(session, rejected, now)
        if known.wrong_hellos >= self.limits.wrong_hellos:
            self._drop(session, POLICY, "too many wrong hellos", now)

    def _turn_away(self, session: int, wait_ms: int, now: float) -> None:
        """Close a connection because connections have taken over its seat too often; send the time to wait."""
        self._reject(session, Rejected("RATE_LIMITED", "too many connections have taken over this seat", wait_ms), now)
        self._drop(session, POLICY, f"too many connections have taken over this seat; reconnect in {wait_ms} ms", now)

    def _welcome(self, session: int, known: Session, hello: Hello, again: bool, now: float) -> None:
        seat, me = known.seat, (session,)
        assert seat is not None
        self._send(me, self.messages.welcome(seat))
        self._log.resumed(self._out, session, seat, hello, now)
        last = self.match.seq if self.match.over else self.match.seq + 1  # the end of the match is sent below
        seen = self._resend.seen(seat, hello.resume_from, self.match.seq, last)
        self._out.sends += [Send(me, frame) for seq, frame in self._resend.frames if seen < seq < last]
        if (bound := self._numbers.ask_again(seat, now)) is not None and bound.seq <= seen:
            self._send(me, self.messages.mix(bound, bound.seq))
        turn = self._clock.turn
        if turn is not None and turn.seat == seat:
            known.question = turn.number
        if again:
            left_ms = self._clock.left_ms(now) if turn is not None else (None, None)
            snapshot = self.messages.snapshot(seat, turn.number if turn else 0, *left_ms, table=known.wants_table)
            known.note(snapshot)
            self._send(me, snapshot)
        if session in self._viewers:
            self._send_table(session, seat)
        if self.match.over:
            self._out.put(me, self.messages.farewell)
        self._send_lobby(now)

    # --- answers

    def _is_stray(self, session: int, known: Session, answer: Action | MoveMessage, now: float) -> bool:
        """Whether an answer was meant for an earlier question.

        Such an answer is ignored without a penalty. Without a turn, this is the first answer after a missed turn, or a
        repetition of the last accepted answer. With a turn, it is the second answer to a question that was sent twice.
        """
        seat, turn = known.seat, self._clock.turn
        if seat is None:
            return False
        if answer.turn is not None:
            is_late = answer.turn == known.repeated and (turn is None or turn.number != answer.turn)
            if not is_late:
                return False
        else:
            is_late = self._late.get(seat) == answer.hand_id
            if not is_late and not self._is_repeated(seat, answer, now):
                return False
            self._late.pop(seat, None)
            until, _ = self._accepted.pop(seat, (0.0, answer))
            is_doubled = is_late or until == inf
        known.tokens += 1
        self._out.is_free = True
        if is_late:
            self._send((session,), Error(code="ACTION_TOO_LATE", msg=LATE))
        if answer.turn is None:
            self._ask_again(session, known, now, is_doubled=is_doubled)
        return True

    def _is_repeated(self, seat: int, answer: Action | MoveMessage, now: float) -> bool:
        """Whether an answer repeats the last answer of its seat soon after it."""
        if seat not in self._accepted:
            return False
        until, last = self._accepted[seat]
        return now <= until and replace(answer, ts=None) == replace(last, turn=None, ts=None)

    def _ask_again(self, session: int, known: Session, now: float, *, is_doubled: bool = True) -> None:
        """Send the open question of a seat again, at most once, to the connection that received it."""
        turn = self._clock.turn
        if turn is None or turn.seat != known.seat or turn.is_repeated or turn.number > self.durable:
            return
        if known.question == turn.number:
            turn.is_repeated, turn.is_doubled, known.repeated = True, is_doubled, turn.number
            self._send_question(session, known, self._clock.left_ms(now))

    def _answer(self, known: Session, action: Action | MoveMessage, now: float) -> None:
        turn = self._clock.turn
        if known.seat is None:
            raise Rejected("OUT_OF_TURN", "send a hello first")
        if action.hand_id != self.match.hand_id or (turn is None and not self.match.underway):
            raise Rejected("ACTION_TOO_LATE", f"{action.hand_id!r} is not the hand being played")
        if turn is None or (action.turn is not None and action.turn != turn.number):
            raise Rejected("ACTION_TOO_LATE", f"turn {action.turn} is not the open turn")
        if turn.seat != known.seat:
            teams = self.match.history.seats
            raise Rejected(
                "OUT_OF_TURN", f"it is the turn of {teams[turn.seat].team!r}, not of {teams[known.seat].team!r}"
            )
        if self.durable < turn.number or (action.turn is None and known.question != turn.number):
            raise Rejected(
                "ACTION_TOO_LATE",
                "this turn is over; to answer the open turn, give its number in `turn`",
            )
        step = self.match.act(known.seat, action, self._clock.bank_used_ms(now) if turn.bank_ms else 0)
        self._accepted[known.seat] = inf if turn.is_doubled else now + REPEATED_WITHIN, action
        known.tokens += 1  # answers do not count toward the rate limit, because the room sends the questions
        self._out.is_free = True
        self._advance(step, now)

    # --- presence

    def _note_presence(self, known: Session, now: float) -> None:
        """End the absence of a seat that has sent a message."""
        if known.seat is None:
            return
        records = self.match.come_back(known.seat) if known.seat in self.match.absent else []
        for record in records:
            self._record(record, now)
        if self._clock.note_message(known.seat) or records:
            self._note(f"{self._log.name(known.seat)} is back", now)
            self._send_lobby(now)

    def _show_game(self, session: int, known: Session, now: float) -> None:
        """Send a view of the game to a seat that requests it."""
        seat, turn = known.seat, self._clock.turn
        if seat is None:
            raise Rejected("OUT_OF_TURN", "send a hello first")
        if self.match.over:
            raise Rejected("INVALID_ACTION", "the match is over")
        if self.match.host.layouts:
            raise Rejected("INVALID_ACTION", "this table plays poker: an `act` shows all that a view would")
        if now < (due := self._views.get(seat, -VIEW_EVERY) + VIEW_EVERY):
            raise Rejected("RATE_LIMITED", "a seat can ask for one view a second", milliseconds(due - now))
        self._views[seat] = now
        left_ms = self._clock.left_ms(now) if turn is not None else (None, None)
        view = self.messages.snapshot(seat, turn.number if turn else 0, *left_ms, table=known.wants_table)
        known.note(view)
        self._send((session,), view)

    def _request(self, known: Session, message: CashRequest, now: float) -> None:
        """Carry out a request of a seat, such as leaving or sitting out."""
        seat, is_cash = known.seat, self.match.settings.cash
        if seat is None:
            raise Rejected("NOT_SEATED" if is_cash else "OUT_OF_TURN", "send a hello first")
        if is_cash and self._clock.note_message(seat):
            self._note(f"{self._log.name(seat)} is back", now)
            self._send_lobby(now)
        records = self.match.request(seat, message)
        if isinstance(message, Leave) and not is_cash:
            self._clock.leave(seat)
        if isinstance(message, Leave):
            self._note(f"{self._log.name(seat)} has left", now)
        for record in records:
            self._record(record, now)
        self._settle(now)
        if records or not is_cash:
            self._send_lobby(now)

    # --- a cash table between hands

    def _record(self, record: Record, now: float) -> None:
        """Record a change at the table, and send it."""
        entry = self._append(record, seals=not self.match.underway)
        self._broadcast(self.messages.of(record, entry.hash), now)

    def _settle(self, now: float, away: Collection[int] = ()) -> None:
        """Record all changes at the table that are due: buy-ins, and seats that sit out or leave."""
        settled, left = False, None
        for record in self.match.settle(away):
            self._record(record, now)
            if isinstance(record, TeamLeft):
                left = self._free_seat(record.seat, now)
            elif isinstance(record, Seated) and left is not None:  # this is the house bot that has just left
                self._take_house_seat(left, record.seat, now)
            settled = True
        if settled:
            self._send_lobby(now)

    def _free_seat(self, seat: int, now: float) -> int | None:
        """Make the connection of a team that has left a spectator. If it was a house bot, return its session."""
        self._clock.forget(seat)
        self._numbers.offer(seat, None)
        self.team_stats.forget(seat)
        self._late.pop(seat, None)
        self._accepted.pop(seat, None)
        by_document = self._sessions.pop(-1 - seat, None)
        session = self._seats.pop(seat, None)
        if by_document is not None:
            by_document.seat = None
        if session is None or session not in self._sessions:
            return None
        known = self._sessions[session]
        known.seat, known.question = None, 0
        if not known.hello:
            return session  # a house bot does not watch
        if len(self.spectators.sessions) >= self.limits.watchers:
            reason = "you have left the table, and it has too many spectators"
            self._drop(session, POLICY, reason, now)
        elif self.limits.delay:
            self._show_table(session, now)
        else:  # the session has already received everything that spectators have
            self.spectators.sessions.add(session)
            self._send((session,), self.messages.table())
        return None

    def _reveal(self, number: int, now: float) -> None:
        """Make the decks of the hands up to this one public."""
        frames = self.messages.reveal(number).__iter__
        self.match.change(record := DecksRevealed(number=number))
        self._record(record, now)
        self._out.put(tuple(self._seats.values()), frames)
        self.spectators.put((Revealing(number, frames),), self._out, now)

    def _disconnect_seat(self, seat: int, now: float) -> None:
        del self._seats[seat]
        self._clock.disconnect(seat, now)

    # --- play

    def _act_by_default(self, seat: int, now: float) -> None:
        """Act for a seat that is away or whose time is up. Send a lobby if other seats are away than before."""
        away, bank_ms = self._clock.is_away(seat, now), self._clock.bank_used_ms(now)
        if self._clock.turn is not None and self._clock.turn.is_sent:
            self._late[seat] = self.match.hand_id
        self._clock.slow_down((seat,), now)
        step = self.match.act_by_default(seat, away=away, bank_ms=bank_ms)
        self._clock.miss_turn(seat)
        self._advance(step, now)
        if self._clock.away(now) != self._away:  # after the delay, because a lobby shows the result of the hand
            self._send_lobby(now)

    def _start(self, now: float) -> None:
        """Start a hand, or exchange its numbers first. The hand after it waits for the next tick."""
        if self._numbers.bound is None:
            self._resend.begin_hand()
            self.spectators.put((None,), self._out, now)
        here = [seat for seat in self._seats if seat not in self._clock.silent]
        day = max(self._day(), self.match.history.day)  # the clock may have been set back over midnight
        change = self._numbers.proceed(here, self._entropy, day)
        if isinstance(change, Step):
            self._clock.begin_hand(now)
            self._advance(change, now)
            self._settle(now)  # a team that cannot pay for the return leaves
            if self.match.settings.cash and self.messages.lobby(self.connected, self._away) != self._lobby:
                self._send_lobby(now)
        else:
            self._broadcast(self.messages.of(change, self._append(change).hash), now)
            self._between_hands(now)
        self._log.begin(self._out)

    def _advance(self, step: Step, now: float) -> None:
        """Record a step of the game, send its messages, and send the next question or end the match."""
        self._clock.close_turn(now)
        over = step.result is not None
        entry = self._append(step.record, seals=over)
        self._broadcast(self.messages.of(step, entry.hash) if over else step.messages, now)
        self._show_tables(now)
        if step.to_act is not None:
            self._ask(entry.seq, step.to_act, now)
            return
        self.team_stats.end_hand()
        if (hand := self.match.history.last) is not None:
            self._clock.slow_down(hand.stacks, now)
        if self.match.settings.cash:
            self._unrevealed.add(self.match.finished, now)
            self._settle(now, self._clock.away(now))
        self._between_hands(now)
        if self.match.decided:
            self._end(now)

    def _between_hands(self, now: float) -> None:
        """Show the lobby and the end of the last hand to spectators who have not received them."""
        if self.limits.delay or self.spectators.lobby_waits:
            lobby = self.messages.lobby(self.connected, self._away)
            self.spectators.put((lobby, self.match.finished), self._out, now)
            if (sums := self.match.sums) is not None:
                self.spectators.put((sums,), self._out, now)

    def _end(self, now: float) -> None:
        ended = self.match.end()
        self._log.over(self._out, ended.stacks)
        (end,) = self.messages.of(ended, self._append(ended).hash)
        self._resend.add(self.match.seq, write(end))
        self._out.put(tuple(self._seats.values()), self.messages.farewell)
        self.spectators.put((self.messages.farewell,), self._out, now)

    def _ask(self, number: int, seat: int, now: float) -> None:
        """Open the turn with this number, and send the question to its seat."""
        turn = self._clock.open_turn(number, seat)
        session = self._seats.get(seat)
        if session is not None and turn.is_sent:
            known = self._sessions[session]
            known.question = number
            self._send_question(session, known, turn.given)
        followers = self._followers - {session} - self.spectators.sessions
        if self.spectators.sessions or followers:
            frame = write(self.messages.turn(seat, *turn.given))
            if followers:
                self._out.put(tuple(followers), frame)
            if self.spectators.sessions:
                self.spectators.put((frame,), self._out, now)

    def _send_question(self, session: int, known: Session, left_ms: tuple[int, int | None]) -> None:
        """Send the open question to a session."""
        turn = self._clock.turn
        assert turn is not None
        hand_id = self.match.hand_id
        question = self.match.host.question(hand_id, turn.number, *left_ms, known.parts(hand_id))
        known.note(question)
        self._send((session,), question)

    # --- tables as data

    def _show_tables(self, now: float) -> None:
        """Send the table to players who asked for it and, if it is not poker, to spectators."""
        for seat, session in self._seats.items() if self._viewers else ():
            if session in self._viewers:
                self._send_table(session, seat)
        self.spectators.put(self._table_for_spectators(), self._out, now)

    def _send_table(self, session: int, seat: int) -> None:
        if (message := self.messages.table_view(seat)) is not None:
            self._send((session,), message)

    def _table_for_spectators(self) -> list[LateFrame]:
        """Return the table as spectators see it, to be written when the first of them sees it; empty for poker."""
        table = None if self.match.host.layouts else self.messages.late_table()
        return [] if table is None else [LateFrame(table)]

    def _append(self, record: Record, *, seals: bool = True) -> Entry:
        """Append a record to the chain. A sealing record makes all entries up to it final."""
        entry = self._chain.append(write_record(record), seals=seals)
        self._out.entries.append(entry)
        return entry

    # --- output

    def _note(self, sentence: str, now: float) -> None:
        self._log.client(self._out, sentence, now)

    def _send(self, to: tuple[int, ...], message: ServerMessage) -> None:
        if to:
            self._out.sends.append(Send(to, write(message)))

    def _broadcast(self, messages: Sequence[PublicMessage], now: float) -> None:
        """Send to all players, and to spectators after their delay."""
        players = tuple(self._seats.values())
        frames = []
        for message in messages:
            frame = write(message)
            self._resend.add(message.seq, frame)
            if players:
                self._out.sends.append(Send(players, frame))
            frames.append(frame)
        self.spectators.put(frames, self._out, now)
        if self.limits.delay:
            self._show_document(now)
        if self.spectators.sessions and (hand := self.match.history.last) is not None:
            spots = run_out_spots(messages, hand.started.variant or self.match.host.variant)
            if spots:
                run_out = RunOut(self.match.table_id, self.match.hand_id, tuple(spots))
                self.spectators.put((run_out,), self._out, now)

    def _send_lobby(self, now: float) -> None:
        before, self._away = self._away, self._clock.away(now)
        self._log.away(self._out, self._away - before, now)
        lobby = self._lobby = self.messages.lobby(self.connected, self._away)
        self._send(tuple(self._seats.values()), lobby)
        self.spectators.put((lobby,), self._out, now)
        self._show_document(now)

    def _reject(self, session: int, rejected: Rejected, now: float) -> None:
        if (known := self._sessions.get(session)) is not None and known.seat is not None:
            self.team_stats.refuse(known.seat, rejected, now)
        self._send((session,), Error(code=rejected.code, msg=str(rejected), retry_after_ms=rejected.retry_after_ms))

    def _drop(self, session: int, code: int, reason: str, now: float) -> None:
        """Close a connection and forget it."""
        known = self._sessions.pop(session, None)
        self._pending.remove(session)
        self.spectators.sessions.discard(session)  # it may watch after it left a cash table
        self._followers.discard(session)
        self._viewers.discard(session)
        if known is not None and known.seat is not None:
            self._disconnect_seat(known.seat, now)
        self._out.closes.append(Close(session, code, reason))

    def _strike(self, session: int, known: Session, now: float) -> None:
        """Answer some of the frames over the limit with an error, and close a connection that continues."""
        if known.strikes >= self.limits.strikes:
            self._drop(session, POLICY, "too many frames", now)
            self._send_lobby(now)
        elif known.strikes % ERROR_EVERY == 1:  # errors for all frames would be a flood too
            wait = milliseconds((1 - known.tokens) / self.limits.frames_a_second)
            why = Rejected("RATE_LIMITED", f"{self.limits.frames_a_second:g} frames a second", wait)
            self._reject(session, why, now)

    def _done(self) -> Output:
        """Return the output so far. Frames are kept until the entries before them are on disk."""
        out, self._out = self._out, Output()
        if self._chain.head.seq <= self.durable:
            return out
        immediate = Output(entries=out.entries, checks=out.checks, is_free=out.is_free)
        if out.sends or out.closes or out.notes or out.alarms:
            out.entries, out.checks = [], []
            self._held.append((self._chain.head.seq, out))
        return immediate
