"""A hundred thousand PokerStars hands become statistics in under a minute on two cores.

If other programs use the machine meanwhile, processor time over two cores replaces wall time, and the test says so.
"""

import os
import re
import time
from pathlib import Path

import pytest

from benchmarks.fast_processes import busy_seconds
from benchmarks.fast_report import IDLE
from pitboss.study.statistics import statistics
from tests.support.figures import write_row
from tests.support.study.generator import write_hands

HANDS, DIFFERENT = 100_000, 5_000
SECONDS, CORES = 60, 2
NUMBER = re.compile(r"#\d+:")


def processor_time() -> float:
    """What this process and those it has ended have used."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def write_many(path: Path) -> None:
    """Write many hands to one file: some different ones, repeated under other numbers."""
    texts = list(write_hands(DIFFERENT))
    with path.open("w", encoding="utf-8") as file:
        for number in range(HANDS):
            file.write(NUMBER.sub(f"#{number + 1}:", texts[number % DIFFERENT], count=1))


def share_of_others(busy: float | None, used: float, seconds: float) -> float | None:
    """The share of the machine that other programs used, from all use and ours; None if the system does not report it.

    >>> share_of_others(150.0, 100.0, 50.0) == 50 / (50 * os.cpu_count())
    True
    """
    return None if busy is None else max(0.0, busy - used) / (seconds * (os.cpu_count() or 1))


def judged(seconds: float, used: float, others: float | None) -> tuple[float, str]:
    """The seconds that are compared with the goal, and what they are.

    They are wall time. Only if other programs demonstrably had a part of the machine, so that wall time includes them,
    processor time over the two cores replaces it.
    """
    if others is not None and others > IDLE:
        why = f"others had {others:.0%} of the machine: {used:.1f} s of processor time over {CORES} cores"
        return used / CORES, why
    return seconds, "wall time"


@pytest.mark.parametrize(
    ("others", "found", "what"),
    [
        (None, 70, "wall time"),
        (0.05, 70, "wall time"),
        (0.5, 45, "others had 50% of the machine: 90.0 s of processor time over 2 cores"),
    ],
)
def test_wall_time_counts_unless_others_had_the_machine(others: float | None, found: float, what: str) -> None:
    assert judged(70, 90, others) == (found, what)


@pytest.mark.slow
@pytest.mark.timing
def test_a_hundred_thousand_hands_in_under_a_minute(tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    write_many(path)
    begun, used, busy = time.perf_counter(), processor_time(), busy_seconds()
    counted = statistics(path, cores=CORES)
    seconds, used, after = time.perf_counter() - begun, processor_time() - used, busy_seconds()
    assert (counted.hands, counted.skipped) == (HANDS, ())
    others = share_of_others(None if busy is None or after is None else after - busy, used, seconds)
    found, what = judged(seconds, used, others)
    print(f"{HANDS:,} hands: {found:.1f} s by {what}; {seconds:.1f} s of wall time")
    write_row(
        "study-speed",
        hands=HANDS,
        cores=CORES,
        seconds=round(seconds, 1),
        processor_seconds=round(used, 1),
        hands_a_second_and_core=round(HANDS / used),
        judged_by=what,
    )
    assert found < SECONDS, what
