"""A test over many cases fails if one of them does, names each that fails, and fails where there is none."""

import os
import subprocess
import sys
from pathlib import Path

SOURCE = """
import pytest
from tests.support.for_each import for_each

@pytest.fixture
def limit():
    return 3

@for_each("number", range(6))
def test_small(number, limit):
    assert number < limit

@for_each("one, other", [("a", 1), pytest.param("b", 2, id="B")], ids=str)
@for_each("times", [1, 2])
def test_stacked(one, other, times):
    assert (one, other, times) != ("b", 2, 2)

@for_each("number", [])
def test_empty(number): ...

@for_each("number", [1, 2])
def test_fine(number): ...
"""


def test_every_case_that_fails_is_named(tmp_path: Path) -> None:
    file = tmp_path / "test_cases.py"
    file.write_text(SOURCE, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly", "-q", file.name]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        check=False,
        text=True,
    )
    lines = done.stdout.splitlines()
    failed = {line.split(" - ")[0].replace(f"{file.name}::", "") for line in lines if "FAILED" in line}
    assert failed == {
        *[f"SUBFAILED[{number}] test_small" for number in (3, 4, 5)],
        "SUBFAILED[2 B] test_stacked",
        *[f"FAILED {name}" for name in ("test_small", "test_stacked", "test_empty")],
    }
    assert "assert 4 < 3" in done.stdout
    assert lines[-1].startswith("7 failed, 1 passed")
