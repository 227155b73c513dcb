"""A recorded hand: the fields of the PHH standard, additional fields of its author, and comments.

Other modules read and write files, and check a hand against the rules.
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
from pitboss.hand.game_file import OWN_CODE, GameFileError, game_fields, own_game
from pitboss.hand.games import PHH_CODES, STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, Structure
from pitboss.records.money import Amount, Unit
from pitboss.records.moves import action_of, read_move, shows_again, spell_moves
from pitboss.records.table_fields import (
    DEAD_MONEY,
    GAME,
    OPENER,
    REOPENING,
    Toml,
    house_fields,
    read_house_rules,
    read_reopening,
    table_fields,
)

MOST_PLAYERS = 100
"""The maximum number of players in a recorded hand. No game allows more; readers refuse larger files early."""
EXPECTED_VARIANT = f"expected a code of PHH ({', '.join(PHH_CODES)}) or another code from docs/games.md"
"""The start of the error message for an unknown variant."""

Place: TypeAlias = Literal["top", "before", "beside", "end"]


class Anchor(NamedTuple):
    """The position of a comment in a PHH file.

    - ``Anchor("top")``: above the table; a blank line follows.
    - ``Anchor("before", "antes")``: on the lines above a field.
    - ``Anchor("beside", "antes")``: at the end of the field's last line.
    - ``Anchor("before", "actions", 3)``: on the lines above the fourth entry of an array.
    - ``Anchor("beside", "actions", 3)``: on the same line as the fourth entry of an array.
    - ``Anchor("end", "actions")``: below the last entry of an array.
    - ``Anchor("end")``: at the end of the table.
    """

    place: Place
    field: str = ""
    item: int | None = None


Comments: TypeAlias = Mapping[Anchor, tuple[str, ...]]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A recorded hand. A field that was not recorded is ``None``.

    Fields are listed in the order in which a file has them. An unknown stack is ``Decimal("Infinity")``. A negative
    blind is a live post without the option to act last. Each action is the text in the file, with its comment:
    ``"p3 cc # thinks"``. ``user`` has the author's additional fields; their names begin with ``_``. ``comments`` has
    the lines of each comment, without ``#`` and the space after it.

    >>> from pitboss import replay
    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"), players=("Ann", "Bo"))
    >>> replay(record).finishing_stacks, record.structure.key
    ((48, 52), 'no_limit_holdem')
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
    # In the standard, this field follows time_zone. In all published files, it is the last one.
    time_zone_abbreviation: str | None = None
    user: Mapping[str, Toml] = msgspec.field(default_factory=dict)
    comments: Comments = msgspec.field(default_factory=dict)

    @property
    def structure(self) -> Structure:
        """The game, so that a record is accepted in place of a game. Raises `LineupError` or `GameFileError`."""
        open_pair = read_house_rules(self.user, Unit()).open_pair
        if self.variant == OWN_CODE:
            return replace(own_game(self.user.get(GAME)), open_pair=open_pair)
        if self.variant not in STRUCTURES:
            raise RecordingError(f"variant: {EXPECTED_VARIANT}, got {self.variant:.40}")
        game = replace(STRUCTURES[self.variant], open_pair=open_pair)
        reopening = read_reopening(self.user)
        return game if reopening is None else game.with_betting(reopening=reopening)

    @classmethod
    def from_hand(cls, hand: Hand, events: Iterable[Event], /, **fields: Any) -> "Record":
        """Return the record of a hand, given all its events. `fields` sets other fields, such as `players`.

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
"""The names of the standard's fields, in the order in which a file has them."""


def written_fields(record: Record) -> dict[str, object]:
    """Return the recorded fields in the order in which a file has them: first the standard's, then the author's.

    >>> list(written_fields(Record(variant="NT", antes=(0, 0), starting_stacks=(9, 9), actions=(), user={"_a": 1})))
    ['variant', 'antes', 'starting_stacks', 'actions', '_a']
    """
    standard = ((name, getattr(record, name)) for name in STANDARD)
    return {name: value for name, value in standard if value is not None} | dict(record.user)


class RecordingError(PitbossError, ValueError):
    """A hand that a record cannot represent."""


