"""The games that the arena can host, by name: every structure of poker in v1's words, others by their moves."""

from difflib import get_close_matches
from functools import cache
from typing import Any

from msgspec.structs import replace

from pitboss.arena.hosts.host import Host
from pitboss.arena.hosts.moves import MovesHost
from pitboss.arena.hosts.poker import PokerHost, most_places
from pitboss.arena.journal.records import Settings, SettingsError
from pitboss.chance import Chance
from pitboss.game import GameType, PlayersTurn
from pitboss.hand.games import PHH_CODES, STRUCTURES, NoSuchStructure
from pitboss.lab.files import known_games
from pitboss.table.mixed import MIXED, Mixed
from pitboss.table.mixed import games_of as find_games

STARTS = 3
"""How many games are started to see whether somebody is asked; in most the first one says it."""


def make_host(settings: Settings) -> Host:
    """The host for a table of these settings; raises `SettingsError` where there is none or it cannot play so."""
    games = games_of(settings)
    host: Host
    least, most = (places := find_places(settings.game)).start, places.stop - 1
    if not least <= settings.seats <= most:
        many = str(least) if least == most else f"{least} to {most}"
        raise SettingsError(f"{settings.game} is played by {many}, and the table has {settings.seats} seats")
    if games is not None:
        host = PokerHost(games, settings)
    else:
        for name in ("reopening", "button", "ante", "bring_in"):
            if getattr(settings, name) not in (None, "single", "moving"):
                raise SettingsError(f"{settings.game} has no such setting as {name}")
        host = MovesHost(find_game(settings.game))
    return host


def games_of(settings: Settings) -> Mixed | None:
    """The games that a table goes through, mostly one; None where it is no poker."""
    try:
        games = find_games(settings.game)
    except NoSuchStructure:
        return None
    if settings.reopening == "single":
        return games
    structures = [game.structure.with_betting(reopening=settings.reopening) for game in games.games]
    reopened = [replace(game, structure=other) for game, other in zip(games.games, structures, strict=True)]
    return replace(games, games=tuple(reopened))


def find_game(name: str) -> GameType[Any, Any, Any]:
    """A game that is no poker, by name; raises `SettingsError` where there is none, or it asks nobody anything."""
    if name not in ("sting", *known_games()):
        poker = ", ".join(f"{STRUCTURES[code].key} ({code})" for code in PHH_CODES)
        others = ", ".join((*MIXED, *hosted()))
        raise SettingsError(
            f"no game is called {name[:60]!r}{_hint(name)}: there are {poker}, {others}, and more in docs/games.md"
        )
    if not asks(name):
        raise SettingsError(f"{name} asks nobody anything: there is nothing for a bot to do{_hint(name)}")
    return _game(name)


def _hint(name: str) -> str:
    """The name that was perhaps meant."""
    near = [other for other in names() if name in other] or get_close_matches(name.lower(), names(), 1)
    return f"; try {near[0]}" if near and name else ""


def _game(name: str) -> GameType[Any, Any, Any]:
    if name == "sting":
        from pitboss.sting.game_type import STING  # a table of poker does not read another game's cards

        return STING
    from pitboss.lab.game import lab_game  # nor the lab's engine

    return lab_game(name)


@cache
def asks(name: str) -> bool:
    """Whether anybody is asked anything in a game that is no poker."""
    game = _game(name)
    starts = (game.start(game.places.start, Chance(seed))[0] for seed in range(STARTS))
    return any(isinstance(state.turn, PlayersTurn) for state in starts)


def find_places(name: str) -> range:
    """How many may play a game; raises `SettingsError` where there is none of this name."""
    games = games_of(Settings(game=name))
    return range(2, most_places(games) + 1) if games is not None else find_game(name).places


def full_name(name: str) -> str:
    """What a game is called in settings, of all names it has.

    >>> full_name("PO"), full_name("pot_limit_omaha"), full_name("HUNL"), full_name("sting")
    ('omaha', 'omaha', 'no_limit_holdem', 'sting')
    """
    games = games_of(Settings(game=name))
    return games.key if games is not None else name


def names() -> list[str]:
    """The games that can be hosted."""
    return [*[structure.key for structure in STRUCTURES.values()], *MIXED, *hosted()]


def hosted() -> list[str]:
    """Those of them that are no poker."""
    return [name for name in ("sting", *known_games()) if asks(name)]
