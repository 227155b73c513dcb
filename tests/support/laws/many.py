"""Plays many hands in two processes, each decided by seed and number alone, and prints the counts."""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from multiprocessing import Pool
from time import perf_counter

Play = Callable[[int, int], Counter[str]]

PROCESSES = 2
CHUNK = 100
PARTS = 20  # how often progress is reported
SHOWN = 600  # letters of a failure


def play_all(play: Play, seed: int, numbers: Iterable[int]) -> Counter[str]:
    """Play the hands of these numbers one after the other until one fails, which is named."""
    counts = Counter[str]()
    for number in numbers:
        counted, failures = try_all(play, seed, [number])
        if failures:
            raise AssertionError(failures[0])
        counts += counted
    return counts


def try_all(play: Play, seed: int, numbers: Iterable[int]) -> tuple[Counter[str], list[str]]:
    """Play the hands of these numbers one after the other, whatever fails; every failure names its hand."""
    counts, failures = Counter[str](), list[str]()
    for number in numbers:
        try:
            counts += play(seed, number)
        except Exception as error:
            counts["hands"] += 1
            failures.append(f"seed {seed}, hand {number}: {type(error).__name__}: {error}")
    return counts, failures


def chunks(hands: int) -> list[range]:
    """Cut the numbers into pieces worth sending to a process."""
    return [range(start, min(start + CHUNK, hands)) for start in range(0, hands, CHUNK)]


def run(play: Play, what: str) -> tuple[Counter[str], list[str], float]:
    """Read the command line, play, and report on stderr how far it is and what failed."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    started, counts, failures, part = perf_counter(), Counter[str](), list[str](), 0
    with Pool(PROCESSES) as pool:
        for counted, failed in pool.imap_unordered(partial(try_all, play, options.seed), chunks(options.hands)):
            counts += counted
            failures += failed
            for failure in failed:
                print(failure[:SHOWN], file=sys.stderr)
            if counts["hands"] * PARTS // options.hands > part:
                part = counts["hands"] * PARTS // options.hands
                print(f"{counts['hands']} of {options.hands} hands, {perf_counter() - started:.0f} s", file=sys.stderr)
    return counts, failures, perf_counter() - started


def table(counts: Counter[str], failures: list[str], seconds: float) -> Iterator[str]:
    """The counts as a Markdown table."""
    yield "| | |"
    yield "| --- | ---: |"
    for name in sorted(counts, key=lambda name: (-counts[name], name)):
        yield f"| {name} | {counts[name]:,} |"
    yield f"| failures | {len(failures):,} |"
    yield f"| seconds | {seconds:.0f} |"
