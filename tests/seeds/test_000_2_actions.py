"""Seed 000 §2: what checking, calling, betting and raising mean."""

import pytest

from pitboss.betting.events import Called, Checked, Raised
from pitboss.betting.round import Bounds, Offer
from tests.support.seeds.tables import follow, hold_em, play, refusal, turn

TO_THE_FLOP = ("call", "call", "check")


def test_000_2_check_is_refused_while_something_is_owed() -> None:
    hand = hold_em(1000, 1000, 1000)
    assert hand.offer.check is False
    assert refusal(hand, "check") == "must_pay"


def test_000_2_small_blind_cannot_check() -> None:
    hand = play(hold_em(1000, 1000, 1000), "call")
    assert hand.round.bets[0] == 10
    assert refusal(hand, "check") == "must_pay"


def test_000_2_check_is_allowed_once_the_table_bet_is_matched() -> None:
    hand = play(hold_em(1000, 1000, 1000), "call", "call")
    hand, events = follow(hand, "check")
    assert events[0] == Checked(1)
    assert hand.stacks == (980, 980, 980)


def test_000_2_call_pays_exactly_the_missing_chips() -> None:
    hand = play(hold_em(1000, 1000, 1000), "raise_to 70")
    hand, events = follow(hand, "call")
    assert events == (Called(0, 60),)
    assert hand.round.bets == (70, 20, 70)
    assert hand.stacks == (930, 980, 930)


def test_000_2_call_with_too_few_chips_puts_in_the_stack_and_is_all_in() -> None:
    hand = play(hold_em(45, 1000, 1000), "raise_to 70")
    assert hand.offer == Offer(fold=True, call=35, all_in=35)
    hand, events = follow(hand, "call")
    assert events == (Called(0, 35, all_in=True),)
    assert hand.round.bets == (45, 20, 70)
    assert hand.round.price == 70


def test_000_2_call_with_exactly_enough_chips_is_all_in_and_no_raise_is_offered() -> None:
    hand = play(hold_em(70, 1000, 1000), "raise_to 70")
    assert hand.offer == Offer(fold=True, call=60, all_in=60)
    assert refusal(hand, "raise_to 70") == "covered"
    assert follow(hand, "all_in")[1] == (Called(0, 60, all_in=True),)


def test_000_2_call_is_refused_when_no_chips_are_owed() -> None:
    hand = play(hold_em(1000, 1000, 1000), "call", "call")
    assert hand.offer.call is None
    assert refusal(hand, "call") == "nothing_owed"


def test_000_2_bet_is_refused_pre_flop_where_the_blind_is_the_bet() -> None:
    assert refusal(hold_em(1000, 1000, 1000), "bet 40") == "already_bet"


def test_000_2_bet_is_refused_where_there_is_a_bet() -> None:
    hand = play(hold_em(1000, 1000, 1000), *TO_THE_FLOP, "bet 40")
    assert hand.offer.bet is None
    assert refusal(hand, "bet 80") == "already_bet"


def test_000_2_raise_is_refused_without_a_bet() -> None:
    hand = play(hold_em(1000, 1000, 1000), *TO_THE_FLOP)
    assert hand.offer.raise_ is None
    assert refusal(hand, "raise_to 40") == "no_bet_yet"
    assert refusal(hand, "raise_by 40") == "no_bet_yet"


def test_000_2_bet_is_at_least_min_bet() -> None:
    hand = play(hold_em(1000, 1000, 1000), *TO_THE_FLOP)
    assert hand.offer.bet == Bounds(20, 980, 20, 980)
    assert refusal(hand, "bet 19") == "below_minimum"
    assert play(hand, "bet 20").round.price == 20


def test_000_2_bet_is_at_most_the_stack() -> None:
    hand = play(hold_em(1000, 1000, 1000), *TO_THE_FLOP)
    assert refusal(hand, "bet 981") == "above_maximum"
    assert play(hand, "bet 980").stacks[0] == 0


def test_000_2_bet_sets_table_bet_and_raise_size() -> None:
    hand, events = follow(play(hold_em(1000, 1000, 1000), *TO_THE_FLOP), "bet 50")
    assert events == (Raised(0, 50, 50, opening=True),)
    assert hand.round.price == 50
    assert hand.round.step == 50


def test_000_2_raise_amount_is_chips_added() -> None:
    """Follow the seed's own example: 40 added, 20 of them the call, the table bet is 40, the raise 20."""
    hand, events = follow(hold_em(1000, 1000, 1000), "raise_by 40")
    assert events == (Raised(2, 40, 40),)
    assert hand.stacks[2] == 960
    assert hand.round.price == 40
    assert hand.round.step == 20


def test_000_2_raise_amount_is_added_to_the_players_bet() -> None:
    hand, events = follow(play(hold_em(1000, 1000, 1000), "call"), "raise_by 40")
    assert events == (Raised(0, 40, 50),)
    assert hand.round.bets[0] == 50
    assert hand.round.step == 30


def test_000_2_raise_to_and_raise_by_bounds_differ_by_the_players_own_bet() -> None:
    hand = play(hold_em(1000, 1000, 1000), "call")
    assert turn(hand) == 0
    assert hand.offer.raise_ == Bounds(min_to=40, max_to=1000, min_by=30, max_by=990)


@pytest.mark.parametrize(("word", "rule"), [("raise_by 29", "below_minimum"), ("raise_by 991", "above_maximum")])
def test_000_2_raise_by_outside_its_bounds_is_refused(word: str, rule: str) -> None:
    assert refusal(play(hold_em(1000, 1000, 1000), "call"), word) == rule
