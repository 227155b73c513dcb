"""Hand histories: files of recorded hands in every format, read and written one hand at a time.

The module of table documents is imported only when a file is one.
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

NO_FORMAT = "the format of the file was not recognised"
_NO_HANDS = "the file has no hands"
Scan: TypeAlias = Callable[..., Iterator[HandFound]]
"""A function of numbered lines, the file's name, and whether to skip what is not understood."""
ENDINGS = {".phh": "phh", ".phhs": "phhs", ".json": "document", ".txt": "pokerstars", ".ohh": "ohh", ".log": "acpc"}
"""The format of a file to write, by its ending."""
SITES = (POKERSTARS, GGPOKER, FULL_TILT, PARTY_POKER)


class Format(Struct, frozen=True, kw_only=True):
    """One format of recorded hands."""

    key: str
    name: str  #: for messages
    suffixes: tuple[str, ...] = ()  #: file endings that only this format has
    recognise: Callable[[str], bool]  #: whether a text with this beginning has this format
    scan: Scan
    sure: bool = True  #: whether such a text cannot have another format
    any_letters: bool = True  #: whether old files may have other encodings than UTF-8
    cut_before: re.Pattern[bytes] | None = None  #: the line break before a hand, where a large file can be cut
    takes_game: bool = False  #: whether `scan` takes `game_def`, because its files do not always name their game


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
    Format(key="acpc", name="an ACPC log", recognise=recognise_acpc, scan=scan_acpc, takes_game=True),
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
            key=site.key, name=f"{site.name} text", recognise=site.recognise, scan=site.scan, cut_before=site.cut_before
        )
        for site in SITES
    ],
)
_BY_KEY = {format.key: format for format in FORMATS}


def find_format(head: str, name: str, key: str | None = None) -> Format:
    """Return the format with this key, or that of a file by its beginning and name; raise `ReadError` if unknown."""
    if key is not None:
        if key not in _BY_KEY:
            raise ReadError(f"format: expected one of {', '.join(_BY_KEY)}, got {key!r}")
        return _BY_KEY[key]
    found = next((format for format in FORMATS if format.recognise(head)), None)
    promised = next((format for format in FORMATS if name.lower().endswith(format.suffixes or ("\0",))), None)
    if promised is None and found is None:
        if not head.strip():
            raise ReadError(_NO_HANDS, name=name, line=1)
        names = ", ".join(format.name for format in FORMATS)
        raise ReadError(f"{NO_FORMAT}: expected one of {names}", name=name, line=1)
    if promised is not None and found is not None and found is not promised and found.sure:
        ending = name[name.rindex(".") :]
        raise ReadError(
            f"expected {promised.name} because of the ending {ending}, got {found.name}: "
            f"rename the file, or set its format to {found.key}",
            name=name,
            line=1,
        )
    return promised or found or FORMATS[0]


def read(
    path: str | PathLike[str], *, lenient: bool = False, format: str | None = None, game_def: Definition | None = None
) -> Iterator[Record]:
    """Yield every hand of a file. The format is recognised from its beginning, or given: "phh", "pokerstars" …

    The first hand that cannot be read raises `ReadError` with file and line. Lenient reading skips such hands and
    unknown lines; `scan_file` also reports what was skipped. A log of the Annual Computer Poker Competition whose
    header does not name one of its games needs the file with the game's definition, `game_def`.

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
    """Yield every hand of a file with its first line: its record and notes, or its error."""
    if not isinstance(path, str | PathLike):
        raise ReadError(f"path: expected text or a path, got {path!r:.40}")
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
    """Do the same as `scan_file` for an open file, such as standard input."""
    chosen = find_format(look_ahead(file), name, format)
    lines = number_lines(file, name, any_letters=chosen.any_letters)
    if game_def is None:
        return _at_least_one(chosen.scan(lines, name, lenient), name)
    if not chosen.takes_game:
        raise ReadError(f"game_def: expected an ACPC log, got {chosen.name}: leave it out", name=name)
    return _at_least_one(chosen.scan(lines, name, lenient, game_def=game_def), name)


def _at_least_one(hands: Iterator[HandFound], name: str) -> Iterator[HandFound]:
    """Yield the hands of a file, which must have at least one, readable or not."""
    first = next(hands, None)
    if first is None:
        raise ReadError(_NO_HANDS, name=name, line=1)
    yield first
    yield from hands


class FullError(ReadError):
    """A second hand for a file that can have only one."""


class HandWriter(Protocol):
    """A file being written; a hand that its format cannot express raises `ReadError` or `DocumentError`."""

    def add(self, record: Record) -> str:
        """Return the text that a hand adds."""

    def end(self) -> str:
        """Return the text that ends the file."""


class _Joined:
    """Hands written one by one, with a text between them and at the end."""

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
        raise FullError("expected one hand in a .phh file, got a second: write a .phhs file")
    return write_phh(record)


class _Documents:
    """Table documents: a single one by itself, several as a list."""

    def __init__(self) -> None:
        self.hands = 0
        self.first = ""

    def add(self, record: Record) -> str:
        text = _write_document(record)
        self.hands += 1
        if self.hands == 1:  # the second hand decides whether this is a list
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
"""Functions that begin a file, by the keys of the formats that can be written."""
