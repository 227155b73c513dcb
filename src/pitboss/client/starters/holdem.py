"""A first bot for hold'em: it deals the unknown cards many times and counts how often it wins."""

import random

from pitboss import DECK, evaluate
from pitboss.client import Act, Answer, call, check, fold, raise_to

DEALS = 150  # more are more exact and slower; this many take a few milliseconds


def decide(act: Act) -> Answer:
    """Answer one question: bet strong hands, call if the pot pays for it, give up the rest."""
    rivals = sum(not player.has_folded for player in act.players) - 1
    win = chance_to_win(act, rivals)
    if win > 1.4 / (rivals + 1) and act.min_raise_to and act.max_raise_to:
        pot_sized = act.pot + 2 * act.you.to_call
        return raise_to(min(max(pot_sized, act.min_raise_to), act.max_raise_to))
    if "CHECK" in act.legal:
        return check()
    price = act.you.to_call / (act.pot + act.you.to_call)  # the part of the pot that a call costs
    return call() if win > price + 0.1 else fold()


def chance_to_win(act: Act, rivals: int) -> float:
    """Return how often these cards win against this many random hands."""
    hole, board = act.you.hole, act.community
    unseen = [card for card in DECK if card not in hole and card not in board]
    to_come = 5 - len(board)
    won = 0.0
    for _ in range(DEALS):
        dealt = random.sample(unseen, to_come + 2 * rivals)
        full_board = (*board, *dealt[:to_come])
        mine = evaluate((*hole, *full_board))
        theirs = [evaluate((*dealt[at : at + 2], *full_board)) for at in range(to_come, len(dealt), 2)]
        if mine >= max(theirs):
            won += 1 / (1 + theirs.count(mine))
    return won / DEALS
