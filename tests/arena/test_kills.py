"""Fifty times `kill -9`, and a dozen times the power: nothing acknowledged is lost, nothing is applied twice."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena.kills import SHAPES, Shape, World, fail_power, forking_server
from tests.support.arena.processes import ForkServer
from tests.support.arena.servers import within

pytestmark = pytest.mark.check

KILLS = 10


@pytest.fixture(scope="module")
def forking() -> Iterator[ForkServer | None]:
    """Return a fast fork server, if the system supports it."""
    with forking_server() as found:
        yield found


@pytest.mark.parametrize("seed", range(len(SHAPES) - 1))
def test_server_killed_at_random_moments_loses_and_repeats_nothing(
    tmp_path: Path, forking: ForkServer | None, seed: int
) -> None:
    world = World(tmp_path, SHAPES[seed], seed, forking)
    within(world.run(KILLS), bound=300)
    assert world.kills == KILLS, "the match was over too soon"


def test_real_command_killed_at_random_moments_loses_and_repeats_nothing(tmp_path: Path) -> None:
    world = World(tmp_path, SHAPES[-1], seed=1)
    within(world.run(KILLS), bound=300)
    assert world.kills == KILLS, "the match was over too soon"


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_power_failure_at_a_random_moment_leaves_a_usable_journal(tmp_path: Path, seed: int) -> None:
    within(fail_power(tmp_path, Shape(tables=2, seats=3), seed, 6), bound=300)
