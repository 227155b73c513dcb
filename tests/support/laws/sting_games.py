"""Sting under the laws of every game: both ways to answer a raise, its hidden cards, and actions outside its offers."""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from pitboss.betting.rules import Answers
from pitboss.chance import Chance
from pitboss.sting.cards import ROLES
from pitboss.sting.events import Continue, StingAction, StingCheck, StingFold, StingRaise
from pitboss.sting.game_type import Sting
from pitboss.sting.hand import Step, StingHand

STINGS = [(answers.name.lower(), Sting(answers=answers)) for answers in Answers]


def sting_twins(sting: Sting) -> Callable[[Chance, int | None], tuple[Step, Step]]:
    """Two deals that give these eyes the same cards to draw, and other players theirs in another order."""

    def twins(chance: Chance, eyes: int | None) -> tuple[Step, Step]:
        decks: dict[str, tuple[str, ...]] = {role: chance.shuffled(deck) for role, deck in sting.decks.items()}
        others = {
            role: deck if place == eyes else chance.shuffled(deck) for place, (role, deck) in enumerate(decks.items())
        }
        one = StingHand.start(decks, answers=sting.answers, seed=1)
        return one, StingHand.start(others, answers=sting.answers, seed=2)

    return twins


def sting_other_world(hand: StingHand, eyes: int | None, chance: Chance) -> StingHand:
    """The hand with every deck in another order, other cards in others' hands and face down, and another seed.

    Each player has an own deck, so cards stay with their player.
    """
    hands, decks, down = list(hand.hands), list(hand.decks), list(hand.down)
    for place in range(len(ROLES)):
        if place == eyes:
            decks[place] = chance.shuffled(decks[place])
            continue
        own = [at for at, (player, _) in enumerate(down) if player == place]
        cards = iter(chance.shuffled([*hands[place], *decks[place], *[down[at][1] for at in own]]))
        hands[place] = tuple([next(cards) for _ in hands[place]])
        for at in own:
            down[at] = (place, next(cards))
        decks[place] = tuple(cards)
    return replace(hand, hands=tuple(hands), decks=tuple(decks), down=tuple(down), seed=chance.bits())


def sting_elsewhere(action: StingAction, there: StingHand, here: StingHand) -> StingAction:
    """An action as it is in another world: the card in the same place of the hand is played."""
    if not isinstance(action, StingRaise):
        return action
    place = there.to_act
    return StingRaise(here.hands[place][there.hands[place].index(action.card)])


def sting_counts(hand: StingHand) -> tuple[int, ...]:
    """All cards: in hands, in the deck, on the table."""
    played = [place for place, _ in (*hand.table, *hand.down)]
    return tuple([len(hand.hands[p]) + len(hand.decks[p]) + played.count(p) for p in range(len(ROLES))])


def sting_neighbours(hand: StingHand) -> Iterator[StingAction]:
    """Actions of another moment, cards of other players, and cards that do not exist."""
    words: list[StingAction] = [StingCheck(), StingFold(), Continue(), StingRaise(""), StingRaise("No Such Card")]
    words += [StingRaise(card) for held in (*hand.hands, *hand.decks) for card in held]
    legal = hand.legal()
    yield from dict.fromkeys(action for action in words if action not in legal)
