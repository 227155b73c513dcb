"""Seed 000 §9: the five choices in which engines differ, each shown by a case where the other choice shows."""

from pitboss.betting.round import Offer
from tests.support.seeds.tables import hold_em, play, refusal, turn


def test_000_9_1_heads_up_button_posts_the_small_blind() -> None:
    hand = hold_em(1000, 1000)
    assert hand.round.bets == (20, 10)
    assert turn(hand) == 1


def test_000_9_2_raise_amount_is_raise_by() -> None:
    hand = play(hold_em(1000, 1000), "raise_by 50")
    assert hand.round.bets == (20, 60)
    assert hand.stacks == (980, 940)


def test_000_9_3_minimum_raise_is_an_increment_not_twice_the_bet() -> None:
    hand = play(hold_em(1000, 1000), "raise_to 60")
    assert refusal(hand, "raise_to 99") == "below_minimum"
    assert play(hand, "raise_to 100").round.price == 100


def test_000_9_4_short_all_in_does_not_reopen() -> None:
    hand = play(hold_em(30, 1000, 1000), "call", "all_in", "call")
    assert turn(hand) == 2
    assert refusal(hand, "raise_to 60") == "not_reopened"


def test_000_9_5_player_who_has_acted_and_owes_chips_acts_again() -> None:
    hand = play(hold_em(30, 1000, 1000), "call", "all_in", "call")
    assert turn(hand) == 2
    assert hand.round.acted[2] is True
    assert hand.offer == Offer(fold=True, call=10)
