"""The comparison with OMPEval prints every line, and compares if OMPEval's sources are given."""

import os
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed: there are no arrays")
pytest.importorskip("numba", reason="Numba is not installed: nothing to compile with")

from benchmarks.ompeval import QUICK, RANGE, Ompeval, measure, same_order  # noqa: E402  # what it needs comes first
from benchmarks.reference import NoCompiler, NoReference  # noqa: E402  # as above


def test_without_ompeval_its_lines_are_left_out() -> None:
    said: list[str] = []
    measure(QUICK, None, said.append)
    assert [line.partition(":")[0] for line in said if "OpenSpiel" not in line.partition(":")[0]] == [
        "seven cards ranked, an array",
        f"{RANGE} against random, exactly",
        "AsAdKsKd against JhTh9c8c, Omaha, exactly",
        "15% against 30% on Ks7d2c",
        "15% against 30%",
        *["Batch(1), 6 seats", "Batch(64), 6 seats", "Batch(4096), 6 seats"],
        "a shuffle of 17 cards in a loop of one's own",
    ]


def test_with_ompeval_the_same_rows_are_ranked(tmp_path: Path) -> None:
    named = os.environ.get("OMPEVAL")
    if not named:
        pytest.skip("OMPEVAL names no sources to compare with")
    said: list[str] = []
    measure(QUICK, Ompeval.build(Path(named), tmp_path), said.append)
    assert said[1].startswith("OMPEval: ")
    assert "the goal is at least 0.9" in said[1]
    assert said[3].startswith("the same beside OMPEval: ")
    assert "the goal is at most 0.1" in said[3]


def test_sources_that_are_not_there_do_not_compile(tmp_path: Path) -> None:
    with pytest.raises((NoReference, NoCompiler), match=r"which has no folder omp|no C\+\+ compiler"):
        Ompeval.build(tmp_path / "nowhere", tmp_path)


def test_another_order_is_found_out() -> None:
    assert same_order(np.array([1, 3, 3, 2]), np.array([10, 30, 30, 20]))
    assert not same_order(np.array([1, 3, 3, 2]), np.array([10, 30, 31, 20]))
    assert not same_order(np.array([1, 2, 3]), np.array([1, 2, 2]))
    assert not same_order(np.array([1, 2]), np.array([2, 1]))
