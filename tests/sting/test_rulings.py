"""Rulings I1 to I6 at the whole game; I7 is answered in test_simulate.py."""

from collections import Counter

import pytest

from pitboss.betting.rules import Answers
from pitboss.chance import Chance
from pitboss.sting.cards import ROLES, Totals, default_cards
from pitboss.sting.events import Insured, Resolved, StingCheck, StingFold, StingRaise
from pitboss.sting.hand import StingHand
from pitboss.sting.policies import customer, narc
from tests.support.sting.tables import (
    BOTH,
    CUSTOMER,
    NARC,
    PLAYER,
    follow,
    play,
    played_out,
    refusal,
    start,
    with_cards,
)

DECIDE = "DecisionPoint"


def totals(*cards: str) -> Totals:
    return default_cards().totals(cards)


# --- I1


def test_ruling_I1_following_only_player_acts_after_customers_raise() -> None:
    hand = play(start(), "narc check", "customer raise Fair Deal", "player check")
    assert hand.to_act == CUSTOMER
    hand = play(hand, "customer raise Fair Deal", "player check", "customer check")
    assert hand.state == DECIDE


def test_ruling_I1_without_a_player_after_the_raiser_the_holder_acts_again() -> None:
    hand = play(start(), "narc check", "customer check", "player raise Weed")
    assert (hand.to_act, hand.holder) == (PLAYER, PLAYER)


def test_ruling_I1_everyone_all_others_answer_in_order_from_the_raiser() -> None:
    hand = play(start(answers=Answers.EVERYONE), "narc check", "customer raise Fair Deal", "player check")
    assert hand.to_act == NARC
    hand = play(hand, "narc check")
    assert hand.to_act == CUSTOMER
    assert play(hand, "customer check").state == DECIDE


def test_ruling_I1_the_setting_holds_for_all_three_rounds() -> None:
    hand = start(answers=Answers.EVERYONE)
    for _ in range(2):
        hand = play(hand, "narc check", "customer check", "player check", "continue")
    hand = play(hand, "narc check", "customer raise Fair Deal", "player check")
    assert (hand.number, hand.to_act) == (3, NARC)


# --- I2


@BOTH
def test_ruling_I2_holders_check_ends_the_betting(answers: Answers) -> None:
    hand = play(start(answers=answers), "narc raise Donut Break", "customer check", "player check", "narc check")
    assert (hand.state, hand.holder) == (DECIDE, NARC)


@BOTH
def test_ruling_I2_initiative_lapses_when_the_holder_folds(answers: Answers) -> None:
    hand = play(start(answers=answers), "narc raise Donut Break", "customer check", "player check", "narc fold")
    assert (hand.state, hand.holder, hand.raises) == (DECIDE, None, 1)


# --- I3


def test_ruling_I3_third_raise_ends_the_betting_at_once() -> None:
    hand = play(start(), "narc raise Donut Break", "customer raise Fair Deal")
    assert hand.state == "Betting"
    hand = play(hand, "player raise Weed")
    assert hand.state == DECIDE
    assert refusal(hand, "narc raise Donut Break") == "betting_over"


def test_ruling_I3_out_of_cards_draws_again_in_the_next_round() -> None:
    hand = play(start(narc=["Patrol", "Patrol", "Patrol", "Surveillance"]), "narc raise Patrol")
    hand = play(hand, "customer check", "player check", "narc raise Patrol", "customer check", "player check")
    hand = play(hand, "narc raise Patrol", "continue")
    assert (hand.to_act, hand.hands[NARC]) == (NARC, ("Surveillance",))


def test_ruling_I3_a_hand_without_cards_ends() -> None:
    hand = start(narc=(), customer=(), player=())
    assert hand.state == DECIDE
    assert played_out(hand).outcome == "success"


# --- I4


def test_ruling_I4_decision_points_follow_rounds_1_and_2_only() -> None:
    hand, decided = start(), []
    while not hand.over:
        if hand.state == DECIDE:
            decided.append(hand.number)
            hand = play(hand, "continue")
        else:
            hand, _ = hand.act(StingCheck())
    assert decided == [1, 2]


