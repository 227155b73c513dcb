"""Ranges: the notation item by item, what is no range, and that writing and reading give back the same hands."""

import string
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import DECK, RANKS
from pitboss.fast.equity.holdings import as_range
from pitboss.fast.equity.order import ORDER
from pitboss.fast.equity.ranges import (
    COMBOS,
    HAND_CLASSES,
    Range,
    RangeError,
    class_of,
    combo,
    combos,
    read_range,
    write_range,
)


def classes(hands: Range) -> list[str]:
    """The classes of a range, all of whose classes are whole."""
    names = {class_of(hand) for hand in hands}
    assert set(hands) == {hand for name in names for hand in combos(name)}
    return sorted(names, key=HAND_CLASSES.index)


# --- classes and combos


def test_the_classes_are_those_of_the_grid_and_hold_every_combo_once() -> None:
    assert len(HAND_CLASSES) == len(set(HAND_CLASSES)) == 169
    assert (HAND_CLASSES[0], HAND_CLASSES[1], HAND_CLASSES[13], HAND_CLASSES[168]) == ("AA", "AKs", "AKo", "22")
    hands = [hand for name in HAND_CLASSES for hand in combos(name)]
    assert len(hands) == len(set(hands)) == COMBOS == 1326
    assert set(hands) == {combo(a, b) for a, b in combinations(DECK, 2)}


@pytest.mark.parametrize("name", HAND_CLASSES)
def test_a_class_has_six_four_or_twelve_combos(name: str) -> None:
    assert len(combos(name)) == (6 if len(name) == 2 else 4 if name[2] == "s" else 12)
    assert {class_of(hand) for hand in combos(name)} == {name}


# --- reading

MEANINGS = {
    "AA": "AA",
    "QQ+": "AA KK QQ",
    "22+": "AA KK QQ JJ TT 99 88 77 66 55 44 33 22",
    "AKs": "AKs",
    "AKo": "AKo",
    "AK": "AKs AKo",
    "KA": "AKs AKo",
    "AKs+": "AKs",
    "AQs+": "AKs AQs",
    "A5s+": "AKs AQs AJs ATs A9s A8s A7s A6s A5s",
    "K9o+": "KQo KJo KTo K9o",
    "KT+": "KQs KJs KTs KQo KJo KTo",
    "75s+": "76s 75s",
    "76s+": "AKs KQs QJs JTs T9s 98s 87s 76s",
    "KQs+": "AKs KQs",
    "JTo+": "AKo KQo QJo JTo",
    "TT-77": "TT 99 88 77",
    "77-TT": "TT 99 88 77",
    "A5s-A2s": "A5s A4s A3s A2s",
    "A2s-A5s": "A5s A4s A3s A2s",
    "K9-K7": "K9s K8s K7s K9o K8o K7o",
    "98s-54s": "98s 87s 76s 65s 54s",
    "T8o-75o": "T8o 97o 86o 75o",
    "T8o-64o": "T8o 97o 86o 75o 64o",
    "AKs-KQs": "AKs KQs",
    "QQ-QQ": "QQ",
    "AKs,QQ , 76s  54s": "AKs QQ 76s 54s",
    "aks tt-88": "AKs TT 99 88",
    "TT - 88, 76s +": "TT 99 88 AKs KQs QJs JTs T9s 98s 87s 76s",
    "1%": "AA KK QQ",
    "0.1%": "AA",
}


@pytest.mark.parametrize(("text", "names"), MEANINGS.items(), ids=str)
def test_what_an_item_stands_for(text: str, names: str) -> None:
    assert classes(read_range(text)) == sorted(names.split(), key=HAND_CLASSES.index)
    assert set(read_range(text).values()) == {Fraction(1)}


@pytest.mark.parametrize(
    "text", ["random", "any", "100%", "RANDOM", "22+, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, 32"]
)
def test_all_hands(text: str) -> None:
    assert len(read_range(text)) == COMBOS


@pytest.mark.parametrize("text", ["AhKd", "KdAh", "ahkd", "AHKD", "Ah Kd"])
def test_two_cards_are_one_combo_in_either_order(text: str) -> None:
    assert read_range(text) == {"AhKd": 1}


def test_a_share_takes_whole_classes_until_it_is_reached() -> None:
    for percent in (1, 5, 15, 50, 99):
        hands = read_range(f"{percent}%")
        names = classes(hands)
        assert sorted(names, key=ORDER.index) == list(ORDER[: len(names)])
        least = len(combos(ORDER[len(names) - 1]))
        assert len(hands) - least < percent * COMBOS / 100 <= len(hands)


