"""One recorded hand as a frozen value: every field of the PHH standard, the annotator's own fields, the comments.

It does not know how a hand is spelled in a file (``phh``) nor whether it was played by the rules.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal  # noqa: F401  # Toml names it, and its names are looked up here
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from pitboss.betting.events import BroughtIn, Called, Posted, Raised, Refunded
from pitboss.betting.round import Post
from pitboss.errors import PitbossError
from pitboss.hand.events import Event, Won
from pitboss.hand.games import PHH_CODES, STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, Structure
from pitboss.records.money import Amount, Unit
from pitboss.records.moves import action_of, read_move, shows_again, spell_moves
from pitboss.records.table_fields import DEAD_MONEY, DEAD_POSTS, OPENER, REOPENING, Toml, house_fields

NO_SUCH_GAME = f"is no game: PHH has {', '.join(PHH_CODES)}, and docs/games.md lists the codes of ours"
"""The end of the sentence for an unknown variant."""


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
    def from_hand(cls, hand: Hand, events: Iterable[Event], **fields: Any) -> "Record":
        """The record of a hand that was played, given all its events from the first; `fields` are the record's own.

        Raises `RecordingError` where the events are not all of them, or not this hand's.

        >>> from pitboss import Hand, NO_LIMIT_HOLDEM, Stakes, blinds
        >>> stakes = Stakes(min_bet=2, posts=blinds(2, 1, 2))
        >>> hand, events = Hand.start(NO_LIMIT_HOLDEM, stacks=(9, 9), stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
        >>> record = Record.from_hand(hand, events, players=("Ann", "Bo"))
        >>> record.starting_stacks, record.actions
        ((9, 9), ('d dh p1 2c2h', 'd dh p2 2d2s'))
        """
        return _record_whole_hand(hand, events, **fields)


STANDARD: tuple[str, ...] = tuple(name for name in Record.__struct_fields__ if name not in ("user", "comments"))
"""The names of the standard's fields, in the order they are written."""


def written_fields(record: Record) -> dict[str, object]:
    """The fields a record has, the standard's in their order, then the annotator's own.

    >>> list(written_fields(Record(variant="NT", antes=(0, 0), starting_stacks=(9, 9), actions=(), user={"_a": 1})))
    ['variant', 'antes', 'starting_stacks', 'actions', '_a']
    """
    standard = ((name, getattr(record, name)) for name in STANDARD)
    return {name: value for name, value in standard if value is not None} | dict(record.user)


# --- the record of a hand that was played


class RecordingError(PitbossError, ValueError):
    """A hand that PHH and our fields beside it have no words for."""


def record_hand(stacks: Sequence[int], hand: Hand, events: Iterable[Event], **fields: Any) -> Record:
    """The record of a hand, given the stacks before it, how it stands and all that happened; `fields` are the record's.

    Players are places: from the button's left. Whatever comes out can be replayed.

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
    exact, in_order = structure.betting.exact, -1 if n == 2 else 1  # heads-up the button, who is last, is listed first
    own = house_fields(structure, stakes) | _table_fields(stakes, dead)
    opener = _left_of_highest(stakes.posts, n) if stakes.opener is None else stakes.opener
    if opener != _opener_said(blinds) and not stakes.bomb:
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


def _record_whole_hand(hand: Hand, events: Iterable[Event], **fields: Any) -> Record:
    """The record of a hand by its events alone; raises `RecordingError` unless they lead to how it stands."""
    events = tuple(events)
    for event in events:
        if not isinstance(event, Event):
            raise RecordingError(f"{event!r:.40} is no event of a hand")
    stacks = starting_stacks(hand, events)
    try:
        record_hand(stacks, hand, events)
        again = _play(stacks, hand, events)
    except RecordingError:
        raise
    except PitbossError:
        again = None
    if again is None or _state_of(again) != _state_of(hand):
        raise RecordingError("these are not all events of this hand: a record needs every one since its start")
    return record_hand(stacks, hand, events, **fields)


def _play(stacks: Sequence[int], hand: Hand, events: Sequence[Event]) -> Hand:
    """The hand that the moves among these events lead to."""
    again, happened = Hand.start(hand.structure, stacks=stacks, stakes=hand.stakes)
    for text in spell_moves(events):
        move = read_move(text, len(stacks))
        if move.verb != "sm" or move.place is None or not shows_again(again, happened, move, move.place):
            again, more = again.act(action_of(again, move, move.place, Unit()), move.place)
            happened += more
    return again


def _state_of(hand: Hand) -> tuple[object, ...]:
    """What chips and cards of a hand its moves lead to."""
    round, draws = hand.round, () if hand.draw is None else hand.draw.waiting
    return hand.stacks, round.bets, round.paid, round.folded, round.acted, draws, hand.board, hand.holes, hand.over


def starting_stacks(hand: Hand, events: Sequence[Event]) -> tuple[int, ...]:
    """The stacks before a hand, given how it stands and all that happened."""
    given = [(e.place, e.amount) for e in events if isinstance(e, Posted | Called | BroughtIn | Raised)]
    got = [(e.place, e.amount) for e in events if isinstance(e, Refunded | Won)]
    return tuple([left + _sum_for(place, given) - _sum_for(place, got) for place, left in enumerate(hand.stacks)])


def _sum_for(place: int, amounts: Iterable[tuple[int, int]]) -> int:
    return sum([amount for whose, amount in amounts if whose == place])


def _check_game(structure: Structure) -> None:
    """Refuse a game whose code says something else."""
    known = STRUCTURES.get(structure.code)
    if known is None or replace(structure, betting=known.betting, open_pair=known.open_pair) != known:
        raise RecordingError(f"{structure.name} is a game of one's own, which no code of a record names")
    settings = {"cap": known.betting.cap, "reopening": known.betting.reopening}
    if replace(structure.betting, **settings) != known.betting:
        raise RecordingError(f"{structure.name} is played with betting rules that no record can name")


def _posts(stakes: Stakes, n: int) -> tuple[list[int], list[int]]:
    """What each place posts live, negative where it does not speak last, and dead."""
    live, dead = [0] * n, [0] * n
    for post in stakes.posts:
        if (live if post.live else dead)[post.place]:
            raise RecordingError(f"place {post.place} posts twice, and a record has one entry a player")
        if post.live:
            _check_before_dead(post, dead)
            live[post.place] = post.amount if post.option else -post.amount
        else:
            dead[post.place] = post.amount
    if stakes.price:
        raise RecordingError("the blinds do not say what staying costs, and a record says no more")
    return live, dead


def _opener_said(live: Sequence[int]) -> int:
    """Who speaks first by a record's blinds: left of the highest, heads-up the button also where they are alike."""
    if len(live) == 2 and live[0] == live[1] != 0:
        return 1
    return _left_of_highest([Post(place, amount, option=amount > 0) for place, amount in enumerate(live)], len(live))


def _left_of_highest(posts: Sequence[Post], n: int) -> int:
    """The place left of the highest blind or straddle, the last of those that are alike, or the first."""
    found = [(post.amount, number, post.place) for number, post in enumerate(posts) if post.option]
    return (max(found)[2] + 1) % n if found else 0


def _check_before_dead(post: Post, dead: Sequence[int]) -> None:
    if dead[post.place]:
        raise RecordingError(f"place {post.place} posts dead before live; in a record what is live comes first")


def _table_fields(stakes: Stakes, dead: Sequence[int]) -> dict[str, Toml]:
    fields: dict[str, Toml] = {}
    if stakes.dead:
        fields[DEAD_MONEY] = stakes.dead
    if any(dead):
        fields[DEAD_POSTS] = tuple(dead)
    return fields
