"""A table in memory with its disk, its clock and its guests, for tests that need no socket.

Every outgoing frame is checked: it must be on disk, in order, and must not show a client a card that it must not
see. Commits happen at once, unless a test holds them back; `restart` is a crash and what the server does after it.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from types import TracebackType
from typing import Any, Self, TypeVar

from msgspec.structs import replace

from pitboss.arena.equities import compute
from pitboss.arena.journal.commitment import deck_of
from pitboss.arena.journal.history import History
from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import CodeCheck, Limits
from pitboss.arena.rooms.match import Match
from pitboss.arena.rooms.output import Close, Output, Send
from pitboss.arena.rooms.room import Room
from pitboss.arena.rooms.tables import OpenTables, RoomSetup, open_tables
from pitboss.arena.wire import messages as wire
from pitboss.chance import Chance
from pitboss.hand.hand import Hand
from pitboss.ranks import high
from pitboss.store.chain import Entry, Head, Reading, read_chain, start_hash
from tests.support.arena.codes import run_check
from tests.support.arena.poker import hand_of, host_of, stacks_of
from tests.support.arena.witness import Witness

Kind = TypeVar("Kind", bound=wire.ServerMessage)
Move = str | tuple[str, int]

TABLE = "T-1"
CODE = "code-of-"
LATEST = -1
"""As `turn`: the turn of the last question on this connection."""


class Disk:
    """A journal that survives a restart, and that tests can damage."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Entry]] = {}
        self.heads: dict[str, Head] = {}
        self.notices: list[str] = []

    def tables(self) -> tuple[str, ...]:
        """Every table."""
        return tuple(self.rows)

    def claim(self, table: str) -> None:
        """Create the table if it is new."""
        self.rows.setdefault(table, [])
        self.heads.setdefault(table, start_hash(table))

    def read(self, table: str) -> Reading:
        """All entries."""
        return read_chain(table, self.rows[table], self.heads[table])

    def newest(self, table: str) -> Entry | None:
        """The last entry."""
        rows = self.rows.get(table)
        return rows[-1] if rows else None

    def part(self, table: str, after: int, most: int) -> tuple[Entry, ...]:
        """Some entries."""
        return tuple([row for row in self.rows[table] if row.seq > after][:most])

    def open_reader(self) -> Self:
        """Reading needs no second connection here."""
        return self

    def append(self, entries: Sequence[Entry]) -> None:
        """Keep entries."""
        for entry in entries:
            rows = self.rows[entry.table]
            assert not rows or rows[-1].seq < entry.seq, f"entry {entry.seq} is written again"
            rows.append(entry)
            self.heads[entry.table] = self.heads[entry.table].then(entry)

    def give_up(self) -> None:
        """Nothing is waiting."""

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    # --- damage

    def alter(self, seq: int, **changes: Any) -> None:
        """Change an entry without its hash."""
        rows = self.rows[TABLE]
        self.rows[TABLE] = [replace(row, **changes) if row.seq == seq else row for row in rows]

    def lose(self, seq: int) -> None:
        """Lose an entry."""
        self.rows[TABLE] = [row for row in self.rows[TABLE] if row.seq != seq]


def sends_of(out: Output) -> list[Send]:
    """All frames that are sent, those in rows too, one by one."""
    found: list[Send] = []
    for send in out.sends:
        found += [send] if isinstance(send, Send) else [Send(send.to, frame) for frame in send.frames()]
    return found