def test_weights_and_of_hands_named_twice_the_last_one_counts() -> None:
    assert set(read_range("AKs:0.5").values()) == {Fraction(1, 2)}
    assert read_range("AA, AsAh:.25")["AsAh"] == Fraction(1, 4)
    assert read_range("AsAh:.25, AA")["AsAh"] == 1
    assert "AsAh" not in read_range("AA, AsAh:0")
    assert len(read_range("QQ+:1")) == 18


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the range '' holds no hand"),
        (" , ", "holds no hand"),
        ("AA:0", "holds no hand"),
        *(
            (wrong, f"{wrong!r} is no hand or range")
            for wrong in ("QQ++", "AKx", "A", "AhK", "hello", "AKs-", "1s1h", "+")
        ),
        ("QQ+, AKx", "'AKx' is no hand or range"),
        ("AhAh", "'AhAh' is no hand: card Ah stands twice"),
        ("AAs", "'AAs' is no hand: a pair is neither suited nor offsuit"),
        ("TTo+", "a pair is neither"),
        ("A5s-A2o", "'A5s-A2o' goes nowhere"),
        ("A5s-72s", "'A5s-72s' goes nowhere"),
        ("QQ-AK", "'QQ-AK' goes nowhere"),
        ("T8o-74o", "'T8o-74o' goes nowhere"),
        ("AKs;QQ", "'AKs;QQ' is no hand or range"),
        ("0%", "'0%' is no share of all hands"),
        ("101%", "'101%' is no share of all hands"),
        *(
            (f"AK:{weight}", f"'AK:{weight}' has no weight")
            for weight in ("2", "", "x", "-1", "1.0000001", "0.1234567")
        ),
    ],
)
def test_what_is_no_range_is_named_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(RangeError) as refused:
        read_range(text)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


@given(st.text(alphabet=RANKS + "shdcoSO+-:%., " + string.digits, max_size=12))
def test_any_text_is_a_range_or_refused(text: str) -> None:
    try:
        hands = read_range(text)
    except RangeError:
        return
    assert hands
    assert read_range(write_range(hands)) == hands


# --- writing


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("AA, KK, QQ", "QQ+"),
        ("AKs AQs AJs", "AJs+"),
        ("76s+", "76s+"),
        ("KQs", "KQs"),
        ("KQs, KJs", "KJs+"),
        ("98s 87s 76s", "98s-76s"),
        ("A5s-A2s", "A5s-A2s"),
        ("AK, AQ", "AQ+"),
        ("A9s+, ATo+", "A9s+, ATo+"),
        ("AhKd, KK", "KK, AhKd"),
        ("AA, KK:0.5, QQ:0.5", "AA, KK-QQ:0.5"),
        ("any", "random"),
        ("any:0.5", "random:0.5"),
    ],
)
def test_how_ranges_are_written(text: str, short: str) -> None:
    assert write_range(read_range(text)) == short


WEIGHTS = st.sampled_from([Fraction(1), Fraction(1), Fraction(1, 2), Fraction(3, 1000)])
SOME_CLASSES = st.dictionaries(st.sampled_from(HAND_CLASSES), WEIGHTS, min_size=1)
SOME_HANDS = st.dictionaries(st.sampled_from([hand for name in HAND_CLASSES for hand in combos(name)]), WEIGHTS)


@given(SOME_CLASSES, SOME_HANDS)
def test_what_is_written_is_read_back(whole: dict[str, Fraction], single: dict[str, Fraction]) -> None:
    hands = {hand: weight for name, weight in whole.items() for hand in combos(name)} | single
    assert read_range(write_range(hands)) == hands


def test_hands_without_weights_are_written_too() -> None:
    assert write_range(combos("AA")) == "AA"


def test_a_weight_that_decimals_do_not_reach_is_not_written_wrong() -> None:
    with pytest.raises(RangeError, match="cannot be written"):
        write_range({"AsAh": Fraction(1, 3)})


# --- players


def test_how_a_player_may_be_given() -> None:
    assert as_range("AhKd") == as_range(("Ah", "Kd")) == as_range(["Kd", "Ah"]) == {"AhKd": 1}
    assert as_range(["AA", "KsKh", ("Qs", "Qh")]) == read_range("AA, KsKh, QsQh")
    assert as_range(["QQ+, AKs:0.5"]) == read_range("QQ+, AKs:0.5")
    assert as_range({"AA": 1, "AKs": 0.5, "KK": 0}) == read_range("AA, AKs:0.5")
    assert as_range({"AA": 0.1234567})["AsAh"] == Fraction(123457, 1_000_000)


@pytest.mark.parametrize("wrong", [{"AA": 2}, {"AA": -0.5}, ("Ah", "Ah"), {"AKx": 1}, ["AA", "x"]])
def test_players_that_cannot_be(wrong: object) -> None:
    with pytest.raises(ValueError, match=r"from 0 to 1|stands twice|is no hand"):
        as_range(wrong)  # type: ignore[arg-type]  # on purpose
