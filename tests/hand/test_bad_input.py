"""Bad input to any game: each is refused in one sentence that names the rule, and nothing has changed."""

from typing import Any

import pytest
from msgspec.msgpack import encode

from pitboss.betting.events import Bet, Call, Check, Fold, Raise
from pitboss.betting.refusals import Refused, SetupError
from pitboss.hand.events import Action, Discard, Muck, Show
from pitboss.hand.games import (
    BADUGI,
    DEUCE_TO_SEVEN_SINGLE_DRAW,
    NO_LIMIT_HOLDEM,
    RAZZ,
    SEVEN_CARD_STUD,
    NoSuchStructure,
    find_structure,
)
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, Structure, blinds

BLINDS = Stakes(min_bet=20, posts=blinds(3, 10, 20))
STUD = Stakes(min_bet=20, big_bet=40, antes=(5,) * 3, bring_in=10)


def at_the_draw(structure: Structure = DEUCE_TO_SEVEN_SINGLE_DRAW, stacks: tuple[int, ...] = (500, 500, 500)) -> Hand:
    """Three players who have called, and may change cards; place 0 is to act."""
    hand, _ = Hand.start(structure, stacks=stacks, stakes=BLINDS, deck=structure.deck)
    while hand.phase == "bet":
        hand, _ = hand.act(Check() if hand.offer.check else Call())
    return hand


def at_the_bring_in(structure: Structure = SEVEN_CARD_STUD) -> Hand:
    """Three players on third street; of a fresh deck place 0 has the lowest up-card and place 2 the highest."""
    hand, _ = Hand.start(structure, stacks=(500, 500, 500), stakes=STUD, deck=structure.deck)
    return hand


def refused(hand: Hand, action: Action, place: int | None, said: str) -> None:
    """State that this is refused so, in one sentence, and that nothing has changed."""
    before = encode(hand)
    with pytest.raises(Refused) as refusal:
        hand.act(action, place)
    assert str(refusal.value) == said
    assert encode(hand) == before


def test_a_draw_of_cards_one_does_not_hold() -> None:
    refused(at_the_draw(), Discard(("As",)), 0, "not_held: place 0 holds 2c2s3h4d5c, not As")


def test_a_sixth_discard() -> None:
    hand = at_the_draw()
    said = "too_many_cards: place 0 holds 5 cards and cannot change 6"
    refused(hand, Discard((*hand.holes[0], "As")), 0, said)


def test_a_fifth_discard_where_there_are_four_cards() -> None:
    hand = at_the_draw(BADUGI)
    said = "too_many_cards: place 0 holds 4 cards and cannot change 5"
    refused(hand, Discard((*hand.holes[0], "As")), 0, said)


def test_a_card_thrown_twice() -> None:
    refused(at_the_draw(), Discard(("2c", "2c")), 0, "card_twice: card 2c appears twice")


def test_unknown_card() -> None:
    refused(at_the_draw(), Discard(("??",)), 0, "not_held: place 0 holds 2c2s3h4d5c, not ??")


@pytest.mark.parametrize("cards", [None, 3, "2c"])
def test_draw_of_a_value_that_is_not_a_list(cards: Any) -> None:
    said = f"not_held: expected a list of cards to change, got {cards!r}"
    refused(at_the_draw(), Discard(cards), 0, said)


def test_a_draw_out_of_turn() -> None:
    refused(at_the_draw(), Discard(), 1, "out_of_turn: it is the turn of place 0, not of place 1")


@pytest.mark.parametrize("structure", [DEUCE_TO_SEVEN_SINGLE_DRAW, NO_LIMIT_HOLDEM], ids=["draw", "flop"])
def test_draw_in_a_betting_round(structure: Structure) -> None:
    hand, _ = Hand.start(structure, stacks=(500, 500, 500), stakes=BLINDS, deck=structure.deck)
    for cards in ((), hand.holes[2][:1]):
        refused(hand, Discard(cards), 2, "no_draw: no cards can be changed now")


def test_a_bet_while_cards_are_changed() -> None:
    for action in (Check(), Bet(to=20), Fold()):
        refused(at_the_draw(), action, 0, "betting_over: no betting now: cards are being changed")


def test_show_while_all_in_players_draw() -> None:
    hand = at_the_draw(stacks=(20, 20, 20))
    for action in (Show(), Muck()):
        refused(hand, action, 0, "no_showdown: no cards can be shown now: cards are being changed")


