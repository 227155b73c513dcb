"""Stays in every hand, never raises, and stands pat."""

from pitboss.arena.bots.toolkit import Bot, check_or_call
from pitboss.chance import Chance


def make(chance: Chance) -> Bot:
    """A bot that checks when it is free and else calls."""
    return check_or_call
