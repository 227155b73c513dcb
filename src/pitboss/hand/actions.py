"""What may be asked of a hand beside betting: changing cards, showing or mucking, and dealing without a deck."""

from typing import TypeAlias

from msgspec import Struct

from pitboss.betting.actions import BettingAction
from pitboss.cards import Card


class DealHole(Struct, frozen=True, forbid_unknown_fields=True, tag="deal_hole"):
    """Chance gives one player cards; unknown ones are `??`."""

    place: int
    cards: tuple[Card, ...]


class DealBoard(Struct, frozen=True, forbid_unknown_fields=True, tag="deal_board"):
    """Chance puts cards in the middle."""

    cards: tuple[Card, ...]


class Discard(Struct, frozen=True, forbid_unknown_fields=True, tag="discard"):
    """Change these of one's cards; none is standing pat."""

    cards: tuple[Card, ...] = ()


class Show(Struct, frozen=True, forbid_unknown_fields=True, tag="show"):
    """Turn one's cards up; `cards` names them where the deal left them unknown."""

    cards: tuple[Card, ...] = ()


class Muck(Struct, frozen=True, forbid_unknown_fields=True, tag="muck"):
    """Give up one's claim at showdown without showing."""


Action: TypeAlias = BettingAction | Discard | DealHole | DealBoard | Show | Muck
