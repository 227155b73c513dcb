"""Convert a record to the fields of the PHH standard, so that other programs can replay it, and back.

The standard has no fields for players who sit out, for the button, and for dead money. `to_standard` removes the
players who sit out, orders the others from the button's left, and writes dead money as antes that do not count toward
a bet (`ante_trimming_status = false`). It keeps the original fields in `_table`; `from_standard` restores them.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from pitboss.betting import core
from pitboss.betting.refusals import Refused
from pitboss.formats.phh.fields import PhhError, field_problem
from pitboss.hand.events import Mucked
from pitboss.hand.hand import Hand
from pitboss.records.debts import debts_as_posts
from pitboss.records.money import Amount
from pitboss.records.moves import Move
from pitboss.records.record import Record, written_fields
from pitboss.records.replay import Playback, ReplayError, find_lineup, read_moves, start_playback
from pitboss.records.table_fields import OPENER, TABLE_FIELDS, Lineup, LineupError, Toml

_PER_PLAYER = ("starting_stacks", "seats", "players", "finishing_stacks", "winnings", "time_banks")
"""The arrays with one entry per player, without those of forced bets."""
FORCED = ("ante_trimming_status", "antes", "blinds_or_straddles")
_PLAYER = re.compile(r"p[0-9]+")
SHORT_BIG_BLIND = "the other players must pay more than a short big blind, which PHH cannot express"
_MUCKED_SIDE_POT = "all players with a claim to a side pot muck, and PHH cannot express who wins it"


def to_standard(record: Record) -> Record:
    """Return the record with the fields of the standard only. Raise `PhhError` if that is not possible.

    A record without actions is returned unchanged.

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
    """Return the record with the fields of the standard only, even if other programs would replay it differently."""
    return _reworded(record) if any(name in record.user for name in TABLE_FIELDS) else record


def _reworded(record: Record) -> Record:
    try:
        moves = read_moves(record)
        posted = debts_as_posts(record)
        line = find_lineup(posted, moves)
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
    """Return the original of a record that `to_standard` changed. Other records are returned unchanged."""
    table = record.user.get("_table")
    if not isinstance(table, Mapping) or not isinstance(order := table.get("order"), tuple):
        return record
    players = {place: player for place, player in enumerate(order) if type(player) is int}
    n = len(record.starting_stacks)
    if not len(order) == len(set(players.values())) == n:
        raise PhhError("order: expected the index of each player once", field="_table")
    known = {name: table.get(name) for name in (*_PER_PLAYER, *FORCED)}
    own: dict[str, Toml] = {name: value for name, value in record.user.items() if name != "_table"}
    own |= {name: value for name, value in table.items() if name in TABLE_FIELDS}
    restored = replace(record, **known, actions=_renumbered(record.actions, players), user=_with_opener(own, players))
    problem = field_problem(written_fields(restored))
    if problem or not all(0 <= player < len(restored.starting_stacks) for player in players.values()):
        reason = f"{problem[0]}: {problem[1]}" if problem else "order: expected indices of players"
        raise PhhError(reason, field="_table")
    return restored


def _forced_bets(record: Record, line: Lineup) -> dict[str, Any]:
    """Return the fields of antes and blinds. Each dead post becomes a part of the player's ante."""
    n = len(record.starting_stacks)
    antes = line.by_place(record.antes, n, "antes")
    blinds = line.by_place(record.blinds_or_straddles or (0,) * n, n, "blinds or straddles")
    trimming = record.ante_trimming_status
    if line.price and line.opener is not None:
        raise LineupError("no player posts the big blind, and PHH cannot express its price")
    if any(line.dead_posts):
        stacks = [record.starting_stacks[player] for player in line.players]
        paid: list[Amount] = [min(antes[place], stack) for place, stack in enumerate(stacks)]
        if trimming and len({*antes, *paid}) > 1:
            raise LineupError("the hand has a short ante and dead money, and PHH cannot express both")
        for place, player in enumerate(line.players):
            live = min(max(blinds[place], -blinds[place]), stacks[place] - paid[place])
            antes[place] = paid[place] + min(line.dead_posts[player], stacks[place] - paid[place] - live)
        trimming = False
    if line.opener == 1 and len(line.players) == 2:  # equal blinds: a negative one does not act last
        blinds[1] = -blinds[1]
    if len(line.players) == 2:  # the order is that of posting, and heads-up the button posts first
        antes, blinds = antes[::-1], blinds[::-1]
    listed = None if record.blinds_or_straddles is None else tuple(blinds)
    return {"ante_trimming_status": trimming, "antes": tuple(antes), "blinds_or_straddles": listed}


