"""Games of the lab under the laws of every game: their hidden cards, their counts, and moves just outside an offer."""

from collections.abc import Callable, Iterator
from functools import cache

from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.game import Over
from pitboss.lab import codes
from pitboss.lab.events import CardsMoved, LabEvent
from pitboss.lab.files import known_games
from pitboss.lab.game import LabGame
from pitboss.lab.game_type import LabGameType, lab_game
from pitboss.lab.genome import Genome, only_blind
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


def hidden_places(game: LabGame, seat: int | None) -> list[tuple[list[int], int]]:
    """Return where cards are that this seat cannot see: other hands, the deck, claims, and its own blind cards.

    When the game is over, hands that were compared have been shown.
    """
    state = game.state
    found = [(state.deck, at) for at in range(state.drawn, state.undrawn)]
    own = state.put if game.phase == "ClaimPhase" and game.claim is None and state.claimer == seat else 0
    found += [(state.pile, at) for at in range(state.piled - own)]
    compared = game.over and game.folded.count(False) > 1 and any(win.of_holding for win in game.genome.win_conditions)
    for p in range(game.genome.player_count):
        if (p != seat or only_blind(game.genome)) and not (compared and not game.folded[p]):
            found += [(state.hands, p * codes.MOST_CARDS + at) for at in range(state.held[p])]
    return found


def lab_other_world(game: LabGame, eyes: int | None, chance: Chance) -> LabGame:
    """The game with all cards that these eyes do not see in other places, and with other chance."""
    state = game.state.copy()
    other = LabGame(game.genome, game.program, state)
    places = hidden_places(other, eyes)
    for (row, at), card in zip(places, chance.shuffled([row[at] for row, at in places]), strict=True):
        row[at] = card
    state.chance = chance.bits()
    return other


def lab_elsewhere(move: str, there: LabGame, here: LabGame) -> str:
    """A move as it is in another world: a claim is made with the card in the same place of the hand."""
    verb, _, card = move.partition(" ")
    if verb != "claim" or there.player is None:
        return move
    return f"{verb} {here.hands[there.player][there.hands[there.player].index(card)]}"


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
