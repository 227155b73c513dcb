"""The equities of all 169 × 169 pairs of starting hands before the flop, counted once and saved."""

import os
from contextlib import suppress
from math import comb
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any, NamedTuple

from pitboss.cards import DECK
from pitboss.fast.compiled import cache_folder
from pitboss.fast.equity.forms import Form, compiled_form
from pitboss.fast.equity.holdem import MANY, Holdem
from pitboss.fast.equity.ranges import HAND_CLASSES, class_of, combo
from pitboss.fast.equity.spot import read_spot
from pitboss.fast.threads import Progress, available_cores, in_order
from pitboss.hand.games import NO_LIMIT_HOLDEM

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KINDS = len(HAND_CLASSES)
BOARDS = comb(len(DECK) - 4, 5)
VERSION = 1  # of the file's contents


def preflop_table(progress: Progress | None = None, cores: int | None = None) -> "NDArray[np.float64]":
    """Return the equity of each of `HAND_CLASSES` (the row) against each of them (the column).

    The first call counts all boards, which takes about half a minute on one core. Later calls read the result from the
    user's cache folder.
    """
    wins, ties, deals = class_counts(progress, cores)
    return (2 * wins + ties) / (2 * BOARDS * deals)  # type: ignore[no-any-return]  # what arrays give


def against_random(progress: Progress | None = None, cores: int | None = None) -> "NDArray[np.float64]":
    """Return the equity of each of `HAND_CLASSES` against any two cards; counted and saved as by `preflop_table`."""
    wins, ties, deals = class_counts(progress, cores).sum(axis=2)
    return (2 * wins + ties) / (2 * BOARDS * deals)  # type: ignore[no-any-return]  # what arrays give


def class_counts(progress: Progress | None = None, cores: int | None = None) -> "NDArray[np.int64]":
    """Return by row and column the boards won, the boards shared, and the deals of each two of `HAND_CLASSES`.

    The first call counts all boards, like `preflop_table`.
    """
    counts = read_counts()
    if counts is None:
        counts = count_all(compiled_form(), cores or available_cores(), progress)
        save_counts(counts)
    return counts


# --- counting


def count_all(made: Form, cores: int, progress: Progress | None = None) -> "NDArray[np.int64]":
    """Return, by row and column, the boards won, the boards shared, and the number of deals of the two classes.

    Deals that differ only by suits are counted together, and each pair of classes is counted once.
    """
    import numpy as np

    counts = np.zeros((3, KINDS, KINDS), np.int64)
    rows = _rows()
    for done, row in enumerate(in_order(lambda row: _count_row(made, row), rows, cores), 1):
        for i, j, deals, won, tied, lost in row:
            counts[:, i, j] = won, tied, deals
            counts[:, j, i] = lost, tied, deals
        if progress:
            progress(done, len(rows))
    return counts


class Matchup(NamedTuple):
    """Two classes and the deals in which they meet."""

    i: int
    j: int
    deals: Any
    times: Any


def _rows() -> list[list[Matchup]]:
    """Return the matchups to count, by the first class."""
    import numpy as np

    groups = Holdem(read_spot(("random", "random"), "", "", NO_LIMIT_HOLDEM), compiled=True).groups(MANY)
    assert groups is not None
    (group,) = groups
    kinds = np.zeros((len(DECK), len(DECK)), np.int64)
    for a, first in enumerate(DECK):
        for b, second in enumerate(DECK[:a]):
            kinds[a, b] = HAND_CLASSES.index(class_of(combo(first, second)))
    one, other = kinds[group.deals[:, 0], group.deals[:, 1]], kinds[group.deals[:, 2], group.deals[:, 3]]
    order = np.argsort(KINDS * one + other, kind="stable")
    pairs, starts = np.unique((KINDS * one + other)[order], return_index=True)
    rows: list[list[Matchup]] = [[] for _ in HAND_CLASSES]
    for pair, meet in zip(pairs, np.split(order, starts[1:]), strict=True):
        i, j = divmod(int(pair), KINDS)
        if i <= j:
            rows[i].append(Matchup(i, j, group.deals[meet], group.times[meet]))
    return rows


def _count_row(made: Form, row: list[Matchup]) -> list[tuple[int, int, int, int, int, int]]:
    known, space = made.known((), ()), made.counting_space()
    found = []
    for i, j, deals, times in row:
        counts = made.zeros(4)
        made.count_deals(made.ranks, known, deals, times, space, counts)
        won, tied, lost = [int(count) for count in counts[:3]]
        found.append((i, j, int(times.sum()), won, tied, lost))
    return found


# --- saving


def counts_file() -> Path:
    """Return the path of the saved counts."""
    return cache_folder() / f"preflop-{VERSION}.npy"


def read_counts() -> "NDArray[np.int64] | None":
    """Return the saved counts; None if the file is missing or its sums are wrong."""
    import numpy as np

    try:
        counts = np.load(counts_file(), allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    if counts.shape != (3, KINDS, KINDS) or counts.dtype != np.int64:
        return None
    wins, ties, deals = counts
    return counts if bool((wins + wins.T + ties == BOARDS * deals).all() and (deals > 0).all()) else None


def save_counts(counts: "NDArray[np.int64]") -> None:
    """Save the counts atomically; if the folder is not writable, they are counted again next time."""
    import numpy as np

    path = counts_file()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, prefix=path.stem, delete=False) as file:
            np.save(file, counts)
        os.replace(file.name, path)
