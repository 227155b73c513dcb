"""`pitboss games`: list poker games; print one as a file or in English; check a file."""

from typing import NoReturn

import click
import msgspec

from pitboss.cli.output import echo, fail
from pitboss.errors import PitbossError
from pitboss.hand.game_file import betting_system, write_game
from pitboss.hand.games import STRUCTURES, file_games, find_game, read_game
from pitboss.hand.rulebook import explain_game
from pitboss.hand.structure import Structure

game_argument = click.argument("game", metavar="NAME|FILE")


@click.group(invoke_without_command=True, short_help="list poker games; print, check and explain game files")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per game and line.")
@click.pass_context
def games(context: click.Context, as_json: bool) -> None:
    """List the poker games. A game is data, and your own game is a file.

    \b
    Examples:
      pitboss games
      pitboss games --json
      pitboss games show omaha > mine.toml
      pitboss games check mine.toml
      pitboss games explain mine.toml
    """
    if context.invoked_subcommand is not None:
        if as_json:
            raise click.UsageError("--json lists the games; give it without a command")
        return
    listed = [_summary(structure) for structure in (*STRUCTURES.values(), *file_games())]
    if as_json:
        for entry in listed:
            echo(msgspec.json.encode(entry))
        return
    width = max([len(entry["name"]) for entry in listed])
    for entry in listed:
        echo(f"{entry['name']:<{width}}  {entry['code']:<6} {entry['title']}")


def _summary(structure: Structure) -> dict[str, str]:
    return {
        "name": structure.key,
        "code": structure.code,
        "title": structure.name,
        "betting": betting_system(structure),
    }


@games.command(short_help="print a game as a TOML file")
@game_argument
def show(game: str) -> None:
    """Print a game as TOML with comments. Change it to make your own game.

    \b
    Examples:
      pitboss games show omaha
      pitboss games show courchevel > mine.toml
    """
    echo(write_game(_find("show", game)), nl=False)


@games.command(short_help="check a game file")
@click.argument("file", metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with the name of the game.")
def check(file: str, as_json: bool) -> None:
    """Check a game file, without dealing any card. The exit status is 1 if the game cannot be played.

    \b
    Examples:
      pitboss games check mine.toml
    """
    try:
        structure = read_game(file)
    except PitbossError as error:
        _fail("check", error)
    if as_json:
        echo(msgspec.json.encode({**_summary(structure), "most_players": structure.most_players}))
    else:
        echo(f"{file}: {structure.name}, for 2 to {structure.most_players} players")


@games.command(short_help="print the rules of a game in plain English")
@game_argument
def explain(game: str) -> None:
    """Print the rules of a game in plain English.

    \b
    Examples:
      pitboss games explain razz
      pitboss games explain mine.toml
    """
    echo("\n".join(explain_game(_find("explain", game))))


def _find(command: str, game: str) -> Structure:
    try:
        return find_game(game)
    except PitbossError as error:
        _fail(command, error)


def _fail(command: str, error: Exception) -> NoReturn:
    fail(f"games {command}", error)
