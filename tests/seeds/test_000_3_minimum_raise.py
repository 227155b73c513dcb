"""Seed 000 §3: how large a raise must be."""

from pitboss.betting.round import Bounds
from tests.support.seeds.tables import hold_em, play, refusal

TO_THE_FLOP = ("call", "call", "check")


def test_000_3_first_raise_is_at_least_the_big_blind() -> None:
    hand = hold_em(1000, 1000, 1000)
    assert hand.offer.raise_ == Bounds(40, 1000, 40, 1000)
    assert refusal(hand, "raise_to 39") == "below_minimum"
    assert play(hand, "raise_to 40").round.step == 20


def test_000_3_raise_is_at_least_the_previous_raise() -> None:
    hand = play(hold_em(1000, 1000, 1000), "raise_to 70")
    assert hand.round.step == 50
    assert refusal(hand, "raise_to 119") == "below_minimum"
    assert play(hand, "raise_to 120").round.step == 50


def test_000_3_bet_defines_the_least_raise() -> None:
    hand = play(hold_em(1000, 1000, 1000), *TO_THE_FLOP, "bet 60")
    assert hand.offer.raise_ == Bounds(120, 980, 120, 980)
    assert refusal(hand, "raise_to 119") == "below_minimum"


def test_000_3_full_raise_updates_the_raise_size() -> None:
    hand = play(hold_em(1000, 1000, 1000), *TO_THE_FLOP, "bet 60", "raise_to 200")
    assert hand.round.step == 140
    assert hand.offer.raise_ == Bounds(340, 980, 340, 980)


def test_000_3_raise_size_is_the_increment_not_the_total() -> None:
    hand = play(hold_em(1000, 1000, 1000), "raise_to 60", "raise_to 100", "raise_to 140")
    assert hand.round.price == 140
    assert hand.round.step == 40


def test_000_3_short_all_in_does_not_update_the_raise_size() -> None:
    hand = play(hold_em(110, 1000, 1000), "raise_to 70", "all_in")
    assert hand.round.price == 110
    assert hand.round.step == 50
    assert hand.offer.raise_ == Bounds(160, 1000, 140, 980)


def test_000_3_only_an_all_in_may_be_less_than_a_full_raise() -> None:
    hand = play(hold_em(110, 1000, 1000), "raise_to 70")
    assert hand.offer.raise_ == Bounds(110, 110, 100, 100)
    assert refusal(hand, "raise_to 109") == "below_minimum"
    assert play(hand, "raise_to 110").stacks[0] == 0


def test_000_3_raise_size_restarts_on_every_street() -> None:
    hand = play(hold_em(1000, 1000, 1000), "raise_to 200", "call", "call")
    assert hand.round.step == 20
    assert hand.offer.bet == Bounds(20, 800, 20, 800)
