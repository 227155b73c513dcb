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
    Cause,
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
    chips_after,
    read_record,
)
from pitboss.errors import PitbossError
from pitboss.store.chain import Entry


def bound_fault(
    record: NumbersBound, before: NumbersBound | None, due: tuple[int, ...], left_out: Collection[int]
) -> str | None:
    """What is wrong with an attempt in which numbers are bound; `due` are the seats that have a hand to come.

    The first attempt of a hand follows nothing. Another follows one that somebody spoilt, who has no part in it; who is
    dealt in stays as it was.
    """
    withheld = set(record.withheld)
    if before is None:
        follows = record.attempt == 1 and not withheld and record.seats == due
    else:
        again = (record.hand_id, record.attempt, record.seats) == (before.hand_id, before.attempt + 1, before.seats)
        follows = again and bool(withheld) and withheld <= set(before.commits)
    if not follows:
        return f"attempt {record.attempt} of its numbers does not follow what was before"
    if not record.commits or not set(record.commits) <= set(record.seats) - withheld - set(left_out):
        return "a seat is bound to a number that has no part in it"
    return None


def mixed_fault(started: HandStarted, bound: NumbersBound | None) -> str | None:
    """What is wrong with the numbers of a hand that was dealt: what was bound must have been opened and mixed.

    A hand without numbers may follow an attempt only where somebody spoilt it.
    """
    withheld = set(started.withheld)
    if bound is None:
        return "it is dealt from numbers that nobody was bound to" if started.numbers or withheld else None
    if started.hand_id != bound.hand_id or tuple(started.stacks) != bound.seats:
        return "it is not the hand that numbers were bound for"
    if not started.numbers:
        spoilt = bool(withheld) and withheld <= set(bound.commits)
        return None if spoilt else "it is dealt without the numbers that were bound for it"
    numbers = {seat: bytes.fromhex(number) for seat, number in started.numbers.items()}
    if withheld or {seat: bind_number(number) for seat, number in numbers.items()} != bound.commits:
        return "it is dealt from other numbers than those that were bound"
    if mix_numbers(started.hand_id, bytes.fromhex(bound.server_number), numbers).hex() != started.secret:
        return "its secret is not what its numbers make it"
    return None


class HistoryError(PitbossError, ValueError):
    """A journal that contradicts itself."""


class TakenSeat(Struct):
    """A seat of a match: its team, and its chips between hands."""

    team: str
    stack: int
    lock: Lock | None  #: None: a house bot's
    timeouts: int = 0  #: turns in a row that it let pass
    hands: int = 0  #: how many hands it was dealt in, without voided ones
    out: tuple[int, int] = (0, 0)  #: the hand in which it lost its last chip, and its chips before that hand
    bank_used_ms: int = 0  #: of its bank


class HandHistory(Struct, kw_only=True):
    """A hand out of the journal, or under way."""

    started: HandStarted
    settings: Settings
    teams: dict[int, str]
    acts: list[Acted] = field(default_factory=list)
    stacks: dict[int, int]  #: by seat: as it began and, once it is over, as it ended
    chain: bytes = b""  #: the head of the hash chain when it was over
    void: bool = False

    @property
    def order(self) -> tuple[int, ...]:
        """The seat of each place."""
        return order_of(self.started)

    @property
    def events(self) -> list[Any]:
        """All that happened in it, in the game's own words."""
        return [*self.started.events, *[event for act in self.acts for event in act.events]]


class HistoryEntry(NamedTuple):
    """One entry of a journal, what it says, and the hand that is over by it."""

    entry: Entry
    record: Record
    hand: HandHistory | None


