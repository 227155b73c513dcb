"""Open Hand History into records: which hands a file has, and what each says of its table."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from pitboss.hand.games import STRUCTURES
from pitboss.notation.chips import Amount
from pitboss.notation.document.recorded import DEAD_MONEY, table_fields
from pitboss.notation.found import HandFound, Note
from pitboss.notation.house import BOMB as HOUSE_BOMB
from pitboss.notation.house import RAKE_TAKEN, RUNS
from pitboss.notation.moves import WIDEST
from pitboss.notation.ohh.hand import HandRead, PlayerRead, play_rounds, show_down
from pitboss.notation.ohh.objects import (
    HandText,
    OhhError,
    cut_hands,
    get_amount,
    get_list,
    get_number,
    get_text,
    read_object,
    tidy,
)
from pitboss.notation.ohh.pots import pay_pots
from pitboss.notation.ohh.words import BOMB, DEEPER, FIELD, GAMES, SYMBOLS, TWICE, UNNAMED, VERSION
from pitboss.notation.record import Record, Toml

_DEEPEST = 20


def read_ohh(text: str, name: str = "") -> list[Record]:
    """Every hand of a text; raises `OhhError` for the first that cannot be read."""
    records = []
    for found in scan_ohh(enumerate(text.split("\n"), 1), name):
        if found.error is not None:
            raise found.error
        if found.record is not None:
            records.append(found.record)
    return records


def scan_ohh(lines: Iterable[tuple[int, str]], name: str = "", lenient: bool = False) -> Iterator[HandFound]:
    """Every hand of a file's numbered lines: its record, or what is wrong with it."""
    for hand in cut_hands(lines):
        yield _find(hand, name, lenient)


def _find(hand: HandText, name: str, lenient: bool) -> HandFound:
    notes: list[str] = []
    try:
        record = _read(read_object(hand, name), notes if lenient else None)
    except OhhError as error:
        if not error.line:
            error = OhhError(error.reason, name=name, line=hand.line)
        return HandFound(hand.line, error=error)
    return HandFound(hand.line, record, notes=tuple(Note(hand.line, sentence) for sentence in notes))


def _read(fields: Mapping[str, Any], notes: list[str] | None) -> Record:
    hand = HandRead(_game(fields), get_amount(fields, "small_blind_amount"), get_amount(fields, "big_blind_amount"))
    hand.notes = notes
    hand.players = _players(fields)
    hand.bomb = BOMB in _flags(fields)
    hand.rounds = get_list(fields, "rounds")
    _seat(hand, get_number(fields, "dealer_seat"))
    play_rounds(hand)
    pay_pots(hand, get_list(fields, "pots"))
    show_down(hand)
    return _record(hand, fields)


# --- the table


def _game(fields: Mapping[str, Any]) -> str:
    game, limit = get_text(fields, "game_type"), fields.get("bet_limit")
    if not isinstance(limit, dict):
        raise OhhError("bet_limit is missing")
    kind = get_text(limit, "bet_type")
    if game == UNNAMED:
        raise OhhError("game_type Draw does not say which draw, and the format has no action for a discard")
    code = GAMES.get((game, kind))
    if code is None:
        raise OhhError(f"game_type {game!r} with bet_type {kind!r} is no game of the format")
    most = 0
    for round in get_list(fields, "rounds") if game == "Omaha" else ():
        for action in get_list(round, "actions"):
            most = max(most, len(action.get("cards") or ()))
    return code[0] + DEEPER[most] if most in DEEPER else code


def _flags(fields: Mapping[str, Any]) -> tuple[str, ...]:
    flags = fields.get("flags") or ()
    if not isinstance(flags, list | tuple) or not all(isinstance(flag, str) for flag in flags):
        raise OhhError("flags is a list of texts")
    return tuple(flags)


