"""Every field of every message with its type and its meaning, and the JSON Schema of protocol v1 made from them.

This schema differs from the one that msgspec makes. Fields have descriptions. The allowed words of a field are in the
order in which its type lists them. Fields that the server always sends are required, and optional fields of the server
are never null. A client may leave out an optional field or send null.
"""

import inspect
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.inspect import (
    AnyType,
    BoolType,
    CollectionType,
    DictType,
    FloatType,
    IntType,
    LiteralType,
    NoneType,
    StrType,
    StructType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)
from msgspec.structs import FieldInfo, fields

from pitboss import game
from pitboss.arena.wire import fields as wire_fields
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.fields import LARGEST_NUMBER, Card, Hash
from pitboss.arena.wire.messages import ErrorCode
from pitboss.errors import PitbossError

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_COMMENTED = re.compile(r"^    (\w+): .*?#: (.+)$", re.MULTILINE)

#: Said once for all events, so that no event's table repeats them.
EVERY_EVENT: Final = ("hand_id", "seq")
#: Fields that clients fill in for their bots and that are never sent.
NOT_SENT: Final = {(wire.Act, "history")}

MEANINGS: Final = {
    "type": "the message",
    "ev": "the event",
    "v": "the protocol's version",
    "ts": "when it was sent; only for debugging",
    "action": "one of the words in `legal`",
    "amount": "the chips moved now",
    "at": "the card's place in the deck, from 0",
    "at_hand_id": "the current hand; null between hands",
    "bb": "the big blind; in stud the small bet",
    "Config.bb": "the big blind; in stud and limit games the small bet; 0 if the game is not poker",
    "bb_posted": "what the big blind's seat paid",
    "bb_seat": "the seat that posts the big blind",
    "board": "the community cards",
    "button": "the seat with the button",
    "call_amount": "what `CALL` costs, at most your stack; absent if there is nothing to call",
    "card": "the card",
    "cards": "the three cards",
    "chain": "the journal's newest hash; keep it to prove later that earlier entries were not changed",
    "code": "see Errors",
    "committed": "the seat's bet on this street",
    "community": "the community cards",
    "config": "the table's settings",
    "connected": "whether its client is connected",
    "deck": "all cards in dealing order, without spaces; empty if the game is not poker",
    "event": "the event in the game's own form, without hidden values",
    "final_stacks": "all teams, first place first",
    "hand": "all cards of the seat",
    "hand_id": "the hand",
    "hands": "finished hands",
    "has_folded": "whether it has folded",
    "hole": "all your cards, also those that are face up",
    "join_code": "the team's secret: your own choice, or given by the organiser",
    "learned": "all events of this game that you can see",
    "Ask.learned": "the events of this game that you can see: all, at most the last 64 KiB, or the new ones",
    "legal": "what you can do now",
    "Ask.legal": "what you can do now; for a range of sizes the smallest and the largest",
    "GameView.legal": "as in `ask`",
    "max_hands": "the match ends after this many hands; absent: no limit",
    "max_raise_to": "the largest `amount` of `RAISE_TO`",
    "min_raise_to": "the smallest `amount` of `RAISE_TO`; lower than a full raise only if your stack is",
    "move_time_ms": "the time for one turn",
    "msg": "what was wrong, for people",
    "next_actor": "the seat to act, or null",
    "opened": "proof that each card was at its place in the deck",
    "Showdown.opened": "proof for each card that did not come back from the discards",
    "path": "the sibling hashes from the leaf to the root",
    "phase": "the street; `WAITING` between hands",
    "place": "your position in this game, from 0",
    "GameView.place": "your position in this game; null if you are not in it",
    "Lobby.players": "the taken seats",
    "Act.players": "the seats dealt in",
    "Snapshot.players": "the seats dealt in; between hands all taken seats",
    "pot": "all chips in the middle, with this street's bets",
    "PotAward.pot": "0 is the main pot, 1 the first side pot",
    "rank": "`high_card`, `pair`, `two_pair`, `three_of_a_kind`, `straight`, `flush`, `full_house`, `four_of_a_kind` "
    "or `straight_flush`; in lowball the low hand, in high-low games the high hand",
    "ante": "the table's ante",
    "count": "the number of cards",
    "VoidMessage.reason": "the reason, for people",
    "MatchEnd.reason": "`last_standing`: one team has chips left; `max_hands`: the limit was reached; `too_few`: too "
    "few seats have chips for this game (never in poker)",
    "retry_after_ms": "send nothing for this long",
    "salt": "the card's salt",
    "sb": "the small blind; 0 in stud",
    "Config.sb": "the small blind; 0 if the game has none",
    "sb_posted": "what the small blind's seat paid",
    "sb_seat": "the seat that posts the small blind",
    "seat": "the seat",
    "Welcome.seat": "your seat: in a match for all of it, at a cash table until you leave",
    "LobbyPlayer.intent": "at a cash table: 0 plays, 1 waits for the big blind, 2 sits out, 3 leaves",
    "Act.seat": "your seat",
    "Ask.seat": "your seat",
    "GameView.seat": "your seat",
    "Turn.seat": "the seat to act",
    "SnapshotYou.seat": "your seat",
    "Config.seats": "the number of seats",
    "TableFacts.seats": "the number of seats dealt in",
    "secret": "the 32 bytes that determine the deck and its salts",
    "seq": "the message's number at this table",
    "stack": "the seat's chips, without its bets",
    "LobbyPlayer.stack": "its chips before the current hand; points can be negative",
    "SeatStack.stack": "its chips; points can be negative",
    "FinalStack.stack": "its chips at the end; points can be negative",
    "starting_stack": "each seat's chips at the start; at a cash table the largest buy-in",
    "stacks": "the seats that were dealt in",
    "StartHand.stacks": "the seats dealt in, before forced bets",
    "GameView.stacks": "all taken seats, with their chips between games",
    "table": "the hand's stakes and button",
    "TableViewMessage.table": "the table",
    "Ask.table": "the table as you see it, if you sent `ask_table` in `hello`",
    "GameView.table": "as in `ask`",
    "table_id": "the table",
    "team": "the team's name",
    "time_ms": "your time, from when this was sent",
    "Turn.time_ms": "the seat's time",
    "time_ms_remaining": "the time left for the seat to act, or null",
    "timeout_policy": "what the server plays when time is up: `check_call` (the default) or `check_fold`",
    "to": "the seat's bet on this street afterwards",
    "to_call": "what you have to call, at most your stack",
    "turn": "the question's number",
    "reopening": "when a seat that has acted can raise again, if not after one full raise: `cumulative` (short all-ins "
    "that add up to a full raise) or `always`",
    "variant": "the game: `HUNL` is no-limit hold'em, also with more than two seats; other poker has the PHH code "
    "(`PO`, `FO/8`, `FR`) or one of ours; other games have their name",
    "winner": "the team with the most chips; null for a tie",
    "you": "your own seat",
}

