"""Work in pieces, spread over processes: the same results in whatever order they come."""

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

Result = TypeVar("Result")


def spread(work: Callable[..., Result], pieces: Sequence[tuple[Any, ...]], jobs: int) -> Iterator[Result]:
    """The results of all pieces, as they are ready: from this process, or from several new ones."""
    if jobs < 2:
        yield from (work(*piece) for piece in pieces)
        return
    # An interrupt is for the process that waits; it ends the others, which know nothing of this one's threads.
    ignoring = (signal.SIGINT, signal.SIG_IGN)
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=signal.signal, initargs=ignoring)
    try:
        yield from _keep_busy(pool, jobs, work, pieces)
    finally:
        pool.shutdown(cancel_futures=True)


def _keep_busy(
    pool: ProcessPoolExecutor, jobs: int, work: Callable[..., Result], pieces: Sequence[tuple[Any, ...]]
) -> Iterator[Result]:
    """Keep every process busy, but no long queue, so that an interrupt is quick."""
    waiting = iter(pieces)
    running: set[Future[Result]] = set()
    while True:
        running |= {pool.submit(work, *piece) for piece in islice(waiting, 2 * jobs - len(running))}
        if not running:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()
