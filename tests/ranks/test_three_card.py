"""Hands of three cards: every class by its number of hands, and every strength in its order."""

from collections import Counter
from itertools import combinations

from pitboss.cards import DECK
from pitboss.ranks.highs import three_card, three_card_name

CLASSES = {
    "high_card": 16_440,
    "pair": 3_744,
    "flush": 1_096,
    "straight": 720,
    "three_of_a_kind": 52,
    "straight_flush": 48,
}
"""The number of hands of each class, weakest class first, as combinatorics gives it."""


def test_each_class_has_its_number_of_hands_and_strengths() -> None:
    hands = Counter(map(three_card, combinations(DECK, 3)))
    by_class = Counter[str]()
    for strength, count in hands.items():
        by_class[three_card_name(strength)] += count
    assert by_class == CLASSES
    strengths = Counter(map(three_card_name, hands))
    assert strengths == {
        "high_card": 274,
        "pair": 156,
        "flush": 274,
        "straight": 12,
        "three_of_a_kind": 13,
        "straight_flush": 12,
    }
    assert [three_card_name(strength) for strength in sorted(hands)] == [
        name for name in CLASSES for _ in range(strengths[name])
    ]


def test_straights_run_from_the_low_ace_to_the_high_ace() -> None:
    order = "A23456789TJQKA"
    straights = [three_card((a + "s", b + "h", c + "d")) for a, b, c in zip(order, order[1:], order[2:], strict=False)]
    assert straights == sorted(set(straights))


def test_of_more_cards_the_best_three_count() -> None:
    assert three_card(("2c", "7d", "As", "Ks", "Qs")) == three_card(("As", "Ks", "Qs"))
