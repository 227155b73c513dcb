"""Read PHH text. The tables of a file are parsed separately, so that an invalid hand does not affect the others."""

import datetime as dt
import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from pitboss.formats.phh.fields import DEEPEST_NESTING, PhhError, field_problem
from pitboss.formats.scan import HandFound
from pitboss.records.money import Amount
from pitboss.records.moves import LARGEST_EXPONENT
from pitboss.records.record import STANDARD, Anchor, Comments, Record
from pitboss.records.table_fields import Toml

KEY = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_KEYS = rf"{KEY}(?:[ \t]*\.[ \t]*{KEY})*"
_BLANK = re.compile(r"[ \t]*\n|[ \t]+\Z")
_COMMENT = re.compile(r"[ \t]*#([^\n]*)\n?")
_HEADER = re.compile(rf"[ \t]*\[\[?[ \t]*({_KEYS})[ \t]*\]\]?")
_FIELD = re.compile(rf"[ \t]*({_KEYS})[ \t]*=[ \t]*")
_TOKEN = re.compile(
    r'''
    (?P<string> """(?:[^"\\]++|\\.|"(?!""))*+"{3,5} | \'\'\'(?:[^']++|'(?!\'\'))*+'{3,5}
              | "(?!"")(?:[^"\\\n]++|\\[^\n])*+" | '(?!\'\')[^'\n]*+' )
    | \#(?P<comment>[^\n]*) | (?P<mark>[][{},=\n]) | (?P<broken>["']) | (?P<word>[^][{},=\n\#"'\ \t]+) | [ \t]+
    ''',
    re.VERBOSE | re.DOTALL,
)
NEVER, UNFINISHED = -1, -2
"""Results of `find_statement_end`: an array or string cannot be closed, or might be closed by more text."""
Plain: TypeAlias = str | int | Decimal | bool | dt.time | tuple[Amount, ...] | tuple[str, ...]
_NUMBER = r"(?:-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?|inf)"
_TEXT = r"'[^'\x00-\x08\x0a-\x1f\x7f]*+'"
_KEY = re.compile(r"[A-Za-z0-9_-]+")
_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]")
_PLAIN_WORDS: dict[str, Plain] = {"true": True, "false": False, "[]": ()}
_STANDARD = frozenset(STANDARD)
LONGEST_HAND = 1 << 20
"""The maximum number of characters of a hand."""
MOST_KEYS = 10_000
"""The maximum number of keys of a hand. Every `=` counts as one."""
_LONGEST_REMEMBERED = 120
"""The maximum length of values that are cached. Many hands of a file have the same stakes, stacks and names."""
NAN = Decimal("NaN")
"""The object for every nan in a text. Records with the same object are equal, although nan differs from itself."""
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
"""The minimum number of characters in a piece from `_pieces`, except the last piece."""


def find_comments(text: str, *, inside_table: bool) -> Comments:
    """Return the comments in a hand's TOML text. ``inside_table`` tells that the text begins with ``[name]``."""
    return _Finder(text, inside_table).run() if "#" in text else {}


def find_statement_end(text: str, start: int) -> int:
    """Return the end of the statement that begins at ``start``, the start of a line.

    The statement ends with the first line whose end is outside arrays and long strings. The result is `NEVER` if the
    text is invalid, and `UNFINISHED` if it ends inside an array or a string.

    >>> find_statement_end("a = [\\n[1],\\n]\\nb = 2\\n", 0)
    13
    """
    opened: list[str] = []
    position = start
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None or token["broken"]:
            return UNFINISHED if text[position : position + 3] in ("'''", '"""') else NEVER
        position = token.end()
        match token["mark"]:
            case "[" | "{" as mark:
                opened.append(mark)
            case "]" | "}":
                del opened[-1:]
            case "=" if opened[-1:] == ["["]:
                return NEVER
            case "\n" if opened[-1:] == ["{"]:
                return NEVER
            case "\n" if not opened:
                return position
    return UNFINISHED if opened else position


def _keys(dotted: str) -> list[str]:
    if _BARE.fullmatch(dotted):
        return [dotted]
    table: Any = tomllib.loads(f"{dotted} = 0")
    keys = []
    while isinstance(table, dict):
        key, table = next(iter(table.items()))
        keys.append(key)
    return keys


def _spoken(comment: str) -> str:
    return comment.removeprefix(" ")


