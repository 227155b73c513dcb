"""`pitboss evaluate`: which hand cards make, the five that make it, and several hands in order."""

from itertools import permutations
from typing import Any

import pytest

from pitboss.cards import read_cards
from pitboss.cli.evaluate import best_five
from pitboss.ranks import high
from tests.support.cli.runs import lines, run


def evaluated(*hands: str) -> list[dict[str, Any]]:
    """What `--json` prints: one object on one line, nothing beside it."""
    result = run("evaluate", *hands, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    [line] = lines(result.stdout)
    assert list(line) == ["hands"]
    found: list[dict[str, Any]] = line["hands"]
    return found


@pytest.mark.parametrize(
    ("cards", "name", "best"),
    [
        ("AsKsQsJsTs2d3c", "straight_flush", "AsKsQsJsTs"),
        ("5c4c3c2cAcAd", "straight_flush", "5c4c3c2cAc"),
        ("2d7c7d7h7s3c4c", "four_of_a_kind", "7c7d7h7s4c"),
        ("KdKhAsAdAh2c3c", "full_house", "AsAdAhKdKh"),
        ("2h4h6h8hTh9hKs", "flush", "Th9h8h6h4h"),
        ("2cAh3dAd4s5hKc", "straight", "5h4s3d2cAh"),
        ("9cTdJhQsKc2d2h", "straight", "KcQsJhTd9c"),
        ("9c9d9h2sKcQd3h", "three_of_a_kind", "9c9d9hKcQd"),
        ("2c2d3h3s4c4dAh", "two_pair", "4c4d3h3sAh"),
        ("2c2d5h7s9cJd", "pair", "2c2dJd9c7s"),
        ("2c3d5h7s9c", "high_card", "9c7s5h3d2c"),
    ],
)
def test_the_hand_and_the_five_that_make_it(cards: str, name: str, best: str) -> None:
    strength = high(read_cards(cards))
    assert evaluated(cards) == [{"cards": cards, "strength": strength, "name": name, "best": best}]


def test_the_five_are_the_same_in_strength_however_the_cards_come() -> None:
    cards = read_cards("KdKhAsAdAh2c")
    for order in permutations(cards):
        assert high(best_five(order)) == high(cards)


def test_cards_one_by_one_are_one_hand() -> None:
    assert evaluated("As", "Ks", "Qs", "Js", "Ts") == evaluated("AsKsQsJsTs") == evaluated("As Ks Qs Js Ts")
    assert evaluated("As,Ks,Qs,Js,Ts") == evaluated("As, Ks, Qs, Js, Ts") == evaluated("AsKsQsJsTs")


def test_several_hands_come_best_first_and_ties_share_a_place() -> None:
    hands = evaluated("KsKc7c7d2s", "AhAd7c7d2s", "5c4c3c2cAc", "AcAs7c7d2s")
    assert [hand["cards"] for hand in hands] == ["5c4c3c2cAc", "AhAd7c7d2s", "AcAs7c7d2s", "KsKc7c7d2s"]
    assert hands[1]["strength"] == hands[2]["strength"]
    shown = run("evaluate", "KsKc7c7d2s", "AhAd7c7d2s", "5c4c3c2cAc", "AcAs7c7d2s").stdout.splitlines()
    rows = [line.split() for line in shown]
    assert [row[0] for row in rows if len(row) > 1 and row[1] in {hand["cards"] for hand in hands}] == [
        "1",
        "2",
        "2",
        "4",
    ]
    assert "straight flush" in "\n".join(shown)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("AsKs",), "2 cards cannot be ranked: it takes five to seven"),
        (("AsKsQsJsTs9s8s7s",), "8 cards cannot be ranked"),
        (("AsKsQsJsTx",), "unknown card 'Tx': "),
        (("AsKsQsJs??",), "card '??' cannot be ranked"),
        (("AsKsQsJsAs",), "card As stands twice"),
        (("AsKsQsJsTs", "2c"), "1 cards cannot be ranked"),
    ],
    ids=str,
)
def test_what_cannot_be_ranked(arguments: tuple[str, ...], sentence: str) -> None:
    for form in ((), ("--json",)):
        result = run("evaluate", *arguments, *form)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith(f"pitboss evaluate: {sentence}")
        assert result.stderr.count("\n") == 1


def test_no_cards_at_all() -> None:
    result = run("evaluate")
    assert result.exit_code == 2
    assert "Missing argument" in result.stderr
