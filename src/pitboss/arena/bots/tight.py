"""Waits for good cards and then bets them hard: a beginner's sound strategy."""

from collections.abc import Sequence

from pitboss.arena.bots.reading import Bot, lift, part_of_pot
from pitboss.arena.v1.answers import Answer, call, safe_answer
from pitboss.arena.v1.messages import Act
from pitboss.cards import RANKS
from pitboss.chance import Chance
from pitboss.ranks import high, high_name


def make(chance: Chance) -> Bot:
    """A player who raises with a strong hand, calls a fair price with a fair one, and else checks or folds."""
    return decide


def decide(act: Act) -> Answer:
    """The same in the same spot, always."""
    worth = on_board(act.you.hole, act.community) if act.community else before_flop(act.you.hole)
    if worth == 2:
        return lift(act, part_of_pot(act, 1))
    if worth == 1 and 0 < act.you.to_call <= act.pot / 2:
        return call()
    return safe_answer(act)


def before_flop(hole: Sequence[str]) -> int:
    """2 for pairs from tens up and ace-king, 1 for other pairs and two cards from ten up."""
    low, high_ = sorted(RANKS.index(card[0]) for card in hole)
    ten = RANKS.index("T")
    if low == high_:
        return 2 if low >= ten else 1
    return 2 if low >= RANKS.index("K") else 1 if low >= ten else 0


def on_board(hole: Sequence[str], board: Sequence[str]) -> int:
    """2 for two pair or better, 1 for a pair, as long as the hole cards take part."""
    made = high_name(high((*hole, *board)))
    ranks = {card[0] for card in board}
    takes_part = hole[0][0] == hole[1][0] or any(card[0] in ranks for card in hole)
    if made == "high_card" or not takes_part:
        return 2 if made in ("straight", "flush") else 0
    return 1 if made == "pair" else 2
