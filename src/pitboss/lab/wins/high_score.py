"""Win condition: the player with the most points wins."""

from collections.abc import Iterator
from typing import Any, ClassVar

from pitboss.lab.english import points
from pitboss.lab.genome import Genome, TrickPoints, WinCondition, counts_all
from pitboss.lab.wins import scores


class HighScore(WinCondition, frozen=True, tag="high_score"):
    """The player with the most points wins."""

    point: ClassVar[int] = 1

    def contradictions(self, field: str, genome: Genome, at: int) -> Iterator[str]:
        yield from scores.no_points(field, genome)

    def instead(self, genome: Genome) -> str:
        """Return the same aim without points, if every trick or every captured card counts the same."""
        if genome.betting_phases:
            return scores.without_points(genome)
        if len(genome.scoring) != 1 or genome.effects or genome.scoring[0].points <= 0:
            return ""
        rule = genome.scoring[0]
        return "most_tricks" if isinstance(rule, TrickPoints) else "capture_all" if counts_all(rule) else ""

    def aim(self, genome: Genome) -> str:
        return "Make the most points."

    def words(self, value: int, genome: Genome) -> str:
        return points(value)

    def best(self) -> str:
        return "the player with the most points"


def worth(g: Any, s: Any, win: int, p: int) -> int:
    """Return the points."""
    return int(s.score[p])


standing = scores.standing
