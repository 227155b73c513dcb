"""Poker under the laws of every game: each structure at some settings, its hidden cards, its chips, its neighbours."""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from pitboss.betting.events import Call, Check, Fold
from pitboss.betting.round import Post
from pitboss.chance import Chance
from pitboss.game import PlayersTurn
from pitboss.hand.events import Action, DealBoard, DealHole, Discard, Muck, Show
from pitboss.hand.game_type import PokerType
from pitboss.hand.games import PHH_CODES, STRUCTURES
from pitboss.hand.hand import Hand, Step
from pitboss.hand.structure import Rake, Stakes, Structure, blinds
from tests.support.laws.laws import on_offer, wishes
from tests.support.laws.tables import Table, with_other_cards

BLINDS: dict[str, tuple[tuple[int, ...], Stakes]] = {
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
BLINDED: dict[str, tuple[tuple[int, ...], Stakes]] = {
    **BLINDS,
    "bomb_pot": ((500, 60, 200), Stakes(min_bet=20, big_bet=40, antes=(30, 30, 30), bomb=True)),
    "may_muck": ((500, 60, 200), Stakes(min_bet=20, big_bet=40, posts=blinds(3, 10, 20), may_muck=True)),
}
BRING_INS: dict[str, tuple[tuple[int, ...], Stakes]] = {
    "heads_up": ((1000, 700), Stakes(min_bet=20, big_bet=40, antes=(5, 5), bring_in=10)),
    "no_antes": ((300, 90, 41), Stakes(min_bet=20, big_bet=40, bring_in=20)),
    "may_muck": ((300, 300, 300), Stakes(min_bet=20, big_bet=40, antes=(5, 5, 5), bring_in=10, may_muck=True)),
    "short_stacks_and_rake": (
        (1, 7, 33, 60, 21, 100),
        Stakes(min_bet=20, big_bet=40, antes=(5,) * 6, bring_in=10, rake=Rake(thousandths=50, cap=7), dead=30),
    ),
    "short_deck": ((400,) * 8, Stakes(min_bet=20, big_bet=40, antes=(5,) * 8, bring_in=10)),
}
RUNS = {"runs": ((500, 60, 200), Stakes(min_bet=20, big_bet=40, posts=blinds(3, 10, 20), runs=3))}


def settings_for(structure: Structure) -> dict[str, tuple[tuple[int, ...], Stakes]]:
    """The settings with which a structure is tested."""
    if structure.betting.bring_in:
        return BRING_INS
    return {**BLINDED, **RUNS} if structure.board_by_street[-1] else BLINDED


def tried() -> Iterator[tuple[str, PokerType]]:
    """The games of the PHH standard at every setting, and each of the other games at one of them."""
    for number, structure in enumerate(STRUCTURES.values()):
        settings = list(settings_for(structure).items())
        for name, (stacks, stakes) in settings if structure.code in PHH_CODES else [settings[number % len(settings)]]:
            yield name, PokerType(structure, stacks, stakes)


POKERS = list(tried())


def poker_twins(poker: PokerType) -> Callable[[Chance, int | None], tuple[Step, Step]]:
    """Two deals that give these eyes and the board the same cards, and the other players other cards."""

    def twins(chance: Chance, eyes: int | None) -> tuple[Step, Step]:
        deck = chance.shuffled(poker.structure.deck)
        table = Table(structure=poker.structure, stacks=poker.stacks, stakes=poker.stakes, deck=deck)
        return table.deal(), with_other_cards(table, eyes, chance).deal()

    return twins


def poker_other_world(hand: Hand, eyes: int | None, chance: Chance) -> Hand:
    """The hand with all cards that these eyes do not see in other places: others' cards, the deck and the discards."""
    faces, away = hand.structure.faces or (False,) * 9, hand.draw.discards if hand.draw else ()
    known = [
        [up or place == eyes or place in hand.shown for _, up in zip(hole, faces, strict=False)]
        for place, hole in enumerate(hand.holes)
    ]
    dealt = [list(zip(hole, ups, strict=True)) for hole, ups in zip(hand.holes, known, strict=True)]
    down = [card for hole in dealt for card, up in hole if not up]
    cards = iter(chance.shuffled([*down, *(hand.deck or ()), *away]))
    holes = tuple([tuple([card if up else next(cards) for card, up in hole]) for hole in dealt])
    other = replace(hand, holes=holes, deck=tuple([next(cards) for _ in hand.deck or ()]))
    if hand.draw:
        other = replace(other, draw=replace(hand.draw, discards=tuple(cards), order=chance.bits().to_bytes(8)))
    return other


def poker_elsewhere(action: Action, there: Hand, here: Hand) -> Action:
    """An action as it is in another world, where other cards are in the same places."""
    if not isinstance(action, Discard):
        return action
    assert isinstance(there.turn, PlayersTurn)
    place = there.turn.place
    return Discard(tuple([here.holes[place][there.holes[place].index(card)] for card in action.cards]))


def poker_counts(hand: Hand) -> tuple[int, ...]:
    """Chips of the players, of the pot and of the house; cards dealt, to come and discarded."""
    chips = sum(hand.stacks) + hand.round.chips_in_middle + hand.house
    boards = len(hand.board) + (sum(len(hand.runs.own_part(board)) for board in hand.runs.boards) if hand.runs else 0)
    away = len(hand.draw.discards) if hand.draw else 0
    return chips, sum(map(len, hand.holes)) + boards + len(hand.deck or ()) + away


def poker_neighbours(hand: Hand) -> Iterator[Action]:
    """Bets and raises just outside every bound, words that do not fit, and actions of dealing, draws and showdown."""
    assert isinstance(hand.turn, PlayersTurn)
    place = hand.turn.place
    if hand.phase == "bet":
        for action in wishes(hand.round):
            if not on_offer(hand.offer, action, hand.round):
                yield action
    else:
        yield from (Fold(), Check(), Call())
    if hand.phase == "draw":
        held = hand.holes[place]
        strange = next(card for card in hand.structure.deck if card not in held)
        yield from (Discard((strange,)), Discard((held[0], held[0])), Discard((*held, strange)), Discard(("??",)))
    else:
        yield from (Discard(), Discard(hand.holes[place][:1]))
    if hand.phase != "show":
        yield from (Show(), Muck())
    yield from (DealBoard(("As",)), DealHole(place, ("As",)))
