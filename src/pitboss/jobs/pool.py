"""An ordered map over workers: in this process, in several, or on a Ray cluster.

The results come in the order of the tasks, so they do not depend on the number of workers.
"""

import logging
import os
import signal
import socket
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from importlib import import_module
from typing import Any, Generic, TypeAlias, TypeVar

from pitboss.errors import PitbossError

PIECES_A_WORKER = 6
"""The number of pieces of a list of tasks per worker. More pieces take more messages, fewer leave workers idle."""
RAY_RETRIES = 5
POOL_THREAD = "ExecutorManagerThread"
"""The name of joblib's thread that manages the pool."""
SECONDS_TO_ANSWER = 5.0
SECONDS_BETWEEN_LOOKS = 0.5
"""A worker looks this often whether the process that started it has ended."""

Task = TypeVar("Task")
Found = TypeVar("Found")
OrderedMap: TypeAlias = Callable[[Sequence[Task]], Iterable[Found]]
"""A function that does tasks. It returns the results in the order of the tasks."""


class WorkersError(PitbossError):
    """Workers cannot be reached, or they ended early; the message gives the reason."""


class WorkerDied(WorkersError):
    """A worker ended early: it was killed, or it had too little memory."""


class Abandoned(PitbossError):
    """The program that started this worker has ended. `work` may raise it; a Ray cluster then does the task again."""


@contextmanager
def worker_pool(
    work: Callable[[Task], Found],
    workers: int,
    ray: str | None = None,
    *,
    piece: int | None = None,
    restarts: int = 0,
) -> Iterator[OrderedMap[Task, Found]]:
    """Start workers on this machine or, if `ray` is "auto" or an address, on a Ray cluster.

    `piece` is the number of tasks that a worker takes at once (default: depends on the number of tasks). After a
    worker's death, the tasks without a result are done again with new workers, up to `restarts` times. Ray does that
    by itself.

    >>> with worker_pool(abs, 1) as do:
    ...     list(do([-1, 2, -3]))
    [1, 2, 3]
    """
    if ray is not None:
        with _on_ray(ray, workers, work, piece) as do:
            yield do
    elif workers == 1:
        yield lambda tasks: map(work, tasks)
    else:
        with ExitStack() as running:
            yield _Processes(work, workers, piece, restarts, running).do


_WORKING = threading.Lock()
"""Held by a worker while it works."""


def _do_in_worker(tasks: Sequence[Task], work: Callable[[Task], Found], owner: int) -> list[Found]:
    """Do tasks in a worker process, which ends when its owner has ended."""
    if os.getppid() == owner:
        _watch(owner)
    with _WORKING:
        return do_piece(tasks, work)


@cache
def _watch(owner: int) -> None:
    """End this worker soon after the process that started it was killed, but not during a piece."""

    def watch() -> None:
        while os.getppid() == owner:
            time.sleep(SECONDS_BETWEEN_LOOKS)
        with _WORKING:
            os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def do_piece(tasks: Sequence[Task], work: Callable[[Task], Found]) -> list[Found]:
    """Do tasks in a worker. Only the parent process handles interrupts."""
    with suppress(ValueError):  # only the main thread can set a handler
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return [work(task) for task in tasks]


