"""Every kind of low hand, badugi and up-cards, counted, named, and in the order a person would put them in."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from math import comb, factorial

import pytest

from pitboss.cards import DECK, RANKS, SUITS, Card
from pitboss.ranks import (
    Rank,
    ace_to_five,
    ace_to_five_name,
    badugi,
    badugi_name,
    deuce_to_seven,
    deuce_to_seven_name,
    high,
    showing_high,
    showing_low,
)
from tests.support.for_each import for_each

KINDS = {"high_card": 1287, "pair": 2860, "two_pair": 858, "three_of_a_kind": 858, "full_house": 156}
"""How many different hands there are of each class where only ranks count."""


def rank_sets(size: int) -> Iterator[tuple[Card, ...]]:
    """One holding for every choice of ranks that a deck has; five cards are never of one suit."""
    for letters in combinations_with_replacement(RANKS, size):
        if max(map(letters.count, letters)) <= len(SUITS):
            yield tuple(letter + SUITS[place % 4] for place, letter in enumerate(letters))


def suited_sets() -> Iterator[tuple[Card, ...]]:
    return (tuple(letter + "s" for letter in letters) for letters in combinations(RANKS, 5))


def class_of(name: str) -> str:
    return name.rpartition(" ")[0] or "high_card"


def test_ace_to_five_has_6175_classes() -> None:
    strengths = {ace_to_five(cards) for cards in rank_sets(5)}
    assert len(strengths) == 6175
    assert strengths == strengths | {ace_to_five(cards) for cards in suited_sets()}
    assert min(strengths) > 0
    counts = Counter(class_of(ace_to_five_name(strength)) for strength in strengths)
    assert counts == {**KINDS, "four_of_a_kind": 156}


def test_deuce_to_seven_has_7462_classes() -> None:
    strengths = {deuce_to_seven(cards) for cards in [*rank_sets(5), *suited_sets()]}
    assert len(strengths) == 7462
    assert min(strengths) > 0
    counts = Counter(class_of(deuce_to_seven_name(strength)) for strength in strengths)
    straights = {"high_card": 1278, "straight": 9, "flush": 1278, "straight_flush": 9}
    assert counts == {**KINDS, "four_of_a_kind": 156, **straights}


def test_deuce_to_seven_is_the_high_order_upside_down_but_for_the_wheel() -> None:
    hands = [cards for cards in [*rank_sets(5), *suited_sets()] if {card[0] for card in cards} != set("A2345")]
    by_high = sorted(hands, key=high)
    by_low = sorted(hands, key=deuce_to_seven, reverse=True)
    assert [high(cards) for cards in by_low] == [high(cards) for cards in by_high]


def test_badugi_has_1092_classes() -> None:
    strengths = {
        badugi([letter + suit for letter, suit in zip(letters, SUITS, strict=False)])
        for size in range(1, 5)
        for letters in combinations(RANKS, size)
    }
    names = {strength: badugi_name(strength) for strength in strengths}
    counts = Counter(len(name.split("-")) for name in names.values())
    assert counts == {size: comb(13, size) for size in (4, 3, 2, 1)} == {4: 715, 3: 286, 2: 78, 1: 13}
    assert min(strengths) > 0
    assert len(set(names.values())) == len(names)


@pytest.mark.slow
def test_all_badugi_hands() -> None:
    """All 270,725 hands of four cards, counted by how many play."""
    strengths = Counter(map(badugi, combinations(DECK, 4)))
    assert len(strengths) == 1092
    sizes: Counter[int] = Counter()
    for strength, hands in strengths.items():
        sizes[len(badugi_name(strength).split("-"))] += hands
    assert sizes == {4: comb(13, 4) * factorial(4), 3: 154440, 2: 96252, 1: comb(13, 4) * 4 + 13}


@pytest.mark.slow
@pytest.mark.parametrize(("rank", "distinct"), [(ace_to_five, 6175), (deuce_to_seven, 7462)])
def test_all_five_card_hands(rank: Rank, distinct: int) -> None:
    """All 2,598,960 hands of five cards."""
    assert len(set(map(rank, combinations(DECK, 5)))) == distinct


@for_each("rank", [showing_high, showing_low])
@for_each("size, distinct", [(1, 13), (2, 91), (3, 455), (4, 1820)])
def test_up_cards(rank: Rank, size: int, distinct: int) -> None:
    strengths = {rank(cards) for cards in rank_sets(size)}
    assert len(strengths) == distinct
    assert min(strengths) > 0


@for_each(
    "rank, rising",
    [
        (ace_to_five, "2s2d2c2hAs 3s3d3cAsAd AsAdAc2c3c KsKdAsAdQc KsKdAs2c3c AsAdKcQcJc KsQsJsTs9s 5sAs2s3s4s"),
        (deuce_to_seven, "AsKsQsJsTs 2s2d2c2h3s 2s2d2c3c3d 7s5s4s3s2s 6s5s4s3s2d 2s2d2c3c4c AsAdKcQcJc AsKsQsJs9d"),
        (deuce_to_seven, "AsKsQsJs9d As2s3s4s6d As2s3s4s5d KsQsJsTs8d 8s5s4s3s2d 7s6s5s4s2d 7s5s4s3s2d"),
        (badugi, "KcKdKhKs KcQcJcTc AcAdAhAs 2cAc2sAs KcQdJh4h 3c2dAhKh KcQdJhTs 4c3d2hAs"),
        (showing_high, "3c4d5h6s AsKsQsJs 2s2d3c4d AsAdKcQc 2s2d3c3d AsAdKcKd 2s2d2c3c 2s2d2c2h AsAdAcAh"),
        (showing_low, "KsKdKhKc 2s2d2h3c KsKdQsQd KsKdAs2s AsAdQsKs TsJsQsKs Ts9s8s7s As2s3s4s"),
        (showing_high, "2s Ks As"),
        (showing_low, "Ks 2s As"),
    ],
)
def test_hands_in_rising_order(rank: Rank, rising: str) -> None:
    hands = [[text[at : at + 2] for at in range(0, len(text), 2)] for text in rising.split()]
    strengths = [rank(cards) for cards in hands]
    assert strengths == sorted(set(strengths))
