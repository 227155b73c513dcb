"""`pitboss lab solve`: what it prints for games it can solve, and the one sentence it prints for others."""

import json
from pathlib import Path
from typing import Any

import pytest

from pitboss.lab.files import load, write_genome
from pitboss.lab.solver.solver import solve
from tests.support.cli.runs import lines, run


def printed(*arguments: str) -> dict[str, Any]:
    """The one JSON object on standard output, with nothing on standard error."""
    result = run("lab", "solve", *arguments, "--json")
    assert result.exit_code == 0
    assert result.stderr == ""
    (found,) = lines(result.stdout)
    return found


def refused(*arguments: str) -> str:
    """The sentence of a refusal."""
    result = run("lab", "solve", *arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("pitboss lab solve: ")
    return result.stderr.removeprefix("pitboss lab solve: ").removesuffix("\n")


def test_kuhn_as_json() -> None:
    found = printed("kuhn")
    assert found["uniform_value"] == 0.125
    assert found["uniform_exact"] == "1/8"
    assert found["value"] == pytest.approx(-1 / 18, abs=1e-5)
    assert found["exploitability"] == pytest.approx(0.000087, abs=2e-6)
    assert (found["information_sets"], found["iterations"], found["nodes"]) == (12, 1000, 55)
    assert found["bounds"][0] <= -1 / 18 <= found["bounds"][1]
    assert "strategy" not in found


def test_iterations_are_as_requested() -> None:
    found = printed("kuhn", "--iterations", "100")
    assert found["iterations"] == 100
    assert found["value"] == solve(load("kuhn"), 100).value
    assert found["exploitability"] == pytest.approx(0.00119, abs=1e-5)


def test_strategy_is_in_the_json_on_request() -> None:
    found = printed("leduc", "--strategy", "--iterations", "1")
    assert len(found["strategy"]) == 288
    assert found["strategy"]["seat 0, J"] == {"check": 0.5, "bet": 0.5}


def test_suits_can_be_distinguished() -> None:
    assert printed("leduc", "--iterations", "1")["suits"] is False
    found = printed("leduc", "--suits", "--iterations", "1")
    assert (found["suits"], found["information_sets"]) == (True, 936)


def test_a_file_is_solved_like_a_known_game(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(write_genome(load("kuhn")), encoding="utf-8")
    mine, known = printed(str(path)), printed("kuhn")
    assert mine | {"seconds": 0} == known | {"seconds": 0}


def test_a_game_is_read_from_standard_input() -> None:
    result = run("lab", "solve", "-", "--json", given=write_genome(load("kuhn")))
    assert (result.exit_code, result.stderr) == (0, "")
    assert lines(result.stdout)[0] | {"seconds": 0} == printed("kuhn") | {"seconds": 0}
    assert run("lab", "solve", "-", given="{").stderr.startswith("pitboss lab solve: expected JSON: ")


def test_kuhn_for_people() -> None:
    result = run("lab", "solve", "kuhn")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.startswith("kuhn: 12 information sets, 55 nodes, 6 deals; 1,000 iterations in ")
    for printed in ("-0.055556", "+0.125000, exactly 1/8", "0.000087", "0.458333", "chips per deal"):
        assert printed in result.stdout
    assert "seat 1, K: bet" in result.stdout
    assert "fold 0.0 %, call 100.0 %" in result.stdout


def test_large_games_print_their_strategy_only_on_request() -> None:
    without = run("lab", "solve", "leduc", "--iterations", "1").stdout
    assert "seat 0, J" not in without
    printed = run("lab", "solve", "leduc", "--iterations", "1", "--strategy").stdout
    assert printed.count("\n seat 0, ") == printed.count("\n seat 1, ") == 144


@pytest.mark.parametrize("width", [50, 80])
def test_figures_fit_a_small_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    printed = run("lab", "solve", "kuhn").stdout
    assert max(map(len, printed.splitlines())) <= width
    assert "+0.125000, exactly 1/8" in printed


@pytest.mark.parametrize(
    ("game", "printed"),
    [
        ("whist", "player_count: expected 2, got 4;"),
        ("simple_poker", "setup.deals: expected 1, got 10;"),
        ("no_such_game", "no_such_game"),
    ],
)
def test_unsolvable_games_are_refused_in_one_sentence(game: str, printed: str) -> None:
    assert printed in refused(game)
    assert printed in refused(game, "--json")


def test_a_file_without_a_genome_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("{", encoding="utf-8")
    assert "game.json: expected JSON: " in refused(str(path))
    fields = json.loads(write_genome(load("kuhn")))
    path.write_text(json.dumps({**fields, "colour": "red"}), encoding="utf-8")
    assert "colour" in refused(str(path))


@pytest.mark.parametrize("iterations", ["0", "-3", "many"])
def test_iterations_are_a_number_from_one_on(iterations: str) -> None:
    result = run("lab", "solve", "kuhn", "--iterations", iterations)
    assert result.exit_code == 2
    assert "--iterations" in result.stderr