FIRST_TEXT: Final = {
    "hello": "team join_code",
    "action": "hand_id action amount",
    "welcome": "table_id seat config config.variant config.seats config.starting_stack config.sb config.bb "
    "config.move_time_ms",
    "lobby": "players players[].seat players[].team players[].connected players[].stack",
    "start_hand": "hand_id seed button stacks stacks[].seat stacks[].stack",
    "act": "hand_id seat phase you you.hole you.stack you.to_call you.time_ms table table.sb table.bb table.seats "
    "table.button players players[].seat players[].stack players[].has_folded players[].committed community legal "
    "call_amount min_raise_to max_raise_to",
    "end_hand": "hand_id stacks stacks[].seat stacks[].stack",
    "snapshot": "at_hand_id phase you you.seat you.hole you.stack you.to_call players community next_actor "
    "time_ms_remaining legal call_amount min_raise_to max_raise_to",
    "match_end": "winner winner.seat winner.team final_stacks final_stacks[].seat final_stacks[].team "
    "final_stacks[].stack",
    "error": "code msg",
    "POST_BLINDS": "sb_seat bb_seat sb bb",
    "BET": "seat amount",
    "CALL": "seat amount",
    "CHECK": "seat",
    "FOLD": "seat",
    "FLOP": "cards",
    "TURN": "card",
    "RIVER": "card",
    "SHOWDOWN": "seat hand board rank",
    "POT_AWARD": "seat amount",
    "ELIMINATED": "seat",
}
"""The messages and fields of v1's first text, which never changes: whatever else there is was added."""

