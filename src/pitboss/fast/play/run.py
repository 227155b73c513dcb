"""Whole hands, one after another, decided by policies: the loop behind `simulate`, written to be compiled."""

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
    """Play the hands of these numbers, write into `results` what came of them, and return how many actions it took.

    `kinds` says which policy sits at which seat. With anything in `refused` every action is checked first: an illegal
    one ends the run, and `refused` names the hand, the seat, the verb, the total and the rule.
    """
    rules, game, ranks = table.rules[0], table.games[0], rank_tables[0]
    states, dealer, view, notes = scratch.states, scratch.dealers[0], scratch.views[0], scratch.notes[0]
    seats, templates = table.seats, table.templates  # named here: in compiled code each look into a table is counted
    n, buttons, before = templates[0].n, len(templates), table.stacks
    stacks, sums, squares = results.stacks, results.sums, results.squares
    actions = 0
    for i in range(len(numbers)):
        here = numbers[i] % buttons
        first = here * n
        s = begun(states, templates[here])
        state = flop.shuffle(chance.fork(seed, numbers[i]), game, dealer, n)
        going = s.turn >= 0 or flop.go_on(rules, s, game)
        while going:
            p = s.turn
            flop.show(s, game, dealer, p, view.cards)
            verb, to, state = decide(kinds[seats[first + p]], rules, s, view, ranks, state)
            if len(refused):
                code = judged(rules, s, verb, to)
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


def begun(states: Any, template: Any) -> Any:
    """A hand at its beginning, on paper of its own."""
    states[0] = template
    return states[0]


def judged(rules: Any, s: Any, verb: Any, to: Any) -> int:
    """Why somebody's policy may not do this, or OK: the rule's code, or what is wrong with the numbers themselves."""
    if not core.FOLD <= verb <= core.ALL_IN:
        return NO_VERB
    if not -LARGE < to < LARGE or verb != int(verb) or to != int(to):  # what is no number is not between them either
        return NOT_WHOLE
    return core.refusal(rules, s, int(verb), int(to))
