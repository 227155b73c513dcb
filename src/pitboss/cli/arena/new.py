"""`pitboss arena new`: write a starter bot to a file."""

import json
import os
import re
import shlex
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from textwrap import wrap

import click

from pitboss.arena.hosts.moves import MovesHost
from pitboss.cli.arena.play import game_to_play
from pitboss.cli.output import echo, fail, program
from pitboss.hand.games import NO_LIMIT_HOLDEM, is_path
from pitboss.table.mixed import Mixed

GAME_LINE = re.compile(r"^GAME = .*$", re.MULTILINE)
LAST_IMPORT = "from itertools import combinations, islice\n"
"""The last import of the standard library in the starter for any poker game."""
RULES_WIDTH = 100
URL = "ws://127.0.0.1:8765/ws"
"""The default address of `make run` and `arena serve`."""


@click.command(short_help="write a starter bot")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--game",
    default=NO_LIMIT_HOLDEM.key,
    show_default=True,
    metavar="NAME",
    help="Game that the bot plays: poker (razz, omaha), mixed games (horse), a game of the lab (hearts), sting, or a "
    "game file (mine.toml; in JSON for the lab); docs/games.md.",
)
def new(file: Path, game: str) -> None:
    """Write a starter bot to FILE, and print the next commands. FILE must not exist; its folder is created if needed.
    A game file outside this folder is copied into it, because bots may read only files of their own folder.

    \b
    Examples:
      pitboss arena new my_bot.py
      pitboss arena new alice/bot.py
      pitboss arena new my_bot.py --game razz
      pitboss arena new my_bot.py --game mine.toml
      pitboss arena new my_bot.py --game hearts
    """
    games = game_to_play(game)
    if not file.name.endswith(".py") or not file.stem.isidentifier():
        raise click.UsageError(
            f"FILE: expected a name of letters, digits and _ with .py, as my_bot.py, got {file.name}"
        )
    if file.stem in sys.stdlib_module_names or file.stem == "pitboss":
        raise click.UsageError(f"FILE: your bot could not import the module {file.stem} any more: give another name")
    next_steps = _next_steps(file, games, game)
    near = _near(file, game) if is_path(game) and isinstance(games, Mixed) else None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if near is not None and not _has_copy(near, game):
            with near.open("xb") as copy:
                copy.write(Path(game).read_bytes())
        with file.open("x", encoding="utf-8") as out:
            out.write(_text(file, games, near, next_steps))
    except FileExistsError as error:
        fail("arena new", f"{error.filename} already exists and was not changed: give another name")
    except OSError as error:
        fail("arena new", f"{file} cannot be written: {error.strerror}")
    echo(f"{file} plays {_name(games)}. What to type next:")
    for command, what in next_steps:
        echo(f"  {command}\n    {what}")


def _near(file: Path, game: str) -> Path:
    """Return where the bot reads its game file: a bot in a sandbox reads only the files in its own folder."""
    path = Path(game)
    return path if path.resolve().is_relative_to(file.parent.resolve()) else file.parent / path.name


def _has_copy(near: Path, game: str) -> bool:
    """Return whether the file that the bot reads has the content of the game file already."""
    return near.is_file() and near.read_bytes() == Path(game).read_bytes()


def _name(games: Mixed | MovesHost) -> str:
    return games.variant if isinstance(games, MovesHost) else games.name


def _text(file: Path, games: Mixed | MovesHost, near: Path | None, next_steps: Sequence[tuple[str, str]]) -> str:
    """Return the starter bot for the game, which may be a file, with the next commands as a comment at the end."""
    remarks = "".join(f"#   {command}  # {what}\n" for command, what in next_steps)
    bot = _poker_bot(file, games, near) if isinstance(games, Mixed) else _game_bot(games)
    return f"{bot}\n\n# What to type next:\n{remarks}"


def _game_bot(game: MovesHost) -> str:
    """Return the starter bot for a game that is not poker, with the rules as a comment at the end."""
    starter = (files("pitboss.client") / "starters" / "games.py").read_text(encoding="utf-8")
    lines = [line for part in game.rules.splitlines() for line in (wrap(part, RULES_WIDTH) or [""])]
    rules = "".join(f"# {line}".rstrip() + "\n" for line in ["The rules:", "", *lines])
    return f"{starter.replace('THE_GAME', game.variant)}\n\n{rules}"


def _poker_bot(file: Path, games: Mixed, near: Path | None) -> str:
    starter = "holdem.py" if _is_holdem(games) else "poker.py"
    bot = (files("pitboss.client") / "starters" / starter).read_text(encoding="utf-8")
    chosen = f'find_game("{games.games[0].structure.key}")'
    if near is not None:
        found = os.path.relpath(near.resolve(), file.parent.resolve())
        chosen = f"find_game(Path(__file__).parent / {json.dumps(found, ensure_ascii=False)})"
        bot = bot.replace(LAST_IMPORT, f"{LAST_IMPORT}from pathlib import Path\n")
    return GAME_LINE.sub(lambda _: f"GAME = {chosen}", bot)


def _is_holdem(games: Mixed) -> bool:
    """Return whether the starter for hold'em plays the only game."""
    return [each.structure for each in games.games] == [NO_LIMIT_HOLDEM]


def _next_steps(file: Path, games: Mixed | MovesHost, game: str) -> list[tuple[str, str]]:
    """Return the next commands, each with a description."""
    if isinstance(games, MovesHost):
        return _next_steps_of(games, shlex.quote(str(file)), shlex.quote(game))
    holdem = _is_holdem(games)
    name = shlex.quote(game) if is_path(game) else games.key
    bot, rival, option = shlex.quote(str(file)), "tight" if holdem else "calling", "" if holdem else f" --game {name}"
    return [
        (f"{program()} arena play {bot} {rival} --hands 500{option}", "play it against a house bot"),
        (f"{program()} arena doctor {bot}{option}", "test it with every message and with errors"),
        (
            f"{program()} arena join {bot} {URL}",
            f"play it at a server's table{', while make run runs' if holdem else ''}",
        ),
    ]


def _next_steps_of(host: MovesHost, bot: str, game: str) -> list[tuple[str, str]]:
    """Return the next commands for a game that is not poker."""
    rivals = ["opponent" if host.variant == "sting" else "greedy"] * (host.places.start - 1)
    return [
        (f"{program()} arena play {bot} {' '.join(rivals)} --hands 100 --game {game}", "play it against house bots"),
        (f"{program()} arena doctor {bot} --game {game}", "test it with every message and with errors"),
        (f"{program()} arena serve --game {game} --house {','.join(rivals)}", "host a table with house bots"),
        (f"{program()} arena join {bot} {URL}", "play it at this table, in another terminal"),
    ]
