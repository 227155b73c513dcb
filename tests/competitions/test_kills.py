"""Competitions that are killed, and workers that die on another machine, give the same results."""

import logging
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pitboss.competitions.matches import play_match
from pitboss.competitions.results import RESULTS, MatchResult
from pitboss.jobs.pool import worker_pool
from tests.competitions.test_competition import cup, run
from tests.support.kills import kill_often

pytestmark = pytest.mark.slow


def test_kills_at_random_moments_change_no_result(tmp_path: Path) -> None:
    """`make kills` does this twenty times."""
    assert kill_often(tmp_path, kills=3, hands=60, seed=1) > 0


@pytest.mark.filterwarnings("ignore")
def test_a_ray_cluster_gives_the_same_results_though_one_node_is_killed(tmp_path: Path) -> None:
    ray: Any = import_module("ray")
    file = cup(hands=200)
    run(tmp_path / "alone", file)
    cluster = import_module("ray.cluster_utils").Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    second = cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, logging_level=logging.ERROR, log_to_driver=False)
    killed = list[str]()

    def kill(match: MatchResult) -> None:
        if not killed:
            cluster.remove_node(second, allow_graceful=False)
        killed.append(match.id)

    try:
        with worker_pool(play_match, 1, cluster.address, piece=1) as play:
            assert ray.cluster_resources()["CPU"] == 2
            run(tmp_path / "cluster", file, play, kill)
        assert not second.any_processes_alive()
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert len(killed) == 6
    assert (tmp_path / "cluster" / RESULTS).read_bytes() == (tmp_path / "alone" / RESULTS).read_bytes()