@pytest.mark.parametrize(("structure", "low"), [(SEVEN_CARD_STUD, 0), (RAZZ, 2)], ids=["high", "razz"])
def test_a_bring_in_by_the_wrong_seat(structure: Structure, low: int) -> None:
    hand = at_the_bring_in(structure)
    for place in {0, 1, 2} - {low}:
        refused(hand, Call(), place, f"out_of_turn: it is the turn of place {low}, not of place {place}")


@pytest.mark.parametrize("action", [Fold(), Check()], ids=["fold", "check"])
def test_folding_or_checking_the_bring_in(action: Fold | Check) -> None:
    said = "bring_in: the first player must pay the bring-in of 10 or complete it to 20"
    refused(at_the_bring_in(), action, 0, said)


@pytest.mark.parametrize(
    ("to", "said"),
    [
        (19, "below_minimum: expected at least 20, got 19"),
        (21, "above_maximum: expected at most 20, got 21"),
        (10, "below_minimum: expected at least 20, got 10"),
        (40, "above_maximum: expected at most 20, got 40"),
    ],
)
def test_a_completion_of_the_wrong_size(to: int, said: str) -> None:
    hand = at_the_bring_in()
    refused(hand, Raise(to=to), 0, said)
    hand, _ = hand.act(Call(), 0)
    refused(hand, Raise(to=to), 1, said)
    assert hand.act(Raise(to=20), 1)[0].round.price == 20


def test_a_bet_where_there_is_a_bring_in() -> None:
    refused(at_the_bring_in(), Bet(to=20), 0, "already_bet: there is already a bet of 10; raise instead")


def unstarted(structure: Structure, stakes: Stakes, players: int, said: str, cards: int = 52) -> None:
    """State that a hand cannot start so."""
    for deck in (structure.deck[:cards], None) if cards == 52 else (structure.deck[:cards],):
        with pytest.raises(SetupError) as refusal:
            Hand.start(structure, stacks=(500,) * players, stakes=stakes, deck=deck)
        assert str(refusal.value) == said


def test_a_stud_hand_for_nine_players() -> None:
    stakes = Stakes(min_bet=20, big_bet=40, antes=(5,) * 9, bring_in=10)
    unstarted(SEVEN_CARD_STUD, stakes, 9, "players: expected at most 8 in limit seven-card stud, got 9")


def test_a_stud_hand_without_a_bring_in_or_with_too_much_of_one() -> None:
    for bring_in in (0, 21):
        said = f"bring_in: expected 1 to 20 in limit seven-card stud, got {bring_in}"
        unstarted(SEVEN_CARD_STUD, Stakes(min_bet=20, antes=(5,) * 3, bring_in=bring_in), 3, said)


def test_blinds_in_stud_and_a_bring_in_in_holdem() -> None:
    stakes = Stakes(min_bet=20, posts=blinds(3, 10, 20), bring_in=10)
    unstarted(SEVEN_CARD_STUD, stakes, 3, "blinds: limit seven-card stud has a bring-in instead")
    unstarted(NO_LIMIT_HOLDEM, stakes, 3, "bring_in: no-limit hold'em has blinds instead")


def test_a_draw_hand_for_ten_players() -> None:
    stakes = Stakes(min_bet=20, posts=blinds(10, 10, 20))
    unstarted(
        DEUCE_TO_SEVEN_SINGLE_DRAW,
        stakes,
        10,
        "players: expected at most 9 in no-limit deuce-to-seven single draw, got 10",
    )


def test_a_deck_too_short_to_change_five_cards() -> None:
    """A player who changes all cards gets as many, whatever was discarded before."""
    unstarted(DEUCE_TO_SEVEN_SINGLE_DRAW, BLINDS, 3, "deck: expected at least 20 cards for 3 players, got 19", cards=19)
    hand, _ = Hand.start(
        DEUCE_TO_SEVEN_SINGLE_DRAW, stacks=(500,) * 3, stakes=BLINDS, deck=DEUCE_TO_SEVEN_SINGLE_DRAW.deck[:20]
    )
    while not hand.over:
        drawn = hand.phase == "draw" and hand.draw is not None
        action = Discard(hand.holes[hand.draw.waiting[0]]) if drawn and hand.draw else None
        hand, _ = hand.act(action or (Check() if hand.offer.check else Call()))
        assert [len(hole) for hole in hand.holes] == [5, 5, 5]


@pytest.mark.parametrize("name", ["XX", "FX", "eight_card_stud", ""])
def test_an_unknown_variant(name: str) -> None:
    with pytest.raises(NoSuchStructure, match=rf"^no game is called '{name}': there are no_limit_holdem, .* more in"):
        find_structure(name)
