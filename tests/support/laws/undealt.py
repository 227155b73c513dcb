"""Random hands without a deck: chance deals the cards that are due, some of them unknown, in pieces."""

from collections.abc import Iterator, Sequence

from pitboss.betting.refusals import Refused
from pitboss.cards import UNKNOWN, Card
from pitboss.chance import Chance
from pitboss.game import ChancesTurn
from pitboss.hand.events import Action, DealBoard, DealHole, Discard, Muck, Show
from pitboss.hand.hand import Hand
from pitboss.hand.state import own_due
from tests.support.laws.tables import some_action, some_table


def played_without_deck(chance: Chance, structure: object, temper: Sequence[int]) -> Iterator[Hand]:
    """Every position of a hand whose cards are dealt by actions, until it is over or cannot be decided."""
    table = some_table(chance, structure, house=True)  # type: ignore[arg-type]  # a structure or none
    hand, _ = table.deal(by_itself=False)
    cards, known = list(table.deck), chance.below(3) > 0
    yield hand
    while not hand.over and len(cards) > 1:
        try:
            hand, _ = hand.act(_answer(hand, chance, temper, cards, known))
        except Refused as refusal:
            if refusal.rule not in ("cards_unknown", "card_twice", "not_held"):
                raise
            return
        yield hand


def _answer(hand: Hand, chance: Chance, temper: Sequence[int], cards: list[Card], known: bool) -> Action:
    if isinstance(hand.turn, ChancesTurn):
        if hand.betting_is_over and chance.below(8) == 0 and not hand.shown:
            return Muck() if chance.below(2) else Show()
        return _deal(hand, chance, cards, known)
    if hand.phase == "draw":
        held = hand.holes[hand.draw.waiting[0]] if hand.draw is not None else ()
        return Discard(chance.shuffled(held, chance.below(len(held) + 1)))
    if hand.phase == "show":
        return Show() if hand.offer.show and chance.below(3) else Muck()
    return some_action(hand.offer, chance, temper, exact=hand.round.rules.second_step > 0)


def _deal(hand: Hand, chance: Chance, cards: list[Card], known: bool) -> Action:
    """Some of the cards that are due, to a player or to the board."""
    players = [place for place in hand.round.live if own_due(hand, place) > 0]
    if players:
        place = chance.choice(players)
        return DealHole(place, _cards(1 + chance.below(own_due(hand, place)), cards, known or chance.below(2) > 0))
    due = hand.structure.board_by_street[hand.street] - len(hand.board)
    return DealBoard(_cards(1 + chance.below(due), cards, known=True))


def _cards(count: int, cards: list[Card], known: bool) -> tuple[Card, ...]:
    dealt = [cards.pop() for _ in range(min(count, len(cards)))]
    return tuple(dealt) if known else (UNKNOWN,) * len(dealt)
