"""Hand histories: files of recorded hands in every format, read and written one hand at a time.

The table document is loaded only where a file is one.
"""

import re
from collections.abc import Callable, Iterator
from io import BufferedReader
from os import PathLike, fspath
from pathlib import Path
from typing import Protocol, TypeAlias

from msgspec import Struct

from pitboss.formats.acpc import AcpcLog, Definition, recognise_acpc, scan_acpc
from pitboss.formats.ohh.reader import scan_ohh
from pitboss.formats.ohh.values import recognise_ohh
from pitboss.formats.ohh.writer import write_ohh
from pitboss.formats.phh.reader import scan_phh_lines
from pitboss.formats.phh.writer import write_phh, write_phhs
from pitboss.formats.scan import HandFound, Lines, ReadError, look_ahead, number_lines
from pitboss.formats.sites.fulltilt import FULL_TILT
from pitboss.formats.sites.ggpoker import GGPOKER
from pitboss.formats.sites.partypoker import PARTY_POKER
from pitboss.formats.sites.pokerstars import POKERSTARS
from pitboss.formats.sites.pokerstars_writer import write_pokerstars
from pitboss.records.record import Record

NO_FORMAT = "the file begins like none of the formats"
_NO_HANDS = "the file holds no hands"
Scan: TypeAlias = Callable[..., Iterator[HandFound]]
"""Numbered lines, the file's name, whether to go on behind what is not understood."""
ENDINGS = {
    ".phh": "phh",
    ".phhs": "phhs",
    ".json": "document",
    ".txt": "pokerstars",
    ".ohh": "ohh",
    ".log": "acpc",
}
"""The format that a file's ending asks for."""
SITES = (POKERSTARS, GGPOKER, FULL_TILT, PARTY_POKER)


class Format(Struct, frozen=True, kw_only=True):
    """One way of writing hands down."""

    key: str
    name: str  #: as people call it
    suffixes: tuple[str, ...] = ()  #: endings of files that promise this format and no other
    recognise: Callable[[str], bool]  #: whether a text that begins so is of this format
    scan: Scan
    sure: bool = True  #: whether what begins so can be of no other format
    any_letters: bool = True  #: whether old files of it hold other letters than UTF-8
    cut_before: re.Pattern[bytes] | None = None  #: the line break before a hand, where a large file can be cut
    takes_game: bool = False  #: whether `scan` takes `game_def`, since its files may not say what is played


def _begins(pattern: str, flags: int = 0) -> Callable[[str], bool]:
    compiled = re.compile(pattern, flags | re.MULTILINE)
    return lambda head: compiled.search(head) is not None


def _scan_documents(lines: Lines, name: str, lenient: bool) -> Iterator[HandFound]:
    from pitboss.documents.record import scan_documents

    return scan_documents(lines, name, lenient)


def _write_document(record: Record) -> str:
    from pitboss.documents.fields import write_document
    from pitboss.documents.record import read_back
    from pitboss.records.debts import posts_as_debts

    return write_document(read_back(posts_as_debts(record))).decode()


FORMATS: tuple[Format, ...] = (
    Format(
        key="phh",
        name="PHH",
        suffixes=(".phh", ".phhs"),
        recognise=_begins(r"\A\s*(?:#.*\n\s*)*(?:\[[^\]\n{]+\]\s*(?:#.*)?$|\w+\s*=)"),
        scan=scan_phh_lines,
        any_letters=False,
    ),
    Format(
        key="ohh",
        name="Open Hand History",
        suffixes=(".ohh",),
        recognise=recognise_ohh,
        scan=scan_ohh,
        any_letters=False,
    ),
    Format(
        key="acpc",
        name="an ACPC log",
        recognise=recognise_acpc,
        scan=scan_acpc,
        takes_game=True,
    ),
    Format(
        key="document",
        name="table document",
        recognise=_begins(r"\A\s*(?:\[\s*\]\s*\Z|\[?\s*\{(?!\s*\"ohh\"))"),
        scan=_scan_documents,
        sure=False,
        any_letters=False,
    ),
    *[
        Format(
            key=site.key,
            name=f"{site.name} text",
            recognise=site.recognise,
            scan=site.scan,
            cut_before=site.cut_before,
        )
        for site in SITES
    ],
)
_BY_KEY = {format.key: format for format in FORMATS}


def find_format(head: str, name: str, key: str | None = None) -> Format:
    """The format of a file by its first thousands of letters, or the one that is named; raises `ReadError`."""
    if key is not None:
        if key not in _BY_KEY:
            raise ReadError(f"there is no format {key!r}: {', '.join(_BY_KEY)} are known")
        return _BY_KEY[key]
    found = next((format for format in FORMATS if format.recognise(head)), None)
    promised = next((format for format in FORMATS if name.lower().endswith(format.suffixes or ("\0",))), None)
    if promised is None and found is None:
        if not head.strip():
            raise ReadError(_NO_HANDS, name=name, line=1)
        names = ", ".join(format.name for format in FORMATS)
        raise ReadError(f"{NO_FORMAT}: {names}", name=name, line=1)
    if promised is not None and found is not None and found is not promised and found.sure:
        ending = name[name.rindex(".") :]
        raise ReadError(
            f"this is {found.name} under the ending {ending}; rename it, or say that its format is {found.key}",
            name=name,
            line=1,
        )
    return promised or found or FORMATS[0]


