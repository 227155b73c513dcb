"""The protocol every game speaks: whose turn it is, what is on offer, what an action does, what one seat may see."""

from typing import Any, Protocol, Self, TypeAlias

from msgspec import Struct


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
    def offer(self) -> Any: ...

    def act(self, action: Any, place: int | None = None) -> tuple[Self, tuple[Any, ...]]: ...

    def view(self, place: int | None) -> Self: ...
