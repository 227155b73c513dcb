"""Who has all cards wins."""

from collections.abc import Iterator
from typing import Any, ClassVar

from pitboss.lab.base.english import some
from pitboss.lab.genome.facts import brings_cards, cards_leave
from pitboss.lab.genome.parts import Genome, WinCondition


class CaptureAll(WinCondition, frozen=True, tag="capture_all"):
    """Ends the deal when somebody has all cards; if it ends otherwise, the most cards."""

    likes_tricks: ClassVar[bool] = True

    def contradictions(self, field: str, genome: Genome, at: int) -> Iterator[str]:
        if genome.setup.cards_per_player == 0:
            yield f"{field}: nobody is dealt a card, so that the deal would be over at once"
        elif not (cards_leave(genome) or brings_cards(genome)):
            yield f"{field}: no card ever changes hands"

    def aim(self) -> str:
        return "Win all the cards."

    def words(self, value: int, genome: Genome) -> str:
        return some(value, "card")

    def best(self) -> str:
        return "the player with the most cards (held and won)"

    def ends(self, genome: Genome) -> str:
        return "only one player has cards left in hand"


def worth(g: Any, s: Any, win: int, p: int) -> int:
    """The cards held and captured."""
    return int(s.held[p] + s.won[p])


def triggered(g: Any, s: Any, win: int) -> bool:
    """As soon as fewer than two who are in the deal hold cards, and none lie in a trick."""
    count = 0
    for p in range(s.n):
        if not s.folded[p] and s.held[p] > 0:
            count += 1
    return bool(count < 2 and s.tricked == 0)


def standing(g: Any, s: Any, win: int, p: int) -> int:
    """The cards so far."""
    return int((s.held[p] + s.won[p]) * g.ranks)
