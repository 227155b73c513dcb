"""Win condition: the first player without cards wins."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pitboss.lab.english import some
from pitboss.lab.genome import Genome, WinCondition, a_player, cards_leave, has_tricks, lays_sets

CARD = 1024
"""The value of having one card less. It is more than the sum of what the cards of a hand can promise."""


class EmptyHand(WinCondition, frozen=True, tag="empty_hand"):
    """The deal ends when a player has no cards left. If it ends otherwise, the player with the fewest cards wins."""

    sheds: ClassVar[bool] = True
    needs_cards: ClassVar[bool] = True
    at_once: ClassVar[bool] = True

    def contradictions(self, field: str, genome: Genome, at: int) -> Iterator[str]:
        if genome.setup.cards_per_player == 0:
            yield f"{field}: expected cards_per_player of at least 1, got 0; the deal would be over at once"
        elif not cards_leave(genome):
            yield f"{field}: expected a phase in which cards leave hands, got none"

    @property
    def plain_steps(self) -> tuple[Mapping[str, Any], ...]:
        return {"type": "DrawPhase", "only_if_stuck": True}, {"type": "PlayPhase", "match": ("suit", "rank")}

    def instead(self, genome: Genome) -> str:
        if lays_sets(genome) or any(phase.main and not phase.tricks for phase in genome.turn_structure.phases):
            return ""
        return "most_tricks" if has_tricks(genome) else "best_hand"

    def aim(self, genome: Genome) -> str:
        return "Be the first to get rid of all your cards."

    def words(self, value: int, genome: Genome) -> str:
        return some(-value, "card")

    def best(self) -> str:
        return "the player with the fewest cards in hand"

    def ends(self, genome: Genome) -> str:
        return f"{a_player(genome)} has no cards left"


def worth(g: Any, s: Any, win: int, p: int) -> int:
    """Return the number of cards held, as a negative number because fewer are better."""
    return -int(s.held[p])


def triggered(g: Any, s: Any, win: int) -> bool:
    """Return whether a player who is still in has no cards."""
    for p in range(g.n):
        if not s.folded[p] and s.held[p] == 0:
            return True
    return False


def standing(g: Any, s: Any, win: int, p: int) -> int:
    """Return the value of p's cards. One card less is worth more than anything that cards promise."""
    return -CARD * int(s.held[p])
