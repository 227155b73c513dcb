"""The loops of compiled hands: whole hands between policies, or one action at a time at many tables.

`run` is behind `simulate`, the others are behind `Batch`; all are written to be compiled.
"""

from typing import Any

from pitboss import chance
from pitboss.betting import core
from pitboss.fast.play import flop
from pitboss.fast.play.flop import settle
from pitboss.fast.play.policies import decide

NO_VERB, NOT_WHOLE = -1, -2
LARGE = 1 << 53


def run(
    table: Any, kinds: Any, rank_tables: Any, seed: int, numbers: Any, scratch: Any, results: Any, refused: Any
) -> int:
    """Play the hands with these numbers, write their `results`, and return the number of actions.

    `kinds` is the number of the policy at each seat. Unless `refused` is empty, every action is checked first: an
    illegal one ends the run, and `refused` has the hand, the seat, the verb, the total and the rule.
    """
    rules, game, ranks = table.rules[0], table.games[0], rank_tables[0]
    states, dealer, view, notes = scratch.states, scratch.dealers[0], scratch.views[0], scratch.notes[0]
    seats, templates = table.seats, table.templates  # once, because compiled code counts references on each access
    n, buttons, before = templates[0].n, len(templates), table.stacks
    stacks, sums, squares = results.stacks, results.sums, results.squares
    actions = 0
    for i in range(len(numbers)):
        here = numbers[i] % buttons
        first = here * n
        s = copy_template(states, templates[here])
        state = flop.shuffle(chance.fork(seed, numbers[i]), game, dealer, n)
        going = s.turn >= 0 or flop.go_on(rules, s, game)
        while going:
            p = s.turn
            flop.show(s, game, dealer, p, view.cards)
            verb, to, state = decide(kinds[seats[first + p]], rules, s, view, ranks, state)
            if len(refused):
                code = check_choice(rules, s, verb, to)
                if code != core.OK:
                    refused[0], refused[1], refused[4] = numbers[i], seats[first + p], code
                    states[0] = s
                    if code != NOT_WHOLE:
                        refused[2], refused[3] = int(verb), int(to) if -LARGE < to < LARGE else 0
                    return actions
            core.act(rules, s, int(verb), int(to))
            actions += 1
            going = s.turn >= 0 or flop.go_on(rules, s, game)
        settle(s, game, dealer, notes, ranks)
        for p in range(n):
            seat = seats[first + p]
            won = s.stacks[p] - before[seat]
            stacks[i * n + seat] = s.stacks[p]
            sums[seat] += won
            squares[seat] += won * won
    return actions


def copy_template(states: Any, template: Any) -> Any:
    """Return a copy of a hand at its start."""
    states[0] = template
    return states[0]


def check_choice(rules: Any, s: Any, verb: Any, to: Any) -> int:
    """Return why the rules refuse a policy's action, or OK: a rule's code, NO_VERB or NOT_WHOLE."""
    if not core.FOLD <= verb <= core.ALL_IN:
        return NO_VERB
    if not -LARGE < to < LARGE or verb != int(verb) or to != int(to):  # also true for NaN
        return NOT_WHOLE
    return core.refusal(rules, s, int(verb), int(to))


VERBS = 6


def start(table: Any, i: int, seed: int, batch: Any) -> None:
    """Deal the next hand at table i."""
    template = table.templates[batch.hands[i] % len(table.templates)]
    batch.states[i] = template
    flop.shuffle(chance.fork(seed, batch.hands[i]), table.games[0], batch.dealers[i], template.n)


def start_all(table: Any, rank_tables: Any, seed: int, batch: Any, seen: Any) -> None:
    """Deal the first hand at every table."""
    for i in range(len(batch.states)):
        start(table, i, seed, batch)
        finish(table, rank_tables, i, seed, batch, seen)
        look(table, i, batch, seen)


def first_refusal(table: Any, batch: Any, verbs: Any, totals: Any) -> tuple[int, int]:
    """Return the first table whose action the rules refuse and the rule's code; (-1, OK) if all are legal."""
    rules = table.rules[0]
    for i in range(len(verbs)):
        verb = verbs[i]
        code = core.refusal(rules, batch.states[i], verb, totals[i]) if core.FOLD <= verb <= core.ALL_IN else NO_VERB
        if code != core.OK:
            return i, code
    return -1, core.OK


def step(table: Any, rank_tables: Any, seed: int, batch: Any, verbs: Any, totals: Any, seen: Any) -> None:
    """Carry out the actions of all tables, pay the hands that end, deal new ones, and write the observations."""
    rules = table.rules[0]
    for i in range(len(verbs)):
        seen.done[i] = 0
        for seat in range(table.templates[0].n):
            seen.winnings[i][seat] = 0
        core.act(rules, batch.states[i], verbs[i], totals[i])
        if batch.states[i].turn < 0:  # checked here, because a call with all these arrays is slow
            finish(table, rank_tables, i, seed, batch, seen)
        look(table, i, batch, seen)


def finish(table: Any, rank_tables: Any, i: int, seed: int, batch: Any, seen: Any) -> None:
    """Until a place has to act at table i, go on to the next street, or pay and deal the next hand."""
    rules, game, s = table.rules[0], table.games[0], batch.states[i]
    while s.turn < 0 and not flop.go_on(rules, s, game):
        flop.settle(s, game, batch.dealers[i], batch.notes[0], rank_tables[0])
        here = batch.hands[i] % len(table.templates)
        for p in range(s.n):
            seat = table.seats[here * s.n + p]
            seen.winnings[i][seat] += s.stacks[p]
            seen.winnings[i][seat] -= table.stacks[seat]
        seen.done[i] += 1
        batch.hands[i] += batch.stride[0]
        start(table, i, seed, batch)


def look(table: Any, i: int, batch: Any, seen: Any) -> None:
    """Write what the place to act at table i may know and do."""
    rules, s = table.rules[0], batch.states[i]
    here = batch.hands[i] % len(table.templates)
    p = s.turn
    seen.hand[i], seen.place[i], seen.seat[i] = batch.hands[i], p, table.seats[here * s.n + p]
    seen.street[i], seen.pot[i] = s.street, s.pot
    flop.show(s, table.games[0], batch.dealers[i], p, seen.cards[i])
    for q in range(s.n):
        seen.stacks[i][q], seen.bets[i][q], seen.folded[i][q] = s.stacks[q], s.bets[q], s.folded[q]
        seen.pot[i] += s.bets[q]
    for verb in range(VERBS):
        seen.legal[i][verb] = 0
    debt = core.owed(s, p)
    raising = core.raise_refusal(rules, s, p)
    seen.legal[i][core.FOLD] = core.fold_refusal(rules, s, debt) == core.OK
    seen.legal[i][core.CHECK] = debt == 0
    seen.legal[i][core.CALL] = core.call_refusal(rules, s, p, debt) == core.OK
    seen.legal[i][core.ALL_IN] = core.all_in_refusal(rules, s, p, debt, raising) == core.OK
    seen.call[i] = min(debt, s.stacks[p])
    seen.least[i] = seen.most[i] = seen.pot_sized[i] = 0
    if raising == core.OK:
        seen.legal[i][core.BET if s.price == 0 else core.RAISE] = 1
        least, most, to = core.least(rules, s, p), core.most(rules, s, p), core.pot_raise(s, p)
        seen.least[i], seen.most[i] = least, most
        seen.pot_sized[i] = max(least, min(to, most))
