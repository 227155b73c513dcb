"""The games that the arena can host, by name: all poker games with `act`, other games with `ask`."""

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
"""How many games are started to see whether a player gets a turn; usually the first one shows it."""


def make_host(settings: Settings) -> Host:
    """Return the host for a table with these settings; raise `SettingsError` if the game cannot be played with them."""
    games = games_of(settings)
    host: Host
    least, most = (places := find_places(settings.game)).start, places.stop - 1
    if not least <= settings.seats <= most:
        many = str(least) if least == most else f"{least} to {most}"
        raise SettingsError(f"seats: expected {many} for {settings.game}, got {settings.seats}")
    if games is not None:
        host = PokerHost(games, settings)
    else:
        if settings.cash:
            raise SettingsError(f"{settings.game} is not poker: cash tables play poker only")
        for name in ("reopening", "button", "ante", "bring_in"):
            if getattr(settings, name) not in (None, "single", "moving"):
                raise SettingsError(f"{name}: {settings.game} does not have this setting")
        host = MovesHost(find_game(settings.game))
    return host


def games_of(settings: Settings) -> Mixed | None:
    """Return the poker games of a table, usually one; None if it is another game."""
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
    """Return a game other than poker by name; raise `SettingsError` if it does not exist or has no decisions."""
    if name not in ("sting", *known_games()):
        poker = ", ".join(f"{STRUCTURES[code].key} ({code})" for code in PHH_CODES)
        others = ", ".join((*MIXED, *hosted()))
        raise SettingsError(
            f"no game is called {name[:60]!r}{_hint(name)}: there are {poker}, {others}, and more in docs/games.md"
        )
    if not asks(name):
        raise SettingsError(f"{name} has no decisions, so there is nothing for a bot to do{_hint(name)}")
    return _game(name)


def _hint(name: str) -> str:
    """Return a hint with the name that was probably meant."""
    near = [other for other in names() if name in other] or get_close_matches(name.lower(), names(), 1)
    return f"; try {near[0]}" if near and name else ""


def _game(name: str) -> GameType[Any, Any, Any]:
    if name == "sting":
        from pitboss.sting.game_type import STING  # a table of poker does not need another game's cards

        return STING
    from pitboss.lab.game import lab_game  # nor the lab's engine

    return lab_game(name)


@cache
def asks(name: str) -> bool:
    """Return whether players have any decision in a game other than poker."""
    game = _game(name)
    starts = (game.start(game.places.start, Chance(seed))[0] for seed in range(STARTS))
    return any(isinstance(state.turn, PlayersTurn) for state in starts)


def find_places(name: str) -> range:
    """Return the maximum number of players; raise `SettingsError` if no game has this name."""
    games = games_of(Settings(game=name))
    return range(2, most_places(games) + 1) if games is not None else find_game(name).places


def full_name(name: str) -> str:
    """Return the name of a game as settings have it, given any of its names.

    >>> full_name("PO"), full_name("pot_limit_omaha"), full_name("HUNL"), full_name("sting")
    ('omaha', 'omaha', 'no_limit_holdem', 'sting')
    """
    games = games_of(Settings(game=name))
    return games.key if games is not None else name


def names() -> list[str]:
    """Return the names of all games that can be hosted."""
    return [*[structure.key for structure in STRUCTURES.values()], *MIXED, *hosted()]


def hosted() -> list[str]:
    """Return the names of those that are not poker."""
    return [name for name in ("sting", *known_games()) if asks(name)]
