"""Fields of a data file, each checked where it is read, so that a broken file is refused in one sentence."""

from collections.abc import Iterable, Mapping
from typing import Any

from pitboss.errors import PitbossError

MOST = 1_000_000
"""No number in a data file is larger, either way."""


class CardsError(PitbossError, ValueError):
    """A data file that makes no game; the sentence names the card or deck and the field."""


def table(data: Mapping[str, Any], name: str, where: str) -> dict[str, Any]:
    """A table that must be there."""
    if not isinstance(data.get(name), dict):
        raise CardsError(f"{where} needs a table {name!r}")
    found: dict[str, Any] = data[name]
    return found


def optional_table(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A table that may be left out."""
    found = data.get(name, {})
    if not isinstance(found, dict):
        raise CardsError(f"{name} must be a table")
    return found


def no_others(fields: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Refuse a field that means nothing."""
    for field in fields:
        if field not in known:
            raise CardsError(f"{where} has no field {field!r}: there are {', '.join(known)}")


def has(fields: Mapping[str, Any], field: str, where: str) -> None:
    """Refuse a table without this field."""
    if field not in fields:
        raise CardsError(f"{where} needs a field {field!r}")


def whole(value: Any, where: str, field: str, *, least: int, most: int = MOST) -> int:
    """A whole number within bounds."""
    if type(value) is not int or not least <= value <= most:
        raise CardsError(f"{where}, field {field!r}: {value!r} is no whole number from {least} to {most}")
    return value
