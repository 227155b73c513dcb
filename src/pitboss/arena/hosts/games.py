"""The games that the arena can host, by name: all poker games with `act`, other games with `ask`."""

from difflib import get_close_matches
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.arena.hosts.host import Host
from pitboss.arena.hosts.moves import MovesHost
from pitboss.arena.hosts.poker import PokerHost, most_places
from pitboss.arena.journal.records import Settings, SettingsError
from pitboss.chance import Chance
from pitboss.game import GameType, PlayersTurn
from pitboss.hand.game_file import OWN_CODE, GameFileError, game_fields, own_game
from pitboss.hand.games import PHH_CODES, STRUCTURES, NoSuchStructure, is_path, read_game
from pitboss.hand.structure import Structure
from pitboss.lab.files import known_games, load, read_genome, write_genome
from pitboss.lab.genome import GenomeError, check
from pitboss.table.mixed import MIXED, Mixed
from pitboss.table.mixed import games_of as find_games

STARTS = 3
"""The maximum number of games to start when looking for a decision of a player. Usually the first game has one."""


def make_host(settings: Settings) -> Host:
    """Return the host for a table with these settings. Raise `SettingsError` if the settings do not fit the game."""
    games = games_of(settings)
    host: Host
    least, most = (places := places_of(settings)).start, places.stop - 1
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
        host = MovesHost(game_type(settings), settings.own_game)
    return host


def games_of(settings: Settings) -> Mixed | None:
    """Return the poker games of a table, usually one; None if it is another game."""
    if is_genome(settings.own_game):
        return None
    try:
        games = find_games(settings.game if settings.own_game is None else _own_game(settings.own_game))
    except NoSuchStructure:
        return None
    if settings.reopening == "single":
        return games
    structures = [game.structure.with_betting(reopening=settings.reopening) for game in games.games]
    reopened = [replace(game, structure=other) for game, other in zip(games.games, structures, strict=True)]
    return replace(games, games=tuple(reopened))


def _own_game(fields: object) -> Structure:
    """Return the game of a file; raise `SettingsError` if it cannot be played."""
    try:
        return own_game(fields)
    except GameFileError as error:
        raise SettingsError(f"game: {error}") from None


def is_genome(fields: object) -> bool:
    """Return whether the content of a game file is a game of the lab, not a poker game."""
    return isinstance(fields, dict) and "turn_structure" in fields


def game_type(settings: Settings) -> GameType[Any, Any, Any]:
    """Return the game of a table that does not play poker; raise `SettingsError` if it cannot be played."""
    if settings.own_game is None:
        return find_game(settings.game)
    from pitboss.lab.game_type import LabGameType

    try:
        game = LabGameType(check(read_genome(msgspec.json.encode(settings.own_game))))
    except GenomeError as error:
        raise SettingsError(f"game: {error}") from None
    if not _has_decisions(game):
        raise SettingsError(f"{settings.game} has no decisions, so there is nothing for a bot to do")
    return game


def find_game(name: str) -> GameType[Any, Any, Any]:
    """Return a game other than poker by name; raise `SettingsError` if it does not exist or has no decisions."""
    if name not in ("sting", *known_games()):
        poker = ", ".join(STRUCTURES[code].key for code in PHH_CODES)
        others = ", ".join((*MIXED, *hosted()))
        raise SettingsError(
            f"no game is called {name[:60]!r}{_hint(name)}: there are {poker}, {others}, and more in docs/games.md"
        )
    if not asks(name):
        raise SettingsError(f"{name} has no decisions, so there is nothing for a bot to do{_hint(name)}")
    return _game(name)


def _hint(name: str) -> str:
    """Return a hint with the most similar name."""
    near = [other for other in names() if name in other] or get_close_matches(name.lower(), names(), 1)
    return f"; try {near[0]}" if near and name else ""


def _game(name: str) -> GameType[Any, Any, Any]:
    if name == "sting":
        from pitboss.sting.game_type import STING  # a table of poker does not need another game's cards

        return STING
    from pitboss.lab.game_type import lab_game  # nor the lab's engine

    return lab_game(name)


@cache
def asks(name: str) -> bool:
    """Return whether players have any decision in a game other than poker."""
    return _has_decisions(_game(name))


def _has_decisions(game: GameType[Any, Any, Any]) -> bool:
    starts = (game.start(game.places.start, Chance(seed))[0] for seed in range(STARTS))
    return any(isinstance(state.turn, PlayersTurn) for state in starts)


def find_places(name: str) -> range:
    """Return the maximum number of players; raise `SettingsError` if no game has this name."""
    return places_of(chosen_game(name))


def places_of(settings: Settings) -> range:
    """Return the possible numbers of players; raise `SettingsError` if the game cannot be played."""
    games = games_of(settings)
    return range(2, most_places(games) + 1) if games is not None else game_type(settings).places


def chosen_game(name: str) -> Settings:
    """Return settings with only the game, given by any of its names or by the path of a game file: poker in TOML, a
    game of the lab in JSON.

    Raise `GameFileError` or `GenomeError` if the file cannot be read or played. Do not call it with names that come
    from clients.
    """
    if name.endswith(".json"):
        genome = load(name)
        return Settings(game=genome.name, own_game=msgspec.json.decode(write_genome(genome)))
    if not is_path(name):
        return Settings(game=full_name(name))
    structure = read_game(name)
    return Settings(game=structure.key, own_game=game_fields(structure) if structure.code == OWN_CODE else None)


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
    """Return the names of all games that are not poker."""
    return [name for name in ("sting", *known_games()) if asks(name)]
