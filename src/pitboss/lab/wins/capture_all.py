"""Who has all cards wins or, where that cannot be, who has the most."""

from collections.abc import Iterator
from typing import Any, ClassVar

from pitboss.lab.english import some
from pitboss.lab.genome import (
    Genome,
    LaySets,
    WinCondition,
    brings_cards,
    cards_leave,
    collects_cards,
    has_tricks,
    main_phase,
)


class CaptureAll(WinCondition, frozen=True, tag="capture_all"):
    """Ends the deal when only one player, or none, has cards in hand; then the most cards, held and captured, win."""

    collects: ClassVar[bool] = True
    likes_tricks: ClassVar[bool] = True
    needs_cards: ClassVar[bool] = True
    at_once: ClassVar[bool] = True

    def contradictions(self, field: str, genome: Genome, at: int) -> Iterator[str]:
        if genome.setup.cards_per_player == 0:
            yield f"{field}: nobody is dealt a card, so that the deal would be over at once"
        elif not (cards_leave(genome) or brings_cards(genome)):
            yield f"{field}: no card ever changes hands"

    def instead(self, genome: Genome) -> str:
        if has_tricks(genome):
            return "most_tricks"  # all tricks have as many cards
        if collects_cards(genome):
            return ""
        return "empty_hand" if main_phase(genome) else "high_card"

    def aim(self, genome: Genome) -> str:
        turns = genome.turn_structure
        stay = all(phase.bets or (phase.tricks and not phase.traits.captures) for phase in turns.phases)
        laid = any(isinstance(effect, LaySets) for effect in genome.effects)
        if stay and not laid and turns.rounds == 0:
            return "Win all the cards."
        return "Have the most cards, held and won, when the deal is over."

    def words(self, value: int, genome: Genome) -> str:
        return some(value, "card")

    def best(self) -> str:
        return "the player with the most cards (held and won)"

    def ends(self, genome: Genome) -> str:
        who = "player who is still in" if genome.betting_phases else "player"
        return f"no more than one {who} has cards left in hand"

    def explained(self, genome: Genome) -> str:
        held = any(phase.traits.releases and not phase.tricks for phase in genome.turn_structure.phases)
        return "Cards still in hand when the deal is over count too; they are not played any more." if held else ""


def worth(g: Any, s: Any, win: int, p: int) -> int:
    """The cards held and captured."""
    return int(s.held[p] + s.won[p])


def triggered(g: Any, s: Any, win: int) -> bool:
    """As soon as fewer than two who are in the deal hold cards."""
    count = 0
    for p in range(s.n):
        if not s.folded[p] and s.held[p] > 0:
            count += 1
    return count < 2


def standing(g: Any, s: Any, win: int, p: int) -> int:
    """The cards so far."""
    return int((s.held[p] + s.won[p]) * g.ranks)
