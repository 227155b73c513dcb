"""The types of the fields of messages, and the small records in them that describe a game or an equity."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

LARGEST_NUMBER = 2**53 - 1
"""The largest whole number that every language reads exactly from JSON."""

Seat: TypeAlias = Annotated[int, Meta(ge=0, le=9)]
Chips: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]
Score: TypeAlias = Annotated[int, Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]
Milliseconds: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]
Card: TypeAlias = Annotated[str, Meta(pattern="^[2-9TJQKA][cdhs]$")]
Hash: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
# No control characters, and none that change the direction of text; Python's $ alone would accept a final newline.
_PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$(?!\n)"
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, pattern=_PRINTABLE)]
Code: TypeAlias = Annotated[str, Meta(min_length=1, max_length=128)]
Id: TypeAlias = Annotated[str, Meta(max_length=64)]
Probability: TypeAlias = Annotated[float, Meta(ge=0, le=1)]


class StreetLayout(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The cards dealt on one street."""

    name: str  #: as in `phase`
    hole: Count = 0  #: face-down cards for each seat
    up: Count = 0  #: face-up cards for each seat, after those
    board: Count = 0  #: community cards
    draw: bool = False  #: whether seats can change cards
    discard: Count = 0  #: cards that each seat discards before these are dealt


class GameLayout(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A game as a table is drawn for it."""

    variant: str  #: as in `config.variant` or, in mixed games, `start_hand.variant`
    title: str  #: its name for people
    streets: tuple[StreetLayout, ...]  #: in order
    boards: Count = 1  #: the number of boards


class SeatShare(Struct, frozen=True, kw_only=True):
    """A seat's equity."""

    seat: Seat
    share: float  #: its average share of the pot, from 0 to 1


class EquityStep(Struct, frozen=True, kw_only=True):
    """The equities from one event until the next step."""

    seq: Count  #: the event's number
    shares: tuple[SeatShare, ...]  #: the seats that can win; empty if hands are hidden or the hand is decided
