"""Win condition: the player with the most tricks wins."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pitboss.lab.english import some
from pitboss.lab.genome import Genome, WinCondition, collects_cards, has_hands, has_tricks


class MostTricks(WinCondition, frozen=True, tag="most_tricks"):
    """The player who has taken the most tricks wins."""

    likes_tricks: ClassVar[bool] = True

    def contradictions(self, field: str, genome: Genome, at: int) -> Iterator[str]:
        if not (has_tricks(genome) and has_hands(genome)):
            yield f"{field}: expected a phase with tricks and cards to play them, got none"

    @property
    def plain_steps(self) -> tuple[Mapping[str, Any], ...]:
        return ({"type": "TrickPhase"},)

    def instead(self, genome: Genome) -> str:
        return "" if has_tricks(genome) else "capture_all" if collects_cards(genome) else "high_card"

    def aim(self, genome: Genome) -> str:
        return "Take the most tricks."

    def words(self, value: int, genome: Genome) -> str:
        return some(value, "trick")

    def best(self) -> str:
        return "the player who has taken the most tricks"


def worth(g: Any, s: Any, win: int, p: int) -> int:
    """Return the number of tricks."""
    return int(s.tricks[p])


def standing(g: Any, s: Any, win: int, p: int) -> int:
    """Return the value of the tricks that p has taken."""
    return int(s.tricks[p] * g.ranks)
