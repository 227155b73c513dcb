"""`evaluate`: the strengths of `ranks.high`, one holding or an array of them, and what is refused."""

import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain, combinations
from math import comb
from typing import Any

import pytest

from pitboss.cards import DECK, CardError
from pitboss.fast import arrays
from pitboss.fast.arrays import NotCards, card_numbers
from pitboss.fast.evaluate import evaluate
from pitboss.ranks import high, high_name
from tests.support.fast.forms import forced
from tests.support.for_each import for_each

np = pytest.importorskip("numpy", reason="NumPy is not installed: there are no arrays")


def some_hands(count: int, size: int, seed: int) -> list[tuple[str, ...]]:
    """Cards drawn from the whole deck."""
    source = random.Random(seed)
    return [tuple(source.sample(DECK, size)) for _ in range(count)]


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


# --- one holding


@pytest.mark.parametrize("size", [5, 6, 7])
def test_one_holding_has_the_strength_that_the_ranks_give_it(size: int) -> None:
    for cards in some_hands(1500, size, seed=size):
        numbers = card_numbers(cards)
        strength = high(cards)
        assert evaluate(cards) == evaluate(list(cards)) == evaluate("".join(cards)) == strength
        assert evaluate(numbers) == evaluate(np.array(numbers)) == strength
        assert type(evaluate(numbers)) is type(evaluate(np.array(numbers))) is int


@for_each("suit", "cdhs")
@for_each("size", [5, 6, 7])
def test_flushes_of_every_suit(suit: str, size: int) -> None:
    cards = [rank + suit for rank in "2479J"] + ["Ac" if suit != "c" else "Ad", "Kh" if suit != "h" else "Kd"]
    assert high_name(evaluate(cards[:size])) == "flush"
    assert evaluate(cards[:size]) == evaluate(card_numbers(cards[:size])) == high(cards[:size])


def test_cards_can_be_given_by_an_iterator() -> None:
    for cards in some_hands(300, 7, seed=3):
        assert evaluate(iter(cards)) == high(cards)  # type: ignore[call-overload]  # not promised, but it works


@for_each(
    "given, sentence",
    [
        ("AsKs", "expected 5 to 7 cards, got 2"),
        ("", "expected 5 to 7 cards, got 0"),
        ("AsKsQsJsTs9s8s7s", "expected 5 to 7 cards, got 8"),
        ("AsKsQsJsTx", "unknown card 'Tx'"),
        ("AsKsQsJs??", r"card '\?\?' cannot be ranked"),
        ("AsKsQsJsAs", "card As appears twice"),
        ("AsKsQsJsTs9sAs", "card As appears twice"),
        (["As"] * 5, "card As appears twice"),
        (["As", "Ks", "Qs", "Js", "Ts", "9s", "8x"], "card '8x' cannot be ranked"),
        ([51, 47, 43, 39, 51], "card As appears twice"),
        ([0, 1, 2, 3, 52], "expected a card number from 0 to 51, got 52"),
        ([0, 4, 8, 12, 16, 20, -1], "expected a card number from 0 to 51, got -1"),
        ([0, 4, 8, 12, 16, 20, 52], "expected a card number from 0 to 51, got 52"),
        ([0.5, 4, 8, 12, 16, 20, 24], "expected a card number from 0 to 51, got 0.5"),
        ([48, 48, 49, 49, 50, 0, 5], "card Ac appears twice"),  # five aces, for which the tables have no place
    ],
)
def test_cards_without_a_strength_are_refused(given: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        evaluate(given)


@pytest.mark.parametrize("given", [None, 7, 2.5, object])
def test_input_without_cards_is_refused_in_a_sentence(given: Any) -> None:
    with pytest.raises(NotCards, match="expected cards as text, cards, card numbers or an array"):
        evaluate(given)


def test_numbers_of_cards() -> None:
    assert card_numbers("".join(DECK)) == card_numbers(DECK) == tuple(range(52))
    for wrong in ("A?", ["1s"]):
        with pytest.raises(CardError, match="expected a known card"):
            card_numbers(wrong)


def test_one_holding_imports_no_numpy() -> None:
    code = "import sys; from pitboss.fast.evaluate import evaluate"
    code += "; evaluate('AsKsQsJsTs'); evaluate(tuple(range(7)))"
    code += "; print(sorted({'numpy', 'numba'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60, text=True)
    assert done.stdout == "[]\n"


# --- arrays


def _rows(size: int, count: int) -> tuple[Any, list[int]]:
    hands = some_hands(count, size, seed=10 + size)
    return np.array([card_numbers(hand) for hand in hands]), [high(hand) for hand in hands]


@for_each("size", [5, 6, 7])
@for_each("kind", ["uint8", "int64", "int16"])
@pytest.mark.usefixtures("plainly")
def test_an_array_ranked_plain(size: int, kind: str) -> None:
    rows, strengths = _rows(size, 200)
    assert evaluate(rows.astype(kind)).tolist() == strengths


@for_each("size", [5, 6, 7])
@for_each("kind", ["uint8", "int64", "int16"])
@pytest.mark.usefixtures("compiled")
def test_an_array_ranked_by_compiled_code(size: int, kind: str) -> None:
    rows, strengths = _rows(size, 3000)
    answer = evaluate(rows.astype(kind))
    assert answer.dtype == np.uint16
    assert answer.tolist() == strengths


@pytest.mark.usefixtures("compiled")
def test_the_answer_has_the_shape_of_the_array_without_its_last_side() -> None:
    rows, strengths = _rows(7, 24)
    assert evaluate(rows.reshape(2, 3, 4, 7)).tolist() == np.array(strengths).reshape(2, 3, 4).tolist()
    assert evaluate(rows[::2]).tolist() == strengths[::2]  # not contiguous
    assert evaluate(np.asfortranarray(rows)).tolist() == strengths
    assert evaluate(rows[:0]).shape == (0,)


def test_all_five_card_hands_fall_into_the_classes_as_often_as_they_should() -> None:
    pytest.importorskip("numba", reason="Numba is not installed: nothing to compile with")
    count = comb(52, 5)
    cards = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.uint8, 5 * count).reshape(count, 5)
    strengths, times = np.unique(evaluate(cards), return_counts=True)
    assert len(strengths) == 7462
    classes: dict[str, int] = {}
    for strength, many in zip(strengths.tolist(), times.tolist(), strict=True):
        classes[high_name(strength)] = classes.get(high_name(strength), 0) + many
    assert classes == {
        "high_card": 1_302_540,
        "pair": 1_098_240,
        "two_pair": 123_552,
        "three_of_a_kind": 54_912,
        "straight": 10_200,
        "flush": 5_108,
        "full_house": 3_744,
        "four_of_a_kind": 624,
        "straight_flush": 40,
    }


