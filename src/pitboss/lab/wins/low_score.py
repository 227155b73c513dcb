"""Win condition: the player with the fewest points wins."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pitboss.lab.english import points
from pitboss.lab.genome import Genome, WinCondition
from pitboss.lab.wins import scores


class LowScore(WinCondition, frozen=True, tag="low_score"):
    """The player with the fewest points wins."""

    point: ClassVar[int] = -1

    def contradictions(self, field: str, genome: Genome, at: int) -> Iterator[str]:
        yield from scores.no_points(field, genome)

    @property
    def plain_steps(self) -> tuple[Mapping[str, Any], ...]:
        return ({"type": "TrickPhase"},)

    def instead(self, genome: Genome) -> str:
        return scores.without_points(genome) if genome.betting_phases else ""

    def aim(self, genome: Genome) -> str:
        return "Make the fewest points."

    def words(self, value: int, genome: Genome) -> str:
        return points(-value)

    def best(self) -> str:
        return "the player with the fewest points"


def worth(g: Any, s: Any, win: int, p: int) -> int:
    """Return the points, as a negative number because fewer are better."""
    return -int(s.score[p])


standing = scores.standing
