"""`pitboss evaluate`: which hand cards make, the five that make it, and several hands in order."""

from itertools import permutations
from typing import Any

from pitboss.cards import read_cards
from pitboss.cli.evaluate import playing
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.ranks import high
from tests.support.cli.runs import lines, run
from tests.support.for_each import for_each


def evaluated(*hands: str) -> list[dict[str, Any]]:
    """What `--json` prints: one object on one line, and nothing else."""
    result = run("evaluate", *hands, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    [line] = lines(result.stdout)
    assert list(line) == ["hands"]
    found: list[dict[str, Any]] = line["hands"]
    return found


@for_each(
    "cards, name, best",
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


def test_best_five_have_the_same_strength_in_any_order() -> None:
    cards = read_cards("KdKhAsAdAh2c")
    for order in permutations(cards):
        assert high(playing(NO_LIMIT_HOLDEM, order)) == high(cards)


def test_cards_one_by_one_are_one_hand() -> None:
    assert evaluated("As", "Ks", "Qs", "Js", "Ts") == evaluated("AsKsQsJsTs") == evaluated("As Ks Qs Js Ts")
    assert evaluated("As,Ks,Qs,Js,Ts") == evaluated("As, Ks, Qs, Js, Ts") == evaluated("AsKsQsJsTs")


def test_several_hands_are_sorted_and_ties_share_a_rank() -> None:
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


def test_a_board_that_all_share() -> None:
    alone, other = evaluated("KsKc7c7d2s"), evaluated("AhAd7c7d2s")
    shared = evaluated("KsKc", "AhAd", "--board", "7c7d2s")
    assert shared == [{**hand[0], "cards": cards} for hand, cards in ((other, "AhAd"), (alone, "KsKc"))]
    assert evaluated("Ah", "Ad", "--board", "7c,7d,2s") == shared[:1]


@for_each(
    "cards, board, game, name, best",
    [
        ("AhAd7c7d", "7h8s2s", "omaha", "three_of_a_kind", "7c7d7h8s2s"),
        ("AsKsQdJdTd9d", "2s3s4s5h6h", "PO", "flush", "AsKs4s3s2s"),
        ("Ah9d8c7d6d", "", "short_deck_holdem", "straight", "9d8c7d6dAh"),
        ("AhKdQcJdTd", "", "NS", "straight", "AhKdQcJdTd"),
        ("As2d3c5h7hKdKc", "", "razz", "7-5-3-2-A", "7h5h3c2dAs"),
        ("AsAd2c3c3h2h2d", "", "FR", "two_pair 2-2-A-A-3", "2c2hAsAd3c"),
        ("AsAd2c3c3h2h", "4d", "FR", "pair A-A-4-3-2", "AsAd4d3c2c"),
        ("As2s3s4s5h", "", "N2L1D", "A-5-4-3-2", "As5h4s3s2s"),
        ("4s5s6s7s8h", "", "F2L3D", "straight 8-7-6-5-4", "8h7s6s5s4s"),
        ("Ac2d3h7h", "", "badugi", "3-2-A", "3h2dAc"),
        ("AcAdAhAs", "", "FB", "A", "Ac"),
    ],
)
def test_hands_of_other_games(cards: str, board: str, game: str, name: str, best: str) -> None:
    [hand] = evaluated(cards, "--board", board, "--game", game)
    assert (hand["name"], hand["best"]) == (name, best)


def test_low_hand_is_shown_next_to_the_high_hand() -> None:
    arguments = ("KsKc8c8d", "AhAd2c7d", "--game", "omaha_hi_lo", "--board", "7h4s3s5dKd")
    straight, three = evaluated(*arguments)
    assert straight["low"] == {"strength": 225, "name": "5-4-3-2-A", "best": "5d4s3s2cAh"}
    assert three["low"] == {"strength": 0, "name": "", "best": ""}
    rows = [line.split() for line in run("evaluate", *arguments).stdout.splitlines() if line.strip()]
    assert [rows[0][-1], rows[2][-1], rows[3][-1]] == ["low", "5-4-3-2-A", "–"]


@for_each(
    "arguments, sentence",
    [
        (("AsKs",), "expected 5 to 7 cards, got 2"),
        (("AsKsQsJsTs9s8s7s",), "expected 5 to 7 cards, got 8"),
        (("AsKsQsJsTx",), "unknown card 'Tx': "),
        (("AsKsQsJs??",), "card '??' cannot be ranked"),
        (("AsKsQsJsAs",), "card As appears twice"),
        (("AsKsQsJsTs", "2c"), "expected 5 to 7 cards, got 1"),
        (("AsKsQsJs", "--board", "Ts9sAs"), "card As appears twice"),
        (("AsKsQsJs", "--game", "omaha"), "expected at least 2 hole and 3 board cards, got 4 and 0"),
        (("AsKsQsJs5s", "--game", "NS"), "card '5s' cannot be ranked: it is unknown or not in this deck"),
        (("AsKsQsJs5s", "--game", "badugi"), "expected 1 to 4 cards, got 5"),
        (("AsKsQsJs5s", "--game", "whist"), "no game is called 'whist': there are "),
    ],
    ids=str,
)
def test_unrankable_cards(arguments: tuple[str, ...], sentence: str) -> None:
    for form in ((), ("--json",)):
        result = run("evaluate", *arguments, *form)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith(f"pitboss evaluate: {sentence}")
        assert result.stderr.count("\n") == 1


def test_no_cards_at_all() -> None:
    result = run("evaluate")
    assert result.exit_code == 2
    assert "Missing argument" in result.stderr
