"""One fault after the other, each in a copy of the project and in a process of its own, until a test fails.

A process that has loaded what tests need from elsewhere forks for each fault, so that a try costs little more than the
tests themselves.
"""

import importlib
import os
import select
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import Phase, settings
from msgspec import Struct

from tests.mutants.points import Mutant

Outcome = Literal["killed", "timed out", "survived", "not reached"]
LOADED = ("aiohttp", "hypothesis", "msgspec", "numpy", "click", "rich", "asyncio", "sqlite3", "xdist", "random")
"""What tests need and no fault is put into."""
LEFT_OUT = {".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "__pycache__", ".mutants"}
PATIENCE = 4.0
"""How many times longer than without a fault the tests may take; the first seconds are free."""
FREE = 40.0
AT_ONCE = 60
"""How many tests are run by one process: most faults are noticed by the first few."""
BROKEN = 99
"""How a process ends in which no test could be run."""


class Trial(Struct, frozen=True):
    """A fault, what became of it, how long that took, and the test that noticed."""

    mutant: Mutant
    outcome: Outcome
    seconds: float
    tests: int
    by: str = ""


class Workshop:
    """A copy of the project to put faults into."""

    def __init__(self, root: Path, folder: Path) -> None:
        shutil.copytree(root, folder, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
        for name in ("shared",):
            with suppress(FileExistsError):
                (folder.parent / name).symlink_to(root.parent / name)
        self._folder = folder
        self._tries = 0
        self._fit: dict[str, bool] = {}  # whether a test that noticed a fault passes without one
        for name in LOADED:
            importlib.import_module(name)

    def run(self, mutant: Mutant, tests: Sequence[str], seconds: float) -> Trial:
        """Put a fault in and run the tests that reach it; a test that fails without it as well takes no part."""
        began, patience = time.monotonic(), FREE + PATIENCE * seconds
        outcome: Outcome = "not reached"
        by = ""
        left = list(tests)
        while left := [test for test in left if self._fit.get(test, True)]:
            with self._with_fault(mutant):
                code = self._fork(left[:AT_ONCE], patience)
            by = self._first_failure()
            outcome = "timed out" if code is None else "survived" if code == 0 else "killed"
            if outcome == "survived":
                left = left[AT_ONCE:]
            elif not by or self._is_fit(by, patience):
                break
        return Trial(mutant, outcome, time.monotonic() - began, len(tests), by)

    def _is_fit(self, test: str, patience: float) -> bool:
        """Whether a test passes in this copy without a fault; each is asked once."""
        if test not in self._fit:
            self._fit[test] = self._fork([test], patience) == 0
            self._first_failure()
        return self._fit[test]

    def _first_failure(self) -> str:
        """The test that failed, if one did."""
        path = self._folder / ".failed"
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

    def _fork(self, tests: Sequence[str], patience: float) -> int | None:
        """How the tests end; None where they do not."""
        child = os.fork()
        if child == 0:
            code = BROKEN
            try:
                os.setsid()
                code = self._test(tests)
            finally:
                os._exit(code)
        watch = os.pidfd_open(child)
        try:
            if not select.select([watch], [], [], patience)[0]:
                return None
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if code == BROKEN:
                raise RuntimeError("no test could be run")
            return code
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(child, 0)
            os.close(watch)

    def _test(self, tests: Sequence[str]) -> int:
        os.chdir(self._folder)
        with open(os.devnull, "w") as nowhere:
            for stream in (1, 2):
                os.dup2(nowhere.fileno(), stream)
        paths = [str(self._folder / "src"), str(self._folder)]
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)
        sys.path[:0] = paths
        for name in [name for name in sys.modules if name.partition(".")[0] in ("pitboss", "tests")]:
            del sys.modules[name]
        options = [
            "-W",
            "ignore::pytest.PytestAssertRewriteWarning",
            "-x",
            "-q",
            "-n",
            "0",
            "-p",
            "no:randomly",
            "-p",
            "no:cacheprovider",
            "-m",
            "",
        ]
        return pytest.main([*options, *tests], plugins=[_FirstFailure(self._folder / ".failed")])


class _FirstFailure:
    """Writes down which test noticed, and has Hypothesis look for no simpler case of it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def pytest_sessionstart(self) -> None:
        """Before any test is read."""
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", settings.get_profile("ci"), phases=phases, database=None)
        settings.load_profile("mutants")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take in how a test went."""
        if report.failed:
            self._path.write_text(report.nodeid, encoding="utf-8")


_workshop: Workshop
_until: float


def prepare(root: Path, folder: str, until: float) -> None:
    """Make the workshop of this process, one of a pool; it begins nothing after a time."""
    global _workshop, _until  # noqa: PLW0603  # a process of a pool has no other place for what is its own
    _workshop = Workshop(root, Path(folder, str(os.getpid()), "project"))
    _until = until


def try_one(task: tuple[Mutant, list[str], float]) -> Trial | None:
    """Try a fault in the workshop of this process; None where there is no time."""
    return _workshop.run(*task) if time.monotonic() < _until else None
