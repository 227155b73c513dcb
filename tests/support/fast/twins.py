"""Plays the same hands compiled and by the plain rules, at settings of every kind, and compares them chip by chip.

`python -m tests.support.fast.twins --hands 1000000 --seed 1` plays many; a hand is named by seed, setting and number.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from multiprocessing import get_context
from time import perf_counter
from typing import NamedTuple

from pitboss.chance import Chance
from pitboss.fast.play.backend import Backend, Results
from pitboss.fast.play.packed import PACKED
from pitboss.fast.play.setup import RunSetup, Team
from tests.support.fast.plain_hands import play_randomly
from tests.support.fast.settings import some_setting
from tests.support.laws.laws import holds
from tests.support.laws.many import SHOWN, table

HANDS_A_SETTING = 100
PARTS = 50  # how often progress is reported
PRINTED = 10  # failures that are printed


class Played(NamedTuple):
    """What was played: all final stacks by hand and by seat, and the number of actions."""

    stacks: list[list[int]]
    actions: int
    trouble: list[int]  #: if actions were checked, what was wrong with the first illegal one


def play_hands(
    backend: Backend,
    setting: RunSetup,
    policy: str | Sequence[str],
    seed: int,
    numbers: range,
    *,
    checked: bool = False,
) -> Played:
    """Play the hands of these numbers, as `simulate` does before it adds up."""
    team = Team.of(policy, setting.seats)
    trouble = backend.row(5 if checked else 0)
    results = Results(*[backend.row(count * setting.seats) for count in (len(numbers), 1, 1)])
    actions = backend.run(team, setting)(
        backend.table(setting),
        backend.row(team.kinds),
        backend.ranks(setting),
        backend.number(seed),
        backend.numbers(numbers),
        backend.scratch(setting, 1),
        results,
        trouble,
    )
    row = [int(chips) for chips in results.stacks]
    hands = [row[at : at + setting.seats] for at in range(0, len(row), setting.seats)]
    return Played(hands, int(actions), [int(number) for number in trouble])


def compare_payments(backend: Backend, setting: RunSetup, seed: int, numbers: range) -> Counter[str]:
    """Play these hands with the random policy both ways: all stacks and numbers of actions must agree."""
    found, actions, _ = play_hands(backend, setting, "random", seed, numbers)
    counts: Counter[str] = Counter({"hands": len(numbers), f"hands of {setting.structure.code}": len(numbers)})
    for number, stacks in zip(numbers, found, strict=True):
        expected, asked = play_randomly(setting, seed, number)
        holds("the same payments to the chip", stacks == expected, f"hand {number}", stacks, expected, setting)
        counts["actions"] += asked
        counts["payments"] += len(expected)
    holds("as many actions", actions == counts["actions"], actions, counts["actions"], setting)
    return counts


def play(seed: int, number: int, hands: int = HANDS_A_SETTING, backend: Backend = PACKED) -> Counter[str]:
    """Compare some hands at the setting with this number."""
    chance = Chance(seed).fork(number)
    setting = some_setting(chance)
    first = chance.bits() >> 24  # hands of large numbers too
    counts = compare_payments(backend, setting, chance.bits(), range(first, first + hands))
    return counts + Counter({"settings": 1, f"settings of {setting.seats} seats": 1})


def try_setting(seed: int, number: int) -> tuple[Counter[str], str]:
    """What was compared at this setting, and what differed."""
    try:
        return play(seed, number), ""
    except Exception as error:
        failure = f"seed {seed}, setting {number}: {type(error).__name__}: {error}"
        return Counter({"hands": HANDS_A_SETTING, "settings": 1}), failure


def main() -> None:
    """Read the command line, play, and report on stderr how far it is and what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    started, counts, failures, part = perf_counter(), Counter[str](), list[str](), 0
    settings = -(-options.hands // HANDS_A_SETTING)
    with get_context("spawn").Pool(options.jobs) as pool:
        for counted, failure in pool.imap_unordered(partial(try_setting, options.seed), range(settings), chunksize=10):
            counts += counted
            if failure:
                failures.append(failure)
                if len(failures) <= PRINTED:
                    print(failure[:SHOWN], file=sys.stderr)
            if counts["settings"] * PARTS // settings > part:
                part = counts["settings"] * PARTS // settings
                print(f"{counts['hands']} of {options.hands} hands, {perf_counter() - started:.0f} s", file=sys.stderr)
    for line in table(counts, failures, perf_counter() - started):
        print(line)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
