"""Ranked arrays and a range beside OMPEval's, where OMPEVAL names its sources, and small jobs by themselves.

`OMPEVAL=DIR make bench ARGS="small"` prints a line for each figure; without OMPEVAL the comparison is left out.
"""

import datetime as dt
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from benchmarks.fast import Entrant, race, times
from benchmarks.page import load_in_words, machine_in_words
from benchmarks.players import BIG_BLIND, PLAYERS, SMALL_BLIND, STACK
from benchmarks.reference import OWN, NoCompiler, NoReference
from benchmarks.rules import Spread
from benchmarks.steps import measure_steps
from pitboss.cards import DECK
from pitboss.chance import Chance
from pitboss.fast.equity.equity import equity
from pitboss.fast.evaluate import evaluate
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, blinds

PROGRAM = Path(__file__).with_suffix(".cpp")
OPTIONS = ("-std=c++17", "-O3", "-pthread", "-include", "functional")  # which its sources use and do not include
PARTS = ("HandEvaluator.cpp", "EquityCalculator.cpp", "CardRange.cpp", "CombinedRange.cpp")
RANGE = "QQ+,AKs,AcQc"
OMAHA = ("AsAdKsKd", "JhTh9c8c")
TWO_RANGES, FLOP, FLOP_MS = ("15%", "30%"), "Ks7d2c", 50
SHARE, TIME_SHARE, OMAHA_MS = 0.9, 0.1, 100
"""The goals: at least of OMPEval's ranked rows, at most of its time for a range, and at most these milliseconds."""


class Amount(Struct, frozen=True):
    """How much is measured."""

    rounds: int = 15
    ranges: int = 3  #: rounds of a range, which takes OMPEval seconds
    rows: int = 100_000
    repeats: int = 10  #: calls timed together where one is too short
    steps: int = 20_000


QUICK = Amount(rounds=1, ranges=1, rows=200, repeats=1, steps=50)
"""Enough to see that it runs."""


