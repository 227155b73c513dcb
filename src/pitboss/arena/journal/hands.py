"""A hand of poker out of the journal as a PHH record."""

from typing import assert_never

from pitboss.arena.journal.fold import HandHistory
from pitboss.arena.journal.records import poker_events
from pitboss.betting.events import BroughtIn, Called, Checked, Folded, Posted, Raised, Refunded
from pitboss.cards import write_cards
from pitboss.hand.events import BoardDealt, Discarded, Event, HoleDealt, Mucked, Raked, RunBegun, Shown, UpDealt, Won
from pitboss.hand.structure import Structure
from pitboss.notation.record import Record as PhhRecord


def phh_of(hand: HandHistory, table: str, structure: Structure) -> PhhRecord:
    """A hand as anybody's tools read it: players from the button's left, blinds in the order they are posted."""
    started, order, settings = hand.started, hand.order, hand.settings
    year, month, day = map(int, started.hand_id[2:12].split("-"))
    n, limit = len(order), structure.betting.exact
    return PhhRecord(
        variant=structure.code,
        antes=(0,) * n,
        blinds_or_straddles=(settings.small_blind, settings.big_blind, *(0,) * (n - 2)),
        small_bet=settings.big_blind if limit else None,
        big_bet=2 * settings.big_blind if limit else None,
        min_bet=None if limit else settings.big_blind,
        starting_stacks=tuple(started.stacks[seat] for seat in order),
        actions=tuple(move for event in poker_events(hand.events) if (move := _move(event))),
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
