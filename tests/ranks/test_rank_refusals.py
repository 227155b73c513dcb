"""What cannot be ranked is refused in one sentence."""

from collections.abc import Callable

import pytest

from pitboss.cards import read_cards
from pitboss.ranks import Rank, from_two, high, high_name, low, low_name, short, short_name

ranks = pytest.mark.parametrize("rank", [high, short, low])


@ranks
@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ("", "0 cards cannot be ranked: it takes five to seven"),
        ("AsKsQsJs", "4 cards cannot be ranked: it takes five to seven"),
        ("AsKsQsJsTs9s8s7s", "8 cards cannot be ranked: it takes five to seven"),
        ("AsKsQsJs??", r"card '\?\?' cannot be ranked: it is unknown or not in this deck"),
        ("AsKsQsJs?s", r"card '\?s' cannot be ranked: it is unknown or not in this deck"),
        ("AsKs????????", r"card '\?\?' cannot be ranked: it is unknown or not in this deck"),
        ("AsKsQsJsTsAs", "card As stands twice"),
    ],
)
def test_holdings(rank: Rank, cards: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        rank(read_cards(cards))


@ranks
@pytest.mark.parametrize(
    ("hole", "board", "sentence"),
    [
        ("As", "9s8s7s6s", "1 hole and 4 board cards cannot be ranked: it takes two and three"),
        ("AsKsQsJs", "9s8s", "4 hole and 2 board cards cannot be ranked: it takes two and three"),
        ("AsKsQsJs", "9s8sAs", "card As stands twice"),
        ("AsKsQsAs", "9s8s7s", "card As stands twice"),
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


@pytest.mark.parametrize("name", [high_name, short_name])
@pytest.mark.parametrize("strength", [-1, 0, 1 << 16])
def test_class_names(name: Callable[[int], str], strength: int) -> None:
    with pytest.raises(ValueError, match=f"^no hand has the strength {strength}$"):
        name(strength)


def test_low_names() -> None:
    assert low_name(0) == ""
    with pytest.raises(ValueError, match=r"^no low has the strength 9$"):
        low_name(9)
