"""One fault after the other, in a copy of the project, until a test fails: a process that has loaded all tests.

For each fault it forks, gives the functions of the fault's file their faulty code and runs the tests that reach it, so
that a try costs little more than the tests themselves. A fault in what runs as a file is loaded (a constant, a class, a
function that is called there) needs everything loaded anew. `python -m tests.mutants` starts it.
"""

import gc
import importlib
import os
import resource
import select
import shutil
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from math import ceil
from pathlib import Path
from types import CodeType, FunctionType
from typing import Literal

import msgspec
import pytest
from hypothesis import Phase, settings
from msgspec import Struct

from tests.mutants.points import Mutant

Outcome = Literal["killed", "timed out", "survived", "not reached"]
LOADED = ("aiohttp", "hypothesis", "msgspec", "numpy", "click", "rich", "asyncio", "sqlite3", "xdist", "random")
"""What tests need and no fault is put into."""
PATIENCE, FREE = 4.0, 10.0
"""How many times longer than without a fault the tests may compute, and how many seconds more."""
WAITING = 6.0
"""How many times longer tests may take than they compute: a busy machine or a waiting test is not a fault."""
AT_ONCE = (40, 400)
"""How many tests are run by the first process, and by the next: most faults are noticed by the first few."""
BROKEN = 99
"""How a process ends that the tests themselves bring down."""
OUT_OF_TIME = (None, -signal.SIGXCPU, -signal.SIGKILL)
"""How a test process ends that does not stop: it waits or computes without end."""
OPTIONS = (
    *("-W", "ignore::pytest.PytestAssertRewriteWarning", "-x", "-q", "-n", "0", "-m", ""),
    *("-p", "no:randomly", "-p", "no:cacheprovider"),
)


Changed = list[tuple[FunctionType, CodeType]]
"""Functions, each with its faulty code."""


class Task(Struct, frozen=True):
    """A fault, the tests to run with their usual times, the number that reach it, and whether all is loaded again."""

    mutant: Mutant
    tests: dict[str, float]
    reaching: int
    anew: bool


class Trial(Struct, frozen=True):
    """A fault, what became of it, in how long, how many tests were run at most of how many, and which noticed."""

    mutant: Mutant
    outcome: Outcome
    seconds: float
    tests: int
    reaching: int
    by: str = ""


