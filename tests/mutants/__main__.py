"""`python -m tests.mutants`: put a thousand small faults into packages, drawn by a seed, and see which are noticed.

First `--cover` runs the tests once and records the lines that each reaches. A fault that survives must be in
`reasons.toml` with the reason, or a test is missing.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from hashlib import sha256
from multiprocessing.pool import ThreadPool
from pathlib import Path
from queue import Queue

import msgspec

from tests.mutants.covering import WRITTEN, Covering, read_covering
from tests.mutants.points import Key, Mutant, find_mutants, runs_at_import, within
from tests.mutants.trying import Task, Trial
from tests.support.figures import write_row

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("betting", "table", "arena", "store")
WORK = ROOT / ".mutants"
ALIVE = ("survived", "not reached")
LEAST_SHARE = 0.95
Reason = tuple[str, str, str, str, int]
"""The name of a fault in the list of reasons: file, function, new code, old code, and its number among equal ones."""
REASONS = Path(__file__).parent / "reasons.toml"
TESTS = (
    *("betting", "table", "store", "hand", "arena", "golden", "client"),
    *("machines", "laws", "seeds", "sim", "records", "formats", "documents", "cli"),
)
NOT_HERE = (
    *("cli/lab/", "cli/sting/", "cli/test_equity_", "cli/test_evaluate_", "cli/test_simulate_", "cli/test_warmup_"),
    *("seeds/test_001_lab_rulings", "records/test_recorded_hands", "formats/phh/test_recorded_files", "phh/test_fuzz"),
    *("sites/test_site_files", "sites/test_pokerstars_files", "bots/test_strength", "laws/test_cheating_organiser"),
    *("laws/test_fair_cards", "test_pending_connections_load", "test_number_exchange_speed", "test_power_loss"),
)
"""Parts of paths of tests: of other packages, and those that take too long to run for every fault."""
STARTING = ("served(", "subprocess", "COMMAND", "start_bot", "House(")
"""Words of a test's file that starts processes: they may reach there what no test reaches in its own."""
COVER_SECONDS = 150.0
"""How long the tests of one file may take to be followed."""
SECONDS = 60.0
"""How long the tests for one fault may take together, as they took without it: the quickest first, one at least."""
LEFT_OUT = {".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "__pycache__", ".mutants"}
"""What a copy of the project does without."""


def main() -> int:
    """Cover, or try."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cover", action="store_true", help="run the tests once to see what each reaches")
    parser.add_argument("--mutants", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", help="of the faults drawn, only those in files whose path holds this")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="leave out what an earlier run has covered or noticed",
    )
    parser.add_argument("--minutes", type=float, default=24 * 60.0, help="begin no more faults after so long")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long the tests for one fault may take")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the copies of the project are removed
    if given.cover or not list(WORK.glob("cover/*.json")):
        cover(given.jobs, resume=given.resume)
    covering = read_covering(WORK / "cover", ROOT)
    possible = all_mutants()
    mutants = [mutant for mutant in draw(possible, given.mutants, given.seed) if given.only in mutant.path]
    before = read_trials() if given.resume else {}
    left = [mutant for mutant in mutants if not is_noticed(before.get(mutant.key))]
    until = time.monotonic() + 60 * given.minutes
    now = {trial.mutant.key: trial for trial in try_all(left, covering, given.seconds, given.jobs, until)}
    trials = [now.get(mutant.key) or before.get(mutant.key) for mutant in mutants]
    return report([trial for trial in trials if trial], given.seed, possible, whole=not given.only)


def cover(jobs: int, *, resume: bool) -> None:
    """Run the tests, file by file, and write down which lines each reaches; the examples in the code are tests too."""
    folder = WORK / "cover"
    if not resume:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    examples = [ROOT / "src" / "pitboss" / package for package in PACKAGES]
    paths = [path for path in [*examples, *find_tests()] if not _covered(path).exists()]
    with ThreadPool(jobs) as pool:
        for path, said in pool.imap(_cover_file, paths):
            print(f"{path.relative_to(ROOT)}: {said}", flush=True)


def find_tests() -> list[Path]:
    """Return the files of tests that are run for the faults."""
    paths = [path for name in TESTS for path in sorted((ROOT / "tests" / name).rglob("test_*.py"))]
    return [path for path in paths if not any(part in path.as_posix() for part in NOT_HERE)]


def _covered(path: Path) -> Path:
    """Where it is written what the tests of a file reach."""
    return WORK / "cover" / f"{'.'.join(path.relative_to(ROOT).with_suffix('').parts)}.json"


def _cover_file(path: Path) -> tuple[Path, str]:
    """Run the tests of one file; those that come too late take no part."""
    options = ["-q", "-n", "0", "-p", "no:randomly", "-p", "tests.mutants.covering", "--no-header"]
    command = [sys.executable, "-m", "pytest", *options, str(path)]
    environment = os.environ | {WRITTEN: str(_covered(path))}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as running:
        try:
            said, _ = running.communicate(timeout=COVER_SECONDS)
        except subprocess.TimeoutExpired:
            running.send_signal(signal.SIGINT)  # it still writes down what it has seen
            said, _ = running.communicate()
    return path, (said.strip().splitlines() or [""])[-1]


def all_mutants() -> list[Mutant]:
    """Every fault that can be put into the packages."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / "src" / "pitboss" / package).rglob("*.py"))]
    return [mutant for path in paths for mutant in find_mutants(str(path.relative_to(ROOT)), path.read_text("utf-8"))]


def draw(possible: list[Mutant], number: int, seed: int) -> list[Mutant]:
    """Draw `number` faults by a seed. The order of two faults depends only on the two, so that a change of the code
    changes few of the draws. They come package by package."""
    drawn = sorted(possible, key=lambda mutant: sha256(repr((seed, mutant.key)).encode()).digest())[:number]
    return sorted(drawn, key=lambda mutant: PACKAGES.index(Path(mutant.path).parts[2]))


def task_for(mutant: Mutant, covering: Covering, seconds: float, first: str = "") -> Task:
    """The tests that reach a fault, the quickest first, as many as there is time for.

    A fault in code that runs on import may be noticed by any test that uses or loads the file; one that no test
    reaches in its own process, by the tests that start other processes.
    """
    lines = covering.reached.get(mutant.path, {})
    here = range(mutant.line, mutant.end_line + 1)
    outside = runs_at_import(_source(mutant.path), mutant.line)
    anew = outside or any(line in covering.loading.get(mutant.path, ()) for line in here)
    using = {test for line in (lines if outside else here) for test in lines.get(line, ())}
    at = using.union(covering.loaded.get(mutant.path, ()), *lines.values()) if anew else using
    at = at or {test for test in covering.seconds if _starts_processes(test.partition("::")[0])}
    chosen: list[str] = []
    spent = 0.0
    for test in sorted(at, key=lambda test: (test != first, test not in using, covering.seconds[test])):
        spent += covering.seconds[test]
        if chosen and spent > seconds:
            break
        chosen.append(test)
    return Task(mutant, {test: covering.seconds[test] for test in chosen}, len(at), anew)


@cache
def _starts_processes(file: str) -> bool:
    path = ROOT / file
    text = path.read_text("utf-8") if path.is_file() else ""
    return any(word in text for word in STARTING)


def read_trials() -> dict[Key, Trial]:
    """How each fault went the last time that it was tried."""
    path = WORK / "trials.jsonl"
    lines = path.read_bytes().splitlines() if path.exists() else []
    trials = [msgspec.json.decode(line, type=Trial) for line in lines]
    return {trial.mutant.key: trial for trial in trials}


def is_noticed(trial: Trial | None) -> bool:
    """Whether a test failed, or did not come to an end."""
    return trial is not None and trial.outcome not in ALIVE


def try_all(mutants: list[Mutant], covering: Covering, seconds: float, jobs: int, until: float) -> Iterator[Trial]:
    """Try all faults, on several processors, as long as there is time; first by what noticed each the last time."""
    before = read_trials()
    files = sorted({test.partition("::")[0] for test in covering.seconds})
    with (
        tempfile.TemporaryDirectory(prefix="mutants-") as folder,
        ExitStack() as stack,
        ThreadPool(jobs) as pool,
        (WORK / "trials.jsonl").open("ab") as file,
    ):
        free: Queue[subprocess.Popen[bytes]] = Queue()
        for job in range(jobs):
            free.put(stack.enter_context(workshop(Path(folder, str(job)), files)))

        def try_one(mutant: Mutant) -> Trial | None:
            if time.monotonic() > until:
                return None
            worker = free.get()
            assert worker.stdin is not None
            assert worker.stdout is not None
            first = before[mutant.key].by if mutant.key in before else ""
            worker.stdin.write(msgspec.json.encode(task_for(mutant, covering, seconds, first)) + b"\n")
            worker.stdin.flush()
            answer = worker.stdout.readline()
            free.put(worker)
            return msgspec.json.decode(answer, type=Trial)

        counts: Counter[str] = Counter()
        for trial in filter(None, pool.imap_unordered(try_one, mutants)):
            file.write(msgspec.json.encode(trial) + b"\n")
            file.flush()
            counts[trial.outcome] += 1
            if trial.outcome in ALIVE:
                print(f"{trial.outcome}: {trial.mutant.name}", flush=True)
            if counts.total() % 25 == 0:
                print(f"{counts.total()}/{len(mutants)} {dict(counts)}", file=sys.stderr)
            yield trial


@contextmanager
def workshop(folder: Path, files: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A copy of the project, and a process in it that tries the faults it is sent."""
    project = folder / "project"
    shutil.copytree(ROOT, project, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
    (folder / "shared").symlink_to(ROOT.parent / "shared")
    environment = os.environ | {"PYTHONPATH": f"{project / 'src'}{os.pathsep}{project}"}
    command = [sys.executable, "-m", "tests.mutants.trying", *files]
    with (
        (WORK / "errors.txt").open("ab") as errors,
        subprocess.Popen(
            command, cwd=project, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
        ) as worker,
    ):
        try:
            yield worker
        finally:
            worker.kill()


def read_reasons() -> dict[Reason, str]:
    """The faults for whose surviving there is a reason."""
    reasons = tomllib.loads(REASONS.read_text(encoding="utf-8"))["mutant"]
    return {
        (each["path"], each["within"], each["before"], each["after"], each.get("nth", 0)): each["reason"]
        for each in reasons
    }


def reason_keys(possible: list[Mutant]) -> dict[Key, Reason]:
    """The key of each fault in the reasons: its place, its change, and how many equal faults come before it there."""
    like: Counter[tuple[str, str, str, str]] = Counter()
    keys = {}
    for mutant in possible:
        name = mutant.path, within(_source(mutant.path), mutant.line), mutant.before, mutant.after
        keys[mutant.key] = (*name, like[name])
        like[name] += 1
    return keys


@cache
def _source(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def report(trials: list[Trial], seed: int, possible: list[Mutant], *, whole: bool) -> int:
    """Print each package's result; a survivor without a reason is a failure, and so is a reason without a fault."""
    known, keys = read_reasons(), reason_keys(possible)
    alive = [trial.mutant for trial in trials if trial.outcome in ALIVE]
    unexplained = [mutant for mutant in alive if not known.get(keys[mutant.key])]
    without_fault = known.keys() - keys.values()
    for package in PACKAGES:
        counts = Counter(trial.outcome for trial in trials if f"/{package}/" in trial.mutant.path)
        print(f"{package}: {', '.join(f'{number} {outcome}' for outcome, number in counts.most_common()) or 'none'}")
    for mutant in unexplained:
        print(f"no reason: {mutant.name} (nth {keys[mutant.key][-1]} in {keys[mutant.key][1]})")
    for path, where, before, after, _ in without_fault:
        print(f"no such fault: {path}: {where}: {before} → {after}")
    hung = [trial for trial in trials if trial.outcome == "timed out"]
    for trial in hung:
        print(f"no end: {trial.mutant.name} in {trial.by}")
    noticed = len(trials) - len(alive)
    share = round(noticed / max(1, len(trials)), 4)
    explained = len(alive) - len(unexplained)
    print(f"{noticed} of {len(trials)} were noticed ({share:.1%}), {len(hung)} of them by a test that came to no end")
    print(f"{explained} of the others have their reason, {len(unexplained)} have none")
    if whole and len(trials) >= 1000:  # a trial is not evidence
        write_row(
            "mutants",
            tried=len(trials),
            noticed=noticed,
            share=share,
            without_end=len(hung),
            with_a_reason=explained,
            without_a_reason=len(unexplained),
            possible=len(possible),
            seed=seed,
        )
    return 1 if unexplained or without_fault or share < LEAST_SHARE else 0


if __name__ == "__main__":
    sys.exit(main())
