"""Waits for good cards and then bets them hard: a beginner's sound strategy."""

from pitboss.betting.actions import Bet, BettingAction, Call, Check, Fold, Raise
from pitboss.cards import RANKS
from pitboss.chance import Chance
from pitboss.hand.hand import Hand
from pitboss.ranks import high, high_name


def decide(hand: Hand, chance: Chance) -> BettingAction:
    """Raise with a strong hand, call with a fair one, else check or fold."""
    place = hand.round.turn
    hole = hand.holes[place]
    worth = _on_board(hole, hand.board) if hand.board else _before_flop(hole)
    if worth == 2:
        return _press(hand)
    if hand.offer.check:
        return Check()
    return Call() if worth == 1 and (hand.offer.call or 0) <= hand.round.chips_in_middle // 2 else Fold()


def _before_flop(hole: tuple[str, ...]) -> int:
    """2 for pairs from tens up and ace-king, 1 for other pairs and two cards from ten up."""
    low, high_ = sorted(RANKS.index(card[0]) for card in hole)
    ten = RANKS.index("T")
    if low == high_:
        return 2 if low >= ten else 1
    return 2 if low >= RANKS.index("K") else 1 if low >= ten else 0


def _on_board(hole: tuple[str, ...], board: tuple[str, ...]) -> int:
    """2 for two pair or better, 1 for a pair, as long as the hole cards take part."""
    made = high_name(high(hole + board))
    ranks = {card[0] for card in board}
    takes_part = hole[0][0] == hole[1][0] or any(card[0] in ranks for card in hole)
    if made == "high_card" or not takes_part:
        return 2 if made in ("straight", "flush") else 0
    return 1 if made == "pair" else 2


def _press(hand: Hand) -> BettingAction:
    """Bet or raise about the pot, or call where raising is not on offer."""
    bounds = hand.offer.bet or hand.offer.raise_
    if bounds is None:
        return Check() if hand.offer.check else Call()
    to = min(max(hand.round.pot_raise, bounds.min_to), bounds.max_to)
    return Bet(to) if hand.offer.bet else Raise(to)
