"""`pitboss lab games`, `show` and `rulebook`: the known games, a genome as JSON, and its rules in English."""

import json
from pathlib import Path

import pytest

from pitboss.lab.files import known_games, load, read_genome, write_genome
from pitboss.lab.rulebook import rulebook
from tests.support.cli.runs import run, run_apart
from tests.support.for_each import for_each


def test_games_are_listed_one_a_line_name_first() -> None:
    result = run("lab", "games")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(known_games())
    assert [line.split(maxsplit=1)[1] for line in lines] == list(known_games().values())
    assert max(map(len, lines)) <= 120


def test_games_as_one_json_object() -> None:
    result = run("lab", "games", "--json")
    assert result.stdout.count("\n") == 1
    assert json.loads(result.stdout) == known_games()


@pytest.mark.parametrize("name", ["kuhn", "scopa"])
def test_show_prints_the_json_that_reads_back(name: str) -> None:
    result = run("lab", "show", name)
    assert result.exit_code == 0
    assert result.stdout == write_genome(load(name))
    assert read_genome(result.stdout) == load(name)


def test_show_prints_defaults_that_a_file_leaves_out(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(
        '{"setup": {"cards_per_player": 5}, "turn_structure": {"phases": [{"type": "PlayPhase"}]},'
        ' "win_conditions": [{"type": "empty_hand"}]}',
        encoding="utf-8",
    )
    printed = json.loads(run("lab", "show", str(path)).stdout)
    assert printed["player_count"] == 2
    assert printed["setup"]["starting_chips"] == 0


@pytest.mark.parametrize("name", ["leduc", "hearts"])
def test_rulebook_prints_the_rules(name: str) -> None:
    result = run("lab", "rulebook", name)
    assert result.exit_code == 0
    assert result.stdout == rulebook(load(name))


def test_genome_can_be_read_from_standard_input() -> None:
    assert run("lab", "rulebook", "-", given=write_genome(load("cheat"))).stdout == rulebook(load("cheat"))
    assert run("lab", "show", "-", given=write_genome(load("cheat"))).stdout == write_genome(load("cheat"))


BROKEN = {
    "{": "expected JSON: ",
    " \n": "expected a game as JSON, got an empty text",
    "[]": "expected `object`, got `array`; for an example, run `pitboss lab show kuhn`",
    '{"generations": 2, "cells": []}': "expected a game, got the archive of a run",
    '{"setup": {"cards": 3}}': "setup: unknown field `cards`",
    write_genome(load("kuhn")).replace(
        '"min_bet": 1', '"min_bet": 3'
    ): "min_bet: expected at most the 2 starting chips, got 3",
    write_genome(load("hearts")).replace(
        '"starting_chips": 0', '"starting_chips": 9'
    ): "setup.starting_chips: expected 0, since the game has no betting phase, got 9",
    write_genome(load("kuhn")).replace('"ante": 1', '"ante": -1'): "setup.ante: expected 0 to 1,000,000,000, got -1",
    write_genome(load("kuhn")).replace(
        "BettingPhase", "BiddingPhase"
    ): "phases[0].type: expected one of DrawPhase, PlayPhase, DiscardPhase, TrickPhase, ClaimPhase, "
    "CommunityPhase, BettingPhase; got 'BiddingPhase'",
}


@for_each("command", ["show", "rulebook"])
@for_each("text", BROKEN, ids=BROKEN.values())
def test_a_broken_file_is_one_sentence_that_names_it(command: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text, encoding="utf-8")
    result = run("lab", command, str(path))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith(f"pitboss lab {command}: {path}: ")
    assert BROKEN[text] in result.stderr
    assert result.stderr.count("\n") == 1


@for_each("command", ["show", "rulebook"])
@for_each("given", ["bridge", "", ".", "kuhn.json"])
def test_an_argument_that_is_neither_a_game_nor_a_file_is_refused(command: str, given: str) -> None:
    result = run("lab", command, given)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith(f"pitboss lab {command}: ")
    assert result.stderr.count("\n") == 1


def test_empty_standard_input_is_refused() -> None:
    done = run_apart("lab", "show", "-")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"pitboss lab show: expected a game as JSON, got an empty text")


@pytest.mark.parametrize("command", ["games", "show", "rulebook"])
def test_help_has_examples(command: str) -> None:
    printed = run("lab", command, "--help").stdout
    assert f"pitboss lab {command}" in printed.split("Examples:")[1]


def test_listing_games_needs_neither_numpy_nor_numba() -> None:
    done = run_apart("lab", "games", PYTHONPROFILEIMPORTTIME="1")
    assert done.returncode == 0
    assert b"numpy" not in done.stderr
    assert b"numba" not in done.stderr
