"""What holds for every holding: neither order nor suits' names matter, and one more card never hurts."""

from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import DECK, SHORT_DECK, SUITS, Card
from pitboss.ranks import (
    Rank,
    ace_to_five,
    badugi,
    deuce_to_seven,
    from_two,
    high,
    low,
    short,
    showing_high,
    showing_low,
)
from tests.support.for_each import for_each


def holdings(deck: tuple[Card, ...], smallest: int = 5, largest: int = 7) -> st.SearchStrategy[list[Card]]:
    return st.lists(st.sampled_from(deck), unique=True, min_size=smallest, max_size=largest)


every_rank = pytest.mark.parametrize(
    ("rank", "deck"),
    [
        pytest.param(high, DECK, id="high"),
        pytest.param(short, SHORT_DECK, id="short"),
        pytest.param(low, DECK, id="low"),
        pytest.param(ace_to_five, DECK, id="ace to five"),
        pytest.param(deuce_to_seven, DECK, id="deuce to seven"),
    ],
)
few_cards = pytest.mark.parametrize("rank", [badugi, showing_high, showing_low])


@every_rank
@given(data=st.data())
def test_order_does_not_matter(rank: Rank, deck: tuple[Card, ...], data: st.DataObject) -> None:
    cards = data.draw(holdings(deck))
    assert rank(data.draw(st.permutations(cards))) == rank(cards)


@every_rank
@given(data=st.data())
def test_suits_are_equal(rank: Rank, deck: tuple[Card, ...], data: st.DataObject) -> None:
    cards = data.draw(holdings(deck))
    renamed = str.maketrans(SUITS, "".join(data.draw(st.permutations(SUITS))))
    assert rank(card.translate(renamed) for card in cards) == rank(cards)


@every_rank
@given(data=st.data())
def test_one_more_card_never_hurts(rank: Rank, deck: tuple[Card, ...], data: st.DataObject) -> None:
    cards = data.draw(holdings(deck, smallest=6))
    assert rank(cards) >= rank(cards[:-1])


@pytest.mark.check
@every_rank
@for_each("size", [6, 7])
def test_a_holding_is_worth_its_best_five(rank: Rank, deck: tuple[Card, ...], size: int) -> None:
    ranks = sorted({card[0] for card in deck})
    unsuited = [
        [letter + SUITS[place % 4] for place, letter in enumerate(letters)]  # at most two cards of a suit
        for letters in combinations_with_replacement(ranks, size)
        if letters.count(max(letters, key=letters.count)) <= len(SUITS)
    ]
    suited = [[letter + "s" for letter in letters] for letters in combinations(ranks, size)]
    for cards in unsuited + suited:
        assert rank(cards) == max(map(rank, combinations(cards, 5)))


@every_rank
@given(data=st.data())
def test_from_two_is_the_best_of_all_joined_hands(rank: Rank, deck: tuple[Card, ...], data: st.DataObject) -> None:
    cards = data.draw(holdings(deck, smallest=7, largest=9))
    hole, board = cards[:4], cards[4:]
    joined = [rank(pair + trio) for pair in combinations(hole, 2) for trio in combinations(board, 3)]
    assert from_two(rank, hole, board) == max(joined)


@given(cards=holdings(DECK, smallest=9, largest=9))
def test_from_two_takes_any_rank(cards: list[Card]) -> None:
    hole, board = cards[:4], cards[4:]
    assert from_two(lambda held: high(held) // 2, hole, board) == from_two(high, hole, board) // 2


@few_cards
@given(data=st.data())
def test_neither_order_nor_suits_matter_to_few_cards(rank: Rank, data: st.DataObject) -> None:
    cards = data.draw(holdings(DECK, smallest=1, largest=4))
    renamed = str.maketrans(SUITS, "".join(data.draw(st.permutations(SUITS))))
    assert rank(card.translate(renamed) for card in data.draw(st.permutations(cards))) == rank(cards) > 0


@given(cards=holdings(DECK, smallest=2, largest=4))
def test_one_more_card_never_hurts_a_badugi(cards: list[Card]) -> None:
    assert badugi(cards) >= badugi(cards[:-1])


@pytest.mark.parametrize("hole_size", [5, 6])
@given(data=st.data())
def test_from_two_of_five_and_six_hole_cards(hole_size: int, data: st.DataObject) -> None:
    cards = data.draw(holdings(DECK, smallest=hole_size + 5, largest=hole_size + 5))
    hole, board = cards[:hole_size], cards[hole_size:]
    for rank in (high, low):
        joined = [rank(pair + trio) for pair in combinations(hole, 2) for trio in combinations(board, 3)]
        assert from_two(rank, hole, board) == max(joined)
