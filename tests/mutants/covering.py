"""Which tests reach which lines: a plugin of pytest that writes it down, one file a process.

`python -m tests.mutants --cover` runs the tests with it once.
"""

import json
import os
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

FOLDER = "PITBOSS_COVERING"

Reached = dict[str, dict[int, list[str]]]
"""By file and line, the tests that reach it."""


class Covering:
    """Follows the tests of one process."""

    def __init__(self, folder: Path, source: Path) -> None:
        self._folder = folder
        self._root = source.parent
        self._coverage = coverage.Coverage(data_file=None, include=[f"{source}/*"], config_file=False)
        self._coverage.start()
        self._seconds: dict[str, float] = {}
        self._passed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Write down what a test reaches and how long it takes; what it needs first counts."""
        self._coverage.switch_context(item.nodeid)
        began = time.perf_counter()
        result = yield
        self._seconds[item.nodeid] = time.perf_counter() - began
        self._coverage.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Only a test that passes without a fault can notice one."""
        if report.when == "call" and report.passed:
            self._passed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write all of it down."""
        self._coverage.stop()
        data = self._coverage.get_data()
        reached = {
            str(Path(path).relative_to(self._root)): data.contexts_by_lineno(path) for path in data.measured_files()
        }
        found = {
            "reached": reached,
            "seconds": {test: self._seconds[test] for test in self._seconds if test in self._passed},
        }
        (self._folder / f"{os.getpid()}.json").write_text(json.dumps(found), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Follow the tests of this process, where a folder for it is named."""
    folder = os.environ.get(FOLDER)
    if folder and (config.getoption("numprocesses", None) in (None, 0) or hasattr(config, "workerinput")):
        config.pluginmanager.register(Covering(Path(folder), config.rootpath / "src"))


def read_covering(folder: Path) -> tuple[Reached, dict[str, float]]:
    """Put together what all processes wrote: the tests by file and line, and their seconds."""
    reached: Reached = defaultdict(lambda: defaultdict(list))
    seconds: dict[str, float] = {}
    for path in sorted(folder.glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        seconds |= found["seconds"]
        for file, lines in found["reached"].items():
            for line, tests in lines.items():
                reached[file][int(line)] += [test for test in tests if test in found["seconds"]]
    return reached, seconds
