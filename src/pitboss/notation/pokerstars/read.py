"""PokerStars text into records: where hands begin in a file, and which of them cannot be read."""

import re
from collections.abc import Iterator

from pitboss.notation.found import HandFound
from pitboss.notation.lines import Lines as NumberedLines
from pitboss.notation.pokerstars.hand import read_lines
from pitboss.notation.pokerstars.record import to_record
from pitboss.notation.pokerstars.text import HEAD, PokerStarsError
from pitboss.notation.record import Record

_BETWEEN = re.compile(r"\*+ # \d+ \*+")  # stands above each hand of a transcript sent by mail
_SUMMARY = re.compile(r"Seat \d+: .*|Board \[.*|Total pot .*")
Lines = list[tuple[int, str]]


def read_pokerstars(text: str, name: str = "") -> list[Record]:
    """Every hand of a text; raises `PokerStarsError` for the first that cannot be read."""
    records = []
    for _, found in scan_pokerstars(text, name):
        if isinstance(found, PokerStarsError):
            raise found
        records.append(found)
    return records


def scan_pokerstars(text: str, name: str = "") -> Iterator[tuple[int, Record | PokerStarsError]]:
    """Every hand of a text with the line it begins at: its record, or what is wrong with it."""
    lines = enumerate(re.split(r"\r\n|\r|\n", text), 1)
    for found in scan_pokerstars_lines(lines, name, False):
        if found.record is not None:
            yield found.line, found.record
        elif isinstance(found.error, PokerStarsError):
            yield found.line, found.error


def scan_pokerstars_lines(lines: NumberedLines, name: str, lenient: bool) -> Iterator[HandFound]:
    """Every hand of numbered lines."""
    for hand in _hands(lines):
        start = hand[0][0]
        try:
            yield HandFound(start, to_record(read_lines(hand)))
        except PokerStarsError as error:
            located = PokerStarsError(error.reason, name=name, line=error.line, text=error.text)
            yield HandFound(start, error=located)


def decode_pokerstars(data: bytes) -> str:
    """The text of a file: UTF-8 as PokerStars writes it today, else the Western one-byte letters of 2008.

    >>> decode_pokerstars(b"bast\\xf2r")
    'bastòr'
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _hands(lines: NumberedLines) -> Iterator[Lines]:
    """The lines of each hand; a hand whose first line is spoilt is separated from the one before by the blank line."""
    hand: Lines = []
    summary = blank = False
    for number, line in lines:
        line = line.lstrip("\ufeff").rstrip(" \t")
        if not line or _BETWEEN.fullmatch(line):
            blank = True
            continue
        if hand and (HEAD.match(line) or (summary and blank and not _SUMMARY.fullmatch(line))):
            yield hand
            hand, summary = [], False
        hand.append((number, line))
        summary |= line.startswith("*** SUMMARY ***")
        blank = False
    if hand:
        yield hand
