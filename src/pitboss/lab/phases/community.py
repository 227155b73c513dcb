"""Community cards. They belong to every hand."""

from typing import Any, ClassVar

from msgspec.structs import replace

from pitboss.lab import piles
from pitboss.lab.codes import MOST_CARDS
from pitboss.lab.english import a_few, some
from pitboss.lab.genome import Genome, Phase, Traits, WinCondition, deciding_wins


class CommunityPhase(Phase, frozen=True, tag=True):
    """Turn up cards that belong to every hand."""

    everybodys: ClassVar[bool] = True
    least_shared: ClassVar[int] = 1
    bounds: ClassVar = {"count": (1, MOST_CARDS)}
    unable: ClassVar[str] = "no card is turned up"
    columns: ClassVar = ("community_count",)
    usual_values: ClassVar = {"count": (1, 2, 3)}

    count: int = 1

    def numbers(self, genome: Genome, at: int) -> tuple[int, ...]:
        return (self.count,)

    @property
    def traits(self) -> Traits:
        return Traits(turned_up=self.count, uses_deck=True)

    def serves(self, aim: WinCondition) -> bool:
        return aim.counts_community

    def with_fewer_shared(self, over: int) -> Phase:
        return replace(self, count=self.count - min(over, self.count - 1))

    def step(self, genome: Genome, at: int) -> str:
        what = "card of the deck is" if self.count == 1 else f"{some(self.count, 'card')} of the deck are"
        text = f"**Turn up.** The next {what} laid face up in the middle."
        if any(win.counts_community for win in deciding_wins(genome)):
            text += f" {'It counts' if self.count == 1 else 'They count'} as part of every hand."
        return text

    def brief(self, genome: Genome) -> str:
        return f"turn up {a_few(self.count)} for all"


def begin(g: Any, rules: Any, s: Any) -> None:
    """Turn up the cards, or fewer if the deck has fewer."""
    for _ in range(g.community_count[s.phase]):
        if s.drawn < s.undrawn:
            s.community[s.shared] = piles.draw(s)
            s.shared += 1
            s.moved = 1