class _Finder:
    """Finds the comments of a table and their anchors.

    A comment waits until the next field or array entry is known, because its anchor depends on this.
    """

    def __init__(self, text: str, inside_table: bool) -> None:
        self.text = text
        self.depth = int(inside_table)
        self.position = 0
        self.found: dict[Anchor, list[str]] = {}
        self.waiting: list[str] = []
        self.owner = ""  # the field that the last sub-table header belongs to
        self.begun = False

    def run(self) -> Comments:
        while self.position < len(self.text):
            self.line()
        self.put(Anchor("end"))
        return {anchor: tuple(lines) for anchor, lines in self.found.items()}

    def put(self, anchor: Anchor) -> None:
        if self.waiting:
            self.found.setdefault(anchor, []).extend(self.waiting)
            self.waiting = []

    def line(self) -> None:
        if blank := _BLANK.match(self.text, self.position):
            self.position = blank.end()
            if not self.begun:
                self.put(Anchor("top"))
        elif comment := _COMMENT.match(self.text, self.position):
            self.position = comment.end()
            self.waiting.append(_spoken(comment[1]))
        elif header := _HEADER.match(self.text, self.position):
            self.position = header.end()
            self.header(_keys(header[1])[self.depth :])
        elif field := _FIELD.match(self.text, self.position):
            self.position = field.end()
            self.begun = True
            self.field(_keys(field[1]))
        else:
            self.value("")  # the text is not valid TOML, which is reported elsewhere

    def header(self, path: list[str]) -> None:
        self.value("")
        if path:
            self.owner = path[0]
            self.begun = True
            self.put(Anchor("before", self.owner))
        else:
            self.put(Anchor("top"))

    def field(self, path: list[str]) -> None:
        name = self.owner or path[0]
        self.put(Anchor("before", name))
        if self.owner or len(path) > 1:
            self.value("")
            self.put(Anchor("before", name))
        elif self.text.startswith("[", self.position):
            self.position += 1
            self.array(name)
            self.value(name)
        else:
            self.value(name)

    def value(self, name: str) -> None:
        """Read to the end of the statement. Its comments belong to the field ``name``, or wait if that is empty."""
        depth = 0
        while token := _TOKEN.match(self.text, self.position):
            self.position = token.end()
            mark, comment = token["mark"], token["comment"]
            if comment is not None:
                self.waiting.append(_spoken(comment))
                if name:
                    self.put(Anchor("before" if depth else "beside", name))
            elif mark == "\n" and not depth:
                break
            elif mark:
                depth += (mark in "[{") - (mark in "]}")

    def array(self, name: str) -> None:
        """Read an array to its closing bracket, and find the entry of each comment."""
        depth, item, filled, fresh = 1, 0, False, True
        while depth and (token := _TOKEN.match(self.text, self.position)):
            self.position = token.end()
            mark, comment = token["mark"], token["comment"]
            if comment is not None:
                self.waiting.append(_spoken(comment))
                beside = Anchor("beside", name, item if filled else item - 1)
                if depth > 1:
                    self.put(Anchor("before", name, item))
                elif not fresh and beside not in self.found and len(self.waiting) == 1:
                    self.put(beside)
            elif mark == "\n":
                fresh = True
            elif mark == "," and depth == 1:
                item, filled, fresh = item + 1, False, False
            elif mark == "]" and depth == 1:
                depth = 0
                self.put(Anchor("end", name))
            elif not token[0].isspace():
                if not filled:
                    self.put(Anchor("before", name, item))
                filled, fresh = True, False
                depth += (mark in ("[", "{")) - (mark in ("]", "}"))


_ONE_NUMBER, _NUMBERS = re.compile(_NUMBER), re.compile(rf"\[{_NUMBER}(?:, {_NUMBER})*+\]")
_ONE_TEXT, _TEXTS = re.compile(_TEXT), re.compile(rf"\[{_TEXT}(?:, {_TEXT})*+\]")


def read_plain(text: str, table: str | None) -> dict[str, Plain] | None:
    """Return the fields of a table without parsing it as TOML, or None if its text is not simple enough.

    The text has no header if ``table`` is None.

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
    """Read the hand in a ``.phh`` text. ``name`` is the name of the file in error messages.

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
    """Read all hands in a ``.phhs`` text, each with the name of its table. Raise `PhhError` if one is invalid.

    >>> from pitboss import Record, read_phhs, write_phhs
    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"), players=("Ann", "Bo"))
    >>> [(name, hand.players) for name, hand in read_phhs(write_phhs([record, record]))]
    [('1', ('Ann', 'Bo')), ('2', ('Ann', 'Bo'))]
    """
    hands = []
    for table, outcome in scan(text, name):
        if isinstance(outcome, PhhError):
            raise outcome
        hands.append((table, outcome))
    return hands


def scan(text: str, name: str = "") -> Iterator[tuple[str, Record | PhhError]]:
    """Yield the name of each table in a ``.phhs`` text with its record, or with the error if it is invalid.

    >>> from pitboss import Record, scan, write_phhs
    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"), players=("Ann", "Bo"))
    >>> [name for name, found in scan(write_phhs([record, record]))]
    ['1', '2']
    """
    for found in scan_pieces(iter([_plain(text, name)]), name):
        yield found.table, found.outcome


