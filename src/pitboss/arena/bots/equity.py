"""Deals the unseen cards 120 times, compares the share it wins with the price, and bets its edge.

It assumes random hands for its opponents, but for a bettor the best of several: the larger the bet, the more of them.
"""

from pitboss.arena.bots.toolkit import Bot, answer_for, known_cards
from pitboss.arena.wire.answers import Answer
from pitboss.arena.wire.messages import Act
from pitboss.chance import Chance
from pitboss.fast.lookup import plain_ranks
from pitboss.fast.play import decisions

DEALS = 120
"""More than in a simulation, because no one waits: the thresholds are the same, with fewer errors."""


def make(chance: Chance) -> Bot:
    """A bot that bets the pot when it wins more than its part, and calls when the pot pays for it."""

    def decide(act: Act) -> Answer:
        chance.state, wish = decisions.equity(
            known_cards(act), plain_ranks(), rivals(act), act.you.to_call, act.pot, DEALS, chance.state
        )
        return answer_for(act, wish)

    return decide


def rivals(act: Act) -> int:
    """How many it expects to meet."""
    players = act.players
    bets, folded = [player.committed for player in players], [player.has_folded for player in players]
    at = [player.seat for player in players].index(act.seat)
    return decisions.rivals(bets, folded, len(players), at, act.you.to_call, bool(act.community))
