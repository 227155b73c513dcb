"""Who has taken the most tricks wins."""

from collections.abc import Iterator
from typing import Any, ClassVar

from pitboss.lab.base.english import some
from pitboss.lab.genome.parts import Genome, WinCondition, has_hands, has_tricks


class MostTricks(WinCondition, frozen=True, tag="most_tricks"):
    """The most tricks taken."""

    likes_tricks: ClassVar[bool] = True

    def contradictions(self, field: str, genome: Genome, at: int) -> Iterator[str]:
        if not (has_tricks(genome) and has_hands(genome)):
            yield f"{field}: there are no tricks to take"

    def aim(self, genome: Genome) -> str:
        return "Take the most tricks."

    def words(self, value: int, genome: Genome) -> str:
        return some(value, "trick")

    def best(self) -> str:
        return "the player who has taken the most tricks"


def worth(g: Any, s: Any, win: int, p: int) -> int:
    """The tricks."""
    return int(s.tricks[p])


def standing(g: Any, s: Any, win: int, p: int) -> int:
    """The tricks so far."""
    return int(s.tricks[p] * g.ranks)