def read(
    path: str | PathLike[str], *, lenient: bool = False, format: str | None = None, game_def: Definition | None = None
) -> Iterator[Record]:
    """Every hand of a file; its format is found by how it begins, or named: "phh", "pokerstars" …

    The first hand that cannot be read raises `ReadError` with file and line. Lenient reading goes on behind it, and
    leaves out lines that nobody knows; `scan_file` also tells what was left out. A log of the Annual Computer Poker
    Competition whose header names none of its games needs the file of its definition, `game_def`.

    >>> list(read("nowhere.phhs"))
    Traceback (most recent call last):
    pitboss.ReadError: nowhere.phhs: No such file or directory
    """
    for found in scan_file(path, lenient=lenient, format=format, game_def=game_def):
        if found.record is not None:
            yield found.record
        elif found.error is not None and not lenient:
            raise found.error


def scan_file(
    path: str | PathLike[str], *, lenient: bool = False, format: str | None = None, game_def: Definition | None = None
) -> Iterator[HandFound]:
    """Every hand of a file with the line it begins at: its record and notes, or what is wrong with it."""
    if not isinstance(path, str | PathLike):
        raise ReadError(f"a file is named by a text or a path, not {path!r:.40}")
    try:
        with Path(path).open("rb") as file:
            yield from scan_stream(file, fspath(path), lenient=lenient, format=format, game_def=game_def)
    except OSError as error:
        raise ReadError(error.strerror or str(error), name=fspath(path)) from None


def scan_stream(
    file: BufferedReader,
    name: str = "",
    *,
    lenient: bool = False,
    format: str | None = None,
    game_def: Definition | None = None,
) -> Iterator[HandFound]:
    """`scan_file` for an open file, such as standard input."""
    chosen = find_format(look_ahead(file), name, format)
    lines = number_lines(file, name, any_letters=chosen.any_letters)
    if game_def is None:
        return _at_least_one(chosen.scan(lines, name, lenient), name)
    if not chosen.takes_game:
        raise ReadError(f"a game's definition is for ACPC logs, and this is {chosen.name}", name=name)
    return _at_least_one(chosen.scan(lines, name, lenient, game_def=game_def), name)


def _at_least_one(hands: Iterator[HandFound], name: str) -> Iterator[HandFound]:
    """The hands of a file, which has at least one, or something that should have been one."""
    first = next(hands, None)
    if first is None:
        raise ReadError(_NO_HANDS, name=name, line=1)
    yield first
    yield from hands


class FullError(ReadError):
    """A hand too many for its file."""


class HandWriter(Protocol):
    """A file being written; a hand that its format cannot say is a `ReadError` or `DocumentError`, and is left out."""

    def add(self, record: Record) -> str:
        """The text that a hand adds."""

    def end(self) -> str:
        """The text that closes the file."""


class _Joined:
    """Hands written one by one, with something between them and at the end."""

    def __init__(self, write: Callable[[Record, int], str], joint: str = "", end: str = "") -> None:
        self.write, self.joint, self.last = write, joint, end
        self.hands = 0

    def add(self, record: Record) -> str:
        text = self.write(record, self.hands + 1)
        self.hands += 1
        return text if self.hands == 1 else self.joint + text

    def end(self) -> str:
        return self.last


def _one_phh(record: Record, number: int) -> str:
    if number > 1:
        raise FullError("a .phh holds one hand: write a .phhs")
    return write_phh(record)


class _Documents:
    """Table documents: one by itself, several in a list."""

    def __init__(self) -> None:
        self.hands = 0
        self.first = ""

    def add(self, record: Record) -> str:
        text = _write_document(record)
        self.hands += 1
        if self.hands == 1:  # whether a list begins is known with the second
            self.first = text
            return ""
        return f"[{self.first},\n {text}" if self.hands == 2 else f",\n {text}"

    def end(self) -> str:
        return f"{self.first}\n" if self.hands == 1 else "]\n"


WRITERS: dict[str, Callable[[], HandWriter]] = {
    "phh": lambda: _Joined(_one_phh),
    "phhs": lambda: _Joined(lambda record, n: write_phhs([(str(n), record)], end=""), "\n\n", "\n\n"),
    "document": _Documents,
    "pokerstars": lambda: _Joined(lambda record, _: write_pokerstars(record), "\n\n\n"),
    "ohh": lambda: _Joined(lambda record, _: write_ohh(record), "\n\n", "\n"),
    "acpc": AcpcLog,
}
"""What begins a file of each format that can be written, by its key."""
