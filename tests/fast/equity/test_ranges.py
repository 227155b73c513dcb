"""Ranges: every kind of item, refused texts, and writing and reading back."""

import string
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import DECK, RANKS
from pitboss.fast.equity.ranges import (
    BEST_AGAINST_ONE,
    COMBOS,
    HAND_CLASSES,
    Range,
    RangeError,
    as_range,
    class_of,
    combo,
    combos,
    read_range,
    write_range,
)
from tests.support.for_each import for_each


def classes(hands: Range) -> list[str]:
    """Return the classes of a range that consists of complete classes."""
    names = {class_of(hand) for hand in hands}
    assert set(hands) == {hand for name in names for hand in combos(name)}
    return sorted(names, key=HAND_CLASSES.index)


# --- classes and combos


def test_the_classes_contain_every_combo_once() -> None:
    assert len(HAND_CLASSES) == len(set(HAND_CLASSES)) == 169
    assert (HAND_CLASSES[0], HAND_CLASSES[1], HAND_CLASSES[13], HAND_CLASSES[168]) == ("AA", "AKs", "AKo", "22")
    hands = [hand for name in HAND_CLASSES for hand in combos(name)]
    assert len(hands) == len(set(hands)) == COMBOS == 1326
    assert set(hands) == {combo(a, b) for a, b in combinations(DECK, 2)}


@for_each("name", HAND_CLASSES)
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


@for_each("text, names", MEANINGS.items(), ids=str)
def test_the_hands_of_an_item(text: str, names: str) -> None:
    assert classes(read_range(text)) == sorted(names.split(), key=HAND_CLASSES.index)
    assert set(read_range(text).values()) == {Fraction(1)}


@for_each("text", ["random", "any", "100%", "RANDOM", "22+, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, 32"])
def test_all_hands(text: str) -> None:
    assert len(read_range(text)) == COMBOS


@for_each("text", ["AhKd", "KdAh", "ahkd", "AHKD", "Ah Kd"])
def test_two_cards_are_one_combo_in_either_order(text: str) -> None:
    assert read_range(text) == {"AhKd": 1}


def test_a_share_takes_whole_classes_until_it_is_reached() -> None:
    for percent in (1, 5, 15, 50, 99):
        hands = read_range(f"{percent}%")
        names = classes(hands)
        assert sorted(names, key=BEST_AGAINST_ONE.index) == list(BEST_AGAINST_ONE[: len(names)])
        least = len(combos(BEST_AGAINST_ONE[len(names) - 1]))
        assert len(hands) - least < percent * COMBOS / 100 <= len(hands)


def test_the_last_weight_of_a_hand_counts() -> None:
    assert set(read_range("AKs:0.5").values()) == {Fraction(1, 2)}
    assert read_range("AA, AsAh:.25")["AsAh"] == Fraction(1, 4)
    assert read_range("AsAh:.25, AA")["AsAh"] == 1
    assert "AsAh" not in read_range("AA, AsAh:0")
    assert len(read_range("QQ+:1")) == 18


# --- as solvers write them


@for_each(
    "text, count, some, others",
    [
        ("AcXc", 12, "AcKc Ac2c", "AdKd AcKd"),
        ("XcAc", 12, "AcKc Ac2c", "AdKd"),
        ("acxc", 12, "AcKc", "AcKd"),
        ("AcXd", 13, "AcKd AcAd", "AcKc"),
        ("XhXh", 78, "KhQh 3h2h", "KhQd"),
        ("XhXd", 169, "KhQd QhKd AhAd", "KhQh KsQc"),
        ("AcX", 51, "AcAd Ac2s", "AdKd"),
        ("AX", 198, "AcAd AcKc AcKd", "KcKd"),
        ("AXs", 48, "AcKc", "AcAd AcKd"),
        ("AXo", 144, "AcKd", "AcAd AcKc"),
        ("KXs", 48, "AcKc Kc2c", "AcQc"),
        ("XXs", 312, "AcKc", "AcAd"),
        ("XX", 1326, "AcKc", ""),
        ("AcKx", 0, "", ""),
    ],
)
def test_x_means_any_rank(text: str, count: int, some: str, others: str) -> None:
    if not count:
        with pytest.raises(RangeError, match="expected hands such as"):
            read_range(text)
        return
    hands = read_range(text)
    assert len(hands) == count
    named = [{combo(hand[:2], hand[2:]) for hand in part.split()} for part in (some, others)]
    assert named[0] <= set(hands)
    assert named[1].isdisjoint(hands)


