"""Who has no cards left wins."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pitboss.lab.english import some
from pitboss.lab.genome import Genome, WinCondition, cards_leave, has_tricks, lays_sets

CARD = 1024
"""What a card less to get rid of is worth; more than all that the cards themselves add up to."""


class EmptyHand(WinCondition, frozen=True, tag="empty_hand"):
    """Ends the deal when somebody has no cards left; if it ends otherwise, the fewest cards."""

    sheds: ClassVar[bool] = True
    needs_cards: ClassVar[bool] = True
    at_once: ClassVar[bool] = True

    def contradictions(self, field: str, genome: Genome, at: int) -> Iterator[str]:
        if genome.setup.cards_per_player == 0:
            yield f"{field}: nobody is dealt a card, so that the deal would be over at once"
        elif not cards_leave(genome):
            yield f"{field}: no card ever leaves a hand"

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
        return "somebody has no cards left"


def worth(g: Any, s: Any, win: int, p: int) -> int:
    """The cards held, fewer being better."""
    return -int(s.held[p])


def triggered(g: Any, s: Any, win: int) -> bool:
    """As soon as somebody who is in the deal has none."""
    for p in range(g.n):
        if not s.folded[p] and s.held[p] == 0:
            return True
    return False


def standing(g: Any, s: Any, win: int, p: int) -> int:
    """Every card less is more than anything the cards promise."""
    return -CARD * int(s.held[p])