def _at_the_table(record: Record, line: Lineup) -> dict[str, Toml]:
    """Return the original fields, and the player at each place."""
    fields: dict[str, Any] = {name: getattr(record, name) for name in (*_PER_PLAYER, *FORCED)}
    fields |= {name: record.user.get(name) for name in TABLE_FIELDS}
    return {"order": line.players} | {name: value for name, value in fields.items() if value is not None}


def _by_place(values: Sequence[Any] | None, line: Lineup) -> tuple[Any, ...] | None:
    return None if values is None else tuple(values[player] for player in line.players)


def _with_opener(own: dict[str, Toml], numbers: Mapping[int, int]) -> dict[str, Toml]:
    """Return the author's fields with the first player to act renumbered."""
    opener = own.get(OPENER)
    return own | {OPENER: numbers[opener]} if type(opener) is int and opener in numbers else own


def _renumbered(actions: Sequence[str], numbers: Mapping[int, int]) -> tuple[str, ...]:
    """Return the actions with the players renumbered."""
    renumbered = []
    for text in actions:
        spoken, mark, comment = text.partition("#")
        words = spoken.split(" ")
        words = [f"p{numbers[int(word[1:]) - 1] + 1}" if _PLAYER.fullmatch(word) else word for word in words]
        renumbered.append(" ".join(words) + mark + comment)
    return tuple(renumbered)


def find_difference(record: Record) -> str | None:
    """Return a sentence about the first difference between the hand here and in other programs.

    The result is None if nothing differs, or if the record cannot be replayed.
    """
    try:
        playback = start_playback(record)
    except ReplayError:
        return None
    short = _is_short(playback.hand)
    if not short and not any(move.muck for move in playback.moves):
        return None
    least, street = 0, playback.hand.street
    for move in playback.moves:
        before = playback.hand
        try:
            playback.play(move)
        except Refused:
            return None
        if before.street != street:
            least, street = 0, before.street
        if before.phase == "bet" and move.verb in ("f", "cc", "cbr"):
            if _differs(before, move, playback.hand, least):
                return SHORT_BIG_BLIND
            if _is_short(before):
                least = max(playback.hand.round.bets) - max(before.round.bets)
    return _MUCKED_SIDE_POT if _mucked_away(playback) else None


def _differs(before: Hand, move: Move, after: Hand, least: int) -> bool:
    """Return whether another program, in which the price is the highest bet, would refuse or change an action.

    `least` is the other program's minimum raise. It is larger than ours after a raise of a short big blind, because
    the program measures that raise from the short blind.
    """
    betting, place = before.round, before.round.turn
    own, stack, highest = betting.bets[place], betting.stacks[place], max(betting.bets)
    if move.verb == "cc":
        return (before.offer.call or 0) != min(stack, highest - own)
    if move.verb == "f":
        others = [other for other in betting.live if other != place and betting.stacks[other]]
        return _is_short(before) and own == highest and not others
    if _is_short(before) and before.structure.betting.exact:
        return True
    return after.round.stacks[place] > 0 and after.round.bets[place] - highest < least


def _is_short(hand: Hand) -> bool:
    """Return whether the price is higher than every bet, because the big blind is short."""
    if core.brings_in(hand.structure.betting, hand.round):
        return False
    return hand.round.price != max(hand.round.bets)


def _mucked_away(playback: Playback) -> bool:
    """Return whether a player who mucks has paid more than every player who shows."""
    hand = playback.hand
    mucked = {event.place for event in playback.events if isinstance(event, Mucked)}
    showing = [hand.round.paid[place] for place in hand.round.live if place not in mucked]
    return hand.over and any(hand.round.paid[place] > max(showing, default=0) for place in mucked)
