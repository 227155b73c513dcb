"""Policies as a caller of `simulate` writes them: plain functions that know nothing of Numba."""

import math
from typing import Any

from pitboss import chance
from pitboss.betting import core
from pitboss.fast.play.policies import Choice, by_the_pot, give_up, stay


def aces(rules: Any, s: Any, view: Any, ranks: Any, state: int) -> Choice:
    """Raise with an ace, call with a king, else give up."""
    high = max(view.cards[0], view.cards[1]) // 4
    if high == 12:
        return by_the_pot(rules, s, state)
    return (stay(s) if high == 11 else give_up(s)), 0, state


def paired(rules: Any, s: Any, view: Any, ranks: Any, state: int) -> Choice:
    """Stay with a pair among one's own cards, however many these are, else give up."""
    for k in range(view.hole):
        for other in range(k):
            if view.cards[k] // 4 == view.cards[other] // 4:
                return stay(s), 0, state
    return give_up(s), 0, state


def moody(rules: Any, s: Any, view: Any, ranks: Any, state: int) -> Choice:
    """All-in once in eight times where that is on offer, else stay."""
    state, mood = chance.draw(state, 8)
    if mood == 0 and core.refusal(rules, s, core.ALL_IN, 0) == core.OK:
        return core.ALL_IN, 0, state
    return stay(s), 0, state


def cheat(rules: Any, s: Any, view: Any, ranks: Any, state: int) -> Any:
    """Stay before the flop, and then do what no rules allow, for each number of seats another thing.

    With nine seats only who holds two certain aces cheats; others leave. All in one function, which is compiled once.
    """
    p = s.turn
    if s.n == 9:
        found = view.cards[0] == 48 and view.cards[1] == 51
        return (core.CHECK if found else give_up(s)), 0.0, state
    if s.street == 0:
        return stay(s), 0.0, state
    verb, to = core.CALL, 0.0
    if s.n == 3:
        verb, to = core.BET, core.least(rules, s, p) - 1.0
    elif s.n == 4:
        verb, to = core.RAISE, 1.0 * core.least(rules, s, p)
    elif s.n == 5:
        verb, to = core.BET, core.most(rules, s, p) + 1.0
    elif s.n == 6:
        verb = 9
    elif s.n == 7:
        verb, to = core.BET, core.least(rules, s, p) + 0.5
    elif s.n == 8:
        verb, to = core.BET, math.nan
    return verb, to, state
