"""Every field of every message with its type and its meaning, and the JSON Schema of protocol v1 made from them.

Compared with the schema that msgspec makes, fields have descriptions, words have the order of the types, fields
that the server always sends are required, and optional fields of the server are never null. A client may leave an
optional field out or send null.
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

from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import ErrorCode
from pitboss.errors import PitbossError

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_COMMENTED = re.compile(r"^    (\w+): .*?#: (.+)$", re.MULTILINE)

#: Said once for all events, so that no event's table repeats them.
EVERY_EVENT: Final = ("hand_id", "seq")

MEANINGS: Final = {
    "type": "which message this is",
    "ev": "what happened",
    "v": "the protocol's version",
    "ts": "when it was sent; only for debugging",
    "action": "what the seat does, one of the words in `legal`",
    "amount": "chips moved now",
    "at": "the card's place in the deck, counted from 0",
    "at_hand_id": "the hand under way; null between hands",
    "bb": "the big blind; in stud the small bet",
    "Config.bb": "the big blind, in stud and limit games the small bet; 0 where the game is no poker",
    "bb_posted": "what the big blind's seat really paid",
    "bb_seat": "who posts the big blind",
    "board": "the cards in the middle; empty where the game has none",
    "button": "the seat that has the button",
    "call_amount": "what `CALL` would move now, never more than the stack; absent when nothing is owed",
    "card": "the card",
    "cards": "the three cards",
    "chain": "the head of the journal's hash chain after this hand: write it down, and nobody can rewrite the past",
    "code": "one of the codes under Errors",
    "committed": "the seat's bet on this street",
    "community": "the cards in the middle",
    "config": "the table's settings",
    "connected": "whether its client is connected",
    "deck": "all cards in dealing order, without spaces; empty where the game is no poker",
    "event": "what happened, as the game writes it, with what is hidden left out",
    "final_stacks": "every team, from the most chips down",
    "hand": "all cards of the seat, those that lay face up among them",
    "hand_id": "which hand",
    "hands": "finished hands",
    "has_folded": "whether it has given up this hand",
    "hole": "all your cards, those that lie face up among them; empty where you were dealt none",
    "join_code": "the team's secret, chosen by you or given by the organiser",
    "learned": "every event of this game so far, as the game writes it and as you may see it",
    "legal": "what you may do now",
    "AskMessage.legal": "what you may do now, as the game writes it; of a range of sizes the least and the greatest",
    "GameView.legal": "what you may do now, as in `ask`",
    "max_hands": "the match ends after so many hands; absent where there is no such bound",
    "max_raise_to": "the most that `RAISE_TO` takes: your stack and what you have bet on this street; in limit games "
    "no more than the fixed bet, in pot-limit games than the pot",
    "min_raise_to": "the least that `RAISE_TO` takes; your last chip where you have less",
    "move_time_ms": "how long a turn lasts",
    "msg": "what was wrong, in a sentence for people",
    "next_actor": "whose turn it is; null when nobody is asked",
    "opened": "proof that these cards lay in the deck from the start, one for each card",
    "Showdown.opened": "proof that these cards lay in the deck from the start, one for each that nobody threw away",
    "path": "the hashes beside the card's way to the root, from the leaf up",
    "phase": "the street; `WAITING` where no hand is under way",
    "place": "your place in this game: which part you play, counted from 0",
    "GameView.place": "your place in this game; null where you are not in it",
    "Lobby.players": "everybody who has a seat",
    "Act.players": "the seats dealt in",
    "Snapshot.players": "the seats dealt in; between hands all who have a seat",
    "pot": "all chips in the middle, this street's bets among them",
    "PotAward.pot": "which pot: 0 is the main pot, 1 the first side pot",
    "rank": "what they make: `high_card`, `pair`, `two_pair`, `three_of_a_kind`, `straight`, `flush`, `full_house`, "
    "`four_of_a_kind` or `straight_flush`; where the low hand wins, which low it is; of high and low, the high",
    "ante": "the ante as the table has it",
    "count": "how many cards",
    "VoidMessage.reason": "why, in a sentence for people",
    "MatchEnd.reason": "`last_standing`: only one team has chips left; `too_few`: fewer have than the game needs, "
    "which poker never says; `max_hands`: the bound was reached",
    "retry_after_ms": "send nothing for so long",
    "salt": "the card's salt",
    "sb": "the small blind; 0 in stud",
    "Config.sb": "the small blind; 0 where the game has none",
    "sb_posted": "what the small blind's seat really paid",
    "sb_seat": "who posts the small blind",
    "seat": "whose seat",
    "Welcome.seat": "your seat, which is yours for the whole match",
    "Act.seat": "your seat",
    "AskMessage.seat": "your seat",
    "GameView.seat": "your seat",
    "Turn.seat": "who is asked",
    "SnapshotYou.seat": "your seat",
    "Config.seats": "how many seats the table has",
    "TableFacts.seats": "how many seats were dealt in",
    "secret": "the 32 bytes that the deck and its salts come from",
    "seq": "the message's running number at this table",
    "stack": "the seat's chips, without what it has bet",
    "LobbyPlayer.stack": "its chips before the hand under way; where a game counts points they may be below 0",
    "SeatStack.stack": "its chips; where a game counts points they may be below 0",
    "FinalStack.stack": "its chips at the end; where a game counts points they may be below 0",
    "starting_stack": "what everybody begins the match with",
    "stacks": "the seats that were dealt in",
    "StartHand.stacks": "the seats dealt in, before anybody posts",
    "GameView.stacks": "everybody who has a seat, with his chips between games",
    "table": "the hand's frame",
    "table_id": "which table",
    "team": "the team's name",
    "time_ms": "how long you have, counted from when this was sent",
    "Turn.time_ms": "how long the seat has",
    "time_ms_remaining": "what is left on the clock of the seat that is asked; null when nobody is",
    "timeout_policy": "what is played for a seat whose time is up: `check_call` (the default) or `check_fold`",
    "to": "the seat's bet on this street after it",
    "to_call": "what you owe; never more than your stack",
    "turn": "the question's number",
    "reopening": "what lets a seat that has acted raise again, where it is not one full raise: `cumulative`, short "
    "all-ins that pile up to one, or `always`",
    "variant": "the game: `HUNL` is no-limit Texas hold'em, also with more than two; other poker has PHH's code (`PO`, "
    "`FO/8`, `FR`) or one of ours where PHH has none, any other game its name",
    "winner": "who has the most chips; null where several have equally many",
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
        "the frame is no JSON object, or a field is missing or of the wrong kind; `msg` names the field",
        "mend the client; the turn and its clock go on",
    ),
    "UNKNOWN_TYPE": ("`type` is nothing that a client sends", "send `hello`, `action`, `move`, `leave` or `number`"),
    "TEAM_TAKEN": (
        "the team is known, and this is not its code; or the name looks like another team's at this table",
        "use the team's code, or another name",
    ),
    "TEAM_UNKNOWN": ("the organiser gave a list of teams and this one is not on it", "ask the organiser"),
    "TABLE_FULL": (
        "every seat has its team, the match is over, or a freeze-out has begun",
        "come to another table, or watch this one",
    ),
    "INVALID_ACTION": (
        "a word that is not in `legal` (any but the five is `BAD_SCHEMA`), an amount out of bounds, a card you lack",
        "answer again: the turn and its clock go on",
    ),
    "OUT_OF_TURN": ("it is another seat's turn, or you have not said `hello`", "wait for `act`"),
    "ACTION_TOO_LATE": (
        "the action names another hand or an old turn, or no turn and was sent too early; or no such number is awaited",
        "nothing: the next `act` comes by itself",
    ),
    "RATE_LIMITED": (
        "too many frames, which were not read; a seat that changes hands too often; wrong codes from your address",
        "wait `retry_after_ms`",
    ),
    "RESUME_AHEAD": (
        "after `welcome`: your `resume_from` is beyond anything this table has sent, so the server has lost something",
        "play on from the `snapshot`, keep what you have recorded, and tell the organiser",
    ),
}
"""For every code when it comes and what to do."""


def is_added(message: str, field: str | None = None) -> bool:
    """Whether a message, or a field of it, was added to v1's first text.

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
    """A field or a type of the protocol that no words explain."""


