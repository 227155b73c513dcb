"""The decisions of the house policies; written to be compiled.

`policies.py` calls these functions in simulations, and the arena's house bots of the same names call them too, so a
policy plays the same everywhere. The result is one of five intentions, which the caller turns into a legal action. All
functions take the same arguments:

- `cards`: seven numbers in `cards.DECK`, two hole cards and then the board; UNSEEN for a card not dealt yet
- `ranks`: the lookup tables
- `call`: the chips that a call adds
- `pot`: all chips in the middle
- `state`: a stream of random numbers
"""

from typing import Any

from pitboss import chance
from pitboss.fast import lookup
from pitboss.fast.play.flop import UNSEEN
from pitboss.ranks.layout import CLASS_SHIFT

HOLE, SEEN = 2, 7
"""The number of hole cards in hold'em, and the number of hole cards and board cards together."""

GIVE_UP, STAY, LEAST, POT, MOST = range(5)
"""The intentions: check or fold; check or call; the least raise, a raise by the pot, the greatest raise. STAY replaces
a raise that is not legal."""

POOR, FAIR, GOOD = range(3)
TEN, KING = 8, 11  # ranks
PAIR, TWO_PAIR, STRAIGHT, FLUSH, STRAIGHT_FLUSH = 1, 2, 4, 5, 8  # classes of hands

EDGE = 5
"""The equity policy raises if its equity is above e + (1 - e) / EDGE; e is an equal share of the pot."""


# --- random


def sizes(least: int, by_pot: int, most: int) -> int:
    """Return the number of different sizes among the least raise, the pot-sized raise and the greatest raise."""
    return 1 if least == most else 3 if least < by_pot < most else 2


def random(call: int, raises: int, state: int) -> tuple[int, int]:
    """Choose with equal chances from fold (to a bet), check or call, and the different raises.

    The first result is the new state.
    """
    if call > 0:
        state, k = chance.draw(state, 2 + raises)
    else:
        state, k = chance.draw(state, 1 + raises)
        k += 1
    return state, (MOST if k == POT and raises == 2 else k)


# --- tight


def tight(cards: Any, ranks: Any, call: int, pot: int) -> int:
    """Raise good cards by the pot, stay with fair ones for at most half the pot, and give up the others."""
    worth = before_flop(cards) if cards[HOLE] == UNSEEN else on_board(cards, ranks)
    if worth == GOOD:
        return POT
    return STAY if worth == FAIR and 2 * call <= pot else GIVE_UP


def before_flop(cards: Any) -> int:
    """Rate hole cards: pairs from tens up and ace-king are good, other pairs and two cards from ten up fair."""
    low, high = min(cards[0], cards[1]) // 4, max(cards[0], cards[1]) // 4
    if low == high:
        return GOOD if low >= TEN else FAIR
    return GOOD if low >= KING else FAIR if low >= TEN else POOR


def on_board(cards: Any, ranks: Any) -> int:
    """Rate a hand: with a hole card in it, two pair is good and a pair fair; straights and flushes are always good."""
    made = seen_strength(cards, ranks) >> CLASS_SHIFT
    if made in (STRAIGHT, FLUSH, STRAIGHT_FLUSH):
        return GOOD
    one, other = cards[0] // 4, cards[1] // 4
    takes_part = one == other
    for k in range(HOLE, SEEN):
        if cards[k] != UNSEEN and (cards[k] // 4 == one or cards[k] // 4 == other):
            takes_part = True
    if not takes_part:
        return POOR
    return GOOD if made >= TWO_PAIR else FAIR


def seen_strength(cards: Any, ranks: Any) -> int:
    """Return the strength of the five to seven seen cards."""
    total, bits = lookup.START, 0
    for k in range(SEEN):
        if cards[k] != UNSEEN:
            total += ranks.keys[cards[k]]
            bits += ranks.bits[cards[k]]
    return lookup.strength(ranks, total, bits)


# --- equity


def equity(cards: Any, ranks: Any, rivals: int, call: int, pot: int, deals: int, state: int) -> tuple[int, int]:
    """Deal the unseen cards `deals` times. Raise by the pot if the equity is high; stay if the pot odds suffice.

    Return the new state first. Rivals have random hands; a rival who has bet has the best of several random hands.
    """
    won, hands = 0, rivals + behind_a_bet(call, pot)
    for _ in range(deals):
        state, points = sample(cards, hands, ranks, state)
        won += points
    whole = 2 * deals  # two points for winning alone
    if won * EDGE * (rivals + 1) > whole * (EDGE + rivals):
        return state, POT
    return state, (STAY if won * (pot + call) > whole * call else GIVE_UP)


def behind_a_bet(call: int, pot: int) -> int:
    """Return the number of extra hands for a rival who has bet: 1 from half the pot, 2 from the whole pot, else 0."""
    before = max(1, pot - call)
    return 0 if 2 * call < before else 1 if call < before else 2


def rivals(bets: Any, folded: Any, n: int, me: int, call: int, board: bool) -> int:
    """Return the expected number of rivals: on a board all live players, before the flop the players who matched the
    price.

    `bets` and `folded` are the street totals of n players and whether they folded; the result is at least 1.
    """
    due, left, paid = bets[me] + call, 0, 0
    for p in range(n):
        due = max(due, bets[p])
    for p in range(n):
        if p != me and not folded[p]:
            left += 1
            if bets[p] >= due:
                paid += 1
    return left if board else max(1, paid)


def sample(cards: Any, hands: int, ranks: Any, state: int) -> tuple[int, int]:
    """Deal the unseen cards once, with `hands` other hands.

    Return 2 points for a win, 1 for a tie, and 0 for a loss.
    """
    used, own = 0, 0
    for k in range(HOLE):
        own += ranks.keys[cards[k]]
        used |= ranks.bits[cards[k]]
    own_bits = used
    board, board_bits = lookup.START, 0
    for k in range(HOLE, SEEN):
        card = int(cards[k])
        if card == UNSEEN:
            state, card = unused(used, ranks, state)
        board += ranks.keys[card]
        board_bits |= ranks.bits[card]
        used |= ranks.bits[card]
    mine = lookup.strength(ranks, board + own, board_bits | own_bits)
    points = 2
    for _ in range(hands):
        state, a = unused(used, ranks, state)
        used |= ranks.bits[a]
        state, b = unused(used, ranks, state)
        used |= ranks.bits[b]
        total = board + ranks.keys[a] + ranks.keys[b]
        theirs = lookup.strength(ranks, total, board_bits | ranks.bits[a] | ranks.bits[b])
        if theirs > mine:
            points = 0
        elif theirs == mine and points == 2:
            points = 1
    return state, points


def unused(used: int, ranks: Any, state: int) -> tuple[int, int]:
    """Draw a card whose bit is not used."""
    while True:
        state, card = chance.draw(state, UNSEEN)
        if not used & ranks.bits[card]:
            return state, int(card)
