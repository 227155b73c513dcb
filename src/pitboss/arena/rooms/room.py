"""A room: the part of one table that handles frames from clients. Methods return what to write, send and close.

A room uses no sockets and does not read the time. Clients must not learn of a decision before it is on disk, so the
room keeps its messages until `committed` is called.
"""

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.equities import run_out_spots
from pitboss.arena.hosts.host import Step
from pitboss.arena.journal.records import DecksRevealed, Lock, Record, TeamLeft, write_record
from pitboss.arena.rooms.cash_document import DocumentRequest, NumberedDocument, empty_document, see_document
from pitboss.arena.rooms.clock import AT_ONCE, TableClock
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
from pitboss.arena.rooms.output import Close, Frames, Output, Revealing, RunOut, Send, Spectators, TableLog
from pitboss.arena.rooms.reveals import RevealSchedule
from pitboss.arena.rooms.team_stats import TeamStats
from pitboss.arena.wire.messages import (
    Action,
    AskMessage,
    CashRequest,
    CashSums,
    Equities,
    EquityStep,
    Error,
    GameView,
    Hello,
    Leave,
    Lobby,
    MoveMessage,
    Number,
    PublicMessage,
    Rejected,
    ServerMessage,
    Summary,
    TableState,
    ViewRequest,
    milliseconds,
    read,
    write,
)
from pitboss.store.chain import Chain, Entry

ERROR_EVERY = 50
"""Frames over the limit per error message."""
VIEW_EVERY = 1.0
"""Seconds between two views that a seat asks for: one can be hundreds of kilobytes."""
REPEATED_WITHIN = 0.5
"""Seconds after an accepted answer in which the same answer without a turn is a duplicate.

A client that was sent a question twice after a late answer may answer both, so its duplicate may take any time.
"""
LATE = "your last question ran out before this answer; send `turn` to avoid this"
POLICY, REPLACED = 1008, 4000
"""Close codes: the connection broke a limit, or a newer one has its seat."""


class Session(Struct):
    """A player's connection."""

    seat: int | None = None
    tokens: float = 0.0
    last_frame: float = 0.0  #: when its last frame arrived
    strikes: int = 0
    wrong_hellos: int = 0
    asked: int = 0  #: the last turn whose question was sent to it
    asked_again: int = 0  #: the last turn whose question was sent to it twice
    address: str = ""
    hello: int = 0  #: the number of the hello that gave it its seat
    wants_new: bool = False  #: whether a question to it has only the events that it was not sent yet
    sent: tuple[str, int] = ("", 0)  #: the game of which it was sent events, and how many

    def since(self, hand_id: str) -> int | None:
        """Return how many events of a game are left out of its next question; None: as many as its size demands."""
        if not self.wants_new:
            return None
        return self.sent[1] if self.sent[0] == hand_id else 0

    def note(self, message: ServerMessage) -> None:
        """Note the events that are sent to it."""
        if isinstance(message, AskMessage):
            self.sent = message.hand_id, (message.learned_from or 0) + len(message.learned)
        elif isinstance(message, GameView) and message.at_hand_id is not None:
            self.sent = message.at_hand_id, len(message.learned)

    def take_token(self, now: float, limits: Limits) -> bool:
        """Return whether this frame is within the rate limit; each frame over it is a strike."""
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


