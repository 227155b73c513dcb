"""The JSON Schema of protocol v1, made from the wire types: what msgspec makes of them, said as the server means it.

Fields get their meanings, words stand in the types' order and not the alphabet's, what the server always sends is
required, and what it may leave out is never null. A client may leave such a field out or send null.
"""

import json
from typing import Any, TypeAlias

import msgspec

from pitboss.arena.protocol import wire
from pitboss.arena.v1 import messages

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Part: TypeAlias = dict[str, Any]

#: What the types alone do not say: a raise needs its amount.
RAISE_NEEDS_AMOUNT: Part = {
    "if": {"properties": {"action": {"const": "RAISE_TO"}}},
    "then": {"required": ["amount"], "properties": {"amount": {"type": "integer"}}},
}


def schema() -> Part:
    """The whole schema: every message is valid against it, and each has a definition of its own in `$defs`."""
    _, parts = msgspec.json.schema_components(wire.ALL)
    definitions = {name: _said_as_meant(getattr(messages, name), parts[name]) for name in sorted(parts)}
    definitions["Action"] |= RAISE_NEEDS_AMOUNT
    return {
        "$schema": DIALECT,
        "title": "pitboss arena protocol v1",
        "description": "One JSON object a frame. Fields may be added: ignore those you do not know.",
        "anyOf": [{"$ref": "#/$defs/FromClient"}, {"$ref": "#/$defs/FromServer"}],
        "$defs": {
            "FromClient": _any_of(wire.CLIENT),
            "FromServer": _any_of(wire.SERVER + wire.EVENTS + wire.SPECTATORS),
            **definitions,
        },
    }


def schema_text() -> str:
    """The schema as its file holds it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _any_of(kinds: tuple[wire.StructClass, ...]) -> Part:
    return {"anyOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in kinds]}


def _said_as_meant(kind: wire.StructClass, part: Part) -> Part:
    required = [name for name, value in part["properties"].items() if "default" not in value]
    properties = {
        name: _reordered(value if kind in wire.CLIENT else _never_null(value))
        | {"description": wire.meaning_of(kind, name)}
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
            return {**value, "enum": wire.in_order(words)}
        case dict():
            return {name: _reordered(inner) for name, inner in value.items()}
        case list():
            return [_reordered(inner) for inner in value]
    return value