class Workshop:
    """A copy of the project to put faults into, with all of it loaded."""

    def __init__(self, folder: Path, files: Sequence[str]) -> None:
        self._folder = folder
        self._tries = 0
        self._changed: Changed | None = None
        self._fit: dict[tuple[str, bool], bool] = {}  # whether a test that noticed a fault passes without one
        for name in LOADED:
            importlib.import_module(name)
        there = [file for file in files if (folder / file).exists()]
        self._known: dict[bool, set[str]] = {}  # by whether all is loaded anew: read again, odd tests have other names
        for anew in (True, False):
            follower = _Follower(folder / ".running")
            pytest.main([*OPTIONS, "--collect-only", *there], plugins=[follower])
            self._known[anew] = follower.found
        self._functions: dict[str, list[FunctionType]] = defaultdict(list)
        for each in gc.get_objects():
            if isinstance(each, FunctionType):
                self._functions[each.__code__.co_filename].append(each)
        gc.freeze()

    def run(self, task: Task) -> Trial:
        """Put a fault in and run the tests that reach it; a test that fails without it as well takes no part."""
        began = time.monotonic()
        self._changed = None if task.anew else self._faulty_code(task.mutant)
        anew = self._changed is None
        outcome: Outcome = "not reached"
        by = ""
        left = [test for test in task.tests if test in self._known[anew]]
        sizes, ran = [*AT_ONCE, len(left)], len(left)
        while left := [test for test in left if self._fit.get((test, anew), True)]:
            code = self._try(left[: sizes[0]], task)
            by = self._last_run()
            outcome = "timed out" if code in OUT_OF_TIME else "survived" if code == 0 else "killed"
            if outcome == "survived":
                left = left[sizes.pop(0) :]
                by = ""
            elif not by and not self._are_read(left[: sizes[0]]):
                outcome, left = "survived", left[sizes.pop(0) :]  # they say nothing
            elif not by or (self._is_fit(by, task) and self._fails_again(by, task)):
                break
            else:  # as far as is known: that test takes no part any more
                outcome, by, left = "survived", "", [test for test in left if test != by]
        return Trial(task.mutant, outcome, time.monotonic() - began, ran, task.reaching, by)

    def _try(self, tests: Sequence[str], task: Task) -> int | None:
        """How tests end with the fault."""
        with self._with_fault(task.mutant):
            return self._fork(tests, sum(task.tests[test] for test in tests), self._changed)

    def _is_fit(self, test: str, task: Task) -> bool:
        """Return whether a test passes in this copy without a fault; each is tried once."""
        anew = self._changed is None
        if (test, anew) not in self._fit:
            self._fit[test, anew] = self._fork([test], task.tests[test], None if anew else []) == 0
            self._last_run()
        return self._fit[test, anew]

    def _fails_again(self, test: str, task: Task) -> bool:
        """Whether a test notices the fault a second time, alone: on a busy machine one may fail for want of time."""
        code = self._try([test], task)
        self._last_run()
        return code != 0

    def _are_read(self, tests: Sequence[str]) -> bool:
        """Whether tests are at least found without a fault, where with one not even that."""
        return self._fork(["--collect-only", *tests], FREE, None if self._changed is None else []) == 0

    def _last_run(self) -> str:
        """The test that ran last: the one that failed, if one did."""
        path = self._folder / ".running"
        test = path.read_text(encoding="utf-8") if path.exists() else ""
        path.unlink(missing_ok=True)
        return test

    @contextmanager
    def _with_fault(self, mutant: Mutant) -> Iterator[None]:
        """The file with the fault; its time is one it never had, so that nothing compiled before is taken for it."""
        path = self._folder / mutant.path
        source, was = path.read_text(encoding="utf-8"), path.stat()
        self._tries += 1
        path.write_text(mutant.put_into(source), encoding="utf-8")
        os.utime(path, (was.st_atime, was.st_mtime + self._tries))
        try:
            yield
        finally:
            path.write_text(source, encoding="utf-8")
            os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))

    def _fork(self, tests: Sequence[str], seconds: float, changed: Changed | None) -> int | None:
        """Return how tests end that take so long even without a fault; None if they do not."""
        patience = FREE + PATIENCE * seconds
        child = os.fork()
        if child == 0:
            code = BROKEN
            try:
                os.setsid()
                resource.setrlimit(resource.RLIMIT_CPU, (ceil(patience), ceil(patience) + 5))
                code = self._test(tests, changed)
            finally:
                os._exit(code)
        watch = os.pidfd_open(child)
        try:
            if not select.select([watch], [], [], WAITING * patience)[0]:
                return None
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(child, 0)
            os.close(watch)
            shutil.rmtree(self._folder.parent / str(child), ignore_errors=True)

    def _test(self, tests: Sequence[str], changed: Changed | None) -> int:
        with open(os.devnull, "w") as nowhere:
            for stream in (1, 2):
                os.dup2(nowhere.fileno(), stream)
        if changed is None:
            for name in [name for name in sys.modules if name.partition(".")[0] in ("pitboss", "tests")]:
                del sys.modules[name]
        for function, code in changed or ():
            function.__code__ = code
        options = [*OPTIONS, f"--basetemp={self._folder.parent / str(os.getpid())}"]
        if not any(test.startswith("src/") for test in tests):
            options += ["-o", "addopts=--import-mode=importlib"]  # no need to look for examples
        return pytest.main([*options, *tests], plugins=[_Follower(self._folder / ".running")])

    def _faulty_code(self, mutant: Mutant) -> Changed | None:
        """The functions that a fault changes, each with what it does then; None where there are none yet, or one cannot
        be given other code: it knows other names around it, or shares its line with another without a name."""
        path = self._folder / mutant.path
        codes: dict[tuple[str, int], list[CodeType]] = defaultdict(list)
        for code in _codes_in(compile(mutant.put_into(path.read_text(encoding="utf-8")), str(path), "exec")):
            codes[code.co_qualname, code.co_firstlineno].append(code)
        changed: Changed = []
        for function in self._functions[str(path)]:
            was = function.__code__
            found = codes[was.co_qualname, was.co_firstlineno]
            if was in found:
                continue
            if len(found) != 1 or found[0].co_freevars != was.co_freevars:
                return None
            changed.append((function, found[0]))
        return changed or None


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _codes_in(each)


class _Follower:
    """Writes down which test runs, and has Hypothesis look for no simpler case of what fails."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.found: set[str] = set()

    def pytest_sessionstart(self) -> None:
        """Before any test is read."""
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", settings.get_profile("ci"), phases=phases, database=None)
        settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Take in which tests there are."""
        self.found = {item.nodeid for item in items}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Take in which test begins."""
        self._path.write_text(nodeid, encoding="utf-8")


def main() -> None:
    """Try the faults that are read, one a line, and answer each with a line."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    workshop = Workshop(Path.cwd(), sys.argv[1:])
    for line in sys.stdin.buffer:
        answers.write(msgspec.json.encode(workshop.run(msgspec.json.decode(line, type=Task))) + b"\n")
        answers.flush()


if __name__ == "__main__":
    main()
