"""What every game speaks: whose turn it is, what is on offer, what an action does, what one place may see and learn.

Two protocols. A `Game` is a frozen state of one game under way. A `GameType` is what all games of one type share: how
one starts, the written form of its actions and events, what a place or a spectator learns from an event, and how a
finished game came out. Whoever plays, hosts, records or shows a game needs no more than these two.
"""

from typing import Any, Protocol, Self, TypeAlias, TypeVar

from msgspec import Struct

from pitboss.chance import Chance
from pitboss.errors import PitbossError


class NoSuchPlace(PitbossError, ValueError):
    """A place that is not in the game."""


class PlayersTurn(Struct, frozen=True):
    """Somebody has to act."""

    place: int


class ChancesTurn(Struct, frozen=True):
    """Cards have to be dealt from outside."""


class Over(Struct, frozen=True):
    """Nothing more will happen."""


Turn: TypeAlias = PlayersTurn | ChancesTurn | Over


class Game(Protocol):
    """A frozen state of any game; every loop over one is a `match` on `turn`."""

    @property
    def turn(self) -> Turn: ...

    @property
    def offer(self) -> Any:
        """What the place whose turn it is may do, whatever kind of turn it is."""

    def legal(self) -> tuple[Any, ...]:
        """The actions on offer, complete where sizes are few; of a range of sizes, its least and its greatest."""

    def act(self, action: Any, place: int | None = None) -> tuple[Self, tuple[Any, ...]]:
        """The state after this action, and what happened; what is not on offer is refused and changes nothing."""

    def view(self, place: int | None) -> Self:
        """What one place may see; None is a spectator."""


G = TypeVar("G", bound=Game)
A = TypeVar("A")
E = TypeVar("E")


class GameType(Protocol[G, A, E]):
    """The description of a game: its name, how many play, how it starts, and how its actions and events are written."""

    @property
    def name(self) -> str:
        """The name of the game: `no_limit_holdem`, `leduc`, `sting`."""

    @property
    def places(self) -> range:
        """The numbers of players that the game allows."""

    def start(self, places: int, chance: Chance) -> tuple[G, tuple[E, ...]]:
        """Start a game with its first events; `chance` decides everything in it that chance decides."""

    def write_action(self, action: A) -> bytes:
        """Write an action as one JSON value."""

    def read_action(self, written: bytes | str) -> A:
        """Read an action from its JSON value; raises a `PitbossError` in one sentence."""

    def write_event(self, event: E) -> bytes:
        """Write an event as one JSON value."""

    def read_event(self, written: bytes | str) -> E:
        """Read an event from its JSON value; raises a `PitbossError` in one sentence."""

    def view_event(self, event: E, place: int | None) -> E | None:
        """Return what one place, or for None a spectator, learns from an event; None if that is nothing."""

    def default_action(self, game: G) -> A:
        """Return the action that is played for the player to act when they do not answer."""

    def result(self, game: G) -> tuple[int, ...]:
        """Return what every place has won or lost, in chips or points; the game must be over."""