class Field(Struct, frozen=True, kw_only=True):
    """One row of a message's table; a part of an object has a dotted name, of a list of objects one with brackets."""

    name: str
    kind: str
    meaning: str
    added: bool


def wire_name(kind: StructClass) -> str:
    """What a message is called on the wire: its `type`, of an event its `ev`.

    >>> wire_name(wire.EndHand), wire_name(wire.PotAward)
    ('end_hand', 'POT_AWARD')
    """
    return str(kind.__struct_config__.tag)


def direction(kind: StructClass) -> Direction:
    """Who sends a message to whom."""
    if kind in CLIENT:
        return "client to server"
    return "server to spectators" if kind in SPECTATORS else "server to client"


def sentence(kind: StructClass) -> str:
    """What a type says about itself: its docstring."""
    return " ".join(inspect.cleandoc(kind.__doc__ or "").split())


def rows(kind: StructClass, *, seen: dict[StructClass, str], prefix: str = "", of: str = "") -> Iterator[Field]:
    """The rows of a type's table, without what every message has; objects described before are only named."""
    of = of or wire_name(kind)
    shared = {*wire.Envelope.__struct_fields__, "type"} if not prefix else set()
    for field in fields(kind):
        if field.encode_name in shared or (kind in EVENTS and field.encode_name in EVERY_EVENT):
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
    """What a field of a type means."""
    qualified = f"{kind.__name__}.{name}"
    meaning = _comments(kind).get(name) or MEANINGS.get(qualified) or MEANINGS.get(name)
    if meaning is None:
        raise Undocumented(f"say what {qualified} means, after #: in messages.py or in MEANINGS")
    return meaning