class Ompeval:
    """OMPEval, built from its sources into a program of its own: as a library it would be a tenth slower."""

    def __init__(self, program: Path) -> None:
        self._program = program
        self._rows, self._strengths = program.with_suffix(".rows"), program.with_suffix(".strengths")

    @classmethod
    def build(cls, sources: Path, folder: Path) -> "Ompeval":
        """Compile into a folder, from a copy in it: newer compilers want two of its functions to be constant."""
        command = next(filter(None, map(shutil.which, (os.environ.get("CXX", "c++"), "g++", "clang++"))), None)
        if command is None:
            raise NoCompiler("there is no C++ compiler: install one, or name it in CXX")
        if not (sources / "omp").is_dir():
            raise NoReference(f"OMPEVAL names {sources}, which has no folder omp: name the folder of OMPEval's sources")
        for part in ("omp", "libdivide"):
            shutil.copytree(sources / part, folder / part)
        random = folder / "omp" / "Random.h"
        random.write_text(
            random.read_text(encoding="utf-8").replace("    static uint64_t m", "    static constexpr uint64_t m")
        )
        program = folder / "ompeval"
        files = [str(PROGRAM), *[str(folder / "omp" / part) for part in PARTS]]
        done = subprocess.run(
            [command, OWN, *OPTIONS, "-I", str(folder), "-o", str(program), *files],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise NoReference(f"{command} did not compile OMPEval: {done.stderr.strip()}")
        return cls(program)

    def rank(self, rows: Any, repeats: int = 1) -> tuple[Any, float]:
        """The strengths of rows of seven card numbers, and the processor time of ranking them so often."""
        self._rows.write_bytes(rows.tobytes())
        (seconds,) = self._run("rank", self._rows, self._strengths, repeats)
        return np.fromfile(self._strengths, np.uint16), seconds

    def equity(self, first: str, second: str) -> tuple[float, float]:
        """What the first range wins, every board counted on one thread, and the processor time that took."""
        seconds, found = self._run("equity", first, second)
        return found, seconds

    def _run(self, *words: object) -> list[float]:
        done = subprocess.run([str(self._program), *map(str, words)], capture_output=True, text=True, check=True)
        return [float(word) for word in done.stdout.split()]


def same_order(ours: Any, theirs: Any) -> bool:
    """Whether two rankings put the same hands above, below and level with each other."""
    pairs = np.unique(np.stack([ours, theirs], axis=1).astype(np.int64), axis=0)
    return bool((np.diff(pairs[:, 0]) > 0).all() and (np.diff(pairs[:, 1]) > 0).all())


def measure(amount: Amount, ompeval: Ompeval | None, say: Callable[[str], object]) -> list[str]:
    """Measure everything on one core by processor time, and say a line for each figure; what missed a goal."""
    source = np.random.default_rng(1)
    rows = np.argsort(source.random((amount.rows, len(DECK))), axis=1)[:, :7].astype(np.uint8)
    evaluate(rows, compiled=True)  # once unmeasured: compiled, or loaded
    pieces, missed = amount.rows * amount.repeats, []
    ours, theirs = [], []
    for _ in range(amount.rounds):
        begun = time.process_time()
        for _ in range(amount.repeats):
            found = evaluate(rows)
        ours.append(pieces / (time.process_time() - begun))
        if ompeval:
            strengths, seconds = ompeval.rank(rows, amount.repeats)
            theirs.append(pieces / seconds)
            if not same_order(found, strengths):
                raise ValueError("OMPEval ranks these hands in another order")
    say(f"seven cards ranked, an array: {_millions(ours)} M/s")
    if ompeval:
        share = times(ours, theirs)
        line = f"OMPEval: {_millions(theirs)} M/s; pitboss does {_spread(share)} of it; the goal is at least {SHARE}"
        say(line)
        say("what differs: pitboss refuses a row in which a card appears twice, and OMPEval trusts its rows")
        missed += [line] if share.median < SHARE else []
    missed += measure_range(amount, ompeval, say)
    return missed + measure_small(amount, say)


def measure_range(amount: Amount, ompeval: Ompeval | None, say: Callable[[str], object]) -> list[str]:
    """A range against any hand, exactly."""
    answer = equity(RANGE, "random", exact=True, cores=1, compiled=True)  # once unmeasured
    ours, shares = [], []
    for _ in range(amount.ranges):
        begun = time.process_time()
        equity(RANGE, "random", exact=True, cores=1)
        ours.append(time.process_time() - begun)
        if ompeval:
            found, seconds = ompeval.equity(RANGE, "random")
            shares.append(ours[-1] / seconds)
            if round(found, 6) != round(answer.equity[0], 6):
                raise ValueError(f"OMPEval finds {found:.6f} for {RANGE}, and pitboss {answer.equity[0]:.6f}")
    say(f"{RANGE} against random, exactly: {1000 * Spread.of(ours).median:,.1f} ms")
    if not ompeval:
        return []
    share = Spread.of(shares)
    line = f"the same beside OMPEval: {_spread(share, 3)} of its time; the goal is at most {TIME_SHARE}"
    say(line)
    return [line] if share.median > TIME_SHARE else []


def measure_small(amount: Amount, say: Callable[[str], object]) -> list[str]:
    """Small jobs: two Omaha hands, two ranges, a batch beside OpenSpiel, a shuffle and a hand's start."""
    equity(*OMAHA, game="omaha", exact=True, cores=1, compiled=True)  # once unmeasured: compiled, or loaded
    omaha = Entrant("", 1, lambda _: equity(*OMAHA, game="omaha", exact=True, cores=1))
    found = 1000 / Spread.of(race([omaha], amount.rounds)[0]).median
    line = f"{' against '.join(OMAHA)}, Omaha, exactly: {found:,.1f} ms; the goal is below {OMAHA_MS} ms"
    say(line)
    missed = [line] if found >= OMAHA_MS else []
    missed += measure_ranges(amount, say)
    missed += measure_steps(amount.rounds, amount.steps, say)
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
    return missed


def measure_ranges(amount: Amount, say: Callable[[str], object]) -> list[str]:
    """Two ranges, without options: on a flop, and before it."""
    missed = []
    for board, most, rounds in ((FLOP, FLOP_MS, amount.rounds), ("", None, amount.ranges)):
        answer = equity(*TWO_RANGES, board=board, compiled=True)  # once unmeasured
        found = _milliseconds(board, rounds)
        goal = "exactly" if most is None else f"exactly, in less than {most} ms"
        spot = " against ".join(TWO_RANGES) + (f" on {board}" if board else "")
        line = f"{spot}: {'exactly' if answer.exact else 'sampled'}, {found:,.1f} ms; the goal is {goal}"
        say(line)
        missed += [line] if not answer.exact or (most is not None and found >= most) else []
    return missed


def _milliseconds(board: str, rounds: int) -> float:
    return 1000 / Spread.of(race([Entrant("", 1, lambda _: equity(*TWO_RANGES, board=board))], rounds)[0]).median


def _millions(rates: list[float]) -> str:
    return _spread(Spread.of([rate / 1e6 for rate in rates]), 0)


def _spread(spread: Spread, digits: int = 2) -> str:
    return f"{spread.median:.{digits}f} ({spread.low:.{digits}f} to {spread.high:.{digits}f})"


class SmallReport(Struct, frozen=True):
    """The lines that were said, and those of them that missed a goal."""

    lines: tuple[str, ...]
    missed: tuple[str, ...]
    left_out: str = ""  #: why OMPEval is not among them


def measure_all(amount: Amount, sources: str | None) -> SmallReport:
    """Measure, and compare with OMPEval if its sources are given."""
    lines: list[str] = []
    if not sources:
        missed = measure(amount, None, lines.append)
        return SmallReport(
            tuple(lines), tuple(missed), "OMPEval is left out: name the folder of its sources in OMPEVAL"
        )
    with tempfile.TemporaryDirectory(prefix="pitboss-bench-") as folder:
        missed = measure(amount, Ompeval.build(Path(sources), Path(folder)), lines.append)
    return SmallReport(tuple(lines), tuple(missed))


def section(report: SmallReport, today: dt.date) -> str:
    """Their part of the page."""
    written = (
        f'`make bench ARGS="small --write"` wrote this on {today.isoformat()}: {machine_in_words()}. {load_in_words()}'
    )
    lines: Sequence[str] = [f"- {line}" for line in report.lines]
    end = ["", f"{report.left_out}."] if report.left_out else []
    return "\n".join(["## Small jobs, and OMPEval", "", written, "", *lines, *end]) + "\n"
