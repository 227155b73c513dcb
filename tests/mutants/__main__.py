"""`python -m tests.mutants`: put a thousand small faults into the rooms, drawn by a seed, and see which are noticed.

First `--cover` runs the tests once and writes down which lines each reaches. What survives must stand in `reasons.toml`
with the reason, or a test is missing.
"""

import argparse
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from multiprocessing.pool import ThreadPool
from pathlib import Path

import msgspec

from tests.mutants.covering import FOLDER, Reached, read_covering
from tests.mutants.points import Mutant, find_mutants, runs_at_import
from tests.mutants.trying import Trial, prepare, try_one
from tests.support.promises import write_figures

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("betting", "table", "arena", "store")
WORK = ROOT / ".mutants"
ALIVE = ("survived", "not reached")
LEAST_SHARE = 0.95
REASONS = Path(__file__).parent / "reasons.toml"
TESTS = (
    "betting",
    "table",
    "hand",
    "arena",
    "store",
    "client",
    "laws",
    "seeds",
    "cli",
    "notation",
    "sim",
    "machines",
    "golden",
)
NOT_HERE = (
    *("_lab_", "_equity_", "_evaluate_", "_warmup_", "_simulate_", "_data", "phh_fuzz"),
    *("bots_strength", "cheating_organiser", "fair_cards", "strangers_load", "mixing_speed", "power_loss"),
)
"""Tests of other rooms, and tests that take too long to be asked about every fault."""
COVER_SECONDS = 60.0
"""How long the tests of one file may take to be followed."""
SECONDS = 20.0
"""How long the tests for one fault may take together, as they took without it: the quickest first."""
MOST = 240
"""How many tests are run for one fault."""


