"""As much of JSON Schema as the protocol's schema uses; a keyword it does not know is an error, not a pass."""

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

Schema: TypeAlias = dict[str, Any]

WORDS = {"title", "description", "default", "$schema", "$defs"}
KINDS: dict[str, tuple[type, ...]] = {
    "integer": (int,),
    "number": (int, float),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}


def complaints(value: Any, schema: Schema, root: Schema, at: str = "$") -> Iterator[str]:
    """Return what is wrong with a value, and where."""
    for keyword, wanted in schema.items():
        if keyword not in WORDS:
            yield from _complain(keyword, wanted, value, schema, root, at)


def is_valid(value: Any, schema: Schema, root: Schema) -> bool:
    """Whether nothing is wrong with a value."""
    return not any(complaints(value, schema, root))


def _complain(keyword: str, wanted: Any, value: Any, schema: Schema, root: Schema, at: str) -> Iterator[str]:
    match keyword:
        case "$ref":
            yield from complaints(value, root["$defs"][wanted.removeprefix("#/$defs/")], root, at)
        case "anyOf":
            if not any(is_valid(value, one, root) for one in wanted):
                yield f"{at}: {value!r} is none of what is allowed"
        case "if":
            if is_valid(value, wanted, root):
                yield from complaints(value, schema["then"], root, at)
        case "then":
            pass
        case "properties":
            for name in wanted.keys() & value.keys() if isinstance(value, dict) else ():
                yield from complaints(value[name], wanted[name], root, f"{at}.{name}")
        case "items":
            for place, one in enumerate(value if isinstance(value, list) else ()):
                yield from complaints(one, wanted, root, f"{at}[{place}]")
        case _:
            if not _fits(keyword, wanted, value):
                yield f"{at}: {value!r} against {keyword} {wanted!r}"


def _fits(keyword: str, wanted: Any, value: Any) -> bool:
    number = isinstance(value, int) and not isinstance(value, bool)
    text = isinstance(value, str)
    match keyword:
        case "type":
            return isinstance(value, KINDS[wanted]) and (
                wanted not in ("integer", "number") or not isinstance(value, bool)
            )
        case "const":
            return type(value) is type(wanted) and bool(value == wanted)
        case "enum":
            return value in wanted
        case "required":
            return not isinstance(value, dict) or wanted == [name for name in wanted if name in value]
        case "minimum":
            return not number or value >= wanted
        case "maximum":
            return not number or value <= wanted
        case "minLength":
            return not text or len(value) >= wanted
        case "maxLength":
            return not text or len(value) <= wanted
        case "pattern":
            return not text or re.search(wanted.replace("$", r"\Z"), value) is not None
    raise ValueError(f"teach json_schema.py the keyword {keyword}")
