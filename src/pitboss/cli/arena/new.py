"""`pitboss arena new`: a bot to begin from, in a file of one's own."""

import re
import shlex
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import click

from pitboss.cli.output import echo, fail, program
from pitboss.hand.games import NO_LIMIT_HOLDEM, NoSuchStructure
from pitboss.table.mixed import Mixed, games_of

GAME_LINE = re.compile(r'^GAME = ".*"$', re.MULTILINE)
URL = "ws://127.0.0.1:8765/ws"
"""Where `make run` and `arena serve` listen by default."""


@click.command(short_help="write a starter bot")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--game",
    default=NO_LIMIT_HOLDEM.key,
    show_default=True,
    metavar="NAME",
    help="What it is to play: poker by its name or PHH code (razz, F2L3D), or mixed games (horse).",
)
def new(file: Path, game: str) -> None:
    """Write a starter bot into FILE, a new Python file; its folder is created if needed. The next commands are printed.

    \b
    Examples:
      pitboss arena new my_bot.py
      pitboss arena new alice/bot.py
      pitboss arena new my_bot.py --game razz
    """
    try:
        games = games_of(game)
    except NoSuchStructure as error:
        raise click.UsageError(str(error)) from None
    if not file.name.endswith(".py") or not file.stem.isidentifier():
        raise click.UsageError(f"{file.name}: a bot's file is called like a word and ends in .py, such as my_bot.py")
    if file.stem in sys.stdlib_module_names or file.stem == "pitboss":
        raise click.UsageError(f"{file.name} would hide the module {file.stem} from your bot: give another name")
    next_steps = _next_steps(file, games)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as out:
            out.write(_text(games, next_steps))
    except FileExistsError as error:
        fail("arena new", f"{error.filename} already exists and was not changed: give another name")
    except OSError as error:
        fail("arena new", f"{file} cannot be written: {error.strerror}")
    echo(f"{file} plays {games.name}. What to type next:")
    for command, what in next_steps:
        echo(f"  {command}\n    {what}")


def _text(games: Mixed, next_steps: Sequence[tuple[str, str]]) -> str:
    """The bot that fits the game, with what to type next below it."""
    holdem = games.key == NO_LIMIT_HOLDEM.key
    bot = (files("pitboss.client") / "starters" / ("holdem.py" if holdem else "poker.py")).read_text(encoding="utf-8")
    bot = GAME_LINE.sub(f'GAME = "{games.key}"', bot)
    remarks = "".join(f"#   {command}  # {what}\n" for command, what in next_steps)
    return f"{bot}\n\n# What to type next:\n{remarks}"


def _next_steps(file: Path, games: Mixed) -> list[tuple[str, str]]:
    """Commands, each with what it does."""
    holdem = games.key == NO_LIMIT_HOLDEM.key
    bot, rival, option = (
        shlex.quote(str(file)),
        "tight" if holdem else "calling",
        "" if holdem else f" --game {games.key}",
    )
    return [
        (f"{program()} arena play {bot} {rival} --hands 500{option}", "how it does against a house bot, here and now"),
        (f"{program()} arena doctor {bot}{option}", "what it does wrong on a bad day"),
        (
            f"{program()} arena join {bot} {URL}",
            f"a seat at a server's table{', while make run runs' if holdem else ''}",
        ),
    ]