def main() -> int:
    """Cover, or try."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cover", action="store_true", help="run the tests once to see what each reaches")
    parser.add_argument("--mutants", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", help="only files whose path holds this")
    parser.add_argument("--minutes", type=float, default=24 * 60.0, help="begin no more faults after so long")
    parser.add_argument("--go-on", action="store_true", help="what was noticed in the last run is not tried again")
    given = parser.parse_args()
    if given.cover or not list(WORK.glob("cover/*.json")):
        cover(given.jobs)
    reached, seconds = read_covering(WORK / "cover")
    mutants = draw(given.mutants, given.seed, given.only)
    done = read_trials() if given.go_on else {}
    until = time.monotonic() + 60 * given.minutes
    trials = [*try_all(mutants, done, partial(chosen_tests, reached=reached, seconds=seconds), given.jobs, until)]
    return report(trials, given.seed, len(all_mutants(given.only)))


def cover(jobs: int) -> None:
    """Run the tests, file by file, and write down which lines each reaches."""
    folder = WORK / "cover"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    tests = [path for name in TESTS for path in sorted((ROOT / "tests" / name).glob("test_*.py"))]
    with ThreadPool(jobs) as pool:
        for path, said in pool.imap_unordered(_cover_file, [path for path in tests if not _is_elsewhere(path)]):
            print(f"{path.relative_to(ROOT)}: {said}", flush=True)


def _is_elsewhere(path: Path) -> bool:
    return any(word in path.name for word in NOT_HERE)


def _cover_file(path: Path) -> tuple[Path, str]:
    """Run the tests of one file; those that come too late take no part."""
    options = ["-q", "-n", "0", "-p", "no:randomly", "-p", "tests.mutants.covering", "--no-header"]
    command = [sys.executable, "-m", "pytest", *options, str(path)]
    environment = os.environ | {FOLDER: str(WORK / "cover")}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as running:
        try:
            said, _ = running.communicate(timeout=COVER_SECONDS)
        except subprocess.TimeoutExpired:
            running.send_signal(signal.SIGINT)  # it still writes down what it has seen
            said, _ = running.communicate()
    return path, (said.strip().splitlines() or [""])[-1]


def all_mutants(only: str = "") -> list[Mutant]:
    """Every fault that can be put into the rooms."""
    paths = [path for room in ROOMS for path in sorted((ROOT / "src" / "pitboss" / room).rglob("*.py"))]
    names = [str(path.relative_to(ROOT)) for path in paths]
    return [mutant for name in names if only in name for mutant in find_mutants(name, (ROOT / name).read_text("utf-8"))]


def draw(number: int, seed: int, only: str) -> list[Mutant]:
    """So many faults, by a seed."""
    found = all_mutants(only)
    return random.Random(seed).sample(found, min(number, len(found)))


def chosen_tests(mutant: Mutant, reached: Reached, seconds: dict[str, float]) -> tuple[list[str], float]:
    """The tests that reach a fault, the quickest first, as many as there is time for, and how long they take."""
    lines = reached.get(mutant.path, {})
    at = {test for line in range(mutant.line, mutant.end_line + 1) for test in lines.get(line, ())}
    if runs_at_import((ROOT / mutant.path).read_text("utf-8"), mutant.line):
        at = {test for tests in lines.values() for test in tests}
    chosen: list[str] = []
    spent = 0.0
    for test in sorted(at, key=lambda test: seconds[test]):
        if chosen and (spent + seconds[test] > SECONDS or len(chosen) == MOST):
            break
        spent += seconds[test]
        chosen.append(test)
    return chosen, spent


def read_trials() -> dict[Mutant, Trial]:
    """What was noticed in the last run."""
    path = WORK / "trials.jsonl"
    lines = path.read_bytes().splitlines() if path.exists() else []
    trials = [msgspec.json.decode(line, type=Trial) for line in lines]
    return {trial.mutant: trial for trial in trials if trial.outcome not in ALIVE}


def try_all(
    mutants: list[Mutant],
    done: dict[Mutant, Trial],
    tests_for: Callable[[Mutant], tuple[list[str], float]],
    jobs: int,
    until: float,
) -> Iterator[Trial]:
    """Try all faults, on several processors, as long as there is time."""
    with (
        tempfile.TemporaryDirectory() as folder,
        multiprocessing.get_context("spawn").Pool(jobs, prepare, (ROOT, folder, until)) as pool,
        (WORK / "trials.jsonl").open("wb") as file,
    ):
        tasks = ((mutant, *tests_for(mutant)) for mutant in mutants if mutant not in done)
        tried = (trial for trial in pool.imap_unordered(try_one, tasks) if trial is not None)
        counts: Counter[str] = Counter()
        for trial in chain((done[mutant] for mutant in mutants if mutant in done), tried):
            file.write(msgspec.json.encode(trial) + b"\n")
            file.flush()
            counts[trial.outcome] += 1
            if trial.outcome in ALIVE:
                print(f"{trial.outcome}: {trial.mutant.name}", flush=True)
            if counts.total() % 25 == 0:
                print(f"{counts.total()}/{len(mutants)} {dict(counts)}", file=sys.stderr)
            yield trial


def report(trials: list[Trial], seed: int, possible: int) -> int:
    """Say how it went, room by room; a survivor without a reason is a failure."""
    reasons = tomllib.loads(REASONS.read_text(encoding="utf-8"))["mutant"]
    known = {(each["path"], each["before"], each["after"]): each["reason"] for each in reasons}
    alive = [trial.mutant for trial in trials if trial.outcome in ALIVE]
    unexplained = [mutant for mutant in alive if (mutant.path, mutant.before, mutant.after) not in known]
    for room in ROOMS:
        counts = Counter(trial.outcome for trial in trials if f"/{room}/" in trial.mutant.path)
        print(f"{room}: {', '.join(f'{number} {outcome}' for outcome, number in counts.most_common()) or 'none'}")
    killed = len(trials) - len(alive)
    share = round(killed / max(1, len(trials)), 4)
    explained = len(alive) - len(unexplained)
    print(f"{killed} of {len(trials)} were noticed ({share:.1%}), {explained} of the others have their reason")
    write_figures("mutants", tried=len(trials), of=possible, killed=killed, share=share, explained=explained, seed=seed)
    return 1 if unexplained or share < LEAST_SHARE else 0


if __name__ == "__main__":
    sys.exit(main())
