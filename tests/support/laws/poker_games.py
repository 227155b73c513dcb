"""Poker under the laws of every game: each structure at five settings, its hidden cards, its chips, its neighbours."""

from collections.abc import Callable, Iterator

from pitboss.betting.round import Post
from pitboss.chance import Chance
from pitboss.hand.actions import Action, DealBoard, DealHole, Muck, Show
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand, Step
from pitboss.hand.poker import PokerType
from pitboss.hand.rake import Rake
from pitboss.hand.structure import Stakes, blinds
from tests.support.laws.laws import on_offer, wishes
from tests.support.laws.tables import Table, with_other_cards

SETTINGS: dict[str, tuple[tuple[int, ...], Stakes]] = {
    "heads_up": ((1000, 700), Stakes(min_bet=20, big_bet=40, posts=blinds(2, 10, 20))),
    "antes": ((300, 90, 41), Stakes(min_bet=20, big_bet=40, posts=blinds(3, 10, 20), antes=(5, 5, 5))),
    "big_blind_ante": (
        (200, 200, 200, 200),
        Stakes(min_bet=20, big_bet=40, posts=blinds(4, 10, 20), antes=(0, 20, 0, 0), equal_antes=False),
    ),
    "straddle_and_posts": (
        (500, 30, 200, 90, 400),
        Stakes(min_bet=20, posts=(*blinds(5, 10, 20, 40), Post(3, 20), Post(4, 10, live=False)), dead=30),
    ),
    "short_stacks_and_rake": (
        (1, 15, 33, 60, 21, 100),
        Stakes(min_bet=20, posts=blinds(6, 10, 20), rake=Rake(thousandths=50, cap=7)),
    ),
}
POKERS = [
    (name, PokerType(structure, stacks, stakes))
    for structure in STRUCTURES.values()
    for name, (stacks, stakes) in SETTINGS.items()
]


def poker_twins(poker: PokerType) -> Callable[[Chance, int | None], tuple[Step, Step]]:
    """Two deals that give these eyes and the board the same cards, and everybody else others."""

    def twins(chance: Chance, eyes: int | None) -> tuple[Step, Step]:
        deck = chance.shuffled(poker.structure.deck)
        table = Table(structure=poker.structure, stacks=poker.stacks, stakes=poker.stakes, deck=deck)
        return table.deal(), with_other_cards(table, eyes, chance).deal()

    return twins


def poker_counts(hand: Hand) -> tuple[int, ...]:
    """Chips with the players, in the middle and with the house; cards dealt and to come."""
    chips = sum(hand.stacks) + hand.round.chips_in_middle + hand.house
    return chips, sum(map(len, hand.holes)) + len(hand.board) + len(hand.deck or ())


def poker_neighbours(hand: Hand) -> Iterator[Action]:
    """Bets and raises beside every bound, words that do not fit, and what belongs to dealing and showdown."""
    for action in wishes(hand.round):
        if not on_offer(hand.offer, action, hand.round):
            yield action
    yield from (Show(), Muck(), DealBoard(("As",)), DealHole(hand.round.turn, ("As",)))
