"""Why strict replay refuses a recorded hand: named by the rule, and decided by the situation in which it is refused."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from pitboss.betting.refusals import Refused
from pitboss.hand.hand import Hand
from pitboss.records.record import Record
from pitboss.records.replay import begin
from tests.twin.against_pokerkit import REASONS

REFUSALS: Mapping[str, str] = {
    "below_minimum": (
        "The record has a raise by less than the least, just enough to put the only opponent's last chips in; it takes "
        "a full raise, or all of one's own chips. PokerKit refuses it too."
    ),
    "short_bet_is_completed": REASONS["short_bet_is_completed"],
    "first_raise_counts_as_full": REASONS["first_raise_counts_as_full"],
    "unexplained": "No predicate says why; a test fails while there is one.",
}


class Situation(Struct):
    """The hand before the action that is refused."""

    rule: str
    hand: Hand
    to: int  #: the total that somebody wanted to raise to
    steps: list[int]  #: by how much each raise of this street has lifted the price


def is_below_minimum(at: Situation) -> bool:
    """Whether the raise is short, and all that the only opponent left could put in."""
    round, turn = at.hand.round, at.hand.round.turn
    others = [round.bets[place] + round.stacks[place] for place in round.live if place != turn]
    return at.rule == "below_minimum" and others == [at.to] and round.stacks[turn] > at.to - round.bets[turn]


def is_short_bet_completed(at: Situation) -> bool:
    """Whether the raise is one whole bet above an all-in that was not one, or as much of it as there are chips for."""
    round, own = at.hand.round, at.hand.round.bets[at.hand.round.turn] + at.hand.stacks[at.hand.round.turn]
    stands = round.rules.completes and round.level < round.price
    return at.rule == "above_maximum" and stands and at.to == min(round.price + round.step, own)


def is_first_raise_as_full(at: Situation) -> bool:
    """Whether somebody who has spoken raises where all raises of the street were short."""
    return at.rule == "not_reopened" and bool(at.steps) and max(at.steps) < at.hand.round.step


PREDICATES: Mapping[str, Callable[[Situation], bool]] = {
    "below_minimum": is_below_minimum,
    "short_bet_is_completed": is_short_bet_completed,
    "first_raise_counts_as_full": is_first_raise_as_full,
}


def refusal(record: Record) -> str:
    """Why a record is refused, whose refused action is a bet or a raise."""
    at = situation(record)
    return next((name for name, holds in PREDICATES.items() if at is not None and holds(at)), "unexplained")


def situation(record: Record) -> Situation | None:
    """The moment of the first action that is refused, where it is a bet or a raise."""
    playback = begin(record)
    steps: list[int] = []
    for move in playback.moves:
        before = playback.hand
        try:
            playback.play(move)
        except Refused as refused:
            raising = move.amount is not None
            return Situation(refused.rule, before, playback.unit.chips(move.amount or 0), steps) if raising else None
        lifted = playback.hand.round.price - before.round.price
        if playback.hand.street != before.street:
            steps = []
        elif lifted > 0:
            steps.append(lifted)
    return None
