"""`evaluate` in other games: as their showdown judges, one holding or an array of them, with boards or without."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from pitboss.cards import DECK, SHORT_DECK, Card, CardError
from pitboss.fast.arrays import NotCards, card_numbers
from pitboss.fast.evaluate import evaluate
from pitboss.hand import showdown
from pitboss.hand.games import STRUCTURES, find_structure
from pitboss.hand.structure import Structure
from pitboss.ranks import high
from tests.support.fast.forms import forced
from tests.support.for_each import for_each

np = pytest.importorskip("numpy", reason="NumPy is not installed: there are no arrays")

WIDE = ("FR", "F2L3D")
GAMES = [
    pytest.param(structure, hole, board, id=f"{structure.code} {hole}+{board}")
    for structure, sizes in [
        (find_structure("NT"), [(2, 5), (2, 3), (7, 0)]),
        (find_structure("NS"), [(2, 5), (5, 0)]),
        (find_structure("PO"), [(4, 5), (4, 3), (5, 5), (6, 5), (2, 4)]),
        (find_structure("FO/8"), [(4, 5), (5, 4)]),
        (find_structure("F7S/8"), [(7, 0), (6, 1)]),
        (find_structure("FR"), [(7, 0), (6, 1)]),
        (find_structure("F2L3D"), [(5, 0), (7, 0)]),
        (find_structure("FB"), [(4, 0), (3, 0), (1, 0)]),
    ]
    for hole, board in sizes
]


@pytest.fixture
def plainly() -> Iterator[None]:
    """Arrays are ranked plain, whatever has been compiled already."""
    with forced(compiled=False):
        yield


@pytest.fixture
def compiled() -> Iterator[None]:
    """Arrays are ranked by compiled code, however small they are."""
    with forced(compiled=True):
        yield


def deals(structure: Structure, size: int, count: int) -> list[list[Card]]:
    source = random.Random(size)
    return [source.sample(structure.deck, size) for _ in range(count)]


def expected(structure: Structure, hands: list[list[Card]], hole: int) -> list[Any]:
    """A list of strengths for every ranking."""
    made = [showdown.strengths(structure, cards[:hole], cards[hole:]) for cards in hands]
    return [list(strengths) for strengths in zip(*made, strict=True)]


def as_lists(answer: Any) -> list[Any]:
    return [strengths.tolist() for strengths in (answer if isinstance(answer, tuple) else (answer,))]


@for_each("structure, hole, board", GAMES)
def test_one_holding(structure: Structure, hole: int, board: int) -> None:
    for cards in deals(structure, hole + board, 50):
        made = showdown.strengths(structure, cards[:hole], cards[hole:])
        strength = made[0] if len(made) == 1 else made
        numbers = card_numbers(cards)
        assert evaluate(cards[:hole], game=structure, board=cards[hole:]) == strength
        assert evaluate("".join(cards[:hole]), game=structure, board="".join(cards[hole:])) == strength
        assert evaluate(numbers[:hole], game=structure, board=numbers[hole:]) == strength
        assert evaluate(np.array(numbers[:hole]), game=structure, board=cards[hole:]) == strength


@pytest.mark.check
@pytest.mark.parametrize(("structure", "hole", "board"), GAMES)
@pytest.mark.parametrize(("form", "count"), [("plainly", 60), ("compiled", 2000)])
def test_arrays(
    structure: Structure, hole: int, board: int, form: str, count: int, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue(form)
    hands = deals(structure, hole + board, count)
    rows = np.array([card_numbers(cards) for cards in hands], np.uint8)
    answer = evaluate(rows[:, :hole], game=structure, board=rows[:, hole:])
    assert as_lists(answer) == expected(structure, hands, hole)
    kind = np.uint32 if structure.code in WIDE else np.uint16
    assert all(part.dtype == kind for part in (answer if isinstance(answer, tuple) else (answer,)))


@for_each("suits", ["s", "hs", "cdhs"])
@for_each("game, size", [("FR", 7), ("FR", 5), ("F2L3D", 5), ("FB", 4)])
@pytest.mark.usefixtures("compiled")
def test_low_hands_of_few_suits_and_few_ranks(game: str, size: int, suits: str) -> None:
    source = random.Random(size)
    ranks = "23456789TJQKA" if len(suits) < 4 else "A2347"
    cards = [rank + suit for rank in ranks for suit in suits]
    hands = [source.sample(cards, size) for _ in range(1500)]
    rows = np.array([card_numbers(hand) for hand in hands], np.uint8)
    assert as_lists(evaluate(rows, game=game)) == expected(find_structure(game), hands, size)


@pytest.mark.parametrize("form", ["plainly", "compiled"])
def test_one_board_for_many_hands_and_many_boards_for_one(form: str, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue(form)
    board = "7h8s2s4dKc"
    rest = [card for card in DECK if card not in card_names(board)]
    hands = [rest[start : start + 4] for start in range(0, 44, 4)]
    rows = np.array([card_numbers(cards) for cards in hands])
    strengths = [evaluate(cards, game="omaha", board=board) for cards in hands]
    assert evaluate(rows, game="omaha", board=board).tolist() == strengths
    assert evaluate(rows[:10].reshape(2, 5, 4), game="omaha", board=board).shape == (2, 5)
    boards = rows[1:, :3]
    many = evaluate(hands[0], game="omaha", board=boards).tolist()
    assert many == [evaluate(hands[0], game="omaha", board=cards[:3]) for cards in hands[1:]]


def card_names(text: str) -> list[Card]:
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def test_board_alone_means_holdem() -> None:
    assert evaluate("AsKs", board="QsJsTs2d3c") == high(card_names("AsKsQsJsTs2d3c"))
    assert evaluate(np.array([[51, 47]]), board="QsJsTs2d3c").tolist() == [high(card_names("AsKsQsJsTs2d3c"))]


@pytest.mark.parametrize("form", ["plainly", "compiled"])
@pytest.mark.parametrize(
    ("wrong", "game", "sentence"),
    [
        ([0, 0, 1, 2], "omaha", "row 3: card 2c appears twice"),
        ([52, 0, 1, 2], "omaha", "row 3: expected a card number from 0 to 51, got 52"),
        ([255, 0, 1, 2], "omaha_hi_lo", "row 3: expected a card number from 0 to 51, got 255"),
        ([51, 0, 1, 2], "omaha_hi_lo", "row 3: card As appears twice"),
        ([0, 1, 2, 1], "FB", "row 3: card 2d appears twice"),
        ([0, 1, 2, -1], "FB", "row 3: expected a card number from 0 to 51, got -1"),
        ([0, 20, 21, 21], "FR", "row 3: card 7d appears twice"),
        ([0, 20, 21, 22], "NS", "row 3: card '2c' cannot be ranked: it is unknown or not in this deck"),
    ],
)
def test_the_first_wrong_row_is_named(
    wrong: list[int], game: str, sentence: str, form: str, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue(form)
    rows = np.tile(np.array([24, 25, 26, 27]), (6, 1))
    rows[3] = rows[5] = wrong
    board = {"NS": "AsKs9d", "FR": "AsKs9d", "FB": ""}.get(game, "AsKs9dTdJd")
    with pytest.raises(CardError, match=f"^{sentence}"):
        evaluate(rows, game=game, board=board)


@pytest.mark.parametrize("form", ["plainly", "compiled"])
@pytest.mark.parametrize(
    ("cards", "game", "board", "error", "sentence"),
    [
        (
            np.zeros((2, 4), int),
            "omaha",
            "AsKs",
            ValueError,
            "row 0: expected at least 2 hole and 3 board cards, got 4 and 2",
        ),
        (np.zeros((2, 4), int), "NT", "", ValueError, "row 0: expected 5 to 7 cards, got 4"),
        (
            np.zeros((2, 4)),
            "omaha",
            "AsKsQs",
            TypeError,
            "expected an array of integers, .* got float64",
        ),
        (np.array(4), "omaha", "AsKsQs", ValueError, r"got shape \(\)"),
        (
            np.zeros((2, 4), int),
            "omaha",
            np.zeros((3, 3), int),
            ValueError,
            r"boards of shape \(3, 3\) do not match",
        ),
        ("AsKsQsJs", "whist", "", ValueError, "no game is called 'whist'"),
        ("AsKsQsJs", "omaha", 7, NotCards, "expected cards as text, .* got 7"),
    ],
)
def test_unrankable_cards(
    cards: Any, game: str, board: Any, error: type[Exception], sentence: str, form: str, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue(form)
    with pytest.raises(error, match=sentence):
        evaluate(cards, game=game, board=board)


@for_each("structure", STRUCTURES.values(), ids=lambda structure: structure.code)
def test_an_empty_array_has_no_strengths(structure: Structure) -> None:
    answer = evaluate(np.zeros((0, 4), np.uint8), game=structure, board=SHORT_DECK[:5])
    assert as_lists(answer) == [[]] * len(structure.showdown)