def _players(fields: Mapping[str, Any]) -> list[PlayerRead]:
    players: list[PlayerRead] = []
    for entry in get_list(fields, "players"):
        id, seat, stack = get_number(entry, "id"), get_number(entry, "seat"), get_amount(entry, "starting_stack")
        if any(id == other.id or seat == other.seat for other in players):
            raise OhhError(f"the player of id {id} and seat {seat} is there twice")
        sits_out = entry.get("is_sitting_out") is True
        players.append(PlayerRead(id, seat, get_text(entry, "name"), stack, stack, entry, sits_out))
    return players


def _seat(hand: HandRead, button: int) -> None:
    """Order the players: from the first on the button's left who takes part; who does not stays between the others."""
    hand.find_involved()
    around = sorted(hand.players, key=lambda player: player.seat)
    around = [p for p in around if p.seat > button] + [p for p in around if p.seat <= button]
    playing = [player for player in around if player.involved]
    if len(playing) < 2:
        raise OhhError("fewer than two players take part in this hand")
    first = around.index(playing[0])
    hand.players = around[first:] + around[:first]
    for number, player in enumerate(hand.players, 1):
        player.spelled = f"p{number}"


# --- the record


def _record(hand: HandRead, fields: Mapping[str, Any]) -> Record:
    players, structure = hand.players, STRUCTURES[hand.code]
    forced = players[::-1] if len(players) == 2 else players  # heads-up the button, who is p2, posts first
    exact, stud = structure.betting.exact, structure.betting.bring_in
    start, info = _start(fields, hand), fields.get("tournament_info")
    event = (get_text(info, "name") or get_text(info, "tournament_number")) if isinstance(info, dict) else ""
    currency = get_text(fields, "currency")
    small_bet = hand.small if stud else hand.big
    antes = _antes(forced)
    asked = [ante for ante in antes if ante]
    return Record(
        variant=hand.code,
        ante_trimming_status=True if len(asked) > 1 and len(set(asked)) == 1 else None,
        antes=antes,
        blinds_or_straddles=None if stud else tuple(tidy(player.blind) for player in forced),
        bring_in=(hand.bring_in or _unpaid_bring_in(hand)) if stud else None,
        small_bet=small_bet if exact else None,
        big_bet=hand.big if exact and stud else structure.usual_big_bet(hand.big),
        min_bet=None if exact else hand.big,
        starting_stacks=tuple(player.start for player in players),
        actions=tuple(hand.actions),
        event=event or None,
        venue=get_text(fields, "site_name") or None,
        time=start.time() if start else None,
        time_zone="UTC" if start else None,
        day=start.day if start else None,
        month=start.month if start else None,
        year=start.year if start else None,
        hand=_hand(get_text(fields, "game_number")),
        seats=tuple(player.seat for player in players),
        seat_count=get_number(fields, "table_size") if fields.get("table_size") is not None else None,
        table=get_text(fields, "table_name") or None,
        players=tuple(player.name for player in players),
        finishing_stacks=tuple(tidy(p.left) for p in players) if hand.paid else None,
        winnings=tuple(tidy(p.won) for p in players) if hand.paid else None,
        currency=currency or None,
        currency_symbol=SYMBOLS.get(currency),
        user=_user(hand, fields),
    )


def _unpaid_bring_in(hand: HandRead) -> Amount:
    """A bring-in that nobody paid, and so nobody knows: about half the small bet."""
    return hand.small // 2 if type(hand.small) is int and hand.small > 1 else tidy(Decimal(hand.small) / 2)


def _hand(number: str) -> int | str | None:
    plain = number.isascii() and number.isdigit() and len(number) < 19 and str(int(number)) == number
    return int(number) if plain else number or None


def _antes(players: list[PlayerRead]) -> tuple[Amount, ...]:
    """The antes as they were due: who could not pay all of his is asked for as much as the others."""
    most = max(player.ante for player in players)
    return tuple(tidy(most if player.ante and player.ante == player.start else player.ante) for player in players)


