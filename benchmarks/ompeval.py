"""Ranked arrays beside OMPEval's, where OMPEVAL names its sources, and small jobs by themselves.

`OMPEVAL=DIR python -m benchmarks.ompeval` prints a line for each figure; without OMPEVAL the comparison is left out.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from ctypes import CDLL, c_size_t, c_void_p
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from benchmarks.fast import Entrant, race, times
from benchmarks.measuring import Spread
from benchmarks.players import BIG_BLIND, PLAYERS, SMALL_BLIND, STACK
from benchmarks.reference import OWN, NoCompiler, NoReference
from pitboss.cards import DECK
from pitboss.chance import Chance
from pitboss.fast.equity.equity import equity
from pitboss.fast.equity.evaluate import SMALL, evaluate
from pitboss.fast.play.batch import Batch
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, blinds

GLUE = Path(__file__).with_suffix(".cpp")
# As a library it runs about a tenth slower than as a program, so the ratio here is that much too good for us.
OPTIONS = ("-std=c++17", "-O3", "-shared", "-fPIC")
RANGE = "QQ+,AKs,AcQc"
OMAHA = ("AsAdKsKd", "JhTh9c8c")
SHARE, OMAHA_MS = 0.9, 100
"""The goals: of OMPEval's ranked rows at least, and below so many milliseconds."""


class Amount(Struct, frozen=True):
    """How much is measured."""

    rounds: int = 15
    rows: int = SMALL
    repeats: int = 10  #: calls timed together where one is too short
    steps: int = 20_000


QUICK = Amount(rounds=1, rows=200, repeats=1, steps=50)
"""Enough to see that it runs."""


class Ompeval:
    """OMPEval, built from its sources."""

    def __init__(self, library: Path) -> None:
        self._library = CDLL(str(library))
        self._library.rank_rows.argtypes = (c_void_p, c_size_t, c_void_p)

    @classmethod
    def build(cls, sources: Path, folder: Path) -> "Ompeval":
        """Compile into a folder."""
        command = next(filter(None, map(shutil.which, (os.environ.get("CXX", "c++"), "g++", "clang++"))), None)
        if command is None:
            raise NoCompiler("there is no C++ compiler: install one, or name it in CXX")
        library = folder / "ompeval.so"
        files = [str(GLUE), str(sources / "omp" / "HandEvaluator.cpp")]
        done = subprocess.run(
            [command, OWN, *OPTIONS, "-I", str(sources), "-o", str(library), *files],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise NoReference(f"{command} did not compile OMPEval: {done.stderr.strip()}")
        return cls(library)

    def rank(self, rows: Any) -> Any:
        """The strengths of rows of seven card numbers."""
        strengths = np.empty(len(rows), np.uint16)
        self._library.rank_rows(rows.ctypes.data, len(rows), strengths.ctypes.data)
        return strengths


def same_order(ours: Any, theirs: Any) -> bool:
    """Whether two rankings put the same hands above, below and level with each other."""
    pairs = np.unique(np.stack([ours, theirs], axis=1).astype(np.int64), axis=0)
    return bool((np.diff(pairs[:, 0]) > 0).all() and (np.diff(pairs[:, 1]) > 0).all())


def measure(amount: Amount, ompeval: Ompeval | None, say: Callable[[str], object]) -> None:
    """Measure everything on one core by processor time, and say a line for each figure."""
    source = np.random.default_rng(1)
    rows = np.argsort(source.random((amount.rows, len(DECK))), axis=1)[:, :7].astype(np.uint8)
    evaluate(np.tile(rows, (2 + SMALL // len(rows), 1)))  # once unmeasured: compiled, or loaded
    pieces = amount.rows * amount.repeats
    entrants = [Entrant("", pieces, lambda _: [evaluate(rows) for _ in range(amount.repeats)])]
    if ompeval:
        if not same_order(evaluate(rows), ompeval.rank(rows)):
            raise ValueError("OMPEval ranks these hands in another order")
        entrants.append(Entrant("", pieces, lambda _: [ompeval.rank(rows) for _ in range(amount.repeats)]))
    ranked = race(entrants, amount.rounds)
    say(f"seven cards ranked, an array: {_millions(ranked[0])} M/s")
    if ompeval:
        share = times(ranked[0], ranked[1])
        say(f"OMPEval: {_millions(ranked[1])} M/s; pitboss does {_spread(share)} of it; the goal is at least {SHARE}")
    measure_small(amount, say)


def measure_small(amount: Amount, say: Callable[[str], object]) -> None:
    """What nobody is compared with: a range, two Omaha hands, a table in lockstep, a shuffle and a hand's start."""
    equity(RANGE, "random", exact=True, cores=1)  # once unmeasured
    ranges = Entrant("", 1, lambda _: equity(RANGE, "random", exact=True, cores=1))
    found = 1000 / Spread.of(race([ranges], amount.rounds)[0]).median
    say(f"{RANGE} against random, exactly: {found:,.1f} ms")
    equity(*OMAHA, structure="omaha", exact=True, cores=1)
    omaha = Entrant("", 1, lambda _: equity(*OMAHA, structure="omaha", exact=True, cores=1))
    found = 1000 / Spread.of(race([omaha], amount.rounds)[0]).median
    say(f"{' against '.join(OMAHA)}, Omaha, exactly: {found:,.1f} ms; the goal is below {OMAHA_MS} ms")
    batch = Batch(1)
    actions = batch.observe().legal[:, :3].argmax(axis=1)
    batch.step(actions)

    def step(_: int) -> None:
        for _ in range(amount.steps):
            batch.step(batch.observe().legal[:, 1:3].argmax(axis=1) + 1)

    say(f"Batch(1): {Spread.of(race([Entrant('', amount.steps, step)], amount.rounds)[0]).median:,.0f} steps a second")
    chance, cards, stacks = Chance(1), 2 * PLAYERS + 5, (STACK,) * PLAYERS
    stakes = Stakes(min_bet=BIG_BLIND, posts=blinds(PLAYERS, SMALL_BLIND, BIG_BLIND))
    deck, each = chance.shuffled(DECK, cards), range(amount.steps)
    works = [
        Entrant("", amount.steps, lambda _: [chance.shuffled(DECK, cards) for _ in each]),
        Entrant(
            "",
            amount.steps,
            lambda _: [Hand.start(NO_LIMIT_HOLDEM, stacks=stacks, stakes=stakes, deck=deck) for _ in each],
        ),
    ]
    shuffle, start = [1e6 / Spread.of(rates).median for rates in race(works, min(3, amount.rounds))]
    say(f"a shuffle of {cards} cards in a loop of one's own: {shuffle:.1f} µs; the start of a hand: {start:.1f} µs")


def _millions(rates: list[float]) -> str:
    return _spread(Spread.of([rate / 1e6 for rate in rates]), 0)


def _spread(spread: Spread, digits: int = 2) -> str:
    return f"{spread.median:.{digits}f} ({spread.low:.{digits}f} to {spread.high:.{digits}f})"


def main() -> None:
    """Print all lines, and to the side why something was left out."""
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="pitboss-bench-") as folder:
        ompeval = None
        if named := os.environ.get("OMPEVAL"):
            ompeval = Ompeval.build(Path(named), Path(folder))
        else:
            print("OMPEval is left out: name the folder of its sources in OMPEVAL", file=sys.stderr)
        measure(Amount(), ompeval, print)
    print(f"measured in {time.perf_counter() - begun:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
