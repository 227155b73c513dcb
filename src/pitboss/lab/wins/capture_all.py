"""Win condition: the player with all cards wins. If the deal ends earlier, the player with the most cards wins."""

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
    """The deal ends when at most one player has cards in hand. The player with most cards, held and captured, wins."""

    collects: ClassVar[bool] = True
    likes_tricks: ClassVar[bool] = True
    needs_cards: ClassVar[bool] = True
    at_once: ClassVar[bool] = True

    def contradictions(self, field: str, genome: Genome, at: int) -> Iterator[str]:
        if genome.setup.cards_per_player == 0:
            yield f"{field}: expected cards_per_player of at least 1, got 0; the deal would be over at once"
        elif not (cards_leave(genome) or brings_cards(genome)):
            yield f"{field}: expected a phase in which cards leave or enter hands, got none"

    def instead(self, genome: Genome) -> str:
        if has_tricks(genome):
            return "most_tricks"  # all tricks have the same number of cards
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
        return "Cards still in hand when the deal is over also count; they are no longer played." if held else ""


def worth(g: Any, s: Any, win: int, p: int) -> int:
    """Return the number of cards held and captured."""
    return int(s.held[p] + s.won[p])


def triggered(g: Any, s: Any, win: int) -> bool:
    """Return whether fewer than two of the players who are still in hold cards."""
    count = 0
    for p in range(s.n):
        if not s.folded[p] and s.held[p] > 0:
            count += 1
    return count < 2


def standing(g: Any, s: Any, win: int, p: int) -> int:
    """Return the value of the cards that p holds and has captured."""
    return int((s.held[p] + s.won[p]) * g.ranks)
