"""Which tests reach which lines: a plugin of pytest that writes it down, in the file it is given.

`python -m tests.mutants --cover` runs the tests with it once.
"""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache
from hashlib import sha256
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
    """How long a test computes."""


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
        """Write down what a test reaches and how long it computes, with what it starts; what it needs first counts."""
        self._coverage.switch_context(item.nodeid)
        began = sum(os.times()[:4])
        result = yield
        self._seconds[item.nodeid] = sum(os.times()[:4]) - began
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
        tests = ["", *self._seconds]
        number = {test: at for at, test in enumerate(tests)}
        reached = {
            str(Path(path).relative_to(self._root)): {
                line: [number[test] for test in reaching if test in number]  # not one that was interrupted
                for line, reaching in data.contexts_by_lineno(path).items()
            }
            for path in data.measured_files()
        }
        found = {
            "tests": tests,
            "seconds": {test: self._seconds[test] for test in self._seconds if test in self._passed},
            "reached": reached,
            "sources": {path: self._keep(self._root / path) for path in reached},
        }
        self._written.write_text(json.dumps(found), encoding="utf-8")

    def _keep(self, path: Path) -> str:
        """Keep a file as it is now that it is followed, and say under which name."""
        content = path.read_bytes()
        name = sha256(content).hexdigest()[:16]
        folder = self._written.parent / "sources"
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
        return name


def pytest_configure(config: pytest.Config) -> None:
    """Follow the tests of this process, if a file for it is named; processes that it starts are not followed."""
    written = os.environ.pop(WRITTEN, "")
    if written:
        config.pluginmanager.register(Follower(Path(written), config.rootpath / "src"))


def read_covering(folder: Path, root: Path) -> Covering:
    """Combine the files of all processes; if a source has changed since, its lines are matched by their text."""
    reached: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    loading: dict[str, set[int]] = defaultdict(set)
    loaded: dict[str, set[str]] = defaultdict(set)
    seconds: dict[str, float] = {}
    moved = cache(_moved)
    for path in sorted(folder.glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        seconds |= found["seconds"]
        passed = [test if test in found["seconds"] else None for test in found["tests"]]
        for file, lines in found["reached"].items():
            if not (root / file).exists():
                continue
            stands = moved(folder / "sources" / found["sources"][file], root / file)
            for line, numbers in lines.items():
                for now in stands.get(int(line), ()):
                    reached[file][now] += [test for number in numbers if (test := passed[number]) is not None]
                    loading[file].update([now] if 0 in numbers else [])
            loaded[file].update(found["seconds"] if any(0 in numbers for numbers in lines.values()) else ())
    return Covering(reached, loading, loaded, seconds)


def _moved(before: Path, after: Path) -> dict[int, list[int]]:
    """Return where each line of a file is now; new lines have the place of the lines they replace."""
    old, new = ([line.strip() for line in path.read_text("utf-8").splitlines()] for path in (before, after))
    moved: dict[int, list[int]] = {}
    for kind, begin, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for line in range(begin, end):
            moved[line + 1] = [first + line - begin + 1] if kind == "equal" else list(range(first + 1, last + 1))
    return moved