class ResendBuffer:
    """The frames of the last hands, to be sent again, and the seats that might not know that a hand was voided."""

    def __init__(self, frames: Sequence[tuple[int, str]] = (), mark: int = 0, unaware: Mapping[int, int] = {}) -> None:
        self.frames = list(frames)
        self._mark = mark  # where the current hand begins in `frames`
        self._unaware = dict(unaware)  # seat → the number of the frame that voided a hand while the seat was away

    @property
    def hand(self) -> list[str]:
        return [frame for _, frame in self.frames[self._mark :]]

    def begin_hand(self) -> None:
        """Keep the frames of the last hand, and drop those of the hand before it."""
        self.frames = self.frames[self._mark :]
        self._mark = len(self.frames)

    def add(self, seq: int, frame: str) -> None:
        self.frames.append((seq, frame))

    def seen(self, seat: int, resume_from: int | None, sent: int, last: int) -> int:
        """Return the number of the last frame that a seat does not need again. `sent` is the last number used.

        A client that does not resume, or whose `resume_from` is too high, only needs the frames since a voided hand.
        """
        void = self._unaware.pop(seat, 0)
        if resume_from is not None and resume_from <= sent:
            return resume_from
        return void - 1 if self.frames and self.frames[0][0] <= void else last


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
        self._away: frozenset[int] = frozenset()  # as in the last lobby
        self._lobby: Lobby | None = None  # the last one
        self.logins = Logins(match, throttle, entropy)
        self._takeovers = Takeovers(limits.takeovers, limits.takeover_window)
        self._numbers = NumberExchange(match, limits.mixing)
        self._late: dict[int, str] = {}  # seat → the hand in which a question to it ran out
        self._accepted: dict[int, tuple[float, Action | MoveMessage]] = {}  # seat → its last answer, until when
        self._views: dict[int, float] = {}  # seat → when it was last sent a view that it asked for
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
        """Whether a connection has a seat, or had one at this cash table."""
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
        """What players of a cash table brought and took away, as spectators may know it; None for a match."""
        return self.spectators.sums if self.limits.delay else self.match.sums

    @property
    def described(self) -> TableState:
        """This table alone, as spectators may see it."""
        sums = self.sums
        added = {} if sums is None else {name: getattr(sums, name) for name in sums.__struct_fields__}
        summary = self.summary()
        return TableState(**{name: getattr(summary, name) for name in summary.__struct_fields__}, **added)

    @property
    def deadline(self) -> float | None:
        """When `tick` is due: `AT_ONCE`, or a time; frames that arrived before that time should be handled first."""
        soonest = self._clock.due
        if self._clock.turn is None and (self.match.decided or self._may_start):
            soonest = AT_ONCE if self.match.decided else self._start_due
        for time in (self.spectators.due, self._pending.due, self._unrevealed.due):
            if time is not None and (soonest is None or time < soonest):
                soonest = time
        return soonest

    @property
    def _may_start(self) -> bool:
        """Whether a hand is due: the game can start one, and a player of it is connected."""
        return self.match.can_start and self._clock.has_players

    @property
    def _start_due(self) -> float | None:
        """When the next hand, or the exchange of its numbers, goes on."""
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

    def attach(self, session: int, team: str, now: float) -> Output:
        """Give a house bot a seat, or its old seat back; it needs no hello and no code."""
        seat, record = self.match.admit_house(team)
        if record is not None:
            self._append(record, seals=not self.match.underway)
        self._sessions[session] = known = Session(seat, tokens=self.limits.burst, last_frame=now)
        self._seats[seat] = session
        self._clock.connect(seat, now)
        turn = self._clock.turn
        if turn is not None and turn.seat == seat:
            known.asked = turn.number
            self._send_question(session, known, self._clock.left_ms(now))
        self._send_lobby(now)
        return self._done()

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
            elif isinstance(message, Number):  # the client sends it by itself, so it does not end an absence
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
        """Continue a hello with the result for its code: the lock that the code opens or has made, None if it is wrong.

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
        """Do what is due now."""
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
        """Make the decks of all finished hands of a cash table public, because the server stops."""
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
        self.spectators.put((self.messages.lobby(()), self.match.finished, None, *hand), self._out, now)
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
        """Note that a team at this cash table reads its document: its seat is connected."""
        seat = self.match.seat_of(team)
        if seat is not None and seat not in self._seats:
            self._read_by_document(seat, now)
        return self._done()

    def post(self, team: str, lock: Lock, asked: DocumentRequest, now: float) -> tuple[Rejected | None, Output]:
        """Do what a team asks for with a document; return the reason if that is not possible."""
        rejected = None
        try:
            known = self._reader(team, now) if asked.hello is None else self._join(asked.hello, lock, now)
            if asked.request is not None:
                self._request(known, asked.request, now)
            if asked.action is not None:
                turn = self._clock.turn
                self._answer(known, replace(asked.action, turn=0 if turn is None else turn.number), now)
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
        """Ask for a hello's code to be checked, or refuse the hello."""
        try:
            about = self.logins.ask(session, known.address, hello, now)
            if about is not None:
                self._out.checks.append(about)
                self._clock.checking(self.logins.seat_of(session), now)
        except Rejected as rejected:
            self._refuse(session, known, hello, rejected, now)

    def _sit_down(self, session: int, known: Session, pending: PendingLogin, lock: Lock, now: float) -> None:
        """Seat a team whose code is right, at its own seat or a free one."""
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
        known.wants_new = pending.hello.learned == "new"
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
        """Close a connection whose seat changes hands too often, with the time to wait."""
        self._reject(session, Rejected("RATE_LIMITED", "this seat changes hands too often", wait_ms), now)
        self._drop(session, POLICY, f"this seat changes hands too often; reconnect in {wait_ms} ms", now)

    def _welcome(self, session: int, known: Session, hello: Hello, again: bool, now: float) -> None:
        seat, me = known.seat, (session,)
        assert seat is not None
        self._send(me, self.messages.welcome(seat))
        self._log.resumed(self._out, session, seat, hello, now)
        last = self.match.seq if self.match.over else self.match.seq + 1  # the match's end is sent below
        seen = self._resend.seen(seat, hello.resume_from, self.match.seq, last)
        self._out.sends += [Send(me, frame) for seq, frame in self._resend.frames if seen < seq < last]
        if (bound := self._numbers.ask_again(seat, now)) is not None and bound.seq <= seen:
            self._send(me, self.messages.mix(bound, bound.seq))
        turn = self._clock.turn
        if turn is not None and turn.seat == seat:
            known.asked = turn.number
        if again:
            left_ms = self._clock.left_ms(now) if turn is not None else (None, None)
            snapshot = self.messages.snapshot(seat, turn.number if turn else 0, *left_ms)
            known.note(snapshot)
            self._send(me, snapshot)
        if self.match.over:
            self._out.put(me, self.messages.farewell)
        self._send_lobby(now)

    # --- answers

    def _is_stray(self, session: int, known: Session, answer: Action | MoveMessage, now: float) -> bool:
        """Whether an answer was meant for an earlier question; it then changes nothing and costs its team nothing.

        Without a turn, that is the first answer after a question ran out, and a repetition of the last accepted one.
        With a turn, it is the second answer to a question that was sent twice.
        """
        seat, turn = known.seat, self._clock.turn
        if seat is None:
            return False
        if answer.turn is not None:
            is_late = answer.turn == known.asked_again and (turn is None or turn.number != answer.turn)
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
        """Whether an answer is the same as the last one of its seat, and comes soon after it."""
        if seat not in self._accepted:
            return False
        until, last = self._accepted[seat]
        return now <= until and replace(answer, ts=None) == replace(last, turn=None, ts=None)

    def _ask_again(self, session: int, known: Session, now: float, *, is_doubled: bool = True) -> None:
        """Send the open question of a seat again, at most once, to the connection that got it."""
        turn = self._clock.turn
        if turn is None or turn.seat != known.seat or turn.is_repeated or turn.number > self.durable:
            return
        if known.asked == turn.number:
            turn.is_repeated, turn.is_doubled, known.asked_again = True, is_doubled, turn.number
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
            raise Rejected("OUT_OF_TURN", f"it is the turn of seat {turn.seat}, not of seat {known.seat}")
        if self.durable < turn.number or (action.turn is None and known.asked != turn.number):
            raise Rejected(
                "ACTION_TOO_LATE",
                "this turn is over; to answer the open turn, give its number in `turn`",
            )
        step = self.match.act(known.seat, action, self._clock.bank_used_ms(now) if turn.bank_ms else 0)
        self._accepted[known.seat] = inf if turn.is_doubled else now + REPEATED_WITHIN, action
        known.tokens += 1  # an answer to a question does not count: the room itself sets the pace
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
        """Send the game to a seat that asks for it."""
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
        view = self.messages.snapshot(seat, turn.number if turn else 0, *left_ms)
        known.note(view)
        self._send((session,), view)

    def _request(self, known: Session, message: CashRequest, now: float) -> None:
        """Do what a seat asks for in addition to its answers."""
        seat, is_cash = known.seat, self.match.settings.cash
        if seat is None:
            raise Rejected("NOT_SEATED" if is_cash else "OUT_OF_TURN", "send a hello first")
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
        """Let the table do what is due: buy-ins, and seats that sit out or leave."""
        settled = False
        for record in self.match.settle(away):
            self._record(record, now)
            if isinstance(record, TeamLeft):
                self._free_seat(record.seat, now)
            settled = True
        if settled:
            self._send_lobby(now)

    def _free_seat(self, seat: int, now: float) -> None:
        """Let the connection of a team that has left watch the table; it may take a seat again."""
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
            return
        known = self._sessions[session]
        known.seat, known.asked = None, 0
        if not known.hello:
            return  # a house bot, which does not watch
        if len(self.spectators.sessions) >= self.limits.watchers:
            reason = "you have left the table, and it has too many spectators"
            self._drop(session, POLICY, reason, now)
        elif self.limits.delay:
            self._show_table(session, now)
        else:  # it has seen all that spectators have
            self.spectators.sessions.add(session)
            self._send((session,), self.messages.table())

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
        """Play for a seat whose time is up or that is away; send a lobby if the seats that are away have changed."""
        away, bank_ms = self._clock.is_away(seat, now), self._clock.bank_used_ms(now)
        if self._clock.turn is not None and self._clock.turn.is_sent:
            self._late[seat] = self.match.hand_id
        self._clock.slow_down((seat,), now)
        step = self.match.act_by_default(seat, away=away, bank_ms=bank_ms)
        self._clock.miss_turn(seat)
        self._advance(step, now)
        if self._clock.away(now) != self._away:  # not sooner: a lobby shows how the hand ended
            self._send_lobby(now)

    def _start(self, now: float) -> None:
        """Start a hand, or exchange its numbers first. The hand after it waits for the next tick."""
        if self._numbers.bound is None:
            self._resend.begin_hand()
            self.spectators.put((None,), self._out, now)
        here = [seat for seat in self._seats if seat not in self._clock.silent]
        day = max(self._day(), self.match.history.day)  # the clock may have stepped back over midnight
        change = self._numbers.proceed(here, self._entropy, day)
        if isinstance(change, Step):
            self._clock.begin_hand(now)
            self._advance(change, now)
            self._settle(now)  # who could not pay for the return leaves
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
        """Show the lobby and the end of the last hand to spectators who have yet to see them."""
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
            known.asked = number
            self._send_question(session, known, turn.given)
        if self.spectators.sessions:
            frame = write(self.messages.turn(seat, *turn.given))
            self.spectators.put((frame,), self._out, now)

    def _send_question(self, session: int, known: Session, left_ms: tuple[int, int | None]) -> None:
        """Send the open question to a session."""
        turn = self._clock.turn
        assert turn is not None
        hand_id = self.match.hand_id
        question = self.match.host.question(hand_id, turn.number, *left_ms, known.since(hand_id))
        known.note(question)
        self._send((session,), question)

    def _append(self, record: Record, *, seals: bool = True) -> Entry:
        """Append a record to the chain; a record that seals makes everything up to it final."""
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
        if known is not None and known.seat is not None:
            self._disconnect_seat(known.seat, now)
        self._out.closes.append(Close(session, code, reason))

    def _strike(self, session: int, known: Session, now: float) -> None:
        """Answer some of the frames over the limit with an error, and close a connection that goes on."""
        if known.strikes >= self.limits.strikes:
            self._drop(session, POLICY, "too many frames", now)
            self._send_lobby(now)
        elif known.strikes % ERROR_EVERY == 1:  # an error for each would be a flood too
            wait = milliseconds((1 - known.tokens) / self.limits.frames_a_second)
            why = Rejected("RATE_LIMITED", f"{self.limits.frames_a_second:g} frames a second", wait)
            self._reject(session, why, now)

    def _done(self) -> Output:
        """Return the output so far; keep what is to be sent until the entries before it are on disk."""
        out, self._out = self._out, Output()
        if self._chain.head.seq <= self.durable:
            return out
        immediate = Output(entries=out.entries, checks=out.checks, is_free=out.is_free)
        if out.sends or out.closes or out.notes or out.alarms:
            out.entries, out.checks = [], []
            self._held.append((self._chain.head.seq, out))
        return immediate
