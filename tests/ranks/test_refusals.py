"""What cannot be ranked is refused in one sentence."""

from collections.abc import Callable

import pytest

from pitboss.cards import read_cards
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

ranks = for_each("rank", [high, short, low, ace_to_five, deuce_to_seven])


@ranks
@for_each(
    "cards, sentence",
    [
        ("", "expected 5 to 7 cards, got 0"),
        ("AsKsQsJs", "expected 5 to 7 cards, got 4"),
        ("AsKsQsJsTs9s8s7s", "expected 5 to 7 cards, got 8"),
        ("AsKsQsJs??", r"card '\?\?' cannot be ranked: it is unknown or not in this deck"),
        ("AsKsQsJs?s", r"card '\?s' cannot be ranked: it is unknown or not in this deck"),
        ("AsKs????????", r"card '\?\?' cannot be ranked: it is unknown or not in this deck"),
        ("AsKsQsJsTsAs", "card As appears twice"),
    ],
)
def test_holdings(rank: Rank, cards: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        rank(read_cards(cards))


@for_each("rank", [badugi, showing_high, showing_low])
@for_each(
    "cards, sentence",
    [
        ("", "expected 1 to 4 cards, got 0"),
        ("AsKsQsJsTs", "expected 1 to 4 cards, got 5"),
        ("As??", r"card '\?\?' cannot be ranked: it is unknown or not in this deck"),
        ("As????", r"card '\?\?' cannot be ranked: it is unknown or not in this deck"),
        ("A?", r"card 'A\?' cannot be ranked: it is unknown or not in this deck"),
        ("AsKsAs", "card As appears twice"),
    ],
)
def test_few_cards(rank: Rank, cards: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        rank(read_cards(cards))


@ranks
@for_each(
    "hole, board, sentence",
    [
        ("As", "9s8s7s6s", "expected at least 2 hole and 3 board cards, got 1 and 4"),
        ("AsKsQsJs", "9s8s", "expected at least 2 hole and 3 board cards, got 4 and 2"),
        ("AsKsQsJs", "9s8sAs", "card As appears twice"),
        ("AsKsQsAs", "9s8s7s", "card As appears twice"),
        ("AsKsQs??", "9s8s7s", r"card '\?\?' cannot be ranked: it is unknown or not in this deck"),
        ("AsKsQsJs", "9s????", r"card '\?\?' cannot be ranked: it is unknown or not in this deck"),
    ],
)
def test_from_two(rank: Rank, hole: str, board: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        from_two(rank, read_cards(hole), read_cards(board))


def test_the_short_deck_has_no_five() -> None:
    with pytest.raises(ValueError, match=r"^card '5s' cannot be ranked: it is unknown or not in this deck$"):
        short(read_cards("9s8s7s6s5s"))


@for_each("name", [high_name, short_name])
@for_each("strength", [-1, 0, 1 << 16])
def test_class_names(name: Callable[[int], str], strength: int) -> None:
    with pytest.raises(ValueError, match=f"^expected the strength of a hand, got {strength}$"):
        name(strength)


def test_low_names() -> None:
    assert low_name(0) == ""
    with pytest.raises(ValueError, match=r"^expected the strength of a low, got 9$"):
        low_name(9)


@for_each("name", [ace_to_five_name, deuce_to_seven_name])
@for_each(
    "number",
    [
        pytest.param(-1, id="too great"),
        pytest.param(0, id="no cards"),
        pytest.param(0x012345, id="lowest first"),
        pytest.param(0x054320, id="no last card"),
        pytest.param(0x0F4321, id="a rank beyond the last"),
        pytest.param(0x055321, id="a pair that is none"),
        pytest.param(0x754321, id="four that are none"),
        pytest.param(0x711111, id="five of a kind"),
        pytest.param(0x465321, id="a straight with a gap"),
        pytest.param(0x9DCBA9, id="no class"),
        pytest.param(1 << 24, id="zero"),
    ],
)
def test_lowball_names(name: Callable[[int], str], number: int) -> None:
    strength = (1 << 24) - number
    with pytest.raises(ValueError, match=f"^expected the strength of a hand, got {strength}$"):
        name(strength)


@for_each("strength", [-1, 0, 1, 1 << 13, 2 << 13 | 0b1111111111110, 5 << 13 | 0b1111111100000, 1 << 16])
def test_badugi_names(strength: int) -> None:
    with pytest.raises(ValueError, match=f"^expected the strength of a badugi, got {strength}$"):
        badugi_name(strength)
