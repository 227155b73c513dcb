"""`pitboss house`: six players, a table or one JSON object, and the same of both for the same seed."""

from typing import Any

import pytest

from tests.cli.runs import lines, run


def house(*arguments: str) -> dict[str, Any]:
    """The one JSON object of a run."""
    result = run("house", "--json", *arguments)
    assert result.exit_code == 0
    assert result.stderr == ""
    (found,) = lines(result.stdout)
    return found


def test_json_is_one_line_and_one_object() -> None:
    result = run("house", "--json", "--hands", "20")
    assert result.stdout.count("\n") == 1
    found = lines(result.stdout)[0]
    assert list(found) == ["hands", "seed", "players"]
    assert (found["hands"], found["seed"]) == (20, 0)
    assert [list(player) for player in found["players"]] == [
        ["seat", "player", "hands", "chips", "bb_per_100", "low", "high"]
    ] * 6
    assert [player["seat"] for player in found["players"]] == [0, 1, 2, 3, 4, 5]
    assert [player["hands"] for player in found["players"]] == [20] * 6


@pytest.mark.parametrize("seed", [0, 1, 7, -3, 2**70])
def test_what_one_wins_another_loses(seed: int) -> None:
    found = house("--hands", "100", "--seed", str(seed))
    assert sum(player["chips"] for player in found["players"]) == 0
    assert {type(player["chips"]) for player in found["players"]} == {int}
    assert any(player["chips"] for player in found["players"])


def test_the_same_seed_gives_the_same_result_and_another_another() -> None:
    assert house("--hands", "50", "--seed", "7") == house("--hands", "50", "--seed", "7")
    assert house("--hands", "50", "--seed", "7")["players"] != house("--hands", "50", "--seed", "8")["players"]


def test_the_rate_and_its_interval_follow_from_the_chips() -> None:
    for player in house("--hands", "40")["players"]:
        assert player["bb_per_100"] == pytest.approx(player["chips"] / 40)
        assert player["low"] <= player["bb_per_100"] <= player["high"]


def test_one_hand_has_no_interval() -> None:
    found = house("--hands", "1")
    assert {(player["low"], player["high"]) for player in found["players"]} == {(None, None)}
    assert sum(player["chips"] for player in found["players"]) == 0


def test_one_hand_as_a_table_says_no_interval_rather_than_nan() -> None:
    result = run("house", "--hands", "1")
    assert result.exit_code == 0
    assert "nan" not in result.stdout


def test_a_table() -> None:
    result = run("house", "--hands", "20", "--seed", "3")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "20 hands of no-limit hold'em, seed 3" in result.stdout
    assert "\x1b" not in result.stdout
    for player in ("tight", "calling", "random", "folding"):
        assert player in result.stdout


@pytest.mark.parametrize("hands", ["0", "-1", "x", "1.5", "10000001"])
def test_hands_must_be_a_number_that_can_be_played(hands: str) -> None:
    result = run("house", "--hands", hands)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Invalid value for '--hands'" in result.stderr


def test_help_shows_examples() -> None:
    result = run("house", "--help")
    assert result.exit_code == 0
    assert "Examples:\n    pitboss house\n" in result.stdout
    assert "[default: 1000" in result.stdout
