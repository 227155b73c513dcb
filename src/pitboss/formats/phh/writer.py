"""Write a record as PHH, with the order, quotes and line breaks of the published files."""

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TypeGuard

from pitboss.formats.phh.fields import PhhError, comment_problem, field_problem
from pitboss.hand.games import PHH_CODES, STRUCTURES
from pitboss.records.record import Anchor, Comments, Record, written_fields
from pitboss.records.table_fields import HOUSE_FIELDS

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_UNQUOTABLE = re.compile(r"['\x00-\x08\x0a-\x1f\x7f]")
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f]')
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
_LONGEST_DECIMAL = 10_000
"""Bits from which an integer is written in hexadecimal, since Python refuses very long decimal ones."""


def write_phh(record: Record) -> str:
    """Return one hand as a ``.phh`` text, which ``read_phh`` reads.

    All game codes are written; ``foreign_words`` returns what other programs might not know.

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
        raise PhhError(f"expected one Record, got {record!r:.40}; write_phhs writes several")
    return _table(record, None) + "\n"


def write_phhs(records: Iterable[Record | tuple[str, Record]], *, end: str = "\n\n") -> str:
    """Return many hands as a ``.phhs`` text, under the given names, else 1, 2 and so on.

    ``end`` follows the last line: published files end with a blank line, or with nothing.
    """
    tables: dict[str, str] = {}
    if not isinstance(records, Iterable):
        raise PhhError(f"expected records, got {records!r:.40}")
    for number, entry in enumerate(records, 1):
        name, record = entry if _is_named(entry) else (str(number), entry)
        if not isinstance(record, Record):
            raise PhhError(f"expected records, or pairs of a name and a record, got {entry!r:.40}")
        if name in tables:
            raise PhhError("a table with this name came before", table=name)
        tables[name] = f"[{_key(name)}]\n{_table(record, name)}"
    return "\n\n".join(tables.values()) + end if tables else ""


def _is_named(entry: object) -> TypeGuard[tuple[str, object]]:
    return isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], str)


def foreign_words(record: Record) -> tuple[str, ...]:
    """Return what other programs might not know of a record, one sentence each; it is written anyway.

    >>> foreign_words(Record(variant="PT", antes=(), starting_stacks=(), actions=()))
    ('variant PT: a code of pitboss that other programs may not know',)
    """
    found = []
    if record.variant in STRUCTURES and record.variant not in PHH_CODES:
        found.append(f"variant {record.variant}: a code of pitboss that other programs may not know")
    named = [name for name in HOUSE_FIELDS if name in record.user]
    return (
        *found,
        *[f"{name}: PHH cannot express it, and other programs will not replay the hand" for name in named],
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
    """Return an annotator's own field that would replace one of the standard."""
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
    """Yield the entries of an array one per line; headings among them are set off by blank lines."""
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
    # Keep the digits as they were written; use an exponent only if plain digits would add precision.
    plain = format(number, "f")
    return plain if "." in plain else str(number)
