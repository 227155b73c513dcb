"""Records into Open Hand History: one JSON object a hand, amounts exact.

What the format has no words for is refused: whatever is written is read again as a hand that is played the same.
"""

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.hand.games import STRUCTURES
from pitboss.notation.again import difference_again
from pitboss.notation.chips import Amount
from pitboss.notation.collected import find_collected, whole_pot, won_by_rules
from pitboss.notation.document.debts import debts_as_posts
from pitboss.notation.document.recorded import DEAD_PAID
from pitboss.notation.house import RAKE_TAKEN, rake_taken
from pitboss.notation.lineup import Lineup, LineupError
from pitboss.notation.mending import replay_leniently
from pitboss.notation.ohh.objects import OhhError
from pitboss.notation.ohh.read import read_ohh
from pitboss.notation.ohh.rounds import Writing, pots, rounds
from pitboss.notation.ohh.words import BOMB, FIELD, NAMES, SYMBOLS, TWICE, VERSION
from pitboss.notation.record import Record
from pitboss.notation.replay import Replay, ReplayError, begin

_ENCODER = msgspec.json.Encoder(decimal_format="number")
_ZONES = {"ET": "America/New_York"}
_UTC = ("UTC", "GMT", "Z")


def write_ohh(record: Record) -> str:
    """A hand as one line of Open Hand History; a record that stops early is written as `replay_leniently` mends it."""
    writing = _play(record)
    text = _ENCODER.encode({"ohh": _object(writing)}).decode()
    _check(writing, text)
    return text


def _play(record: Record) -> Writing:
    if record.variant not in NAMES:
        name = STRUCTURES[record.variant].name if record.variant in STRUCTURES else record.variant
        raise OhhError(f"Open Hand History has no name for {name}")
    if any(isinstance(stack, Decimal) and stack.is_infinite() for stack in record.starting_stacks):
        raise OhhError("a stack is not known, and Open Hand History has no word for that")
    try:
        if DEAD_PAID in record.user:
            record = debts_as_posts(record)
        line = begin(record).lineup
        record, played = _with_rake(record, line, replay_leniently(record))
    except (ReplayError, LineupError) as error:
        raise OhhError(f"the record cannot be played: {error}") from None
    own = record.user.get(FIELD)
    n = len(record.starting_stacks)
    writing = Writing(record, line, played, own if isinstance(own, Mapping) else {}, _ids(own, n), _seats(record))
    _check_outcome(writing)
    return writing


def _with_rake(record: Record, line: Lineup, played: Replay) -> tuple[Record, Replay]:
    """The record with the rake that its winnings or finishing stacks leave over where it says none, and its replay."""
    if played.hand.stakes.rake is not None or rake_taken(record.user) is not None:
        return record, played
    paid = find_collected(record, line.players, played.unit, played.hand, played.chip_events)
    rake = whole_pot(played.hand) - sum(paid.values())
    if not rake:
        return record, played
    record = replace(record, user={**record.user, RAKE_TAKEN: played.unit.amount(rake)})
    return record, replay_leniently(record)


def _check_outcome(writing: Writing) -> None:
    """Refuse a record whose finishing stacks are not those that would be written: no money is invented."""
    record, played = writing.record, writing.played
    collected, won = writing.collected(), won_by_rules(played.hand, played.chip_events)
    for place, player in enumerate(writing.line.players if record.finishing_stacks else ()):
        after = writing.money(played.hand.stacks[place] - won[place] + collected[place])
        if after != (said := (record.finishing_stacks or ())[player]):
            raise OhhError(f"p{player + 1} ends with {after} by the rules, but the record says {said}")


def _ids(own: Any, n: int) -> tuple[int, ...]:
    ids = own.get("ids") if isinstance(own, Mapping) else None
    if isinstance(ids, tuple) and len(set(ids)) == n and all(type(one) is int for one in ids):
        return ids
    return tuple(range(n))


def _seats(record: Record) -> tuple[int, ...]:
    seats = record.seats or tuple(range(1, len(record.starting_stacks) + 1))
    if len(set(seats)) < len(seats):
        raise OhhError("two players have the same seat")
    return seats


def _check(writing: Writing, text: str) -> None:
    """Refuse what would be read as a hand that is played otherwise."""
    try:
        (again,) = read_ohh(text)
        difference = difference_again(writing.played, again)
    except OhhError as error:
        difference = f"read again, {error.reason}"
    if difference:
        raise OhhError(f"Open Hand History has no words for this hand: {difference}")


# --- the object


