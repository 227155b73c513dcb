"""One table's match as the arena plays it: chairs, and hand after hand of no-limit hold'em until it is decided.

Every change is a record: made here, kept in the journal, and taken back in from there after a restart. Button, blinds
and the order of hands are the match's (`table/match.py`), the rules the hand's. It knows no connection and no clock.
"""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.journal.commitment import Shuffled, shuffled
from pitboss.arena.journal.records import (
    Acted,
    Cause,
    HandStarted,
    HandVoided,
    Lock,
    MatchEnded,
    Reason,
    Record,
    Seated,
    Settings,
    TableOpened,
    move_chips,
)
from pitboss.betting.actions import BettingAction
from pitboss.cards import write_cards
from pitboss.errors import PitbossError
from pitboss.hand.hand import Hand
from pitboss.table.match import Given, Match, open_table
from pitboss.table.rotation import order_of_play


class SeriesError(PitbossError, ValueError):
    """Something that this match cannot do now, or a journal that contradicts itself."""


class Chair(Struct):
    """A taken seat: its team, and its chips between hands."""

    team: str
    stack: int
    lock: Lock | None
    timeouts: int = 0  #: turns in a row that it let pass
    out: tuple[int, int] = (0, 0)  #: in which hand it lost its last chip, and with how many it went into it


class Open(Struct):
    """The hand under way."""

    started: HandStarted
    deal: Shuffled
    given: Given
    order: tuple[int, ...]  #: the seat of each place
    before: Match  #: the table before the hand, for when it is voided


