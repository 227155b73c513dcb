"""One trick, from the lead to the taking, written to be compiled."""

from typing import Any

from pitboss.lab.engine import codes, piles
from pitboss.lab.engine.codes import MOST_CARDS


def begin(g: Any, s: Any) -> None:
    """Everybody in the deal who has cards will play one; the lead is the last winner's."""
    s.awaited, s.played, s.best, s.best_by, s.tied = 0, 0, -1, codes.NOBODY, 0
    for p in range(s.n):
        if not s.folded[p] and s.held[p] > 0:
            s.awaited += 1
    s.next = s.lead
    if s.awaited == 1:
        s.awaited = 0  # a trick of one is none


def waiting(g: Any, s: Any, blind: int) -> bool:
    """Whether somebody has to choose a card; blind tricks play themselves."""
    while s.played < s.awaited and s.turns < g.limit:
        while s.folded[s.next] or s.held[s.next] == 0:
            s.next = piles.next_live(s, s.next, 1)
        if not blind:
            s.asked = s.next
            return True
        s.turns += 1
        s.quiet = 0
        lay(g, s, piles.take_at(s, s.next, 0), True)
    return False


def legal(g: Any, s: Any, follow: int, moves: Any) -> int:
    """The cards of the suit led, where there are any and one must follow; else all."""
    p = s.asked
    count = 0
    if follow and s.played > 0:
        suit = s.trick[s.tricked - s.played] % g.suits
        for k in range(s.held[p]):
            if s.hands[p * MOST_CARDS + k] % g.suits == suit:
                moves[count] = s.hands[p * MOST_CARDS + k]
                count += 1
    if count == 0:
        for k in range(s.held[p]):
            moves[count] = s.hands[p * MOST_CARDS + k]
            count += 1
    return count


def play(g: Any, s: Any, card: int) -> None:
    """Play a chosen card."""
    piles.take_card(s, s.asked, card)
    lay(g, s, card, False)


def lay(g: Any, s: Any, card: int, blind: bool) -> None:
    """Add a card to the trick and see whether it is the highest."""
    rank = card // g.suits
    suit = card - rank * g.suits
    value = rank
    if not blind:
        led = suit if s.played == 0 else s.trick[s.tricked - s.played] % g.suits
        value = rank + 2 * codes.RANKS if suit == s.trump else rank + codes.RANKS if suit == led else -1
    s.trick[s.tricked] = card
    s.tricked += 1
    s.played += 1
    s.moved = 1
    if value > s.best:
        s.best, s.best_by, s.tied = value, s.next, 0
    elif value == s.best:
        s.tied = 1
    s.next = piles.next_live(s, s.next, 1)


def end(g: Any, s: Any, to_hand: int, stay: int) -> None:
    """Give the trick to whoever played highest, or leave it for the next one after a tie."""
    complete, s.played = s.played > 0, 0
    if not complete or (s.tied and stay):
        return
    for k in range(s.tricked):
        if to_hand:
            piles.give(s, s.best_by, s.trick[k])
        else:
            piles.capture(s, s.best_by, s.trick[k])
    s.tricked = 0
    s.tricks[s.best_by] += 1
    s.lead = s.best_by
    piles.lay_sets(g, s, s.best_by)
