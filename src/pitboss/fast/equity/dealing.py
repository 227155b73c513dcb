"""How everybody gets a hand of his range: all deals listed, or deals and boards drawn, written to be compiled.

A range is a slice of long lists of combos: the two cards of each, and for drawing its upper bound, where the weights of
the range are added up. Every deal in which no card stands twice comes as often as its weights say: a deal that does not
fit is drawn again as a whole, for choosing one hand after another among those that fit would favour some deals.
"""

from typing import Any, NamedTuple

from pitboss import chance
from pitboss.fast import ranking
from pitboss.fast.equity import enumeration
from pitboss.fast.equity.enumeration import BOARD, RANKS, SUITS

CARDS = 52
TOO_MANY, NONE_YET = -1, -2


class Ranges(NamedTuple):
    """What everybody may hold."""

    starts: Any  #: by player, where his combos begin; one more says where the last one's end
    firsts: Any  #: by combo, a card
    seconds: Any
    kinds: Any  #: by combo, a number for its weight; the sum over the players tells how often a deal comes
    bounds: Any  #: by combo, its weight and those before it in its range
    free: Any  #: by player, 1 if he may hold any two cards
    gone: int  #: the cards on the board and the dead ones as bits


class Listed(NamedTuple):
    """Deals to draw from, where their number is known; else there are none, and hands are drawn from the ranges."""

    deals: Any
    bounds: Any


class DealingSpace(NamedTuple):
    """What dealing is worked out on."""

    at: Any  #: by player, his combo
    hands: Any  #: two cards a player
    board: Any  #: five cards, of which some may lie already
    signs: Any  #: by suit, who holds what of it
    names: Any  #: by suit, the suit it is written as
    strengths: Any


# --- all deals


def list_deals(ranges: Any, n: int, alike: Any, most: int, space: Any, codes: Any, kinds: Any) -> int:
    """Write a code and the kind of weights for every deal, and return how many there are.

    Deals that only differ by suits which are `alike` (the same number there) have the same code. After so many steps,
    or where the lists are full, there are too many, or none as yet.
    """
    starts, at = ranges.starts, space.at
    count, steps, level, used = 0, 0, 0, ranges.gone
    at[0] = starts[0]
    while level >= 0:
        i = at[level]
        if i == starts[level + 1]:
            level -= 1
            if level >= 0:
                used ^= pair(ranges, at[level])
                at[level] += 1
            continue
        steps += 1
        if steps > most or count == len(codes):
            return TOO_MANY if count else NONE_YET
        if used & pair(ranges, i):
            at[level] += 1
        elif level < n - 1:
            used |= pair(ranges, i)
            level += 1
            at[level] = starts[level]
        else:
            codes[count], kinds[count] = code(ranges, n, alike, space)
            count += 1
            at[level] += 1
    return count


def pair(ranges: Any, i: int) -> int:
    """A combo's cards as bits."""
    first, second = ranges.firsts[i], ranges.seconds[i]
    return (1 << first) | (1 << second)  # type: ignore[no-any-return]  # a list's or an array's numbers


def code(ranges: Any, n: int, alike: Any, space: Any) -> tuple[int, int]:
    """Everybody's cards in one number, the same for deals that suits which are alike do not tell apart; and the kind.

    Of suits that are alike the one with the lower sign takes the lower name. Twelve bits a player.
    """
    signs, names = space.signs, space.names
    for suit in range(SUITS):
        signs[suit] = 0
    for p in range(n):
        for card in (ranges.firsts[space.at[p]], ranges.seconds[space.at[p]]):
            signs[card % SUITS] |= 1 << (RANKS * p + card // SUITS)
    for suit in range(SUITS):
        lower = 0
        for other in range(SUITS):
            before = signs[other] < signs[suit] or (signs[other] == signs[suit] and other < suit)
            if before and alike[other] == alike[suit]:
                lower += 1
        for other in range(SUITS):
            if alike[other] == alike[suit]:
                if lower == 0:
                    names[suit] = other
                lower -= 1
    number, kind = 0, 0
    for p in range(n):
        i = space.at[p]
        a, b = ranges.firsts[i], ranges.seconds[i]
        a, b = a - a % SUITS + names[a % SUITS], b - b % SUITS + names[b % SUITS]
        if a < b:
            a, b = b, a
        number = (number << 12) | (a << 6) | b
        kind += ranges.kinds[i]
    return number, kind


# --- drawn deals


def sample(
    ranks: Any, ranges: Any, listed: Any, n: int, lying: int, state: int, count: int, space: Any, counts: Any
) -> None:
    """Draw so many deals and boards, of which some cards may lie already, and count who wins as `enumeration` does."""
    for _ in range(count):
        state = draw_deal(listed, n, state, space) if len(listed.deals) else draw_hands(ranges, n, state, space)
        used = ranges.gone
        for k in range(2 * n):
            used |= 1 << space.hands[k]
        for k in range(lying, BOARD):
            state = draw_card(state, used, space.board, k)
            used |= 1 << space.board[k]
        showdown(ranks, n, space)
        enumeration.score(space.strengths, n, 1, counts)


def showdown(ranks: Any, n: int, space: Any) -> None:
    """Write everybody's strength."""
    board, board_bits = ranking.START, 0
    for k in range(BOARD):
        board += ranks.keys[space.board[k]]
        board_bits |= ranks.bits[space.board[k]]
    for p in range(n):
        a, b = space.hands[2 * p], space.hands[2 * p + 1]
        bits = board_bits | ranks.bits[a] | ranks.bits[b]
        space.strengths[p] = ranking.strength(ranks, board + ranks.keys[a] + ranks.keys[b], bits)


def draw_deal(listed: Any, n: int, state: int, space: Any) -> int:
    """Draw one of the listed deals."""
    state, i = draw_weighted(listed.bounds, 0, len(listed.bounds) - 1, state)
    for k in range(2 * n):
        space.hands[k] = listed.deals[i][k]
    return state


def draw_hands(ranges: Any, n: int, state: int, space: Any) -> int:
    """Draw everybody's hand.

    Who may hold any two cards comes last and takes what is left: whatever the others hold, he has as many hands.
    """
    hands = space.hands
    while True:
        used, p = ranges.gone, 0
        while p < n:
            if ranges.free[p]:
                state = draw_card(state, used, hands, 2 * p)
                state = draw_card(state, used | (1 << hands[2 * p]), hands, 2 * p + 1)
            else:
                state, i = draw_weighted(ranges.bounds, ranges.starts[p], ranges.starts[p + 1] - 1, state)
                hands[2 * p], hands[2 * p + 1] = ranges.firsts[i], ranges.seconds[i]
            cards = (1 << hands[2 * p]) | (1 << hands[2 * p + 1])
            if used & cards:
                break
            used |= cards
            p += 1
        if p == n:
            return state


def draw_card(state: int, used: int, cards: Any, place: int) -> int:
    """Draw one of the cards that are not used."""
    while True:
        state, card = chance.draw(state, CARDS)
        cards[place] = card
        if not (used >> cards[place]) & 1:
            return state


def draw_weighted(bounds: Any, low: int, high: int, state: int) -> tuple[int, int]:
    """Draw a place from the lowest to the highest by its weight; the bounds are the weights added up."""
    state, k = chance.draw(state, bounds[high])
    while low < high:
        middle = (low + high) // 2
        if bounds[middle] > k:
            high = middle
        else:
            low = middle + 1
    return state, low