class History(Struct):
    """A table as its records say it is."""

    table_id: str
    rules: str = ""
    settings: Settings = field(default_factory=Settings)
    teams: dict[str, Lock] | None = None
    seats: dict[int, TakenSeat] = field(default_factory=dict)
    hands: int = 0  #: how many were started
    played: int = 0  #: how many of them counted
    hand: HandHistory | None = None  #: under way
    last: HandHistory | None = None  #: the last one that is over
    ended: MatchEnded | None = None
    secrets: list[tuple[str, bytes]] = field(default_factory=list)
    bound: NumbersBound | None = None  #: the numbers that are to decide the next hand
    withheld: set[int] = field(default_factory=set)  #: who once did not open his number; he is not asked again
    server_numbers: dict[str, str] = field(default_factory=dict)  #: by hand, where numbers were mixed
    by_hands: bool = True  #: whether a seat that is out is placed by the hands it survived; not in older results
    least: int = 2  #: with fewer seats that have chips the match is decided

    def take(
        self, record: Record, *, over: bool, chain: bytes = b"", stacks: Mapping[int, int] | None = None
    ) -> HandHistory | None:
        """Take in a record; gives back the hand that is over by it.

        Whether the hand is over is said by whoever wrote the record; its stacks may be, else they are counted.
        """
        match record:
            case TableOpened():
                self.rules, self.settings, self.teams = record.rules, record.settings, record.teams
                for taken in self.seats.values():
                    taken.stack = record.settings.stack
            case Seated():
                self.seats[record.seat] = TakenSeat(record.team, record.stack, record.lock)
            case NumbersBound():
                self.bound = record
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
            case _:
                assert_never(record)
        return self._finish(stacks, chain) if over and self.hand is not None else None

    def check(self, record: Record) -> None:
        """Raise `HistoryError` where a record cannot follow those before."""
        match record:
            case Seated():
                self._check_seated(record)
            case NumbersBound():
                due = tuple(self.with_chips) if self.hand is None else ()
                if fault := bound_fault(record, self.bound, due, self.withheld):
                    raise HistoryError(f"{record.hand_id}: {fault}")
            case HandStarted():
                if fault := mixed_fault(record, self.bound):
                    raise HistoryError(f"{record.hand_id}: {fault}")
                if record.number != self.hands + 1 or not set(record.stacks) <= set(self.seats) or self.hand:
                    raise HistoryError(f"hand {record.number} does not follow hand {self.hands} at this table")
                if record.stacks != {seat: self.seats[seat].stack for seat in record.stacks}:
                    raise HistoryError(f"{record.hand_id} begins with other chips than the hand before left")
                if self.ended is not None or self.decided is not None:
                    raise HistoryError(f"{record.hand_id} begins when the match is decided")
            case Acted():
                if self.hand is None or record.seat not in self.hand.started.stacks:
                    raise HistoryError(f"seat {record.seat} acts in a hand that never began")
                if not 0 <= record.bank_ms <= self.bank_ms(record.seat):
                    left = self.bank_ms(record.seat)
                    raise HistoryError(f"seat {record.seat} uses {record.bank_ms} ms of its bank, and has {left}")
            case MatchEnded():
                ranked = [[*self.ranking(by_hands=by_hands).items()] for by_hands in (True, False)]
                agrees = record.reason == self.decided and [*record.stacks.items()] in ranked
                if self.ended is not None or not agrees:
                    raise HistoryError("the match ends otherwise than its hands have decided it")
            case TableOpened():
                self._check_opened(record)
            case HandVoided():
                pass
            case _:
                assert_never(record)

    def _check_opened(self, opened: TableOpened) -> None:
        if self.hands or self.bound is not None or self.ended is not None:
            raise HistoryError("its settings are changed after its first hand has begun")
        if any(seat >= opened.settings.seats for seat in self.seats):
            raise HistoryError(f"seats: expected at least {max(self.seats) + 1}, got {opened.settings.seats}")
        if self.rules and (opened.teams != self.teams or opened.settings == self.settings):
            raise HistoryError("it is opened twice, and its settings are not changed by that")

    def _check_seated(self, seated: Seated) -> None:
        if seated.seat != self.free_seat() or self.ended is not None or self.decided is not None:
            raise HistoryError(f"seat {seated.seat} is not the next one to be taken")
        if seated.stack != self.settings.stack:
            raise HistoryError(f"seat {seated.seat} sat down with {seated.stack} chips, not {self.settings.stack}")
        if self.is_closed:
            raise HistoryError(f"seat {seated.seat} was taken when the first hand had begun, in a freeze-out")
        if seated.team in [taken.team for taken in self.seats.values()]:
            raise HistoryError(f"{seated.team!r} sat down twice")
        if self.teams is not None and seated.lock is not None and self.teams.get(seated.team) != seated.lock:
            raise HistoryError(f"seat {seated.seat} was taken by {seated.team!r}, who is not on the list of teams")

    # --- what stands

    @property
    def with_chips(self) -> list[int]:
        """The seats that can be dealt in."""
        return [seat for seat, taken in sorted(self.seats.items()) if taken.stack > 0]

    def free_seat(self) -> int | None:
        """The first seat nobody has."""
        return next((seat for seat in range(self.settings.seats) if seat not in self.seats), None)

    def bank_ms(self, seat: int) -> int:
        """What a seat has left of its bank."""
        return self.settings.time_bank_ms - self.seats[seat].bank_used_ms

    @property
    def is_closed(self) -> bool:
        """Whether nobody is given a seat any more because the first hand has begun."""
        return self.settings.freeze_out and bool(self.hands or self.bound is not None)

    @property
    def decided(self) -> Reason | None:
        """Why the match is over, if it is."""
        if self.hand is not None or not self.played:
            return None
        left = len(self.with_chips)
        if left < self.least:
            return "last_standing" if left == 1 else "too_few"
        return "max_hands" if self.played == self.settings.max_hands else None

    def ranking(self, *, by_hands: bool = True) -> dict[int, int]:
        """The stacks by seat in the order of places; of equals the lower seat first."""
        ranked = sorted(self.seats)
        ranked.sort(key=lambda seat: self._standing(seat, by_hands=by_hands), reverse=True)
        return {seat: self.seats[seat].stack for seat in ranked}

    def places(self) -> dict[int, int]:
        """The place of every seat, counted from 1: how many stand above it, and one; equals have the same."""
        standing = {seat: self._standing(seat, by_hands=self.by_hands) for seat in self.seats}
        return {seat: 1 + sum(other > own for other in standing.values()) for seat, own in standing.items()}

    def winners(self) -> list[int]:
        """The seats that nobody is placed above: more than one where the match ends in a tie."""
        return [seat for seat, place in sorted(self.places().items()) if place == 1]

    def _standing(self, seat: int, *, by_hands: bool) -> tuple[int, int, tuple[int, int], int]:
        """What a seat is placed by: its chips or, if it is out, the hands it survived and when it went out."""
        taken = self.seats[seat]
        survived = taken.hands if by_hands and taken.stack <= 0 else 0
        return max(taken.stack, 0), survived, taken.out, taken.stack

    # --- within

    def _start(self, started: HandStarted) -> None:
        self.hands = started.number
        if started.numbers and self.bound is not None:
            self.server_numbers[started.hand_id] = self.bound.server_number
        self.bound = None
        self.withheld.update(started.withheld)
        self.secrets.append((started.hand_id, bytes.fromhex(started.secret)))
        teams = {seat: taken.team for seat, taken in self.seats.items()}
        self.hand = HandHistory(started=started, settings=self.settings, teams=teams, stacks=started.stacks)

    def _act(self, acted: Acted) -> None:
        if self.hand is None or acted.seat not in self.seats:
            raise HistoryError(f"seat {acted.seat} acts in a hand that never began")
        self.hand.acts.append(acted)
        self.seats[acted.seat].bank_used_ms += acted.bank_ms
        self._hear(acted.seat, acted.cause)

    def _hear(self, seat: int, cause: Cause) -> None:
        taken = self.seats[seat]
        taken.timeouts = taken.timeouts + 1 if cause == "timeout" else 0

    def _void(self, record: HandVoided, chain: bytes) -> HandHistory | None:
        """Take the open hand back, with what it took of anybody's bank; one whose very start is lost was the next."""
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
        for seat, stack in hand.stacks.items():
            taken = self.seats[seat]
            taken.hands += 1
            if stack <= 0:
                taken.out = self.hands, taken.stack
            taken.stack = stack
        return hand


def read_entries(history: History, entries: Iterable[Entry], *, strict: bool = False) -> Iterator[HistoryEntry]:
    """Take in entry after entry; where it is strict, one that cannot follow raises `HistoryError`."""
    for entry in entries:
        record = read_record(entry.body)
        if strict:
            history.check(record)
        yield HistoryEntry(entry, record, history.take(record, over=entry.seals, chain=entry.hash))


def hands_of(table: str, entries: Iterable[Entry]) -> Iterator[HandHistory]:
    """The hands that are over, in order; raises `RecordError` where an entry is none of ours."""
    for step in read_entries(History(table), entries):
        if step.hand is not None:
            yield step.hand


def order_of(started: HandStarted) -> tuple[int, ...]:
    """The seat of each place: from the button's left, so that the last place has the button."""
    seats = sorted(started.stacks)
    if started.button not in seats:
        raise HistoryError(f"the button of {started.hand_id} is seat {started.button}, which is dealt no cards")
    first = seats.index(started.button) + 1
    return (*seats[first:], *seats[:first])
