"""A hand of poker out of the journal as a PHH record."""

from pitboss.arena.journal.fold import HandHistory
from pitboss.arena.journal.records import poker_events
from pitboss.arena.v1.poker import TableFrame
from pitboss.hand.structure import Structure
from pitboss.notation.record import Record as PhhRecord
from pitboss.notation.recording import spell_moves


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
        big_bet=structure.usual_big_bet(frame.big_blind),
        min_bet=None if limit else frame.big_blind,
        starting_stacks=tuple(started.stacks[seat] for seat in order),
        actions=spell_moves(poker_events(hand.events)),
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
