"""Chooses blindly among five: fold to a bet, check or call, the least raise, a pot-sized raise, everything.

In a draw it throws a coin for each of its cards.
"""

from pitboss.arena.bots.toolkit import Bot, answer_for, pot_raise_total
from pitboss.arena.wire.answers import Answer, draw
from pitboss.arena.wire.messages import Act
from pitboss.chance import Chance
from pitboss.fast.play import decisions


def make(chance: Chance) -> Bot:
    """A bot to which all choices are equally likely."""

    def decide(act: Act) -> Answer:
        if "DRAW" in act.legal:
            return draw([card for card in act.you.hole if chance.below(2)])
        raises = 0
        if act.min_raise_to is not None and act.max_raise_to is not None:
            raises = decisions.sizes(act.min_raise_to, int(pot_raise_total(act, 1)), act.max_raise_to)
        chance.state, wish = decisions.random(act.you.to_call, raises, chance.state)
        return answer_for(act, wish)

    return decide
