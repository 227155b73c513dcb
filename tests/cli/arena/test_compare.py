"""`pitboss arena compare`: the exit code is the verdict, and what it prints is one sentence or one JSON object."""

from pathlib import Path

import pytest

from tests.support.cli.runs import lines, run

FIRST = ("arena", "compare")

FOLDER = 'def decide(act):\n    return "CHECK" if "CHECK" in act.legal else "FOLD"\n'
CALLER = 'def decide(act):\n    return "CHECK" if "CHECK" in act.legal else "CALL"\n'
BROKEN = "def decide(act)\n"
RAISES = "def decide(act):\n    raise ValueError('lost the plot')\n"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    sources = {"folder": FOLDER, "caller": CALLER, "broken": BROKEN, "raises": RAISES}
    for name, source in sources.items():
        (tmp_path / f"{name}.py").write_text(source)
    return {name: str(tmp_path / f"{name}.py") for name in sources}


def test_exit_0_if_the_new_bot_is_better() -> None:
    result = run(*FIRST, "folding", "calling", "--hands", "2000", "--stack", "500")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("the new bot is better: the new bot wins +")


def test_exit_1_if_the_new_bot_is_worse() -> None:
    result = run(*FIRST, "calling", "folding", "--hands", "2000", "--stack", "500", "--json")
    assert result.exit_code == 1, result.output
    [line] = lines(result.stdout)
    assert line["verdict"] == "worse"
    assert line["bb_per_100"] < line["high"] <= 0
    assert line["hands"] < 2000


def test_exit_3_if_it_is_undecided() -> None:
    result = run(*FIRST, "tight", "tight", "--hands", "40", "--seed", "7")
    assert result.exit_code == 3
    assert result.stdout.startswith("undecided: ")
    assert "40 hands, seed 7" in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nothing.py", "tight"), "pitboss arena compare: old bot nothing.py: "),
        (("tight", "{broken}"), "pitboss arena compare: new bot "),
        (("tight",), "Missing argument 'NEW'"),
        (("tight", "tight", "--game", "omaha"), "the house bot tight plays hold'em"),
        (("tight", "tight", "--game", "chess"), "chess"),
        (("tight", "tight", "--bb", "500", "--stack", "100"), "expected --bb up to --stack, got 500 and 100"),
        (("tight", "tight", "--hands", "1"), "1 is not in the range"),
    ],
)
def test_exit_2_with_one_sentence_on_errors(files: dict[str, str], arguments: tuple[str, ...], sentence: str) -> None:
    filled = [argument.format(**files) for argument in arguments]
    result = run(*FIRST, *filled, "--trust-bots")
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stdout == ""


@pytest.mark.check
def test_a_bot_that_raises_loses_by_the_rules_and_is_counted(files: dict[str, str]) -> None:
    arguments = ("calling", files["raises"], "--hands", "1000", "--stack", "300", "--trust-bots", "--json")
    result = run(*FIRST, *arguments)
    [line] = lines(result.stdout)
    assert result.exit_code == 1
    assert line["illegal"]["new"] > 0
    assert line["illegal"]["old"] == 0
    assert "new bot: " in result.stderr
    assert "lost the plot" in result.stderr


@pytest.mark.check
def test_files_run_in_the_sandbox_by_default(files: dict[str, str]) -> None:
    result = run(*FIRST, files["caller"], files["caller"], "--hands", "20")
    assert result.exit_code == 3
    assert "sandbox" in result.stderr
    assert "wins +0.0 bb/100" in result.stdout
