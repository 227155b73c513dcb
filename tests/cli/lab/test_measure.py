"""`pitboss lab measure` and `pitboss lab ladder`: a table for people, one object for programs."""

import pytest

from pitboss.lab.measures.ladder import PLAYERS
from pitboss.lab.measures.measure import MEANINGS, NAMES, OF_BETS
from tests.support.cli.runs import lines, run
from tests.support.for_each import for_each


def test_measures_as_json() -> None:
    result = run("lab", "measure", "kuhn", "--games", "40", "--seed", "2", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    (found,) = lines(result.stdout)
    assert (found["name"], found["games"], found["seed"]) == ("kuhn", 40, 2)
    assert tuple(found["measures"]) == NAMES
    assert set(found["measures"]["skill"]) == {"mean", "low", "high"}
    assert (len(found["tension"]), len(found["lead"])) == (20, 2)
    assert found["solved"] is None
    assert list(found["rules"]) == ["0 BettingPhase", "HighCard"]


def test_the_table_has_meanings_and_the_tension_curve() -> None:
    result = run("lab", "measure", "kuhn", "--games", "40")
    assert result.exit_code == 0
    assert MEANINGS["bets"] in result.stdout
    assert [line[:3] for line in result.stdout.splitlines() if "│" in line] == ["1 │", "  │", "  │", "0 │"]


@for_each(
    "game, left_out",
    [
        ("kuhn", {"raises", "all_ins"}),
        ("simple_poker", set()),
        ("war", {*OF_BETS}),
    ],
)
def test_the_table_leaves_out_impossible_measures(game: str, left_out: set[str]) -> None:
    printed = run("lab", "measure", game, "--games", "4").stdout
    rows = {line.split()[0] for line in printed.splitlines() if line.strip()}
    assert set(NAMES) - rows == left_out


@pytest.mark.slow  # the loop with search is compiled for it
def test_a_ladder_of_a_game_that_can_be_solved() -> None:
    result = run("lab", "ladder", "kuhn", "--games", "4", "--json")
    (found,) = lines(result.stdout)
    assert {rung["player"] for rung in found["ladder"]} == set(PLAYERS)
    assert found["solved"]["information_sets"] == 12
    text = run("lab", "ladder", "kuhn", "--games", "4").stdout
    assert "solved: the game itself, 12 information sets" in text
    assert "search 400" in text


def test_a_game_that_does_not_exist_is_one_sentence() -> None:
    for command in ("measure", "ladder"):
        result = run("lab", command, "nothing")
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith(f"pitboss lab {command}: expected an existing file or one of war, ")
        assert result.stderr.endswith("; got 'nothing'\n")
