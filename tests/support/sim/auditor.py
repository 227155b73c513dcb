"""Checks everything a simulated arena does, at the moment it does it; a fault fails an assertion.

On disk: every record is replayed, chips are counted, turns come in order, and every action was sent by its team, for
that very turn, and is applied once. On the wire: a message is never sent before it is on disk, to a client that must
not see it, with a gap, or to a replaced connection. By the clock: no turn ends early, and none is endless.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from pitboss.arena.journal.records import Acted
from pitboss.arena.rooms.logins import CodeCheck, Limits
from pitboss.arena.rooms.match import TIMEOUTS_TO_BE_AWAY
from pitboss.arena.rooms.room import REPEATED_WITHIN
from pitboss.arena.rooms.tables import OpenTables
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import Action
from pitboss.betting.events import Bet, Call, Check, Fold, Raise
from pitboss.hand.events import Discard
from pitboss.store import Entry
from tests.support.arena.rooms import state
from tests.support.arena.witness import Question, Witness
from tests.support.sim.network import Link

if TYPE_CHECKING:
    from tests.support.sim.arena import Arena

WORDS: dict[type[Any], str] = {
    Fold: "FOLD",
    Check: "CHECK",
    Call: "CALL",
    Bet: "RAISE_TO",
    Raise: "RAISE_TO",
    Discard: "DRAW",
}
A_MOMENT = 1e-6
A_MILLISECOND = 0.001
SLACK = 0.1
"""Seconds by which a turn can be late if the process does not pause."""
LIMITED_FOR = 3.0
"""Seconds for which frames can stay unanswered after a connection was warned that it sends too many."""
CLOSES_WITHIN = 8.0
"""Seconds after which a connection that was replaced must be closed."""


class Seen(Struct):
    """What one connection has sent and received."""

    table: str = ""
    team: str = ""
    resume_from: int | None = None
    seat: int | None = None
    next: int | None = None  #: the number that must come next
    missed: list[int] | None = None  #: numbers received since the welcome, until the snapshot
    starts_hand: bool = False  #: whether the first of them begins a hand
    life: int = 0  #: of the server's process
    alarmed: bool = False  #: whether it received the warning that it has seen more than exists
    limited_at: float = 0.0  #: when it was last warned to slow down
    left_at: float | None = None  #: when it last sent `leave`
    replaced: bool = False
    watches: bool = False


class Sent(NamedTuple):
    """An answer that was sent: its time, its content, and its connection."""

    at: float
    action: Action
    link: int  #: 0: from a house bot


class LastAct(NamedTuple):
    """A seat's last act in this life of the server: its hand, its action, and its time."""

    hand_id: str
    acted: Acted
    at: float


class SeatCheck(Struct):
    """A check of a code for a seat. One connection can have several, one after another."""

    session: int
    seat: int
    began: float
    ended: float | None = None


