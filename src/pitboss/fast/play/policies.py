"""Players for simulation, written to be compiled: each says what it does from what its place may know.

A policy is called as `policy(rules, s, view, ranks, state)`: the betting as `core.py` reads it, `view.cards`, the seven
cards it sees (UNSEEN where nothing lies yet), the lookup tables, and the hand's stream of chance. It returns a verb of
the core, the street total that goes with a bet or raise, and the stream as it left it.
"""

from typing import Any

from pitboss import chance
from pitboss.betting import core
from pitboss.fast import ranking
from pitboss.fast.play.holdem import HOLE, SEEN, UNSEEN
from pitboss.ranks.layout import CLASS_SHIFT

Choice = tuple[int, int, int]

NAMES = ("random", "calling", "tight", "equity")
RANDOM, CALLING, TIGHT, EQUITY = range(len(NAMES))

PAIR, TWO_PAIR, STRAIGHT = 1, 2, 4
SAMPLES = 16


def decide(kind: int, rules: Any, s: Any, view: Any, ranks: Any, state: int) -> Choice:
    """What the policy of this number does."""
    if kind == RANDOM:
        return random(rules, s, view, ranks, state)
    if kind == CALLING:
        return calling(rules, s, view, ranks, state)
    if kind == TIGHT:
        return tight(rules, s, view, ranks, state)
    return equity(rules, s, view, ranks, state)


def random(rules: Any, s: Any, view: Any, ranks: Any, state: int) -> Choice:
    """Choose evenly, each once: fold to a bet, check or call, the least raise, a pot-sized raise, all-in."""
    p = s.turn
    stay, stays = core.CHECK, 1
    if core.owed(s, p) > 0:
        stay, stays = core.CALL, 2
    least = pot = most = 0
    sizes = 0
    if core.raise_refusal(rules, s, p) == core.OK:
        least, most = core.least(rules, s, p), core.most(rules, s, p)
        pot = core.pot_raise(s, p)
        if pot <= least or pot >= most:
            pot = most
        sizes = 1 if least == most else 2 if pot == most else 3
    state, k = chance.draw(state, stays + sizes)
    if k < stays:
        return (core.FOLD if k < stays - 1 else stay), 0, state
    k -= stays
    return (core.BET if s.price == 0 else core.RAISE), (least if k == 0 else pot if k == 1 else most), state


def calling(rules: Any, s: Any, view: Any, ranks: Any, state: int) -> Choice:
    """Check where it is free, and call everything else."""
    return stay(s), 0, state


def tight(rules: Any, s: Any, view: Any, ranks: Any, state: int) -> Choice:
    """Play good starting hands; bet the best, two pair and better by the pot, stay with a pair, else give up."""
    cards = view.cards
    low, high = cards[0] // 4, cards[1] // 4
    if low > high:
        low, high = high, low
    pair = low == high
    if cards[HOLE] == UNSEEN:
        worth = low + high + (2 if cards[0] % 4 == cards[1] % 4 else 0)
        if (pair and low >= 9) or worth >= 23:
            return by_the_pot(rules, s, state)
        return (stay(s) if (pair and low >= 4) or worth >= 20 else give_up(s)), 0, state
    made = seen_strength(view, ranks) >> CLASS_SHIFT
    for k in range(HOLE, SEEN):
        if cards[k] != UNSEEN and (cards[k] // 4 == low or cards[k] // 4 == high):
            pair = True
    if made >= STRAIGHT or (made >= TWO_PAIR and pair):
        return by_the_pot(rules, s, state)
    return (stay(s) if made >= PAIR and pair else give_up(s)), 0, state


def equity(rules: Any, s: Any, view: Any, ranks: Any, state: int) -> Choice:
    """Deal the unseen cards a few times: raise by the pot when far ahead, stay when the price is right, else fold."""
    p = s.turn
    opponents = 0
    for q in range(s.n):
        if q != p and not s.folded[q]:
            opponents += 1
    won = 0
    for _ in range(SAMPLES):
        state, share = sample(view, opponents, ranks, state)
        won += share
    if won * (opponents + 1) > 3 * SAMPLES:  # half as much again as everybody's fair share of two points a deal
        return by_the_pot(rules, s, state)
    debt, middle = core.owed(s, p), s.pot
    for q in range(s.n):
        middle += s.bets[q]
    return (stay(s) if won * (middle + debt) >= 2 * SAMPLES * debt else give_up(s)), 0, state


# --- what policies are made of


def stay(s: Any) -> int:
    """Check, or call where something is owed."""
    return core.CALL if core.owed(s, s.turn) > 0 else core.CHECK


def give_up(s: Any) -> int:
    """Check, or fold where something is owed."""
    return core.FOLD if core.owed(s, s.turn) > 0 else core.CHECK


def by_the_pot(rules: Any, s: Any, state: int) -> Choice:
    """Bet or raise by the pot, or as near as the rules let one; stay where they let nobody raise."""
    p = s.turn
    if core.raise_refusal(rules, s, p) != core.OK:
        return stay(s), 0, state
    to, least, most = core.pot_raise(s, p), core.least(rules, s, p), core.most(rules, s, p)
    return (core.BET if s.price == 0 else core.RAISE), max(least, min(to, most)), state


def seen_strength(view: Any, ranks: Any) -> int:
    """The strength of the cards one sees, five at least."""
    cards = view.cards
    total, bits = ranking.START, 0
    for k in range(SEEN):
        if cards[k] != UNSEEN:
            total += ranks.keys[cards[k]]
            bits += ranks.bits[cards[k]]
    return ranking.strength(ranks, total, bits)


def sample(view: Any, opponents: int, ranks: Any, state: int) -> tuple[int, int]:
    """Deal the rest once: 2 points for winning alone, 1 for a tie, 0 for losing; the stream comes first."""
    cards = view.cards
    used, own = 0, 0
    for k in range(HOLE):
        own += ranks.keys[cards[k]]
        used |= ranks.bits[cards[k]]
    hole_bits = used
    board, board_bits = ranking.START, 0
    for k in range(HOLE, SEEN):
        card = int(cards[k])
        if card == UNSEEN:
            state, card = unused(used, ranks, state)
        board += ranks.keys[card]
        board_bits |= ranks.bits[card]
        used |= ranks.bits[card]
    mine = ranking.strength(ranks, board + own, board_bits | hole_bits)
    points = 2
    for _ in range(opponents):
        state, a = unused(used, ranks, state)
        used |= ranks.bits[a]
        state, b = unused(used, ranks, state)
        used |= ranks.bits[b]
        total = board + ranks.keys[a] + ranks.keys[b]
        theirs = ranking.strength(ranks, total, board_bits | ranks.bits[a] | ranks.bits[b])
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
