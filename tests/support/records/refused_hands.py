"""Explain why strict replay refuses a recorded hand, by the situation before the refused action."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from pitboss.betting.refusals import Refused
from pitboss.hand.hand import Hand
from pitboss.records.record import Record
from pitboss.records.replay import start_playback
from tests.twin.against_pokerkit import REASONS

REFUSALS: Mapping[str, str] = {
    "below_minimum": (
        "The raise is below the minimum, but just enough to put the only opponent all-in. Here a raise must be a full "
        "raise or all-in. PokerKit refuses the hand too."
    ),
    "short_bet_is_completed": REASONS["short_bet_is_completed"],
    "first_raise_counts_as_full": REASONS["first_raise_counts_as_full"],
    "unexplained": "No known reason; a test fails for such a hand.",
}


class Situation(Struct):
    """The hand before the refused action."""

    rule: str
    hand: Hand
    to: int  #: the total of the refused raise
    steps: list[int]  #: the size of each raise on this street


def is_below_minimum(at: Situation) -> bool:
    """Whether the raise is short, but puts the only opponent all-in."""
    round, turn = at.hand.round, at.hand.round.turn
    others = [round.bets[place] + round.stacks[place] for place in round.live if place != turn]
    return at.rule == "below_minimum" and others == [at.to] and round.stacks[turn] > at.to - round.bets[turn]


def is_short_bet_completed(at: Situation) -> bool:
    """Whether the raise is one bet above an all-in of less than a bet, or all-in for less."""
    round, own = at.hand.round, at.hand.round.bets[at.hand.round.turn] + at.hand.stacks[at.hand.round.turn]
    short = round.rules.completes and round.level < round.price
    return at.rule == "above_maximum" and short and at.to == min(round.price + round.step, own)


def is_first_raise_as_full(at: Situation) -> bool:
    """Whether a player who has acted raises after only short raises."""
    return at.rule == "not_reopened" and bool(at.steps) and max(at.steps) < at.hand.round.step


PREDICATES: Mapping[str, Callable[[Situation], bool]] = {
    "below_minimum": is_below_minimum,
    "short_bet_is_completed": is_short_bet_completed,
    "first_raise_counts_as_full": is_first_raise_as_full,
}


def refusal(record: Record) -> str:
    """Return the reason why a record is refused at a bet or raise."""
    at = situation(record)
    return next((name for name, holds in PREDICATES.items() if at is not None and holds(at)), "unexplained")


def situation(record: Record) -> Situation | None:
    """Return the situation before the first refused action, if it is a bet or raise."""
    playback = start_playback(record)
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