class TableAudit:
    """One table, as the auditor knows it."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.witness = Witness(table)
        self.durable_at: dict[int, float] = {}  #: entry → when it was on disk
        self.hashes: list[bytes] = []  #: of those entries
        self.decided_at: dict[int, float] = {}  #: message → when its content was decided
        self.put_at: dict[int, float] = {}  #: entry → when it was decided
        self.sent: dict[tuple[str, str], list[Sent]] = {}  #: (team, hand) → answers not applied yet
        self.left: dict[str, float] = {}  #: teams that have sent `leave` and not answered since
        self.links: dict[str, list[Link]] = {}  #: team → connections on which it said hello in this life of the server
        self.current: dict[int, Link] = {}  #: seat → its connection
        self.acts = 0
        self.last: dict[int, LastAct] = {}  #: seat → its last act
        self.audited = 0  #: the entry up to which the server's chips were counted
        self.checks: list[SeatCheck] = []  #: in this life of the server

    def held_up(self, seat: int, now: float) -> float:
        """How long codes for a seat were being checked, in this life of the server."""
        found, until = 0.0, 0.0
        for began, ended in sorted((each.began, each.ended or now) for each in self.checks if each.seat == seat):
            found += max(0.0, ended - max(began, until))
            until = max(until, ended)
        return found

    def take(self, entry: Entry, now: float) -> None:
        """Take in an entry that is now on disk."""
        witness = self.witness
        before = witness.referee.seq
        witness.take(entry)
        self.durable_at[entry.seq] = now
        self.hashes.append(entry.hash)
        for seq in range(before + 1, witness.referee.seq + 1):
            self.decided_at[seq] = self.put_at.get(entry.seq, now)


class Auditor:
    """Audits all tables and connections of an arena."""

    def __init__(self, arena: "Arena", limits: Limits) -> None:
        self.arena = arena
        self.world = arena.world
        self.limits = limits
        self.tables: dict[str, TableAudit] = {}
        self.seen: dict[int, Seen] = {}  #: connection → what it has seen
        self.opened: OpenTables | None = None
        self.boot = 0.0
        self.actions = 0
        self._changed: set[str] = set()  # tables whose state can differ from the disk
        self._read: dict[tuple[int, int], float] = {}  # connection and turn → when its question was read there
        self.standing_still = 0.0  #: until when the process was paused
        self.stood_still = 0.0  #: seconds of pauses in total, in this life of the server

    # --- the disk

    def put(self, entries: Sequence[Entry]) -> None:
        """The server decided something."""
        for entry in entries:
            audit = self.tables[entry.table]
            audit.put_at[entry.seq] = self.world.now
            self._changed.add(entry.table)

    def durable(self, entries: Sequence[Entry]) -> None:
        """Entries are on disk."""
        for entry in entries:
            audit = self.tables.get(entry.table)
            if audit is None:
                audit = self.tables[entry.table] = TableAudit(entry.table)
            self.world.note(f"{entry.table} entry {entry.seq} {entry.hash.hex()[:16]}")
            if entry.after != audit.witness.seq:
                continue  # the entry after a tear: everything is read again when the table is opened
            audit.take(entry, self.world.now)
            self._changed.add(entry.table)
            acts = audit.witness.acts
            while audit.acts < len(acts):
                question, acted = acts[audit.acts]
                audit.acts += 1
                self.actions += 1
                self._check_act(audit, question, acted, entry.seq)

    def _check_act(self, audit: TableAudit, question: Question, acted: Acted, seq: int) -> None:
        assert question.seat == acted.seat, f"seat {question.seat} was asked, and seat {acted.seat} acted"
        self.world.counts[acted.cause] += 1
        team = audit.witness.teams[acted.seat]
        put_at = audit.put_at.get(seq)
        if put_at is not None and put_at >= self.boot:
            self._check_clock(audit, question, acted, put_at)
        if acted.cause == "timeout":
            self._remember(audit, question, acted, put_at)
            return
        sent = audit.sent.get((team, question.hand_id), [])
        fitting = [each for each in sent if _fits(each.action, question, acted)]
        assert fitting, f"{audit.table}: done, but not sent: {question} {acted}"
        done = next((each for each in fitting if self._was_read(each, question.turn)), None)
        if done is None:
            done = fitting[-1]
            self._check_early(audit, question, acted, done, sent, put_at)
        sent.remove(done)
        self._remember(audit, question, acted, put_at)
        if done.at > audit.left.get(team, self.world.now):
            del audit.left[team]  # back with its answer
            for link in audit.links.get(team, ()):
                self.seen[link.number].left_at = None

    def _remember(self, audit: TableAudit, question: Question, acted: Acted, put_at: float | None) -> None:
        if put_at is not None:
            audit.last[question.seat] = LastAct(question.hand_id, acted, put_at)

    def _check_early(
        self,
        audit: TableAudit,
        question: Question,
        acted: Acted,
        done: Sent,
        sent: Sequence[Sent],
        put_at: float | None,
    ) -> None:
        """An answer without a turn that was sent too early counts only after one that was refused or ignored."""
        last = audit.last.get(question.seat)
        if last is None or last.hand_id != question.hand_id or put_at is None:
            return
        others = [each for each in sent if each is not done and each.action.turn is None and each.at <= done.at]
        late = last.acted.cause == "timeout"
        repeated = put_at - last.at <= REPEATED_WITHIN and last.acted.action == acted.action
        assert others or not (late or repeated), (
            f"{audit.table}: turn {question.turn} has an answer to another question"
        )

    def _was_read(self, sent: Sent, turn: int) -> bool:
        """Whether an answer names its turn, or was sent after that turn's question was read on the connection."""
        return (
            sent.action.turn is not None or not sent.link or self._read.get((sent.link, turn), sent.at + 1) <= sent.at
        )

    def read(self, link: Link, text: str) -> None:
        """A client reads a frame."""
        if '"turn":' in text and text.startswith(('{"type":"act"', '{"type":"snapshot"')):
            message = wire.read_server(text)
            if isinstance(message, wire.Act | wire.Snapshot) and message.turn is not None:
                self._read.setdefault((link.number, message.turn), self.world.now)

    def _check_clock(self, audit: TableAudit, question: Question, acted: Acted, put_at: float) -> None:
        """No turn ends early, except for an away seat; and none lasts longer than allowed."""
        move_time = audit.witness.match.move_time_ms / 1000
        used = acted.bank_ms / 1000
        bank = used + audit.witness.match.history.bank_ms(question.seat) / 1000  # as it was at the question
        asked = max(audit.durable_at[question.turn], self.boot)
        took = f"{audit.table}: turn {question.turn} of seat {question.seat} took {put_at - asked:.3f} s"
        if acted.cause == "timeout":
            self._check_unanswered(audit, question, put_at)
            self._check_waited_for(audit, question.seat, put_at, took)
        if acted.cause == "timeout" and put_at < asked + move_time + bank - A_MOMENT:
            self._check_away(audit, question.seat, put_at - move_time, took)
        longest = put_at - asked - move_time
        assert used <= max(0.0, longest) + A_MILLISECOND, f"{took}, and {used} s of its bank"
        waited = self.stood_still + audit.held_up(question.seat, put_at)
        waited += max(0.0, self.boot + self.limits.grace - asked)
        if acted.cause == "client" and bank:
            assert used >= min(bank, longest - waited) - SLACK, f"{took}, and only {used} s of its bank"
            self.world.counts["a bank is used"] += used > 0
        self.world.counts["a bank is used up"] += bank > 0 and used == bank
        latest = max(asked, self.boot + self.limits.grace) + move_time + bank
        gone = self._gone_at_the_latest(audit, question.seat)
        if gone is not None:
            latest = min(latest, max(asked, gone + move_time))
        late = put_at - latest - self.stood_still - min(self.limits.grace, audit.held_up(question.seat, put_at))
        assert late <= SLACK, f"{took}, and should have been over {late:.3f} s earlier"

    def _check_unanswered(self, audit: TableAudit, question: Question, put_at: float) -> None:
        """An answer that reached the server in time, on the seat's own connection, must have been handled in time."""
        link = audit.current.get(question.seat)
        if link is None or link.gone_at is not None or link.transport is None or not link.transport.is_reading():
            return
        came, seen = link.answered.get((question.hand_id, question.turn)), self.seen[link.number]
        if came is None or audit.table in self.arena.disk.rewound:
            return  # or numbers are reused, and an old answer belongs to an old question
        if seen.limited_at + LIMITED_FOR > came or (seen.left_at is not None and seen.left_at <= came):
            return  # it had been warned to slow down; or its previous message, `leave`, ended the turn
        assert came >= put_at, (
            f"{audit.table}: turn {question.turn} was over although its answer had come {put_at - came:.3f} s before"
        )

    def _check_waited_for(self, audit: TableAudit, seat: int, put_at: float, took: str) -> None:
        """The server does not act for a seat whose client waits for a code check, unless such checks take too long."""
        link = audit.current.get(seat)
        if link is None or (link.gone_at is not None and link.gone_at < put_at - SLACK):
            gone = self._gone_at_the_soonest(audit, seat) if link is not None else self._gone_untold(audit, seat)
            away = put_at if gone is None else gone + audit.witness.match.move_time_ms / 1000  # not waited for since
            checks = [each.began for each in audit.checks if each.seat == seat and each.ended is None]
            waits = any(began < min(put_at, away - SLACK) for began in checks)
            left = audit.witness.teams[seat] in audit.left
            silent = audit.witness.match.history.seats[seat].timeouts > TIMEOUTS_TO_BE_AWAY
            may_wait = audit.held_up(seat, put_at) < self.limits.grace - A_MOMENT
            assert left or silent or not (waits and may_wait), f"{took}, and its code was being checked"

    def _check_away(self, audit: TableAudit, seat: int, before: float, took: str) -> None:
        """A turn ended early: its seat has left, is silent, or has been away since before that time."""
        left = audit.witness.teams[seat] in audit.left
        silent = audit.witness.match.history.seats[seat].timeouts > TIMEOUTS_TO_BE_AWAY
        gone = self._gone_at_the_soonest(audit, seat)
        assert left or silent or (gone is not None and gone - A_MOMENT <= before), f"{took}, and it is not away"
        why = "left" if left else "is silent" if silent else "is gone"
        self.world.counts[f"played for a seat that {why}"] += 1

    def _gone_at_the_soonest(self, audit: TableAudit, seat: int) -> float | None:
        """The earliest time since which a seat may have had no connection; None: it has one.

        A connection that took the seat over may have ended before it was informed and before the older one was closed.
        If the server closes a connection, the decision came earlier than the client's message about it.
        """
        link = audit.current.get(seat)
        if link is None or link.gone_at is None:
            return self.boot if link is None else None
        links = audit.links.get(audit.witness.teams[seat], [])
        newer = links[links.index(link) :] if link in links else []
        gone = [link.gone_at, *[each.gone_at for each in newer if each.gone_at is not None]]
        return self._decided(audit, min(gone))

    def _gone_untold(self, audit: TableAudit, seat: int) -> float:
        """The same for a seat that no client was told it has since a restart: a client may have had it, and gone."""
        gone = [link.gone_at for link in audit.links.get(audit.witness.teams[seat], ()) if link.gone_at is not None]
        return min([self.boot + self.limits.grace, *[self._decided(audit, at) for at in gone]])

    def _decided(self, audit: TableAudit, done: float) -> float:
        """The earliest time at which something may have been decided, if it waited for the disk."""
        on_disk = [seq for seq, at in audit.durable_at.items() if done - SLACK <= at <= done]
        return min([done, *[audit.put_at[seq] for seq in on_disk if seq in audit.put_at]])

    def _gone_at_the_latest(self, audit: TableAudit, seat: int) -> float | None:
        """The time since which no client can be connected to a seat; None: one may be, or it is the house's."""
        if audit.witness.match.history.seats[seat].lock is None:
            return None
        links = audit.links.get(audit.witness.teams[seat], ())
        gone = [self.boot + self.limits.grace, *[link.gone_at for link in links if link.gone_at is not None]]
        return max(gone) if len(gone) == len(links) + 1 else None

    def restarted(self, opened: OpenTables) -> None:
        """The server has opened its tables again: they must be the same as on disk."""
        self.opened, self.boot = opened, self.world.now
        self._changed.clear()
        self.stood_still = 0.0
        for table, room in opened.rooms.items():
            reading = self.arena.disk.read(table)
            audit = self.tables.get(table)
            if audit is None:
                audit = self.tables[table] = TableAudit(table)
            audit.current.clear()
            audit.links.clear()
            audit.checks.clear()
            audit.last.clear()
            audit.audited = 0
            known = len(audit.hashes)
            if [entry.hash for entry in reading.entries[:known]] != audit.hashes:
                self._begin_again(audit, reading.entries)
            else:
                for entry in reading.entries[known:]:
                    self.durable([entry])
            assert state(room.match) == state(audit.witness.match), f"{table} was not taken up as it is on disk"

    def _begin_again(self, audit: TableAudit, entries: Sequence[Entry]) -> None:
        """Entries were lost: start again from those on disk."""
        old = audit.witness
        audit.witness = Witness(audit.table)
        before, audit.durable_at, audit.decided_at, audit.hashes = audit.durable_at, {}, {}, []
        for entry in entries:
            audit.take(entry, before.get(entry.seq, self.world.now))
        audit.acts = len(audit.witness.acts)
        if audit.table in self.arena.disk.rewound:
            self.world.count("a journal and its witness lost their ends")
            self.arena.play_again(audit.table)
        else:
            assert audit.witness.match.seq >= old.match.seq, "numbers are used again"

    # --- codes

    def checking(self, check: CodeCheck) -> None:
        """A code check begins, which delays a client that returns."""
        assert self.opened is not None
        seat = self.opened.rooms[check.table].logins.seat_of(check.session)
        if seat is not None:
            self.tables[check.table].checks.append(SeatCheck(check.session, seat, self.world.now))

    def checked(self, check: CodeCheck) -> None:
        """A code check has ended, or was dropped."""
        audit = self.tables[check.table]
        for each in [each for each in audit.checks if each.session == check.session and each.ended is None]:
            each.ended = self.world.now
            if each.ended - each.began > audit.witness.match.move_time_ms / 1000:
                self.world.count("a code is checked for longer than a turn")

    # --- the wire

    def says_hello(self, link: Link, table: str, team: str, resume_from: int | None) -> None:
        """A client says hello."""
        seen = self.seen[link.number] = Seen(table=table, team=team, resume_from=resume_from, life=self.arena.lives)
        seen.missed = []
        if table in self.tables:
            self.tables[table].links.setdefault(team, []).append(link)

    def watches(self, link: Link, table: str) -> None:
        """A spectator connects."""
        self.seen[link.number] = Seen(table=table, watches=True)

    def answers(self, table: str, team: str, action: Action, link: Link | None = None) -> None:
        """A team sends an answer; a house bot has no connection."""
        sent = Sent(self.world.now, action, 0 if link is None else link.number)
        self.tables[table].sent.setdefault((team, action.hand_id), []).append(sent)

    def leaves(self, link: Link, table: str, team: str) -> None:
        """A team sends `leave`."""
        self.tables[table].left[team] = self.seen[link.number].left_at = self.world.now

    def frame(self, link: Link, text: str) -> None:
        """The server sends a frame to a connection."""
        self.world.trace.append((self.world.now, f"> {link.number} {text}"))
        seen = self.seen.get(link.number)
        if seen is None:  # before its hello only errors may come
            assert text.startswith('{"type":"error"'), f"told to a stranger: {text}"
            return
        audit = self.tables[seen.table]
        if seen.seat is None and text.startswith('{"type":"welcome"'):
            self._welcomed(link, seen, audit, text)
        assert not seen.replaced, f"connection {link.number} was replaced and is told {text}"
        message = audit.witness.check(text, seen.seat)
        self._check_number(seen, audit, message, text)
        if isinstance(message, wire.Error):
            self.world.counts[f"error {message.code}"] += 1
            seen.alarmed = seen.alarmed or message.code == "RESUME_AHEAD"
            if message.code == "RATE_LIMITED":
                seen.limited_at = self.world.now

    def _welcomed(self, link: Link, seen: Seen, audit: TableAudit, text: str) -> None:
        welcome = wire.read_server(text)
        assert isinstance(welcome, wire.Welcome)
        assert audit.witness.teams.get(welcome.seat) == seen.team, f"{seen.team} is given seat {welcome.seat}"
        seen.seat = welcome.seat
        old = audit.current.get(welcome.seat)
        audit.current[welcome.seat] = link
        if old is not None and old.transport is not None and not old.transport.is_closing():
            self.seen[old.number].replaced = True
            asked = audit.witness.match.to_act
            self.world.count("takeover in its own turn" if asked == welcome.seat else "takeover")
            process = self.arena.process
            self.world.after(CLOSES_WITHIN, lambda: self._check_closed(old, process))

    def _check_closed(self, old: Link, process: object) -> None:
        quiet = self.arena.process is process and self.world.now > self.standing_still + CLOSES_WITHIN
        if quiet and old.transport is not None:
            assert old.transport.is_closing(), f"connection {old.number} was replaced and is still open"

    def _check_number(self, seen: Seen, audit: TableAudit, message: wire.ServerMessage, text: str) -> None:
        seq = getattr(message, "seq", None)
        if seq is None:
            return
        if isinstance(message, wire.Snapshot):
            if (seen.resume_from or 0) > audit.witness.match.seq:
                assert seen.alarmed, f"{seen.team} has seen {seen.resume_from}, and nobody says that it is lost"
                self.world.count("alarm: a client has seen more than there is")
            if seen.resume_from is not None and seen.missed is not None:
                self._check_resumed(seen, message.seq)
            seen.missed, seen.next = None, message.seq + 1
            return
        if isinstance(message, wire.Mix) and seen.missed == [] and seq <= (seen.resume_from or 0):
            return  # a repeated request for its number
        jumps = isinstance(message, wire.VoidMessage) and seen.next is not None and seq > seen.next
        assert seen.next in (None, seq) or jumps, f"number {seq} after {seen.next}: {text}"
        if seen.missed is not None:
            if not seen.missed:
                seen.starts_hand = isinstance(message, wire.StartHand | wire.VoidMessage | wire.Mix)
            seen.missed.append(seq)
        seen.next = seq + 1
        if seen.watches and self.limits.delay:
            late = self.world.now - audit.decided_at[seq]
            assert late >= self.limits.delay - A_MOMENT, f"a spectator is told {late:.3f} s after it happened: {text}"

    def _check_resumed(self, seen: Seen, snapshot: int) -> None:
        """After `resume_from`, no frame may be missing before the snapshot."""
        missed, resumed = seen.missed, seen.resume_from
        assert missed is not None
        assert resumed is not None
        if resumed >= snapshot:
            assert not missed or (seen.starts_hand and seen.alarmed), "told again what was seen"
            return
        assert missed, f"nothing was told of {resumed + 1} to {snapshot}"
        assert missed[-1] == snapshot, "a gap before the snapshot"
        assert missed[0] == resumed + 1 or seen.starts_hand, "missed frames are missing"
        self.world.counts["resumed with what was missed"] += 1
        self.world.counts["resumed after a crash"] += seen.life > 1

    # --- rooms

    def after_turn(self) -> None:
        """The server's loop has finished a turn."""
        if self.opened is None or not self._changed:
            return
        for table in sorted(self._changed):
            room, audit = self.opened.rooms[table], self.tables[table]
            if audit.audited != room._chain.head.seq:  # every event of a match is an entry
                room.match.audit()
                audit.audited = room._chain.head.seq
            if not room.pending and room.durable == audit.witness.seq:
                self._changed.discard(table)
                assert state(room.match) == state(audit.witness.match), f"{table} is not what is on disk"


def _fits(action: Action, question: Question, acted: Acted) -> bool:
    """Whether a sent action can be the action that was applied."""
    amount = getattr(acted.action, "to", None)
    return (
        action.action == WORDS[type(acted.action)]
        and action.turn in (None, question.turn)
        and (amount is None or action.amount == amount)
    )
