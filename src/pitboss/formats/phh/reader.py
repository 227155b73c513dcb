"""Read PHH text. Tables are separated first, so that one broken hand does not affect the others."""

import datetime as dt
import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from pitboss.formats.phh.comments import KEY, UNFINISHED, closed_at, find_comments
from pitboss.formats.phh.fields import DEEPEST_NESTING, PhhError, field_problem
from pitboss.formats.scan import HandFound
from pitboss.records.money import Amount
from pitboss.records.moves import LARGEST_EXPONENT
from pitboss.records.record import STANDARD, Record
from pitboss.records.table_fields import Toml

Plain: TypeAlias = str | int | Decimal | bool | dt.time | tuple[Amount, ...] | tuple[str, ...]

_NUMBER = r"(?:-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?|inf)"
_TEXT = r"'[^'\x00-\x08\x0a-\x1f\x7f]*+'"
_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ONE_NUMBER, _NUMBERS = re.compile(_NUMBER), re.compile(rf"\[{_NUMBER}(?:, {_NUMBER})*+\]")
_ONE_TEXT, _TEXTS = re.compile(_TEXT), re.compile(rf"\[{_TEXT}(?:, {_TEXT})*+\]")
_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]")
_PLAIN_WORDS: dict[str, Plain] = {"true": True, "false": False, "[]": ()}
_STANDARD = frozenset(STANDARD)
LONGEST_HAND = 1 << 20
"""The most letters of one hand."""
MOST_KEYS = 10_000
"""The most keys of one hand, counted by the signs `=` in it."""
_LONGEST_REMEMBERED = 120
"""The length up to which values are cached: stakes, stacks and names of a table appear again and again."""
NAN = Decimal("NaN")
"""The only nan that is read, so that a record with it equals the same record read again."""

_KEY_PART = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+"""
_DOTTED_TOO_DEEPLY = re.compile(rf"(?<![A-Za-z0-9_-])(?:{_KEY_PART}\.[ \t]*+){{{DEEPEST_NESTING + 1}}}")
_TABLE_HEADER = re.compile(rf"^[ \t]*\[[ \t]*({KEY})[ \t]*\][ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_LONE_COMMENT = re.compile(r"""[ \t]*#(?![^\n]*(?:'''|\"""))[^\n]*\n""")
_COMMENT_LINES = re.compile(r"(?:[ \t]*+(?:#[^\n]*+)?\n)*+[ \t]*+(?:#[^\n]*+)?")
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)\Z")
_POSITIVE = re.compile(r"[1-9][0-9]{0,17}")
_TABLE_BEGINS = re.compile(r"[ \t]*\[")
_BLANK_LINE = re.compile(r"[ \t\ufeff]*(?:#.*)?")
_PIECE_LETTERS = 1 << 16
"""The number of characters that are processed together."""


