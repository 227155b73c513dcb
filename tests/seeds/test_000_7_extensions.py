"""Seed 000 §7: what its engine did not cover and this one does."""

import pytest

from pitboss.betting.events import Posted, Refunded
from pitboss.betting.pots import Pot
from pitboss.betting.round import Bounds, Offer, Post
from pitboss.betting.rules import Reopening
from pitboss.hand.hand import Hand
from tests.support.seeds.tables import (
    ACES_KINGS_QUEENS,
    at_seats,
    deck,
    follow,
    hold_em,
    places_to_act,
    play,
    refusal,
    start,
    turn,
    won,
)

# --- side pots


def test_000_7_side_pots_are_built_and_paid() -> None:
    hand = hold_em(50, 100, 200, cards=deck(*ACES_KINGS_QUEENS))
    hand, events = follow(hand, "all_in", "all_in", "all_in")
    assert Refunded(2, 100) in events
    assert hand.pots == (Pot(150, (0, 1, 2)), Pot(100, (1, 2)))
    assert won(events) == [(0, 150, 0), (1, 100, 1)]
    assert hand.stacks == (150, 100, 100)


def test_000_7_side_pots_best_hand_with_most_chips_wins_all_of_them() -> None:
    hand = hold_em(50, 100, 200, cards=deck("QsQd", "KsKd", "AsAd"))
    hand, events = follow(hand, "all_in", "all_in", "all_in")
    assert won(events) == [(2, 150, 0), (2, 100, 1)]
    assert hand.stacks == (0, 0, 350)


def test_000_7_side_pots_grow_on_later_streets() -> None:
    hand = hold_em(50, 1000, 1000, cards=deck(*ACES_KINGS_QUEENS))
    hand = play(hand, "raise_to 50", "all_in", "call", "bet 80", "call")
    assert hand.pots == (Pot(150, (0, 1, 2)), Pot(160, (1, 2)))
    hand = play(hand, "check", "check", "check", "check")
    assert hand.stacks == (150, 1030, 870)


# --- bet sizes beyond minimums


@pytest.mark.parametrize("checks", [0, 3, 6])
def test_000_7_post_flop_least_bet_is_the_big_blind_on_every_street(checks: int) -> None:
    hand = play(hold_em(1000, 1000, 1000), "call", "call", "check", *["check"] * checks)
    assert hand.offer.bet == Bounds(20, 980, 20, 980)
    assert refusal(hand, "bet 19") == "below_minimum"


# --- rights to re-raise after several short all-ins


def two_short_all_ins(reopening: Reopening) -> Hand:
    """Place 2 raises to 100 (by 80); all-ins to 150 and 190 add 50 and 40; 0 calls, 1 folds; 2 must act again."""
    hand = hold_em(1000, 1000, 1000, 150, 190, reopening=reopening)
    return play(hand, "raise_to 100", "all_in", "all_in", "call", "fold")


def test_000_7_short_all_ins_each_judged_alone_do_not_reopen() -> None:
    hand = two_short_all_ins(Reopening.SINGLE)
    assert turn(hand) == 2
    assert hand.round.step == 80
    assert hand.offer == Offer(fold=True, call=90)


def test_000_7_cumulative_short_all_ins_reopen_once_they_make_a_full_raise() -> None:
    hand = two_short_all_ins(Reopening.CUMULATIVE)
    assert turn(hand) == 2
    assert hand.round.step == 80
    assert hand.offer == Offer(fold=True, call=90, raise_=Bounds(270, 1000, 170, 900), all_in=900)


def test_000_7_cumulative_one_short_all_in_does_not_reopen() -> None:
    hand = hold_em(1000, 1000, 1000, 150, 190, reopening=Reopening.CUMULATIVE)
    hand = play(hand, "raise_to 100", "all_in", "fold", "call", "fold")
    assert turn(hand) == 2
    assert hand.offer == Offer(fold=True, call=50)


def test_000_7_cumulative_counts_from_each_players_own_last_action() -> None:
    """Place 3 acted at 100, place 0 at 150: to the second all-in of 190 the one owes 90, the other only 40."""
    hand = hold_em(1000, 190, 1000, 1000, 150, reopening=Reopening.CUMULATIVE)
    hand = play(hand, "raise_to 100", "call", "all_in", "call", "all_in")
    assert turn(hand) == 2
    assert hand.offer.raise_ == Bounds(270, 1000, 170, 900)
    hand = play(hand, "call", "call")
    assert turn(hand) == 0
    assert hand.offer == Offer(fold=True, call=40)


