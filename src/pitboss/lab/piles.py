"""Moves cards between deck, hands and piles, and counts ranks. The functions can be compiled."""

from typing import Any

from pitboss import chance
from pitboss.lab.codes import MOST_CARDS, RANKS, SUITS


def give(s: Any, p: int, card: int) -> None:
    """Add a card at the bottom of p's hand."""
    s.hands[p * MOST_CARDS + s.held[p]] = card
    s.held[p] += 1
    s.moved = 1


def take_at(s: Any, p: int, at: int) -> int:
    """Remove the card at a position of p's hand. The other cards keep their order."""
    first = p * MOST_CARDS
    card = s.hands[first + at]
    for k in range(at, s.held[p] - 1):
        s.hands[first + k] = s.hands[first + k + 1]
    s.held[p] -= 1
    s.moved = 1
    return int(card)


def take_card(s: Any, p: int, card: int) -> None:
    """Remove a card from p's hand."""
    for k in range(s.held[p]):
        if s.hands[p * MOST_CARDS + k] == card:
            take_at(s, p, k)
            return


def holds(s: Any, p: int, card: int) -> bool:
    for k in range(s.held[p]):
        if s.hands[p * MOST_CARDS + k] == card:
            return True
    return False


def capture(s: Any, p: int, card: int) -> None:
    """Add a card to p's captured cards."""
    s.captured[p * MOST_CARDS + s.won[p]] = card
    s.won[p] += 1
    s.moved = 1


def discard(s: Any, card: int) -> None:
    s.discards[s.discarded] = card
    s.discarded += 1
    s.moved = 1


def can_draw(s: Any) -> bool:
    """Return whether the deck has a card, or can be refilled from the discards below the top card."""
    return left_to_draw(s) > 0


def left_to_draw(s: Any) -> int:
    """Return the number of cards that can be drawn, including the discards below the top card."""
    return int(s.undrawn - s.drawn + max(0, s.discarded - 1))


def draw(s: Any) -> int:
    """Draw the next card. An empty deck is refilled with the shuffled discards below the top card."""
    if s.drawn >= s.undrawn:
        top = s.discards[s.discarded - 1]
        s.drawn, s.undrawn = 0, s.discarded - 1
        for k in range(s.undrawn):
            s.deck[k] = s.discards[k]
        s.discards[0], s.discarded = top, 1
        s.chance = shuffle_part(s.chance, s.deck, 0, s.undrawn)
    card = s.deck[s.drawn]
    s.drawn += 1
    return int(card)


def shuffle_part(state: int, cards: Any, first: int, end: int) -> int:
    """Shuffle a part of a row. Return the new random state."""
    for here in range(first, end - 1):
        state, offset = chance.draw(state, end - here)
        there = here + offset
        cards[here], cards[there] = cards[there], cards[here]
    return state


def next_live(s: Any, after: int, direction: int) -> int:
    """Return the next seat in this direction that is still in the deal, or the same seat if it is the only one."""
    p = after
    for _ in range(s.n):
        p += direction
        if p >= s.n:
            p = 0
        elif p < 0:
            p = s.n - 1
        if not s.folded[p]:
            return p
    return after


def live_count(s: Any) -> int:
    """Return the number of players who are still in the deal."""
    count = 0
    for p in range(s.n):
        if not s.folded[p]:
            count += 1
    return count


def lay_sets(g: Any, s: Any, p: int) -> None:
    """Lay every complete set of one rank from p's hand, if the game has sets."""
    if g.set_size == 0:
        return
    for rank in range(g.ranks):
        count = 0
        for k in range(s.held[p]):
            if s.hands[p * MOST_CARDS + k] // g.suits == rank:
                count += 1
        for _ in range(count // g.set_size):
            s.score[p] += g.set_points
            for _ in range(g.set_size):
                k = 0
                while s.hands[p * MOST_CARDS + k] // g.suits != rank:
                    k += 1
                capture(s, p, take_at(s, p, k))


def list_hand(s: Any, p: int, moves: Any) -> int:
    """Write p's cards as moves. Return their number."""
    for k in range(s.held[p]):
        moves[k] = s.hands[p * MOST_CARDS + k]
    return int(s.held[p])


def of_rank(g: Any, s: Any, p: int, rank: int) -> int:
    """Return the number of cards of a rank that p holds."""
    count = 0
    for k in range(s.held[p]):
        if s.hands[p * MOST_CARDS + k] // g.suits == rank:
            count += 1
    return count


def place_of_rank(g: Any, s: Any, p: int, rank: int) -> int:
    """Return the index in `hands` of a card of this rank that p holds, or -1."""
    for k in range(p * MOST_CARDS, p * MOST_CARDS + s.held[p]):
        if s.hands[k] // g.suits == rank:
            return k
    return -1


def count_ranks(g: Any, s: Any, p: int, shared: int) -> None:
    """Count each rank in p's hand and the first `shared` community cards. Also write the ranks of each suit."""
    for rank in range(RANKS):
        s.tally[rank] = 0
    for suit in range(SUITS):
        s.masks[suit] = 0
    for k in range(s.held[p] + shared):
        card = s.hands[p * MOST_CARDS + k] if k < s.held[p] else s.community[k - s.held[p]]
        rank = card // g.suits
        s.tally[rank] += 1
        s.masks[card - rank * g.suits] |= 1 << rank
