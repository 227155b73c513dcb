"""Checks when it is free and folds when it is not."""

from pitboss.arena.bots.toolkit import Bot
from pitboss.arena.wire.answers import safe_answer
from pitboss.chance import Chance


def make(chance: Chance) -> Bot:
    """A bot that never puts in a chip unless it must."""
    return safe_answer