FIRST_ERRORS: Final = "BAD_SCHEMA TEAM_TAKEN TEAM_UNKNOWN INVALID_ACTION OUT_OF_TURN ACTION_TOO_LATE"

ERRORS: Final[dict[ErrorCode, tuple[str, str]]] = {
    "BAD_SCHEMA": (
        "not a JSON object, or a field is missing or wrong; `msg` names the field",
        "fix the client; the turn continues",
    ),
    "UNKNOWN_TYPE": (
        "clients do not send this `type`",
        "send `hello`, `action`, `move`, `number`, `view`, `leave`, `sit_out`, `sit_in` or `top_up`",
    ),
    "TEAM_TAKEN": (
        "wrong code for this team, or the name looks like another team's at this table",
        "use the team's code, or another name",
    ),
    "TEAM_UNKNOWN": ("the team is not on the organiser's list", "ask the organiser"),
    "TABLE_FULL": (
        "all seats are taken, the match is over, or a freeze-out has begun",
        "join another table, or watch this one",
    ),
    "INVALID_ACTION": (
        "the action is not in `legal`, the amount is out of bounds, or you do not have the card",
        "answer again; the turn continues",
    ),
    "OUT_OF_TURN": ("another seat is to act, or you did not send `hello`", "wait for `act`"),
    "ACTION_TOO_LATE": (
        "the action is for another hand or an old turn, or has no turn and came too early; or the number is unexpected",
        "nothing; wait for the next `act`",
    ),
    "RATE_LIMITED": (
        "too many frames (not read), takeovers of one seat, or wrong codes from your address",
        "wait `retry_after_ms`",
    ),
    "RESUME_AHEAD": (
        "after `welcome`: the table has not sent your `resume_from` yet, so the server has lost entries",
        "continue from `snapshot`, keep your record, and inform the organiser",
    ),
    "BUY_IN_OUT_OF_RANGE": (
        "`buy_in` is below `config.min_buy_in` or above `config.starting_stack`",
        "send `hello` with another `buy_in`",
    ),
    "NOT_SEATED": ("you have no seat at this cash table, or are leaving it", "send `hello` to take a seat"),
    "TOP_UP_OUT_OF_RANGE": (
        "with these chips you would have more than `config.starting_stack`, or `amount` is 0",
        "bring fewer chips",
    ),
}
"""When each code is sent, and what the client should do."""


def is_added(message: str, field: str | None = None) -> bool:
    """Return whether a message, or a field of it, was added after the first text of version 1.

    >>> is_added("action", "turn"), is_added("action", "amount"), is_added("reveal")
    (True, False, True)
    """
    first = FIRST_TEXT.get(message)
    return first is None or (field is not None and field not in first.split())


Direction: TypeAlias = Literal["client to server", "server to client", "server to spectators"]
StructClass: TypeAlias = type[Struct]

CLIENT: tuple[StructClass, ...] = get_args(wire.ClientMessage)
EVENTS: tuple[StructClass, ...] = get_args(wire.HandEvent)
SPECTATORS: tuple[StructClass, ...] = (wire.TableMessage, wire.Turn, wire.Equities)
SERVER: tuple[StructClass, ...] = tuple(
    kind for kind in get_args(wire.ServerMessage) if kind not in EVENTS + SPECTATORS
)
ALL: tuple[StructClass, ...] = CLIENT + SERVER + EVENTS + SPECTATORS


class Undocumented(PitbossError, LookupError):
    """A field or a type of the protocol without a description."""


class Field(Struct, frozen=True, kw_only=True):
    """One row of a message's table; a part of an object has a dotted name, of a list of objects one with brackets."""

    name: str
    kind: str
    meaning: str
    added: bool


def wire_name(kind: StructClass) -> str:
    """Return the name of a message in JSON: its `type`, or the `ev` of an event.

    >>> wire_name(wire.EndHand), wire_name(wire.PotAward)
    ('end_hand', 'POT_AWARD')
    """
    return str(kind.__struct_config__.tag)


def direction(kind: StructClass) -> Direction:
    """Return the sender and the receiver of a message."""
    if kind in CLIENT:
        return "client to server"
    return "server to spectators" if kind in SPECTATORS else "server to client"


