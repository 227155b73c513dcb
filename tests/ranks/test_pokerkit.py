"""PokerKit, written by others and in another way, orders the same hands in the same order."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from random import Random

import pokerkit
import pytest

from pitboss.cards import DECK, SHORT_DECK, Card, write_cards
from pitboss.ranks import (
    Rank,
    ace_to_five,
    ace_to_five_name,
    badugi,
    badugi_name,
    deuce_to_seven,
    deuce_to_seven_name,
    from_two,
    high,
    high_name,
    low,
    low_name,
    short,
    short_name,
    showing_high,
    showing_low,
)
from tests.support.for_each import for_each

LOW_HEAVY = tuple(card for card in DECK if card[0] in "A23456789")

Hand = pokerkit.Hand
Pair = tuple[int, Hand | None]


def twin(kind: type[Hand], hole: Iterable[Card], board: Iterable[Card] = ()) -> Hand | None:
    """PokerKit's hand, or none where it finds that nothing qualifies."""
    return kind.from_game_or_none(write_cards(hole), write_cards(board))


def assert_same_order(pairs: list[Pair]) -> None:
    """Sorted by our strength, PokerKit's hands rise exactly where ours do; 0 is where it has no hand."""
    assert all((strength == 0) == (hand is None) for strength, hand in pairs)
    ordered = sorted(((strength, hand) for strength, hand in pairs if hand is not None), key=lambda pair: pair[0])
    assert len({strength for strength, _ in ordered}) > 1
    for (weaker, its_twin), (stronger, other_twin) in pairwise(ordered):
        assert its_twin == other_twin if weaker == stronger else its_twin < other_twin


@pytest.mark.check
@for_each("size", [5, 6, 7])
@for_each(
    "rank, kind, deck",
    [
        pytest.param(high, pokerkit.StandardHighHand, DECK, id="high"),
        pytest.param(short, pokerkit.ShortDeckHoldemHand, SHORT_DECK, id="short"),
        pytest.param(low, pokerkit.EightOrBetterLowHand, LOW_HEAVY, id="low"),
        pytest.param(ace_to_five, pokerkit.RegularLowHand, DECK, id="ace to five"),
        pytest.param(deuce_to_seven, pokerkit.StandardLowHand, DECK, id="deuce to seven"),
    ],
)
def test_one_holding(rank: Rank, kind: type[Hand], deck: tuple[Card, ...], size: int) -> None:
    random = Random(size)
    holdings = [random.sample(deck, size) for _ in range(1500)]
    assert_same_order([(rank(cards), twin(kind, cards)) for cards in holdings])


@pytest.mark.check
@for_each("hole_size, board_size", [(4, 3), (4, 5), (5, 5), (6, 5)])
@for_each(
    "rank, kind, deck",
    [
        pytest.param(high, pokerkit.OmahaHoldemHand, DECK, id="high"),
        pytest.param(low, pokerkit.OmahaEightOrBetterLowHand, LOW_HEAVY, id="low"),
    ],
)
def test_two_from_the_hole(
    rank: Rank, kind: type[Hand], deck: tuple[Card, ...], hole_size: int, board_size: int
) -> None:
    random = Random(board_size)
    deals = [random.sample(deck, hole_size + board_size) for _ in range(500)]
    holdings = [(cards[:hole_size], cards[hole_size:]) for cards in deals]
    assert_same_order([(from_two(rank, *cards), twin(kind, *cards)) for cards in holdings])


@pytest.mark.check
@pytest.mark.parametrize("suits", ["s", "hs"])
def test_flushes_and_straight_flushes(suits: str) -> None:
    random = Random(11)
    for rank, kind, deck in (
        (high, pokerkit.StandardHighHand, DECK),
        (short, pokerkit.ShortDeckHoldemHand, SHORT_DECK),
        (deuce_to_seven, pokerkit.StandardLowHand, DECK),
    ):
        suited = [card for card in deck if card[1] in suits]
        holdings = [random.sample(suited, 7) for _ in range(500)]
        assert_same_order([(rank(cards), twin(kind, cards)) for cards in holdings])


