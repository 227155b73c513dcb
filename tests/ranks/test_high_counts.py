"""Every five-card hand of a deck, ranked and counted class by class."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from math import comb

import pytest

from pitboss.cards import DECK, SHORT_DECK, Card
from pitboss.ranks import Rank, high, high_name, short, short_name

pytestmark = pytest.mark.check


def class_counts(ranks: int, straights: int) -> dict[str, int]:
    """How many hands of each class a deck of four suits deals: choose the ranks, then their suits."""
    runless = comb(ranks, 5) - straights
    return {
        "straight_flush": straights * 4,
        "four_of_a_kind": ranks * (ranks - 1) * 4,
        "full_house": ranks * comb(4, 3) * (ranks - 1) * comb(4, 2),
        "flush": runless * 4,
        "straight": straights * (4**5 - 4),
        "three_of_a_kind": ranks * comb(4, 3) * comb(ranks - 1, 2) * 4**2,
        "two_pair": comb(ranks, 2) * comb(4, 2) ** 2 * (ranks - 2) * 4,
        "pair": ranks * comb(4, 2) * comb(ranks - 1, 3) * 4**3,
        "high_card": runless * (4**5 - 4),
    }


STANDARD_COUNTS = {
    "straight_flush": 40,
    "four_of_a_kind": 624,
    "full_house": 3744,
    "flush": 5108,
    "straight": 10200,
    "three_of_a_kind": 54912,
    "two_pair": 123552,
    "pair": 1098240,
    "high_card": 1302540,
}


def test_the_formula_gives_the_known_counts() -> None:
    assert class_counts(ranks=13, straights=10) == STANDARD_COUNTS


# The short deck's six straights end in 9 (with the ace below), T, J, Q, K and A.
@pytest.mark.parametrize(
    ("rank", "name", "deck", "expected", "distinct"),
    [
        pytest.param(high, high_name, DECK, STANDARD_COUNTS, 7462, id="high"),
        pytest.param(short, short_name, SHORT_DECK, class_counts(ranks=9, straights=6), 1404, id="short"),
    ],
)
def test_all_five_card_hands(
    rank: Rank, name: Callable[[int], str], deck: tuple[Card, ...], expected: dict[str, int], distinct: int
) -> None:
    strengths = Counter(map(rank, combinations(deck, 5)))
    classes: Counter[str] = Counter()
    for strength, hands in strengths.items():
        classes[name(strength)] += hands
    assert classes == expected
    assert len(strengths) == distinct
