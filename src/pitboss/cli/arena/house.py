"""What `--house` names: bots of the house, and bots' files, each of which runs in a process of its own."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import click
from msgspec import Struct

from pitboss.arena.bots import HOUSE, why_not
from pitboss.arena.bots.house import bot_of
from pitboss.arena.bots.runner import BotNotReady, BotRunner
from pitboss.arena.rooms.room import Room
from pitboss.arena.rooms.tables import OpeningError
from pitboss.client.apart import start_bot
from pitboss.client.load import bot_name
from pitboss.table.mixed import Mixed


class HouseBots(Struct, frozen=True):
    """The house's bots by name, in order, and how those that are files are started."""

    names: list[str]
    files: dict[str, Callable[[], BotRunner]]


def read_house(text: str, games: Mixed | None) -> HouseBots:
    """What stands behind `--house`; every file is loaded once, so that what cannot play is refused at once."""
    names: list[str] = []
    files: dict[str, Callable[[], BotRunner]] = {}
    places: dict[str, Path] = {}
    for bot in filter(None, map(str.strip, text.split(","))):
        if bot not in HOUSE and not bot.endswith(".py"):
            raise click.UsageError(
                f"no house bot is called {bot!r}: there are {', '.join(HOUSE)}, or give a file bot.py"
            )
        name = bot_name(bot)
        if bot not in HOUSE:
            place = Path(bot).resolve()
            if name in HOUSE or not name.isidentifier() or places.setdefault(name, place) != place:
                raise click.UsageError(f"{bot}: a bot's file needs a name of its own, of letters and digits")
            files[name] = partial(start_bot, str(place), folder=place.parent)
            reason = None if games is not None else f"{bot}: a bot's file plays poker only"
        else:
            reason = why_not(bot, [game.structure for game in games.games] if games is not None else [])
        if reason is not None:
            raise click.UsageError(reason)
        names.append(name)
    for start in files.values():
        try:
            start().close()
        except BotNotReady as error:
            raise click.UsageError(str(error)) from None
    return HouseBots(names, files)


def check_house(rooms: Iterable[Room], house: HouseBots) -> None:
    """Refuse to take up a match at which a bot's file plays that was not given again."""
    for room in rooms:
        for team in room.match.house_teams:
            name = bot_of(team)
            if not room.match.over and name not in HOUSE and name not in house.files:
                raise OpeningError(f"{team} at {room.match.table_id} is a bot's file: give it again, --house {name}.py")
