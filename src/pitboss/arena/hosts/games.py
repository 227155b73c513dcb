"""The games that the arena can host, by name: every structure of poker in v1's words, others by their moves."""

from typing import Any

from pitboss.arena.hosts.host import Host
from pitboss.arena.hosts.moves import MovesHost
from pitboss.arena.hosts.poker import PokerHost, most_places
from pitboss.arena.journal.records import Reopens, Settings, SettingsError
from pitboss.game import GameType
from pitboss.hand.structure import STRUCTURES, NoSuchStructure, Structure, find_structure
from pitboss.lab.genome.known import known_games


def make_host(settings: Settings) -> Host:
    """The host for a table of these settings; raises `SettingsError` where there is none or it cannot play so."""
    structure = structure_of(settings)
    host: Host
    if structure is not None:
        host = PokerHost(structure, settings)
    elif settings.reopening != "single":
        raise SettingsError(f"{settings.game} has no such setting as reopening")
    else:
        host = MovesHost(find_game(settings.game))
    least, most = host.places.start, host.places.stop - 1
    if not least <= settings.seats <= most:
        many = str(least) if least == most else f"{least} to {most}"
        raise SettingsError(f"{settings.game} is played by {many}, and the table has {settings.seats} seats")
    return host


def structure_of(settings: Settings) -> Structure | None:
    """The structure that a table plays; None where it is no poker."""
    try:
        return reopened(find_structure(settings.game), settings.reopening)
    except NoSuchStructure:
        return None


def reopened(structure: Structure, reopening: Reopens) -> Structure:
    """A structure in which this lets a player who has acted raise again."""
    return structure if reopening == "single" else structure.with_betting(reopening=reopening)


def find_game(name: str) -> GameType[Any, Any, Any]:
    """A game that is no poker, by name; raises `SettingsError`."""
    if name == "sting":
        from pitboss.sting.game import STING  # a table of poker does not read another game's cards

        return STING
    if name in known_games():
        from pitboss.lab.hosting import lab_game  # nor the lab's engine

        return lab_game(name)
    raise SettingsError(f"no game is called {name[:60]!r}: there are {', '.join(names())}")


def find_places(name: str) -> range:
    """How many may play a game; raises `SettingsError` where there is none of this name."""
    structure = structure_of(Settings(game=name))
    return range(2, most_places(structure) + 1) if structure is not None else find_game(name).places


def full_name(name: str) -> str:
    """What a game is called in settings, of all names it has.

    >>> full_name("PO"), full_name("pot_limit_omaha"), full_name("sting")
    ('omaha', 'omaha', 'sting')
    """
    structure = structure_of(Settings(game=name))
    return structure.key if structure is not None else name


def names() -> list[str]:
    """The games that can be hosted."""
    return [*[structure.key for structure in STRUCTURES.values()], "sting", *known_games()]
