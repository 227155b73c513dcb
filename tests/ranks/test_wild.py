"""Hands with wild cards against a count of every card that a wild card can stand for."""

from itertools import combinations, pairwise

import pytest

from pitboss.cards import DECK, Card, CardError
from pitboss.chance import Chance
from pitboss.ranks import high
from pitboss.ranks.layout import RankError
from pitboss.ranks.wild import wild_high, wild_high_name

FIVE = 1 << 20


def by_trying(cards: tuple[Card, ...], wild: str) -> int:
    """The best strength over all cards that the wild cards can stand for, five of a kind above all."""
    natural = [card for card in cards if card[0] not in wild]
    count = len(cards) - len(natural)
    ranks = [card[0] for card in natural]
    fives = [rank for rank in "23456789TJQKA" if ranks.count(rank) + count >= 5]
    if fives:
        return FIVE + "23456789TJQKA".index(fives[-1])
    free = [card for card in DECK if card not in natural]
    return max(high((*natural, *stands_for)) for stands_for in combinations(free, count))


def some_hands(seed: int, count: int, wilds: int) -> list[tuple[Card, ...]]:
    """Hands of five to seven cards with this number of deuces, from few ranks and suits, so that they are strong."""
    chance, hands = Chance(seed), []
    for _ in range(count):
        low = chance.below(8)
        others = [card for card in DECK if card[0] in "3456789TJQKA"[low : low + 5] or card[1] == "s"]
        others = [card for card in others if card[0] != "2"]
        size = 5 + chance.below(3) - wilds
        deuces = [card for card in DECK if card[0] == "2"][:wilds]
        hands.append((*deuces, *chance.shuffled(tuple(others), size)))
    return hands


@pytest.mark.parametrize(("wilds", "count"), [(0, 400), (1, 200), (2, 30)])
def test_wild_hands_are_ordered_like_the_best_hands_that_they_stand_for(wilds: int, count: int) -> None:
    hands = some_hands(3 + wilds, count, wilds)
    ours = [wild_high(hand, "2") for hand in hands]
    naive = [by_trying(hand, "2") for hand in hands]
    by_ours = sorted(range(len(hands)), key=lambda at: (ours[at], naive[at]))
    for one, other in pairwise(by_ours):
        assert (naive[one] < naive[other]) is (ours[one] < ours[other]), (hands[one], hands[other])


def test_five_of_a_kind_is_the_strongest_class() -> None:
    royal = wild_high(["As", "Ks", "Qs", "Js", "2c"], "2")
    assert wild_high_name(royal) == "straight_flush"
    assert wild_high(["3s", "3d", "3c", "3h", "2c"], "2") > royal
    assert wild_high_name(wild_high(["3s", "2d", "2s", "2h", "2c"], "2")) == "five_of_a_kind"


def test_only_wild_cards_make_five_aces() -> None:
    all_wild = wild_high(["2s", "2d", "2c", "2h", "3s"], "23")
    assert all_wild == wild_high(["As", "Ad", "Ac", "Ah", "2c"], "2")


def test_a_wild_ace_does_not_double_the_ace_of_a_flush() -> None:
    assert wild_high(["As", "9s", "7s", "4s", "2c"], "2") == wild_high(["As", "Ks", "9s", "7s", "4s"], "2")


def test_wrong_cards_are_refused() -> None:
    with pytest.raises(RankError, match="expected 5 to 7 cards, got 4"):
        wild_high(["As", "2c", "3c", "4c"], "2")
    with pytest.raises(CardError):
        wild_high(["As", "As", "3c", "4c", "2c"], "2")
    with pytest.raises(RankError, match="expected the strength"):
        wild_high_name(0)
