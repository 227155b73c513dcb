"""Actions from text: each becomes the action it means at that moment; an error for nonsense names what is allowed."""

import re

import pytest

from pitboss.betting.events import AllIn, Bet, Call, Check, Fold, Raise, RaiseBy
from pitboss.betting.refusals import Refused
from pitboss.chance import Chance
from pitboss.hand.events import Action, ChooseRuns, DealBoard, DealHole, Discard, Muck, Show
from pitboss.hand.games import NO_LIMIT_HOLDEM, STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, Structure, blinds
from pitboss.hand.text import allowed, read_spoken, waits_for
from tests.support.for_each import for_each
from tests.support.laws.tables import TEMPERS, some_answer, some_table

FACING = Hand.deal("no_limit_holdem", stacks=(1000, 1000, 1000), blinds=(10, 20), seed=7)[0]
OPENING = FACING.act("call")[0].act("call")[0].act("check")[0]
STUD = Hand.deal("razz", stacks=(500, 500, 500), ante=2, bring_in=5, min_bet=20, seed=1)[0]
DRAW = Hand.deal("badugi", stacks=(500, 500), blinds=(5, 10), seed=1)[0].act("call")[0].act("check")[0]
BARE = Hand.start(NO_LIMIT_HOLDEM, stacks=(100, 100), stakes=Stakes(min_bet=2, posts=blinds(2, 1, 2)))[0]

SAID: list[tuple[Hand, str, Action]] = [
    (FACING, "fold", Fold()),
    (FACING, "Fold", Fold()),
    (FACING, "check", Check()),
    (FACING, " call ", Call()),
    (FACING, "all in", AllIn()),
    (FACING, "all-in", AllIn()),
    (FACING, "all_in", AllIn()),
    (FACING, "ALLIN", AllIn()),
    (FACING, "raise 60", Raise(60)),
    (FACING, "raise to 60", Raise(60)),
    (FACING, "raise_to 60", Raise(60)),
    (FACING, "bet 60", Raise(60)),
    (FACING, "raise 1,000", Raise(1000)),
    (FACING, "raise to 60.00", Raise(60)),
    (FACING, "call 20", Call()),
    (FACING, "f", Fold()),
    (FACING, "x", Check()),
    (FACING, "shove", AllIn()),
    (FACING, "raise by 40", RaiseBy(40)),
    (FACING, "pot", Raise(70)),
    (FACING, "raise pot", Raise(70)),
    (FACING, "half pot", Raise(45)),
    (OPENING, "raise 60", Bet(60)),
    (OPENING, "bet 60", Bet(60)),
    (OPENING, "pot", Bet(60)),
    (OPENING, "bet the pot", Bet(60)),
    (OPENING, "bet half the pot", Bet(30)),
    (STUD, "bring in", Call()),
    (STUD, "bring-in", Call()),
    (STUD, "complete", Raise(20)),
    (STUD, "bring in 5", Call()),
    (STUD, "complete 20", Raise(20)),
    (STUD, "complete to 20", Raise(20)),
    (STUD, "raise", Raise()),
    (STUD, "bet", Raise()),
    (DRAW, "stand pat", Discard()),
    (DRAW, "pat", Discard()),
    (DRAW, "discard nothing", Discard()),
    (DRAW, "discard 9D, ah", Discard(("9d", "Ah"))),
    (DRAW, "draw 9dAh", Discard(("9d", "Ah"))),
    (OPENING, "run it once", ChooseRuns(1)),
    (OPENING, "run it twice", ChooseRuns(2)),
    (OPENING, "run it 3 times", ChooseRuns(3)),
    (OPENING, "show", Show()),
    (OPENING, "show as Kd", Show(("As", "Kd"))),
    (OPENING, "muck", Muck()),
    (BARE, "deal p1 As Kd", DealHole(0, ("As", "Kd"))),
    (BARE, "deal board 2h7c9d", DealBoard(("2h", "7c", "9d"))),
]


@for_each("hand, text, action", SAID)
def test_text_stands_for_its_action(hand: Hand, text: str, action: Action) -> None:
    assert read_spoken(hand, text) == action


def test_every_kind_of_action_has_a_text() -> None:
    assert {type(action) for _, _, action in SAID} == set(Action.__args__)


def test_G3_raise_60_is_to_60_and_raise_by_60_adds_60_chips() -> None:
    to, _ = FACING.act("raise 60")
    assert to.round.bets == (10, 20, 60)
    again, _ = to.act("raise by 110")
    assert again.round.bets == (120, 20, 60)


