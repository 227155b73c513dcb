"""A cash table, which has no end: teams bring chips, sit out, return, and leave with their chips.

It plays like a match, with the same hosts and records. `pitboss.table` decides which players are dealt in, which seats
post blinds and which debts are owed (rulings T5 to T8). This module makes all other records: of teams that come, sit
out, top up and leave. A seat that is away when a hand ends sits out until its next message. Decks become public a set
time after each hand, for several hands together.
"""

from collections import deque
from collections.abc import Collection, Iterator
from typing import Any, assert_never

from msgspec import Struct

from pitboss.arena.hosts.host import Host, Step
from pitboss.arena.hosts.poker import PokerHost
from pitboss.arena.journal.history import HandHistory, History, HistoryError
from pitboss.arena.journal.records import (
    DefaultPolicy,
    HandStarted,
    HandVoided,
    Lock,
    NumbersBound,
    Record,
    Seated,
    TeamLeft,
    ToppedUp,
    TopUpAsked,
    Wished,
)
from pitboss.arena.rooms.match import Match
from pitboss.arena.wire.messages import CashRequest, Hello, Leave, Rejected, SitIn, SitOut, TopUp
from pitboss.arena.wire.summaries import CashSums
from pitboss.table.rotation import State

INTENTS: dict[State, int] = {"plays": 0, "waits": 1, "pauses": 2, "leaves": 3}
"""The numbers of a player's intents in specification 004."""

BATCH_SHARE = 0.01
"""Hands that end within this part of the time are revealed together, at the time of the last of them."""


