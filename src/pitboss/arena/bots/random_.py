"""Chooses blindly among five: fold to a bet, check or call, the least raise, a pot-sized raise, everything."""

from pitboss.arena.bots.reading import Bot, lift, part_of_pot, stay
from pitboss.arena.v1.answers import Answer, fold
from pitboss.arena.v1.messages import Act
from pitboss.chance import Chance


def make(chance: Chance) -> Bot:
    """A player to whom all choices are equally likely."""

    def decide(act: Act) -> Answer:
        return chance.choice(menu(act))

    return decide


def menu(act: Act) -> list[Answer]:
    """What it chooses from, each answer once."""
    answers = [stay(act)] if "CHECK" in act.legal else [fold(), stay(act)]
    if act.min_raise_to is not None and act.max_raise_to is not None:
        answers += [lift(act, to) for to in (act.min_raise_to, part_of_pot(act, 1), act.max_raise_to)]
    return list(dict.fromkeys(answers))
