"""Poker as a type of game: what it shares with every game, and its own answers."""

import msgspec
import pytest

from pitboss.betting.events import Call, Check, Fold, Raise
from pitboss.betting.refusals import Refused, SetupError
from pitboss.chance import Chance
from pitboss.game import GameType, NoSuchPlace
from pitboss.hand.events import Action, DealBoard, DealHole, Event, HoleDealt, Muck
from pitboss.hand.game_type import PokerType
from pitboss.hand.games import NO_LIMIT_HOLDEM, OMAHA
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, blinds

STAKES = Stakes(min_bet=20, posts=blinds(2, 10, 20))
POKER: GameType[Hand, Action, Event] = PokerType(NO_LIMIT_HOLDEM, (1000, 500), STAKES)


def test_it_is_named_after_its_structure() -> None:
    assert POKER.name == "no_limit_holdem"
    assert PokerType(OMAHA, (100, 100), STAKES).name == "omaha"
    own = msgspec.structs.replace(OMAHA, keys=(), code="X")
    assert PokerType(own, (100, 100), STAKES).name == "X"


def test_it_is_played_by_as_many_as_have_stacks() -> None:
    assert list(POKER.places) == [2]
    with pytest.raises(SetupError, match="stacks: expected 3, one per player, got 2"):
        POKER.start(3, Chance(1))


def test_the_same_chance_deals_the_same_cards() -> None:
    assert POKER.start(2, Chance(1)) == POKER.start(2, Chance(1))
    assert POKER.start(2, Chance(1))[0].holes != POKER.start(2, Chance(2))[0].holes


def test_the_default_action_is_a_check_where_it_is_free_else_a_fold() -> None:
    hand, _ = POKER.start(2, Chance(1))
    assert POKER.default_action(hand) == Fold()
    hand, _ = hand.act(Call())
    assert POKER.default_action(hand) == Check()
    hand, _ = hand.act(Fold())
    with pytest.raises(Refused, match=r"^betting_over: "):
        POKER.default_action(hand)


def test_by_default_cards_stay_down() -> None:
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(20, 20), stakes=STAKES)
    for action in (DealHole(0, ("As", "Ad")), DealHole(1, ("Ks", "Kd")), Call()):
        hand, _ = hand.act(action)
    for cards in (("2c", "3c", "4d"), ("9h",), ("Th",)):
        hand, _ = hand.act(DealBoard(cards))
    assert POKER.default_action(hand) == Muck()
    assert hand.act(Muck())[0].over


def test_result_is_the_winnings_and_losses() -> None:
    hand, _ = POKER.start(2, Chance(1))
    with pytest.raises(Refused, match=r"^not_over: "):
        POKER.result(hand)
    for action in (Raise(to=60), Fold()):
        hand, _ = hand.act(action)
    assert POKER.result(hand) == (-20, 20)


@pytest.mark.parametrize("place", [-1, 2, 99])
def test_missing_place_sees_nothing(place: int) -> None:
    with pytest.raises(NoSuchPlace, match="place: expected 0 to 1, or None for a spectator, got"):
        POKER.start(2, Chance(1))[0].view(place)


def test_hole_cards_are_learnt_by_their_owner_alone() -> None:
    _, events = POKER.start(2, Chance(1))
    dealt = [event for event in events if isinstance(event, HoleDealt)]
    hidden = [HoleDealt(event.place, ("??", "??")) for event in dealt]
    assert [POKER.view_event(event, 0) for event in dealt] == [dealt[0], hidden[1]]
    assert [POKER.view_event(event, 1) for event in dealt] == [hidden[0], dealt[1]]
    assert [POKER.view_event(event, None) for event in dealt] == hidden


def test_view_must_name_every_field_of_a_hand() -> None:
    """A field with a default could be added without saying who may see it."""
    assert [field.name for field in msgspec.structs.fields(Hand) if not field.required] == []
