"""The interface of every game, as two protocols.

A `Game` is a frozen state of one game. A `GameType` is what all games of one type share: how a game starts, how its
actions and events are written, what a place or a spectator sees of an event, and the result. Code that plays, hosts,
records or shows games needs only these two.
"""

from typing import Any, Protocol, Self, TypeAlias, TypeVar

from msgspec import Struct

from pitboss.chance import Chance
from pitboss.errors import PitbossError


class NoSuchPlace(PitbossError, ValueError):
    """A place that does not exist in the game."""


class PlayersTurn(Struct, frozen=True):
    """A player has to act."""

    place: int


class ChancesTurn(Struct, frozen=True):
    """Cards have to be dealt by an action."""


class Over(Struct, frozen=True):
    """The game is over."""


Turn: TypeAlias = PlayersTurn | ChancesTurn | Over


class Game(Protocol):
    """A frozen state of any game; every loop over one is a `match` on `turn`."""

    @property
    def turn(self) -> Turn: ...

    @property
    def offer(self) -> Any:
        """What the place to act may do."""

    def legal(self) -> tuple[Any, ...]:
        """Return the actions on offer; of a range of sizes, the minimum and the maximum."""

    def act(self, action: Any, place: int | None = None) -> tuple[Self, tuple[Any, ...]]:
        """Return the state after this action and its events; raise an error if it is not on offer."""

    def view(self, place: int | None) -> Self:
        """Return what one place, or for None a spectator, may see."""


G = TypeVar("G", bound=Game)
A = TypeVar("A")
E = TypeVar("E")


class GameType(Protocol[G, A, E]):
    """A type of game: its name, its numbers of players, its start, and the written form of actions and events."""

    @property
    def name(self) -> str:
        """The name of the game, such as `no_limit_holdem`, `leduc` or `sting`."""

    @property
    def places(self) -> range:
        """The numbers of players that the game allows."""

    def start(self, places: int, chance: Chance) -> tuple[G, tuple[E, ...]]:
        """Start a game; return it with its first events. `chance` is the only source of randomness."""

    def write_action(self, action: A) -> bytes:
        """Write an action as one JSON value."""

    def read_action(self, written: bytes | str) -> A:
        """Read an action from its JSON value; raise a `PitbossError` if it is invalid."""

    def write_event(self, event: E) -> bytes:
        """Write an event as one JSON value."""

    def read_event(self, written: bytes | str) -> E:
        """Read an event from its JSON value; raise a `PitbossError` if it is invalid."""

    def view_event(self, event: E, place: int | None) -> E | None:
        """Return what one place, or for None a spectator, sees of an event; None if nothing."""

    def default_action(self, game: G) -> A:
        """Return the action that is played for a player who does not answer."""

    def result(self, game: G) -> tuple[int, ...]:
        """Return the win or loss of every place, in chips or points; the game must be over."""
