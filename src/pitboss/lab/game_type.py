"""A genome as a type of game that can be hosted: how a game starts, how it is written, how it came out."""

import msgspec
from msgspec import Struct

from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.lab.events import LabEvent
from pitboss.lab.files import load
from pitboss.lab.game import LabGame
from pitboss.lab.genome import Genome
from pitboss.lab.view import view_event

_moves = msgspec.json.Decoder(str)
_events = msgspec.json.Decoder(LabEvent)

SAFE = ("check", "believe", "pass", "stop", "keep", "fold")
"""What is played in absence, if it is on offer, the first of these that is."""


class LabGameError(PitbossError, ValueError):
    """A game that cannot start, or a text that is no move and no event of the lab."""


class LabGameType(Struct, frozen=True):
    """A type of game: what a genome says.

    >>> leduc = lab_game("leduc")
    >>> game, events = leduc.start(2, Chance(7))
    >>> leduc.name, leduc.write_action(game.legal()[0])
    ('leduc', b'"check"')
    """

    genome: Genome

    @property
    def name(self) -> str:
        """What people call it by."""
        return self.genome.name

    @property
    def places(self) -> range:
        """As many as the genome says."""
        return range(self.genome.player_count, self.genome.player_count + 1)

    def start(self, places: int, chance: Chance) -> tuple[LabGame, tuple[LabEvent, ...]]:
        """Shuffle and deal."""
        if places not in self.places:
            raise LabGameError(f"{self.name} is played by {self.genome.player_count}, not by {places}")
        return LabGame.start(self.genome, chance.bits())

    def write_action(self, action: str) -> bytes:
        """A move as a JSON string."""
        return msgspec.json.encode(action)

    def read_action(self, written: bytes | str) -> str:
        """A move from its written form; raises `LabGameError`."""
        try:
            return _moves.decode(written)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise LabGameError(f"no move of a game of the lab: {error}") from None

    def write_event(self, event: LabEvent) -> bytes:
        """An event as one JSON object."""
        return msgspec.json.encode(event)

    def read_event(self, written: bytes | str) -> LabEvent:
        """An event from its written form; raises `LabGameError`."""
        try:
            event: LabEvent = _events.decode(written)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise LabGameError(f"no event of a game of the lab: {error}") from None
        return event

    def view_event(self, event: LabEvent, place: int | None) -> LabEvent | None:
        """What one place, or for None a spectator, learns from an event."""
        return view_event(event, place)

    def default_action(self, game: LabGame) -> str:
        """What costs nothing; where there is no such move, fold; where there is no bet either, the first move."""
        moves = game.legal()
        return next((move for move in SAFE if move in moves), moves[0])

    def result(self, game: LabGame) -> tuple[int, ...]:
        """Chips won or lost; without chips every loser pays one to every winner."""
        if not game.over:
            raise LabGameError("the game is not over: nobody has won or lost yet")
        chips, winners = self.genome.setup.starting_chips, game.winners
        if chips:
            return tuple([stack - chips for stack in game.chips])
        losers = self.genome.player_count - len(winners)
        return tuple([losers if p in winners else -len(winners) for p in range(self.genome.player_count)])


def lab_game(name: str) -> LabGameType:
    """The type of a known game, or of a genome's file."""
    return LabGameType(load(name))
