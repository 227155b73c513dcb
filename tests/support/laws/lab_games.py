"""Games of the lab under the laws of every game: their hidden cards, their counts, and moves just outside an offer."""

from collections.abc import Callable, Iterator
from functools import cache

from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.game import Over
from pitboss.lab.events import CardsMoved, LabEvent
from pitboss.lab.files import known_games
from pitboss.lab.game import LabGame, LabGameType, lab_game
from pitboss.lab.genome import Genome
from tests.support.lab.genomes import some_genome
from tests.support.laws.laws import LawBroken

Start = tuple[LabGame, tuple[LabEvent, ...]]

NOT_ASKING = ("war", "old_maid")
"""Games without a decision for any player, so there is no offer to try and no moment to look at."""
LABS: list[LabGameType] = [lab_game(name) for name in known_games() if name not in NOT_ASKING]
LABS += [
    LabGameType(replace(some_genome(9, number), name=f"random_{number}", max_turns=60)) for number in (4, 5, 7, 10)
]
MOST_NEIGHBOURS = 12


def lab_twins(lab: LabGameType) -> Callable[[Chance, int | None], tuple[Start, Start]]:
    """Two deals that differ in the places of all cards that these eyes have not seen when they are dealt."""

    def twins(chance: Chance, eyes: int | None) -> tuple[Start, Start]:
        deck = chance.shuffled(words(lab.genome))
        one = LabGame.start(lab.genome, deck=deck)
        seen = {card for row in piles(one[0].view(eyes)) for card in row}
        for event in one[1]:  # also cards that were open and are hidden again
            match lab.view_event(event, eyes):
                case CardsMoved(cards=cards):
                    seen |= set(cards)
        hidden = [card for card in deck if card not in seen]
        for _ in range(100):
            others = iter(chance.shuffled(hidden))
            two = LabGame.start(lab.genome, deck=[card if card in seen else next(others) for card in deck])
            if two[0] != one[0] and two[0].view(eyes) == one[0].view(eyes):
                return one, two
        raise LawBroken(f"{lab.name}: nothing is hidden, or what is hidden shows")

    return twins


def words(genome: Genome) -> tuple[str, ...]:
    """All cards of a game."""
    deck = genome.setup.deck
    return tuple([rank + suit for rank in deck.ranks for suit in deck.suits])


def piles(game: LabGame) -> Iterator[tuple[str, ...]]:
    """The cards of every pile except the deck, as they are seen."""
    yield from game.hands
    yield from game.captured
    yield from (game.discards, game.tableau, game.trick, game.community, game.pile)


def lab_counts(game: LabGame) -> tuple[int, ...]:
    """The number of cards and, if there are any, of chips."""
    cards = game.deck_left + sum(map(len, piles(game)))
    chips = sum(game.chips) + game.pot
    return (cards, chips) if game.genome.setup.starting_chips else (cards,)


def lab_neighbours(game: LabGame) -> Iterator[str]:
    """Moves of other moments, misspelled moves, and an empty one."""
    legal = game.legal()
    others = [move for move in vocabulary(game.genome) if move not in legal]
    chance = Chance(len(legal)).fork(game.deck_left)
    yield from chance.shuffled(others, min(MOST_NEIGHBOURS, len(others)))
    yield from ("", legal[0].upper(), f"{legal[0]} ")


@cache
def vocabulary(genome: Genome) -> tuple[str, ...]:
    """The moves that come up in some random games, and a few of other games."""
    found = dict.fromkeys(("check", "call", "raise", "fold", "play As", "pass"))
    for seed in range(3):
        chance, game = Chance(seed), LabGame.dealt(genome, seed)
        while not isinstance(game.turn, Over) and len(found) < 60:
            found |= dict.fromkeys(game.legal())
            game = game.after(chance.choice(game.legal()))
    return tuple(found)
