"""Seed 003's own lists of tests, by name, at the whole game; the betting alone is tested in tests/seeds."""

from pitboss.betting.rules import Answers
from pitboss.sting.events import Continued, Drawn, Flipped, Resolved, StingChecked, StingFolded, StingRaised
from tests.support.sting.tables import BOTH, CUSTOMER, NARC, PLAYER, check_round, follow, play, refusal, start

# --- unit tests


@BOTH
def test_003_first_raise_gains_initiative(answers: Answers) -> None:
    hand = play(start(answers=answers), "narc check", "customer raise Fair Deal")
    assert hand.holder == CUSTOMER
    assert play(hand, "player raise Weed").holder == CUSTOMER


@BOTH
def test_003_all_check_betting_ends_with_no_raises(answers: Answers) -> None:
    hand, events = follow(start(answers=answers), "narc check", "customer check", "player check")
    assert (hand.state, hand.raises, hand.holder) == ("DecisionPoint", 0, None)
    assert isinstance(events[-1], Flipped)
    assert events[-1].cards == ()


@BOTH
def test_003_three_raises_limit_hit_betting_ends(answers: Answers) -> None:
    hand = play(start(answers=answers), "narc raise Donut Break", "customer raise Fair Deal", "player raise Weed")
    assert (hand.state, hand.raises) == ("DecisionPoint", 3)
    assert hand.table == ((NARC, "Donut Break"), (CUSTOMER, "Fair Deal"), (PLAYER, "Weed"))


def test_003_initiative_re_raise_after_all_respond() -> None:
    hand = play(start(), "narc raise Donut Break", "customer check", "player check")
    assert hand.to_act == NARC
    assert play(hand, "narc raise Donut Break").raises == 2


def test_003_fold_player_exits_immediately_hand_continues() -> None:
    hand = play(start(), "narc check", "customer fold")
    assert (hand.to_act, hand.over) == (PLAYER, False)
    hand = play(hand, "player check", "continue", "narc check")
    assert hand.to_act == PLAYER
    assert refusal(hand, "customer check") == "folded"


# --- integration tests


def test_003_full_three_round_hand_draw_bet_flip_times_three_then_resolution() -> None:
    round = ("narc check", "customer check", "player raise Weed", "player check")
    hand, events = follow(start(), *round, "continue", *round, "continue", *round)
    assert (hand.state, hand.outcome, hand.number) == ("Success", "success", 3)
    kinds = [type(event) for event in events if not isinstance(event, StingChecked)]
    drawn_again = [Continued, Drawn, Drawn, Drawn, StingRaised, Flipped]
    assert kinds == [StingRaised, Flipped, *drawn_again, *drawn_again, Resolved]
    assert events[-1] == Resolved("success", profit=30, heat=15)


def test_003_initiative_flow_ends_after_customer_raises_again() -> None:
    hand = play(start(), "narc check", "customer raise Fair Deal", "player check", "customer raise Fair Deal")
    assert hand.to_act == PLAYER
    hand = play(hand, "player check", "customer check")
    assert (hand.state, hand.holder, hand.raises) == ("DecisionPoint", CUSTOMER, 2)


def test_003_raise_limit_three_raises_hit_betting_ends_cards_flip() -> None:
    steps = ("narc check", "customer raise Fair Deal", "player raise Weed", "customer raise Fair Deal")
    hand, events = follow(start(), *steps)
    flipped = ((CUSTOMER, "Fair Deal"), (PLAYER, "Weed"), (CUSTOMER, "Fair Deal"))
    assert events[-1] == Flipped(flipped, hand.totals)
    assert hand.down == ()
    assert refusal(hand, "player raise Weed") == "decision"


def test_003_fold_timing_player_folds_in_round_2_keeps_cards_loses_profit() -> None:
    hand = play(start(), "narc check", "customer check", "player raise Weed", "player check", "continue")
    assert hand.totals.profit == 30
    hand, events = follow(hand, "narc check", "customer check", "player fold")
    assert (hand.state, hand.outcome, hand.number) == ("Folded", "fold", 2)
    assert hand.hands[PLAYER] == ("Weed",) * 3
    assert (hand.totals.profit, hand.totals.heat) == (0, 5)
    assert events[-2:] == (StingFolded(PLAYER), Resolved("fold", profit=0, heat=5))


# --- the rest of its rules


def test_003_all_draw_to_three_cards_at_the_start_of_every_round() -> None:
    hand = start()
    assert [len(held) for held in hand.hands] == [3, 3, 3]
    hand = play(hand, "narc raise Donut Break", "customer raise Fair Deal", "player check", "narc check")
    assert [len(held) for held in hand.hands] == [2, 2, 3]
    hand, events = follow(hand, "continue")
    assert [len(held) for held in hand.hands] == [3, 3, 3]
    assert [len(event.cards) for event in events if isinstance(event, Drawn)] == [1, 1, 0]


def test_003_turn_order_is_narc_customer_player_in_every_round() -> None:
    hand = start()
    for number in (1, 2, 3):
        for place in (NARC, CUSTOMER, PLAYER):
            assert (hand.number, hand.to_act) == (number, place)
            hand, _ = follow(hand, f"{('narc', 'customer', 'player')[place]} check")
        if number < 3:
            hand = play(hand, "continue")
    assert hand.over


def test_003_raise_is_face_down_until_the_flip() -> None:
    hand = play(start(), "narc raise Donut Break")
    assert hand.down == ((NARC, "Donut Break"),)
    assert hand.table == ()
    assert check_round(hand).table == ((NARC, "Donut Break"),)


def test_003_all_in_with_the_last_card_checks_by_itself_and_draws_again() -> None:
    hand = start(player=["Weed", "Alibi", "Meth", "Heroin"])
    hand = play(hand, "narc check", "customer check", "player raise Weed", "player raise Alibi")
    hand, events = follow(hand, "player raise Meth")
    assert events[0] == StingRaised(PLAYER, "Meth", all_in=True)
    hand = play(hand, "continue")
    assert hand.hands[PLAYER] == ("Heroin",)
    hand, events = follow(
        hand, "narc raise Donut Break", "customer check", "player raise Heroin", "narc raise Donut Break"
    )
    assert StingRaised(PLAYER, "Heroin", all_in=True) in events
    assert hand.state == "DecisionPoint"


def test_003_all_in_player_is_passed_over_for_the_rest_of_the_round() -> None:
    hand = start(narc=["Donut Break"], answers=Answers.EVERYONE)
    hand = play(hand, "narc raise Donut Break", "customer raise Fair Deal", "player check")
    assert hand.state == "DecisionPoint"
    assert refusal(play(start(narc=["Patrol"]), "narc raise Patrol"), "narc raise Patrol") == "no_cards"


def test_003_initiative_resets_each_round_and_keeps_its_value_until_the_next_draw() -> None:
    hand = play(start(), "narc raise Donut Break", "customer check", "player check", "narc check")
    assert (hand.state, hand.holder, hand.raises) == ("DecisionPoint", NARC, 1)
    hand = play(hand, "continue")
    assert (hand.state, hand.holder, hand.raises) == ("Betting", None, 0)