def test_ruling_I4_decision_point_offers_continue_and_fold() -> None:
    hand = play(start(), "narc check", "customer check", "player check")
    assert hand.to_act == PLAYER
    assert (hand.offer.continue_, hand.offer.fold, hand.offer.check, hand.offer.raise_) == (True, True, False, ())
    assert refusal(hand, "player check") == "decision"
    assert refusal(hand, "narc fold") == "betting_over"


def test_ruling_I4_players_fold_ends_the_hand_heat_is_kept_and_profit_lost() -> None:
    hand = play(start(), "narc check", "customer check", "player raise Weed", "player check")
    assert hand.totals == Totals(evidence=0, cover=0, heat=5, profit=30)
    hand, events = follow(hand, "fold")
    assert (hand.state, hand.to_act, set(hand.out)) == ("Folded", -1, {PLAYER})
    assert events[-1] == Resolved("fold", profit=0, heat=5)
    assert hand.hands[PLAYER] == ("Weed", "Weed")


def test_ruling_I4_folding_in_the_betting_counts_only_the_heat_of_cards_face_up() -> None:
    hand = play(start(), "narc check", "customer check", "player raise Weed", "player fold")
    assert hand.down == ((PLAYER, "Weed"),)
    assert (hand.outcome, hand.totals.heat) == ("fold", 0)


def test_ruling_I4_an_opponents_fold_does_not_end_the_hand_and_their_cards_stay() -> None:
    hand = play(start(narc=["Patrol"] * 9), "narc raise Patrol", "customer check", "player check", "narc fold")
    assert (hand.state, hand.totals.evidence) == (DECIDE, 5)
    hand = play(hand, "continue")
    assert (hand.to_act, len(hand.hands[NARC])) == (CUSTOMER, 2)
    hand = played_out(hand)
    assert (hand.outcome, hand.hands[NARC]) == ("bust", ("Patrol", "Patrol"))


# --- I5


def test_ruling_I5_of_products_the_last_one_played_counts_and_all_bring_heat() -> None:
    assert totals("Meth", "Weed") == Totals(heat=35, profit=30)
    assert totals("Weed", "Meth") == Totals(heat=35, profit=100)


def test_ruling_I5_of_locations_the_last_one_played_counts_and_all_bring_heat() -> None:
    assert totals("School Zone", "Safe House") == Totals(evidence=10, cover=30, heat=15)
    assert totals("Safe House", "School Zone") == Totals(evidence=40, cover=5, heat=15)


def test_ruling_I5_evidence_and_cover_add_up() -> None:
    assert totals("Patrol", "Surveillance", "Alibi", "Alibi", "Safe House") == Totals(
        evidence=35, cover=90, heat=2 + 5 - 5 - 5 - 5
    )


def test_ruling_I5_deals_multiply_the_price_and_add_the_rest() -> None:
    assert totals("Meth", "Bulk Order", "Bulk Order") == Totals(evidence=50, heat=70, profit=225)
    assert totals("Meth", "Haggling", "Bulk Order") == Totals(evidence=30, heat=50, profit=105)
    assert totals("Meth", "Regular Order", "Fair Deal") == Totals(evidence=10, heat=40, profit=100)


def test_ruling_I5_profit_is_rounded_toward_zero_and_may_be_negative() -> None:
    assert totals("Weed", "Bulk Order", "Bulk Order", "Bulk Order").profit == 101  # 101.25
    assert totals("Weed", "Haggling", "Haggling").profit == -30
    assert totals("Weed", "Haggling", "Haggling", "Bulk Order", "Bulk Order", "Bulk Order").profit == -101


def test_ruling_I5_no_profit_without_a_product() -> None:
    assert totals("Bulk Order", "Haggling").profit == 0


