"""Plain records in an array behave like packed ones: assigned values are copied over the old ones."""

from typing import Any

import pytest

from pitboss.fast.compiled import PlainRecords, record


class Pair:
    """A number and a row of two."""

    __slots__ = ("number", "row")

    def __init__(self, number: int, row: list[int]) -> None:
        self.number, self.row = number, row


def packed() -> Any:
    """Two records of the same names."""
    np = pytest.importorskip("numpy", reason="NumPy is not installed: nothing to pack")
    pairs = np.zeros(2, record([("number", np.int64), ("row", np.int64, 2)]))
    pairs[0] = (1, (2, 3))
    return pairs


def plain() -> Any:
    """Two plain objects."""
    return PlainRecords([Pair(1, [2, 3]), Pair(0, [0, 0])])


@pytest.mark.parametrize("made", [plain, packed])
def test_assigned_record_is_copied(made: Any) -> None:
    pairs = made()
    there = pairs[1]
    pairs[1] = pairs[0]
    assert (there.number, list(there.row)) == (1, [2, 3]), "who holds the record sees the new numbers"
    pairs[0].row[0] = 9
    pairs[0].number = 8
    assert (there.number, list(there.row)) == (1, [2, 3]), "and shares none of them with where they came from"
