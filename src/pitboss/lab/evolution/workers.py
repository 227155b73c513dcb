"""Who judges: this process alone, processes of this machine through joblib, or the machines of a Ray cluster.

Whoever does it, results come in the order of the tasks and follow from them alone, so a run is the same on all of them.
"""

import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

from pitboss.lab.evolution.archive import EvolutionError
from pitboss.lab.evolution.judge import GameTask, Judged, judge
from pitboss.lab.evolution.run import Judges

Judging = Callable[[GameTask], Judged]

PIECES = 6
"""A generation is cut into so many pieces a worker: few enough to send, enough for nobody to wait long."""
RETRIES = 5
POOL = "ExecutorManagerThread"
"""How joblib calls the thread that minds its pool."""
SECONDS_TO_ANSWER = 5.0
DIED = "a worker died (killed, or out of memory): what was found is kept, and --resume goes on from there"


@contextmanager
def at_work(workers: int, ray: str | None = None, judging: Judging | None = None) -> Iterator[Judges]:
    """So many workers on this machine, or those of a Ray cluster: "auto" or its address."""
    judging = judging or judge
    if ray is not None:
        with _on_ray(ray, workers, judging) as judges:
            yield judges
    elif workers == 1:
        yield lambda tasks: map(judging, tasks)
    else:
        with _on_joblib(workers, judging) as judges:
            yield judges


def judge_some(tasks: Sequence[GameTask], judging: Judging) -> list[Judged]:
    """Judge these in a worker; an interrupt is for whoever asked."""
    with suppress(ValueError):  # only the main thread may say so
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return [judging(task) for task in tasks]


def pieces(tasks: Sequence[GameTask], workers: int) -> list[Sequence[GameTask]]:
    """The tasks in pieces, in their order."""
    size = max(1, len(tasks) // (PIECES * workers))
    return [tasks[first : first + size] for first in range(0, len(tasks), size)]


@contextmanager
def _on_joblib(workers: int, judging: Judging) -> Iterator[Judges]:
    joblib: Any = import_module("joblib")
    loky: Any = import_module("joblib.externals.loky")

    whole = False

    with joblib.Parallel(n_jobs=workers, return_as="generator", batch_size=1, pre_dispatch="all") as parallel:

        def judges(tasks: list[GameTask]) -> Iterator[Judged]:
            try:
                for some in parallel(joblib.delayed(judge_some)(piece, judging) for piece in pieces(tasks, workers)):
                    yield from some
            except BrokenProcessPool:
                raise EvolutionError(DIED) from None

        try:
            yield judges
            whole = True
        finally:
            if not whole:
                threading.excepthook = _unless_killed  # the pool's own thread may miss what is taken from it here
                loky.get_reusable_executor().shutdown(wait=False, kill_workers=True)


def _unless_killed(failed: threading.ExceptHookArgs) -> None:
    """Say what a thread failed with, but nothing of a pool whose workers were sent away."""
    if failed.thread is None or failed.thread.name != POOL:
        threading.__excepthook__(failed)


@contextmanager
def _on_ray(address: str, workers: int, judging: Judging) -> Iterator[Judges]:
    ray: Any = import_module("ray")
    own = not ray.is_initialized()
    if own:
        _connect(ray, address, workers)
    try:
        remote = ray.remote(max_retries=RETRIES)(judge_some)
        cores = max(1, int(ray.cluster_resources().get("CPU", 1)))

        def judges(tasks: list[GameTask]) -> Iterator[Judged]:
            under_way = [remote.remote(piece, judging) for piece in pieces(tasks, cores)]
            try:
                for piece in under_way:
                    yield from ray.get(piece)
            except ray.exceptions.RayError:
                raise EvolutionError(DIED) from None

        yield judges
    finally:
        if own:
            ray.shutdown()


def _connect(ray: Any, address: str, workers: int) -> None:
    """Join a cluster: a given one or, with "auto", the one that runs here, or else one of this machine alone."""
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False, "include_dashboard": False}
    if address == "auto":
        try:
            ray.init(address="auto", logging_level=logging.ERROR, log_to_driver=False)
        except ConnectionError:
            ray.init(num_cpus=workers, **quiet)
        return
    answering(address)
    try:
        ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise EvolutionError(f"no Ray cluster at {address}: {str(error).splitlines()[0]}") from None


def reachable(ray: str) -> None:
    """Say before a run begins if Ray is missing or nobody answers there; raises `EvolutionError`."""
    import_module("ray")
    if ray != "auto":
        answering(ray)


def answering(address: str) -> None:
    """Say at once where nobody answers at an address; Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise EvolutionError(f"{address!r} is no address of a Ray cluster: write auto, HOST:PORT or ray://HOST:PORT")
    try:
        socket.create_connection((host, int(port)), timeout=SECONDS_TO_ANSWER).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise EvolutionError(f"nobody answers at {address}: {reason}") from None
