"""Each reading, writing and syncing of the disk fails in turn, and the process dies in each: nothing is lost."""

import pytest

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from tests.support.sim.arena import Arena, Plan
from tests.support.sim.chaos import Chaos

pytestmark = pytest.mark.check

SEED = 1
SMALL = Plan(
    Settings(seats=3, stack=500, small_blind=50, big_blind=100, move_time_ms=2000, max_hands=2),
    Limits(grace=2.0),
    tables=2,
    trouble=3000.0,
)


class OneTrouble(Chaos):
    """Nothing goes wrong but what a test says."""

    def begin(self) -> None:
        """Nothing."""

    def between_lives(self) -> None:
        """Nothing."""


def calm_arena() -> Arena:
    """An arena in which nothing goes wrong by itself."""
    arena = Arena(SEED, SMALL)
    arena.chaos = OneTrouble(arena)
    return arena


@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("trouble", ["broken", "killed"])
def test_each_operation_of_the_disk_fails_in_turn(trouble: str, every: int) -> None:
    calm = calm_arena()
    counts = calm.play()
    assert calm.lives == 1
    assert counts["mix"], "nobody mixes numbers"
    assert calm.disk.operations > 50
    for number in range(1, calm.disk.operations + 1, every):
        arena = calm_arena()
        arena.disk.failing[number] = trouble
        arena.play()
        assert not arena.disk.failing, f"operation {number} never came"
        assert arena.lives == 2, f"operation {number}: {arena.lives} lives"
