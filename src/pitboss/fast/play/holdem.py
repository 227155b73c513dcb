"""Hold'em hand after hand without an object a card: dealing, streets and the showdown, written to be compiled.

The betting is `betting/core.py`; what stands here again beside `hand/` is small and is compared with it hand by hand.
Functions are plain: they run as they are on lists and, compiled, on packed records and arrays. Arguments throughout:
`rules` and `s` as in the core, and `dealer`, what only the dealer sees: `deck`, the cards in the order they are dealt
(two to everybody, one at a time from the button's left, then the board), the least bet by street, and room for
strengths. A card is its number in `cards.DECK`; UNSEEN stands where nothing lies yet.
"""

from typing import Any

from pitboss import chance
from pitboss.betting import core
from pitboss.fast import paying, ranking

HOLE, BOARD, SEEN = 2, 5, 7
UNSEEN = 52
PRE_FLOP, RIVER, SHOWN_DOWN = 0, 3, 4


def shuffle(state: int, dealer: Any, count: int) -> int:
    """Put the deck in order, then bring a random choice of so many cards to its front."""
    for card in range(UNSEEN):
        dealer.deck[card] = card
    for here in range(count):
        state, offset = chance.draw(state, UNSEEN - here)
        there = here + offset
        dealer.deck[here], dealer.deck[there] = dealer.deck[there], dealer.deck[here]
    return state


def show(s: Any, dealer: Any, p: int, view: Any) -> None:
    """Write down the cards that p sees: two of its own, then the board as far as it lies."""
    view[0], view[1] = dealer.deck[p], dealer.deck[s.n + p]
    up = s.street + 2 if s.street > PRE_FLOP else 0
    for k in range(BOARD):
        view[HOLE + k] = dealer.deck[HOLE * s.n + k] if k < up else UNSEEN


def go_on(rules: Any, s: Any, dealer: Any) -> bool:
    """Once nobody owes the street an answer, turn to the next until somebody is asked; False: no betting any more."""
    while True:
        owner, amount = core.uncalled(rules, s)
        if owner >= 0:
            core.give_back(s, owner, amount)
        street = s.street + 1
        core.collect(s, dealer.steps[street if street < SHOWN_DOWN else RIVER])
        if street == SHOWN_DOWN or not core.contested(s):
            s.street = SHOWN_DOWN
            return False
        s.street = street
        core.open_round(rules, s, 0)
        if s.turn >= 0:
            return True


def alone(s: Any) -> bool:
    """Whether all but one have folded."""
    live = 0
    for p in range(s.n):
        if not s.folded[p]:
            live += 1
    return live == 1


def settle(s: Any, dealer: Any, ranks: Any) -> None:
    """Compare the hands of those left, on the whole board, and pay."""
    n = s.n
    if alone(s):
        for p in range(n):
            dealer.strengths[p] = 1
    else:
        board = ranking.START
        for k in range(HOLE * n, HOLE * n + BOARD):
            board += ranks.keys[dealer.deck[k]]
        for p in range(n):
            if not s.folded[p]:
                dealer.strengths[p] = strength(n, dealer, p, board, ranks)
    paying.pay(s, dealer.strengths)


def strength(n: int, dealer: Any, p: int, board: int, ranks: Any) -> int:
    """The strength of p's cards on a board whose keys are added up."""
    a, b = dealer.deck[p], dealer.deck[n + p]
    total = board + ranks.keys[a] + ranks.keys[b]
    if not total & ranking.FLUSH:
        return ranking.mixed(ranks, total)
    bits = ranks.bits[a] | ranks.bits[b]
    for k in range(HOLE * n, HOLE * n + BOARD):
        bits |= ranks.bits[dealer.deck[k]]
    return ranking.flushed(ranks, total, bits)
