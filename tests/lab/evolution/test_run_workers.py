"""Who judges: the same result from this process, from several and from a Ray cluster, and a worker that dies."""

import logging
import os
import signal
import socket
from importlib import import_module
from typing import Any

import pytest

from pitboss.lab.evolution.archive import EvolutionError, GameArchive, Recipe
from pitboss.lab.evolution.run import EvolutionRun, GameTask, Judged, batches, check_address, worker_pool
from pitboss.lab.files import load
from tests.lab.evolution.stand_in import judged_by_letters, ran

pytestmark = pytest.mark.check

RECIPE = Recipe(generations=3, population=12, seed=2)


def killed(task: GameTask) -> Judged:
    """A judge whose process is killed at its work."""
    os.kill(os.getpid(), signal.SIGKILL)
    return Judged()


def ran_on(workers: int, ray: str | None = None) -> GameArchive:
    """The short run on these workers."""
    with worker_pool(workers, ray, judged_by_letters) as judges:
        run = EvolutionRun(GameArchive(recipe=RECIPE), judges)
        run.run()
    return run.archive


def test_pieces_are_all_of_it_in_order() -> None:
    tasks = [GameTask(load("kuhn"), games, 0) for games in range(1, 51)]
    for workers in (1, 2, 7, 64):
        found = batches(tasks, workers)
        assert [task for piece in found for task in piece] == tasks
    assert len(batches(tasks, 2)) > 8


def test_several_workers_come_to_the_same_archive_as_one() -> None:
    assert ran_on(1) == ran_on(2) == ran(RECIPE)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed otherwise on Windows")
def test_a_worker_that_dies_is_told_in_a_sentence() -> None:
    tasks = [GameTask(load("kuhn"), 4, 0)] * 4
    with pytest.raises(EvolutionError, match="a worker died"), worker_pool(2, judging=killed) as judges:
        list(judges(tasks))
    assert ran_on(2) == ran(RECIPE)  # the next run has workers again


def test_addresses_where_nobody_answers_are_told_at_once() -> None:
    with socket.socket() as closed:
        closed.bind(("localhost", 0))
        port = closed.getsockname()[1]
        with pytest.raises(EvolutionError, match=f"nobody answers at localhost:{port}"):
            check_address(f"localhost:{port}")
    for wrong in ("nowhere", "localhost:", ":6379", "localhost:port"):
        with pytest.raises(EvolutionError, match="is no address of a Ray cluster"):
            check_address(wrong)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_ray_cluster_of_two_comes_to_the_same_though_one_of_them_is_killed() -> None:
    ray: Any = import_module("ray")
    cluster = import_module("ray.cluster_utils").Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    second = cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, logging_level=logging.ERROR, log_to_driver=False)
    try:
        with worker_pool(1, cluster.address, judged_by_letters) as judges:
            run = EvolutionRun(GameArchive(recipe=RECIPE), judges)
            run.step()
            assert ray.cluster_resources()["CPU"] == 2
            seen = list[int]()

            def kill(_: object) -> None:
                if not seen:
                    cluster.remove_node(second, allow_graceful=False)
                seen.append(1)

            run.run(kill)
            assert not second.any_processes_alive()
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert run.archive == ran(RECIPE)