def test_weights_in_brackets_are_percentages() -> None:
    assert read_range("[50]AKs[/50]") == read_range("AKs:0.5")
    assert read_range("[50]AKs[/50.0%]") == read_range("[50]AKs[/]") == read_range("AKs:0.5")
    assert read_range("QQ, [12.5]AKs, AKo[/12.5] 22") == read_range("QQ, AKs:0.125, AKo:0.125, 22")
    assert read_range("[25%]AKs[/25%],[100.0]QQ[/100.0]") == read_range("AKs:0.25, QQ")
    assert read_range("[50]AKs:0.5[/50]") == read_range("AKs:0.25")
    assert read_range("QQ,[0]KK[/0]") == read_range("QQ")
    assert set(read_range("[33.33]AA[/33.33]").values()) == {Fraction(3333, 10_000)}


def test_removed_hands_are_removed_wherever_they_are_written() -> None:
    assert read_range("AA, !AhAs") == {hand: 1 for hand in combos("AA") if hand != "AsAh"}
    assert read_range("!AhAs, AA") == read_range("AA !AsAh") == read_range("AA!AsAh") == read_range("AA, ! AsAh")
    assert read_range("QQ+!KK") == read_range("QQ, AA")
    assert read_range("QQ+!KK!AcAd") == {hand: 1 for hand in read_range("QQ, AA") if hand != "AdAc"}
    assert len(read_range("!AA")) == COMBOS - 6
    assert len(read_range("random, !AXs, !5%")) == COMBOS - len(set(read_range("AXs")) | set(read_range("5%")))


def test_a_range_between_two_shares_excludes_the_smaller() -> None:
    assert set(read_range("5%-15%")) == set(read_range("15%")) - set(read_range("5%"))
    assert read_range("15% - 5%") == read_range("5%-15%")
    assert read_range("5%-15%:0.5") == dict.fromkeys(read_range("5%-15%"), Fraction(1, 2))


@for_each(
    "text, sentence",
    [
        ("AA, !AA", "range 'AA, !AA': expected at least one hand, but every hand is removed with !"),
        ("!random", "every hand is removed with !"),
        ("AA:0", "expected at least one hand, but every weight in it is 0"),
        ("5%-5%", "'5%-5%': expected at least one hand, but no class of hands is between"),
        ("0%-5%", "'0%-5%': expected a share above 0%"),
        ("AA, !", "expected hands after the !, got the end"),
        ("AA, !!KK", "unexpected '!'"),
        ("AA, !KK:0.5", "!KK:0.5: expected no weight, because ! removes hands"),
        ("[50]AA, !AhAs[/50]", "expected no weight, because ! removes hands"),
        ("[50]AKs", "a weight is not closed"),
        ("AKs[/50]", "unexpected '[/50]'"),
        ("[50]AA[/40]", "expected [/50] to close the weight, got [/40]"),
        ("[50][20]AKs[/20][/50]", "unexpected '[20]'"),
        ("[150]AKs[/150]", "unexpected '[150]'"),
        ("[x]AKs[/x]", "unexpected '[x]'"),
        ("[50AKs", "unexpected '['"),
    ],
)
def test_invalid_solver_notation_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(RangeError) as refused:
        read_range(text)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


