"""What the win conditions that compare points have in common."""

from collections.abc import Iterator
from typing import Any

from pitboss.lab.base.codes import MOST_CARDS
from pitboss.lab.genome.parts import Genome
from pitboss.lab.genome.validity import reachable_points


def points_made(genome: Genome) -> list[int]:
    """The points of every rule under which some can be made, those of nothing left out."""
    return [points for points in reachable_points(genome) if points]


def no_points(field: str, genome: Genome) -> Iterator[str]:
    """The problem of a game in which nothing ever makes a point."""
    if not points_made(genome):
        yield f"{field}: nothing ever makes a point; scoring or sets that are laid must give some"


def standing(g: Any, s: Any, win: int, p: int) -> int:
    """The points that p has, with those that what p has taken will give."""
    total = s.score[p] + g.trick_points * s.tricks[p]
    for k in range(s.won[p]):
        total += g.captured_points[s.captured[p * MOST_CARDS + k]]
    return int(g.win_point[win] * total * g.ranks)