class Guest:
    """A connection: the frames it received, and whether it was closed."""

    def __init__(self, parlour: "Parlour", session: int, team: str) -> None:
        self.parlour = parlour
        self.session = session
        self.team = team
        self.seat: int | None = None
        self.inbox: list[wire.ServerMessage] = []
        self.frames: list[str] = []
        self.closed: Close | None = None
        self.gone = False
        self.is_house = False
        self._next: int | None = None
        self._read = 0
        self._question: wire.Act | wire.Snapshot | None = None

    def take(self, frame: str, witness: Witness) -> None:
        """Receive a frame, and check that it was allowed to come."""
        assert self.closed is None, f"{self.team} was closed and still gets {frame}"
        if self.seat is None and frame.startswith('{"type":"welcome"'):
            self.seat = json.loads(frame)["seat"]
        message = witness.check(frame, self.seat)
        if isinstance(message, wire.LeftMessage) and message.seat == self.seat:
            self.seat = None
        if self.is_house and isinstance(message, wire.Lobby):  # a house bot changes its seat without a hello
            self.seat = next((player.seat for player in message.players if player.team == self.team), None)
        if isinstance(message, wire.Snapshot):
            self._next = message.seq + 1
        elif (seq := getattr(message, "seq", None)) is not None:
            jumps = isinstance(message, wire.VoidMessage) and self._next is not None and seq > self._next
            assert self._next in (None, seq) or jumps, f"number {seq} after {self._next}: {frame}"
            self._next = seq + 1
        if isinstance(message, wire.Act) or (isinstance(message, wire.Snapshot) and message.legal):
            self._question = message
        self.inbox.append(message)
        self.frames.append(frame)

    def got(self, kind: type[Kind]) -> list[Kind]:
        """All messages of one kind that it received."""
        return [message for message in self.inbox if isinstance(message, kind)]

    def last(self, kind: type[Kind]) -> Kind:
        """The last of one kind."""
        found = self.got(kind)
        assert found, f"{self.team} was sent no {kind.__name__}"
        return found[-1]

    def news(self) -> list[wire.ServerMessage]:
        """The messages since the last call."""
        new, self._read = self.inbox[self._read :], len(self.inbox)
        return new

    def error(self) -> str:
        """The code of the one error since the last call."""
        codes = [message.code for message in self.news() if isinstance(message, wire.Error)]
        assert len(codes) == 1, codes
        return codes[0]

    def end(self) -> tuple[int, str] | None:
        """How it was closed, if it was: the code and the reason."""
        return None if self.closed is None else (self.closed.code, self.closed.reason)

    # --- what it sends

    def say(self, message: str | bytes | Mapping[str, Any] | wire.ClientMessage) -> None:
        """Send a frame."""
        match message:
            case str() | bytes():
                frame = message
            case wire.Hello() | wire.Action() | wire.Number():
                frame = wire.write(message)
            case _:
                frame = json.dumps(message)
        self.parlour.step(lambda room, now: room.receive(self.session, frame, now))

    def hello(self, code: str | None = None, **more: Any) -> None:
        """Send a hello."""
        self.say({"type": "hello", "v": 1, "team": self.team, "join_code": code or CODE + self.team, **more})

    def question(self) -> wire.Act | wire.Snapshot:
        """The last question: an `act`, or a snapshot with something to answer."""
        assert self._question is not None, f"{self.team} was never asked"
        return self._question

    def answer(
        self,
        word: str,
        amount: int | None = None,
        *,
        turn: int | None = LATEST,
        hand_id: str | None = None,
        discard: Sequence[str] | None = None,
    ) -> None:
        """Answer the last question."""
        if hand_id is None or turn == LATEST:
            asked = self.question()
            hand_id = hand_id or (asked.hand_id if isinstance(asked, wire.Act) else asked.at_hand_id)
            turn = asked.turn if turn == LATEST else turn
        about = {"hand_id": hand_id, "action": word, "amount": amount, "discard": discard, "turn": turn}
        action = {"type": "action", "v": 1, **about}
        self.say({name: value for name, value in action.items() if value is not None})

    def leave(self) -> None:
        """Lose the connection."""
        self.gone = True
        self.parlour.step(lambda room, now: room.disconnect(self.session, now))