@for_each(
    "text, sentence",
    [
        ("", "range '': expected at least one hand, but it is empty"),
        (" , ", "expected at least one hand, but it is empty"),
        *(
            (wrong, f"{wrong!r}: expected hands such as")
            for wrong in ("QQ++", "AKx", "A", "AhK", "hello", "AKs-", "1s1h", "+")
        ),
        ("QQ+, AKx", "'AKx': expected hands such as"),
        ("AhAh", "'AhAh': card Ah appears twice"),
        ("AAs", "'AAs': a pair is neither suited nor offsuit"),
        ("TTo+", "a pair is neither"),
        ("A5s-A2o", "'A5s-A2o': expected two ends of the same kind"),
        ("A5s-72s", "'A5s-72s': expected two ends of the same kind"),
        ("QQ-AK", "'QQ-AK': expected two ends of the same kind"),
        ("T8o-74o", "'T8o-74o': expected two ends of the same kind"),
        ("AKs;QQ", "'AKs;QQ': expected hands such as"),
        ("0%", "'0%': expected a share above 0%"),
        ("101%", "'101%': expected a share above 0%"),
        *(
            (f"AK:{weight}", f"AK:{weight}: expected a weight from 0 to 1 with up to six decimals")
            for weight in ("2", "", "x", "-1", "1.0000001", "0.1234567")
        ),
    ],
)
def test_invalid_ranges_are_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(RangeError) as refused:
        read_range(text)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


@given(st.text(alphabet=RANKS + "shdcoSO+-:%., X!" + string.digits, max_size=12))
def test_any_text_is_a_range_or_refused(text: str) -> None:
    try:
        hands = read_range(text)
    except RangeError:
        return
    assert hands
    assert read_range(write_range(hands)) == hands


# --- writing


@for_each(
    "text, short",
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
def test_ranges_are_written_compactly(text: str, short: str) -> None:
    assert write_range(read_range(text)) == short


WEIGHTS = st.sampled_from([Fraction(1), Fraction(1), Fraction(1, 2), Fraction(3, 1000)])
SOME_CLASSES = st.dictionaries(st.sampled_from(HAND_CLASSES), WEIGHTS, min_size=1)
SOME_HANDS = st.dictionaries(st.sampled_from([hand for name in HAND_CLASSES for hand in combos(name)]), WEIGHTS)


@given(SOME_CLASSES, SOME_HANDS)
def test_written_ranges_are_read_back(whole: dict[str, Fraction], single: dict[str, Fraction]) -> None:
    hands = {hand: weight for name, weight in whole.items() for hand in combos(name)} | single
    assert read_range(write_range(hands)) == hands


def test_hands_without_weights_are_written_too() -> None:
    assert write_range(combos("AA")) == "AA"


def test_weights_with_too_many_decimals_are_refused() -> None:
    with pytest.raises(RangeError, match="expected weights of at most six decimals"):
        write_range({"AsAh": Fraction(1, 3)})


# --- players


def test_the_forms_of_a_player_argument() -> None:
    assert as_range("AhKd") == as_range(("Ah", "Kd")) == as_range(["Kd", "Ah"]) == {"AhKd": 1}
    assert as_range(["AA", "KsKh", ("Qs", "Qh")]) == read_range("AA, KsKh, QsQh")
    assert as_range(["QQ+, AKs:0.5"]) == read_range("QQ+, AKs:0.5")
    assert as_range({"AA": 1, "AKs": 0.5, "KK": 0}) == read_range("AA, AKs:0.5")
    assert as_range({"AA": 0.1234567})["AsAh"] == Fraction(123457, 1_000_000)
    assert as_range({"AA": Fraction(1, 3)})["AsAh"] == Fraction(1, 3)


@for_each("wrong", [{"AA": 2}, {"AA": -0.5}, ("Ah", "Ah"), {"AKx": 1}, ["AA", "x"]])
def test_invalid_players(wrong: object) -> None:
    with pytest.raises(ValueError, match=r"from 0 to 1|card Ah appears twice|expected hands such as"):
        as_range(wrong)  # type: ignore[arg-type]  # on purpose
