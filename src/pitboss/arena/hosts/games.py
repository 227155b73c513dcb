"""The games that the arena can host, by name: every structure of poker in v1's words, others by their moves."""

from typing import Any

from pitboss.arena.hosts.host import Host
from pitboss.arena.hosts.moves import MovesHost
from pitboss.arena.hosts.poker import PokerHost
from pitboss.arena.journal.records import Reopens, Settings, SettingsError
from pitboss.betting.rules import Reopening
from pitboss.game import GameType
from pitboss.hand.structure import STRUCTURES, NoSuchStructure, Structure, find_structure


def structure_of(settings: Settings) -> Structure | None:
    """The structure that a table plays; None where it is no poker."""
    try:
        return reopened(find_structure(settings.game), settings.reopening)
    except NoSuchStructure:
        return None


def find_game(name: str) -> GameType[Any, Any, Any] | None:
    """A game that is no poker, by name."""
    if name == "sting":
        from pitboss.sting.game import STING  # a table of poker does not read another game's cards

        return STING
    return None


def make_host(settings: Settings) -> Host:
    """The host for a table of these settings; raises `SettingsError` where there is none or it cannot play so."""
    structure = structure_of(settings)
    if structure is not None:
        return _fitting(PokerHost(structure, settings), settings)
    game = find_game(settings.game)
    if game is None:
        known = ", ".join(names())
        raise SettingsError(f"no game is called {settings.game!r}: there are {known}")
    if settings.reopening != "single":
        raise SettingsError(f"{settings.game} has no such setting as reopening")
    return _fitting(MovesHost(game), settings)


def reopened(structure: Structure, reopening: Reopens) -> Structure:
    """A structure in which this lets a player who has acted raise again."""
    return structure if reopening == "single" else structure.with_betting(reopening=Reopening[reopening.upper()])


def names() -> list[str]:
    """The games that can be hosted."""
    return [*[structure.key for structure in STRUCTURES.values()], "sting"]


def _fitting(host: Host, settings: Settings) -> Host:
    least, most = host.places.start, host.places.stop - 1
    if not least <= settings.seats <= most:
        many = str(least) if least == most else f"{least} to {most}"
        raise SettingsError(f"{settings.game} is played by {many}, and the table has {settings.seats} seats")
    return host
