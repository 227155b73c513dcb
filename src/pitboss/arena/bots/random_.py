"""Chooses blindly among five sizes: fold to a bet, check or call, the least raise, a pot-sized raise, everything."""

from pitboss.betting.actions import Bet, BettingAction, Call, Check, Fold, Raise
from pitboss.chance import Chance
from pitboss.hand.hand import Hand

FOLD, CHECK, CALL = Fold(), Check(), Call()


def menu(hand: Hand) -> list[BettingAction]:
    """What it chooses from, each action once."""
    offer, round = hand.offer, hand.round
    actions: list[BettingAction] = [CHECK] if offer.check else [FOLD, CALL]
    bounds = offer.bet or offer.raise_
    if bounds:
        size = Bet if offer.bet else Raise
        pot_sized = min(max(round.pot_raise, bounds.min_to), bounds.max_to)
        actions += [size(to) for to in dict.fromkeys((bounds.min_to, pot_sized, bounds.max_to))]
    return actions


def decide(hand: Hand, chance: Chance) -> BettingAction:
    """Any of them, all equally likely."""
    return chance.choice(menu(hand))
