"""Seed 000 §4 and §5: what an all-in for less than a full raise does to those who have acted, and §8's two examples."""

from pitboss.betting.round import Bounds, Offer
from pitboss.hand.hand import Hand
from tests.support.seeds.tables import hold_em, places_to_act, play, refusal, turn

A, B, C, BIG_BLIND = 2, 3, 0, 1  # C has the small blind, so that A and B have acted before C's all-in


def four_handed(*, c_has: int) -> Hand:
    """A and B have called 20, and C is to act."""
    return play(hold_em(c_has, 1000, 1000, 1000), "call", "call")


# --- §4


def test_000_4_short_all_in_raises_the_table_bet() -> None:
    hand = play(four_handed(c_has=30), "all_in")
    assert hand.round.price == 30
    assert hand.round.step == 20


def test_000_4_short_all_in_does_not_reopen() -> None:
    hand = play(four_handed(c_has=30), "all_in", "fold")
    assert turn(hand) == A
    assert hand.offer == Offer(fold=True, call=10)
    assert refusal(hand, "raise_to 50") == "not_reopened"
    assert refusal(hand, "all_in") == "not_reopened"


def test_000_4_short_all_in_does_not_reset_players_who_have_acted() -> None:
    hand = play(four_handed(c_has=30), "all_in")
    assert hand.round.acted == (True, False, True, True)


def test_000_4_short_all_in_by_one_chip_does_not_reopen() -> None:
    hand = play(four_handed(c_has=39), "all_in", "fold")
    assert hand.round.price == 39
    assert hand.offer == Offer(fold=True, call=19)


def test_000_4_player_who_has_not_acted_may_raise_after_a_short_all_in() -> None:
    hand = play(four_handed(c_has=30), "all_in")
    assert turn(hand) == BIG_BLIND
    assert hand.offer == Offer(fold=True, call=10, raise_=Bounds(50, 1000, 30, 980), all_in=980)


def test_000_4_raise_over_a_short_all_in_reopens_for_all_active_players() -> None:
    hand = play(four_handed(c_has=30), "all_in", "raise_to 50")
    assert hand.round.acted == (True, True, False, False)
    assert hand.offer.raise_ == Bounds(70, 1000, 50, 980)


def test_000_4_full_all_in_reopens() -> None:
    hand = play(four_handed(c_has=40), "all_in", "fold")
    assert turn(hand) == A
    assert hand.offer == Offer(fold=True, call=20, raise_=Bounds(60, 1000, 40, 980), all_in=980)


# --- §5


def test_000_5_player_who_has_acted_and_owes_chips_acts_again() -> None:
    hand = play(four_handed(c_has=30), "all_in", "call")
    assert turn(hand) == A
    assert hand.round.acted[A] is True
    assert hand.round.bets[A] == 20


def test_000_5_players_who_owe_chips_act_in_turn() -> None:
    assert places_to_act(four_handed(c_has=30), "all_in", "call", "call", "call") == [C, BIG_BLIND, A, B, BIG_BLIND]


def test_000_5_player_who_owes_chips_may_fold_instead() -> None:
    hand = play(four_handed(c_has=30), "all_in", "call", "fold", "call")
    assert hand.street_name == "FLOP"
    assert hand.round.live == (C, BIG_BLIND, B)
    assert hand.round.pot == 110


def test_000_5_player_who_has_acted_and_owes_no_chips_does_not_act() -> None:
    hand = play(hold_em(1000, 1000, 1000, 1000), "call", "call", "call", "check")
    assert hand.street_name == "FLOP"


# --- §8


def test_000_8_example_a_short_all_in_does_not_reopen_betting() -> None:
    before = four_handed(c_has=30)
    assert (before.round.price, before.round.step) == (20, 20)
    assert (before.round.bets[A], before.round.bets[B]) == (20, 20)
    hand = play(before, "all_in", "fold")
    assert (hand.round.price, hand.round.step) == (30, 20)
    for player in (A, B):
        assert turn(hand) == player
        assert hand.offer == Offer(fold=True, call=10)
        hand = play(hand, "call")
    assert hand.street_name == "FLOP"
    assert hand.round.pot == 110


def test_000_8_example_b_full_all_in_reopens_betting() -> None:
    hand = play(four_handed(c_has=40), "all_in")
    assert (hand.round.price, hand.round.step) == (40, 20)
    assert hand.round.acted == (True, False, False, False)
    hand = play(hand, "fold")
    assert turn(hand) == A
    assert hand.offer == Offer(fold=True, call=20, raise_=Bounds(60, 1000, 40, 980), all_in=980)
    hand = play(hand, "call")
    assert turn(hand) == B
    assert hand.offer.raise_ == Bounds(60, 1000, 40, 980)
