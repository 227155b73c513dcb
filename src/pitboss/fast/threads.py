"""Divide work into pieces for several cores.

Results come in the order of the pieces, so they do not depend on the number of cores.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

Progress = Callable[[int, int], object]
"""Called with the number of finished pieces and the number of all pieces."""

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(work: Callable[[Piece], Result], pieces: Iterable[Piece], cores: int = 1) -> Iterator[Result]:
    """Do the work on every piece on `cores` threads and yield the results in order; only a few pieces wait at a time.

    More threads help only if the work releases Python's lock, as compiled loops do.

    >>> list(in_order(lambda piece: piece * piece, range(5), cores=2))
    [0, 1, 4, 9, 16]
    """
    if cores == 1:
        yield from map(work, pieces)
        return
    todo = iter(pieces)
    with ThreadPoolExecutor(cores) as pool:
        under_way: deque[Future[Result]] = deque(pool.submit(work, piece) for piece in islice(todo, 2 * cores))
        try:
            while under_way:
                result = under_way.popleft().result()
                under_way.extend(pool.submit(work, piece) for piece in islice(todo, 1))
                yield result
        finally:
            for future in under_way:
                future.cancel()