def in_order(values: Iterable[Any]) -> list[Any]:
    """The values of a `Literal` as the types write them; msgspec sorts them by the alphabet.

    >>> in_order(("CALL", "CHECK", "DRAW", "FOLD", "RAISE_TO"))
    ['FOLD', 'CHECK', 'CALL', 'RAISE_TO', 'DRAW']
    """
    return _orders()[frozenset(values)]


@cache
def _orders() -> dict[frozenset[Any], list[Any]]:
    kinds = [kind for kind in vars(wire).values() if isinstance(kind, type) and issubclass(kind, Struct)]
    annotations = [annotation for kind in kinds for annotation in get_type_hints(kind).values()]
    return {frozenset(values): values for annotation in annotations for values in _literals(annotation)}


def _literals(annotation: Any) -> list[list[Any]]:
    """The values of every `Literal` within an annotation."""
    if get_origin(annotation) is Literal:
        return [list(get_args(annotation))]
    return [values for inner in get_args(annotation) for values in _literals(inner)]


@cache
def _comments(kind: StructClass) -> dict[str, str]:
    return dict(_COMMENTED.findall(inspect.getsource(kind)))


def _object_in(annotation: Any) -> tuple[StructClass | None, bool]:
    """The struct that a field holds, and whether it holds a list of them; openings have their own chapter."""
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
    """A field's type in words; what may be absent is left out rather than null."""
    kind = _kind(type_info(field.type))
    may_be_absent = field.default is not NODEFAULT
    return (
        (kind.removesuffix(" or null") if may_be_absent else kind)
        + (f" as in `{described}`" if described else "")
        + ("; may be absent" if may_be_absent else "")
    )


