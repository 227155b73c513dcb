"""Dealing, streets and the showdown of flop games on plain numbers; written to be compiled.

The betting is in `betting/core.py`. This module repeats a small part of `hand/`, and tests compare the two hand by
hand. The functions run as plain Python on lists and, compiled, on packed records and arrays. A card is its number in
`cards.DECK`; UNSEEN is a card not dealt yet. All functions take the same arguments:

- `rules` and `s`: as in the core
- `game`: a `setup.FlopGame`
- `dealer`: its `deck` has the cards in the order of the deal, one at a time to each player, then the board
- `notes`: working memory for the showdown
"""

from typing import Any

from pitboss import chance
from pitboss.betting import core
from pitboss.fast import lookup, payout

MOST_HOLE, BOARD, TRIOS = 6, 5, 10
SEEN = MOST_HOLE + BOARD
UNSEEN = 52
FIRST_STREET = 0
HIGH, LOW = 0, 1  # rows of `notes.strengths`


# --- dealing


def shuffle(state: int, game: Any, dealer: Any, n: int) -> int:
    """Sort the deck, then choose the cards that n players need at random and move them to its front."""
    cards = len(game.deck)
    for k in range(cards):
        dealer.deck[k] = UNSEEN - cards + k  # a short deck lacks the lowest
    for here in range(len(game.hole) * n + BOARD):
        state, offset = chance.draw(state, cards - here)
        there = here + offset
        dealer.deck[here], dealer.deck[there] = dealer.deck[there], dealer.deck[here]
    return state


def show(s: Any, game: Any, dealer: Any, p: int, view: Any) -> None:
    """Write the cards that place p sees into `view`: its hole cards, then the board so far."""
    hole, up = len(game.hole), game.board[s.street]
    for k in range(hole):
        view[k] = dealer.deck[k * s.n + p]
    for k in range(BOARD):
        view[hole + k] = dealer.deck[hole * s.n + k] if k < up else UNSEEN


# --- streets


def go_on(rules: Any, s: Any, game: Any) -> bool:
    """Begin the next street on which a place can act; return False if the betting is over."""
    while True:
        owner, amount = core.uncalled(rules, s)
        if owner >= 0:
            core.give_back(s, owner, amount)
        street, end = s.street + 1, len(game.steps)
        core.collect(s, game.steps[street if street < end else end - 1])
        if street == end or not core.contested(s):
            s.street = end
            return False
        s.street = street
        core.open_round(rules, s, 0)
        if s.turn >= 0:
            return True


def alone(s: Any) -> bool:
    """Return whether all places but one have folded."""
    live = 0
    for p in range(s.n):
        if not s.folded[p]:
            live += 1
    return live == 1


# --- the showdown


def settle(s: Any, game: Any, dealer: Any, notes: Any, ranks: Any) -> None:
    """Compare the live hands on the complete board, and pay."""
    parts, from_two = len(game.rankings), len(game.trios) > 1
    if parts == 1 and not from_two:
        settle_high(s, game, dealer, notes, ranks)
        return
    if alone(s):
        for p in range(s.n):
            notes.strengths[HIGH][p], notes.strengths[LOW][p] = 1, 0
    elif from_two:
        highs_from_two(s, game, dealer, notes, ranks)
        if parts > 1:
            lows_from_two(s, game, dealer, notes)
    else:
        highs(s, game, dealer, notes, ranks)
        lows(s, game, dealer, notes)
    if parts > 1:
        payout.pay_parts(s, notes.strengths, parts)
    else:
        payout.pay(s, notes.strengths[HIGH], 0)


def settle_high(s: Any, game: Any, dealer: Any, notes: Any, ranks: Any) -> None:
    """Compare the live hands and pay, for games in which the best high hand of seven cards wins.

    A loop with only this showdown compiles faster.
    """
    if alone(s):
        for p in range(s.n):
            notes.strengths[HIGH][p] = 1
    else:
        highs(s, game, dealer, notes, ranks)
    payout.pay(s, notes.strengths[HIGH], 0)


