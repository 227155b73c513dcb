"""Stays in every hand, never raises, and stands pat."""

from pitboss.arena.bots.toolkit import Bot, stay
from pitboss.chance import Chance


def make(chance: Chance) -> Bot:
    """A bot that checks when it is free and else calls."""
    return stay
