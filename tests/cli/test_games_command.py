"""`pitboss games`: the list, a game as a file and in English, and the check of a file."""

import json
from pathlib import Path

from click.testing import CliRunner

from pitboss.cli.main import cli
from pitboss.hand.game_file import parse_game
from pitboss.hand.games import STRUCTURES, file_games, find_game
from pitboss.hand.rulebook import explain_game
from pitboss.printing import printable
from tests.support.for_each import for_each


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli, ["games", *arguments])
    assert result.exit_code == status, result.output
    return result.output


def test_the_list_has_one_object_per_line() -> None:
    listed = [json.loads(line) for line in run("--json").splitlines()]
    assert listed[0] == {
        "name": "no_limit_holdem",
        "code": "NT",
        "title": "no-limit hold'em",
        "betting": "no_limit",
    }
    names = [entry["name"] for entry in listed]
    assert names == [game.key for game in (*STRUCTURES.values(), *file_games())]
    assert {entry["betting"] for entry in listed} == {"no_limit", "pot_limit", "fixed_limit"}
    assert all(name in run() for name in names)


def test_output_of_show_is_a_valid_game_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(run("show", "badugi"), encoding="utf-8")
    assert parse_game(path.read_text(encoding="utf-8")) == find_game("badugi")
    assert json.loads(run("check", str(path), "--json")) == {
        "name": "badugi",
        "code": "FB",
        "title": "limit badugi",
        "betting": "fixed_limit",
        "most_players": 12,
    }
    assert run("show", str(path)) == run("show", "badugi")


def test_a_wrong_file_is_one_line_with_line_and_key(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(run("show", "courchevel").replace("hole = 5", "hole = 30"), encoding="utf-8")
    printed = run("check", str(path), status=1)
    assert printed.startswith(f"pitboss games check: {path}, line 12, streets[1]: ")
    assert printed.count("\n") == 1


def test_an_unknown_game_is_one_line() -> None:
    assert run("explain", "chess", status=1).startswith("pitboss games explain: no game is called 'chess'")


@for_each("name", [game.key for game in (*STRUCTURES.values(), *file_games())])
def test_the_rules_name_every_street(name: str) -> None:
    game = find_game(name)
    lines = explain_game(game)
    for number, street in enumerate(game.streets, 1):
        assert any(line.startswith(f"{number}. {street.name.replace('_', ' ').capitalize()}:") for line in lines)
    assert all(printable(line) == line for line in lines)
