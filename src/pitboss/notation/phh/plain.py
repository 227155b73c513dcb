"""The plain table that nearly every published hand is, read at once; any other is left to the TOML reader.

Plain is a header of its own line, then lines of ``name = value`` and blank ones, the value a number, a time, a boolean,
a text in single quotes, or an array of numbers or of such texts, spelled as ``write_phh`` spells them.
What is read here is what the TOML reader would read, arrays being tuples already.
"""

import datetime as dt
import re
from decimal import Decimal
from functools import lru_cache
from typing import TypeAlias

from pitboss.notation.record import STANDARD, Amount

Plain: TypeAlias = str | int | Decimal | bool | dt.time | tuple[Amount, ...] | tuple[str, ...]

_NUMBER = r"(?:-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?|inf)"
_TEXT = r"'[^'\x00-\x08\x0a-\x1f\x7f]*+'"
_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ONE_NUMBER, _NUMBERS = re.compile(_NUMBER), re.compile(rf"\[{_NUMBER}(?:, {_NUMBER})*+\]")
_ONE_TEXT, _TEXTS = re.compile(_TEXT), re.compile(rf"\[{_TEXT}(?:, {_TEXT})*+\]")
_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]")
_WORDS: dict[str, Plain] = {"true": True, "false": False, "[]": ()}
_STANDARD = frozenset(STANDARD)
_SHORT = 120
"""How many letters a value may have to be remembered: stakes, stacks and names of one table come again and again."""


def read_plain(text: str, table: str | None) -> dict[str, Plain] | None:
    """The fields of a plain table, or of a plain text without a header where ``table`` is None; None if not plain.

    >>> read_plain("[1]\\nvariant = 'NT'\\nantes = [0, 0.50]\\n", "1")
    {'variant': 'NT', 'antes': (0, Decimal('0.50'))}
    >>> read_plain("variant = 'NT' # a comment", None)
    """
    lines = text.split("\n")
    if table is not None and (lines.pop(0) != f"[{table}]" or not _KEY.fullmatch(table)):
        return None
    fields: dict[str, Plain] = {}
    for line in lines:
        if not line:
            continue
        name, _, written = line.partition(" = ")
        if name in fields or (name not in _STANDARD and not _KEY.fullmatch(name)):
            return None
        value = _value(written) if len(written) <= _SHORT else _read_value(written)
        if value is None:
            return None
        fields[name] = value
    return fields


def _read_value(written: str) -> Plain | None:
    if written[:1] == "[":
        if _TEXTS.fullmatch(written):
            return tuple(written[2:-2].split("', '"))
        if _NUMBERS.fullmatch(written):
            return tuple(map(_number, written[1:-1].split(", ")))
    elif written[:1] == "'":
        return written[1:-1] if _ONE_TEXT.fullmatch(written) else None
    elif _ONE_NUMBER.fullmatch(written):
        return _number(written)
    elif _TIME.fullmatch(written):
        return dt.time.fromisoformat(written)
    return _WORDS.get(written)


_value = lru_cache(maxsize=1024)(_read_value)


def _number(written: str) -> Amount:
    return Decimal(written) if "." in written or written == "inf" else int(written)
