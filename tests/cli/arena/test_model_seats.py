"""`llm:NAME` in `arena play`, `arena join` and `arena serve --house`, with a stand-in of an endpoint."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pitboss.cli.main import cli
from pitboss.lab.files import known_text
from tests.support.arena.chat import Answer, chatting
from tests.support.arena.servers import PITBOSS, served

TOML = '[models.m]\nbase_url = "{url}"\nmodel = "stand-in"\nprice_in = 1\nprice_out = 2\n'


def models(folder: Path, url: str) -> str:
    """Write a file of models; return its path."""
    file = folder / "my models.toml"
    file.write_text(TOML.format(url=url), encoding="utf-8")
    return str(file)


def test_play_seats_a_model_counts_its_costs_and_saves_its_thoughts(tmp_path: Path) -> None:
    save = tmp_path / "saved"
    with chatting("I like it.\nFinal answer: call") as chat:
        given = ["arena", "play", "llm:m", "calling", "--models", models(tmp_path, chat.url), "--hands", "5"]
        done = CliRunner().invoke(cli, [*given, "--save", str(save), "--json"])
    assert done.exit_code == 0, done.stderr
    [m, _] = json.loads(done.stdout)["players"]
    assert (m["name"], m["illegal"]) == ("m", 0)
    assert re.search(rf"m: answers: {m['answers']}, .* fallbacks: 0; .* USD", done.stderr)
    thoughts = [json.loads(line) for line in (save / "thoughts.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(thoughts) == m["answers"]
    assert {thought["move"] for thought in thoughts} <= {"check", "call"}
    assert thoughts[0]["reasoning"].startswith("I like it.")
    assert (save / "thoughts.jsonl").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("command", [["play", "llm:x", "calling"], ["join", "llm:x", "ws://127.0.0.1:0/ws"]])
def test_an_unknown_model_is_one_sentence(command: list[str], tmp_path: Path) -> None:
    file = models(tmp_path, "http://127.0.0.1:0/v1")
    done = CliRunner().invoke(cli, ["arena", *command, "--models", file])
    assert done.exit_code == 1
    assert done.stderr == f"pitboss arena {command[0]}: {file}: expected a table [models.x]; it has m\n"


def test_serve_refuses_a_model_that_is_not_in_the_file(tmp_path: Path) -> None:
    file, db = models(tmp_path, "http://127.0.0.1:0/v1"), str(tmp_path / "a.db")
    done = CliRunner().invoke(cli, ["arena", "serve", "--house", "llm:x,tight", "--models", file, "--db", db])
    assert done.exit_code == 2
    assert "--house llm:x: " in done.stderr
    assert "expected a table [models.x]; it has m" in done.stderr


def test_models_play_from_the_server_and_by_join_at_one_table(tmp_path: Path) -> None:
    with chatting(Answer("Final answer: call")) as chat:
        file = models(tmp_path, chat.url)
        options = ["--house", "llm:m,calling", "--models", file, "--seats", "3", "--start-at", "3", "--max-hands", "7"]
        with served(tmp_path, *options) as process:
            joined = subprocess.run(
                [*PITBOSS, "arena", "join", "llm:m", process.ws(), "--models", file, "--code", "c", "--json"],
                capture_output=True,
                text=True,
                timeout=60,
                check=True,
            )
    lines = [json.loads(line) for line in joined.stdout.splitlines()]
    assert [line["type"] for line in lines] == ["seat", *["hand"] * 7, "match_end"]
    assert lines[0]["team"] == "m"
    assert re.search(r"llm:m: answers: \d+, .* fallbacks: 0", joined.stderr)
    teams = {final["team"] for final in lines[-1]["final_stacks"]}
    assert teams == {"m", "llm:m (house)", "calling (house)"}
    of_house = [prompt for prompt in chat.prompts() if '"llm:m (house)": ' in prompt and "Opponents so far" in prompt]
    assert of_house, "the house's model receives all messages, so it has statistics"


def test_models_play_another_game_from_the_server_and_by_join(tmp_path: Path) -> None:
    with chatting(Answer("Final answer: 1")) as chat:
        file = models(tmp_path, chat.url)
        options = ["--game", "leduc", "--house", "llm:m", "--models", file, "--start-at", "2", "--max-hands", "4"]
        with served(tmp_path, *options) as process:
            joined = subprocess.run(
                [*PITBOSS, "arena", "join", "llm:m", process.ws(), "--models", file, "--code", "c", "--json"],
                capture_output=True,
                text=True,
                timeout=60,
                check=True,
            )
    lines = [json.loads(line) for line in joined.stdout.splitlines()]
    assert [line["type"] for line in lines] == ["seat", *["hand"] * 4, "match_end"]
    assert re.search(r"llm:m: answers: \d+, .* fallbacks: 0", joined.stderr)
    house = [json.loads(line) for line in (tmp_path / "arena.db.thoughts.jsonl").read_text("utf-8").splitlines()]
    assert {thought["name"] for thought in house} == {"llm:m (house)"}
    assert not any("fallback" in thought for thought in house)
    assert all("# Leduc" in request["messages"][0]["content"] for request in chat.requests)
    assert any("pays an ante" in prompt for prompt in chat.prompts())


def test_play_seats_a_model_at_an_evolved_game(tmp_path: Path) -> None:
    game = tmp_path / "own.json"
    game.write_text(known_text("leduc"), encoding="utf-8")
    with chatting("Final answer: 1") as chat:
        given = ["arena", "play", "llm:m", "search", "--models", models(tmp_path, chat.url), "--hands", "3", "--json"]
        done = CliRunner().invoke(cli, [*given, "--game", str(game)])
    assert done.exit_code == 0, done.stderr
    [m, _] = json.loads(done.stdout)["players"]
    assert m["illegal"] == 0
    assert "fallbacks: 0" in done.stderr


def run(*words: str) -> Result:
    """Run a command of pitboss."""
    return CliRunner().invoke(cli, [*words])


def test_what_models_thought_is_summed_up_and_shown_in_the_replay(tmp_path: Path) -> None:
    save, page = tmp_path / "saved", tmp_path / "page.html"
    answers = iter(["hm", "hm", *["I have <b>nothing</b>.\nFinal answer: 1 60%, 2 40%"] * 200])
    with chatting(lambda request: Answer(next(answers))) as chat:
        given = ["--models", models(tmp_path, chat.url), "--hands", "6", "--save", str(save), "--seed", "3", "--json"]
        done = run("arena", "play", "llm:m", "calling", *given)
    [played, _] = json.loads(done.stdout)["players"]
    summed = run("arena", "report", str(save), "--json")
    assert summed.exit_code == 0, summed.output
    row = json.loads(summed.stdout)
    assert (row["name"], row["hands"], row["illegal"], row["fallbacks"]) == ("m", 6, 2, 1)
    assert row["bb_per_100"] == pytest.approx(played["net"] / 6)
    assert row["low"] < row["bb_per_100"] < row["high"]
    assert row["usd_per_hand"] == pytest.approx(row["usd"] / 6, abs=1e-6)
    assert "USD/hand" in run("arena", "report", str(save)).stdout
    shown = run("replay", str(save / "hands.phhs"), "--html", str(page))
    assert "It shows what language models thought." in shown.stderr
    text = page.read_text(encoding="utf-8")
    assert "60% " in text
    assert "<b>nothing" not in text
    assert "nothing" in text


def test_a_house_model_notes_its_thoughts_beside_the_journal_and_nobody_else_sees_them(tmp_path: Path) -> None:
    secret = "my own plan"
    with chatting(f"{secret}\nFinal answer: call") as chat:
        options = [
            "--house",
            "llm:m,calling",
            "--models",
            models(tmp_path, chat.url),
            "--seats",
            "3",
            "--max-hands",
            "3",
        ]
        with served(tmp_path, *options) as process:
            joined = subprocess.run(
                [*PITBOSS, "arena", "join", "calling", process.ws(), "--code", "c", "--record", str(tmp_path / "r")],
                capture_output=True,
                text=True,
                timeout=60,
                check=True,
            )
    noted = tmp_path / "arena.db.thoughts.jsonl"
    assert noted.stat().st_mode & 0o077 == 0
    assert secret in noted.read_text(encoding="utf-8")
    assert secret not in (tmp_path / "r").read_text(encoding="utf-8") + joined.stdout + joined.stderr
    row = json.loads(run("arena", "report", str(tmp_path / "arena.db"), "--json").stdout)
    assert (row["name"], row["hands"]) == ("llm:m (house)", 3)


def test_a_report_without_models_and_a_damaged_file_are_one_sentence(tmp_path: Path) -> None:
    done = run("arena", "report", str(tmp_path))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"pitboss arena report: {tmp_path / 'thoughts.jsonl'}: no language model has answered here\n"
    (tmp_path / "thoughts.jsonl").write_text("{}\n", encoding="utf-8")
    done = run("arena", "report", str(tmp_path))
    assert done.stderr.startswith(f"pitboss arena report: {tmp_path / 'thoughts.jsonl'}, line 1: expected what a model")
    assert done.stderr.count("\n") == 1
