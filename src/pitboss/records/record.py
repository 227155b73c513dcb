"""One recorded hand as a frozen value: the fields of the PHH standard, the author's own fields, and comments.

This module does not read or write files, and does not check a hand against the rules.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal  # noqa: F401  # msgspec looks up the names in Toml here
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from pitboss.betting.events import BroughtIn, Called, Posted, Raised, Refunded
from pitboss.betting.round import Post, first_opener
from pitboss.errors import PitbossError
from pitboss.hand.events import Event, Won
from pitboss.hand.games import PHH_CODES, STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, Structure
from pitboss.records.money import Amount, Unit
from pitboss.records.moves import action_of, read_move, shows_again, spell_moves
from pitboss.records.table_fields import DEAD_MONEY, OPENER, REOPENING, Toml, house_fields, table_fields

MOST_PLAYERS = 100
"""The most players in a recorded hand; no game deals to as many. Files with more are refused before they are read."""
EXPECTED_VARIANT = f"expected a code of PHH ({', '.join(PHH_CODES)}) or another code from docs/games.md"
"""The expectation in the error for an unknown variant."""

Place: TypeAlias = Literal["top", "before", "beside", "end"]


class Anchor(NamedTuple):
    """The position of a comment.

    ``Anchor("top")`` is above the table, followed by a blank line; ``Anchor("end")`` is at its end.
    ``Anchor("before", "antes")`` is above a field, ``Anchor("beside", "antes")`` at the end of its last line.
    ``Anchor("before", "actions", 3)`` and ``Anchor("beside", "actions", 3)`` are the same for the fourth entry of an
    array, and ``Anchor("end", "actions")`` is below its last entry.
    """

    place: Place
    field: str = ""
    item: int | None = None


Comments: TypeAlias = Mapping[Anchor, tuple[str, ...]]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A recorded hand; a field that was not recorded is ``None``.

    The fields are in the order they are written. An unknown stack is ``Decimal("Infinity")``, a negative blind is a
    bet posted out of turn, and an action is the string of the file with its comment (``"p3 cc # thinks"``).
    ``user`` holds the author's own fields, whose names begin with ``_``; ``comments`` holds the lines at each anchor,
    without the ``#`` and one space after it.
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
    # The standard lists it next to time_zone, but all published files have it last.
    time_zone_abbreviation: str | None = None
    user: Mapping[str, Toml] = msgspec.field(default_factory=dict)
    comments: Comments = msgspec.field(default_factory=dict)

    @classmethod
    def from_hand(cls, hand: Hand, events: Iterable[Event], **fields: Any) -> "Record":
        """Return the record of a played hand, given all its events; `fields` are other fields of the record.

        Raises `RecordingError` if events are missing or belong to another hand.

        >>> from pitboss import Hand, NO_LIMIT_HOLDEM, Stakes, blinds
        >>> stakes = Stakes(min_bet=2, posts=blinds(2, 1, 2))
        >>> hand, events = Hand.start(NO_LIMIT_HOLDEM, stacks=(9, 9), stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
        >>> record = Record.from_hand(hand, events, players=("Ann", "Bo"))
        >>> record.starting_stacks, record.actions
        ((9, 9), ('d dh p1 2c2h', 'd dh p2 2d2s'))
        """
        events = tuple(events)
        for event in events:
            if not isinstance(event, Event):
                raise RecordingError(f"expected an event of a hand, got {event!r:.40}")
        stacks = starting_stacks(hand, events)
        try:
            record = record_hand(stacks, hand, events, **fields)
            again = _play(stacks, hand, events)
        except RecordingError:
            raise
        except PitbossError:
            again = None
        if again is None or _state_of(again) != _state_of(hand):
            raise RecordingError("expected all events of this hand since its start; some are missing or differ")
        return record


STANDARD: tuple[str, ...] = tuple(name for name in Record.__struct_fields__ if name not in ("user", "comments"))
"""The names of the fields of the standard, in the order they are written."""


def written_fields(record: Record) -> dict[str, object]:
    """Return the fields of a record, first those of the standard in order, then the author's own.

    >>> list(written_fields(Record(variant="NT", antes=(0, 0), starting_stacks=(9, 9), actions=(), user={"_a": 1})))
    ['variant', 'antes', 'starting_stacks', 'actions', '_a']
    """
    standard = ((name, getattr(record, name)) for name in STANDARD)
    return {name: value for name, value in standard if value is not None} | dict(record.user)


class RecordingError(PitbossError, ValueError):
    """A hand that a record cannot represent."""


def record_hand(stacks: Sequence[int], hand: Hand, events: Iterable[Event], **fields: Any) -> Record:
    """Return the record of a hand, given the stacks before it and its events; `fields` are other fields of the record.

    The players are in the order of places, starting left of the button. The record can be replayed.

    >>> from pitboss import NO_LIMIT_HOLDEM, Fold, Stakes, blinds
    >>> stakes = Stakes(min_bet=2, posts=blinds(2, 1, 2))
    >>> hand, events = Hand.start(NO_LIMIT_HOLDEM, stacks=(9, 9), stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
    >>> hand, folded = hand.act(Fold())
    >>> record = record_hand((9, 9), hand, events + folded, event="a walk")
    >>> record.blinds_or_straddles, record.actions, record.finishing_stacks
    ((1, 2), ('d dh p1 2c2h', 'd dh p2 2d2s', 'p2 f'), (10, 8))
    """
    stakes, structure, n = hand.stakes, hand.structure, len(stacks)
    _check_game(structure)
    blinds, dead = _posts(stakes, n)
    exact, in_order = (
        structure.betting.exact,
        -1 if n == 2 else 1,
    )  # heads-up the button, last by place, posts first
    own = house_fields(structure, stakes) | ({DEAD_MONEY: stakes.dead} if stakes.dead else {}) | table_fields((), dead)
    opener = first_opener(stakes.posts, n) if stakes.opener is None else stakes.opener
    if opener != _recorded_opener(blinds) and not stakes.bomb:
        own[OPENER] = opener
    if structure.betting.reopening != STRUCTURES[structure.code].betting.reopening:
        own[REOPENING] = structure.betting.reopening.name.lower()
    return Record(
        **{
            "variant": structure.code,
            "ante_trimming_status": stakes.equal_antes if any(stakes.antes) else None,
            "antes": (stakes.antes or (0,) * n)[::in_order],
            "blinds_or_straddles": None if structure.betting.bring_in else tuple(blinds[::in_order]),
            "bring_in": stakes.bring_in or None,
            "small_bet": stakes.min_bet if exact else None,
            "big_bet": stakes.big_bet if exact else None,
            "min_bet": None if exact else stakes.min_bet,
            "starting_stacks": tuple(stacks),
            "actions": spell_moves(events),
            "finishing_stacks": hand.stacks if hand.over else None,
            **fields,
            "user": own | dict(fields.get("user", {})),
        }
    )


def _play(stacks: Sequence[int], hand: Hand, events: Sequence[Event]) -> Hand:
    """Play the moves among these events."""
    again, happened = Hand.start(hand.structure, stacks=stacks, stakes=hand.stakes)
    for text in spell_moves(events):
        move = read_move(text, len(stacks))
        if move.verb != "sm" or move.place is None or not shows_again(again, happened, move, move.place):
            again, more = again.act(action_of(again, move, move.place, Unit()), move.place)
            happened += more
    return again


def _state_of(hand: Hand) -> tuple[object, ...]:
    """Return the chips and cards of a hand, for comparison."""
    round, draws = hand.round, () if hand.draw is None else hand.draw.waiting
    return hand.stacks, round.bets, round.paid, round.folded, round.acted, draws, hand.board, hand.holes, hand.over


def starting_stacks(hand: Hand, events: Sequence[Event]) -> tuple[int, ...]:
    """Return the stacks before a hand, given its state and all its events."""
    paid = [(e.place, e.amount) for e in events if isinstance(e, Posted | Called | BroughtIn | Raised)]
    received = [(e.place, e.amount) for e in events if isinstance(e, Refunded | Won)]
    return tuple([left + _sum_for(place, paid) - _sum_for(place, received) for place, left in enumerate(hand.stacks)])


def _sum_for(place: int, amounts: Iterable[tuple[int, int]]) -> int:
    return sum([amount for other, amount in amounts if other == place])


def _check_game(structure: Structure) -> None:
    """Refuse a game that differs from the game of its code."""
    known = STRUCTURES.get(structure.code)
    if known is None or replace(structure, betting=known.betting, open_pair=known.open_pair) != known:
        raise RecordingError(f"{structure.name} is a custom game, and a record has no code for it")
    settings = {"cap": known.betting.cap, "reopening": known.betting.reopening}
    if replace(structure.betting, **settings) != known.betting:
        raise RecordingError(f"{structure.name} has betting rules that a record cannot represent")


def _posts(stakes: Stakes, n: int) -> tuple[list[int], list[int]]:
    """Return the live posts, negative if they do not act last, and the dead posts, by place."""
    live, dead = [0] * n, [0] * n
    for post in stakes.posts:
        if (live if post.live else dead)[post.place]:
            raise RecordingError(f"place {post.place} posts twice, but a record has one entry per player")
        if not post.live:
            dead[post.place] = post.amount
        elif dead[post.place]:
            raise RecordingError(f"place {post.place} posts dead before live, but a record has live posts first")
        else:
            live[post.place] = post.amount if post.option else -post.amount
    if stakes.price:
        raise RecordingError("the price of staying in is not that of the blinds, and a record has no field for it")
    return live, dead


def _recorded_opener(live: Sequence[int]) -> int:
    """Return the first place to act by a record's blinds; heads-up with equal blinds it is the button."""
    if len(live) == 2 and live[0] == live[1] != 0:
        return 1
    return first_opener([Post(place, amount, option=amount > 0) for place, amount in enumerate(live)], len(live))
