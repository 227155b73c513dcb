"""The games that the arena can host, by name: every structure of poker in v1's words, others by their moves."""

from difflib import get_close_matches
from functools import cache
from typing import Any

from pitboss.arena.hosts.host import Host
from pitboss.arena.hosts.moves import MovesHost
from pitboss.arena.hosts.poker import PokerHost, most_places
from pitboss.arena.journal.records import Reopens, Settings, SettingsError
from pitboss.arena.v1.poker import HUNL
from pitboss.chance import Chance
from pitboss.game import GameType, PlayersTurn
from pitboss.hand.games import NO_LIMIT_HOLDEM, STRUCTURES, NoSuchStructure, find_structure
from pitboss.hand.structure import Structure
from pitboss.lab.genome.known import known_games

STARTS = 3
"""How many games are started to see whether somebody is asked; in most the first one says it."""


def make_host(settings: Settings) -> Host:
    """The host for a table of these settings; raises `SettingsError` where there is none or it cannot play so."""
    structure = structure_of(settings)
    host: Host
    if structure is not None:
        host = PokerHost(structure, settings)
    elif settings.reopening != "single" or settings.ante is not None or settings.bring_in is not None:
        name = "reopening" if settings.reopening != "single" else "ante" if settings.ante is not None else "bring_in"
        raise SettingsError(f"{settings.game} has no such setting as {name}")
    else:
        host = MovesHost(find_game(settings.game))
    least, most = host.places.start, host.places.stop - 1
    if not least <= settings.seats <= most:
        many = str(least) if least == most else f"{least} to {most}"
        raise SettingsError(f"{settings.game} is played by {many}, and the table has {settings.seats} seats")
    return host


def structure_of(settings: Settings) -> Structure | None:
    """The structure that a table plays; None where it is no poker."""
    name = NO_LIMIT_HOLDEM.key if settings.game.upper() == HUNL else settings.game
    try:
        return reopened(find_structure(name), settings.reopening)
    except NoSuchStructure:
        return None


def reopened(structure: Structure, reopening: Reopens) -> Structure:
    """A structure in which this lets a player who has acted raise again."""
    return structure if reopening == "single" else structure.with_betting(reopening=reopening)


def find_game(name: str) -> GameType[Any, Any, Any]:
    """A game that is no poker, by name; raises `SettingsError` where there is none, or it asks nobody anything."""
    if name not in ("sting", *known_games()):
        poker = ", ".join(f"{structure.key} ({code})" for code, structure in STRUCTURES.items())
        others = ", ".join(hosted())
        raise SettingsError(f"no game is called {name[:60]!r}{_hint(name)}: there are {poker}, {others}")
    if not asks(name):
        raise SettingsError(f"{name} asks nobody anything: there is nothing for a bot to do{_hint(name)}")
    return _game(name)


def _hint(name: str) -> str:
    """The name that was perhaps meant."""
    near = [other for other in names() if name in other] or get_close_matches(name.lower(), names(), 1)
    return f"; try {near[0]}" if near and name else ""


def _game(name: str) -> GameType[Any, Any, Any]:
    if name == "sting":
        from pitboss.sting.game import STING  # a table of poker does not read another game's cards

        return STING
    from pitboss.lab.hosting import lab_game  # nor the lab's engine

    return lab_game(name)


@cache
def asks(name: str) -> bool:
    """Whether anybody is asked anything in a game that is no poker."""
    game = _game(name)
    starts = (game.start(game.places.start, Chance(seed))[0] for seed in range(STARTS))
    return any(isinstance(state.turn, PlayersTurn) for state in starts)


def find_places(name: str) -> range:
    """How many may play a game; raises `SettingsError` where there is none of this name."""
    structure = structure_of(Settings(game=name))
    return range(2, most_places(structure) + 1) if structure is not None else find_game(name).places


def full_name(name: str) -> str:
    """What a game is called in settings, of all names it has.

    >>> full_name("PO"), full_name("pot_limit_omaha"), full_name("HUNL"), full_name("sting")
    ('omaha', 'omaha', 'no_limit_holdem', 'sting')
    """
    structure = structure_of(Settings(game=name))
    return structure.key if structure is not None else name


def names() -> list[str]:
    """The games that can be hosted."""
    return [*[structure.key for structure in STRUCTURES.values()], *hosted()]


def hosted() -> list[str]:
    """Those of them that are no poker."""
    return [name for name in ("sting", *known_games()) if asks(name)]
