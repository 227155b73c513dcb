"""Win condition: the game ends at a number of points, and the player with the most points wins."""

from collections.abc import Iterator
from math import ceil
from typing import Any, ClassVar

from msgspec.structs import replace

from pitboss.lab.english import points
from pitboss.lab.genome import MOST_POINTS, Genome, LaySets, Values, WinCondition, a_player
from pitboss.lab.wins import scores
from pitboss.lab.wins.high_score import HighScore

LEAST_DEALS = 2
"""The minimum number of deals that a sensible race to a number of points takes."""


class FirstToScore(WinCondition, frozen=True, tag="first_to_score"):
    """The game ends when a player has `target` points. The player with the most points wins."""

    point: ClassVar[int] = 1
    bounds: ClassVar = {"target": (1, MOST_POINTS)}
    columns: ClassVar = ("first_to_score_target",)

    target: int = 100

    def numbers(self, genome: Genome, at: int) -> tuple[int, ...]:
        return (self.target,)

    @classmethod
    def values(cls, genome: Genome) -> Values:
        return {"target": (5, 10, 20, 50, 100)}

    def contradictions(self, field: str, genome: Genome, at: int) -> Iterator[str]:
        yield from scores.no_points(field, genome)
        if max(scores.points_made(genome), default=0) < 0:
            yield f"{field}.target: expected points that go up, to reach {self.target}, but they only go down"

    def mends(self, name: str, genome: Genome) -> Iterator[WinCondition]:
        if name == "target":
            yield HighScore()

    def instead(self, genome: Genome) -> str:
        """Return another aim if the race would take more deals than the game has, or if there is betting."""
        if genome.scoring and scores.fair_share(genome) * genome.setup.deals < self.target:
            return "high_score"
        return scores.without_points(genome) if genome.betting_phases else ""

    def sensible(self, genome: Genome) -> WinCondition:
        if not genome.scoring:
            return self
        return replace(self, target=max(self.target, ceil(LEAST_DEALS * scores.fair_share(genome))))

    def aim(self, genome: Genome) -> str:
        if genome.setup.deals == 1 and not _scores_at_once(genome):
            return "Make the most points."
        return f"Be the first to have {points(self.target)}."

    def words(self, value: int, genome: Genome) -> str:
        return points(value)

    def best(self) -> str:
        return "the player with the most points"

    def ends(self, genome: Genome) -> str:
        return f"{a_player(genome)} has {points(self.target)}" if _scores_at_once(genome) else ""

    @property
    def final_score(self) -> int:
        return self.target


def _scores_at_once(genome: Genome) -> bool:
    """Return whether points can be made during a deal, not only at its end."""
    return any(isinstance(effect, LaySets) and effect.points > 0 for effect in genome.effects)


def worth(g: Any, s: Any, win: int, p: int) -> int:
    """Return the points."""
    return int(s.score[p])


standing = scores.standing


def triggered(g: Any, s: Any, win: int) -> bool:
    """Return whether a player who is still in has enough points."""
    for p in range(g.n):
        if not s.folded[p] and s.score[p] >= g.first_to_score_target[win]:
            return True
    return False


def decided(g: Any, s: Any, win: int) -> bool:
    """Return whether any player has enough points."""
    for p in range(g.n):
        if s.score[p] >= g.first_to_score_target[win]:
            return True
    return False