# --- straddles


def test_000_7_straddle_is_the_price_and_the_next_seat_opens() -> None:
    hand, events = start(1000, 1000, 1000, 1000, straddles=[40])
    assert events[:3] == (Posted(0, 10, True), Posted(1, 20, True), Posted(2, 40, True))
    assert turn(hand) == 3
    assert hand.offer.call == 40


def test_000_7_straddler_acts_last_and_may_raise() -> None:
    hand = hold_em(1000, 1000, 1000, 1000, straddles=[40])
    assert places_to_act(hand, "call", "call", "call") == [3, 0, 1, 2]
    hand = play(hand, "call", "call", "call")
    assert hand.offer.check is True
    assert hand.offer.raise_ is not None


def test_000_7_straddles_may_follow_each_other() -> None:
    hand = hold_em(1000, 1000, 1000, 1000, 1000, straddles=[40, 80])
    assert turn(hand) == 4
    assert hand.offer.call == 80
    assert places_to_act(hand, "fold", "fold", "fold", "call") == [4, 0, 1, 2, 3]


def test_000_7_flop_after_a_straddle_starts_left_of_the_button_with_a_big_blind_bet() -> None:
    hand = play(hold_em(1000, 1000, 1000, 1000, straddles=[40]), "call", "call", "call", "check")
    assert hand.street_name == "FLOP"
    assert turn(hand) == 0
    assert hand.offer.bet == Bounds(20, 960, 20, 960)


# --- dead and live posts


def test_000_7_dead_post_goes_to_the_pot_and_is_not_a_bet() -> None:
    hand, events = start(1000, 1000, 1000, 1000, posts=[Post(3, 10, live=False)])
    assert events[2] == Posted(3, 10, False)
    assert hand.round.pot == 10
    assert hand.round.bets == (10, 20, 0, 0)
    assert play(hand, "fold").offer.call == 20


def test_000_7_live_post_counts_toward_the_bet() -> None:
    hand = play(hold_em(1000, 1000, 1000, 1000, posts=[Post(3, 20)]), "call")
    assert turn(hand) == 3
    assert hand.offer == Offer(fold=True, check=True, raise_=Bounds(40, 1000, 20, 980), all_in=980)


def test_000_7_live_post_does_not_change_the_first_player() -> None:
    assert places_to_act(hold_em(1000, 1000, 1000, 1000, posts=[Post(3, 20)]), "call", "check", "call") == [2, 3, 0, 1]


def test_000_7_small_and_big_post_together_is_part_dead_part_live() -> None:
    hand = hold_em(1000, 1000, 1000, 1000, posts=[Post(3, 10, live=False), Post(3, 20)])
    assert hand.stacks == (990, 980, 1000, 970)
    assert hand.round.pot == 10
    assert play(hand, "call").offer.check is True


def test_000_7_dead_money_can_be_won_by_a_short_all_in() -> None:
    hand = hold_em(20, 1000, 1000, 1000, cards=deck("AsAd", "KsKd", "QsQd", "2h3h"), posts=[Post(3, 10, live=False)])
    hand, events = follow(hand, "call", "fold", "call", "check", *["check"] * 6)
    assert won(events) == [(0, 70, 0)]
    assert hand.stacks == (70, 980, 980, 990)


# --- empty seats


def test_000_7_blinds_skip_empty_seats() -> None:
    hand, seats = at_seats([500, 0, 600, 700, 0, 800], button=2)
    assert seats == (3, 5, 0, 2)
    assert hand.stacks == (690, 780, 500, 600)
    assert seats[turn(hand)] == 0


def test_000_7_button_on_an_empty_seat_passes_to_the_next() -> None:
    _, seats = at_seats([500, 0, 600, 700], button=1)
    assert seats == (3, 0, 2)


def test_000_7_two_of_six_seats_play_heads_up() -> None:
    hand, seats = at_seats([0, 500, 0, 0, 600, 0], button=4)
    assert seats == (1, 4)
    assert hand.stacks == (480, 590)
    assert seats[turn(hand)] == 4
