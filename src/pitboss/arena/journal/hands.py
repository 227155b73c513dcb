"""A hand of poker out of the journal as a PHH record."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from pitboss.arena.journal.fold import HandHistory
from pitboss.arena.journal.records import poker_events
from pitboss.arena.v1.poker import TableFrame
from pitboss.betting.events import BroughtIn, Called, Checked, Folded, Posted, Raised, Refunded
from pitboss.cards import write_cards
from pitboss.hand.events import BoardDealt, Discarded, Event, HoleDealt, Mucked, Raked, RunBegun, Shown, UpDealt, Won
from pitboss.hand.structure import Structure
from pitboss.notation.record import Record as PhhRecord


def phh_of(hand: HandHistory, table: str, structure: Structure, frame: TableFrame) -> PhhRecord:
    """A hand as anybody's tools read it: players from the button's left, blinds in the order they are posted."""
    started, order = hand.started, hand.order
    year, month, day = map(int, started.hand_id[2:12].split("-"))
    n, limit = len(order), structure.betting.exact
    return PhhRecord(
        variant=structure.code,
        antes=(frame.ante,) * n,
        blinds_or_straddles=None if frame.bring_in else (frame.small_blind, frame.big_blind, *(0,) * (n - 2)),
        bring_in=frame.bring_in or None,
        small_bet=frame.big_blind if limit else None,
        big_bet=2 * frame.big_blind if limit else None,
        min_bet=None if limit else frame.big_blind,
        starting_stacks=tuple(started.stacks[seat] for seat in order),
        actions=tuple(move for event in _joined(poker_events(hand.events)) if (move := _move(event))),
        day=day,
        month=month,
        year=year,
        hand=started.number,
        seats=tuple(seat + 1 for seat in order),
        seat_count=hand.settings.seats,
        table=table,
        players=tuple(hand.teams[seat] for seat in order),
        finishing_stacks=tuple(hand.stacks[seat] for seat in order),
        user={"_handId": started.hand_id},
    )


def _joined(events: Sequence[Event]) -> Iterator[Event]:
    """The events with the cards that somebody is dealt face down and then face up on one street in one deal."""
    down: dict[int, HoleDealt] = {}
    for event in (*events, None):
        if isinstance(event, HoleDealt):
            down[event.place] = event
        elif isinstance(event, UpDealt) and event.place in down:
            yield HoleDealt(event.place, down.pop(event.place).cards + event.cards)
        else:
            yield from down.values()
            down.clear()
            if event is not None:
                yield event


def _move(event: Event) -> str | None:
    match event:
        case HoleDealt(place=place, cards=cards):
            return f"d dh p{place + 1} {write_cards(cards)}"
        case UpDealt(place=place, cards=cards):
            return f"d dh p{place + 1} {write_cards(cards)}"
        case Discarded(place=place, cards=cards):
            return f"p{place + 1} sd {write_cards(cards)}".rstrip()
        case BroughtIn(place=place):
            return f"p{place + 1} pb"
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
        case Mucked(place=place):
            return f"p{place + 1} sm"
        case Posted() | Refunded() | Raked() | RunBegun() | Won():
            return None  # they follow from the others
        case _:
            assert_never(event)
