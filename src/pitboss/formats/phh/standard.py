"""A hand in the words of the PHH standard alone: only players dealt in, from the button's left, dead money as antes.

The standard has no players who sit out, no button apart from the order, and no dead money. So players who are not dealt
in are left out, and dead money becomes an ante that does not count toward a bet (`ante_trimming_status = false`). The
original fields are in `_table`, from which `from_standard` makes the record again.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from pitboss.formats.phh.fields import PhhError, field_problem
from pitboss.formats.phh.pokerkit_differences import find_difference
from pitboss.records.debts import debts_as_posts
from pitboss.records.money import Amount
from pitboss.records.record import Record, written_fields
from pitboss.records.replay import ReplayError, lineup, read_moves
from pitboss.records.table_fields import OPENER, TABLE_FIELDS, Lineup, LineupError, Toml

_PER_PLAYER = ("starting_stacks", "seats", "players", "finishing_stacks", "winnings", "time_banks")
"""The arrays with one entry per player, except the forced bets."""
FORCED = ("ante_trimming_status", "antes", "blinds_or_straddles")
_PLAYER = re.compile(r"p[0-9]+")


def to_standard(record: Record) -> Record:
    """Return the record in the words of the standard; raise `PhhError` if that is not possible.

    A record without dealt cards, or without other words, is returned as it is.

    >>> record = Record(variant="NT", antes=(0, 0, 0), blinds_or_straddles=(1, 2, 0), min_bet=2, actions=("p1 f",),
    ...                 starting_stacks=(50, 60, 70), user={"_inactive": (0, 0, 1), "_button": 0, "_deadMoney": 3})
    >>> standard = to_standard(record)
    >>> standard.starting_stacks, standard.antes, standard.blinds_or_straddles, standard.actions
    ((60, 53), (3, 0), (1, 2), ('p2 f',))
    >>> from_standard(standard) == record
    True
    """
    if not record.actions:
        return record
    standard = _reworded(record) if len(record.starting_stacks) == 2 else in_standard_words(record)
    if (difference := find_difference(record)) is not None:
        raise PhhError(f"the hand cannot be written for other programs: {difference}")
    return standard


def in_standard_words(record: Record) -> Record:
    """Return the record in the words of the standard, even if other programs would play it differently."""
    return _reworded(record) if any(name in record.user for name in TABLE_FIELDS) else record


def _reworded(record: Record) -> Record:
    try:
        moves = read_moves(record)
        posted = debts_as_posts(record)
        line = lineup(posted, moves)
        for move in moves:
            if move.place is not None:
                line.place(move.place)
        forced = _forced_bets(posted, line)
    except (LineupError, ReplayError) as error:
        raise PhhError(f"the hand cannot be written for other programs: {error}") from None
    if line.players == tuple(range(len(record.starting_stacks))) and not any(line.dead_posts):
        listed = record.blinds_or_straddles
        by_player = line.by_player and len(line.players) == 2
        if not by_player and (listed is None or forced["blinds_or_straddles"] == listed):
            return record
    places = {player: place for place, player in enumerate(line.players)}
    own = {name: value for name, value in record.user.items() if name not in TABLE_FIELDS}
    return replace(
        record,
        **{name: _by_place(getattr(posted, name), line) for name in _PER_PLAYER},
        **forced,
        actions=_renumbered(record.actions, places),
        user=_with_opener(own, places) | {"_table": _at_the_table(record, line)},
    )


def from_standard(record: Record) -> Record:
    """Return the record that `to_standard` changed; others are returned as they are."""
    table = record.user.get("_table")
    if not isinstance(table, Mapping) or not isinstance(order := table.get("order"), tuple):
        return record
    players = {place: player for place, player in enumerate(order) if type(player) is int}
    n = len(record.starting_stacks)
    if not len(order) == len(set(players.values())) == n:
        raise PhhError("order: expected each player once", field="_table")
    known = {name: table.get(name) for name in (*_PER_PLAYER, *FORCED)}
    own: dict[str, Toml] = {name: value for name, value in record.user.items() if name != "_table"}
    own |= {name: value for name, value in table.items() if name in TABLE_FIELDS}
    restored = replace(record, **known, actions=_renumbered(record.actions, players), user=_with_opener(own, players))
    problem = field_problem(written_fields(restored))
    if problem or not all(0 <= player < len(restored.starting_stacks) for player in players.values()):
        raise PhhError(f"{problem[0]}: {problem[1]}" if problem else "order: expected players", field="_table")
    return restored


def _forced_bets(record: Record, line: Lineup) -> dict[str, Any]:
    """Return antes and blinds by place, in the order of the standard; dead money is paid as an ante."""
    n = len(record.starting_stacks)
    antes = line.by_place(record.antes, n, "antes")
    blinds = line.by_place(record.blinds_or_straddles or (0,) * n, n, "blinds or straddles")
    trimming = record.ante_trimming_status
    if line.price and line.opener is not None:
        raise LineupError("the big blind is not posted, and PHH cannot express a price that no player posts")
    if any(line.dead_posts):
        stacks = [record.starting_stacks[player] for player in line.players]
        paid: list[Amount] = [min(antes[place], stack) for place, stack in enumerate(stacks)]
        if trimming and len({*antes, *paid}) > 1:
            raise LineupError("an ante is paid in part while there is dead money, and PHH cannot express both")
        for place, player in enumerate(line.players):
            live = min(max(blinds[place], -blinds[place]), stacks[place] - paid[place])
            antes[place] = paid[place] + min(line.dead_posts[player], stacks[place] - paid[place] - live)
        trimming = False
    if line.opener == 1 and len(line.players) == 2:  # two equal blinds, so the button's does not act last
        blinds[1] = -blinds[1]
    if len(line.players) == 2:  # blinds are listed in the order of posting, and the button posts first
        antes, blinds = antes[::-1], blinds[::-1]
    listed = None if record.blinds_or_straddles is None else tuple(blinds)
    return {"ante_trimming_status": trimming, "antes": tuple(antes), "blinds_or_straddles": listed}


def _at_the_table(record: Record, line: Lineup) -> dict[str, Toml]:
    """Return the original fields, and which player has which place."""
    fields: dict[str, Any] = {name: getattr(record, name) for name in (*_PER_PLAYER, *FORCED)}
    fields |= {name: record.user.get(name) for name in TABLE_FIELDS}
    return {"order": line.players} | {name: value for name, value in fields.items() if value is not None}


def _by_place(values: Sequence[Any] | None, line: Lineup) -> tuple[Any, ...] | None:
    return None if values is None else tuple(values[player] for player in line.players)


def _with_opener(own: dict[str, Toml], numbers: Mapping[int, int]) -> dict[str, Toml]:
    """Return the fields with a new number for the player who acts first."""
    opener = own.get(OPENER)
    return own | {OPENER: numbers[opener]} if type(opener) is int and opener in numbers else own


def _renumbered(actions: Sequence[str], numbers: Mapping[int, int]) -> tuple[str, ...]:
    """Return the actions with new numbers for the players."""
    renumbered = []
    for text in actions:
        spoken, mark, comment = text.partition("#")
        words = spoken.split(" ")
        words = [f"p{numbers[int(word[1:]) - 1] + 1}" if _PLAYER.fullmatch(word) else word for word in words]
        renumbered.append(" ".join(words) + mark + comment)
    return tuple(renumbered)
