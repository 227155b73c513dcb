"""One table's match: teams and seats, hand after hand until the match is decided, and the result.

Every change is a record. This module makes the records; after a restart it replays them from the journal.
"""

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from pitboss.arena.hosts.host import HandPlan, Host, Step
from pitboss.arena.journal.history import History, HistoryError
from pitboss.arena.journal.records import (
    Acted,
    HandStarted,
    HandVoided,
    Lock,
    MatchEnded,
    NumbersBound,
    Record,
    Seated,
    Settings,
    TableOpened,
    TimeoutPolicy,
)
from pitboss.arena.wire.messages import Action, MoveMessage, Rejected
from pitboss.arena.wire.team_names import are_alike, fault_of

Change: TypeAlias = Step | Record
"""A change of a match: a step of the game, or a record of anything else."""

TIMEOUTS_TO_BE_AWAY = 3
"""After this many missed turns in a row a seat is away: it checks or folds immediately."""

FROZEN = "this freeze-out has begun: it does not accept new teams"


class Match:
    """A match in progress: its history, and the game it plays."""

    def __init__(self, history: History, host: Host) -> None:
        self.history = history
        self.host = host
        self.seq = 0  #: the number of the last public message
        self.hand_id = ""  #: the current hand, or the last one
        self._waiting: list[Seated] = []  # teams seated while the numbers of a hand were bound; they miss that hand
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
        """Whether the match is decided but not yet ended."""
        return self.history.ended is None and self.history.decided is not None

    @property
    def over(self) -> bool:
        """Whether the match has been ended."""
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
        """The seats that would be dealt in."""
        return self.history.with_chips

    @property
    def house_teams(self) -> list[str]:
        """The house bots at this table."""
        return [taken.team for taken in self.history.seats.values() if taken.lock is None]

    def bank_ms(self, seat: int | None) -> int | None:
        """Return the rest of a seat's time bank; None if the table has no time banks."""
        return None if seat is None or not self.settings.time_bank_ms else self.history.bank_ms(seat)

    def audit(self) -> None:
        """Check that no chips were lost or created."""
        self.host.audit(self.history.settings.stack * (len(self.history.seats) - len(self._waiting)))

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

    def admit(self, team: str, lock: Lock) -> Seated:
        """Give a new team a seat."""
        self.check_new(team)
        return self.sit(team, lock)

    def admit_house(self, team: str) -> tuple[int, Seated | None]:
        """Return the seat of a house bot, and the record if the seat is new."""
        for seat, taken in self.history.seats.items():
            if taken.team == team and taken.lock is None:
                return seat, None
        seated = self.sit(team, None)
        return seated.seat, seated

    def sit(self, team: str, lock: Lock | None) -> Seated:
        """Give a team the first free seat; without a lock no code opens it."""
        seat = self.history.free_seat()
        if seat is None or self.over or self.decided or self.history.is_closed:
            why = "the match is over" if self.over or self.decided else FROZEN
            raise HistoryError("no seat is free" if seat is None else why)
        seated = Seated(seat=seat, team=team, stack=self.settings.stack, lock=lock)
        self.take(seated)
        return seated

    # --- hands

    def bind(
        self, server_number: bytes, commits: Mapping[int, str], day: str, withheld: tuple[int, ...] = ()
    ) -> NumbersBound:
        """Bind the server and some seats to the numbers that decide the next hand, and fix which seats are dealt in."""
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
        )

    def start(
        self,
        secret: bytes,
        day: str,
        seq: int | None = None,
        *,
        numbers: Mapping[int, str] | None = None,
        withheld: tuple[int, ...] = (),
    ) -> Step:
        """Start the next hand; `seq` numbers the first message about it."""
        return self.apply(self.host.start(secret, self.plan(day, seq, numbers=numbers, withheld=withheld)))

    def act(self, seat: int, message: Action | MoveMessage, bank_ms: int = 0) -> Step:
        """Apply a client's answer, which took `bank_ms` of its time bank; raise `Rejected` if it is not legal."""
        return self.apply(self.host.act(seat, message, self.seq + 1, bank_ms))

    def act_by_default(self, seat: int, *, away: bool = False, bank_ms: int = 0) -> Step:
        """Apply the default action of a seat whose time is up; a seat that is away or often late never pays."""
        return self.apply(self.host.act_by_default(seat, self.default_policies(seat)[away], self.seq + 1, bank_ms))

    def default_policies(self, seat: int) -> tuple[TimeoutPolicy, TimeoutPolicy]:
        """Return the policy for a seat whose time is up, and the policy if it is away."""
        late = self.history.seats[seat].timeouts >= TIMEOUTS_TO_BE_AWAY
        return "check_fold" if late else self.settings.timeout_policy, "check_fold"

    def void(self, torn_at: int, reason: str, seq: int) -> HandVoided:
        """Void the open hand, or the next one if its start is lost; chips and button are as before it."""
        hand = self.history.hand
        number = self.history.hands if hand is not None else self.history.hands + 1
        hand_id = hand.started.hand_id if hand is not None else ""
        voided = HandVoided(number=number, hand_id=hand_id, torn_at=torn_at, reason=reason, seq=seq)
        self.host.void()
        self.history.take(voided, over=True)
        self.seat_waiting()
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
        if self._waiting:
            self.seat_waiting()
        return step

    # --- replay

    def take(self, seated: Seated) -> None:
        """Record that a team has a seat."""
        self.history.take(seated, over=not self.underway)
        self.add_player(seated)

    def add_player(self, seated: Seated) -> None:
        """Add a team to the game; if the numbers of the next hand are bound, after that hand is dealt."""
        self._waiting.append(seated)
        self.seat_waiting()

    def seat_waiting(self) -> None:
        """Add the waiting teams to the game, unless the numbers of the next hand are bound."""
        while self._waiting and self.history.bound is None:
            seated = self._waiting.pop(0)
            self.host.sit(seated.seat, seated.stack)

    def replay(self, record: Record) -> Change:
        """Replay a record of a hand; raise `HistoryError` if the result differs."""
        self.history.check(record)
        match record:
            case Seated():
                self.take(record)
                return record
            case NumbersBound():
                self.history.take(record, over=True)
                return record
            case HandStarted():
                record = self.host.read_started(record)
                secret, day, numbers = bytes.fromhex(record.secret), record.hand_id[2:12], record.numbers
                step = self.start(secret, day, record.seq, numbers=numbers, withheld=record.withheld)
            case Acted():
                record = self.host.read_acted(record)
                step = self.apply(self.host.replay(record, self.seq + 1))
            case TableOpened() | HandVoided() | MatchEnded():
                raise HistoryError(f"{type(record).__name__} within a hand")
            case _:
                assert_never(record)
        made = step.record
        if made != record:
            fields = ", ".join(name for name in made.__struct_fields__ if getattr(made, name) != getattr(record, name))
            raise HistoryError(f"a replay of {type(record).__name__} differs from the record in: {fields}")
        return step