def _object(writing: Writing) -> dict[str, Any]:
    record, own = writing.record, writing.own
    game, limit = NAMES[record.variant]
    small, big = _blinds(writing)
    tournament = record.level is not None or own.get("tournament") is True
    hero = next((id for number, id in enumerate(writing.ids, 1) if f"p{number}" == own.get("hero")), None)
    written: dict[str, Any] = {
        "spec_version": VERSION,
        "site_name": record.venue or "",
        "network_name": own.get("network_name", record.venue or ""),
        "internal_version": own.get("internal_version", VERSION),
        "tournament": tournament,
        "tournament_info": own.get("tournament_info", _tournament(record) if tournament else None),
        "game_number": "" if record.hand is None else str(record.hand),
        "start_date_utc": _date(record),
        "table_name": "" if record.table is None else str(record.table),
        "table_handle": own.get("table_handle"),
        "table_skin": own.get("table_skin"),
        "game_type": game,
        "bet_limit": {"bet_type": limit, "bet_cap": own.get("bet_cap", 0)},
        "table_size": record.seat_count,
        "currency": record.currency or _currency(record.currency_symbol),
        "dealer_seat": own.get("dealer_seat", writing.seats[writing.line.players[-1]]),
        "small_blind_amount": own.get("small_blind_amount", small),
        "big_blind_amount": big,
        "ante_amount": own.get("ante_amount", max(record.antes)),
        "hero_player_id": hero,
        "flags": _flags(writing),
        "players": _players(writing),
        "rounds": rounds(writing),
        "pots": pots(writing),
        "tournament_bounties": own.get("tournament_bounties"),
    }
    return {name: value for name, value in written.items() if value is not None}


def _blinds(writing: Writing) -> tuple[Amount, Amount]:
    """The small and the big blind; in stud the small and the big bet, or the least bet twice."""
    record = writing.record
    if record.bring_in is not None:
        least = record.min_bet if record.small_bet is None else record.small_bet
        return least or 0, record.big_bet or least or 0
    big = record.min_bet if record.small_bet is None else record.small_bet
    return next((amount for amount in writing.blinds() if 0 < amount < (big or 0)), 0), big or 0


def _flags(writing: Writing) -> list[str]:
    held = writing.own.get("flags", ())
    flags = [flag for flag in held if isinstance(flag, str)] if isinstance(held, tuple) else []
    house = writing.played.hand.stakes
    return flags + [TWICE] * (house.runs > 1) + [BOMB] * house.bomb


def _players(writing: Writing) -> list[dict[str, Any]]:
    record, own = writing.record, writing.own
    names = record.players or tuple(f"p{number}" for number in range(1, len(writing.ids) + 1))
    entries = []
    for player, id in enumerate(writing.ids):
        entry: dict[str, Any] = {"id": id, "seat": writing.seats[player], "name": names[player]}
        entry |= _of_player(own, player)
        entry["starting_stack"] = record.starting_stacks[player]
        spelled, absent = f"p{player + 1}", player not in writing.line.players
        if (absent and spelled not in writing.marked("present")) or spelled in writing.marked("waiting"):
            entry["is_sitting_out"] = True
        entries.append(entry)
    return entries


def _of_player(own: Mapping[str, Any], player: int) -> dict[str, Any]:
    """What only this format says of a player."""
    said = {"display": own.get("displays"), "player_bounty": own.get("bounties")}
    known = {name: values for name, values in said.items() if isinstance(values, tuple) and player < len(values)}
    return {name: values[player] for name, values in known.items() if values[player]}


def _tournament(record: Record) -> dict[str, Any]:
    digits = "".join(letter for letter in (record.event or "").partition(",")[0] if letter.isdigit())
    return {"tournament_number": digits, "name": record.event or ""}


def _currency(symbol: str | None) -> str:
    return next((code for code, sign in SYMBOLS.items() if sign == symbol), "")


def _date(record: Record) -> str | None:
    """The start in UTC; none where the record's zone has no known distance from it."""
    try:
        start = dt.datetime(record.year or 0, record.month or 0, record.day or 0)
        start = dt.datetime.combine(start, record.time or dt.time())
    except (ValueError, OverflowError):
        return None
    zone = record.time_zone or _ZONES.get(record.time_zone_abbreviation or "", record.time_zone_abbreviation)
    if zone is not None and zone.upper() not in _UTC:
        from zoneinfo import ZoneInfo  # its data is looked for on disk, and hardly ever needed

        try:
            start = start.replace(tzinfo=ZoneInfo(zone)).astimezone(dt.UTC).replace(tzinfo=None)
        except (KeyError, ValueError, OSError):
            return None
    return start.isoformat() + "Z"
