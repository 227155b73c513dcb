"""The state of a match read from its records: seats, chips, the open hand, and the result.

Recovery, verification, export and the running match all read the journal through this module. A finished hand is
read from its recorded events and is not judged again by newer rules.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, assert_never

from msgspec import Struct, field

from pitboss.arena.journal.commitment import bind_number, mix_numbers
from pitboss.arena.journal.records import (
    Acted,
    DecksRevealed,
    HandStarted,
    HandVoided,
    Lock,
    MatchEnded,
    NumbersBound,
    Reason,
    Record,
    Seated,
    Settings,
    TableOpened,
    TeamLeft,
    ToppedUp,
    TopUpAsked,
    Wished,
    chips_after,
    raked,
    read_record,
)
from pitboss.errors import PitbossError
from pitboss.store.chain import Entry


def bound_fault(
    record: NumbersBound, before: NumbersBound | None, due: tuple[int, ...], left_out: Collection[int]
) -> str | None:
    """Return the fault of an attempt to commit to numbers, or None.

    `due` are the seats of the next hand. A second attempt needs a first one in which a seat withheld its number. That
    seat does not take part in the second attempt. The seats dealt in do not change.
    """
    withheld = set(record.withheld)
    if before is None:
        follows = record.attempt == 1 and not withheld and record.seats == due
    else:
        again = (record.hand_id, record.attempt, record.seats) == (before.hand_id, before.attempt + 1, before.seats)
        follows = again and bool(withheld) and withheld <= set(before.commits)
    if not follows:
        return f"attempt {record.attempt} to commit to numbers does not follow from the previous attempt"
    if not record.commits or not set(record.commits) <= set(record.seats) - withheld - set(left_out):
        return "a seat that does not take part is committed to a number"
    return None


def mixed_fault(started: HandStarted, bound: NumbersBound | None) -> str | None:
    """Return the fault of a dealt hand's numbers, or None: the committed numbers must be opened and mixed.

    After an attempt, only a withheld number allows a hand without numbers.
    """
    withheld = set(started.withheld)
    if bound is None:
        return "the hand uses numbers without commitments" if started.numbers or withheld else None
    if started.hand_id != bound.hand_id or tuple(started.stacks) != bound.seats:
        return (
            f"expected {bound.hand_id} with the seats {[*bound.seats]}, which the numbers are for, "
            f"got the seats {[*started.stacks]}"
        )
    if not started.numbers:
        spoilt = bool(withheld) and withheld <= set(bound.commits)
        return None if spoilt else "the hand uses no numbers, although seats committed to numbers for it"
    numbers = {seat: bytes.fromhex(number) for seat, number in started.numbers.items()}
    if withheld or {seat: bind_number(number) for seat, number in numbers.items()} != bound.commits:
        return "the opened numbers do not match their commitments"
    if mix_numbers(started.hand_id, bytes.fromhex(bound.server_number), numbers).hex() != started.secret:
        return "the secret of the deck does not follow from the numbers"
    return None


class HistoryError(PitbossError, ValueError):
    """An entry of the journal contradicts earlier entries."""


class TakenSeat(Struct):
    """A seat of a match: its team, and its chips between hands."""

    team: str
    stack: int
    lock: Lock | None  #: None for a house bot
    timeouts: int = 0  #: missed turns in a row
    hands: int = 0  #: the number of hands it was dealt in, without void ones
    out: tuple[int, int] = (0, 0)  #: the hand in which it lost its last chip, and its chips before that hand
    bank_used_ms: int = 0  #: milliseconds of its time bank that are used
    top_up: int = 0  #: chips that the team adds when the hand ends
    brought: int = 0  #: chips that the team has brought since it took the seat


class HandHistory(Struct, kw_only=True):
    """A hand read from the journal, finished or open."""

    started: HandStarted
    settings: Settings
    teams: dict[int, str]
    acts: list[Acted] = field(default_factory=list)
    stacks: dict[int, int]  #: by seat, at the start or, once the hand is over, at its end
    chain: bytes = b""  #: the head of the hash chain after the hand
    void: bool = False

    @property
    def order(self) -> tuple[int, ...]:
        """The seat of each place."""
        return order_of(self.started)

    @property
    def events(self) -> list[Any]:
        """All events of the hand, in the game's own form."""
        return [*self.started.events, *[event for act in self.acts for event in act.events]]


