"""One recorded hand as a frozen value: every field of the PHH standard, the annotator's own fields, the comments.

It does not know how a hand is spelled in a file (``phh``) nor whether it was played by the rules.
"""

import datetime as dt
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import msgspec

if TYPE_CHECKING:
    from pitboss.hand.events import Event
    from pitboss.hand.hand import Hand


Amount: TypeAlias = int | Decimal
# A dt.datetime is a dt.date.
Toml: TypeAlias = "str | int | Decimal | bool | dt.date | dt.time | tuple[Toml, ...] | Mapping[str, Toml]"
Place: TypeAlias = Literal["top", "before", "beside", "end"]


class Anchor(NamedTuple):
    """Where a comment stands.

    ``Anchor("top")`` heads the table, a blank line below it; ``Anchor("end")`` closes the table.
    ``Anchor("before", "antes")`` is above a field, ``Anchor("beside", "antes")`` at the end of its last line.
    ``Anchor("before", "actions", 3)`` and ``Anchor("beside", "actions", 3)`` do the same for the fourth entry of an
    array, and ``Anchor("end", "actions")`` is below its last entry.
    """

    place: Place
    field: str = ""
    item: int | None = None


Comments: TypeAlias = Mapping[Anchor, tuple[str, ...]]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A hand as somebody wrote it down; what was not written is ``None``.

    The fields stand in the order they are written. An unknown stack is ``Decimal("Infinity")``, a negative blind is a
    bet posted out of turn, and an action is the string of the file with its commentary (``"p3 cc # thinks"``).
    ``user`` holds the annotator's own fields under their names, which begin with ``_``; ``comments`` holds the lines
    at each anchor, without the ``#`` and the one space after it.
    """

    variant: str
    ante_trimming_status: bool | None = None
    antes: tuple[Amount, ...]
    blinds_or_straddles: tuple[Amount, ...] | None = None
    bring_in: Amount | None = None
    small_bet: Amount | None = None
    big_bet: Amount | None = None
    min_bet: Amount | None = None
    starting_stacks: tuple[Amount, ...]
    actions: tuple[str, ...]
    author: str | None = None
    event: str | None = None
    url: str | None = None
    venue: str | None = None
    address: str | None = None
    city: str | None = None
    region: str | None = None
    postal_code: str | None = None
    country: str | None = None
    time: dt.time | None = None
    time_zone: str | None = None
    day: int | None = None
    month: int | None = None
    year: int | None = None
    hand: str | int | None = None
    level: int | None = None
    seats: tuple[int, ...] | None = None
    seat_count: int | None = None
    table: str | int | None = None
    players: tuple[str, ...] | None = None
    finishing_stacks: tuple[Amount, ...] | None = None
    winnings: tuple[Amount, ...] | None = None
    currency: str | None = None
    currency_symbol: str | None = None
    time_limit: Amount | None = None
    time_banks: tuple[Amount, ...] | None = None
    # The standard lists it beside time_zone; recorded files all have it last, and we write as they do.
    time_zone_abbreviation: str | None = None
    user: Mapping[str, Toml] = msgspec.field(default_factory=dict)
    comments: Comments = msgspec.field(default_factory=dict)

    @classmethod
    def from_hand(cls, hand: "Hand", events: "Iterable[Event]", **fields: Any) -> "Record":
        """The record of a hand that was played, given all its events from the first; `fields` are the record's own.

        Raises `RecordingError` where the events are not all of them, or not this hand's.

        >>> from pitboss import Hand, NO_LIMIT_HOLDEM, Stakes, blinds
        >>> stakes = Stakes(min_bet=2, posts=blinds(2, 1, 2))
        >>> hand, events = Hand.start(NO_LIMIT_HOLDEM, stacks=(9, 9), stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
        >>> record = Record.from_hand(hand, events, players=("Ann", "Bo"))
        >>> record.starting_stacks, record.actions
        ((9, 9), ('d dh p1 2c2h', 'd dh p2 2d2s'))
        """
        from pitboss.records.from_hand import record_whole_hand  # it makes records

        return record_whole_hand(hand, events, **fields)


STANDARD: tuple[str, ...] = tuple(name for name in Record.__struct_fields__ if name not in ("user", "comments"))
"""The names of the standard's fields, in the order they are written."""


def written_fields(record: Record) -> dict[str, object]:
    """The fields a record has, the standard's in their order, then the annotator's own.

    >>> list(written_fields(Record(variant="NT", antes=(0, 0), starting_stacks=(9, 9), actions=(), user={"_a": 1})))
    ['variant', 'antes', 'starting_stacks', 'actions', '_a']
    """
    standard = ((name, getattr(record, name)) for name in STANDARD)
    return {name: value for name, value in standard if value is not None} | dict(record.user)
