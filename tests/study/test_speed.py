"""A hundred thousand PokerStars hands become statistics in under a minute on two cores."""

import os
import re
import time
from pathlib import Path

import pytest

from pitboss.study.statistics import statistics
from tests.support.promises import write_figures
from tests.support.study.generator import write_hands

HANDS, DIFFERENT = 100_000, 5_000
SECONDS, CORES = 60, 2
NUMBER = re.compile(r"#\d+:")


def processor_time() -> float:
    """What this process and those it has ended have used."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def write_many(path: Path) -> None:
    """So many hands in one file, a number of them different and then again under other numbers."""
    texts = list(write_hands(DIFFERENT))
    with path.open("w", encoding="utf-8") as file:
        for number in range(HANDS):
            file.write(NUMBER.sub(f"#{number + 1}:", texts[number % DIFFERENT], count=1))


@pytest.mark.slow
def test_a_hundred_thousand_hands_in_under_a_minute(tmp_path: Path) -> None:
    """Other programs may hold the cores: what counts is the time that ours had, spread over two of them."""
    path = tmp_path / "hands.txt"
    write_many(path)
    begun, used = time.perf_counter(), processor_time()
    counted = statistics(path, cores=CORES)
    seconds, used = time.perf_counter() - begun, processor_time() - used
    assert (counted.hands, counted.skipped) == (HANDS, ())
    write_figures(
        "study-speed",
        hands=HANDS,
        cores=CORES,
        seconds=round(seconds, 1),
        processor_seconds=round(used, 1),
        hands_a_second_and_core=round(HANDS / used),
    )
    assert min(seconds, used / CORES) < SECONDS
