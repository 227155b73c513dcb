"""A genome as a type of game that can be hosted."""

from collections.abc import Sequence
from functools import cached_property

import msgspec
from msgspec import Struct

from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.game import TableView
from pitboss.lab import events
from pitboss.lab.codes import LABELS
from pitboss.lab.display import LabLayout, table_view
from pitboss.lab.english import SUIT_NAMES
from pitboss.lab.files import load
from pitboss.lab.game import LabGame, view_event
from pitboss.lab.genome import Genome
from pitboss.lab.narrator import EventNarrator
from pitboss.lab.rulebook import rulebook
from pitboss.lab.text import describe
from pitboss.observations import ObservationLayout, observe

_moves = msgspec.json.Decoder(str)
_events = msgspec.json.Decoder(events.LabEvent)

SAFE = ("check", "believe", "pass", "stop", "keep", "fold")
"""Moves for an absent player, in order. The first legal one is made."""


class LabGameError(PitbossError, ValueError):
    """A game cannot start, or a text is not a valid move or event of the lab."""


class LabGameType(Struct, frozen=True, dict=True):
    """A genome as a type of game that can be hosted.

    >>> leduc = lab_game("leduc")
    >>> game, events = leduc.start(2, Chance(7))
    >>> leduc.name, leduc.write_action(game.legal()[0])
    ('leduc', b'"check"')
    """

    genome: Genome

    @property
    def name(self) -> str:
        """The genome's name."""
        return self.genome.name

    @property
    def places(self) -> range:
        """The number of players of the genome. No other number is possible."""
        return range(self.genome.player_count, self.genome.player_count + 1)

    def start(self, places: int, chance: Chance) -> tuple[LabGame, tuple[events.LabEvent, ...]]:
        """Shuffle and deal."""
        if places not in self.places:
            raise LabGameError(f"places: expected {self.genome.player_count} for {self.name}, got {places}")
        return LabGame.start(self.genome, chance.bits())

    def write_action(self, action: str) -> bytes:
        """Return a move as a JSON string."""
        return msgspec.json.encode(action)

    def read_action(self, written: bytes | str) -> str:
        """Read a move from its written form. Raise `LabGameError` if it is not valid."""
        try:
            return _moves.decode(written)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise LabGameError(f"expected a move as a JSON string: {error}") from None

    def write_event(self, event: events.LabEvent) -> bytes:
        """Return an event as one JSON object."""
        return msgspec.json.encode(event)

    def read_event(self, written: bytes | str) -> events.LabEvent:
        """Read an event from its written form. Raise `LabGameError` if it is not valid."""
        try:
            event: events.LabEvent = _events.decode(written)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise LabGameError(f"expected an event as a JSON object: {error}") from None
        return event

    def view_event(self, event: events.LabEvent, place: int | None) -> events.LabEvent | None:
        """Return the event as one place sees it, or as a spectator sees it if `place` is None."""
        return view_event(event, place)

    @cached_property
    def _layout(self) -> LabLayout:
        return LabLayout.of(self.genome)

    def table_view(self, game: LabGame, place: int | None) -> TableView:
        """Return what a place, or a spectator if it is None, sees of the game."""
        return table_view(game, place, self._layout)

    def describe(self, game: LabGame, place: int | None, names: Sequence[str] = ()) -> str:
        """Return in words what a place, or a spectator if it is None, sees of the game."""
        return describe(game, place, names)

    def narrator(self, place: int | None, names: Sequence[str] = ()) -> EventNarrator:
        """Return what tells one game to a place, or a spectator, in sentences."""
        return EventNarrator(self.genome, place, names)

    def rules(self) -> str:
        """Return the rules in English."""
        return rulebook(self.genome)

    @property
    def action_count(self) -> int:
        """The number of moves of the engine: 52 for cards, then those of each kind of phase."""
        return LABELS

    def numbered(self, game: LabGame) -> dict[int, str]:
        """Return the legal moves by the engine's numbers. A card has one number, whatever the move does with it.

        >>> leduc = lab_game("leduc")
        >>> game, events = leduc.start(2, Chance(7))
        >>> leduc.numbered(game)
        {61: 'check', 63: 'bet'}
        """
        return dict(zip(game.numbers, game.moves, strict=True))

    @cached_property
    def _observed(self) -> ObservationLayout:
        deck = self.genome.setup.deck
        suits = tuple(SUIT_NAMES.values())
        return ObservationLayout(
            places=self.genome.player_count,
            cards=tuple([f"{rank}{suit}" for rank in deck.ranks for suit in deck.suits]),
            own=("hand", "captured"),
            common=("trick", "board", "tableau", "pile", "discards", "deck"),
            facts=(("Deal", ()), ("Round", ()), ("Trumps", suits), ("Rank due", tuple(deck.ranks)), ("Direction", ())),
        )

    @property
    def observation_size(self) -> int:
        """The number of numbers in an observation."""
        return self._observed.size

    def observe(self, game: LabGame, place: int | None) -> tuple[float, ...]:
        """Return what a place, or a spectator if it is None, sees, as numbers."""
        return observe(self.table_view(game, place), place, self._observed)

    def default_action(self, game: LabGame) -> str:
        """Return a move that costs nothing. If there is none, return a fold or the first legal move."""
        moves = game.legal()
        return next((move for move in SAFE if move in moves), moves[0])

    def result(self, game: LabGame) -> tuple[int, ...]:
        """Return the chips won or lost. In a game without chips each loser pays one to each winner."""
        if not game.over:
            raise LabGameError("expected a finished game, got one that is not over")
        chips, winners = self.genome.setup.starting_chips, game.winners
        if chips:
            return tuple([stack - chips for stack in game.chips])
        losers = self.genome.player_count - len(winners)
        return tuple([losers if p in winners else -len(winners) for p in range(self.genome.player_count)])


def lab_game(name: str) -> LabGameType:
    """Return the type of a known game, or of a genome file."""
    return LabGameType(load(name))
