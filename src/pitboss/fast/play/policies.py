"""The house policies for simulation; written to be compiled.

A policy is called as `policy(rules, s, view, ranks, state)`. `rules` and `s` are the betting, as in `core.py`.
`view.cards` has the `view.hole` hole cards and the board, with UNSEEN for a card not dealt yet. `ranks` are the lookup
tables, and `state` is the hand's stream of random numbers. A policy returns a verb of the core, the street total of a
bet or raise, and the new state of the stream. The decisions are in `decisions.py`. `random` and `calling` do not use
cards and play any game; the others play only hold'em.
"""

from typing import Any

from pitboss.betting import core
from pitboss.fast.play import decisions
from pitboss.fast.play.decisions import HOLE
from pitboss.fast.play.flop import UNSEEN

Choice = tuple[int, int, int]

NAMES = ("random", "calling", "tight", "equity")
RANDOM, CALLING, TIGHT, EQUITY = range(len(NAMES))
HOLDEM_ONLY = ("tight", "equity")

DEALS = 16
"""The number of times that `equity` deals the unseen cards."""


def decide(kind: int, rules: Any, s: Any, view: Any, ranks: Any, state: int) -> Choice:
    """Return the choice of the policy with this number."""
    if kind == RANDOM:
        return random(rules, s, view, ranks, state)
    if kind == CALLING:
        return calling(rules, s, view, ranks, state)
    if kind == TIGHT:
        return tight(rules, s, view, ranks, state)
    return equity(rules, s, view, ranks, state)


def random(rules: Any, s: Any, view: Any, ranks: Any, state: int) -> Choice:
    """Choose evenly from fold (to a bet), check or call, the least raise, a pot-sized raise and all-in."""
    p = s.turn
    if core.raise_refusal(rules, s, p) != core.OK:
        state, wish = decisions.random(core.owed(s, p), 0, state)
        return (give_up(s) if wish == decisions.GIVE_UP else stay(s)), 0, state
    least, most = core.least(rules, s, p), core.most(rules, s, p)
    by_pot = core.pot_raise(s, p)
    state, wish = decisions.random(core.owed(s, p), decisions.sizes(least, by_pot, most), state)
    if wish <= decisions.STAY:
        return (give_up(s) if wish == decisions.GIVE_UP else stay(s)), 0, state
    to = least if wish == decisions.LEAST else by_pot if wish == decisions.POT else most
    return (core.BET if s.price == 0 else core.RAISE), to, state


def calling(rules: Any, s: Any, view: Any, ranks: Any, state: int) -> Choice:
    """Check if checking is free, otherwise call."""
    return stay(s), 0, state


def tight(rules: Any, s: Any, view: Any, ranks: Any, state: int) -> Choice:
    """Raise good cards by the pot, stay with fair ones for at most half the pot, and give up the others."""
    return carry_out(decisions.tight(view.cards, ranks, call(s), middle(s)), rules, s, state)


def equity(rules: Any, s: Any, view: Any, ranks: Any, state: int) -> Choice:
    """Estimate the equity by dealing the unseen cards: raise by the pot, stay if the pot odds suffice, or give up."""
    rivals = decisions.rivals(s.bets, s.folded, s.n, s.turn, call(s), view.cards[HOLE] != UNSEEN)
    state, wish = decisions.equity(view.cards, ranks, rivals, call(s), middle(s), DEALS, state)
    return carry_out(wish, rules, s, state)


# --- parts of policies


def carry_out(wish: int, rules: Any, s: Any, state: int) -> Choice:
    """Give up, stay, or raise by the pot."""
    if wish == decisions.POT:
        return by_the_pot(rules, s, state)
    return (stay(s) if wish == decisions.STAY else give_up(s)), 0, state


def call(s: Any) -> int:
    """Return the chips that a call adds."""
    return min(core.owed(s, s.turn), s.stacks[s.turn])  # type: ignore[no-any-return]  # a list's or an array's number


def middle(s: Any) -> int:
    """Return all chips in the middle, with this street's bets."""
    chips = s.pot
    for p in range(s.n):
        chips += s.bets[p]
    return chips  # type: ignore[no-any-return]  # as above


def stay(s: Any) -> int:
    """Return CHECK, or CALL if something is owed.

    >>> from pitboss import simulate
    >>> from pitboss.batch import stay
    >>> def patient(rules, s, view, ranks, state):
    ...     return stay(s), 0, state
    >>> simulate(10, seats=2, policies=(patient, "calling"), seed=1).hands
    10
    """
    return core.CALL if core.owed(s, s.turn) > 0 else core.CHECK


def give_up(s: Any) -> int:
    """Return CHECK, or FOLD if something is owed.

    >>> from pitboss import simulate
    >>> from pitboss.batch import give_up
    >>> def timid(rules, s, view, ranks, state):
    ...     return give_up(s), 0, state
    >>> simulate(10, seats=2, policies=(timid, "calling"), seed=1).hands
    10
    """
    return core.FOLD if core.owed(s, s.turn) > 0 else core.CHECK


def by_the_pot(rules: Any, s: Any, state: int) -> Choice:
    """Bet or raise by the pot, or the nearest legal size; stay if no raise is legal.

    >>> from pitboss import simulate
    >>> from pitboss.batch import by_the_pot
    >>> def bold(rules, s, view, ranks, state):
    ...     return by_the_pot(rules, s, state)
    >>> simulate(10, seats=2, policies=(bold, "calling"), seed=1).hands
    10
    """
    p = s.turn
    if core.raise_refusal(rules, s, p) != core.OK:
        return stay(s), 0, state
    to, least, most = core.pot_raise(s, p), core.least(rules, s, p), core.most(rules, s, p)
    return (core.BET if s.price == 0 else core.RAISE), max(least, min(to, most)), state
