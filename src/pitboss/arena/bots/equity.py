"""Deals the unseen cards a hundred times over, compares the share it wins with the price, and bets its edge.

It takes its opponents for random hands, but a bettor for the better of several: the more he bets, the more of them.
"""

from pitboss.arena.bots.odds import share_won
from pitboss.arena.bots.reading import Bot, lift, me, opponents, part_of_pot
from pitboss.arena.v1.answers import Answer, call, safe_answer
from pitboss.arena.v1.messages import Act
from pitboss.chance import Chance

DEALS = 120
EDGE = 0.2  #: how far above the fair share a hand is worth a bet: 0 is an average hand, 1 one that cannot lose


def make(chance: Chance) -> Bot:
    """A player who bets the pot when it wins more than its part, and calls when the pot pays for it."""

    def decide(act: Act) -> Answer:
        against = rivals(act)
        share = share_won(act.you.hole, act.community, against, deals=DEALS, chance=chance)
        hands = against - 1 + hands_behind_a_bet(act)
        return answer(act, share ** (hands / against), fair=1 / (against + 1))

    return decide


def answer(act: Act, share: float, *, fair: float) -> Answer:
    """What to do with a hand that wins this share of the pot, where `fair` is everybody's equal part."""
    if share > fair + EDGE * (1 - fair):
        return lift(act, part_of_pot(act, 1))
    if act.you.to_call and share > act.you.to_call / (act.pot + act.you.to_call):
        return call()
    return safe_answer(act)


def rivals(act: Act) -> int:
    """How many it expects to meet: before the flop those who have paid for a raise, and one of the rest."""
    others = opponents(act)
    if act.community:
        return len(others)
    due = max(me(act).committed + act.you.to_call, act.table.bb + 1)
    return min(len(others), 1 + sum(player.committed >= due for player in others))


def hands_behind_a_bet(act: Act) -> float:
    """As how many random hands, of which the best counts, to take an opponent who asks for this many chips."""
    owed = act.you.to_call
    return 1 + min(1.5, owed / max(1, act.pot - owed)) + min(1.0, owed / (20 * act.table.bb)) if owed else 1.0
