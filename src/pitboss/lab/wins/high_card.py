"""Win condition: the player with the highest card wins."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pitboss.lab.codes import MOST_CARDS
from pitboss.lab.english import RANK_NAMES
from pitboss.lab.genome import Genome, Mechanic, WinCondition, brings_cards, has_hands, turned_up

ONE_CARD = Mechanic("high card", ((1, 1), (1, 1)), ((1, 2), (1, 2)))
"""One card per hand is usual. With two cards, players would always exchange the lower one."""


class HighCard(WinCondition, frozen=True, tag="high_card"):
    """The player who holds the highest rank wins."""

    of_holding: ClassVar[bool] = True
    one_card: ClassVar[bool] = True

    def contradictions(self, field: str, genome: Genome, at: int) -> Iterator[str]:
        if not has_hands(genome):
            yield f"{field}: expected a game in which players hold cards, got none"

    @property
    def mechanic(self) -> Mechanic:
        return ONE_CARD

    @property
    def plain_steps(self) -> tuple[Mapping[str, Any], ...]:
        return ({"type": "DiscardPhase", "count": 2, "optional": True, "replace": True},)

    def aim(self, genome: Genome) -> str:
        return "Hold the highest card."

    def words(self, value: int, genome: Genome) -> str:
        return RANK_NAMES[genome.setup.deck.ranks[value]] if value >= 0 else "no card"

    def best(self) -> str:
        return "the player who holds the highest card"

    def explained(self, genome: Genome) -> str:
        several = genome.setup.cards_per_player != 1 or brings_cards(genome)
        best = "Only the highest card of each hand is compared. " if several else ""
        return f"{'Only cards in hand count. ' if turned_up(genome) else ''}{best}Suits do not matter."


def worth(g: Any, s: Any, win: int, p: int) -> int:
    """Return the highest rank held, or -1 without cards."""
    best = -1
    for k in range(s.held[p]):
        best = max(best, s.hands[p * MOST_CARDS + k] // g.suits)
    return best
