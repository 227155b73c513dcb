"""The ordered map: results in order for any number of workers, also if a worker dies."""

import os
import signal
import socket
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


def test_unreachable_addresses_are_refused_immediately() -> None:
    with socket.socket() as closed:
        closed.bind(("localhost", 0))
        port = closed.getsockname()[1]
        with pytest.raises(WorkersError, match=f"cannot connect to localhost:{port}"):
            check_address(f"localhost:{port}")
    for wrong in ("nowhere", "localhost:", ":6379", "localhost:port"):
        with pytest.raises(WorkersError, match="Ray address: expected auto, HOST:PORT"):
            check_address(wrong)
