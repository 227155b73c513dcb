"""Workers: one process, several or a Ray cluster give the same result, and a worker that dies is reported."""

import logging
import os
import signal
from importlib import import_module
from typing import Any

import pytest

from pitboss.lab.evolution.archive import EvolutionError, GameArchive, Recipe
from pitboss.lab.evolution.run import EvolutionRun, GameTask, Judged, worker_pool
from pitboss.lab.files import load
from tests.lab.evolution.stand_in import judged_by_letters, ran

pytestmark = pytest.mark.check

RECIPE = Recipe(generations=3, population=12, seed=2)


def killed(task: GameTask) -> Judged:
    """A judge whose process is killed while it works."""
    os.kill(os.getpid(), signal.SIGKILL)
    return Judged()


def run_on(workers: int) -> GameArchive:
    """The short run on these workers."""
    with worker_pool(workers, judging=judged_by_letters) as judges:
        run = EvolutionRun(GameArchive(recipe=RECIPE), judges)
        run.run()
    return run.archive


def test_several_workers_give_the_same_archive_as_one() -> None:
    assert run_on(1) == run_on(2) == ran(RECIPE)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows has no SIGKILL")
def test_a_dead_worker_is_reported() -> None:
    tasks = [GameTask(load("kuhn"), 4, 0)] * 4
    with pytest.raises(EvolutionError, match="a worker ended early"), worker_pool(2, judging=killed) as judges:
        list(judges(tasks))
    assert run_on(2) == ran(RECIPE)  # the next run has new workers


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_ray_cluster_gives_the_same_archive_though_one_node_is_killed() -> None:
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