class TableFound(NamedTuple):
    """A table in a ``.phhs`` text: the line of its header, its name, and its record or the error in it."""

    line: int
    table: str
    outcome: Record | PhhError


def scan_pieces(pieces: Iterator[str], name: str = "") -> Iterator[TableFound]:
    """Yield the tables of a text that is given in pieces of whole lines.

    Only the text of the current table is kept in memory. A table ends at the next header that is not inside an array
    or a string.
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
                outcome = _Fault("expected different table names, got this one twice", line=1)
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
    """Return the next pieces, with ``least`` characters or more unless the text ends.

    A long table that needs many pieces would otherwise be scanned again for each piece.
    """
    taken, size = [], 0
    for piece in pieces:
        taken.append(piece)
        size += len(piece)
        if size >= least:
            break
    return "".join(taken)


def _stranger(text: str, first: int) -> int:
    """Return the first line before the first table that is not blank or a comment, or 0 if there is none."""
    opening = _COMMENT_LINES.match(text, 0, first)
    return text.count("\n", 0, opening.end()) + 1 if opening and opening.end() < first else 0


class _Names:
    """The set of table names so far. Consecutive numbers from 1 are stored as one number."""

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
    """An error in the text of a table. Its line is counted from the first line of this text."""

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
    """Return where each table begins, then the name of each table with the position of its header.

    A table begins with the comment lines above its header. The end of the text is appended to the beginnings. A header
    that is found here may be inside an array or a long string; ``_read_table`` checks this.
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
    """Return the table that begins at ``starts[index]``, and the index of the next table.

    If a header was inside an array or a string, the text up to this header is not valid TOML. The table is then read
    up to the next real header. The result is None if more text is needed to find it.
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
    """Return the index of the next header that is not inside an array or a string.

    The result is ``index + 1`` if an array or a string is never closed, and None if more text may close it.
    """
    position, after = starts[index], index + 1
    while position != starts[after]:
        position = find_statement_end(text, position)
        if position == UNFINISHED and not ended:
            return None
        if position < 0:
            return index + 1
        after = bisect_left(starts, position, after)
    return after if ended or after < len(starts) - 1 else None


def _attempt(text: str, table: str | None) -> Record | _Fault:
    """Return the record in the text of a table, or the error in it. Without ``table``, the text has no header."""
    try:
        _check_size(text)
        if (plain := read_plain(text, table)) is not None:
            return _record(plain)
        _check_dotted_keys(text)
        data = _toml(text)
        if table is None:
            return _record(data, text)
        if strangers := [key for key in data if key != table]:
            raise _Fault(f"expected only fields of this table, found {strangers[0]!r:.40}", line=1)
        return _record(data[table], text, inside_table=True)
    except _Fault as fault:
        fault.line = fault.line or _line_of(text, fault.field)
        return fault


def _check_size(text: str) -> None:
    """Raise `_Fault` for a text that would take too much memory or time to parse."""
    if len(text) > LONGEST_HAND:
        raise _Fault(f"expected a hand of at most {LONGEST_HAND:,} characters, got {len(text):,}", line=1)
    if (keys := text.count("=")) > MOST_KEYS:
        raise _Fault(f"expected a hand with at most {MOST_KEYS:,} keys, got {keys:,}", line=1)


def _check_dotted_keys(text: str) -> None:
    """Raise `_Fault` for a dotted key with many parts, because ``tomllib`` is slow to parse it."""
    if (found := _DOTTED_TOO_DEEPLY.search(text)) is not None:
        line = text.count("\n", 0, found.start()) + 1
        raise _Fault(f"expected a dotted key of at most {DEEPEST_NESTING} levels", line=line)


def _line_of(text: str, field: str) -> int:
    """Return the line of a field. If it is not found, return the line of the table's header, or 0 without a header."""
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
        raise PhhError(f"expected numbers with an exponent of at most {LARGEST_EXPONENT}")
    return NAN if value.is_nan() else value


def _record(data: Mapping[str, Any], text: str = "", *, inside_table: bool = False) -> Record:
    """Return the record with these fields, and with the comments in their text."""
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
    """Return a TOML value in which arrays are tuples."""
    if depth > DEEPEST_NESTING:
        raise _Fault(f"expected at most {DEEPEST_NESTING} levels of nesting", field=field)
    if isinstance(value, list):
        return tuple(_frozen(item, field, depth + 1) for item in value)
    if isinstance(value, dict):
        return {key: _frozen(item, field, depth + 1) for key, item in value.items()}
    frozen: Toml = value
    return frozen


def scan_phh_lines(lines: Iterable[tuple[int, str]], name: str = "", lenient: bool = False) -> Iterator[HandFound]:
    """Yield every hand in the numbered lines of a PHH file.

    The file is a single hand without a header, unless its first line is a table header or its name ends with
    ``.phhs``.
    """
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
    """Yield the lines, joined to pieces of some size."""
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
