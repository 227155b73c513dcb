"""The comparisons of `twins.py` and `offers.py` for a process of its own, in which compiled code checks all bounds.

`NUMBA_BOUNDSCHECK=1 python -m tests.support.fast.checked` prints what was compared, and what reaching too far led to.
"""

import json
from collections import Counter
from collections.abc import Callable

from pitboss.batch import Batch
from pitboss.fast.compiled import numba
from pitboss.fast.play.backend import LoopTable
from pitboss.fast.play.packed import PACKED
from pitboss.fast.play.setup import MOST_SEATS, RunSetup, setup
from tests.support.fast import offers, twins

SETTINGS, HANDS = 20, 25


def main() -> None:
    """Compare, then reach too far on purpose."""
    counts: Counter[str] = Counter()
    for number in range(SETTINGS):
        counts += twins.play(2, number, HANDS) + offers.play(2, number)
    checked = bool(numba().config.BOUNDSCHECK)
    noticed = [_outcome(reach) for reach in (_no_such_seat, _no_such_place, _no_such_table)]
    print(json.dumps({"checked": checked, "counts": counts, "noticed": noticed}))


def _outcome(reach: Callable[[], object]) -> str:
    try:
        reach()
    except IndexError as error:
        return str(error)
    return "nothing"


def _play(change: Callable[[LoopTable], object]) -> None:
    """Play at a table with a deliberate mistake."""

    def spoilt(setting: RunSetup) -> LoopTable:
        table = PACKED.table(setting)
        change(table)
        return table

    twins.play_hands(PACKED._replace(table=spoilt), setup(6), "random", 1, range(10))


def _no_such_seat() -> None:
    """Beyond the end of an array."""

    def change(table: LoopTable) -> None:
        table.seats[:] += 1

    _play(change)


def _no_such_place() -> None:
    """Beyond the end of a row within a record, where the next row begins."""

    def change(table: LoopTable) -> None:
        table.templates["n"][:] = MOST_SEATS + 1

    _play(change)


def _no_such_table() -> None:
    """Beyond the last of many records."""
    batch, one_too_many = Batch(3), Batch(4)._totals
    batch._step(batch._memory, one_too_many, one_too_many)


if __name__ == "__main__":
    main()
