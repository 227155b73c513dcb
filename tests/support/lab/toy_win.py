"""A kind of win condition that pitboss does not have: who holds the lowest card wins."""

from typing import Any, ClassVar

from pitboss.lab.codes import MOST_CARDS
from pitboss.lab.genome import Genome, Values, WinCondition


class ToyWin(WinCondition, frozen=True, tag="toy_win"):
    """The lowest rank held; nothing below `floor` counts."""

    of_holding: ClassVar[bool] = True
    bounds: ClassVar = {"floor": (0, 12)}
    columns: ClassVar = ("toy_floor",)

    floor: int = 0

    def numbers(self, genome: Genome, at: int) -> tuple[int, ...]:
        return (self.floor,)

    @classmethod
    def values(cls, genome: Genome) -> Values:
        return {"floor": (0, 1, 2)}

    def aim(self, genome: Genome) -> str:
        return "Hold the lowest card."

    def best(self) -> str:
        return "the player who holds the lowest card"


def worth(g: Any, s: Any, win: int, p: int) -> int:
    """The lowest rank held, lower being better."""
    lowest = g.ranks
    for k in range(s.held[p]):
        rank = s.hands[p * MOST_CARDS + k] // g.suits
        if g.toy_floor[win] <= rank < lowest:
            lowest = rank
    return -int(lowest)
