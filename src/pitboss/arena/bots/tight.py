"""Waits for good cards and then bets them hard: sound play for a beginner."""

from pitboss.arena.bots.toolkit import Bot, answer_for, known_cards
from pitboss.arena.wire.answers import Answer
from pitboss.arena.wire.messages import Act
from pitboss.chance import Chance
from pitboss.fast.lookup import plain_ranks
from pitboss.fast.play import decisions


def make(chance: Chance) -> Bot:
    """A bot that raises with good cards, calls a fair price with fair ones, and else checks or folds."""
    return decide


def decide(act: Act) -> Answer:
    """The same in the same spot, always."""
    return answer_for(act, decisions.tight(known_cards(act), plain_ranks(), act.you.to_call, act.pot))
