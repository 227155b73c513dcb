"""How a finished hand came out, in the few numbers that a list of hands shows and sorts by."""

from msgspec import Struct

from pitboss.arena.hosts.games import games_of
from pitboss.arena.journal.fold import HandHistory
from pitboss.arena.journal.records import poker_events
from pitboss.betting.events import BroughtIn, Called, Posted, Raised, Refunded
from pitboss.hand.events import Shown, Won


class HandOutcome(Struct, frozen=True, kw_only=True):
    """A finished hand in a list; seats are numbers from 0."""

    number: int
    hand_id: str
    pot: int  #: all that was won; where the game has no pots, what the winners gained
    winners: tuple[int, ...]
    delta: dict[int, int]  #: by seat that was dealt in: chips won, or lost where negative
    stacks: dict[int, int]  #: by seat that was ever dealt in: chips afterwards
    showdown: bool = False
    all_in: bool = False  #: whether somebody put in his last chip
    voided: bool = False


def outcome_of(hand: HandHistory, others: dict[int, int] | None = None) -> HandOutcome:
    """How a hand came out; `others` are the chips of seats that were not dealt in."""
    before = hand.started.stacks
    delta = {seat: hand.stacks[seat] - stack for seat, stack in before.items()}
    pot, winners = sum(won for won in delta.values() if won > 0), [seat for seat, won in delta.items() if won > 0]
    showdown = all_in = False
    if games_of(hand.settings) is not None and not hand.void:
        chips, order, won = dict(before), hand.order, dict.fromkeys(before, 0)
        for event in poker_events(hand.events):
            match event:
                case Posted() | BroughtIn() | Called() | Raised():
                    chips[order[event.place]] -= event.amount
                    all_in = all_in or chips[order[event.place]] == 0
                case Refunded():
                    chips[order[event.place]] += event.amount
                case Won():
                    won[order[event.place]] += event.amount
                case Shown():
                    showdown = True
        pot, winners = sum(won.values()), [seat for seat, amount in won.items() if amount > 0]
    return HandOutcome(
        number=hand.started.number,
        hand_id=hand.started.hand_id,
        pot=pot,
        winners=tuple(sorted(winners)),
        delta=delta,
        stacks=(others or {}) | hand.stacks,
        showdown=showdown,
        all_in=all_in,
        voided=hand.void,
    )