def record_hand(stacks: Sequence[int], hand: Hand, events: Iterable[Event], /, **fields: Any) -> Record:
    """Return a record of a hand that can be replayed, given its starting stacks and events.

    `fields` sets other fields of the record. Players are in the order of places, starting left of the button.

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
    exact = structure.betting.exact
    in_order = -1 if n == 2 else 1  # heads-up, the last place has the button and posts first
    own = house_fields(structure, stakes) | ({DEAD_MONEY: stakes.dead} if stakes.dead else {}) | table_fields((), dead)
    opener = first_opener(stakes.posts, n) if stakes.opener is None else stakes.opener
    if opener != _recorded_opener(blinds) and not stakes.bomb:
        own[OPENER] = opener
    if structure.code == OWN_CODE:
        own[GAME] = game_fields(structure)
    elif structure.betting.reopening != STRUCTURES[structure.code].betting.reopening:
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
    """Play a hand again from its events, and return its state at the end."""
    again, happened = Hand.start(hand.structure, stacks=stacks, stakes=hand.stakes)
    for text in spell_moves(events):
        move = read_move(text, len(stacks))
        if move.verb != "sm" or move.place is None or not shows_again(again, happened, move, move.place):
            again, more = again.act(action_of(again, move, move.place, Unit()), move.place)
            happened += more
    return again


def _state_of(hand: Hand) -> tuple[object, ...]:
    """Return the chips and cards of a hand, to compare it with another."""
    round, draws = hand.round, () if hand.draw is None else hand.draw.waiting
    bets = round.bets, round.paid, round.folded, round.acted
    return hand.stacks, bets, draws, hand.runs, hand.board, hand.more_boards, hand.holes, hand.over


def starting_stacks(hand: Hand, events: Sequence[Event]) -> tuple[int, ...]:
    """Return the starting stacks of a hand, given its state and all its events."""
    paid = [(e.place, e.amount) for e in events if isinstance(e, Posted | Called | BroughtIn | Raised)]
    received = [(e.place, e.amount) for e in events if isinstance(e, Refunded | Won)]
    return tuple([left + _sum_for(place, paid) - _sum_for(place, received) for place, left in enumerate(hand.stacks)])


def _sum_for(place: int, amounts: Iterable[tuple[int, int]]) -> int:
    return sum([amount for other, amount in amounts if other == place])


def _check_game(structure: Structure) -> None:
    """Raise `RecordingError` for a custom game, or one with betting rules that a record has no field for."""
    if structure.code == OWN_CODE:
        try:
            own_game(game_fields(structure))
        except GameFileError as error:
            raise RecordingError(f"{structure.name} cannot be written to a record: {error}") from None
        return
    known = STRUCTURES.get(structure.code)
    if known is None or replace(structure, betting=known.betting, open_pair=known.open_pair) != known:
        raise RecordingError(f"{structure.name} is a custom game: expected a game that has a PHH code")
    settings = {"cap": known.betting.cap, "reopening": known.betting.reopening}
    if replace(structure.betting, **settings) != known.betting:
        raise RecordingError(f"{structure.name} has betting rules that a record cannot represent")


def _posts(stakes: Stakes, n: int) -> tuple[list[int], list[int]]:
    """Return the live and the dead post of each place; live posts without the option to act last are negative."""
    live, dead = [0] * n, [0] * n
    for post in stakes.posts:
        if (live if post.live else dead)[post.place]:
            raise RecordingError(f"place {post.place} has two posts of one kind: expected one live and one dead post")
        if not post.live:
            dead[post.place] = post.amount
        elif dead[post.place]:
            raise RecordingError(f"place {post.place} posts dead before live: expected the live post first")
        else:
            live[post.place] = post.amount if post.option else -post.amount
    if stakes.price:
        raise RecordingError("price: expected the amount of the highest blind, because a record has no field for it")
    return live, dead


def _recorded_opener(live: Sequence[int]) -> int:
    """Return the place that acts first when the record is replayed, given the live posts.

    Heads-up with equal blinds, this is the button.
    """
    if len(live) == 2 and live[0] == live[1] != 0:
        return 1
    return first_opener([Post(place, amount, option=amount > 0) for place, amount in enumerate(live)], len(live))
