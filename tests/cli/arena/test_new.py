"""`pitboss arena new`: a bot to begin from, which plays without changes; existing files are not overwritten."""

import os
import re
from pathlib import Path

import pytest

from pitboss.cli import output
from pitboss.cli.arena.new import URL
from tests.support.cli.runs import lines, run

FIRST = ("arena", "new")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.check
@pytest.mark.parametrize("game", ["no_limit_holdem", "F2L3D", "horse"])
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


def test_it_says_what_to_type_next_and_so_does_the_file(folder: Path) -> None:
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


def test_another_game_stands_in_the_file_and_in_the_commands(folder: Path) -> None:
    result = run(*FIRST, "low.py", "--game", "FR")
    assert re.search(r"arena doctor low\.py --game razz$", result.stdout, re.MULTILINE)
    assert 'GAME = "razz"' in (folder / "low.py").read_text(encoding="utf-8")


def test_nothing_is_written_over(folder: Path) -> None:
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
            "Error: my bot.txt: a bot's file is called like a word and ends in .py, such as my_bot.py",
        ),
        (("random.py",), 2, "Error: random.py would hide the module random from your bot: give another name"),
        (("bot.py", "--game", "chess"), 2, "Error: "),
    ],
)
def test_what_cannot_be_written_is_told_in_one_sentence(
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
