"""Find what each player collected: from the record if that agrees with the pot, otherwise by the rules."""

from collections.abc import Sequence

from pitboss.betting.events import Refunded
from pitboss.hand.events import Won
from pitboss.records.money import Amount, Unit
from pitboss.records.record import Record
from pitboss.records.replay import Replay
from pitboss.records.table_fields import rake_taken


def find_collected(record: Record, played: Replay) -> dict[int, int]:
    """Return what each place collects, in chips."""
    hand, unit, players = played.hand, played.unit, played.lineup.players
    won = won_by_rules(played)
    recorded = []
    if record.winnings:
        winnings = _by_place(record.winnings, players, unit)
        returned = {event.place: event.amount for event in played.chip_events if isinstance(event, Refunded)}
        # Some records count an uncalled bet as winnings.
        recorded += [winnings, {place: chips - returned.get(place, 0) for place, chips in winnings.items()}]
    if record.finishing_stacks:
        after = _by_place(record.finishing_stacks, players, unit)
        recorded.append({place: after[place] - hand.stacks[place] + chips for place, chips in won.items()})
    whole, rake = whole_pot(played), rake_taken(record.user)
    for chips in recorded:
        if min(chips.values()) < 0:
            continue
        if unit.amount(whole - sum(chips.values())) == rake if rake is not None else _gets_no_more(chips, won):
            return chips
    return won


def won_by_rules(played: Replay) -> dict[int, int]:
    """Return what each place was paid in the replay, in chips."""
    won = dict.fromkeys(range(len(played.hand.stacks)), 0)
    for event in played.chip_events:
        if isinstance(event, Won):
            won[event.place] += event.amount
    return won


def whole_pot(played: Replay) -> int:
    """Return the size of all pots, including the rake."""
    return sum(pot.amount for pot in played.hand.pots) + played.hand.house


def _gets_no_more(recorded: dict[int, int], won: dict[int, int]) -> bool:
    """Whether the same places win, and none wins more than by the rules; the difference is an unrecorded rake."""
    return all(bool(recorded[place]) == bool(chips) and recorded[place] <= chips for place, chips in won.items())


def _by_place(amounts: Sequence[Amount], players: Sequence[int], unit: Unit) -> dict[int, int]:
    return {place: unit.chips(amounts[player]) for place, player in enumerate(players)}
