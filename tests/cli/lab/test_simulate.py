"""`pitboss lab simulate`: many games of a genome, and what is printed about them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pitboss.lab.files import known_games, load, write_genome
from pitboss.lab.policies.simulate import simulate
from tests.support.cli.runs import lines, run
from tests.support.for_each import for_each


def simulated(*arguments: str) -> dict[str, Any]:
    result = run("lab", "simulate", *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    (printed,) = lines(result.stdout)
    return printed


def test_json_contains_all_results() -> None:
    printed = simulated("betting_war", "--games", "50", "--players", "random,greedy", "--seed", "3")
    assert (printed["games"], printed["finished"], printed["stopped"], printed["illegal"]) == (50, 50, 0, 0)
    assert printed["chips_start"] == printed["chips_end"] == 50 * 2 * 200
    wins, draws, players = printed["wins"], printed["draws"], printed["players"]
    assert isinstance(wins, list)
    assert isinstance(draws, int)
    assert sum(wins) + draws == 50
    assert players == ["random", "greedy"]
    turns, seconds = printed["turns"], printed["seconds"]
    assert isinstance(turns, dict)
    assert list(turns) == ["mean", "low", "high"]
    assert 0 < turns["low"] < turns["mean"] < turns["high"]
    assert isinstance(seconds, float)
    assert seconds > 0
    won = printed["chips_won"]
    assert isinstance(won, list)
    assert [each["low"] <= each["mean"] <= each["high"] for each in won] == [True, True]
    assert won[0]["mean"] == pytest.approx(-won[1]["mean"])


@for_each("name", sorted(known_games()))
def test_every_known_game_is_simulated_and_ends(name: str) -> None:
    printed = simulated(name, "--games", "3")
    assert (printed["games"], printed["finished"], printed["illegal"]) == (3, 3, 0)
    assert printed["chips_start"] == printed["chips_end"]


def test_the_same_seed_gives_the_same_games_on_any_cores() -> None:
    first, second, third = [
        {name: value for name, value in simulated("leduc", "--games", "40", *more).items() if name != "seconds"}
        for more in (("--seed", "5"), ("--seed", "5", "--cores", "1"), ("--seed", "6"))
    ]
    assert first == {**second, "cores": first["cores"]}
    assert first["wins"] != third["wins"]


def test_players_rotate_through_the_seats() -> None:
    assert simulated("hearts", "--games", "2", "--players", "random,greedy")["players"] == ["random", "greedy"] * 2
    assert simulated("hearts", "--games", "2")["players"] == ["random"] * 4


def test_a_game_at_its_turn_limit_is_finished_and_counts_as_stopped(tmp_path: Path) -> None:
    path = tmp_path / "short.json"
    genome = json.loads(write_genome(load("cheat")))
    path.write_text(json.dumps(genome | {"max_turns": 20}), encoding="utf-8")
    printed = simulated(str(path), "--games", "5")
    assert (printed["finished"], printed["stopped"]) == (5, 5)
    assert printed["turns"] == {"mean": 20, "low": 20, "high": 20}


def test_a_file_and_standard_input_will_do(tmp_path: Path) -> None:
    text = write_genome(load("kuhn"))
    path = tmp_path / "mine.json"
    path.write_text(text, encoding="utf-8")
    one = simulated(str(path), "--games", "30")
    result = run("lab", "simulate", "-", "--games", "30", "--json", given=text)
    assert {**lines(result.stdout)[0], "seconds": 0} == {**one, "seconds": 0}


def test_a_single_game_has_no_interval() -> None:
    printed = simulated("leduc", "--games", "1")
    turns = printed["turns"]
    assert isinstance(turns, dict)
    assert (turns["low"], turns["high"]) == (None, None)
    shown = run("lab", "simulate", "leduc", "--games", "1")
    assert shown.exit_code == 0
    assert "1 game of leduc" in shown.stdout


def test_the_table_has_the_figures_of_the_json() -> None:
    played = simulate(load("leduc"), games=60, players="greedy,random", seed=2)
    result = run("lab", "simulate", "leduc", "--games", "60", "--players", "greedy,random", "--seed", "2")
    assert result.exit_code == 0
    for text in (
        "60 games of leduc",
        f"{played.wins[0]}",
        "greedy",
        "chips per deal",
        f"{played.chips_won[0].mean:+,.2f}",
    ):
        assert text in result.stdout
    assert "illegal" not in result.stdout
    assert "chips" not in run("lab", "simulate", "hearts", "--games", "2").stdout


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_no_figure_is_cut_in_a_small_window(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    genome = json.loads(write_genome(load("simple_poker")))
    genome["setup"]["starting_chips"] = 987_654_321
    genome["turn_structure"]["phases"][0]["min_bet"] = 123_456_789
    path = tmp_path / "rich.json"
    path.write_text(json.dumps(genome), encoding="utf-8")
    printed = simulated(str(path), "--games", "20")
    shown = run("lab", "simulate", str(path), "--games", "20").stdout
    assert max(map(len, shown.splitlines())) <= columns
    assert "…" not in shown
    whole = shown.replace("\n", "")
    won = printed["chips_won"]
    assert isinstance(won, list)
    for each in won:
        for figure in each.values():
            assert f"{figure:+,.2f}" in whole
    assert f"{printed['chips_end']:,}" in whole


@for_each(
    "arguments, code, sentence",
    [
        (("nosuch", "--games", "1"), 1, "president, scopa; got 'nosuch'"),
        (
            ("kuhn", "--games", "1", "--players", "bob"),
            1,
            "expected policies from random, greedy, search; got 'bob'",
        ),
        (
            ("kuhn", "--games", "1", "--players", "random,random,random"),
            1,
            "expected at most 2 policies, one per seat; got 3",
        ),
        (("kuhn", "--games", "1", "--players", ""), 1, "expected policies from random, greedy, search; got ''"),
        (("kuhn",), 2, "Missing option '--games'"),
        (("kuhn", "--games", "0"), 2, "0 is not in the range"),
        (("kuhn", "--games", "many"), 2, "'many' is not a valid integer"),
    ],
)
def test_invalid_arguments_are_refused_in_one_sentence(arguments: tuple[str, ...], code: int, sentence: str) -> None:
    result = run("lab", "simulate", *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert sentence in result.stderr
    if code == 1:
        assert result.stderr.startswith("pitboss lab simulate: ")
        assert result.stderr.count("\n") == 1


@for_each(
    "change, field",
    [
        ({"setup": {"cards_per_player": 1, "starting_chips": -5}}, "setup.starting_chips"),
        ({"setup": {"cards_per_player": 1, "starting_chips": 5}}, "turn_structure.phases[0].min_bet"),
        ({"setup": {"cards_per_player": 1}}, "setup.starting_chips"),
        ({"setup": {"cards_per_player": 1, "starting_chips": 50, "blinds": 2}}, "blinds"),
        ({"turn_structure": {"phases": [{"type": "BluffPhase"}]}}, "turn_structure.phases"),
        ({"turn_structure": {"phases": [{"type": "PlayPhase"}]}}, "setup.starting_chips"),
    ],
)
def test_a_genome_that_cannot_be_played_is_refused_naming_the_field(
    tmp_path: Path, change: dict[str, object], field: str
) -> None:
    genome = {
        "setup": {"cards_per_player": 1, "starting_chips": 100},
        "turn_structure": {"phases": [{"type": "BettingPhase", "min_bet": 10}], "order": "rounds", "rounds": 1},
        "win_conditions": [{"type": "high_card"}],
    }
    path = tmp_path / "game.json"
    path.write_text(json.dumps(genome), encoding="utf-8")
    assert run("lab", "simulate", str(path), "--games", "2").exit_code == 0
    path.write_text(json.dumps(genome | change), encoding="utf-8")
    result = run("lab", "simulate", str(path), "--games", "2")
    assert (result.exit_code, result.stdout) == (1, "")
    assert field in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_poor_game_is_played_with_a_warning_on_standard_error(tmp_path: Path) -> None:
    genome = json.loads(write_genome(load("leduc")))
    genome["setup"]["ante"] = 0
    path = tmp_path / "free.json"
    path.write_text(json.dumps(genome), encoding="utf-8")
    result = run("lab", "simulate", str(path), "--games", "2", "--json")
    assert (result.exit_code, lines(result.stdout)[0]["games"]) == (0, 2)
    assert result.stderr.startswith("pitboss lab simulate: warning: setup.ante: there is betting but no ante. ")


# --- seats and betting


def test_swap_gives_every_player_each_seat_and_reports_by_player() -> None:
    """The same games in every seating: by player they are what the single seatings say, moved on by a seat."""
    games = ("three_card_poker", "--games", "6", "--seed", "4")
    seatings = [
        simulated(*games, "--players", names)
        for names in ("greedy,random,random", "random,greedy,random", "random,random,greedy")
    ]
    swapped = simulated(*games, "--players", "greedy,random,random", "--swap")
    assert (swapped["games"], swapped["swapped"], swapped["players"]) == (18, True, ["greedy", "random", "random"])
    wins, won = zip(*[(each["wins"], each["chips_won"]) for each in seatings], strict=True)
    for player in range(3):
        seats = [(by, (player + by) % 3) for by in range(3)]
        assert swapped["wins"][player] == sum([wins[by][seat] for by, seat in seats])
        mean = sum([won[by][seat]["mean"] for by, seat in seats]) / 3
        assert swapped["chips_won"][player]["mean"] == pytest.approx(mean)
    shown = run("lab", "simulate", *games, "--players", "greedy,random,random", "--swap").stdout
    assert "every player played each of the 3 seats equally often" in shown
    assert re.search(r"player +policy", shown)


def test_swap_of_equal_players_leaves_no_difference_between_seats() -> None:
    """In Kuhn poker the second seat is better; a player who has had both breaks even."""
    seated = simulated("kuhn", "--games", "200", "--players", "greedy")
    swapped = simulated("kuhn", "--games", "200", "--players", "greedy", "--swap")
    assert abs(seated["chips_won"][0]["mean"]) > 0.05
    assert swapped["chips_won"][0]["mean"] == pytest.approx(0, abs=0.05)


def test_intervals_of_counts_are_never_negative() -> None:
    shown = run("lab", "simulate", "leduc", "--games", "200", "--players", "greedy,random", "--seed", "1").stdout
    assert "0.0 (0.0 to 0.0) all-ins" in shown.replace("\n", " ")


def test_betting_figures_are_printed() -> None:
    printed = simulated("leduc", "--games", "50", "--players", "random", "--seed", "2")
    betting = printed["betting"]
    assert betting["deals"] == 50
    for name in ("bets", "raises", "calls", "folds", "all_ins", "showdowns", "pot", "steals", "to_best"):
        assert betting[name]["low"] <= betting[name]["mean"] <= betting[name]["high"], name
    ended_by_folds = 1 - betting["showdowns"]["mean"]
    assert betting["folds"]["mean"] == pytest.approx(ended_by_folds)
    assert 0 < betting["steals"]["mean"] < ended_by_folds
    assert 0.5 < betting["to_best"]["mean"] < 1
    assert 2 < betting["pot"]["mean"] < betting["largest_pot"] <= 26
    shown = run("lab", "simulate", "leduc", "--games", "50", "--players", "random", "--seed", "2").stdout
    for text in ("betting per game: ", "pots: ", "reached a showdown", "won by folds", "went to the best cards"):
        assert text in shown
    assert simulated("hearts", "--games", "2")["betting"] is None