class HistoryEntry(NamedTuple):
    """One entry of a journal, its record, and the hand that it ended, if any."""

    entry: Entry
    record: Record
    hand: HandHistory | None


class History(Struct):
    """The state of a table after its records so far."""

    table_id: str
    rules: str = ""
    settings: Settings = field(default_factory=Settings)
    teams: dict[str, Lock] | None = None
    seats: dict[int, TakenSeat] = field(default_factory=dict)
    hands: int = 0  #: the number of hands that have started
    day: str = ""  #: the latest day in a hand's ID; days never go back, even if the clock does
    played: int = 0  #: the number of hands without the void ones
    hand: HandHistory | None = None  #: the open hand
    last: HandHistory | None = None  #: the last finished hand
    ended: MatchEnded | None = None
    secrets: list[tuple[str, bytes]] = field(default_factory=list)
    bound: NumbersBound | None = None  #: the committed numbers of the next hand
    withheld: set[int] = field(default_factory=set)  #: seats that withheld a number; they cannot contribute again
    server_numbers: dict[str, str] = field(default_factory=dict)  #: by hand, if numbers were mixed
    by_hands: bool = True  #: whether places depend on the hands that a seat survived; false in older journals
    least: int = 2  #: the match is decided when fewer seats have chips
    brought: int = 0  #: chips that teams have brought
    taken: int = 0  #: chips that teams have taken away
    rake: int = 0  #: chips that the house has taken
    former: dict[str, Lock | None] = field(default_factory=dict)  #: the locks of teams that have left
    revealed: int = 0  #: the last hand whose deck is public

    def take(
        self, record: Record, *, over: bool, chain: bytes = b"", stacks: Mapping[int, int] | None = None
    ) -> HandHistory | None:
        """Apply a record and return the hand that it ended, if any.

        `over` says whether the record ends the hand. Without `stacks`, the final stacks are computed from the events.
        """
        match record:
            case TableOpened():
                self.rules, self.settings, self.teams = record.rules, record.settings, record.teams
                for taken in self.seats.values():
                    taken.stack = taken.brought = record.settings.stack
                self.brought = sum([taken.stack for taken in self.seats.values()])
            case Seated():
                self.seats[record.seat] = TakenSeat(record.team, record.stack, record.lock, brought=record.stack)
                self.brought += record.stack
                self.former.pop(record.team, None)
            case NumbersBound():
                self.bound = record
                self.day = max(self.day, day_of(record))
                self.withheld.update(record.withheld)
            case HandStarted():
                self._start(record)
            case Acted():
                self._act(record)
            case HandVoided():
                return self._void(record, chain)
            case MatchEnded():
                self.by_hands = [*record.stacks] == [*self.ranking()]
                self.ended = record
            case Wished():
                pass  # the game at the table knows which seats play
            case TopUpAsked():
                self.seats[record.seat].top_up += record.amount
            case ToppedUp():
                taken = self.seats[record.seat]
                taken.stack, taken.top_up = taken.stack + record.amount, 0
                taken.brought += record.amount
                self.brought += record.amount
            case TeamLeft():
                left = self.seats.pop(record.seat)
                self.former[left.team] = left.lock
                self.taken += record.stack
                self.withheld.discard(record.seat)
            case DecksRevealed():
                self.revealed = record.number
                for hand_id, _ in self.secrets[: self.hidden_from(record.number)]:
                    self.server_numbers.pop(hand_id, None)
                del self.secrets[: self.hidden_from(record.number)]
            case _:
                assert_never(record)
        return self._finish(stacks, chain) if over and self.hand is not None else None

    def check(self, record: Record) -> None:
        """Raise `HistoryError` if a record cannot follow the previous ones."""
        match record:
            case Seated():
                self._check_seated(record)
            case NumbersBound():
                due = () if self.hand is not None else record.seats if self.settings.cash else tuple(self.with_chips)
                if fault := bound_fault(record, self.bound, due, self.withheld):
                    raise HistoryError(f"{record.hand_id}: {fault}")
            case HandStarted():
                if fault := mixed_fault(record, self.bound):
                    raise HistoryError(f"{record.hand_id}: {fault}")
                if record.number != self.hands + 1:
                    raise HistoryError(f"expected hand {self.hands + 1}, got hand {record.number}")
                if self.hand:
                    raise HistoryError(f"hand {record.number} begins before {self.hand.started.hand_id} is over")
                if unknown := set(record.stacks) - set(self.seats):
                    raise HistoryError(f"{record.hand_id}: no team has taken the seats {sorted(unknown)} dealt in")
                if record.stacks != (stacks := {seat: self.seats[seat].stack for seat in record.stacks}):
                    raise HistoryError(f"{record.hand_id}, chips by seat: expected {stacks}, got {record.stacks}")
                if self.ended is not None or self.decided is not None:
                    raise HistoryError(f"{record.hand_id} begins, but the match is over")
            case Acted():
                if self.hand is None or record.seat not in self.hand.started.stacks:
                    raise HistoryError(f"seat {record.seat} acts, but no hand with this seat is open")
                left = self.bank_ms(record.seat)
                if not 0 <= record.bank_ms <= left:
                    raise HistoryError(f"seat {record.seat}, bank_ms: expected 0 to {left}, got {record.bank_ms}")
            case MatchEnded():
                if self.ended is not None or self.decided is None:
                    raise HistoryError("the match ends, but it is not decided or has ended before")
                ranked = [self.ranking(by_hands=by_hands) for by_hands in (True, False)]
                orders = [[*order.items()] for order in ranked]
                if record.reason != self.decided or [*record.stacks.items()] not in orders:
                    expected, found = f"{self.decided} {ranked[0]}", f"{record.reason} {record.stacks}"
                    raise HistoryError(f"end of the match, reason and chips by seat: expected {expected}, got {found}")
            case TableOpened():
                self._check_opened(record)
            case HandVoided():
                pass
            case Wished() | TopUpAsked() | ToppedUp() | TeamLeft():
                self._check_seat_of(record)
            case DecksRevealed():
                if not self.settings.cash or not self.revealed < record.number <= self.hands - (self.hand is not None):
                    raise HistoryError(f"the deck of hand {record.number} is revealed, but the hand is not finished")
            case _:
                assert_never(record)

    def _check_seat_of(self, record: Wished | TopUpAsked | ToppedUp | TeamLeft) -> None:
        what = f"{type(record).__name__} of seat {record.seat}"
        if not self.settings.cash or record.seat not in self.seats:
            raise HistoryError(f"{what}: expected a taken seat of a cash table")
        taken = self.seats[record.seat]
        is_dealt_in = self.hand is not None and record.seat in self.hand.started.stacks
        if isinstance(record, ToppedUp | TeamLeft) and is_dealt_in:
            raise HistoryError(f"{what} in the middle of a hand of this seat")
        if isinstance(record, TeamLeft) and record.stack != taken.stack:
            raise HistoryError(f"{what}, chips: expected {taken.stack}, got {record.stack}")
        if isinstance(record, TopUpAsked) and record.amount < 1:
            raise HistoryError(f"{what}: expected a number of chips from 1, got {record.amount}")
        if isinstance(record, TopUpAsked) and self.hand is None and self.bound is None:
            raise HistoryError(f"{what}: expected it during a hand, or after the commitments for the next one")
        if isinstance(record, ToppedUp):
            most = max(0, self.settings.stack - taken.stack)
            if not 0 <= record.amount <= most or (not record.amount and not taken.top_up):
                raise HistoryError(f"{what}: expected at most {most} chips, got {record.amount}")

    def _check_opened(self, opened: TableOpened) -> None:
        if self.hands or self.bound is not None or self.ended is not None:
            raise HistoryError("the settings change after the first hand has begun")
        if any(seat >= opened.settings.seats for seat in self.seats):
            raise HistoryError(f"seats: expected at least {max(self.seats) + 1}, got {opened.settings.seats}")
        if self.rules and (opened.teams != self.teams or opened.settings == self.settings):
            raise HistoryError("expected a second table_opened record to change the settings and keep the teams")

    def _check_seated(self, seated: Seated) -> None:
        if self.ended is not None or self.decided is not None:
            raise HistoryError(f"seat {seated.seat} is taken, but the match is over")
        settings = self.settings
        if settings.cash:
            if seated.seat in self.seats or not 0 <= seated.seat < settings.seats:
                raise HistoryError(f"seat {seated.seat}: expected a free seat")
            if not settings.min_buy_in <= seated.stack <= settings.stack:
                allowed = f"{settings.min_buy_in} to {settings.stack}"
                raise HistoryError(f"seat {seated.seat}, buy-in: expected {allowed}, got {seated.stack}")
        elif seated.seat != (free := self.free_seat()):
            due = f"seat {free}" if free is not None else "no more seats"
            raise HistoryError(f"expected {due} to be taken next, got seat {seated.seat}")
        elif seated.stack != settings.stack:
            raise HistoryError(f"seat {seated.seat}: expected {settings.stack} chips, got {seated.stack}")
        if self.is_closed:
            raise HistoryError(f"seat {seated.seat} is taken after the first hand has begun, in a freeze-out")
        if seated.team in [taken.team for taken in self.seats.values()]:
            raise HistoryError(f"team {seated.team!r} takes a second seat")
        if seated.team in self.former and self.former[seated.team] != seated.lock:
            raise HistoryError(f"seat {seated.seat}: team {seated.team!r} comes back with another code")
        if self.teams is not None and seated.lock is not None and self.teams.get(seated.team) != seated.lock:
            raise HistoryError(f"seat {seated.seat}: team {seated.team!r} is not on the list of teams")

    # --- the present state

    @property
    def with_chips(self) -> list[int]:
        """The seats that have chips."""
        return [seat for seat, taken in sorted(self.seats.items()) if taken.stack > 0]

    def free_seat(self) -> int | None:
        """Return the first free seat, or None."""
        return next((seat for seat in range(self.settings.seats) if seat not in self.seats), None)

    def hidden_from(self, number: int) -> int:
        """Return the number of `secrets` that belong to this hand or an earlier one."""
        return sum([int(hand_id.rpartition("-")[2]) <= number for hand_id, _ in self.secrets])

    def bank_ms(self, seat: int) -> int:
        """Return what a seat has left of its time bank."""
        return self.settings.time_bank_ms - self.seats[seat].bank_used_ms

    @property
    def is_closed(self) -> bool:
        """Whether the match is a freeze-out that has begun and accepts no more teams."""
        return self.settings.freeze_out and bool(self.hands or self.bound is not None)

    @property
    def decided(self) -> Reason | None:
        """The reason why the match is decided, or None."""
        if self.hand is not None or not self.played or self.settings.cash:
            return None
        left = len(self.with_chips)
        if left < self.least:
            return "last_standing" if left == 1 else "too_few"
        return "max_hands" if self.played == self.settings.max_hands else None

    def ranking(self, *, by_hands: bool = True) -> dict[int, int]:
        """Return the stacks by seat, best place first. Seats with equal places are in order of their numbers."""
        ranked = sorted(self.seats)
        ranked.sort(key=lambda seat: self._standing(seat, by_hands=by_hands), reverse=True)
        return {seat: self.seats[seat].stack for seat in ranked}

    def places(self) -> dict[int, int]:
        """Return the place of every seat, counted from 1; equal seats share a place."""
        standing = {seat: self._standing(seat, by_hands=self.by_hands) for seat in self.seats}
        return {seat: 1 + sum(other > own for other in standing.values()) for seat, own in standing.items()}

    def winners(self) -> list[int]:
        """Return the seats in first place: more than one if the match is tied."""
        return [seat for seat, place in sorted(self.places().items()) if place == 1]

    def _standing(self, seat: int, *, by_hands: bool) -> tuple[int, int, tuple[int, int], int]:
        """Return the sort key of a seat: its chips or, if it is out, the hands it survived and when it went out."""
        taken = self.seats[seat]
        survived = taken.hands if by_hands and taken.stack <= 0 else 0
        return max(taken.stack, 0), survived, taken.out, taken.stack

    # --- within

    def _start(self, started: HandStarted) -> None:
        self.hands = started.number
        self.day = max(self.day, day_of(started))
        if started.numbers and self.bound is not None:
            self.server_numbers[started.hand_id] = self.bound.server_number
        self.bound = None
        self.withheld.update(started.withheld)
        self.secrets.append((started.hand_id, bytes.fromhex(started.secret)))
        teams = started.teams or {seat: taken.team for seat, taken in self.seats.items()}
        self.hand = HandHistory(started=started, settings=self.settings, teams=teams, stacks=started.stacks)

    def _act(self, acted: Acted) -> None:
        if self.hand is None or acted.seat not in self.seats:
            raise HistoryError(f"seat {acted.seat} acts, but no hand with this seat is open")
        self.hand.acts.append(acted)
        taken = self.seats[acted.seat]
        taken.bank_used_ms += acted.bank_ms
        taken.timeouts = taken.timeouts + 1 if acted.cause == "timeout" else 0

    def _void(self, record: HandVoided, chain: bytes) -> HandHistory | None:
        """Undo the open hand and its use of time banks; if its start is lost, no hand is open."""
        self.hands = record.number
        self.bound = None
        hand, self.hand = self.hand, None
        if hand is not None:
            for act in hand.acts:
                self.seats[act.seat].bank_used_ms -= act.bank_ms
            hand.void, hand.chain, self.last = True, chain, hand
        return hand

    def _finish(self, stacks: Mapping[int, int] | None, chain: bytes) -> HandHistory:
        hand, self.hand = self.hand, None
        assert hand is not None
        hand.chain, self.last = chain, hand
        after = stacks if stacks is not None else chips_after(hand.started, hand.acts, hand.order)
        hand.stacks = {seat: after[seat] for seat in hand.started.stacks}
        self.played += 1
        if self.settings.rake:
            self.rake += raked(hand.events)
        for seat, stack in hand.stacks.items():
            taken = self.seats[seat]
            taken.hands += 1
            if stack <= 0:
                taken.out = self.hands, taken.stack
            taken.stack = stack
        return hand


def read_entries(history: History, entries: Iterable[Entry], *, strict: bool = False) -> Iterator[HistoryEntry]:
    """Apply entries one by one. If `strict`, raise `HistoryError` for an entry that cannot follow."""
    for entry in entries:
        record = read_record(entry.body)
        if strict:
            history.check(record)
        yield HistoryEntry(entry, record, history.take(record, over=entry.seals, chain=entry.hash))


def hands_of(table: str, entries: Iterable[Entry]) -> Iterator[HandHistory]:
    """Yield the finished hands in order; raises `RecordError` for an entry that is not a journal record."""
    for step in read_entries(History(table), entries):
        if step.hand is not None:
            yield step.hand


def day_of(record: HandStarted | NumbersBound) -> str:
    """Return the day in a hand's ID, such as `2026-11-15`."""
    return record.hand_id[2:12]


def order_of(started: HandStarted) -> tuple[int, ...]:
    """Return the seat of each place, from the button's left; the last place has the button."""
    seats = sorted(started.stacks)
    if started.button not in seats:
        raise HistoryError(f"{started.hand_id}: the button is at seat {started.button}, which is not in the hand")
    first = seats.index(started.button) + 1
    return (*seats[first:], *seats[:first])
