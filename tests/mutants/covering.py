"""Which tests reach which lines: a plugin of pytest that writes it down, in the file it is given.

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
from msgspec import Struct

WRITTEN = "PITBOSS_COVERING"


class Covering(Struct):
    """What all tests reach."""

    reached: dict[str, dict[int, list[str]]]
    """By file and line, the tests that reach it."""
    loading: dict[str, set[int]]
    """By file, the lines that run as files are loaded."""
    loaded: dict[str, set[str]]
    """By file, the tests whose own file has it loaded."""
    seconds: dict[str, float]
    """How long a test takes."""


class Follower:
    """Follows the tests of one process."""

    def __init__(self, written: Path, source: Path) -> None:
        self._written = written
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
        self._written.write_text(json.dumps(found), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Follow the tests of this process, where a file for it is named; the processes it starts are not followed."""
    written = os.environ.pop(WRITTEN, "")
    if written:
        config.pluginmanager.register(Follower(Path(written), config.rootpath / "src"))


def read_covering(folder: Path) -> Covering:
    """Put together what all processes wrote."""
    reached: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    loading: dict[str, set[int]] = defaultdict(set)
    loaded: dict[str, set[str]] = defaultdict(set)
    seconds: dict[str, float] = {}
    for path in sorted(folder.glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        seconds |= found["seconds"]
        for file, lines in found["reached"].items():
            for line, tests in lines.items():
                reached[file][int(line)] += [test for test in tests if test in found["seconds"]]
            at_first = {int(line) for line, tests in lines.items() if "" in tests}
            loading[file] |= at_first
            loaded[file].update(found["seconds"] if at_first else ())
    return Covering(reached, loading, loaded, seconds)
