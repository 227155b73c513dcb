"""Types and functions that all readers of recorded hands share. A reader receives numbered lines and yields hands."""

import codecs
import re
from collections.abc import Iterable, Iterator
from io import BufferedReader
from json import JSONDecodeError
from typing import TypeAlias

from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss.records.record import Record

DEEPEST_JSON = 100
"""The maximum nesting of JSON objects and lists in a hand."""
_SHOWN_LETTERS = 100
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")
Lines: TypeAlias = Iterator[tuple[int, str]]

_HEAD_BYTES = 4096
_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_PIECE_BYTES = 1 << 16


class ReadError(PitbossError, ValueError):
    """Text that cannot be read as a hand. `line` is the line in the file, from 1, or 0 if the line is not known.

    >>> print(ReadError("no amount", name="x.txt", line=7, text="calls $?"))
    x.txt, line 7: no amount: 'calls $?'
    """

    def __init__(self, reason: str, *, name: str = "", line: int = 0, text: str = "") -> None:
        where = ", ".join(part for part in (name, f"line {line}" if line else "") if part)
        quoted = repr(text if len(text) <= _SHOWN_LETTERS else text[: _SHOWN_LETTERS - 3] + "...")
        super().__init__((f"{where}: " if where else "") + reason + (f": {quoted}" if text else ""))
        self.reason, self.name, self.line, self.text = reason, name, line, text


def describe_json_fault(error: JSONDecodeError) -> str:
    """Return a sentence about a syntax error in JSON. For text that ends too early, it says that it may be cut off."""
    stops = error.msg.startswith("Unterminated") or error.pos >= len(error.doc.rstrip())
    return "it ends in the middle and may be cut off" if stops else error.msg.lower()


def nests_too_deeply(text: str) -> bool:
    """Return whether JSON text nests deeper than `DEEPEST_JSON`. The text is not parsed.

    >>> nests_too_deeply("[" * 100 + "]" * 100), nests_too_deeply("[" * 101), nests_too_deeply('"' + "[" * 101 + '"')
    (False, True, False)
    """
    if text.count("[") + text.count("{") <= DEEPEST_JSON:
        return False
    depth = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > DEEPEST_JSON:
            return True
    return False


def records_of(hands: Iterable["HandFound"]) -> list[Record]:
    """Return the records of hands. Raise the error of the first hand that could not be read."""
    records = []
    for found in hands:
        if found.error is not None:
            raise found.error
        if found.record is not None:
            records.append(found.record)
    return records


class Note(Struct, frozen=True):
    """A sentence about a line that lenient reading ignored or repaired.

    >>> from pitboss import Note
    >>> Note(line=7, sentence="the line is not known").line
    7
    """

    line: int
    sentence: str


class HandFound(Struct, frozen=True):
    """A hand in a file: its record, or the error if it cannot be read.

    >>> from pitboss import HandFound
    >>> HandFound(line=1, label="2").record is None
    True
    """

    line: int  #: the first line of the hand
    record: Record | None = None
    error: ReadError | None = None
    notes: tuple[Note, ...] = ()
    label: str = ""  #: the name of the hand in its file, such as the name of a PHH table


def look_ahead(file: BufferedReader) -> str:
    """Return the first characters of a file, up to about 4,000, without reading past them."""
    head = file.peek(_HEAD_BYTES)[:_HEAD_BYTES]
    return head.decode(_encoding(head), errors="replace").removeprefix("\ufeff").replace("\0", "")


def number_lines(file: BufferedReader, name: str = "", *, any_letters: bool = True) -> Lines:
    r"""Yield every line with its number, from 1. Line ends are removed.

    The encoding is UTF-8, or UTF-16 if the file begins with its byte order mark or has many zero bytes. If
    `any_letters` is set, a line that is not valid UTF-8 is read as Windows-1252, which old programs wrote. Otherwise
    such a line is an error.

    >>> from io import BytesIO
    >>> list(number_lines(BufferedReader(BytesIO(b"bast\xf2r\r\nok"))))
    [(1, 'bastòr'), (2, 'ok')]
    """
    encoding = _encoding(file.peek(_HEAD_BYTES)[:_HEAD_BYTES])
    texts = (
        _decode_lines(file, name, any_letters)
        if encoding == "utf-8"
        else _decode_wide(file, encoding, name, any_letters)
    )
    for number, line in enumerate(texts, 1):
        yield number, line.removeprefix("\ufeff") if number == 1 else line


def _encoding(head: bytes) -> str:
    for mark, encoding in _MARKS.items():
        if head.startswith(mark):
            return encoding
    if head[:64].count(0) > len(head[:64]) // 4:
        return "utf-16-be" if head[:1] == b"\0" else "utf-16-le"
    return "utf-8"


def _decode_lines(file: BufferedReader, name: str, any_letters: bool) -> Iterator[str]:
    for number, raw in enumerate(file, 1):
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            if not any_letters:
                reason = f"not text: byte {error.start + 1} of the line is not UTF-8"
                raise ReadError(reason, name=name, line=number) from None
            line = raw.decode("cp1252", errors="replace")
        line = line.rstrip("\r\n")
        if any_letters and "\0" in line:
            line = line.replace("\0", "")
        if "\r" in line:  # old Macintosh programs ended lines with \r
            yield from line.split("\r")
        else:
            yield line


def _decode_wide(file: BufferedReader, encoding: str, name: str, any_letters: bool) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)("replace" if any_letters else "strict")
    rest = ""
    try:
        for piece in _pieces(file):
            *whole, rest = (rest + decoder.decode(piece, final=not piece)).split("\n")
            yield from (line.rstrip("\r") for line in whole)
    except UnicodeDecodeError as error:
        raise ReadError(f"not text: {error.reason}", name=name) from None
    if rest:
        yield rest


def _pieces(file: BufferedReader) -> Iterable[bytes]:
    """Yield the content of a file in pieces, then an empty piece."""
    while piece := file.read(_PIECE_BYTES):
        yield piece
    yield b""
