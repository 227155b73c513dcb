"""Policies for whole runs, small ones of a few lines and the best one known; each sees only the Player's view."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pitboss.chance import Chance
from pitboss.sting.actions import StingCheck, StingFold, StingRaise
from pitboss.sting.hand import StingHand
from pitboss.sting.policies import PLAYERS, StingPolicy, counter
from pitboss.sting.run import Run
from pitboss.sting.run_events import Buy, NextHand, RunAction
from pitboss.sting.sharp import sharp

RunPolicy: TypeAlias = Callable[[Run, Chance], RunAction]

HOT = 60
"""The Heat from which a cool head sells no more."""


def _hand_after_hand(policy: StingPolicy) -> RunPolicy:
    """A hand's policy in a run: it buys nothing."""

    def play(run: Run, chance: Chance) -> RunAction:
        return NextHand() if run.hand.over else policy(run.hand, chance)

    play.__doc__ = policy.__doc__
    return play


def cooler(run: Run, chance: Chance) -> RunAction:
    """Cools down and folds: plays only what lowers the Heat, and leaves at the first decision."""
    if run.hand.over:
        return NextHand()
    cool = [card for card in run.hand.offer.raise_ if run.cards.cards[card].heat < 0]
    return StingRaise(cool[0]) if cool else StingFold()


def careful(run: Run, chance: Chance) -> RunAction:
    """Like counter, but keeps Products back while it is hot."""
    if run.hand.over:
        return NextHand()
    action = counter(run.hand, chance)
    hot = run.current_heat + _heat(run.hand, action) >= HOT + 20
    return StingCheck() if hot and _sells(run.hand, action) else action


def leaver(run: Run, chance: Chance) -> RunAction:
    """Like careful, but leaves at a decision where Evidence is far ahead."""
    if not run.hand.over and run.hand.offer.continue_ and run.hand.totals.margin < -20:
        return StingFold()
    return careful(run, chance)


def shopper(run: Run, chance: Chance) -> RunAction:
    """Like careful, but buys every Product it can pay in the first half of the run."""
    for card in run.offer.buy if run.number <= 5 else ():
        if run.cards.cards[card].kind == "product":
            return Buy(card)
    return careful(run, chance)


def _heat(hand: StingHand, action: RunAction) -> int:
    return hand.cards.cards[action.card].heat if isinstance(action, StingRaise) else 0


def _sells(hand: StingHand, action: RunAction) -> bool:
    return isinstance(action, StingRaise) and hand.cards.cards[action.card].kind == "product"


SMALL: Mapping[str, RunPolicy] = {
    **{name: _hand_after_hand(policy) for name, policy in PLAYERS.items()},
    **{policy.__name__: policy for policy in (cooler, careful, leaver, shopper)},
}
"""Policies of a few lines."""
RUN_PLAYERS: Mapping[str, RunPolicy] = {**SMALL, "sharp": sharp}
