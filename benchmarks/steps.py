"""Steps of `Batch` beside OpenSpiel's `universal_poker`: the same game, random choices, in turn in one process."""

import random
import time
from collections.abc import Callable

import numpy as np

from benchmarks.fast import times
from benchmarks.fast_peers import installed, open_spiel_stepped
from benchmarks.players import PLAYERS, STACK
from benchmarks.rules import Spread
from pitboss.batch import Batch

GOALS = {1: 1, 64: 10, 4096: 20}
"""By table count, the goal for actions of a batch, as a multiple of OpenSpiel's in the same time."""
OPEN_SPIEL_HANDS = 60
VERBS = 6

Work = Callable[[int], int]
"""Given the number of a round, acts for a while and returns the number of actions."""


def one_table(steps: int) -> Work:
    """Return the work of a batch of one table. The verb is chosen in Python, as a loop around one table does."""
    batch, verbs = Batch(1, seats=PLAYERS, stacks=STACK), np.zeros(1, np.int64)
    seen = batch.observe()
    legal, totals, step = seen.legal[0].item, seen.pot_sized, batch.step

    def play(number: int) -> int:
        draw = random.Random(number).random
        for _ in range(steps):
            verb = int(draw() * VERBS)
            while not legal(verb):
                verb = int(draw() * VERBS)
            verbs[0] = verb
            step(verbs, totals)
        return steps

    return play


def many_tables(tables: int, steps: int) -> Work:
    """Return the work of a batch of many tables. The verbs are chosen with arrays."""
    batch = Batch(tables, seats=PLAYERS, stacks=STACK)
    seen = batch.observe()
    legal = seen.legal.view(np.bool_)

    def play(number: int) -> int:
        source = np.random.default_rng(number)
        for _ in range(steps):
            batch.step(np.where(legal, source.random(legal.shape, np.float32), 0).argmax(axis=1), seen.pot_sized)
        return tables * steps

    return play


def measure_steps(rounds: int, steps: int, say: Callable[[str], object]) -> list[str]:
    """Print a line for each size of a batch, and return those that missed the goal."""
    works = [one_table(steps), *[many_tables(tables, max(1, steps // tables)) for tables in GOALS if tables > 1]]
    spiel = installed("open_spiel") is not None
    if spiel:
        stepped = open_spiel_stepped()
        works.append(lambda number: stepped(number, max(1, min(OPEN_SPIEL_HANDS, steps))) or 0)
    rates: list[list[float]] = [[] for _ in works]
    for number in range(rounds + 1):  # the first round is not counted: code is loaded in it
        for which in range(len(works)):
            at = (which + number) % len(works)
            begun = time.process_time()
            done = works[at](number)
            if number:
                rates[at].append(done / (time.process_time() - begun))
    missed = []
    if spiel:
        say(f"OpenSpiel's universal_poker, stepped: {Spread.of(rates[-1]).median:,.0f} actions a second")
    for (tables, goal), ours in zip(GOALS.items(), rates, strict=False):
        line = f"Batch({tables}), {PLAYERS} seats: {Spread.of(ours).median:,.0f} actions a second"
        if spiel:
            ratio = times(ours, rates[-1])
            line += f", {ratio.median:.1f} times OpenSpiel's ({ratio.low:.1f} to {ratio.high:.1f}); the goal is {goal}"
            missed += [line] if ratio.median < goal else []
        say(line)
    if not spiel:
        say("OpenSpiel is not installed, so no comparison was made")
    return missed
