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
    seats, templates = table.seats, table.templates  # read once, because compiled code counts references on each access
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
    """Return OK, or the reason why a policy's action is refused: a rule's code, NO_VERB or NOT_WHOLE."""
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


def store_parts(memory: Any, parts: Any) -> None:
    """Store what `checked_step` needs: the table, the lookup tables, the seed, the batch and its observation."""
    write_parts(memory, parts)


def checked_step(memory: Any, verbs: Any, totals: Any) -> tuple[int, int]:
    """Do `step` if all actions are legal, and return what `first_refusal` returns."""
    table, rank_tables, seed, batch, seen = read_parts(memory)
    at, code = first_refusal(table, batch, verbs, totals)
    if at < 0:
        step(table, rank_tables, seed, batch, verbs, totals, seen)
    return at, code


def write_parts(memory: Any, parts: Any) -> None:
    """Store the parts of a batch. Compiled code has these two functions from `compiled.stored_parts`."""
    memory[0] = parts


def read_parts(memory: Any) -> Any:
    """Return the parts of a batch."""
    return memory[0]


def step(table: Any, rank_tables: Any, seed: int, batch: Any, verbs: Any, totals: Any, seen: Any) -> None:
    """Carry out the actions of all tables, pay the hands that end, deal new ones, and write the observations."""
    rules, states, n = table.rules[0], batch.states, table.templates[0].n
    for i in range(len(verbs)):
        if seen.done[i]:
            winnings = seen.winnings[i]
            for seat in range(n):
                winnings[seat] = 0
            seen.done[i] = 0
        s = states[i]
        core.act(rules, s, verbs[i], totals[i])
        if s.turn < 0:  # checked here, because a call with all these arrays is slow
            finish(table, rank_tables, i, seed, batch, seen)
        look(table, i, batch, seen)


def finish(table: Any, rank_tables: Any, i: int, seed: int, batch: Any, seen: Any) -> None:
    """Begin streets, pay, and deal the next hand at table i until a place has to act."""
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
    """Write the observation of the place to act at table i: its cards, the betting and its legal actions.

    It is in parts, because small functions are inlined, and a call with all these arrays is slow.
    """
    s = batch.states[i]
    stacks, bets, folded = seen.stacks[i], seen.bets[i], seen.folded[i]  # once, as in `run`
    here = batch.hands[i] % len(table.templates)
    p, n, pot = s.turn, s.n, s.pot
    seen.hand[i], seen.place[i], seen.seat[i], seen.street[i] = batch.hands[i], p, table.seats[here * n + p], s.street
    flop.show(s, table.games[0], batch.dealers[i], p, seen.cards[i])
    for q in range(n):
        stacks[q], bets[q], folded[q] = s.stacks[q], s.bets[q], s.folded[q]
        pot += s.bets[q]
    seen.pot[i] = pot
    look_at_offer(table.rules[0], s, i, seen)


def look_at_offer(rules: Any, s: Any, i: int, seen: Any) -> None:
    """Write the legal actions at table i and the amounts of a call and of raises."""
    p = s.turn
    debt, raising = core.owed(s, p), core.raise_refusal(rules, s, p)
    write_legal(rules, s, p, debt, raising, core.most(rules, s, p), seen.legal[i])
    seen.call[i] = min(debt, s.stacks[p])
    seen.least[i] = seen.most[i] = seen.pot_sized[i] = 0
    if raising == core.OK:
        least, most, to = core.least(rules, s, p), core.most(rules, s, p), core.pot_raise(s, p)
        seen.least[i], seen.most[i] = least, most
        seen.pot_sized[i] = max(least, min(to, most))


def write_legal(rules: Any, s: Any, p: int, debt: int, raising: int, high: int, legal: Any) -> None:
    """Write 1 for each verb that place p may use, and 0 for the others."""
    legal[core.FOLD] = core.fold_refusal(rules, s, debt) == core.OK
    legal[core.CHECK] = debt == 0
    legal[core.CALL] = core.call_refusal(rules, s, p, debt) == core.OK
    legal[core.BET] = raising == core.OK and s.price == 0
    legal[core.RAISE] = raising == core.OK and s.price != 0
    legal[core.ALL_IN] = core.all_in_refusal(rules, s, p, debt, raising, high) == core.OK