def _kind(info: Type) -> str:
    """A type in words."""
    match info:
        case UnionType(types=types):
            return " or ".join(_kind(kind) for kind in types)
        case NoneType():
            return "null"
        case VarTupleType(item_type=item):
            return "list of " + _plural(item)
        case LiteralType(values=values):
            return " or ".join(f"`{value}`" for value in in_order(values))
        case IntType(ge=low, le=high):
            bounded = low is not None and high is not None and high != wire.LARGEST_NUMBER
            return f"whole number, {low} to {high}" if bounded else "whole number"
        case FloatType():
            return "number"
        case StrType():
            return _text(info)
        case BoolType():
            return "true or false"
        case StructType():
            return "object"
        case AnyType():
            return "any JSON value"
    raise Undocumented(f"say in schema.py what a {type(info).__name__} is called")


def _plural(item: Type) -> str:
    match item:
        case StructType(cls=cls):
            return "openings" if cls is wire.Opening else "objects"
        case StrType() if _text(item) in {"card", "hash"}:
            return {"card": "cards", "hash": "hashes"}[_text(item)]
        case LiteralType():
            return _kind(item).replace(" or ", ", ")
        case AnyType():
            return "JSON values"
        case IntType():
            return "whole numbers"
    raise Undocumented(f"say in schema.py what many of {item} are called")


def _text(info: StrType) -> str:
    if info.pattern in _NAMED_TEXTS:
        return _NAMED_TEXTS[info.pattern]
    if info.max_length is None:
        return "text"
    if not info.min_length:
        return f"text, at most {info.max_length} characters"
    return f"text of {info.min_length} to {info.max_length} characters"


def _pattern(annotation: Any) -> str | None:
    info = type_info(annotation)
    return info.pattern if isinstance(info, StrType) else None


_NAMED_TEXTS = {_pattern(wire.Card): "card", _pattern(wire.Hash): "hash"}


Part: TypeAlias = dict[str, Any]

#: What the types alone do not say: a raise needs its amount.
RAISE_NEEDS_AMOUNT: Part = {
    "if": {"properties": {"action": {"const": "RAISE_TO"}}},
    "then": {"required": ["amount"], "properties": {"amount": {"type": "integer"}}},
}


def schema() -> Part:
    """The whole schema: every message is valid against it, and each has a definition of its own in `$defs`."""
    _, parts = msgspec.json.schema_components(ALL)
    definitions = {name: _said_as_meant(getattr(wire, name), parts[name]) for name in sorted(parts)}
    definitions["Action"] |= RAISE_NEEDS_AMOUNT
    return {
        "$schema": DIALECT,
        "title": "pitboss arena protocol v1",
        "description": "One JSON object a frame. Fields may be added: ignore those you do not know.",
        "anyOf": [{"$ref": "#/$defs/FromClient"}, {"$ref": "#/$defs/FromServer"}],
        "$defs": {
            "FromClient": _any_of(CLIENT),
            "FromServer": _any_of(SERVER + EVENTS + SPECTATORS),
            **definitions,
        },
    }


def schema_text() -> str:
    """The schema as its file holds it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _any_of(kinds: tuple[StructClass, ...]) -> Part:
    return {"anyOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in kinds]}


def _said_as_meant(kind: StructClass, part: Part) -> Part:
    required = [name for name, value in part["properties"].items() if "default" not in value]
    properties = {
        name: _reordered(value if kind in CLIENT else _never_null(value)) | {"description": meaning_of(kind, name)}
        for name, value in part["properties"].items()
    }
    return part | {"properties": properties, "required": required}


def _never_null(value: Part) -> Part:
    """A field that is left out rather than null: only what it holds where it is there."""
    match value:
        case {"default": None, "enum": words}:
            return {"enum": [word for word in words if word is not None]}
        case {"default": None, "anyOf": kinds}:
            held = [kind for kind in kinds if kind != {"type": "null"}]
            return dict(held[0]) if len(held) == 1 else {"anyOf": held}
    return value


def _reordered(value: Any) -> Any:
    """The same with every list of words in the order in which the types have them."""
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
