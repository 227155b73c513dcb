"""What a player can see of a game. Views, events, policies and the solver use these functions, which can be compiled.

- All players see face-up cards: discards, tableau, trick, community and captured cards.
- When the game is over, all players see the hands that were compared.
- A player sees their own hand, unless cards are only turned up blindly.
- A player sees the cards that they have put face down in this turn.
- No player sees the deck, the hands of others, or cards that others have put face down.

NO_PLAYER stands for a spectator.
"""

from typing import Any

from pitboss.lab import piles
from pitboss.lab.codes import MOST_CARDS, NO_PLAYER
from pitboss.lab.phases import kinds as phases


def mark_seen(g: Any, s: Any, p: int, seen: Any) -> None:
    """Mark the cards that p can see."""
    for card in range(g.cards):
        seen[card] = 0
    mark(seen, s.discards, 0, s.discarded)
    mark(seen, s.tableau, 0, s.tabled)
    mark(seen, s.trick, 0, s.tricked)
    mark(seen, s.community, 0, s.shared)
    for q in range(g.n):
        mark(seen, s.captured, q * MOST_CARDS, s.won[q])
    shown = s.over and compares_hands(g, s)
    for q in range(g.n):
        if sees_hand(g, p, q) or (shown and not s.folded[q]):
            mark(seen, s.hands, q * MOST_CARDS, s.held[q])
    if p != NO_PLAYER:
        own = phases.own_secrets(g, s, p)
        mark(seen, s.pile, s.piled - own, own)


def mark(seen: Any, cards: Any, first: int, count: int) -> None:
    """Mark a part of a row of cards as seen."""
    for k in range(first, first + count):
        seen[cards[k]] = 1


def sees_hand(g: Any, p: int, q: int) -> bool:
    """Return whether p can see q's hand during a deal."""
    return bool(p == q and not g.blind)


def compares_hands(g: Any, s: Any) -> bool:
    """Return whether hands are shown and compared when a deal is over."""
    if piles.live_count(s) > 1:
        for win in range(g.wins):
            if g.win_of_holding[win]:
                return True
    return False


def is_secret(g: Any, s: Any, move: int) -> bool:
    """Return whether only the player to act sees which card this move uses."""
    return bool(move < MOST_CARDS and phases.face_down(g, s))
