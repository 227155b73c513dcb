"""What the greedy policy thinks that a hand and a move are worth under the first win condition.

The functions can be compiled.

The unit is small: one trick or one point is worth as many units as the deck has ranks. `work.facts` contains whether
tricks are good.
"""

from typing import Any

from pitboss.lab import piles
from pitboss.lab.codes import LIKING, MOST_CARDS, WIDTH
from pitboss.lab.wins import kinds


def liking(g: Any) -> int:
    """Return 1 if tricks are good under the first win condition, -1 if they are bad, or 0 if they do not matter."""
    if g.win_likes_tricks[0]:
        return 1
    total = g.trick_points * g.per_player
    for card in range(g.cards):
        total += g.captured_points[card]
    total *= g.win_point[0]
    return 1 if total > 0 else -1 if total < 0 else 0


def promise(g: Any, s: Any, p: int, work: Any) -> int:
    """Return the value of what p's cards promise.

    If the win condition compares hands, this is the worth of the hand. If not, it is an estimate of what the cards
    may win:

    - Cards in hand count their points.
    - A higher card is more likely to win a trick, and a trump more than any other card.
    - If players get rid of cards, high cards are easier to play. If players also lay sets, cards of equal rank are
      better.
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
    """Return how high a card is in tricks."""
    rank = card // g.suits
    return rank + g.ranks if card - rank * g.suits == s.trump else rank  # type: ignore[no-any-return]  # a record's numbers


def rate(g: Any, s: Any, after: Any, coming: int, extra: int, rows: int, work: Any) -> int:
    """Return a move's value: how much it improves the position of the player who makes it.

    `after` is the state after the move. `coming` is the number of unseen cards that the move brings; each sampled
    holding supplies such cards once, and the results are added. `extra` is added to each result.
    """
    p = s.to_act
    total = 0
    before = value(g, s, p, work)
    for row in range(rows):
        added = min(coming, work.facts[WIDTH])
        for k in range(added):
            piles.give(after, p, work.holdings[row * MOST_CARDS + k])
        gain = value(g, after, p, work) - before + extra
        if kinds.limited(g, 0):
            gain = 1 if gain > 0 else -1 if gain < 0 else 0  # too many points lose, so only the sign counts
        total += gain
        after.held[p] -= added
        if coming == 0:
            return total * rows
    return total


def value(g: Any, s: Any, p: int, work: Any) -> int:
    """Return the value of p's position: what p already has, plus what p's cards promise."""
    return kinds.standing(g, s, 0, p) + promise(g, s, p, work)  # type: ignore[no-any-return]  # two whole numbers
