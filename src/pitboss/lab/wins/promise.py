"""What a hand promises under the first win condition; can be compiled.

A trick or a point is worth as many units as there are ranks. `work.facts` says whether tricks are good.
"""

from typing import Any

from pitboss.lab.codes import LIKING, MOST_CARDS
from pitboss.lab.wins import kinds


def liking(g: Any) -> int:
    """Whether the first win condition makes tricks good (1) or bad (-1), on the whole."""
    if g.win_likes_tricks[0]:
        return 1
    total = g.trick_points * g.per_player
    for card in range(g.cards):
        total += g.captured_points[card]
    total *= g.win_point[0]
    return 1 if total > 0 else -1 if total < 0 else 0


def promise(g: Any, s: Any, p: int, work: Any) -> int:
    """What p's cards promise: their worth if that decides, otherwise what they may win.

    The higher a card is, the more likely it wins a trick, and a trump more than any other card. Cards in hand count
    their points. If players get rid of cards, high ones are easier to play; if they lay sets, equal ranks are best.
    """
    if g.win_of_holding[0]:
        return kinds.worth(g, s, 0, p)  # type: ignore[no-any-return]  # a whole number
    points, liked, total = g.win_point[0] * g.ranks, work.facts[LIKING], 0
    for k in range(s.held[p]):
        card = s.hands[p * MOST_CARDS + k]
        total += points * g.hand_points[card]
        if not g.win_sheds[0]:
            total += liked * power(g, s, card)
        elif g.set_size == 0:
            total += card // g.suits
        else:
            for other in range(k):
                if s.hands[p * MOST_CARDS + other] // g.suits == card // g.suits:
                    total += 1
    return total


def power(g: Any, s: Any, card: int) -> int:
    """How high a card is in tricks."""
    rank = card // g.suits
    return rank + g.ranks if card - rank * g.suits == s.trump else rank  # type: ignore[no-any-return]  # a record's numbers