def pieces(tasks: Sequence[Task], workers: int, size: int | None = None) -> list[Sequence[Task]]:
    """Split the tasks into pieces. The order of the tasks stays the same.

    >>> pieces("abcde", 1, 2)
    ['ab', 'cd', 'e']
    """
    size = size or max(1, len(tasks) // (PIECES_A_WORKER * workers))
    return [tasks[first : first + size] for first in range(0, len(tasks), size)]


class _Processes(Generic[Task, Found]):
    """Worker processes on this machine, through joblib."""

    def __init__(
        self, work: Callable[[Task], Found], workers: int, piece: int | None, restarts: int, running: ExitStack
    ) -> None:
        self._joblib: Any = import_module("joblib")
        self._loky: Any = import_module("joblib.externals.loky")
        self._work, self._workers, self._piece, self._restarts = work, workers, piece, restarts
        self._running = running
        running.push(self._stop)
        self._start()

    def _start(self) -> None:
        self._parallel = self._running.enter_context(
            self._joblib.Parallel(n_jobs=self._workers, return_as="generator", batch_size=1, pre_dispatch="all")
        )

    def do(self, tasks: Sequence[Task]) -> Iterator[Found]:
        """Do the tasks, and yield their results in order."""
        left, restarts = pieces(tasks, self._workers, self._piece), self._restarts
        while left:
            done = 0
            try:
                with _ignored_interrupts():
                    do_it, owner = self._joblib.delayed(_do_in_worker), os.getpid()
                    found = self._parallel(do_it(piece, self._work, owner) for piece in left)
                with _quiet_ending(found):
                    for some in found:
                        done += 1
                        yield from some
            except BrokenProcessPool:
                if not restarts:
                    raise WorkerDied("a worker ended early (killed, or out of memory)") from None
                self._kill()
                self._start()
                restarts -= 1
            left = left[done:]

    def _stop(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._kill()

    def _kill(self) -> None:
        threading.excepthook = _unless_killed  # the pool's thread raises if its workers are killed
        self._loky.get_reusable_executor().shutdown(wait=False, kill_workers=True)


@contextmanager
def _quiet_ending(found: Any) -> Iterator[None]:
    """Close results that are not read to their end. joblib kills its workers then, and warns; neither is reported."""
    try:
        yield
    except BaseException:  # also the end of a generator that is not used any more
        threading.excepthook = _unless_killed
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            found.close()
        raise


@contextmanager
def _ignored_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C while processes start, because they inherit that: only the parent process handles interrupts."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _unless_killed(failed: threading.ExceptHookArgs) -> None:
    """Report the exception of a thread, except of a pool whose workers were killed."""
    if failed.thread is None or failed.thread.name != POOL_THREAD:
        threading.__excepthook__(failed)


@contextmanager
def _on_ray(
    address: str, workers: int, work: Callable[[Task], Found], piece: int | None
) -> Iterator[OrderedMap[Task, Found]]:
    ray: Any = import_module("ray")
    own = not ray.is_initialized()
    if own:
        _connect(ray, address, workers)
    try:
        remote = ray.remote(max_retries=RAY_RETRIES, retry_exceptions=[Abandoned])(do_piece)
        cores = max(1, int(ray.cluster_resources().get("CPU", 1)))

        def do(tasks: Sequence[Task]) -> Iterator[Found]:
            under_way = [remote.remote(some, work) for some in pieces(tasks, cores, piece)]
            try:
                for some in under_way:
                    yield from ray.get(some)
            except ray.exceptions.RayError:
                raise WorkerDied("a worker ended early (killed, or out of memory)") from None

        yield do
    finally:
        if own:
            ray.shutdown()


def _connect(ray: Any, address: str, workers: int) -> None:
    """Connect to a Ray cluster. "auto" uses the cluster on this machine, or starts one."""
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False, "include_dashboard": False}
    if address == "auto":
        try:
            ray.init(address="auto", logging_level=logging.ERROR, log_to_driver=False)
        except ConnectionError:
            ray.init(num_cpus=workers, **quiet)
        return
    check_address(address)
    try:
        ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise WorkersError(f"cannot connect to a Ray cluster at {address}: {str(error).splitlines()[0]}") from None


def check_ray(ray: str) -> None:
    """Check that Ray is installed and the cluster can be reached. Raise `WorkersError` if it cannot."""
    import_module("ray")
    if ray != "auto":
        check_address(ray)


def check_address(address: str) -> None:
    """Check that an address can be reached. Ray itself would try for minutes. Raise `WorkersError` if it cannot."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise WorkersError(f"Ray address: expected auto, HOST:PORT or ray://HOST:PORT, got {address!r}")
    try:
        socket.create_connection((host, int(port)), timeout=SECONDS_TO_ANSWER).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise WorkersError(f"cannot connect to {address}: {reason}") from None