class Series:
    """A match in progress: `make_…` does something and gives its record, `take…` does what a kept record says."""

    def __init__(self, table_id: str) -> None:
        self.table_id = table_id
        self.settings = Settings()
        self.teams: dict[str, Lock] | None = None
        self.chairs: dict[int, Chair] = {}
        self.hands = 0  #: how many were started
        self.played = 0  #: how many of them counted
        self.open: Open | None = None
        self.ended: MatchEnded | None = None
        self.secrets: list[tuple[str, bytes]] = []
        self._match = open_table(small_blind=0, big_blind=1, seat_count=2, moving="button")

    # --- what stands

    @property
    def hand(self) -> Hand | None:
        """The hand under way."""
        return self.open.given.hand if self.open else None

    @property
    def to_act(self) -> int | None:
        """The seat that is asked."""
        if self.open is None:
            return None
        hand = self.open.given.hand
        return self.open.order[hand.round.turn] if hand.phase == "bet" else None

    @property
    def with_chips(self) -> list[int]:
        """The seats that can be dealt in."""
        return [seat for seat, chair in sorted(self.chairs.items()) if chair.stack]

    @property
    def decided(self) -> Reason | None:
        """Why the match is over, if it is."""
        if self.open is not None or not self.played:
            return None
        if len(self.with_chips) < 2:
            return "last_standing"
        return "max_hands" if self.played == self.settings.max_hands else None

    @property
    def can_start(self) -> bool:
        """Whether a hand can be dealt now."""
        enough = 2 if self.hands else self.settings.start_at
        return self.open is None and self.ended is None and not self.decided and len(self.with_chips) >= enough

    def stack(self, seat: int) -> int:
        """A seat's chips now, without what it has in the middle."""
        if self.open and seat in self.open.order:
            return self.open.given.hand.stacks[self.open.order.index(seat)]
        return self.chairs[seat].stack

    def free_seat(self) -> int | None:
        """The first chair nobody has."""
        return next((seat for seat in range(self.settings.seats) if seat not in self.chairs), None)

    def audit(self) -> None:
        """Count the chips: all that were brought must be there."""
        brought = self.settings.stack * len(self.chairs)
        there = sum(chair.stack for chair in self.chairs.values())
        if self.open is not None:
            round = self.open.given.hand.round
            there += round.chips_in_middle + sum(round.stacks) - sum(self.open.started.stacks.values())
        if there != brought:
            raise SeriesError(f"{brought} chips were brought and {there} are there")

    # --- what is done

    def make_table(self, rules: str, settings: Settings, teams: dict[str, Lock] | None = None) -> TableOpened:
        """Open the table."""
        self.settings, self.teams = settings, teams
        self._match = open_table(
            small_blind=settings.small_blind,
            big_blind=settings.big_blind,
            seat_count=settings.seats,
            moving="button",
        )
        return TableOpened(rules=rules, settings=settings, teams=teams)

    def make_seated(self, team: str, lock: Lock | None) -> Seated:
        """Give a team the first free chair."""
        seat = self.free_seat()
        if seat is None or self.ended or self.decided:
            raise SeriesError("no chair is free" if seat is None else "the match is over")
        self.chairs[seat] = Chair(team, self.settings.stack, lock)
        self._match = _sit(self._match, seat, self.settings.stack)
        return Seated(seat=seat, team=team, stack=self.settings.stack, lock=lock)

    def make_hand(self, secret: bytes, day: str, seq: int) -> HandStarted:
        """Deal the next hand."""
        match = self._match.next()
        deal = shuffled(secret)
        given, events = match.hand().dealt(deal.deck)
        order = tuple(map(int, given.players))
        started = HandStarted(
            number=self.hands + 1,
            hand_id=f"H-{day}-{self.hands + 1:05d}",
            secret=secret.hex(),
            deck=write_cards(deal.deck),
            button=order[-1],
            stacks={seat: self.chairs[seat].stack for seat in sorted(order)},
            seq=seq,
            events=events,
        )
        self._note(started)
        self.open = Open(started, deal, given, order, self._match)
        self._match = match
        self._settle()
        return started

    def make_act(self, seat: int, action: BettingAction, cause: Cause) -> Acted:
        """Let a seat act; raises `Refused` where it is not on offer, and nothing has changed."""
        if self.open is None or seat not in self.open.order:
            raise SeriesError(f"seat {seat} is in no hand")
        hand, events = self.open.given.hand.act(action, self.open.order.index(seat))
        self.open.given = replace(self.open.given, hand=hand)
        self._heard(seat, cause)
        self._settle()
        return Acted(seat=seat, action=action, cause=cause, events=events)

    def make_void(self, torn_at: int, reason: str, seq: int) -> HandVoided:
        """Take the open hand back: chips and button are as before it. One whose very start is lost was the next."""
        hand_id = ""
        if self.open is None:
            self.hands += 1
        else:
            hand_id, known = self.open.started.hand_id, set(self.open.before.document.players)
            self._match = self.open.before
            for seat, chair in self.chairs.items():
                if str(seat) not in known and chair.stack:
                    self._match = _sit(self._match, seat, chair.stack)
            self.open = None
        return HandVoided(number=self.hands, hand_id=hand_id, torn_at=torn_at, reason=reason, seq=seq)

    def make_end(self) -> MatchEnded:
        """End the match: from the most chips down, then who was out last; of equals the lower seat first."""
        reason = self.decided
        if reason is None:
            raise SeriesError("the match is not decided")
        stacks = {seat: chair.stack for seat, chair in self.chairs.items()}
        ranked = sorted(stacks)
        ranked.sort(key=lambda seat: (stacks[seat], self.chairs[seat].out), reverse=True)
        self.ended = MatchEnded(reason=reason, stacks={seat: stacks[seat] for seat in ranked})
        return self.ended

    # --- what was kept

    def take(self, record: Record) -> None:
        """Take a kept record in by doing it again; raises `SeriesError` where it comes out otherwise."""
        made: Record
        match record:
            case TableOpened():
                made = self.make_table(record.rules, record.settings, record.teams)
            case Seated():
                made = self.make_seated(record.team, record.lock)
            case HandStarted():
                made = self.make_hand(bytes.fromhex(record.secret), _day(record), record.seq)
            case Acted():
                made = self.make_act(record.seat, record.action, record.cause)
            case HandVoided():
                made = self.make_void(record.torn_at, record.reason, record.seq)
            case MatchEnded():
                made = self.make_end()
        if made != record:
            raise SeriesError(f"done again, {type(record).__name__} comes out otherwise than it was kept")

    def take_voided(self, started: HandStarted, acts: Sequence[Acted]) -> None:
        """Take in a hand that was taken back: it counts only as a number, and by who let his time pass."""
        self._check_follows(started)
        self._note(started)
        for act in acts:
            self._heard(act.seat, act.cause)

    def take_finished(self, started: HandStarted, acts: Sequence[Acted]) -> None:
        """Take in a finished hand from its events alone: newer rules do not judge it."""
        self._check_follows(started)
        order = order_of(started)
        events = [*started.events, *[event for act in acts for event in act.events]]
        stacks = move_chips(started.stacks, events, order)
        if sum(stacks.values()) != sum(started.stacks.values()) or min(stacks.values()) < 0:
            raise SeriesError(f"{started.hand_id} does not keep its chips")
        self._note(started)
        for act in acts:
            self._heard(act.seat, act.cause)
        self._match = self._match.after(
            {str(seat): stack for seat, stack in stacks.items()}, hand=started.number, button=str(started.button)
        )
        self._count(stacks)

    # --- within

    def _check_follows(self, started: HandStarted) -> None:
        if started.number != self.hands + 1 or not set(started.stacks) <= set(self.chairs):
            raise SeriesError(f"hand {started.number} does not follow hand {self.hands} at this table")
        if started.stacks != {seat: self.chairs[seat].stack for seat in started.stacks}:
            raise SeriesError(f"{started.hand_id} begins with other chips than the hand before left")

    def _note(self, started: HandStarted) -> None:
        self.hands = started.number
        self.secrets.append((started.hand_id, bytes.fromhex(started.secret)))

    def _heard(self, seat: int, cause: Cause) -> None:
        chair = self.chairs[seat]
        chair.timeouts = chair.timeouts + 1 if cause == "timeout" else 0

    def _settle(self) -> None:
        """Once the hand is over, give it back to the table and count the chips."""
        if self.open is None or not self.open.given.hand.over:
            return
        self._match = self._match.finish(self.open.given)
        self._count(dict(zip(self.open.order, self.open.given.hand.stacks, strict=True)))
        self.open = None

    def _count(self, stacks: Mapping[int, int]) -> None:
        self.played += 1
        for seat, stack in stacks.items():
            chair = self.chairs[seat]
            if not stack:
                chair.out = self.hands, chair.stack
            chair.stack = stack


def order_of(started: HandStarted) -> tuple[int, ...]:
    """The seat of each place in a hand that was kept."""
    return order_of_play(dealt_in(started.stacks), started.button)


def dealt_in(seats: Collection[int]) -> list[bool]:
    """Which chairs, counted from 0, these seats are: what the table's rotation goes by."""
    return [seat in seats for seat in range(max(seats) + 1)]


def _sit(match: Match, seat: int, stack: int) -> Match:
    return match.sit(str(seat), stack, seat=seat + 1)


def _day(started: HandStarted) -> str:
    return started.hand_id[2:12]
