"""The ordered map: results in order for any number of workers, also if a worker dies."""

import os
import select
import signal
import socket
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from pitboss.jobs.pool import WorkerDied, WorkersError, check_address, pieces, worker_pool


def double_or_die(folder: Path, task: int) -> int:
    """Double the task; the first worker that gets task 5 is killed."""
    mark = folder / "died"
    if task == 5 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * task


def die(_: int) -> int:
    """Always kill the worker."""
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


OWNER = """
import sys
from pitboss.jobs.pool import worker_pool
from tests.jobs.test_pool import worker_of

with worker_pool(worker_of, 2, piece=1) as do:
    print(*do([*range(12)]), flush=True)
    sys.stdin.read()
"""
"""A program that prints the process ids of its workers and then waits."""


def worker_of(_: int) -> int:
    """Return the process id of the worker."""
    return os.getpid()


def interrupt_after_one_result() -> None:
    """Start many tasks, and stop as Ctrl-C does."""
    with worker_pool(abs, 2, piece=1) as do:
        for _ in do([*range(-400, 0)]):
            raise KeyboardInterrupt


def test_pieces_contain_all_tasks_in_order() -> None:
    tasks = [*range(50)]
    for workers in (1, 2, 7, 64):
        found = pieces(tasks, workers)
        assert [task for piece in found for task in piece] == tasks
    assert len(pieces(tasks, 2)) > 8


@pytest.mark.check
def test_tasks_of_a_dead_worker_are_done_again_by_a_new_one(tmp_path: Path) -> None:
    with worker_pool(partial(double_or_die, tmp_path), 2, piece=1, restarts=1) as do:
        assert list(do([*range(12)])) == [*range(0, 24, 2)]
    assert (tmp_path / "died").exists()


@pytest.mark.check
def test_a_worker_that_always_dies_is_reported() -> None:
    with pytest.raises(WorkerDied, match="a worker ended early"), worker_pool(die, 2, restarts=1) as do:
        list(do([1, 2]))


@pytest.mark.check
def test_results_that_are_not_read_to_the_end_give_no_warning() -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupt_after_one_result()


@pytest.mark.check
def test_idle_workers_end_after_their_owner_was_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", OWNER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as owner:
        assert owner.stdout is not None
        with closing(owner.stdout):
            workers = {int(pid) for pid in owner.stdout.readline().split()}
            watched = [os.pidfd_open(pid) for pid in workers]
            try:
                owner.kill()
                ended = [select.select([pidfd], [], [], 60)[0] for pidfd in watched]
            finally:
                for pidfd in watched:
                    os.close(pidfd)
    assert watched
    assert all(ended)


def test_unreachable_addresses_are_refused_immediately() -> None:
    with socket.socket() as closed:
        closed.bind(("localhost", 0))
        port = closed.getsockname()[1]
        with pytest.raises(WorkersError, match=f"cannot connect to localhost:{port}"):
            check_address(f"localhost:{port}")
    for wrong in ("nowhere", "localhost:", ":6379", "localhost:port"):
        with pytest.raises(WorkersError, match="Ray address: expected auto, HOST:PORT"):
            check_address(wrong)
