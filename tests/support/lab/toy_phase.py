"""A kind of phase that pitboss does not have: give a card of your own to the next player."""

from typing import Any, ClassVar

from pitboss.lab import piles
from pitboss.lab.english import card_word
from pitboss.lab.genome import Deck, Genome, Phase, Traits, Values

STATE = {"given": "how many cards were given in this deal"}


class ToyPhase(Phase, frozen=True, tag=True):
    """Give some cards to the next player."""

    bounds: ClassVar = {"count": (1, 3)}
    columns: ClassVar = ("toy_count",)

    count: int = 1

    def numbers(self, genome: Genome, at: int) -> tuple[int, ...]:
        return (self.count,)

    @classmethod
    def values(cls, genome: Genome) -> Values:
        return {"count": (1, 2, 3)}

    @property
    def traits(self) -> Traits:
        return Traits(releases=True, uneven=True, looks=True, takes_known=True)

    def step(self, genome: Genome, at: int) -> str:
        return f"**Give.** Give {self.count} of your cards to the next player, one after another."

    def brief(self, genome: Genome) -> str:
        return f"give {self.count} of your cards away"

    @classmethod
    def word(cls, deck: Deck, move: int) -> str:
        return f"give {card_word(deck, move)}"


def deal(g: Any, s: Any) -> None:
    """Nothing is given yet."""
    s.given = 0


def begin(g: Any, rules: Any, s: Any) -> None:
    """As many as the phase says."""
    s.left = 0 if s.folded[s.player] else g.toy_count[s.phase]


def waiting(g: Any, s: Any) -> bool:
    """While there is something to give."""
    return bool(s.left > 0 and s.held[s.player] > 0)


def legal(g: Any, rules: Any, s: Any, moves: Any) -> int:
    """Any card."""
    return piles.list_hand(s, s.to_act, moves)


def act(g: Any, rules: Any, s: Any, move: int) -> None:
    """Hand it over."""
    piles.take_card(s, s.player, move)
    piles.give(s, piles.next_live(s, s.player, s.direction), move)
    s.left -= 1
    s.given += 1


def rate(g: Any, rules: Any, s: Any, move: int, rows: int, work: Any) -> int:
    """The lowest card first."""
    return -move