NONSENSE: list[tuple[Hand, str, str]] = [
    (FACING, "rase 60", "unknown_action: 'rase 60' is not possible now: p3 may fold, call 20 or raise to 40-1000"),
    (FACING, "", "unknown_action: '' is not possible now: p3 may fold, call 20 or raise to 40-1000"),
    (FACING, "raise 60.5", "whole_chips: expected a whole number of chips, got '60.5'"),
    (FACING, "raise -60", "whole_chips: expected a whole number of chips, got '-60'"),
    (FACING, "raise $60", "whole_chips: expected a whole number of chips, got '$60'"),
    (FACING, "raise by 6,0", "whole_chips: expected a whole number of chips, got '6,0'"),
    (FACING, "raise \u0666\u0660", "whole_chips: expected a whole number of chips, got '\u0666\u0660'"),
    (FACING, "call 30", "other_amount: expected 20, got 30: p3 may fold, call 20 or raise to 40-1000"),
    (STUD, "bring in 6", "other_amount: expected 5, got 6: p1 may bring in 5 or complete to 20"),
    (STUD, "complete 30", "above_maximum: "),
    (OPENING, "call 20", "nothing_owed: there is nothing to call; check instead"),
    (FACING, "raise", "amount_missing: expected an amount, such as raise 60: p3 may fold, call 20 or raise to 40-1000"),
    (FACING, "raise 30", "below_minimum: expected at least 40, got 30"),
    (FACING, "check", "must_pay: cannot check, because 20 is owed; call, raise or fold"),
    (FACING, "bring in", "unknown_action: no bring-in is due now: p3 may fold, call 20 or raise to 40-1000"),
    (FACING, "complete", "unknown_action: no bring-in can be completed now: p3 may "),
    (FACING, "show", "no_showdown: no cards can be shown now: betting goes on"),
    (FACING, "stand pat", "no_draw: no cards can be changed now"),
    (OPENING, "call", "nothing_owed: there is nothing to call; check instead"),
    (OPENING, "fould {x}", "unknown_action: 'fould {x}' is not possible now: p1 may fold, check or bet 20-980"),
    (STUD, "fold", "bring_in: the first player must pay the bring-in of 5 or complete it to 20"),
    (STUD, "sing", "unknown_action: 'sing' is not possible now: p1 may bring in 5 or complete to 20"),
    (DRAW, "pot", "unknown_action: no bet or raise is possible now: p1 may discard up to 4 cards or stand pat"),
    (DRAW, "raise", "betting_over: no betting now: cards are being changed"),
    (DRAW, "discard 2x", "no_such_card: unknown card '2x': "),
    (DRAW, "discard 2c2d", "not_held: place 0 holds 9dAh8dKh, not 2c"),
    (DRAW, "discard", "cards_missing: expected cards, such as discard 9d, or stand pat: p1 may discard up to 4 cards"),
    (FACING, "discard", "no_draw: no cards can be changed now"),
    (BARE, "call", "betting_over: no betting now: cards have to be dealt"),
    (BARE, "go", "unknown_action: 'go' is not possible now: cards are to be dealt: 2 to p1, 2 to p2"),
]


@for_each("hand, text, sentence", NONSENSE)
def test_G4_impossible_action_is_refused_with_the_possible_ones(hand: Hand, text: str, sentence: str) -> None:
    with pytest.raises(Refused) as refusal:
        hand.act(text)
    assert str(refusal.value).startswith(sentence)
    assert "\n" not in str(refusal.value)


def test_texts_are_refused_out_of_turn() -> None:
    with pytest.raises(Refused, match=r"^out_of_turn: it is the turn of place 2, not of place 0$"):
        FACING.act("call", 0)


@for_each("structure", STRUCTURES.values(), ids=STRUCTURES)
def test_actions_on_offer_can_be_entered(structure: Structure) -> None:
    """Each part of the sentence about what is allowed is understood and accepted, with its least amount."""
    for seed in range(4):
        chance = Chance(seed)
        hand, _ = some_table(chance, structure, house=True).deal()
        while not hand.over:
            assert waits_for(hand).endswith(allowed(hand))
            sentence = re.sub(r"(bet|raise to|complete to) (\d+) or (\d+)", r"\1 \2, \1 \3", allowed(hand))
            for said in sentence.replace(" or ", ", ").split(", "):
                text = said.split("-")[0]
                hand.act("stand pat" if text.startswith("discard") else text)
            hand, _ = hand.act(some_answer(hand, chance, TEMPERS[seed]))
