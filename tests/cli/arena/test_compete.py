"""`pitboss arena compete` and `verify DIR` from the command line."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pitboss.cli.main import cli

FILE = """
hands = 8
seed = 3
[[entrants]]
name = "Ann"
house = "calling"
[[entrants]]
name = "Bo"
house = "folding"
[[entrants]]
name = "Cy"
house = "random"
"""


def run(*arguments: object, status: int = 0) -> str:
    """Return everything that a command prints; check its exit code."""
    result = CliRunner().invoke(cli, ["arena", *map(str, arguments)])
    assert result.exit_code == status, result.output
    return result.output


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    (tmp_path / "cup.toml").write_text(FILE)
    return tmp_path / "cup.toml"


def test_a_file_becomes_a_folder_that_is_verified(cup: Path) -> None:
    out = cup.parent / "cup"
    text = run("compete", cup, "--out", out, "--workers", 1)
    assert "Ann" in text
    assert "24 hands" in text
    assert run("verify", out) == f"{out}: all right\n"
    again = json.loads(run("compete", cup, "--out", out, "--workers", 1, "--json").partition("\n")[2])
    assert again == json.loads((out / "results.json").read_text())


def test_verify_exits_with_1_and_names_what_was_altered(cup: Path) -> None:
    out = cup.parent / "cup"
    run("compete", cup, "--out", out, "--workers", 1)
    results = out / "results.json"
    results.write_text(results.read_text().replace('"name": "Ann"', '"name": "Bo"', 1))
    assert "results.json: was altered" in run("verify", out, status=1)
    found = json.loads(run("verify", out, "--json", status=1))
    assert (found["ok"], len(found["problems"])) == (False, 1)


def test_verify_of_a_folder_refuses_options_for_servers(tmp_path: Path) -> None:
    text = run("verify", tmp_path, "--table", "one", status=2)
    assert "--table and --against are for matches of a server" in text


def test_ties_are_printed_as_ranges_of_places_with_hands_to_decide(cup: Path) -> None:
    text = run("compete", cup, "--out", cup.parent / "cup", "--workers", 1)
    assert "to decide" in text
    assert "│ 1–3 │" in text
    assert "Places such as 2–3 cannot be told apart" in text
    assert "Faults are" not in text


def test_new_writes_an_example_once(tmp_path: Path) -> None:
    assert "run it with" in run("compete", "--new", tmp_path / "cup.toml")
    assert "already exists and was not changed" in run("compete", "--new", tmp_path / "cup.toml", status=1)


def test_bad_input_is_one_sentence_and_nothing_starts(cup: Path) -> None:
    cup.write_text(FILE.replace("hands", "hand"))
    text = run("compete", cup, "--out", cup.parent / "cup", status=2)
    assert f"Error: {cup}, line 2, hand: unknown key; did you mean hands?" in text
    assert not (cup.parent / "cup").exists()
    assert "give a folder for the results: --out DIR" in run("compete", cup, status=2)


@pytest.mark.check
def test_a_folder_of_bots_plays_a_round_robin_without_the_sandbox_if_told_so(tmp_path: Path) -> None:
    folder = tmp_path / "handed-in"
    folder.mkdir()
    for name, answer in (("ann", "FOLD"), ("bo", "CALL")):
        (folder / f"{name}.py").write_text(
            f"def decide(act):\n    return {answer!r} if {answer!r} in act.legal else 'CHECK'\n"
        )
    (folder / "cy.py").write_text("def decide(act) return 1\n")
    out = tmp_path / "cup"
    text = run("compete", folder, "--out", out, "--workers", 1, "--trust-bots", status=1)
    assert "cy does not load" in text
    assert not (out / "plan.json").exists()
    (folder / "cy.py").unlink()
    text = run("compete", folder, "--out", out, "--workers", 1, "--trust-bots")
    assert "--trust-bots: the sandbox was switched off" in text
    found = json.loads((out / "results.json").read_text())
    assert [(entrant["name"], entrant["hands"]) for entrant in found["entrants"]] == [("bo", 1000), ("ann", 1000)]
    assert json.loads((out / "competition.json").read_text())["notices"] == [
        "--trust-bots: the sandbox was switched off"
    ]