def sentence(kind: StructClass) -> str:
    """Return the description of a type: its docstring."""
    return " ".join(inspect.cleandoc(kind.__doc__ or "").split())


def rows(kind: StructClass, *, seen: dict[StructClass, str], prefix: str = "", of: str = "") -> Iterator[Field]:
    """Return the rows of a type's table, without the fields of all messages; objects described before are named."""
    of = of or wire_name(kind)
    shared = {*wire.Envelope.__struct_fields__, "type"} if not prefix else set()
    for field in fields(kind):
        name = field.encode_name
        if name in shared or (kind, name) in NOT_SENT or (kind in EVENTS and name in EVERY_EVENT):
            continue
        inner, listed = _object_in(field.type)
        described = seen.get(inner) if inner else None
        name = prefix + field.encode_name
        meaning = meaning_of(kind, field.encode_name)
        yield Field(name=name, kind=_kind_of(field, described), meaning=meaning, added=is_added(of, name))
        if inner and not described:
            seen[inner] = of
            yield from rows(inner, seen=seen, prefix=f"{name}[]." if listed else f"{name}.", of=of)


def meaning_of(kind: StructClass, name: str) -> str:
    """Return the description of a field of a type."""
    qualified = f"{kind.__name__}.{name}"
    meaning = _comments(kind).get(name) or MEANINGS.get(qualified) or MEANINGS.get(name)
    if meaning is None:
        raise Undocumented(f"describe {qualified}, after #: in messages.py or in MEANINGS")
    return meaning


def in_order(values: Iterable[Any]) -> list[Any]:
    """Return the values of a `Literal` in the order of the types; msgspec sorts them alphabetically.

    >>> in_order(("CALL", "CHECK", "DRAW", "FOLD", "RAISE_TO", "RUNS"))
    ['FOLD', 'CHECK', 'CALL', 'RAISE_TO', 'DRAW', 'RUNS']
    """
    return _orders()[frozenset(values)]


@cache
def _orders() -> dict[frozenset[Any], list[Any]]:
    kinds = [kind for kind in STRUCTS.values() if issubclass(kind, Struct)]
    annotations = [annotation for kind in kinds for annotation in get_type_hints(kind).values()]
    return {frozenset(values): values for annotation in annotations for values in _literals(annotation)}


def _literals(annotation: Any) -> list[list[Any]]:
    """Yield the values of every `Literal` in an annotation."""
    if get_origin(annotation) is Literal:
        return [list(get_args(annotation))]
    return [values for inner in get_args(annotation) for values in _literals(inner)]


@cache
def _comments(kind: StructClass) -> dict[str, str]:
    return dict(_COMMENTED.findall(inspect.getsource(kind)))


def _object_in(annotation: Any) -> tuple[StructClass | None, bool]:
    """Return the struct of a field, and whether the field has a list of them; proofs have their own chapter."""
    info = type_info(annotation)
    if isinstance(info, UnionType):
        info = next(kind for kind in info.types if not isinstance(kind, NoneType))
    listed = isinstance(info, CollectionType)
    if isinstance(info, CollectionType):
        info = info.item_type
    if not isinstance(info, StructType) or info.cls is wire.Opening:
        return None, listed
    return info.cls, listed


def _kind_of(field: FieldInfo, described: str | None) -> str:
    """Return a field's type in words; an optional field is left out rather than null."""
    kind = _kind(type_info(field.type)) + (f" as in `{described}`" if described else "")
    return kind if field.default is NODEFAULT else f"optional {kind.replace(' or null', '')}"


def _kind(info: Type) -> str:
    """Return a type in words."""
    match info:
        case UnionType(types=types):
            return " or ".join(_kind(kind) for kind in types)
        case NoneType():
            return "null"
        case VarTupleType(item_type=item):
            return "list of " + _plural(item)
        case LiteralType(values=values):
            return ", ".join(f"`{value}`" for value in in_order(values))
        case IntType(ge=low, le=high):
            bounded = low is not None and high is not None and high != LARGEST_NUMBER
            return f"integer, {low}–{high}" if bounded else "integer"
        case FloatType():
            return "number"
        case StrType():
            return _text(info)
        case BoolType():
            return "boolean"
        case StructType() | DictType():
            return "object"
        case AnyType():
            return "any JSON value"
    raise Undocumented(f"add a name for {type(info).__name__} in schema.py")


