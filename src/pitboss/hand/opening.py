"""Who speaks first on a street: the button's left, or whose up-cards say so."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pitboss.cards import RANKS, SUITS, Card, is_known
from pitboss.ranks import showing_high, showing_low

if TYPE_CHECKING:
    from pitboss.hand.hand import Hand

_BY_RANK = {rank + suit: 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)}
_ACE_LOW = {card: place - 52 if card[0] == "A" else place for card, place in _BY_RANK.items()}


def _low_card(cards: Sequence[Card]) -> int:
    return -min([_BY_RANK[card] for card in cards])


def _high_card(cards: Sequence[Card]) -> int:
    return max([_ACE_LOW[card] for card in cards])


_BEST: dict[str, Callable[[Sequence[Card]], int]] = {
    "low_card": _low_card,
    "high_card": _high_card,
    "high_hand": showing_high,
    "low_hand": showing_low,
}


def find_opener(hand: "Hand") -> int:
    """The place from which the street's first word is asked; of up-cards alike, and unknown ones, the first."""
    opens = hand.structure.streets[hand.street].opens
    if opens == "left":
        return 0
    order, best, first = _BEST[opens], None, hand.round.live[0]
    for place in hand.round.live:
        cards = [card for card in hand.up_cards(place) if is_known(card)]
        if cards and (best is None or order(cards) > best):
            best, first = order(cards), place
    return first


def shows_pair(hand: "Hand") -> bool:
    """Whether somebody's up-cards have a pair."""
    for place in hand.round.live:
        ranks = [card[0] for card in hand.up_cards(place)]
        if len(set(ranks) - {"?"}) < len(ranks) - ranks.count("?"):
            return True
    return False
