"""Opponents are readable: what each does at a table agrees with its description."""

import re

import pytest

from pitboss.chance import Chance
from pitboss.sting.cards import CustomerBehaviour, NarcBehaviour, default_cards
from pitboss.sting.events import StingFold, StingRaise
from pitboss.sting.hand import StingHand
from pitboss.sting.opponents import (
    act_customer,
    act_narc,
    customer_raises,
    describe_customer,
    describe_narc,
    flees,
    narc_raises,
)
from tests.support.sting.tables import play, start

NARC = NarcBehaviour(
    raises=(40, 50, 60), thin=20, thick=25, thick_from=30, dear=15, dear_from=100, wary=10, heat=2, aims=True
)
CUSTOMER = CustomerBehaviour(raises=(0, 30, 60), restless=25, content=20, dear_from=100, haggles=True, flees_behind=35)


def table(*cards: str, heat: int = 0, customer: str = "Fair Deal") -> StingHand:
    """Round 2, the Narc to act, with these cards of the Player face up."""
    hand = start(narc=["Donut Break"] * 9, customer=[customer] * 9, player=[*cards, *["Fake ID"] * 9], heat=heat)
    hand = play(hand, "narc check", "customer check", *(f"player raise {card}" for card in cards))
    return play(hand, *([] if hand.state == "DecisionPoint" else ["player check"]), "continue")


@pytest.mark.parametrize(
    ("cards", "heat", "per_cent"),
    [
        ((), 0, 50),
        (("School Zone",), 0, 70),  # Evidence is ahead
        (("Alibi",), 0, 25),  # Cover is far ahead
        (("Meth",), 0, 65),  # a dear product
        (("Weed",), 0, 50),
        ((), 39, 56),  # three times ten Heat
    ],
)
def test_the_narc_heeds_the_table(cards: tuple[str, ...], heat: int, per_cent: int) -> None:
    assert narc_raises(NARC, table(*cards, heat=heat)) == per_cent


def test_a_card_face_down_makes_the_narc_back_off_whatever_it_is() -> None:
    for card in ("Alibi", "School Zone"):
        hand = start(narc=["Patrol"] * 9, customer=["Fair Deal"] * 9, player=[card] * 9)
        hand = play(hand, "narc raise Patrol", "customer check", f"player raise {card}")
        assert hand.to_act == 0
        assert narc_raises(NARC, hand.view(0)) == 30


def test_the_narc_aims_where_evidence_is_ahead() -> None:
    hand = start(
        narc=["Donut Break", "Surveillance", "Patrol"] * 3, customer=["Fair Deal"] * 9, player=["School Zone"] * 9
    )
    hand = play(hand, "narc check", "customer check", "player raise School Zone", "player check", "continue")
    played = {act_narc(NARC, hand.view(0), Chance(seed)) for seed in range(40)}
    assert {action.card for action in played if isinstance(action, StingRaise)} == {"Surveillance"}


@pytest.mark.parametrize(("cards", "per_cent"), [((), 55), (("Weed",), 10), (("Meth",), 30)])
def test_customer_wants_a_product_and_accepts_a_cheap_one(cards: tuple[str, ...], per_cent: int) -> None:
    hand = play(table(*cards), "narc check")
    assert customer_raises(CUSTOMER, hand) == per_cent


@pytest.mark.parametrize(("product", "order"), [("Meth", "Haggling"), ("Weed", "Bulk Order")])
def test_the_customer_haggles_with_the_dear_and_orders_the_cheap(product: str, order: str) -> None:
    hand = start(narc=["Patrol"] * 9, customer=["Bulk Order", "Haggling", "Fair Deal"] * 3, player=[product] * 9)
    hand = play(
        hand, "narc check", "customer check", f"player raise {product}", "player check", "continue", "narc check"
    )
    played = [act_customer(CUSTOMER, hand.view(1), Chance(seed)) for seed in range(60)]
    assert {action.card for action in played if isinstance(action, StingRaise)} == {order}


def test_the_customer_leaves_where_evidence_is_far_ahead() -> None:
    near, far = play(table("Fake ID"), "narc check"), play(table("School Zone", "School Zone"), "narc check")
    assert (flees(CUSTOMER, near), flees(CUSTOMER, far)) == (False, False)  # 35 is not more than 35
    assert flees(CustomerBehaviour(flees_behind=34), far)
    actions = [act_customer(CustomerBehaviour(raises=(0, 0, 0), flees_behind=34), far.view(1), Chance(0))]
    assert actions == [StingFold()]


@pytest.mark.parametrize("name", ["easy", "normal", "hard", "printed"])
def test_sentence_of_every_style_states_its_numbers(name: str) -> None:
    difficulty = default_cards().difficulty(name)
    said = [int(number) for number in re.findall(r"\d+", describe_narc(difficulty.narc))]
    way = difficulty.narc
    named = [*way.raises, *([way.thin] if way.thin else [])]
    assert said[: len(named)] == named
    for number in (way.thick, way.dear, way.wary, way.heat):
        assert number == 0 or number in said
    assert (
        "They play a random card, or the one with most Evidence if Evidence is ahead." in describe_narc(way)
    ) == way.aims
    assert ("They play a random card." in describe_narc(way)) != way.aims
    sentence = describe_customer(difficulty.customer)
    numbers = [int(number) for number in re.findall(r"\d+", sentence)]
    assert tuple(numbers[:3]) == difficulty.customer.raises
    bound = difficulty.customer.flees_behind or difficulty.customer.flees_above
    assert bound in numbers
    assert ("lowers the price" in sentence) == difficulty.customer.haggles
    assert ("without a Product a random card" in sentence) == difficulty.customer.haggles
