"""Seed 000 §6: when a betting round is complete."""

from pitboss.betting.events import Folded, Refunded
from pitboss.game import Over
from pitboss.hand.events import Won
from tests.support.seeds.tables import ACES_KINGS_QUEENS, deck, follow, hold_em, places_to_act, play, turn, won


def test_000_6_1_round_and_hand_end_when_one_player_remains() -> None:
    hand, events = follow(hold_em(1000, 1000, 1000), "fold", "fold")
    assert events == (Folded(2), Folded(0), Refunded(1, 10), Won(1, 20, 0))
    assert hand.turn == Over()
    assert hand.stacks == (990, 1010, 1000)


def test_000_6_1_last_player_does_not_act_after_a_raise_and_folds() -> None:
    assert places_to_act(hold_em(1000, 1000, 1000), "raise_to 60", "fold", "fold") == [2, 0, 1, -1]


def test_000_6_2_round_ends_when_all_are_all_in() -> None:
    hand, events = follow(hold_em(500, 500, 500, cards=deck(*ACES_KINGS_QUEENS)), "all_in", "all_in", "all_in")
    assert hand.turn == Over()
    assert len(hand.board) == 5
    assert won(events) == [(0, 1500, 0)]


def test_000_6_3_round_continues_until_the_big_blind_has_acted() -> None:
    hand = play(hold_em(1000, 1000, 1000), "call", "call")
    assert hand.round.bets == (20, 20, 20)
    assert hand.street_name == "PRE_FLOP"
    assert turn(hand) == 1


def test_000_6_3_round_ends_when_all_have_acted_and_matched() -> None:
    hand = play(hold_em(1000, 1000, 1000), "call", "call", "check")
    assert hand.street_name == "FLOP"
    assert hand.round.pot == 60


def test_000_6_3_round_continues_while_a_player_has_not_matched() -> None:
    hand = play(hold_em(1000, 1000, 1000), "call", "call", "raise_to 60", "call")
    assert hand.street_name == "PRE_FLOP"
    assert turn(hand) == 0


def test_000_6_3_raiser_does_not_act_again_when_all_have_called() -> None:
    assert places_to_act(hold_em(1000, 1000, 1000), "raise_to 60", "call", "call") == [2, 0, 1, 0]
    assert play(hold_em(1000, 1000, 1000), "raise_to 60", "call", "call").street_name == "FLOP"


def test_000_6_all_in_players_need_not_match() -> None:
    hand = play(hold_em(50, 1000, 1000), "raise_to 100", "all_in", "call")
    assert hand.street_name == "FLOP"
    assert hand.round.paid == (50, 100, 100)


def test_000_6_all_in_players_do_not_act_on_later_streets() -> None:
    hand = play(hold_em(50, 1000, 1000), "raise_to 100", "all_in", "call")
    assert places_to_act(hand, "check", "check") == [1, 2, 1]
