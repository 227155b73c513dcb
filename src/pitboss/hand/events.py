"""What has happened in a hand: facts, which never fail. Betting's facts are among them."""

from typing import TypeAlias

from msgspec import Struct

from pitboss.betting.events import BettingEvent
from pitboss.cards import Card


class HoleDealt(Struct, frozen=True, gc=False, tag="hole_dealt"):
    """Somebody was dealt cards that only he may see."""

    place: int
    cards: tuple[Card, ...]


class UpDealt(Struct, frozen=True, gc=False, tag="up_dealt"):
    """Somebody was dealt cards that everybody sees."""

    place: int
    cards: tuple[Card, ...]


class Discarded(Struct, frozen=True, gc=False, tag="discarded"):
    """Somebody gave away cards to change them, or none: he stands pat. Others learn how many."""

    place: int
    cards: tuple[Card, ...]


class RunBegun(Struct, frozen=True, gc=False, tag="run_begun"):
    """The board is dealt once more from where betting ended; board cards and payments that follow are this run's."""

    number: int


class BoardDealt(Struct, frozen=True, gc=False, tag="board_dealt"):
    """Cards were put in the middle."""

    street: str
    cards: tuple[Card, ...]


class Shown(Struct, frozen=True, gc=False, tag="shown"):
    """Somebody turned his cards up; `rank` is what they make in words once the board is complete (the first run's)."""

    place: int
    cards: tuple[Card, ...]
    rank: str | None = None


class Mucked(Struct, frozen=True, gc=False, tag="mucked"):
    """Somebody gave up at showdown without showing."""

    place: int


class Won(Struct, frozen=True, gc=False, tag="won"):
    """Somebody was paid out of one pot; `order` says by which ranking, None where nobody else was left."""

    place: int
    amount: int
    pot: int
    order: str | None = None


class Raked(Struct, frozen=True, gc=False, tag="raked"):
    """The house took its part of one pot before it was paid."""

    amount: int
    pot: int


Event: TypeAlias = BettingEvent | HoleDealt | UpDealt | Discarded | BoardDealt | RunBegun | Shown | Mucked | Raked | Won
