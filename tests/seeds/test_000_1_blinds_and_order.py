"""Seed 000 §1: who posts which blind, and who speaks first."""

from pitboss.betting.events import Posted
from tests.support.seeds.tables import at_seats, hold_em, places_to_act, play, start, turn


def test_000_1_small_blind_is_left_of_the_button() -> None:
    hand, seats = at_seats([1000, 1000, 1000, 1000], button=1)
    assert hand.round.bets[0] == 10
    assert seats[0] == 2


def test_000_1_big_blind_is_left_of_the_small_blind() -> None:
    hand, seats = at_seats([1000, 1000, 1000, 1000], button=1)
    assert hand.round.bets[1] == 20
    assert seats[1] == 3


def test_000_1_first_to_act_pre_flop_is_left_of_the_big_blind() -> None:
    hand, seats = at_seats([1000, 1000, 1000, 1000], button=1)
    assert seats[turn(hand)] == 0


def test_000_1_three_handed_the_button_is_left_of_the_big_blind() -> None:
    hand, seats = at_seats([1000, 1000, 1000], button=1)
    assert seats == (2, 0, 1)
    assert seats[turn(hand)] == 1


def test_000_1_pre_flop_turns_are_clockwise_and_end_with_the_big_blind() -> None:
    assert places_to_act(hold_em(1000, 1000, 1000, 1000), "call", "call", "call") == [2, 3, 0, 1]


def test_000_1_post_flop_first_player_left_of_the_button_acts_first() -> None:
    hand = play(hold_em(1000, 1000, 1000, 1000), "call", "call", "call", "check")
    assert hand.street_name == "FLOP"
    assert places_to_act(hand, "check", "check", "check") == [0, 1, 2, 3]


def test_000_1_post_flop_folded_players_are_passed_over() -> None:
    hand = play(hold_em(1000, 1000, 1000, 1000), "call", "call", "fold", "check")
    assert places_to_act(hand, "check", "check") == [1, 2, 3]


def test_000_1_heads_up_button_posts_the_small_blind() -> None:
    hand, seats = at_seats([1000, 1000], button=0)
    assert seats == (1, 0)
    assert hand.round.bets == (20, 10)


def test_000_1_heads_up_small_blind_is_posted_first() -> None:
    _, events = start(1000, 1000)
    assert events[:2] == (Posted(1, 10, True), Posted(0, 20, True))


def test_000_1_heads_up_the_other_player_posts_the_big_blind() -> None:
    hand, seats = at_seats([1000, 1000], button=1)
    assert hand.round.bets[seats.index(0)] == 20


def test_000_1_heads_up_button_acts_first_pre_flop() -> None:
    assert places_to_act(hold_em(1000, 1000), "call") == [1, 0]


def test_000_1_heads_up_big_blind_acts_first_on_all_post_flop_streets() -> None:
    hand = play(hold_em(1000, 1000), "call", "check")
    for street in ("FLOP", "TURN", "RIVER"):
        assert hand.street_name == street
        assert places_to_act(hand, "check") == [0, 1]
        hand = play(hand, "check", "check")
    assert hand.street_name == "SHOWDOWN"