@pytest.mark.parametrize(
    ("evidence", "outcome"), [(["Patrol"] * 6, "success"), (["Surveillance", "Patrol"] * 3, "bust")]
)
def test_ruling_I5_bust_is_evidence_above_cover_and_a_tie_is_safe(evidence: list[str], outcome: str) -> None:
    hand = with_cards("Alibi", "Weed", narc=evidence)
    assert hand.outcome == outcome
    assert hand.totals.profit == (30 if outcome == "success" else 0)
    assert hand.totals.margin == (0 if outcome == "success" else -45)


def test_ruling_I5_insurance_saves_a_bust_for_its_penalty_and_is_burnt() -> None:
    hand = with_cards("Fake ID", "Weed", narc=["Surveillance", "Patrol"])
    assert (hand.outcome, hand.burnt, hand.cost) == ("success", ("Fake ID",), 0)
    assert hand.totals == Totals(evidence=25, cover=15, heat=5 + 5 + 2 + (25 - 15) + 40, profit=30)


def test_ruling_I5_insurance_that_cannot_be_paid_does_not_save() -> None:
    poor = with_cards("Plea Bargain", narc=["Surveillance", "Patrol"], cash=999)
    assert (poor.outcome, poor.burnt, poor.cost) == ("bust", (), 0)
    rich = with_cards("Plea Bargain", narc=["Surveillance", "Patrol"], cash=1000)
    assert (rich.outcome, rich.burnt, rich.cost) == ("success", ("Plea Bargain",), 1000)


def test_ruling_I5_free_insurance_can_be_paid_from_negative_cash() -> None:
    assert with_cards("Fake ID", narc=["Surveillance"], cash=-30).outcome == "success"


def test_ruling_I5_of_two_insurances_the_first_that_can_be_paid_is_used() -> None:
    hand = with_cards("Plea Bargain", "Fake ID", narc=["Surveillance"] * 2)
    assert hand.burnt == ("Fake ID",)
    hand = with_cards("Plea Bargain", "Fake ID", narc=["Surveillance"] * 2, cash=1000)
    assert hand.burnt == ("Plea Bargain",)


def test_ruling_I5_insurance_of_an_opponent_has_no_effect() -> None:
    hand = with_cards("Weed", narc=["Fake ID", "Surveillance"])
    assert (hand.outcome, hand.totals.cover, hand.burnt) == ("bust", 15, ())


def test_ruling_I5_insurance_is_not_used_where_it_is_not_needed() -> None:
    hand = with_cards("Fake ID", "Weed", narc=["Patrol"])
    assert (hand.outcome, hand.burnt, hand.totals.heat) == ("success", (), 7)


@pytest.mark.parametrize(("carried", "outcome"), [(34, "success"), (35, "bust")])
def test_ruling_I5_conviction_whose_heat_is_reached_overrides_insurance(carried: int, outcome: str) -> None:
    hand = with_cards("Fake ID", narc=["Surveillance", "Warrant"], heat=carried)
    assert hand.outcome == outcome
    assert bool(hand.burnt) == (outcome == "success")


def test_ruling_I5_a_conviction_alone_has_no_effect() -> None:
    assert with_cards("Weed", narc=["Warrant", "DA Approval"], heat=99).outcome == "success"


def test_ruling_I5_an_insurance_reports_its_cost_and_heat() -> None:
    hand = start(narc=["Surveillance"], customer=(), player=["Fake ID"])
    _, events = follow(hand, "narc raise Surveillance", "player raise Fake ID", "continue", "continue")
    assert events[-2:] == (Insured("Fake ID", 0, 45), Resolved("success", profit=0, heat=50))


def test_ruling_I5_default_decks_are_as_ruled() -> None:
    cards = default_cards()
    narcs, customers = Counter(cards.deck("narc")), Counter(cards.deck("customer"))
    assert narcs == {"Donut Break": 10, "Patrol": 3, "Surveillance": 2}
    assert customers == {"Regular Order": 5, "Haggling": 5, "Bulk Order": 3, "Fair Deal": 2}
    assert {len(deck) for role in ROLES for deck in cards.decks[role].values()} == {15}
    own = {"product", "location", "cover", "insurance"}
    assert {cards.cards[card].kind for deck in cards.decks["player"].values() for card in deck} == own


