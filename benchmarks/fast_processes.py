"""What takes a whole machine or a whole process to measure: cores, memory, and the first call."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.fast_report import CoresFigures, ProcessFigures
from benchmarks.players import PLAYERS
from benchmarks.rules import Spread
from pitboss.fast.play.simulate import simulate
from pitboss.fast.threads import available_cores

START = "import sys; from pitboss.fast.play.simulate import simulate; simulate(int(sys.argv[1]))"
GROWN = """
import resource, sys
from pitboss.fast.play.simulate import simulate
unit = 1 if sys.platform == "darwin" else 1024
for hands in map(int, sys.argv[1:]):
    simulate(hands)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)
"""


def measure_cores(hands: int, rounds: int) -> CoresFigures:
    """The same hands on ever more cores, by wall time."""
    cores = core_counts(available_cores())
    simulate(hands // 10 + 1, seats=PLAYERS, cores=cores[-1])
    rates: list[list[float]] = [[] for _ in cores]
    begun, busy, own = time.perf_counter(), busy_seconds(), time.process_time()
    for number in range(rounds):
        for at in range(len(cores)) if number % 2 else reversed(range(len(cores))):
            rates[at].append(simulate(hands, seats=PLAYERS, seed=number, cores=cores[at]).hands_per_second)
    others = None
    if busy is not None and (after := busy_seconds()) is not None:
        lasted = (time.perf_counter() - begun) * (os.cpu_count() or 1)
        others = max(0.0, after - busy - (time.process_time() - own)) / lasted
    return CoresFigures(
        hands,
        others,
        cores,
        tuple([Spread.of(each) for each in rates]),
        tuple([Spread.of([a / b for a, b in zip(each, rates[0], strict=True)]) for each in rates]),
    )


def core_counts(available: int) -> tuple[int, ...]:
    """One, two, and so on, ever further apart.

    >>> core_counts(2), core_counts(12)
    ((1, 2), (1, 2, 3, 4, 6, 8, 12))
    """
    some = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
    return tuple(sorted({count for count in some if count < available} | {available}))


def busy_seconds() -> float | None:
    """How long all processors together have worked since the machine was started; None where the system does not tell.

    Time that a virtual machine's host kept for itself counts as work: it was not to be had either.
    """
    try:
        first = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0]
    except OSError:
        return None
    user, nice, system, _idle, _waiting, *interrupts = map(int, first.split()[1:9])
    return (user + nice + system + sum(interrupts)) / float(os.sysconf("SC_CLK_TCK"))


def measure_processes(
    memory: tuple[int, int], hands: int, *, first_starts: int = 1, later_starts: int = 1
) -> ProcessFigures:
    """Processes of their own: the memory that many hands need beyond few, the time of a first and a later call."""
    fewer, more = map(int, _python(GROWN, *memory, cache=None).split())
    first, later = [], []
    for _ in range(first_starts):
        with tempfile.TemporaryDirectory(prefix="pitboss-bench-") as folder:
            first.append(_seconds(hands, folder))
            later += [_seconds(hands, folder) for _ in range(later_starts)]
    return ProcessFigures(*memory, (more - fewer) / 2**20, hands, Spread.of(first), Spread.of(later))


def _seconds(hands: int, cache: str) -> float:
    """Measure how long a whole process takes to play some hands, including Python's start."""
    begun = time.perf_counter()
    _python(START, hands, cache=cache)
    return time.perf_counter() - begun


def _python(code: str, *arguments: int, cache: str | None) -> str:
    environment = {**os.environ, "PITBOSS_CACHE": cache} if cache else None
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