class CashTable(Match):
    """A cash table in progress: its history, and the game it plays."""

    host: PokerHost

    def __init__(self, history: History, host: PokerHost) -> None:
        super().__init__(history, host)
        self._sat_out: set[int] = set()  # seats that have requested to sit out since they were last dealt in

    # --- state

    @property
    def can_start(self) -> bool:
        """Whether a hand can be dealt now."""
        if self.underway:
            return False
        history, due = self.history, len(self.host.due)
        return due > 0 and (history.hands > 0 or due >= history.settings.start_at)

    @property
    def playing(self) -> list[int]:
        """The seats of the open hand or, between hands, of the next hand."""
        return sorted(self.host.table.order) if self.underway else [*self.host.due]

    @property
    def sums(self) -> CashSums:
        """The sums of chips: brought to the table, in play, taken away, and rake."""
        history, table = self.history, self.host.table
        coming = sum([record.stack for record in self._waiting if isinstance(record, Seated)])
        in_play = sum([chair.chips for chair in table.chairs]) + table.pot + coming
        return CashSums(brought=history.brought, taken=history.taken, rake=history.rake, in_play=in_play)

    def standing(self, seat: int) -> tuple[int | None, int | None]:
        """Return the intent of a seat, as a number of specification 004, and its debt."""
        wished = [record.state for record in self._waiting if isinstance(record, Wished) and record.seat == seat]
        if self._is_coming(seat):
            return INTENTS[wished[-1] if wished else "plays"], 0
        chair = self.host.chair(seat)
        return INTENTS[wished[-1] if wished else chair.state], chair.owes

    def _is_coming(self, seat: int) -> bool:
        """Whether a team has taken a seat that is not yet part of the game."""
        return any(isinstance(record, Seated) and record.seat == seat for record in self._waiting)

    def default_policies(self, seat: int) -> tuple[DefaultPolicy, DefaultPolicy]:
        """Return the timeout policy of a seat. A seat that has sat out or left folds."""
        return ("fold", "fold") if seat in self.folding else ("check_fold", "check_fold")

    # --- seats

    def check_new(self, team: str) -> None:
        """Raise `Rejected` if a new team of this name cannot have a seat."""
        super().check_new(team)
        if not self._free_seats:
            raise Rejected(
                "TABLE_FULL", "all seats are taken; when a team leaves, its seat is free from the next hand on"
            )

    def admit(self, hello: Hello, lock: Lock) -> Seated:
        """Give a new team a seat for the chips that it brings."""
        self.check_new(hello.team)
        settings, stack = self.settings, self.settings.stack if hello.buy_in is None else hello.buy_in
        if not settings.min_buy_in <= stack <= settings.stack:
            allowed = f"expected {settings.min_buy_in} to {settings.stack} chips, got {stack}"
            raise Rejected("BUY_IN_OUT_OF_RANGE", f"{allowed} - at `$.buy_in`")
        return self.sit(hello.team, lock, stack, hello.seat)

    def sit(self, team: str, lock: Lock | None, stack: int | None = None, seat: int | None = None) -> Seated:
        """Give a team the seat that it requests, or the first free seat.

        Without a number of chips it gets the largest buy-in.
        """
        free = self._free_seats
        if not free:
            raise HistoryError("no seat is free")
        chips = self.settings.stack if stack is None else stack
        seated = Seated(seat=seat if seat in free else free[0], team=team, stack=chips, lock=lock)
        self.change(seated)
        return seated

    @property
    def _free_seats(self) -> list[int]:
        return [seat for seat in self.host.free_seats if seat not in self.history.seats]

    # --- requests of seats, and their results

    def request(self, seat: int, message: CashRequest) -> list[Record]:
        """Carry out the request of a seat and return its records; raise `Rejected` if that is not possible."""
        wanted = INTENTS[_state(message)] if not isinstance(message, TopUp) else None
        intent, _ = self.standing(seat)
        if intent == INTENTS["leaves"]:
            if wanted == intent:
                return []
            raise Rejected("NOT_SEATED", "you are leaving this table; to come back, send hello when you have left")
        if isinstance(message, TopUp):
            return [self._top_up(seat, message.amount)]
        if wanted == intent and seat not in self.absent:
            return []
        return [self._make(Wished(seat=seat, state=_state(message)))]

    def _top_up(self, seat: int, amount: int) -> Record:
        """Add chips now or, during a hand, after the hand. The sum must not exceed the largest buy-in."""
        taken = self.history.seats[seat]
        chips = self.host.stack(seat, taken.stack)
        most = self.settings.stack - chips - taken.top_up
        if not 1 <= amount <= most:
            range_ = f"1 to {most} chips" if most > 0 else "0, because you already have the largest buy-in"
            raise Rejected("TOP_UP_OUT_OF_RANGE", f"expected {range_}, got {amount} - at `$.amount`")
        if self.underway or self.history.bound is not None:
            return self._make(TopUpAsked(seat=seat, amount=amount))
        return self._make(ToppedUp(seat=seat, amount=amount))

    def come_back(self, seat: int) -> list[Record]:
        """Return the record of a seat's return, if the seat sat out only because it was away."""
        return [self._make(Wished(seat=seat, state="plays"))] if seat in self.absent else []

    def settle(self, away: Collection[int] = ()) -> Iterator[Record]:
        """Yield the records of all changes that are due; `away` are seats that were away when a hand ended."""
        if self.history.bound is not None:
            return
        for seat in sorted(away):
            if not self.underway and self.host.chair(seat).state == "plays" and self.host.chair(seat).chips:
                yield self._make(Wished(seat=seat, state="pauses", away=True))
        while (record := self.due_record()) is not None:
            team = self.history.seats[record.seat].team if isinstance(record, TeamLeft) else ""
            returns = isinstance(record, TeamLeft) and record.stack > 0 and self._rebuys(record.seat)
            yield self._make(record)
            if returns and self._free_seats:
                yield self.sit(team, None)  # with one buy-in

    def due_record(self) -> Record | None:
        """Return the first record that is due: chips that are brought, or a team that leaves."""
        settings = self.settings
        for seat, taken in sorted(self.history.seats.items()):
            if self._is_coming(seat) or (self.underway and seat in self.host.table.order):
                continue
            leaves = self.host.chair(seat).state == "leaves"
            if not self.underway and taken.top_up:
                fits = 0 if leaves else max(0, min(taken.top_up, settings.stack - taken.stack))
                return ToppedUp(seat=seat, amount=fits)
            if not self.underway and self._rebuys(seat) and taken.stack < settings.stack / 2:
                return ToppedUp(seat=seat, amount=settings.stack - taken.stack)
            if leaves or not taken.stack:
                return TeamLeft(seat=seat, stack=taken.stack)
            if not self.underway and self._rebuys(seat) and taken.stack > 2 * settings.stack and self._free_seats:
                return Wished(seat=seat, state="leaves")
        return None

    def _rebuys(self, seat: int) -> bool:
        """Return whether a house bot that buys in again has this seat."""
        return self.settings.bots_rebuy and self.history.seats[seat].lock is None

    def _make(self, record: Record) -> Record:
        self.change(record)
        return record

    # --- hands

    def seating(self) -> dict[str, Any]:
        """Return the facts about its seats that a hand records."""
        teams = {seat: taken.team for seat, taken in self.history.seats.items()}
        return {"teams": teams, "sat_out": tuple(sorted(self._sat_out))}

    def apply(self, step: Step) -> Step:
        """Record a step of the game in the history."""
        super().apply(step)
        if isinstance(step.record, HandStarted):
            self._sat_out.difference_update(step.record.returned)
            self.absent.difference_update(step.record.stacks)
        if step.result is not None:
            self._wait_if_settled()
        return step

    def void(self, torn_at: int, reason: str, seq: int) -> HandVoided:
        """Void the open hand, or the next one if its start is lost.

        Seats that sat out before the hand sit out again.
        """
        hand = self.history.hand
        if hand is not None:
            self._sat_out.update(hand.started.returned)
        return super().void(torn_at, reason, seq)

    def _wait_if_settled(self) -> None:
        if not self.underway and self.due_record() is None:
            self.host.wait()

    def _tell_game(self, record: Record) -> None:
        host = self.host
        match record:
            case Seated():
                host.sit(record.seat, record.stack)
            case Wished():
                self._wish(record)
            case ToppedUp():
                if record.amount:
                    host.top_up(record.seat, record.amount)
            case TeamLeft():
                host.cash_out(record.seat)
                self.absent.discard(record.seat)
                self._sat_out.discard(record.seat)
            case _:
                return
        self._wait_if_settled()

    def _wish(self, wished: Wished) -> None:
        seat, state = wished.seat, wished.state
        in_hand = self.underway and seat in self.host.table.order
        self.host.wish(seat, state)
        self.absent.discard(seat)
        if wished.away:
            self.absent.add(seat)
        if state != "plays" and in_hand:
            self.folding.add(seat)
        if state in ("waits", "pauses"):
            self._sat_out.add(seat)

    # --- replay

    def restore(self, record: Record, hand: HandHistory | None) -> None:
        """Continue the game after a record of the history; `hand` is the hand that the record ended, if any."""
        if isinstance(record, HandStarted):
            self.host.take_started(record)
            self._sat_out.difference_update(record.returned)
            self.absent.difference_update(record.stacks)
        elif not isinstance(record, NumbersBound) and hand is None:
            self._put_off(record)
        if hand is not None:
            self.folding.clear()
            if hand.void:
                self._sat_out.update(hand.started.returned)
                self.host.void()
            else:
                self.host.take_finished(hand)
                self._wait_if_settled()
        self.do_waiting()