def highs(s: Any, game: Any, dealer: Any, notes: Any, ranks: Any) -> None:
    """Write all live strengths if all seven cards count."""
    first, board = len(game.hole) * s.n, lookup.START
    for k in range(first, first + BOARD):
        board += ranks.keys[dealer.deck[k]]
    for p in range(s.n):
        if not s.folded[p]:
            notes.strengths[HIGH][p] = strength(s.n, dealer, p, board, ranks)


def strength(n: int, dealer: Any, p: int, board: int, ranks: Any) -> int:
    """Return the strength of place p's two cards on a board, given the sum of its keys."""
    a, b = dealer.deck[p], dealer.deck[n + p]
    total = board + ranks.keys[a] + ranks.keys[b]
    if not total & lookup.FLUSH:
        return lookup.mixed(ranks, total)
    bits = ranks.bits[a] | ranks.bits[b]
    for k in range(2 * n, 2 * n + BOARD):
        bits |= ranks.bits[dealer.deck[k]]
    return lookup.flushed(ranks, total, bits)


def lows(s: Any, game: Any, dealer: Any, notes: Any) -> None:
    """Write all live lows if all seven cards count; 0 means no low."""
    first, board = len(game.hole) * s.n, 0
    for k in range(first, first + BOARD):
        board |= game.low_bits[dealer.deck[k]]
    for p in range(s.n):
        if not s.folded[p]:
            own = game.low_bits[dealer.deck[p]] | game.low_bits[dealer.deck[s.n + p]]
            notes.strengths[LOW][p] = game.lows[board | own]


# --- the showdown in which exactly two hole cards count, with three of the board


def highs_from_two(s: Any, game: Any, dealer: Any, notes: Any, ranks: Any) -> None:
    """Write all live strengths."""
    n, first, t = s.n, len(game.hole) * s.n, 0
    for i in range(first, first + BOARD - 2):
        for j in range(i + 1, first + BOARD - 1):
            for k in range(j + 1, first + BOARD):
                a, b, c = dealer.deck[i], dealer.deck[j], dealer.deck[k]
                notes.keys[t] = lookup.START + ranks.keys[a] + ranks.keys[b] + ranks.keys[c]
                notes.bits[t] = ranks.bits[a] | ranks.bits[b] | ranks.bits[c]
                t += 1
    for p in range(n):
        if not s.folded[p]:
            best = 0
            for i in range(len(game.hole) - 1):
                for j in range(i + 1, len(game.hole)):
                    best = max(best, best_high(dealer.deck[i * n + p], dealer.deck[j * n + p], notes, ranks))
            notes.strengths[HIGH][p] = best


def best_high(a: int, b: int, notes: Any, ranks: Any) -> int:
    """Return the best strength of two cards with any three of the board."""
    best, pair = 0, ranks.keys[a] + ranks.keys[b]
    for t in range(TRIOS):
        total = notes.keys[t] + pair
        if total & lookup.FLUSH:
            made = lookup.flushed(ranks, total, notes.bits[t] | ranks.bits[a] | ranks.bits[b])
        else:
            made = lookup.mixed(ranks, total)
        best = max(best, made)
    return best


def lows_from_two(s: Any, game: Any, dealer: Any, notes: Any) -> None:
    """Write all live lows; 0 means no low."""
    n, first, t = s.n, len(game.hole) * s.n, 0
    for i in range(first, first + BOARD - 2):
        for j in range(i + 1, first + BOARD - 1):
            for k in range(j + 1, first + BOARD):
                a, b, c = dealer.deck[i], dealer.deck[j], dealer.deck[k]
                notes.bits[t] = game.low_bits[a] | game.low_bits[b] | game.low_bits[c]
                t += 1
    for p in range(n):
        if not s.folded[p]:
            best = 0
            for i in range(len(game.hole) - 1):
                for j in range(i + 1, len(game.hole)):
                    pair = game.low_bits[dealer.deck[i * n + p]] | game.low_bits[dealer.deck[j * n + p]]
                    for t in range(TRIOS):
                        best = max(best, game.lows[notes.bits[t] | pair])
            notes.strengths[LOW][p] = best
