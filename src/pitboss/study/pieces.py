"""Files of hands cut into pieces that can be counted side by side, and one piece counted.

Where a file is cut depends on the file alone, so that a result never depends on how many processes counted.
"""

import re
from collections.abc import Iterator
from io import BufferedReader, BytesIO
from pathlib import Path

from msgspec import Struct, field

from pitboss.errors import PitbossError
from pitboss.notation.formats import Format, find_format
from pitboss.notation.found import HandFound, ReadError
from pitboss.notation.lines import look_ahead, number_lines
from pitboss.notation.reading import scan_file
from pitboss.study.marks import mark_hand
from pitboss.study.rows import SkippedHand
from pitboss.study.tally import By, Tallies, count_hand

PIECE = 1 << 19
"""Bytes: about 500 hands, a quarter of a second."""
HEADS = {
    "pokerstars": re.compile(rb"\n(?=PokerStars (?:[A-Z]\w* )*(?:Hand|Game) #\d+:)"),
    "ggpoker": re.compile(rb"\n(?=Poker Hand #\w+:)"),
    "fulltilt": re.compile(rb"\n(?=Full ?Tilt ?Poker Game #\d+:)"),
    "partypoker": re.compile(rb"\n(?=\*{5} Hand History [Ff]or Game \d+ \*{5})"),
}
"""Where a new hand begins for sure, in the formats whose hands stand alone; other files are one piece each."""
_WIDE = (b"\xff\xfe", b"\xfe\xff")


class FilePiece(Struct, frozen=True):
    """A part of a file, or all of it."""

    path: str
    format: str
    start: int = 0
    size: int = 0
    line: int = 1  #: the number of its first line
    whole: bool = False


class PieceTally(Struct):
    """What one piece holds."""

    size: int = 0
    hands: int = 0
    tallies: Tallies = field(default_factory=dict)
    skipped: list[SkippedHand] = field(default_factory=list)


def list_files(path: Path) -> list[Path]:
    """The file itself, or all files inside a folder, in order, without the hidden ones."""
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.rglob("*") if file.is_file() and not _hidden(file.relative_to(path)))


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def cut_file(path: Path, piece: int = PIECE) -> Iterator[FilePiece]:
    """The pieces of a file; raises `ReadError` where it cannot be read or is of no known format."""
    try:
        with path.open("rb") as file:
            format = find_format(look_ahead(file), str(path))
            head = HEADS.get(format.key)
            if head is None or file.peek(2)[:2] in _WIDE or b"\0" in file.peek(64)[:64]:
                yield FilePiece(str(path), format.key, size=path.stat().st_size, whole=True)
            else:
                yield from _cut(file, str(path), format, head, piece)
    except OSError as error:
        raise ReadError(error.strerror or str(error), name=str(path)) from None


def _cut(file: BufferedReader, path: str, format: Format, head: re.Pattern[bytes], piece: int) -> Iterator[FilePiece]:
    start, line, rest = 0, 1, b""
    while block := file.read(piece):
        rest += block
        end = 0
        for found in head.finditer(rest):
            end = found.end()
        if end:
            yield FilePiece(path, format.key, start, end, line)
            line += rest.count(b"\n", 0, end)
            start += end
            rest = rest[end:]
    if rest:
        yield FilePiece(path, format.key, start, len(rest), line)


def scan_piece(piece: FilePiece) -> Iterator[HandFound]:
    """Every hand of a piece, its lines numbered as in the whole file."""
    if piece.whole:
        yield from scan_file(piece.path, lenient=True, format=piece.format)
        return
    with Path(piece.path).open("rb") as file:
        file.seek(piece.start)
        data = file.read(piece.size)
    format = find_format("", piece.path, piece.format)
    lines = number_lines(BufferedReader(BytesIO(data)), piece.path, any_letters=format.any_letters)
    yield from format.scan(((number + piece.line - 1, text) for number, text in lines), piece.path, True)


def count_piece(piece: FilePiece, by: By | None = None) -> PieceTally:
    """Count the hands of a piece; a hand that cannot be read or replayed is skipped and named."""
    counted = PieceTally(piece.size)
    try:
        for found in scan_piece(piece):
            reason = count_found(counted, found, by)
            if reason:
                counted.skipped.append(SkippedHand(piece.path, _line(found), reason))
    except ReadError as error:
        counted.skipped.append(SkippedHand(piece.path, error.line, error.reason))
    return counted


def count_found(counted: PieceTally, found: HandFound, by: By | None) -> str:
    """Count one hand; the sentence is why it was skipped, empty where it was not."""
    if found.record is None:
        return "no hand" if found.error is None else found.error.reason
    try:
        hand = mark_hand(found.record)
    except PitbossError as error:
        return str(error)
    count_hand(counted.tallies, hand, by)
    counted.hands += 1
    return ""


def _line(found: HandFound) -> int:
    return found.error.line or found.line if found.error is not None else found.line