def _plural(item: Type) -> str:
    match item:
        case StructType(cls=cls):
            return "openings" if cls is wire.Opening else "objects"
        case StrType() if _text(item) in {"card", "hash"}:
            return {"card": "cards", "hash": "hashes"}[_text(item)]
        case LiteralType():
            return _kind(item)
        case AnyType():
            return "JSON values"
        case IntType():
            return "integers"
        case UnionType(types=types):
            return " or ".join("null" if isinstance(kind, NoneType) else _plural(kind) for kind in types)
        case StrType():
            return "strings"
        case VarTupleType(item_type=inner):
            return f"lists of {_plural(inner)}"
    raise Undocumented(f"add a plural for {item} in schema.py")


def _text(info: StrType) -> str:
    if info.pattern in _NAMED_TEXTS:
        return _NAMED_TEXTS[info.pattern]
    if info.max_length is None:
        return "string"
    if not info.min_length:
        return f"string of up to {info.max_length}"
    return f"string of {info.min_length}–{info.max_length}"


def _pattern(annotation: Any) -> str | None:
    info = type_info(annotation)
    return info.pattern if isinstance(info, StrType) else None


_NAMED_TEXTS = {_pattern(Card): "card", _pattern(Hash): "hash"}


Part: TypeAlias = dict[str, Any]

#: What the types alone do not express: a raise needs its amount.
RAISE_NEEDS_AMOUNT: Part = {
    "if": {"required": ["action"], "properties": {"action": {"const": "RAISE_TO"}}},
    "then": {"required": ["amount"], "properties": {"amount": {"type": "integer"}}},
}


STRUCTS: Final = {
    name: kind for module in (wire, wire_fields, game) for name, kind in vars(module).items() if isinstance(kind, type)
}


def schema() -> Part:
    """Return the whole schema: every message is valid against it, and each has its own definition in `$defs`."""
    _, parts = msgspec.json.schema_components(ALL)
    definitions = {name: _said_as_meant(STRUCTS[name], parts[name]) for name in sorted(parts)}
    definitions["Action"] |= RAISE_NEEDS_AMOUNT | {"anyOf": [{"required": ["action"]}, {"required": ["strategy"]}]}
    words = definitions["Action"]["properties"]
    words["action"] = _never_null(words["action"]) | {"description": words["action"]["description"]}
    definitions["WeightedAction"] |= RAISE_NEEDS_AMOUNT
    return {
        "$schema": DIALECT,
        "title": "pitboss arena protocol v1",
        "description": "One JSON object per frame. Fields may be added: ignore those you do not know.",
        "anyOf": [{"$ref": "#/$defs/FromClient"}, {"$ref": "#/$defs/FromServer"}],
        "$defs": {
            "FromClient": _any_of(CLIENT),
            "FromServer": _any_of(SERVER + EVENTS + SPECTATORS),
            **definitions,
        },
    }


def schema_text() -> str:
    """Return the schema as the text of its file."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _any_of(kinds: tuple[StructClass, ...]) -> Part:
    return {"anyOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in kinds]}


def _said_as_meant(kind: StructClass, part: Part) -> Part:
    required = [name for name, value in part["properties"].items() if "default" not in value]
    properties = {
        name: _reordered(value if kind in CLIENT else _never_null(value)) | {"description": meaning_of(kind, name)}
        for name, value in part["properties"].items()
        if (kind, name) not in NOT_SENT
    }
    return part | {"properties": properties, "required": required}


def _never_null(value: Part) -> Part:
    """Return the schema of a field without null, because a field without a value is omitted."""
    match value:
        case {"default": None, "enum": words}:
            return {"enum": [word for word in words if word is not None]}
        case {"default": None, "anyOf": kinds}:
            held = [kind for kind in kinds if kind != {"type": "null"}]
            return dict(held[0]) if len(held) == 1 else {"anyOf": held}
    return value


def _reordered(value: Any) -> Any:
    """Return the same with every list of words in the order of the types."""
    match value:
        case {"enum": [only]}:
            return {"const": only}
        case {"enum": [*words]}:
            return {**value, "enum": in_order(words)}
        case dict():
            return {name: _reordered(inner) for name, inner in value.items()}
        case list():
            return [_reordered(inner) for inner in value]
    return value
