"""Repeatable experiments: runs from the command, replays, tables in a page, a search; and invalid input."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pitboss.chance import Chance
from pitboss.sting.cards import HIDDEN, Role, default_cards
from pitboss.sting.events import NextHand
from pitboss.sting.experiments import (
    TABLES,
    ExperimentSizes,
    bail_figures,
    card_gain,
    card_games,
    parts_of,
    round_figures,
    write_tables,
)
from pitboss.sting.hand import PLAYER
from pitboss.sting.policies import RUN_PLAYERS
from pitboss.sting.run import Run
from pitboss.sting.saves import write_save
from pitboss.sting.sharp import BEST, GOALS, RunSetting, search
from pitboss.sting.simulate import RunExperiment
from tests.support.cli.runs import lines
from tests.support.sting.tables import run

DECKS: dict[Role, str] = {"narc": "patrolman", "customer": "regular", "player": "corner"}
GAME = RunExperiment(cards=default_cards(), decks=DECKS, difficulty="normal", seed=1)


# --- simulate --run and its settings


def test_whole_runs_as_json_one_object_a_policy() -> None:
    printed = lines(run("simulate", "--run", "--runs", "3", "--difficulty", "hard", "--json", "--jobs", "1").stdout)
    assert [line["player"] for line in printed] == list(RUN_PLAYERS)
    for line in printed:
        assert (line["runs"], line["difficulty"], line["deck"]) == (3, "hard", "corner")
        assert line["win"]["rate"] + line["bust"]["rate"] + line["caught"]["rate"] <= 1
        assert line["hands"]["mean"] <= 10


def test_runs_as_a_table() -> None:
    shown = run("simulate", "--run", "--runs", "4", "--player", "sharp", "--jobs", "1").stdout
    assert "4 runs of sting" in shown
    assert "difficulty normal" in shown
    assert "caught %" in shown


@pytest.mark.parametrize("options", [["--no-last-word"], ["--rounds", "2"], ["--order", "customer,player,narc"]])
def test_a_variation_changes_the_result(options: list[str]) -> None:
    def profit(*more: str) -> object:
        [line] = lines(run("simulate", "--hands", "150", "--player", "counter", "--seed", "3", "--json", *more).stdout)
        return line["profit"]

    assert profit() != profit(*options)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--run", "--difficulty", "x"], "unknown difficulty 'x': expected one of easy, normal, hard, printed"),
        (["--run", "--player", "x"], "unknown policy 'x': expected one of passive"),
        (["--run", "--deck", "x", "--runs", "2"], "unknown player deck 'x'"),
    ],
)
def test_missing_part_is_one_sentence(options: list[str], sentence: str) -> None:
    result = run("simulate", *options)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert sentence in result.stderr


def test_a_difficulty_of_single_hands_is_refused() -> None:
    result = run("simulate", "--hands", "5", "--difficulty", "easy")
    assert result.exit_code == 2
    assert "--difficulty needs --run" in result.stderr


# --- experiments


def test_round_figures_add_up_to_the_cards_turned_up() -> None:
    first, second, third = round_figures(GAME, "counter", range(4))
    assert [first.round, second.round, third.round] == [1, 2, 3]
    assert third.opponents.mean > first.opponents.mean
    assert 0 < first.own.mean <= 3


def test_bailing_is_right_far_behind_and_wrong_far_ahead() -> None:
    figures = bail_figures(GAME, range(6), "decision")
    stayed = [each.stayed.mean for each in figures if each.stayed is not None]
    assert sum(each.stays + each.leaves for each in figures) > 50
    assert stayed[0] < stayed[-1]
    assert stayed[-1] > 0


def test_a_blank_is_worth_as_much_as_a_blank_and_an_alibi_more() -> None:
    assert card_gain(GAME, "narc", "Donut Break", range(2)).mean == 0
    tried = {card: (game, role) for game, role, card in card_games(default_cards(), 1, "normal")}
    assert {"Plea Bargain", "Heroin", "Surveillance", "School Zone", "Warrant"} < set(tried)
    assert card_gain(GAME, "player", "Alibi", range(12)).mean > 0


@pytest.mark.check
def test_a_search_keeps_the_best() -> None:
    with ThreadPoolExecutor(1) as pool:
        generations = list(
            search(
                [RunSetting("corner", "normal")],
                generations=2,
                children=2,
                runs=3,
                seed=1,
                goal=GOALS["cash"],
                pool=pool,
            )
        )
    assert len(generations) == 3
    for found in generations:
        assert [each.cash for each in found] == sorted([each.cash for each in found], reverse=True)
        assert all(each.hands <= 10 for each in found)
    assert BEST in [each.weights for each in generations[0]]  # three were tried, and six are kept


# --- tables


def test_only_marked_parts_of_a_page_are_replaced() -> None:
    page = "before\n<!-- begin rounds -->\nold\n<!-- end rounds -->\nafter\n<!-- begin x -->\nmine\n<!-- end x -->\n"
    assert parts_of(page) == ["rounds"]
    sizes = ExperimentSizes(hands=2, runs=2, seed=5, jobs=1)
    made = write_tables(page, default_cards(), sizes)
    assert made == write_tables(made, default_cards(), sizes)
    assert "old" not in made
    assert made.startswith("before\n<!-- begin rounds: pitboss sting tables, seed 5, 2 hands or 2 runs a row -->")
    assert made.endswith("after\n<!-- begin x -->\nmine\n<!-- end x -->\n")
    assert "| round | Evidence |" in made


def test_the_page_has_every_table() -> None:
    page = (Path(__file__).parents[2] / "docs" / "sting.md").read_text(encoding="utf-8")
    assert sorted(parts_of(page)) == sorted(TABLES)


def test_a_page_without_parts_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing here")
    for file in (page, tmp_path / "none.md"):
        result = run("tables", str(file))
        assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert result.stderr.endswith("none.md cannot be read: No such file or directory\n")


# --- replay


def saved(tmp_path: Path, hands: int) -> Path:
    game, _ = Run.start(seed=9, difficulty="hard")
    chance = Chance(0)
    while not game.over and game.number <= hands:
        action = NextHand() if game.hand.over else RUN_PLAYERS["eager"](game.view(), chance)
        game, _ = game.act(action)
    file = tmp_path / "run.json"
    file.write_bytes(write_save(game))
    return file


def test_a_run_is_played_again_in_words_and_as_json(tmp_path: Path) -> None:
    file = saved(tmp_path, 1)
    said = run("replay", str(file)).stdout
    assert said.startswith("Deck corner, difficulty hard, seed 9.\nHand 1.\n")
    assert "> next\n" in said
    printed = run("replay", str(file), "--json").stdout
    shown = json.loads(printed)
    assert printed.count("\n") == 1
    assert shown["steps"][0]["move"] is None
    assert shown["steps"][-1]["cash"] == shown["cash"]
    assert [step["move"] for step in shown["steps"][1:]] == json.loads(file.read_bytes())["deeds"]


def test_resumable_run_shows_only_what_its_player_has_seen(tmp_path: Path) -> None:
    def drawn(file: Path) -> set[str]:
        steps = json.loads(run("replay", str(file), "--json").stdout)["steps"]
        return {
            card
            for step in steps
            for event in step["events"]
            if event["type"] == "drawn" and event["place"] != PLAYER
            for card in event["cards"]
        }

    assert drawn(saved(tmp_path, 1)) == {HIDDEN}
    assert HIDDEN not in drawn(saved(tmp_path, 10))


def test_a_broken_or_missing_file_is_one_sentence(tmp_path: Path) -> None:
    file = saved(tmp_path, 1)
    cut = tmp_path / "cut.json"
    cut.write_bytes(file.read_bytes()[:200])
    for path in (cut, tmp_path / "none.json"):
        result = run("replay", str(path))
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
        assert result.stderr.startswith(f"pitboss sting replay: {path} cannot be ")
