"""The match of one table: its teams, seats, hands and result.

Every change is a record. This module makes the records, and replays them from the journal after a restart. A cash table
(`cash.py`) plays its hands in the same way, but teams come and go.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, assert_never

from msgspec.structs import replace

from pitboss.arena.hosts.host import HandPlan, Host, Step
from pitboss.arena.journal.commitment import strategy_number
from pitboss.arena.journal.history import HandHistory, History, HistoryError
from pitboss.arena.journal.records import (
    Acted,
    DecksRevealed,
    DefaultPolicy,
    HandStarted,
    HandVoided,
    Lock,
    MatchEnded,
    NumbersBound,
    Record,
    Seated,
    Settings,
    TableOpened,
    TeamLeft,
    ToppedUp,
    TopUpAsked,
    Weighted,
    Wished,
)
from pitboss.arena.wire.messages import Action, CashRequest, Hello, Leave, MoveMessage, Rejected
from pitboss.arena.wire.strategies import drawn_entry, entries, weights_fault
from pitboss.arena.wire.summaries import CashSums
from pitboss.arena.wire.team_names import are_alike, fault_of

Change: TypeAlias = Step | Record
"""A change of a match: a step of the game, or any other record."""

TIMEOUTS_TO_BE_AWAY = 3
"""The number of missed turns in a row after which a seat is away, and checks or folds immediately."""

FROZEN = "this freeze-out has begun: it does not accept new teams"


class Match:
    """A match in progress: its history, and the game it plays."""

    def __init__(self, history: History, host: Host) -> None:
        self.history = history
        self.host = host
        self.seq = 0  #: the number of the last public message
        self.hand_id = ""  #: the current hand, or the last one
        self.folding: set[int] = set()  #: seats that have sat out or left in the middle of the hand
        self.absent: set[int] = set()  #: seats that sit out because they were away at the end of a hand
        self._waiting: list[Record] = []  # changes that wait until a hand is dealt, whose numbers are committed
        history.least = host.places.start

    # --- state

    @property
    def table_id(self) -> str:
        """The table's name."""
        return self.history.table_id

    @property
    def settings(self) -> Settings:
        """The settings of the table."""
        return self.history.settings

    @property
    def to_act(self) -> int | None:
        """The seat that acts next."""
        return self.host.to_act

    @property
    def underway(self) -> bool:
        """Whether a hand is being played."""
        return self.history.hand is not None

    @property
    def can_start(self) -> bool:
        """Whether a hand can be dealt now."""
        history = self.history
        if history.hand is not None or history.ended is not None or history.decided:
            return False
        least = self.host.places.start
        return len(history.with_chips) >= (least if history.hands else max(least, history.settings.start_at))

    @property
    def decided(self) -> bool:
        """Whether the match is decided, but its end is not recorded yet."""
        return self.history.ended is None and self.history.decided is not None

    @property
    def over(self) -> bool:
        """Whether the end of the match is recorded."""
        return self.history.ended is not None

    @property
    def finished(self) -> int:
        """The number of the last finished hand."""
        return self.history.hands - self.underway

    @property
    def move_time_ms(self) -> int:
        """The time for one turn."""
        return self.history.settings.move_time_ms

    @property
    def playing(self) -> list[int]:
        """The seats that the next hand would be dealt to."""
        return self.history.with_chips

    @property
    def house_teams(self) -> list[str]:
        """The house bots at this table."""
        return [taken.team for taken in self.history.seats.values() if taken.lock is None]

    def bank_ms(self, seat: int | None) -> int | None:
        """Return what is left of a seat's time bank; None if the table has no time banks."""
        return None if seat is None or not self.settings.time_bank_ms else self.history.bank_ms(seat)

    def audit(self) -> None:
        """Check that no chips were lost or created."""
        coming = sum([record.stack for record in self._waiting if isinstance(record, Seated)])
        self.host.audit(self.history.brought - self.history.taken - coming)

    # --- seats

    def seat_of(self, team: str) -> int | None:
        """Return the seat of a team, or None."""
        return next((seat for seat, taken in self.history.seats.items() if taken.team == team), None)

    @property
    def takes_teams(self) -> bool:
        """Whether a new team may take a free seat."""
        return not (self.over or self.decided or self.history.is_closed)

    def check_new(self, team: str) -> None:
        """Raise `Rejected` if a new team of this name cannot have a seat.

        Names on an organiser's list are not checked here: they were checked when the list was read.
        """
        fault = fault_of(team) if self.history.teams is None else None
        if fault is not None:
            raise Rejected("BAD_SCHEMA", f"{team!r} {fault} - at `$.team`")
        if not self.takes_teams or self.history.free_seat() is None:
            why = "the match is over" if self.over or self.decided else f"all {self.settings.seats} seats are taken"
            raise Rejected("TABLE_FULL", FROZEN if self.history.is_closed and not self.over else why)
        if self.history.teams is None:
            for taken in self.history.seats.values():
                if are_alike(team, taken.team):
                    raise Rejected("TEAM_TAKEN", f"{team!r} looks like {taken.team!r}, which plays here")

    def lock_of(self, team: str) -> Lock | None:
        """Return the lock of a team that has or had a seat."""
        seat = self.seat_of(team)
        return self.history.former.get(team) if seat is None else self.history.seats[seat].lock

    def admit(self, hello: Hello, lock: Lock) -> Seated:
        """Give a new team a seat."""
        self.check_new(hello.team)
        return self.sit(hello.team, lock)

    def admit_house(self, team: str) -> tuple[int, Seated | None]:
        """Return the seat of a house bot, and the record if the seat is new."""
        for seat, taken in self.history.seats.items():
            if taken.team == team and taken.lock is None:
                return seat, None
        seated = self.sit(team, None)
        return seated.seat, seated

    def sit(self, team: str, lock: Lock | None) -> Seated:
        """Give a team the first free seat. Without a lock, it is the seat of a house bot."""
        seat = self.history.free_seat()
        if seat is None or self.over or self.decided or self.history.is_closed:
            why = "the match is over" if self.over or self.decided else FROZEN
            raise HistoryError("no seat is free" if seat is None else why)
        seated = Seated(seat=seat, team=team, stack=self.settings.stack, lock=lock)
        self.change(seated)
        return seated

    # --- requests of seats, and their results

    def request(self, seat: int, message: CashRequest) -> list[Record]:
        """Carry out the request of a seat and return its records; raise `Rejected` if that is not possible."""
        if isinstance(message, Leave):
            return []  # `TableClock` notes it
        raise Rejected("INVALID_ACTION", "sitting out, returning and topping up are only possible at cash tables")

    def come_back(self, seat: int) -> list[Record]:
        """Return the record of a seat's return, if the seat sat out only because it was away."""
        return []

    def settle(self, away: Collection[int] = ()) -> Iterator[Record]:
        """Yield the records of all changes that are due; `away` are seats that were away when a hand ended."""
        yield from ()

    def due_record(self) -> Record | None:
        """Return the next record that is due, if there is one."""
        return None

    @property
    def sums(self) -> CashSums | None:
        """The chips of a cash table; None for a match."""
        return None

    def standing(self, seat: int) -> tuple[int | None, int | None]:
        """Return a seat's intent, as a number of specification 004, and its debt. Both are None in a match."""
        return None, None

    # --- hands

    def bind(
        self, server_number: bytes, commits: Mapping[int, str], day: str, withheld: tuple[int, ...] = ()
    ) -> NumbersBound:
        """Record the commitments of the server and some seats for the next hand, and which seats are dealt in."""
        before = self.history.bound
        bound = NumbersBound(
            hand_id=self._next_hand_id(day),
            attempt=before.attempt + 1 if before is not None else 1,
            server_number=server_number.hex(),
            commits=dict(commits),
            seats=before.seats if before is not None else tuple(self.playing),
            seq=self.seq + 1,
            withheld=withheld,
        )
        self.history.take(bound, over=True)
        return bound

    def _next_hand_id(self, day: str) -> str:
        bound = self.history.bound
        return bound.hand_id if bound is not None else f"H-{day}-{self.history.hands + 1:05d}"

    def plan(
        self,
        day: str,
        seq: int | None = None,
        *,
        numbers: Mapping[int, str] | None = None,
        withheld: tuple[int, ...] = (),
    ) -> HandPlan:
        """Return the plan of the next hand."""
        return HandPlan(
            number=self.history.hands + 1,
            hand_id=self._next_hand_id(day),
            seq=self.seq + 1 if seq is None else seq,
            numbers=dict(numbers or {}),
            withheld=withheld,
            **self.seating(),
        )

    def seating(self) -> dict[str, Any]:
        """Return the fields of the record that only a hand of a cash table has."""
        return {}

    def start(
        self,
        secret: bytes,
        day: str,
        seq: int | None = None,
        *,
        numbers: Mapping[int, str] | None = None,
        withheld: tuple[int, ...] = (),
    ) -> Step:
        """Start the next hand. `seq` is the number of the first message about it."""
        return self.apply(self.host.start(secret, self.plan(day, seq, numbers=numbers, withheld=withheld)))

    def act(self, seat: int, message: Action | MoveMessage, bank_ms: int = 0) -> Step:
        """Apply a client's answer.

        `bank_ms` is the time that it used of the time bank. Raise `Rejected` if the answer is not legal.
        """
        if message.strategy is None:
            return self.apply(self.host.act(seat, message, self.seq + 1, bank_ms))
        mixed = entries(message)
        strategy = tuple([Weighted(self.host.requested(answer), p) for answer, p in mixed])
        drawn = self._draw(seat, strategy)
        step = self.host.act(seat, mixed[drawn][0], self.seq + 1, bank_ms)
        return self.apply(_with_strategy(step, strategy))

    def _draw(self, seat: int, strategy: Sequence[Weighted]) -> int:
        """Return the entry that is drawn from a mixed strategy; raise `Rejected` if an entry is not legal."""
        hand = self.history.hand
        assert hand is not None, "no hand is being played"
        for place, entry in enumerate(strategy, 1):
            try:
                self.host.check(seat, entry.action)
            except Rejected as rejected:
                raise Rejected(rejected.code, f"strategy, entry {place}: {rejected}") from None
        number = strategy_number(bytes.fromhex(hand.started.secret), len(hand.acts))
        return drawn_entry([entry.p for entry in strategy], number)

    def act_by_default(self, seat: int, *, away: bool = False, bank_ms: int = 0) -> Step:
        """Apply the default action of a seat whose time is up. A seat that is away or often late never calls."""
        return self.apply(self.host.act_by_default(seat, self.default_policies(seat)[away], self.seq + 1, bank_ms))

    def default_policies(self, seat: int) -> tuple[DefaultPolicy, DefaultPolicy]:
        """Return two timeout policies of a seat: for a missed turn, and while it is away."""
        late = self.history.seats[seat].timeouts >= TIMEOUTS_TO_BE_AWAY
        return "check_fold" if late else self.settings.timeout_policy, "check_fold"

    def void(self, torn_at: int, reason: str, seq: int) -> HandVoided:
        """Void the open hand, or the next one if its start is lost. Chips and button are again as before the hand."""
        hand = self.history.hand
        number = self.history.hands if hand is not None else self.history.hands + 1
        hand_id = hand.started.hand_id if hand is not None else ""
        voided = HandVoided(number=number, hand_id=hand_id, torn_at=torn_at, reason=reason, seq=seq)
        self.host.void()
        self.history.take(voided, over=True)
        self.folding.clear()
        self.do_waiting()
        return voided

    def end(self) -> MatchEnded:
        """End the match."""
        reason = self.history.decided
        if reason is None:
            raise HistoryError("the match is not decided")
        ended = MatchEnded(reason=reason, stacks=self.history.ranking())
        self.history.take(ended, over=True)
        return ended

    def apply(self, step: Step) -> Step:
        """Record a step of the game in the history."""
        record = step.record
        if isinstance(record, HandStarted):
            self.hand_id, self.seq = record.hand_id, record.seq - 1
        self.history.take(record, over=step.result is not None, stacks=step.result)
        self.seq += len(step.messages)
        if step.result is not None:
            self.folding.clear()
        if self._waiting:
            self.do_waiting()
        return step

    # --- replay

    def change(self, record: Record) -> None:
        """Record a change at the table outside a hand."""
        self.history.take(record, over=not self.underway)
        self._put_off(record)

    def _put_off(self, record: Record) -> None:
        """Apply a change to the game.

        After the commitments to the numbers of the next hand, the change waits until that hand is dealt.
        """
        self._waiting.append(record)
        self.do_waiting()

    def do_waiting(self) -> None:
        """Apply the waiting changes to the game, unless there are commitments to the numbers of the next hand."""
        while self._waiting and self.history.bound is None:
            self._tell_game(self._waiting.pop(0))

    def _tell_game(self, record: Record) -> None:
        """Apply a change to the game now."""
        if isinstance(record, Seated):
            self.host.sit(record.seat, record.stack)

    def restore(self, record: Record, hand: HandHistory | None) -> None:
        """Continue the game after a record of the history; `hand` is the hand that the record ended, if any."""
        if isinstance(record, Seated):
            self._put_off(record)
        elif hand is not None and not hand.void:
            self.host.take_finished(hand)
        self.do_waiting()

    def _check_draw(self, acted: Acted) -> None:
        """Raise `HistoryError` if an action was not drawn from its mixed strategy as the secret says."""
        what = f"{self.hand_id}, strategy of seat {acted.seat}"
        if self.history.hand is None or acted.seat != self.to_act or acted.cause != "client":
            raise HistoryError(f"{what}: expected it with an answer of the seat to act")
        if fault := weights_fault([entry.p for entry in acted.strategy]):
            raise HistoryError(f"{what}: {fault}")
        try:
            drawn = acted.strategy[self._draw(acted.seat, acted.strategy)].action
        except Rejected as rejected:
            raise HistoryError(f"{what}: {rejected}") from None
        if drawn != acted.action:
            raise HistoryError(f"{what}: expected the action that is drawn from it, {drawn}, got {acted.action}")

    def replay(self, record: Record) -> Change:
        """Replay a record of a hand; raise `HistoryError` if the result differs."""
        self.history.check(record)
        match record:
            case Seated() | Wished() | TopUpAsked() | ToppedUp() | TeamLeft() | DecksRevealed():
                self.change(record)
                return record
            case NumbersBound():
                if record.attempt == 1 and record.seats != tuple(self.playing):
                    raise HistoryError(f"{record.hand_id}: expected numbers for the seats {self.playing}")
                self.history.take(record, over=True)
                return record
            case HandStarted():
                record = self.host.read_started(record)
                secret, day, numbers = bytes.fromhex(record.secret), record.hand_id[2:12], record.numbers
                step = self.start(secret, day, record.seq, numbers=numbers, withheld=record.withheld)
            case Acted():
                record = self.host.read_acted(record)
                if record.strategy:
                    self._check_draw(record)
                step = self.apply(_with_strategy(self.host.replay(record, self.seq + 1), record.strategy))
            case TableOpened() | HandVoided() | MatchEnded():
                raise HistoryError(f"{type(record).__name__} within a hand")
            case _:
                assert_never(record)
        made = step.record
        if made != record:
            fields = ", ".join(name for name in made.__struct_fields__ if getattr(made, name) != getattr(record, name))
            raise HistoryError(f"a replay of {type(record).__name__} differs from the record in: {fields}")
        return step


def _with_strategy(step: Step, strategy: tuple[Weighted, ...]) -> Step:
    """Return a step whose record has the mixed strategy that led to it."""
    return replace(step, record=replace(step.record, strategy=strategy)) if strategy else step
