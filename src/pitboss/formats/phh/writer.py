"""Write records as PHH text, with the order of fields, quotes and line breaks of the published files."""

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TypeGuard

from pitboss.formats.phh.fields import PhhError, comment_problem, field_problem
from pitboss.hand.game_file import OWN_CODE
from pitboss.hand.games import PHH_CODES, STRUCTURES
from pitboss.records.record import Anchor, Comments, Record, written_fields
from pitboss.records.table_fields import HOUSE_FIELDS

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_UNQUOTABLE = re.compile(r"['\x00-\x08\x0a-\x1f\x7f]")
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f]')
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
_LONGEST_DECIMAL = 10_000
"""Integers with this number of bits or more are written in hexadecimal. Python refuses very long decimal integers."""


def write_phh(record: Record) -> str:
    """Return the text of a ``.phh`` file with one hand.

    The record may have game codes and fields that only pitboss has; ``foreign_words`` lists them.

    >>> print(write_phh(Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2,
    ...                        starting_stacks=(Decimal("9.50"), 8), actions=("d dh p1 AsKd",))), end="")
    variant = 'NT'
    antes = [0, 0]
    blinds_or_straddles = [1, 2]
    min_bet = 2
    starting_stacks = [9.50, 8]
    actions = ['d dh p1 AsKd']
    """
    if not isinstance(record, Record):
        raise PhhError(f"expected a Record, got {record!r:.40}; use write_phhs for several")
    return _table(record, None) + "\n"


def write_phhs(records: Iterable[Record | tuple[str, Record]], *, end: str = "\n\n") -> str:
    """Return the text of a ``.phhs`` file. A hand without a name is numbered by its position, from 1.

    ``end`` is the text after the last hand. Some published files end with a blank line, others with no line break.

    >>> from pitboss import Record, write_phhs
    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"), players=("Ann", "Bo"))
    >>> write_phhs([record]).splitlines()[:2]
    ['[1]', "variant = 'NT'"]
    """
    tables: dict[str, str] = {}
    if not isinstance(records, Iterable):
        raise PhhError(f"expected records, got {records!r:.40}")
    for number, entry in enumerate(records, 1):
        name, record = entry if _is_named(entry) else (str(number), entry)
        if not isinstance(record, Record):
            raise PhhError(f"expected records, or pairs of a name and a record, got {entry!r:.40}")
        if name in tables:
            raise PhhError("expected different table names, got this one twice", table=name)
        tables[name] = f"[{_key(name)}]\n{_table(record, name)}"
    return "\n\n".join(tables.values()) + end if tables else ""


def _is_named(entry: object) -> TypeGuard[tuple[str, object]]:
    return isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], str)


def foreign_words(record: Record) -> tuple[str, ...]:
    """Return a sentence for each field of a record that other programs may not know.

    >>> foreign_words(Record(variant="PT", antes=(), starting_stacks=(), actions=()))
    ('variant PT: only pitboss uses this code',)
    """
    found = []
    if record.variant in STRUCTURES and record.variant not in PHH_CODES:
        found.append(f"variant {record.variant}: only pitboss uses this code")
    if record.variant == OWN_CODE:
        found.append(f"variant {OWN_CODE}: the game of a file; only pitboss uses this code")
    named = [name for name in HOUSE_FIELDS if name in record.user]
    return (
        *found,
        *[f"{name}: only pitboss has this field; other programs cannot replay the hand" for name in named],
    )


def _table(record: Record, table: str | None) -> str:
    fields = written_fields(record)
    problem = _hidden(record) or field_problem(fields) or comment_problem(fields, record.comments)
    if problem:
        raise PhhError(problem[1], table=table, field=problem[0])
    if not record.comments:
        return "\n".join([f"{_key(name)} = {_value(value)}" for name, value in fields.items()])
    return "\n".join(_annotated(fields, record.comments))


def _hidden(record: Record) -> tuple[str, str] | None:
    """Return the first of the author's fields whose name does not begin with ``_``, or None."""
    return next(((name, "must begin with _") for name in record.user if not name.startswith("_")), None)


def _annotated(fields: Mapping[str, object], comments: Comments) -> list[str]:
    lines = _comment_lines(comments, Anchor("top"))
    if lines:
        lines.append("")
    in_arrays = {anchor.field for anchor in comments if anchor.item is not None or anchor.place == "end"}
    for name, value in fields.items():
        lines += _comment_lines(comments, Anchor("before", name))
        if isinstance(value, tuple) and name in in_arrays:
            lines.append(f"{_key(name)} = [")
            lines += _entries(name, value, comments)
            lines.append("]" + _beside(comments, Anchor("beside", name)))
        else:
            lines.append(f"{_key(name)} = {_value(value)}" + _beside(comments, Anchor("beside", name)))
    return lines + _comment_lines(comments, Anchor("end"))


def _entries(name: str, values: tuple[object, ...], comments: Comments) -> list[str]:
    """Return the lines of an array, with one entry per line. Comments between entries have blank lines around them."""
    lines: list[str] = []
    for item, value in enumerate(values):
        if heading := _comment_lines(comments, Anchor("before", name, item), "  "):
            lines += ["", *heading, ""] if lines else [*heading, ""]
        lines.append(f"  {_value(value)}," + _beside(comments, Anchor("beside", name, item)))
    if closing := _comment_lines(comments, Anchor("end", name), "  "):
        lines += ["", *closing] if lines else closing
    return lines


def _comment_lines(comments: Comments, anchor: Anchor, indent: str = "") -> list[str]:
    return [f"{indent}# {line}" if line else f"{indent}#" for line in comments.get(anchor, ())]


def _beside(comments: Comments, anchor: Anchor) -> str:
    return "".join(_comment_lines(comments, anchor, "  "))


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _string(name)


def _value(value: object) -> str:
    match value:
        case str():
            return _string(value)
        case bool():
            return "true" if value else "false"
        case int():
            return str(value) if value.bit_length() < _LONGEST_DECIMAL else hex(value)
        case Decimal():
            return _decimal(value)
        case tuple():
            return f"[{', '.join([_value(item) for item in value])}]"
        case Mapping():
            return f"{{{', '.join([f'{_key(key)} = {_value(item)}' for key, item in value.items()])}}}"
        case dt.date() | dt.time():
            return value.isoformat()
    raise AssertionError("an unchecked value")


def _string(text: str) -> str:
    if not _UNQUOTABLE.search(text):
        return f"'{text}'"
    return '"' + _ESCAPED.sub(lambda found: _SHORT_ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04x}", text) + '"'


def _decimal(number: Decimal) -> str:
    if not number.is_finite():
        return "nan" if number.is_nan() else "inf" if number > 0 else "-inf"
    # Keep the given digits. Use an exponent only where plain digits would be more precise than the number.
    plain = format(number, "f")
    return plain if "." in plain else str(number)