@pytest.mark.parametrize(
    ("rank", "name", "kind", "deck"),
    [
        pytest.param(high, high_name, pokerkit.StandardHighHand, DECK, id="high"),
        pytest.param(short, short_name, pokerkit.ShortDeckHoldemHand, SHORT_DECK, id="short"),
    ],
)
def test_class_names(rank: Rank, name: Callable[[int], str], kind: type[Hand], deck: tuple[Card, ...]) -> None:
    random = Random(23)
    for _ in range(1000):
        cards = random.sample(deck, 7)
        hand = twin(kind, cards)
        assert hand is not None
        assert name(rank(cards)) == hand.entry.label.name.lower().replace("one_pair", "pair")


def test_low_names_are_the_five_cards_that_play() -> None:
    random = Random(29)
    for _ in range(500):
        cards = random.sample(LOW_HEAVY, 7)
        hand = twin(pokerkit.EightOrBetterLowHand, cards)
        ranks = sorted((card.rank.value for card in hand.cards), key="A2345678".index) if hand else []
        assert low_name(low(cards)) == "-".join(reversed(ranks))


FEW_RANKS = tuple(card for card in DECK if card[0] in "A2K")


@for_each("deck", [DECK, FEW_RANKS], ids=["deck", "few ranks"])
@for_each("size", [1, 2, 3, 4])
def test_badugis(deck: tuple[Card, ...], size: int) -> None:
    random = Random(size)
    holdings = [random.sample(deck, size) for _ in range(1500)]
    assert_same_order([(badugi(cards), twin(pokerkit.BadugiHand, cards)) for cards in holdings])


@pytest.mark.parametrize("size", [5, 6, 7])
def test_low_hands_full_of_pairs(size: int) -> None:
    random = Random(size)
    holdings = [random.sample(FEW_RANKS, size) for _ in range(500)]
    assert_same_order([(ace_to_five(cards), twin(pokerkit.RegularLowHand, cards)) for cards in holdings])
    assert_same_order([(deuce_to_seven(cards), twin(pokerkit.StandardLowHand, cards)) for cards in holdings])


@pytest.mark.parametrize(
    ("rank", "name", "kind", "size", "order"),
    [
        pytest.param(ace_to_five, ace_to_five_name, pokerkit.RegularLowHand, 7, "A23456789TJQK", id="ace to five"),
        pytest.param(
            deuce_to_seven, deuce_to_seven_name, pokerkit.StandardLowHand, 6, "23456789TJQKA", id="deuce to seven"
        ),
        pytest.param(badugi, badugi_name, pokerkit.BadugiHand, 4, "A23456789TJQK", id="badugi"),
    ],
)
def test_names_are_the_cards_that_play(
    rank: Rank, name: Callable[[int], str], kind: type[Hand], size: int, order: str
) -> None:
    random = Random(31)
    for _ in range(500):
        cards = random.sample(DECK, size)
        hand = twin(kind, cards)
        assert hand is not None
        ranks = [card.rank.value for card in hand.cards]
        expected = sorted(ranks, key=lambda letter: (ranks.count(letter), order.index(letter)), reverse=True)
        assert name(rank(cards)).split(" ")[-1] == "-".join(expected)


@for_each("size", [1, 2, 3, 4])
@for_each("lowest", [False, True], ids=["high", "low"])
def test_up_cards(lowest: bool, size: int) -> None:
    """PokerKit's orders of those who open, which it keeps to itself: greater is higher in both."""
    lookup = pokerkit.state._LowHandOpeningLookup() if lowest else pokerkit.state._HighHandOpeningLookup()
    random = Random(size)
    for deck in (DECK, FEW_RANKS):
        for _ in range(1000):
            first, second = (random.sample(deck, size) for _ in range(2))
            entries = [lookup.get_entry(write_cards(cards)) for cards in (first, second)]
            if lowest:
                assert (showing_low(first) > showing_low(second)) == (entries[0] < entries[1])
            else:
                assert (showing_high(first) > showing_high(second)) == (entries[0] > entries[1])
