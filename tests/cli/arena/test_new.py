"""`pitboss arena new`: a bot to begin from, which plays without changes; existing files are not overwritten."""

import os
import re
import shlex
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.cli import output
from pitboss.cli.arena.new import URL
from pitboss.hand.games import find_game, write_game
from tests.support.cli.runs import lines, run

FIRST = ("arena", "new")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.check
@pytest.mark.parametrize("game", ["no_limit_holdem", "F2L3D", "horse", "hearts", "leduc", "sting"])
def test_a_new_bot_passes_the_doctor(folder: Path, game: str) -> None:
    assert run(*FIRST, "my_bot.py", "--game", game).exit_code == 0
    result = run("arena", "doctor", "my_bot.py", "--game", game, "--json")
    (found,) = lines(result.stdout)
    assert [check for check in found["checks"] if check["verdict"] != "pass"] == []
    assert result.exit_code == 0


@pytest.mark.parametrize("game", ["no_limit_holdem", "badugi"])
def test_a_new_bot_plays_sensibly(folder: Path, game: str) -> None:
    assert run(*FIRST, "my_bot.py", "--game", game).exit_code == 0
    table = ("my_bot.py", "random", "calling", "--game", game, "--hands", "50", "--seed", "1", "--json")
    (found,) = lines(run("arena", "play", *table).stdout)
    mine = found["players"][0]
    assert mine["illegal"] == 0
    assert mine["net"] > 0


def test_next_command_is_printed_and_written_in_the_file(folder: Path) -> None:
    result = run(*FIRST, "my_bot.py")
    assert (result.exit_code, result.stderr) == (0, "")
    first, *rest = result.stdout.splitlines()
    assert first.startswith("my_bot.py plays no-limit hold'em.")
    commands = [line.strip() for line in rest if line.strip().startswith("pitboss ")]
    assert commands == [
        "pitboss arena play my_bot.py tight --hands 500",
        "pitboss arena doctor my_bot.py",
        f"pitboss arena join my_bot.py {URL}",
    ]
    assert max(map(len, result.stdout.splitlines())) <= 60
    written = (folder / "my_bot.py").read_text(encoding="utf-8")
    assert all(command in written.partition("# What to type next:")[2] for command in commands)


def test_chosen_game_is_in_the_file_and_in_the_commands(folder: Path) -> None:
    result = run(*FIRST, "low.py", "--game", "FR")
    assert re.search(r"arena doctor low\.py --game razz$", result.stdout, re.MULTILINE)
    assert 'GAME = find_game("razz")' in (folder / "low.py").read_text(encoding="utf-8")


@pytest.fixture
def game_file(folder: Path) -> Path:
    """Write a game with discards and a choice of runs to a folder with a space in its name."""
    path = folder / "my games" / "mine.toml"
    path.parent.mkdir()
    game = replace(find_game("crazy_pineapple"), keys=("mine",), name="my game", most_runs=2)
    path.write_text(write_game(game), encoding="utf-8")
    return path


@pytest.mark.parametrize("bot", ["my_bot.py", "alice/bot.py"])
@pytest.mark.parametrize("is_absolute", [True, False], ids=str)
def test_a_bot_plays_a_game_file_and_the_printed_commands_work(
    folder: Path, game_file: Path, bot: str, is_absolute: bool
) -> None:
    game = str(game_file if is_absolute else game_file.relative_to(folder))
    result = run(*FIRST, bot, "--game", game)
    assert (result.exit_code, result.stderr) == (0, "")
    printed = [shlex.split(line) for line in result.stdout.splitlines() if line.startswith("  pitboss ")]
    assert [words[2:4] for words in printed] == [["play", bot], ["doctor", bot], ["join", bot]]
    assert [words[-2:] for words in printed[:2]] == [["--game", game]] * 2
    (found,) = lines(run(*printed[0][1:], "--hands", "30", "--seed", "1", "--json").stdout)
    assert [player["illegal"] for player in found["players"]] == [0, 0]
    (found,) = lines(run("arena", "play", bot, "random", "--game", game, "--hands", "30", "--json").stdout)
    assert found["players"][0]["illegal"] == 0


