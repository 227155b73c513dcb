"""Read and write files of recorded hands in every format, one hand at a time.

The module of table documents is imported only when it is needed.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader, BytesIO
from os import PathLike, fspath
from pathlib import Path
from threading import get_ident
from typing import IO, Any, Protocol, TypeAlias

from msgspec import Struct

from pitboss.formats.acpc import AcpcLog, Definition, recognise_acpc, scan_acpc
from pitboss.formats.ohh.reader import scan_ohh
from pitboss.formats.ohh.values import recognise_ohh
from pitboss.formats.ohh.writer import write_ohh
from pitboss.formats.phh.reader import scan_phh_lines
from pitboss.formats.phh.standard import from_standard
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
"""A function that yields hands. Its arguments are numbered lines, the name of the file, and `lenient`."""
ENDINGS = {".phh": "phh", ".phhs": "phhs", ".json": "document", ".txt": "pokerstars", ".ohh": "ohh", ".log": "acpc"}
"""The format that a file is written in, by its ending."""
SITES = (POKERSTARS, GGPOKER, FULL_TILT, PARTY_POKER)


class Format(Struct, frozen=True, kw_only=True):
    """A format of recorded hands."""

    key: str
    name: str  #: the name in messages
    suffixes: tuple[str, ...] = ()  #: file endings that only this format has
    recognise: Callable[[str], bool]  #: whether a file that begins with this text has the format
    scan: Scan
    sure: bool = True  #: whether a file with such a beginning cannot have another format
    any_letters: bool = True  #: whether old files may have other encodings than UTF-8
    cut_before: re.Pattern[bytes] | None = None  #: the line break before a hand, where a large file can be split
    takes_game: bool = False  #: whether `scan` accepts `game_def`, because a file may lack the definition of its game


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
    """Return the format with a key. Without a key, return the format of a file with this beginning and name."""
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


def list_files(path: str | PathLike[str]) -> list[Path]:
    """Return the file itself, or all files of a folder and the folders in it, in the order of their paths.

    Hidden files and folders, whose names begin with a dot, are left out. The name of a file does not matter.
    """
    if not isinstance(path, str | PathLike):
        raise ReadError(f"path: expected text or a path, got {path!r:.40}")
    given = Path(path)
    if not given.is_dir():
        return [given]
    return sorted(file for file in given.rglob("*") if file.is_file() and not _hidden(file.relative_to(given)))


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def read(
    path: str | PathLike[str], *, lenient: bool = False, format: str | None = None, game_def: Definition | None = None
) -> Iterator[Record]:
    """Yield every hand of a file, or of all files in a folder. `parse` does the same for text.

    `format`, such as "phh" or "pokerstars", is recognised for each file if it is not given. A hand that cannot be read
    raises `ReadError` with file, line and hand. With `lenient`, such hands and unknown lines are skipped, and in a
    folder also files without hands; `scan_file` returns what was skipped. `game_def` is the file of a game definition.
    A log of the Annual Computer Poker Competition needs it if its header does not have the name of a known game.

    >>> list(read("nowhere.phhs"))
    Traceback (most recent call last):
    pitboss.ReadError: nowhere.phhs: No such file or directory
    """
    files = list_files(path)
    skips = lenient and files != [Path(path)]
    some = False
    for file in files:
        try:
            found = scan_file(file, lenient=lenient, format=format, game_def=game_def)
            for record in _records(found, lenient, "read(path, lenient=True)"):
                some = True
                yield record
        except ReadError:
            if not skips:
                raise
    if not some and files != [Path(path)]:
        raise ReadError("the folder has no recorded hands", name=fspath(path))


def parse(
    text: str | bytes, *, lenient: bool = False, format: str | None = None, game_def: Definition | None = None
) -> Iterator[Record]:
    """Yield every hand of a text in any format. The arguments are those of `read`.

    >>> text = to_text(parse('''
    ... variant = "NT"
    ... antes = [0, 0]
    ... blinds_or_straddles = [1, 2]
    ... min_bet = 2
    ... starting_stacks = [50, 50]
    ... actions = ["d dh p1 AsAh", "d dh p2 ????", "p2 f"]
    ... '''), "phhs")
    >>> [record.starting_stacks for record in parse(text)]
    [(50, 50)]
    """
    if not isinstance(text, str | bytes):
        raise ReadError(f"text: expected text or bytes, got {text!r:.40}")
    stream: Any = BufferedReader(BytesIO(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text))
    found = scan_stream(stream, lenient=lenient, format=format, game_def=game_def)
    yield from _records(found, lenient, "parse(text, lenient=True)")


def _records(hands: Iterator[HandFound], lenient: bool, again: str) -> Iterator[Record]:
    """Yield the records. If there are other hands, the error of a hand says which hand it is, and how to skip it."""
    for number, found in enumerate(hands, 1):
        if found.record is not None:
            yield found.record
        elif found.error is not None and not lenient:
            if number > 1 or _has_more(hands):
                hand = f"hand {found.label or number}"
                found.error.args = (f"{found.error} ({hand}; {again} skips such hands, as --lenient does in commands)",)
            raise found.error


def _has_more(hands: Iterator[HandFound]) -> bool:
    try:
        return next(hands, None) is not None
    except ReadError:
        return False


def scan_file(
    path: str | PathLike[str], *, lenient: bool = False, format: str | None = None, game_def: Definition | None = None
) -> Iterator[HandFound]:
    """Yield every hand of a file, with its record or the error in it.

    >>> from pitboss import scan_file
    >>> next(scan_file("nowhere.phhs"))
    Traceback (most recent call last):
    pitboss.ReadError: nowhere.phhs: No such file or directory
    """
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
        raise ReadError(f"game_def: expected it only for an ACPC log, got {chosen.name}", name=name)
    return _at_least_one(chosen.scan(lines, name, lenient, game_def=game_def), name)


def _at_least_one(hands: Iterator[HandFound], name: str) -> Iterator[HandFound]:
    """Yield the hands. Raise `ReadError` if there are none."""
    first = next(hands, None)
    if first is None:
        raise ReadError(_NO_HANDS, name=name, line=1)
    yield first
    yield from hands


class WriteError(ReadError):
    """A file that cannot be written: an unknown format, no hands, or an error of the system.

    >>> from pitboss import write
    >>> write("hands.phh", [])
    Traceback (most recent call last):
    pitboss.WriteError: records: expected at least one hand
    """


class FullError(WriteError):
    """A second hand for a file that can have only one."""


class HandWriter(Protocol):
    """A file that is being written. A hand that the format cannot express raises `ReadError` or `DocumentError`."""

    def add(self, record: Record) -> str:
        """Return the text that a hand adds."""

    def end(self) -> str:
        """Return the text that ends the file."""


class _Joined:
    """A file whose hands are written one by one, with `joint` between them and `end` after the last."""

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
    """A file with one table document, or with a list of several."""

    def __init__(self) -> None:
        self.hands = 0
        self.first = ""

    def add(self, record: Record) -> str:
        text = _write_document(record)
        self.hands += 1
        if self.hands == 1:  # the text depends on whether a second hand follows
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
"""A function for each format that can be written. It returns a new file to write."""


def to_text(records: Record | Iterable[Record], format: str) -> str:
    """Return hands as text in a format: phh, phhs, document, pokerstars, ohh or acpc. `parse` reads it.

    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 f"))
    >>> print(to_text(record, "phh").splitlines()[0])
    variant = 'NT'
    """
    return "".join(_texts(records, _known(format)))


def write(path: str | PathLike[str], records: Record | Iterable[Record], format: str | None = None) -> int:
    """Write hands to a file, and return their number. By default, the ending of the file decides the format.

    The endings are .phh, .phhs, .ohh (Open Hand History), .json (table documents), .txt (PokerStars) and .log (ACPC).
    The file appears, or replaces another, only when all hands are written. If one cannot be written, nothing changes.

    >>> write("hands.html", [])
    Traceback (most recent call last):
    pitboss.WriteError: hands.html: expected one of the endings .phh, .phhs, .json, .txt, .ohh, .log, or a format
    """
    target = Path(path)
    chosen = ENDINGS.get(target.suffix.lower()) if format is None else _known(format)
    if chosen is None:
        raise WriteError(f"expected one of the endings {', '.join(ENDINGS)}, or a format", name=fspath(path))
    given = [records] if isinstance(records, Record) else list(records)
    try:
        with replace_file(target) as (out, keep):
            for text in _texts(given, chosen):
                out.write(text)
            keep()
    except OSError as error:
        raise WriteError(error.strerror or str(error), name=fspath(path)) from None
    return len(given)


def _known(format: str) -> str:
    if format not in WRITERS:
        raise WriteError(f"format: expected one of {', '.join(WRITERS)}, got {format!r:.40}")
    return format


def _texts(records: Record | Iterable[Record], format: str) -> Iterator[str]:
    """Yield the text of each hand, and the end. Raise `WriteError` if there are no hands."""
    writer, some = WRITERS[format](), False
    for record in [records] if isinstance(records, Record) else records:
        if not isinstance(record, Record):
            raise WriteError(f"records: expected records, got {record!r:.40}")
        yield writer.add(record if format in ("phh", "phhs") else from_standard(record))
        some = True
    if not some:
        raise WriteError("records: expected at least one hand")
    yield writer.end()


@contextmanager
def replace_file(target: Path) -> Iterator[tuple[IO[str], Callable[[], object]]]:
    """Open a temporary file, and yield it with a function. At the end, it replaces the target if that was called.

    A target that is a pipe or a device is written directly.
    """
    complete: list[bool] = []
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8", newline="") as out:
            yield out, lambda: complete.append(True)
        return
    real = target.resolve()
    part = real.with_name(f".{real.name}.{os.getpid()}.{get_ident()}.part")
    try:
        with part.open("w", encoding="utf-8", newline="") as out:
            yield out, lambda: complete.append(True)
        if complete:
            if real.exists():
                shutil.copymode(real, part)
            part.replace(real)
    finally:
        part.unlink(missing_ok=True)