class Parlour:
    """One table, opened the way the server opens it."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        limits: Limits | None = None,
        teams: Mapping[str, str] | None = None,
        house: Sequence[str] = (),
        seed: int = 1,
        secrets: Sequence[bytes] = (),
    ) -> None:
        self.settings = settings or Settings()
        self.limits = limits or Limits()
        self.now = 100.0
        self.day = "2026-11-15"
        self.disk = Disk()
        self.holding = False
        self.waiting: list[Entry] = []  #: entries to write that are not on disk yet
        self.checking = False  #: whether code checks wait for the test
        self.checks: list[CodeCheck] = []
        self.secrets = list(secrets)
        self.guests: dict[int, Guest] = {}
        self.chance = Chance(seed)
        self._sessions = 0
        self._teams, self._house = teams, house
        self.tables: OpenTables = self._open()
        self.room: Room = self.tables.rooms[TABLE]
        self.witness = Witness(TABLE, self.disk.read(TABLE).entries)

    def _open(self) -> OpenTables:
        setup = RoomSetup(limits=self.limits, entropy=self.entropy, day=lambda: self.day)
        return open_tables(self.disk, setup, self.settings, teams=self._teams, house=self._house, now=self.now)

    def entropy(self, count: int) -> bytes:
        """A hand's secret is the next one given, all other bytes come from the seed."""
        if count == 32 and self.secrets:
            return self.secrets.pop(0)
        return b"".join(self.chance.bits().to_bytes(8, "big") for _ in range(-(-count // 8)))[:count]

    # --- the state

    @property
    def match(self) -> Match:
        """The match as the room plays it."""
        return self.room.match

    @property
    def history(self) -> History:
        """What has been decided in the match."""
        return self.room.match.history

    @property
    def hand(self) -> Hand | None:
        """The hand under way."""
        return hand_of(self.room.match)

    @property
    def stacks(self) -> dict[int, int]:
        """Each player's chips now, without the pot."""
        return stacks_of(self.match)

    @property
    def at(self) -> dict[int, Guest]:
        """The open connections by seat."""
        return {g.seat: g for g in self.guests.values() if g.seat is not None and g.closed is None and not g.gone}

    @property
    def to_act(self) -> Guest:
        """The guest to act."""
        seat = self.match.to_act
        assert seat is not None, "the match waits for no seat"
        return self.at[seat]

    @property
    def log(self) -> list[wire.ServerMessage]:
        """All public messages so far."""
        return [wire.read_server(self.witness.log[seq]) for seq in sorted(self.witness.log)]

    # --- guests

    def connect(self, team: str = "nobody", *, address: str = "") -> Guest:
        """A connection that has not said hello."""
        guest = self._guest(team)
        self.step(lambda room, now: room.connect(guest.session, now, address))
        return guest

    def join(self, team: str, code: str | None = None, *, address: str = "", **hello: Any) -> Guest:
        """A connection that says hello."""
        guest = self.connect(team, address=address)
        guest.hello(code, **hello)
        return guest

    def seat(self, count: int) -> list[Guest]:
        """Seat this many teams, called A, B, C and so on."""
        return [self.join(chr(ord("A") + k)) for k in range(count)]

    def watch(self) -> Guest:
        """A spectator."""
        guest = self._guest("spectator")
        self.step(lambda room, now: room.watch(guest.session, now))
        return guest

    def attach(self, team: str) -> Guest:
        """A house player."""
        guest = self._guest(team)
        guest.is_house = True
        seats = [seat for seat, taken in self.history.seats.items() if taken.team == team]
        guest.seat = seats[0] if seats else self.history.free_seat()
        self.step(lambda room, now: room.attach(guest.session, team, now))
        return guest

    def _guest(self, team: str) -> Guest:
        self._sessions += 1
        guest = self.guests[self._sessions] = Guest(self, self._sessions, team)
        return guest

    # --- what happens

    def step(self, do: Callable[[Room, float], Output]) -> None:
        """Let the room do something, and all that follows at this moment."""
        self._deliver(do(self.room, self.now))
        self.settle()

    def settle(self) -> None:
        """Commit, unless commits are held back, and wake the room as long as it wants to be woken now."""
        for _ in range(10_000):
            if self.waiting and not self.holding:
                self.commit()
            deadline = self.room.deadline
            if deadline is None or deadline > self.now:
                break
            self._deliver(self.room.tick(self.now))
        else:
            raise AssertionError("the room wants to be woken for ever")
        self.audit()

    def commit(self, count: int | None = None) -> None:
        """Put the first `count` waiting entries on disk, or all."""
        done, self.waiting = self.waiting[:count], self.waiting[len(self.waiting[:count]) :]
        if done:
            self.disk.append(done)
            for entry in done:
                self.witness.take(entry)
            self._deliver(self.room.committed(done[-1].seq, self.now))

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold commits back for a while."""
        self.holding = True
        yield
        self.holding = False
        self.settle()

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and wake the room whenever it is due."""
        until = self.now + seconds
        while (deadline := self.room.deadline) is not None and deadline <= until:
            self.now = max(self.now, deadline)
            self.step(lambda room, now: room.tick(now))
        self.now = until
        self.settle()

    @contextmanager
    def slow_checks(self) -> Iterator[list[CodeCheck]]:
        """Delay code checks for a while; give those that wait."""
        self.checking = True
        yield self.checks
        self.checking = False
        self.check()
        self.settle()

    def finish_check(self, at: int = 0, *, busy: float = 0.0) -> None:
        """Finish one of the waiting code checks, or let it fail for lack of time."""
        check = self.checks.pop(at)
        self.step(lambda room, now: room.checked(check, None if busy else run_check(check), now, busy=busy))

    def restart(self, *, survived: int = 0) -> None:
        """Crash and restart; the first `survived` entries not known to be on disk are there anyway."""
        self.disk.append(self.waiting[:survived])
        for entry in self.waiting[:survived]:
            self.witness.take(entry)
        self.waiting, self.guests, self.checks = [], {}, []
        self.tables = self._open()
        self.room = self.tables.rooms[TABLE]
        self.settle()

    def restart_torn(self) -> None:
        """Restart from a damaged disk."""
        self.waiting, self.guests, self.checks = [], {}, []
        self.tables = self._open()
        self.room = self.tables.rooms[TABLE]
        self.witness = Witness(TABLE, self.disk.read(TABLE).entries)
        self.settle()

    def _deliver(self, out: Output) -> None:
        self.waiting += out.entries
        for send in sends_of(out):
            for session in send.to:
                if session < 0:
                    continue  # a seat that is played by document
                guest = self.guests[session]
                if not guest.gone:
                    guest.take(send.frame, self.witness)
        for close in out.closes:
            if close.session < 0:
                continue
            guest = self.guests[close.session]
            assert guest.closed is None, "closed twice"
            guest.closed = close
        for run_out in out.run_outs:
            assert run_out.table == TABLE
            self._deliver(self.room.show_equities(run_out.hand_id, compute(run_out.spots, seconds=60.0)))
        self.checks += out.checks
        if not self.checking:
            self.check()

    def check(self) -> None:
        """Run the waiting code checks."""
        while self.checks:
            check = self.checks.pop(0)
            self._deliver(self.room.checked(check, run_check(check), self.now))

    def audit(self) -> None:
        """Count the chips, and compare the room with the disk if nothing is waiting."""
        self.match.audit()
        if not self.waiting:
            assert self.room.durable == self.witness.seq
            assert state(self.match) == state(self.witness.match)

    # --- playing

    def play(self, *moves: Move) -> None:
        """Let the seat to act answer, once per move; ("RAISE_TO", 300) carries an amount."""
        for move in moves:
            word, amount = (move, None) if isinstance(move, str) else move
            self.to_act.answer(word, amount)

    def play_hand(self, move: Move = "FOLD", *, most: int = 1000) -> None:
        """Let every seat give the same answer until the hand is over, or check if that is not on offer."""
        number = self.history.hands
        for _ in range(most):
            if self.history.hands != number or self.match.to_act is None:
                return
            legal = self.to_act.question().legal or ()
            wish = move if isinstance(move, str) else move[0]
            self.play(move if wish in legal else "CHECK" if "CHECK" in legal else "CALL")
        raise AssertionError("the hand does not end")


def state(match: Match) -> tuple[Any, ...]:
    """The whole state of a match, for comparison."""
    history = match.history
    seats = {
        seat: (taken.team, taken.stack, taken.lock, taken.timeouts, taken.bank_used_ms)
        for seat, taken in history.seats.items()
    }
    now = history.hand and (history.hand.started.number, history.hand.order, hand_of(match))
    counts = history.hands, history.played, len(history.secrets)
    sums = history.brought, history.taken, history.rake, history.former, history.revealed
    return (history.settings, history.teams, seats, counts, now, history.ended, [*history.secrets], sums, chairs(match))


def chairs(match: Match) -> tuple[Any, ...]:
    """What the table of a cash game remembers from hand to hand."""
    if not match.settings.cash:
        return ()
    table = host_of(match).table
    each = [
        (chair.seat, chair.chips, chair.state, chair.owes, chair.out, chair.played, chair.ante)
        for chair in table.chairs
    ]
    blinds = table.small, table.small_at, table.big, table.button, table.undealt
    standing = [match.standing(seat) for seat in match.history.seats]
    rest = table.hand, table.phase, table.order, table.game, table.left, table.house, table.came_in
    return (each, blinds, rest, standing, match.seating(), match.folding)


class Deal:
    """The deal of a secret to this many places, counted from the button's left."""

    def __init__(self, secret: bytes, places: int) -> None:
        self.secret = secret
        deck = deck_of(secret)
        self.holes = [deck[place : 2 * places : places] for place in range(places)]
        self.board = deck[2 * places : 2 * places + 5]
        self.strengths = [high((*hole, *self.board)) for hole in self.holes]


def deal_where(places: int, wanted: Callable[[Deal], bool]) -> bytes:
    """The first secret whose deal is as wanted: real decks, found by trying."""
    for number in range(100_000):
        deal = Deal(number.to_bytes(32, "big"), places)
        if wanted(deal):
            return deal.secret
    raise AssertionError("no such deal was found")


def ranked(*order: int) -> Callable[[Deal], bool]:
    """Deals in which these places, the best first, all differ in strength."""
    return lambda deal: all(deal.strengths[a] > deal.strengths[b] for a, b in pairwise(order))