@pytest.mark.check
def test_a_new_bot_for_a_game_file_passes_the_doctor(folder: Path, game_file: Path) -> None:
    assert run(*FIRST, "alice/bot.py", "--game", str(game_file)).exit_code == 0
    (found,) = lines(run("arena", "doctor", "alice/bot.py", "--game", str(game_file), "--json").stdout)
    assert [check for check in found["checks"] if check["verdict"] != "pass"] == []


def test_a_game_file_is_copied_only_to_other_folders_and_never_overwritten(folder: Path, game_file: Path) -> None:
    text = game_file.read_text(encoding="utf-8")
    assert run(*FIRST, "one.py", "--game", "my games/mine.toml").exit_code == 0
    assert not (folder / "mine.toml").exists()
    assert run(*FIRST, "alice/one.py", "--game", "my games/mine.toml").exit_code == 0
    assert (folder / "alice" / "mine.toml").read_text(encoding="utf-8") == text
    assert run(*FIRST, "alice/two.py", "--game", "my games/mine.toml").exit_code == 0
    (folder / "alice" / "mine.toml").write_text("# other", encoding="utf-8")
    result = run(*FIRST, "alice/three.py", "--game", "my games/mine.toml")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "pitboss arena new: alice/mine.toml already exists and was not changed: give another name\n"
    )
    assert not (folder / "alice" / "three.py").exists()


def test_a_wrong_game_file_is_reported_before_anything_is_written(folder: Path) -> None:
    (folder / "mine.toml").write_text('name = "mine"\nwrong = 1\n', encoding="utf-8")
    result = run(*FIRST, "bot.py", "--game", "mine.toml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: mine.toml, line 2, wrong: " in result.stderr
    assert not (folder / "bot.py").exists()


def test_existing_file_is_never_overwritten(folder: Path) -> None:
    file = folder / "my_bot.py"
    file.write_text("mine = 1\n", encoding="utf-8")
    result = run(*FIRST, "my_bot.py")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == ("pitboss arena new: my_bot.py already exists and was not changed: give another name\n")
    assert file.read_text(encoding="utf-8") == "mine = 1\n"


def test_a_missing_folder_is_created(folder: Path) -> None:
    result = run(*FIRST, "alice/bot.py")
    assert (result.exit_code, result.stderr) == (0, "")
    assert (folder / "alice" / "bot.py").is_file()
    assert "pitboss arena join alice/bot.py" in result.stdout


def test_a_file_in_the_place_of_a_folder_is_named(folder: Path) -> None:
    (folder / "alice").write_text("", encoding="utf-8")
    result = run(*FIRST, "alice/bot.py")
    assert (result.exit_code, result.stderr) == (
        1,
        "pitboss arena new: alice already exists and was not changed: give another name\n",
    )
    assert run(*FIRST, "alice/two/bot.py").stderr == (
        "pitboss arena new: alice/two/bot.py cannot be written: Not a directory\n"
    )


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (
            ("my bot.txt",),
            2,
            "Error: FILE: expected a name of letters, digits and _ with .py, as my_bot.py, got my bot.txt",
        ),
        (("random.py",), 2, "Error: FILE: your bot could not import the module random any more: give another name"),
        (("bot.py", "--game", "chess"), 2, "Error: "),
    ],
)
def test_unwritable_file_is_reported_in_one_sentence(
    folder: Path, arguments: tuple[str, ...], status: int, sentence: str
) -> None:
    result = run(*FIRST, *arguments)
    assert (result.exit_code, result.stdout) == (status, "")
    assert result.stderr.splitlines()[-1].startswith(sentence)
    assert list(folder.iterdir()) == []


def test_commands_are_printed_as_the_program_was_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    program = programs / "pitboss"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(program)])
    monkeypatch.setenv("PATH", os.defpath)
    assert output.program() == ".venv/bin/pitboss"
    (tmp_path / "else where").mkdir()
    monkeypatch.chdir(tmp_path / "else where")
    assert output.program() == str(program)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.defpath}")
    assert output.program() == "pitboss"
