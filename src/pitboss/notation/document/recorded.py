"""The table's fields in a recorded hand: who sits out, where the button is, what is dead, and what reopens raising.

Plain PHH lists the players of one hand from the button's left. A table's record also lists who sits out (`_inactive`)
and says where the button is (`_button`), because seats stay while the button moves.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from pitboss.betting.rules import Reopening
from pitboss.notation.chips import Amount, Unit
from pitboss.notation.lineup import Lineup, LineupError
from pitboss.notation.moves import Move
from pitboss.notation.playback import Playback, ReplayError, finest_unit, read_moves, start
from pitboss.notation.record import Record, Toml
from pitboss.table.rotation import speaks_first

SITS_OUT, BUTTON, REOPENING = "_inactive", "_button", "_reopening"
DEAD_MONEY, DEAD_PAID, DEAD_POSTS, BROUGHT = "_deadMoney", "_deadPaid", "_deadPosts", "_brought"
TABLE_FIELDS = (SITS_OUT, BUTTON, DEAD_MONEY, DEAD_PAID, DEAD_POSTS)
"""Fields of ours that say who plays and what lies in the pot, beside what plain PHH says."""


def play_out(record: Record, cap: int | None = None) -> Playback:
    """Play all that a record has, whether or not that ends the hand; `cap` is the most raises a round, None any."""
    playback = begin(record, cap)
    playback.play_all()
    return playback


def begin(record: Record, cap: int | None = None) -> Playback:
    """The hand of a record after its forced bets, nothing dealt yet."""
    moves = read_moves(record)
    try:
        line = lineup(record, moves)
    except LineupError as error:
        raise ReplayError(str(error)) from None
    return start(record, moves, line, cap)


def find_unit(record: Record, moves: list[Move]) -> Unit:
    """The finest unit the record uses anywhere."""
    everybody = tuple(range(len(record.starting_stacks)))
    dead = Lineup(players=everybody, dead_posts=dead_posts(record), dead_money=dead_money(record))
    return finest_unit(record, moves, dead)


def lineup(record: Record, moves: Sequence[Move]) -> Lineup:
    """Who plays: all but those who sit out and have been dealt no cards."""
    n = len(record.starting_stacks)
    inactive = _flags(record, n)
    dealt = {move.place for move in moves if move.verb == "dh"}
    playing = [player for player in range(n) if not inactive[player] or player in dealt]
    if len(playing) < 2:
        raise LineupError(f"a hand needs at least two players, not {len(playing)}")
    clockwise = list(range(n))
    if record.seats is not None and len(record.seats) == n:
        clockwise.sort(key=record.seats.__getitem__)
    button = record.user.get(BUTTON)
    if button is not None:
        if type(button) is not int or button not in playing:
            raise LineupError(f"{BUTTON} is {button!r}, which is nobody who plays")
        if record.seats is not None:
            playing.sort(key=record.seats.__getitem__)
        first = playing.index(button) + 1
        playing = playing[first:] + playing[:first]
    price, opener = _unposted(record, clockwise, playing)
    return Lineup(
        players=tuple(playing),
        away=frozenset(place for place, player in enumerate(playing) if inactive[player]),
        by_player=button is not None,
        dead_posts=dead_posts(record),
        dead_money=dead_money(record),
        price=price,
        opener=opener,
        reopening=read_reopening(record.user),
    )


def _unposted(record: Record, clockwise: Sequence[int], playing: Sequence[int]) -> tuple[Amount, int | None]:
    """The price and who speaks first where whoever has the big blind is not dealt in; else nothing."""
    blinds = record.blinds_or_straddles or ()
    size = record.min_bet if record.min_bet is not None else record.small_bet
    absent = [at for at, player in enumerate(clockwise) if player not in playing and blinds[player:] and size]
    absent = [at for at in absent if blinds[clockwise[at]] == size]
    if not absent or size is None:
        alike = len(playing) == 2 and len(blinds) >= 2 and blinds[playing[0]] == blinds[playing[1]] != 0
        return 0, 1 if alike else None  # heads-up the button speaks first, also with a blind of the same size
    if len(playing) > 2 and any(blinds[player] >= size for player in playing):
        return size, None
    return size, speaks_first([clockwise.index(player) for player in playing], absent[-1])


def table_fields(sitting_out: Sequence[bool], dead: Sequence[Amount]) -> dict[str, Toml]:
    """The fields that say who of a record's players sits out and who posts how much dead; those that say nothing are
    left out."""
    fields: dict[str, Toml] = {}
    if any(sitting_out):
        fields[SITS_OUT] = tuple(map(int, sitting_out))
    if any(dead):
        fields[DEAD_POSTS] = tuple(dead)
    return fields


def dead_posts(record: Record) -> tuple[Amount, ...]:
    """What each player posts dead beside his blind, as a returning player does."""
    given, n = record.user.get(DEAD_POSTS), len(record.starting_stacks)
    if given is None:
        return (0,) * n
    if not isinstance(given, tuple) or len(given) != n:
        raise LineupError(f"{DEAD_POSTS} must be {n} amounts, one a player")
    return tuple(_amount(amount, DEAD_POSTS) for amount in given)


def dead_money(record: Record) -> Amount:
    """Chips that are in the pot before anybody posts."""
    return _amount(record.user.get(DEAD_MONEY, 0), DEAD_MONEY)


def read_reopening(fields: Mapping[str, Any]) -> Reopening | None:
    """What reopens raising, said as a word; None where the game's own rule stands."""
    given = fields.get(REOPENING)
    if given is None:
        return None
    if not isinstance(given, str) or given.upper() not in Reopening.__members__:
        words = ", ".join(f'"{name.lower()}"' for name in Reopening.__members__)
        raise LineupError(f"{REOPENING} must be one of {words}, not {given!r}")
    return Reopening[given.upper()]


def _amount(value: object, field: str) -> Amount:
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or not Decimal(value).is_finite() or value < 0:
        raise LineupError(f"{field}: {value!r} is no amount")
    return value


def _flags(record: Record, n: int) -> tuple[bool, ...]:
    given = record.user.get(SITS_OUT)
    if given is None:
        return (False,) * n
    if not isinstance(given, tuple) or len(given) != n or not all(type(flag) is int for flag in given):
        raise LineupError(f"{SITS_OUT} must be {n} whole numbers, one a player")
    return tuple(flag != 0 for flag in given)
