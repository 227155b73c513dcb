"""Checks when it is free and folds when it is not."""

from pitboss.betting.actions import BettingAction, Check, Fold
from pitboss.chance import Chance
from pitboss.hand.hand import Hand


def decide(hand: Hand, chance: Chance) -> BettingAction:
    """Never put in a chip of one's own accord."""
    return Check() if hand.offer.check else Fold()