def test_ruling_I5_default_cards_are_as_ruled() -> None:
    cards = default_cards().cards
    ruled = {
        name: (card.price, float(card.multiplier), card.evidence, card.cover, card.heat, card.cost, card.penalty)
        for name, card in cards.items()
    }
    assert ruled == {
        "Donut Break": (0, 1, 0, 0, 0, 0, 0),
        "Patrol": (0, 1, 5, 0, 2, 0, 0),
        "Surveillance": (0, 1, 20, 0, 5, 0, 0),
        "Regular Order": (0, 1, 10, 0, 10, 0, 0),
        "Haggling": (-30, 1, 5, 0, 0, 0, 0),
        "Bulk Order": (0, 1.5, 25, 0, 20, 0, 0),
        "Fair Deal": (0, 1, 0, 0, 0, 0, 0),
        "Weed": (30, 1, 0, 0, 5, 0, 0),
        "Meth": (100, 1, 0, 0, 30, 0, 0),
        "Heroin": (150, 1, 0, 0, 45, 0, 0),
        "Safe House": (0, 1, 10, 30, -5, 0, 0),
        "School Zone": (0, 1, 40, 5, 20, 0, 0),
        "Alibi": (0, 1, 0, 30, -5, 0, 0),
        "Plea Bargain": (0, 1, 0, 20, 0, 1000, 20),
        "Fake ID": (0, 1, 0, 15, 0, 0, 40),
        "Warrant": (0, 1, 0, 0, 0, 0, 0),
        "DA Approval": (0, 1, 0, 0, 0, 0, 0),
    }
    assert (cards["Warrant"].threshold, cards["DA Approval"].threshold) == (40, 60)


# --- I6

TRIES = 4000


def in_round(number: int, *, evidence: int = 0) -> StingHand:
    """A hand in this round at the Narc's turn, with this much Evidence face up."""
    hand = start(narc=["Surveillance"] * 9)
    for _ in range(number - 1):
        raised = 0
        while hand.state == "Betting":
            more = hand.to_act == NARC and hand.totals.evidence + 20 * (raised + 1) <= evidence
            hand, _ = hand.act(StingRaise("Surveillance") if more else StingCheck())
            raised += more
        hand = play(hand, "continue")
    assert hand.totals.evidence == evidence
    return hand


@pytest.mark.parametrize(("number", "percent"), [(1, 40), (2, 60), (3, 80)])
def test_ruling_I6_narc_raises_by_round_and_never_folds(number: int, percent: int) -> None:
    hand, chance = in_round(number), Chance(6)
    did = Counter(type(narc(hand.view(NARC), chance)) for _ in range(TRIES))
    assert set(did) == {StingRaise, StingCheck}
    assert abs(did[StingRaise] - TRIES * percent / 100) < 4 * TRIES**0.5 / 2


@pytest.mark.parametrize("number", [1, 2])
def test_ruling_I6_customer_checks_in_rounds_1_and_2(number: int) -> None:
    hand, chance = play(in_round(number), "narc check"), Chance(6)
    assert {type(customer(hand.view(CUSTOMER), chance)) for _ in range(200)} == {StingCheck}


@pytest.mark.parametrize(("evidence", "otherwise"), [(60, StingCheck), (80, StingFold)])
def test_ruling_I6_customer_in_round_3(evidence: int, otherwise: type) -> None:
    hand, chance = play(in_round(3, evidence=evidence), "narc check"), Chance(6)
    did = Counter(type(customer(hand.view(CUSTOMER), chance)) for _ in range(TRIES))
    assert set(did) == {StingRaise, otherwise}
    assert abs(did[StingRaise] - TRIES * 0.7) < 4 * TRIES**0.5 / 2