def _state(message: Leave | SitOut | SitIn | TopUp) -> State:
    """Return the state that a message requests."""
    match message:
        case SitOut(until=None):
            return "pauses"
        case SitOut():
            return "waits"
        case Leave():
            return "leaves"
        case SitIn() | TopUp():
            return "plays"
        case _:
            assert_never(message)


def open_match(history: History, host: Host) -> Match:
    """Return the match or the cash table for these settings."""
    if history.settings.cash:
        assert isinstance(host, PokerHost)  # make_host refuses cash tables of games other than poker
        return CashTable(history, host)
    return Match(history, host)


class _Batch(Struct):
    first: float  # the time from which the deck of its first hand may be revealed
    last: float
    number: int  # the number of its last hand


class RevealSchedule:
    """The finished hands with secret decks.

    `after` is the number of seconds until their decks become public; None means never.
    """

    def __init__(self, after: float | None) -> None:
        self._after = after
        self._batches: deque[_Batch] = deque()

    @property
    def due(self) -> float | None:
        """The time at which the next decks become public."""
        return self._batches[0].last if self._batches else None

    def add(self, number: int, now: float) -> None:
        """Record that this hand has ended, as have all hands before it."""
        if self._after is None:
            return
        due, batches = now + self._after, self._batches
        if batches and due - batches[-1].first <= self._after * BATCH_SHARE:
            batches[-1].last, batches[-1].number = due, number
        else:
            batches.append(_Batch(due, due, number))

    def take(self, now: float) -> int | None:
        """Return the last hand whose deck becomes public now, or None."""
        number = None
        while self._batches and self._batches[0].last <= now:
            number = self._batches.popleft().number
        return number
