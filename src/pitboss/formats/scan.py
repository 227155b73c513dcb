"""Input and output of every format's reader: numbered lines in; hands, errors and notes out."""

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
"""How deep objects and lists of JSON may nest in a hand."""
_SHOWN_LETTERS = 100
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")
Lines: TypeAlias = Iterator[tuple[int, str]]

_HEAD_BYTES = 4096
_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_PIECE_BYTES = 1 << 16


class ReadError(PitbossError, ValueError):
    """Text that cannot be read as hands. `line` counts from 1 in the whole file; 0 if there is none.

    >>> print(ReadError("no amount", name="x.txt", line=7, text="calls $?"))
    x.txt, line 7: no amount: 'calls $?'
    """

    def __init__(self, reason: str, *, name: str = "", line: int = 0, text: str = "") -> None:
        where = ", ".join(part for part in (name, f"line {line}" if line else "") if part)
        quoted = repr(text if len(text) <= _SHOWN_LETTERS else text[: _SHOWN_LETTERS - 3] + "...")
        super().__init__((f"{where}: " if where else "") + reason + (f": {quoted}" if text else ""))
        self.reason, self.name, self.line, self.text = reason, name, line, text


def describe_json_fault(error: JSONDecodeError) -> str:
    """Return what is wrong with JSON, in words; text that ends in the middle may be cut off."""
    stops = error.msg.startswith("Unterminated") or error.pos >= len(error.doc.rstrip())
    return "it ends in the middle and may be cut off" if stops else error.msg.lower()


def nests_too_deeply(text: str) -> bool:
    """Return whether JSON nests deeper than `DEEPEST_JSON`; it is not parsed for that.

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
    """Yield the records of hands; raise the error of the first that cannot be read."""
    records = []
    for found in hands:
        if found.error is not None:
            raise found.error
        if found.record is not None:
            records.append(found.record)
    return records


class Note(Struct, frozen=True):
    """Something that lenient reading left out or repaired."""

    line: int
    sentence: str


class HandFound(Struct, frozen=True):
    """A hand of a file: its record, or what is wrong with it."""

    line: int  #: where it begins
    record: Record | None = None
    error: ReadError | None = None
    notes: tuple[Note, ...] = ()
    label: str = ""  #: the file's name for the hand, such as the name of a PHH table


def look_ahead(file: BufferedReader) -> str:
    """Return the next text of a file, at most some thousand characters, without consuming it."""
    head = file.peek(_HEAD_BYTES)[:_HEAD_BYTES]
    return head.decode(_encoding(head), errors="replace").removeprefix("\ufeff").replace("\0", "")


def number_lines(file: BufferedReader, name: str = "", *, any_letters: bool = True) -> Lines:
    r"""Yield every line without its end, numbered from 1.

    Text is UTF-8, or UTF-16 if the file begins so. A line that is not valid is read in the Windows code page of Western
    languages, which old programs wrote, or refused if only UTF-8 is accepted.

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
        if "\r" in line:  # the line ends of old Macintoshes
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
    """Yield the file in pieces, and an empty one at its end."""
    while piece := file.read(_PIECE_BYTES):
        yield piece
    yield b""
