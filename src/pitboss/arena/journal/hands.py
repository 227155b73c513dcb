"""A journal's finished hands, gathered from its entries, and each as a PHH record."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from pitboss.arena.hosts.series import order_of
from pitboss.arena.journal.records import (
    Acted,
    HandStarted,
    HandVoided,
    Seated,
    Settings,
    TableOpened,
    move_chips,
    read_record,
)
from pitboss.betting.events import Called, Checked, Folded, Raised
from pitboss.cards import write_cards
from pitboss.hand.events import BoardDealt, Event, HoleDealt, Shown
from pitboss.notation.record import Record as PhhRecord
from pitboss.store.chain import Entry


class KeptHand(Struct, frozen=True, kw_only=True):
    """A hand out of the journal."""

    started: HandStarted
    events: tuple[Event, ...]
    chain: bytes  #: the head of the chain when it was over
    void: bool
    settings: Settings
    teams: dict[int, str]

    @property
    def order(self) -> tuple[int, ...]:
        """The seat of each place."""
        return order_of(self.started)

    @property
    def stacks(self) -> dict[int, int]:
        """The stacks by seat once it was over."""
        return self.started.stacks if self.void else move_chips(self.started.stacks, self.events, self.order)


def kept_hands(entries: Iterable[Entry]) -> Iterator[KeptHand]:
    """The hands that are over, in order; raises `RecordError` where an entry is none of ours."""
    settings, teams = Settings(), {}
    started: HandStarted | None = None
    events: tuple[Event, ...] = ()
    for entry in entries:
        record = read_record(entry.body)
        if isinstance(record, TableOpened):
            settings = record.settings
        elif isinstance(record, Seated):
            teams[record.seat] = record.team
        elif isinstance(record, HandStarted):
            started, events = record, record.events
        elif isinstance(record, Acted):
            events += record.events
        if started is not None and (entry.seals or isinstance(record, HandVoided)):
            void = isinstance(record, HandVoided)
            yield KeptHand(
                started=started, events=events, chain=entry.hash, void=void, settings=settings, teams=dict(teams)
            )
            started = None


def phh_of(hand: KeptHand, table: str) -> PhhRecord:
    """A hand as anybody's tools read it: players from the button's left, blinds in the order they are posted."""
    started, order, settings = hand.started, hand.order, hand.settings
    year, month, day = map(int, started.hand_id[2:12].split("-"))
    n = len(order)
    return PhhRecord(
        variant="NT",
        antes=(0,) * n,
        blinds_or_straddles=(settings.small_blind, settings.big_blind, *(0,) * (n - 2)),
        min_bet=settings.big_blind,
        starting_stacks=tuple(started.stacks[seat] for seat in order),
        actions=tuple(move for event in hand.events if (move := _move(event))),
        day=day,
        month=month,
        year=year,
        hand=started.number,
        seats=tuple(seat + 1 for seat in order),
        seat_count=settings.seats,
        table=table,
        players=tuple(hand.teams[seat] for seat in order),
        finishing_stacks=tuple(hand.stacks[seat] for seat in order),
        user={"_handId": started.hand_id},
    )


def _move(event: Event) -> str | None:
    match event:
        case HoleDealt(place=place, cards=cards):
            return f"d dh p{place + 1} {write_cards(cards)}"
        case BoardDealt(cards=cards):
            return f"d db {write_cards(cards)}"
        case Folded(place=place):
            return f"p{place + 1} f"
        case Checked(place=place) | Called(place=place):
            return f"p{place + 1} cc"
        case Raised(place=place, to=to):
            return f"p{place + 1} cbr {to}"
        case Shown(place=place, cards=cards):
            return f"p{place + 1} sm {write_cards(cards)}"
    return None