@pytest.mark.parametrize("wrong", [[52, 1, 2, 3, 4, 5, 6], [-1, 1, 2, 3, 4, 5, 6], [300, 1, 2, 3, 4, 5, 6], [9] * 7])
@pytest.mark.parametrize("form", ["plainly", "compiled"])
def test_the_first_wrong_row_is_named(wrong: list[int], form: str, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue(form)
    rows, _ = _rows(7, 40)
    rows[17], rows[33] = wrong, [0] * 7
    why = "card 4d appears twice" if wrong == [9] * 7 else f"expected a card number from 0 to 51, got {wrong[0]}"
    with pytest.raises(CardError, match=f"^row 17: {why}"):
        evaluate(rows)


@pytest.mark.parametrize("form", ["plainly", "compiled"])
def test_duplicate_card_is_found_in_any_position(form: str, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue(form)
    rows, _ = _rows(7, 52)
    for row, (first, second) in enumerate(combinations(range(7), 2)):
        wrong = rows.copy()
        wrong[row, first] = wrong[row, second]
        with pytest.raises(CardError, match=f"^row {row}: card {DECK[rows[row, second]]} appears twice"):
            evaluate(wrong)


@pytest.mark.usefixtures("compiled")
def test_pieces_on_several_cores_name_the_first_wrong_row_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "PIECE", 10)
    monkeypatch.setattr(arrays, "available_cores", lambda: 3)
    rows, strengths = _rows(7, 95)
    assert evaluate(rows).tolist() == strengths
    rows[62] = rows[91] = 0
    with pytest.raises(CardError, match=r"^row 62: card 2c appears twice"):
        evaluate(rows)


@for_each(
    "given, error, sentence",
    [
        (np.zeros((2, 4), int), ValueError, r"got shape \(2, 4\)"),
        (np.zeros((2, 8), int), ValueError, r"got shape \(2, 8\)"),
        (np.array(3), ValueError, r"got shape \(\)"),
        (np.zeros((2, 5)), TypeError, "array of integers.*, got float64"),
        (np.zeros((2, 5), bool), TypeError, "array of integers.*, got bool"),
    ],
)
def test_invalid_arrays_are_refused(given: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        evaluate(given)