def read_plain(text: str, table: str | None) -> dict[str, Plain] | None:
    """Return the fields of a simple table, or of a simple text without header if ``table`` is None; else None.

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
        value = _value(written) if len(written) <= _LONGEST_REMEMBERED else _read_value(written)
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
    return _PLAIN_WORDS.get(written)


_value = lru_cache(maxsize=1024)(_read_value)


def _number(written: str) -> Amount:
    return Decimal(written) if "." in written or written == "inf" else int(written)


def read_phh(text: str, name: str = "") -> Record:
    """Read the one hand of a ``.phh`` text; ``name`` is the file's, for error messages.

    >>> read_phh("variant = 'NT'\\nantes = [true]", "x.phh")
    Traceback (most recent call last):
    pitboss.PhhError: x.phh, field antes: entry 1: expected a number, got a boolean (line 2)
    """
    text = _plain(text, name)
    outcome = _attempt(text, None)
    if isinstance(outcome, _Fault):
        raise outcome.located(name, None, 0)
    return outcome


def read_phhs(text: str, name: str = "") -> list[tuple[str, Record]]:
    """Read all hands of a ``.phhs`` text with the names of their tables; raise the error of the first broken one."""
    hands = []
    for table, outcome in scan(text, name):
        if isinstance(outcome, PhhError):
            raise outcome
        hands.append((table, outcome))
    return hands


def scan(text: str, name: str = "") -> Iterator[tuple[str, Record | PhhError]]:
    """Yield the tables of a ``.phhs`` text; a broken one as its error, before going on with the next."""
    for found in scan_pieces(iter([_plain(text, name)]), name):
        yield found.table, found.outcome


class TableFound(NamedTuple):
    """A table of a ``.phhs``: the line of its header, its name, and its record or what is wrong with it."""

    line: int
    table: str
    outcome: Record | PhhError


def scan_pieces(pieces: Iterator[str], name: str = "") -> Iterator[TableFound]:
    """Yield the tables of a text that comes in pieces of whole lines; what has been read is not kept.

    A table is read once the next header has arrived; if that is in an array or a string, once the text that closes it
    has arrived.
    """
    text, lines, begun = "", 0, False
    seen = _Names()
    while True:
        more = _as_much(pieces, len(text))
        text, ended = text + more, not more
        starts, heads = _heads(text)
        if not begun and (heads or ended):
            begun = True
            if line := _stranger(text, starts[0]):
                reason = "expected a table header such as [1] first"
                yield TableFound(line, "", PhhError(reason, name=name, line=line))
                lines, text = text.count("\n", 0, starts[0]), text[starts[0] :]
                starts, heads = _heads(text)
        if heads:
            starts[0] = 0
        index, counted = 0, 0
        while index < len(heads) - (not ended):
            table, at = heads[index]
            read = _read_table(text, starts, index, table, ended)
            if read is None:
                break
            lines += text.count("\n", counted, starts[index])
            counted = starts[index]
            outcome, after = read
            if table in seen and isinstance(outcome, Record):
                outcome = _Fault("a table with this name came before", line=1)
            seen.add(table)
            line = lines + text.count("\n", counted, at) + 1
            found = outcome.located(name, table, lines) if isinstance(outcome, _Fault) else outcome
            yield TableFound(line, table, found)
            index = after
        if ended:
            return
        if heads:
            lines += text.count("\n", counted, starts[index])
            text = text[starts[index] :]


def _as_much(pieces: Iterator[str], least: int) -> str:
    """Return more text, at least this much if there is more, so that a long table is not scanned again and again."""
    taken, size = [], 0
    for piece in pieces:
        taken.append(piece)
        size += len(piece)
        if size >= least:
            break
    return "".join(taken)


def _stranger(text: str, first: int) -> int:
    """Return the line of anything but blanks and comments before the first table; 0 if there is none."""
    opening = _COMMENT_LINES.match(text, 0, first)
    return text.count("\n", 0, opening.end()) + 1 if opening and opening.end() < first else 0


class _Names:
    """The names of tables so far; names that count from 1 take no memory."""

    def __init__(self) -> None:
        self.counted = 0
        self.others: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self.others or (_POSITIVE.fullmatch(name) is not None and int(name) <= self.counted)

    def add(self, name: str) -> None:
        if name == str(self.counted + 1):
            self.counted += 1
        elif name not in self:
            self.others.add(name)


class _Fault(Exception):
    """An error inside one table's text; its line is counted from where that text begins."""

    def __init__(self, reason: str, *, field: str = "", line: int = 0, syntax: bool = False) -> None:
        self.reason, self.field, self.line, self.syntax = reason, field, line, syntax

    def located(self, name: str, table: str | None, lines_above: int) -> PhhError:
        line = self.line + lines_above if self.line else 0
        return PhhError(self.reason, name=name, table=table, field=self.field, line=line)


def _plain(text: str, name: str) -> str:
    if not isinstance(text, str):
        raise PhhError(f"expected text, got {type(text).__name__}", name=name)
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def _heads(text: str) -> tuple[list[int], list[tuple[str, int]]]:
    """Yield where each table may begin, with the comment lines right above its header, its name and the header's place.

    The text's end comes last. Such a line may still be part of an array or a long string: ``_read_table`` decides.
    """
    starts, heads = [], []
    floor = 0
    for found in _TABLE_HEADER.finditer(text):
        start = found.start()
        while start > floor:
            above = text.rfind("\n", floor, start - 1) + 1 or floor
            if not _LONE_COMMENT.match(text, above, start):
                break
            start = above
        floor = found.end()
        starts.append(start)
        heads.append((_key(found[1]), found.start()))
    return [*starts, len(text)], heads


def _key(written: str) -> str:
    if written[0] not in "\"'":
        return written
    try:
        return next(iter(tomllib.loads(f"{written} = 0")))
    except tomllib.TOMLDecodeError:
        return written


def _read_table(
    text: str, starts: list[int], index: int, table: str, ended: bool
) -> tuple[Record | _Fault, int] | None:
    """Read the table that begins at ``starts[index]``; also return the index of the next one.

    Text cut inside an array or a string is never valid TOML, so only a table that fails is examined again. Return
    None if more text may close what the table opens.
    """
    after = index + 1
    outcome = _attempt(text[starts[index] : starts[after]], table)
    if isinstance(outcome, _Fault) and outcome.syntax:
        longer = _next_open(text, starts, index, ended)
        if longer is None:
            return None
        if longer > after:
            second = _attempt(text[starts[index] : starts[longer]], table)
            if isinstance(second, Record) or not second.syntax:
                return second, longer
    return outcome, after


def _next_open(text: str, starts: list[int], index: int, ended: bool) -> int | None:
    """Return the index of the next header outside of arrays and strings, or the next one if they are not closed."""
    position, after = starts[index], index + 1
    while position != starts[after]:
        position = closed_at(text, position)
        if position == UNFINISHED and not ended:
            return None
        if position < 0:
            return index + 1
        after = bisect_left(starts, position, after)
    return after if ended or after < len(starts) - 1 else None