def _start(fields: Mapping[str, Any], hand: HandRead) -> dt.datetime | None:
    text = get_text(fields, "start_date_utc")
    if not text:
        return None
    try:
        start = dt.datetime.fromisoformat(text)
        return start if start.tzinfo is None else start.astimezone(dt.UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        hand.mend(f"start_date_utc {text[:40]!r} is no date")
        return None


def _user(hand: HandRead, fields: Mapping[str, Any]) -> dict[str, Toml]:
    user: dict[str, Toml] = {}
    if hand.paid:
        user[RAKE_TAKEN] = tidy(hand.rake)
    if hand.runs > 1:
        user[RUNS] = hand.runs
    if hand.bomb:
        user[HOUSE_BOMB] = True
    if hand.added:
        user[DEAD_MONEY] = tidy(hand.added)
    user |= table_fields([not p.involved for p in hand.players], [tidy(p.dead) for p in hand.players])
    return user | {FIELD: _own(hand, fields)}


_SAME = ("tournament_info", "table_handle", "table_skin", "tournament_bounties")


def _own(hand: HandRead, fields: Mapping[str, Any]) -> dict[str, Toml]:
    """What the format says and a record has no field for, as far as it is not what one expects."""
    players = hand.players
    own: dict[str, Any] = {name: fields.get(name) for name in _SAME}
    for name, usual in (("network_name", get_text(fields, "site_name")), ("internal_version", VERSION)):
        said = get_text(fields, name)
        own[name] = said if said != usual else None
    own["tournament"] = fields.get("tournament") is True or isinstance(fields.get("tournament_info"), dict)
    own["flags"] = tuple(flag for flag in _flags(fields) if flag not in (TWICE, BOMB))
    button = get_number(fields, "dealer_seat")
    last = [player.seat for player in players if player.involved][-1]
    own["dealer_seat"] = button if button != last else None
    ids = tuple(player.id for player in players)
    own["ids"] = ids if ids != tuple(range(len(ids))) else None
    own["hero"] = hand.named(fields.get("hero_player_id"))
    own["bet_cap"] = get_amount(fields["bet_limit"], "bet_cap") or None
    own["ante_amount"] = None if get_amount(fields, "ante_amount") == hand.usual_ante else fields.get("ante_amount")
    own["small_blind_amount"] = fields.get("small_blind_amount") if hand.small != hand.usual_small else None
    own["displays"] = _each(players, "display", "")
    own["bounties"] = _each(players, "player_bounty", 0)
    own["waiting"] = tuple(player.spelled for player in players if player.sits_out and player.involved)
    own["present"] = tuple(player.spelled for player in players if not player.sits_out and not player.involved)
    own["shows"] = tuple(player.spelled for player in players if player.shows)
    own["aside"] = tuple(hand.aside)
    own["wins"] = tuple(hand.wins)
    own["jackpot"] = hand.jackpot or None
    frozen = {name: _frozen(value) for name, value in own.items() if value is not None and value is not False}
    return {name: value for name, value in frozen.items() if value not in ((), {}, "")}


def _each(players: list[PlayerRead], name: str, default: object) -> tuple[Any, ...]:
    """A field of every player, nothing where nobody has it."""
    given = [player.fields.get(name) for player in players]
    return tuple(default if value is None else value for value in given) if any(given) else ()


def _frozen(value: Any, depth: int = 0) -> Any:
    """A JSON value as TOML has it: no nulls, lists as tuples."""
    if depth > _DEEPEST:
        raise OhhError(f"objects nest deeper than {_DEEPEST} levels")
    if isinstance(value, dict):
        return {key: _frozen(entry, depth + 1) for key, entry in value.items() if entry is not None}
    if isinstance(value, list | tuple):
        return tuple(_frozen(entry, depth + 1) for entry in value if entry is not None)
    if type(value) is Decimal and abs(value.adjusted()) > WIDEST:
        raise OhhError(f"a number is beyond 10 to the {WIDEST}")
    return tidy(value) if type(value) is Decimal else value
