"""Stays in every hand and never raises."""

from pitboss.betting.actions import BettingAction, Call, Check
from pitboss.chance import Chance
from pitboss.hand.hand import Hand


def decide(hand: Hand, chance: Chance) -> BettingAction:
    """Check when it is free, else call."""
    return Check() if hand.offer.check else Call()