def _attempt(text: str, table: str | None) -> Record | _Fault:
    """Return the record of a table's text, or of a whole text if the table has no name."""
    try:
        _check_size(text)
        if (plain := read_plain(text, table)) is not None:
            return _record(plain)
        data = _toml(text)
        if table is None:
            return _record(data, text)
        if strangers := [key for key in data if key != table]:
            raise _Fault(f"expected one table, found {strangers[0]!r:.40} inside it", line=1)
        return _record(data[table], text, inside_table=True)
    except _Fault as fault:
        fault.line = fault.line or _line_of(text, fault.field)
        return fault


def _check_size(text: str) -> None:
    """Refuse a text that would take far more memory and time to parse than a hand does."""
    if len(text) > LONGEST_HAND:
        raise _Fault(f"a hand has at most {LONGEST_HAND:,} letters, got {len(text):,}", line=1)
    if (keys := text.count("=")) > MOST_KEYS:
        raise _Fault(f"a hand has at most {MOST_KEYS:,} keys, got {keys:,}", line=1)
    if (found := _DOTTED_TOO_DEEPLY.search(text)) is not None:
        line = text.count("\n", 0, found.start()) + 1
        raise _Fault(f"dotted keys nest deeper than {DEEPEST_NESTING} levels", line=line)


def _line_of(text: str, field: str) -> int:
    """Return the line of a field, else of the table's header; 0 if there is neither."""
    found = re.search(rf"""^[ \t]*["']?{re.escape(field)}["']?[ \t]*[=.]""", text, re.MULTILINE) if field else None
    found = found or _TABLE_HEADER.search(text)
    return text.count("\n", 0, found.start()) + 1 if found else 0


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text, parse_float=_read_number)
    except RecursionError:
        raise _Fault("arrays or tables are nested too deeply", syntax=True) from None
    except (ValueError, ArithmeticError) as error:
        reason = str(error) if isinstance(error, ValueError) else "a number is too large"
        place = _TOML_PLACE.search(reason)
        last = text.rstrip().count("\n") + 1
        line = int(place[1] or last) if place else 0
        reason = _TOML_PLACE.sub("", reason) + (", where the hand ends: it may be cut off" if line >= last else "")
        raise _Fault(f"not TOML, {reason[:1].lower()}{reason[1:]}", line=line, syntax=True) from None


def _read_number(text: str) -> Decimal:
    value = Decimal(text)
    if not -LARGEST_EXPONENT <= value.adjusted() <= LARGEST_EXPONENT:
        raise PhhError(f"a number is beyond 10 to the {LARGEST_EXPONENT}")
    return NAN if value.is_nan() else value


def _record(data: Mapping[str, Any], text: str = "", *, inside_table: bool = False) -> Record:
    """Return the record of these fields, and of the comments in their text if it may have some."""
    own: dict[str, Toml] = {}
    fields: dict[str, Any] = {}
    for name, value in data.items():
        if name in _STANDARD:
            fields[name] = tuple(value) if type(value) is list else value
        else:
            fields[name] = own[name] = _frozen(value, name)
    if problem := field_problem(fields):
        raise _Fault(problem[1], field=problem[0])
    for name in own:
        del fields[name]
    return Record(**fields, user=own, comments=find_comments(text, inside_table=inside_table))


def _frozen(value: Any, field: str, depth: int = 0) -> Toml:
    """Return a TOML value with its arrays as tuples."""
    if depth > DEEPEST_NESTING:
        raise _Fault(f"nests deeper than {DEEPEST_NESTING} levels", field=field)
    if isinstance(value, list):
        return tuple(_frozen(item, field, depth + 1) for item in value)
    if isinstance(value, dict):
        return {key: _frozen(item, field, depth + 1) for key, item in value.items()}
    frozen: Toml = value
    return frozen


def scan_phh_lines(lines: Iterable[tuple[int, str]], name: str = "", lenient: bool = False) -> Iterator[HandFound]:
    """Yield every hand of a PHH file's numbered lines; if it does not begin with a table header, it is one hand."""
    pieces = _pieces(lines)
    head = next(pieces, "")
    first = next((line for line in head.split("\n") if not _BLANK_LINE.fullmatch(line)), "")
    if not _TABLE_BEGINS.match(first) and not name.lower().endswith(".phhs"):
        yield _one(head + "".join(pieces), name)
        return
    for line, table, found in scan_pieces(chain([head], pieces), name):
        if isinstance(found, Record):
            yield HandFound(line, found, label=table)
        else:
            yield HandFound(line, error=found, label=table)


def _one(text: str, name: str) -> HandFound:
    try:
        return HandFound(1, read_phh(text, name))
    except PhhError as error:
        return HandFound(error.line or 1, error=error)


def _pieces(lines: Iterable[tuple[int, str]]) -> Iterator[str]:
    """Yield the lines joined to larger pieces."""
    held: list[str] = []
    size = 0
    for _, line in lines:
        held.append(line + "\n")
        size += len(line)
        if size > _PIECE_LETTERS:
            yield "".join(held)
            held, size = [], 0
    if held:
        yield "".join(held)
