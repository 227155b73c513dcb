"""What the wire types say about themselves: every message with its direction, its fields, their kinds and meanings.

A field's meaning is its `#:` comment in `messages.py`, else what `words.py` says that the field's name means.
"""

import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct
from msgspec.inspect import (
    AnyType,
    BoolType,
    CollectionType,
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

from pitboss.arena.protocol import words
from pitboss.arena.v1 import messages
from pitboss.errors import PitbossError

Direction: TypeAlias = Literal["client to server", "server to client", "server to spectators"]
StructClass: TypeAlias = type[Struct]

CLIENT: tuple[StructClass, ...] = get_args(messages.ClientMessage)
EVENTS: tuple[StructClass, ...] = get_args(messages.HandEvent)
SPECTATORS: tuple[StructClass, ...] = (messages.TableMessage, messages.Turn)
SERVER: tuple[StructClass, ...] = tuple(
    kind for kind in get_args(messages.ServerMessage) if kind not in EVENTS + SPECTATORS
)
ALL: tuple[StructClass, ...] = CLIENT + SERVER + EVENTS + SPECTATORS

_COMMENTED = re.compile(r"^    (\w+): .*?#: (.+)$", re.MULTILINE)


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

    >>> wire_name(messages.EndHand), wire_name(messages.PotAward)
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
    return inspect.cleandoc(kind.__doc__ or "")


def rows(kind: StructClass, *, seen: dict[StructClass, str], prefix: str = "", of: str = "") -> Iterator[Field]:
    """The rows of a type's table, without what every message has; objects described before are only named."""
    of = of or wire_name(kind)
    shared = {*messages.Envelope.__struct_fields__, "type"} if not prefix else set()
    for field in fields(kind):
        if field.encode_name in shared or (kind in EVENTS and field.encode_name in words.EVERY_EVENT):
            continue
        inner, listed = _object_in(field.type)
        described = seen.get(inner) if inner else None
        name = prefix + field.encode_name
        meaning = meaning_of(kind, field.encode_name)
        yield Field(name=name, kind=_kind_of(field, described), meaning=meaning, added=words.is_added(of, name))
        if inner and not described:
            seen[inner] = of
            yield from rows(inner, seen=seen, prefix=f"{name}[]." if listed else f"{name}.", of=of)


def meaning_of(kind: StructClass, name: str) -> str:
    """What a field of a type means."""
    qualified = f"{kind.__name__}.{name}"
    meaning = _comments(kind).get(name) or words.MEANINGS.get(qualified) or words.MEANINGS.get(name)
    if meaning is None:
        raise Undocumented(f"say what {qualified} means, after #: in messages.py or in words.py")
    return meaning


def in_order(values: Iterable[Any]) -> list[Any]:
    """The values of a `Literal` as the types write them; msgspec sorts them by the alphabet.

    >>> in_order(("CALL", "CHECK", "DRAW", "FOLD", "RAISE_TO"))
    ['FOLD', 'CHECK', 'CALL', 'RAISE_TO', 'DRAW']
    """
    return _orders()[frozenset(values)]


@cache
def _orders() -> dict[frozenset[Any], list[Any]]:
    kinds = [kind for kind in vars(messages).values() if isinstance(kind, type) and issubclass(kind, Struct)]
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
    if not isinstance(info, StructType) or info.cls is messages.Opening:
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
            bounded = low is not None and high is not None and high != messages.MOST
            return f"whole number, {low} to {high}" if bounded else "whole number"
        case StrType():
            return _text(info)
        case BoolType():
            return "true or false"
        case StructType():
            return "object"
        case AnyType():
            return "any JSON value"
    raise Undocumented(f"say in wire.py what a {type(info).__name__} is called")


def _plural(item: Type) -> str:
    match item:
        case StructType(cls=cls):
            return "openings" if cls is messages.Opening else "objects"
        case StrType() if _text(item) in {"card", "hash"}:
            return {"card": "cards", "hash": "hashes"}[_text(item)]
        case LiteralType():
            return _kind(item).replace(" or ", ", ")
        case AnyType():
            return "JSON values"
        case IntType():
            return "whole numbers"
    raise Undocumented(f"say in wire.py what many of {item} are called")


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


_NAMED_TEXTS = {_pattern(messages.Card): "card", _pattern(messages.Hash): "hash"}
