"""Games of the lab from arranged cards: each player's cards, and the cards that come from the deck after that."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from pitboss.lab.files import load
from pitboss.lab.game import LabGame
from pitboss.lab.genome import Genome


def deck_for(*hands: str, then: str = "") -> list[str]:
    """The order of cards in which each of the players, from the first on, is dealt this hand, card by card."""
    dealt = [hand.split() for hand in hands]
    assert len({len(hand) for hand in dealt}) == 1
    return [card for row in zip(*dealt, strict=True) for card in row] + then.split()


def dealt(game: str | Genome, *hands: str, then: str = "", deals: int | None = None) -> LabGame:
    """A game whose players hold these cards; `then` comes next, and the other cards after that."""
    genome = load(game) if isinstance(game, str) else game
    if deals is not None:
        genome = replace(genome, setup=replace(genome.setup, deals=deals))
    assert len(hands) == genome.player_count
    return LabGame.dealt(genome, deck=deck_for(*hands, then=then))


def do(game: LabGame, moves: str | Sequence[str]) -> LabGame:
    """Do these moves one after another; in a text they are separated by commas."""
    for move in [word.strip() for word in moves.split(",")] if isinstance(moves, str) else moves:
        game = game.after(move)
    return game


def whole(hands: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Hands as texts."""
    return tuple(" ".join(hand) for hand in hands)
