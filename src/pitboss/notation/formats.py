"""The formats of recorded hands: how a file of each is known by its beginning, read hand by hand, and written."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct

from pitboss.notation.document.scanning import scan_documents
from pitboss.notation.found import HandFound, ReadError
from pitboss.notation.ggpoker.read import HEAD as GG_HEAD
from pitboss.notation.ggpoker.read import scan_ggpoker
from pitboss.notation.lines import Lines
from pitboss.notation.phh.scanning import scan_phh_lines
from pitboss.notation.pokerstars.read import scan_pokerstars_lines
from pitboss.notation.pokerstars.text import HEAD as STARS_HEAD
from pitboss.notation.record import Record

Scan: TypeAlias = Callable[[Lines, str, bool], Iterator[HandFound]]
"""Numbered lines, the file's name, whether to go on behind what is not understood."""


class Format(Struct, frozen=True, kw_only=True):
    """One way of writing hands down."""

    key: str
    name: str  #: as people call it
    suffixes: tuple[str, ...] = ()  #: endings of files that promise this format and no other
    recognise: Callable[[str], bool]  #: whether a text that begins so is of this format
    scan: Scan
    write: Callable[[Iterable[Record]], Iterator[str]] | None = None  #: records as pieces of text; None: only read
    any_letters: bool = True  #: whether old files of it hold other letters than UTF-8


def _begins(pattern: str, flags: int = 0) -> Callable[[str], bool]:
    compiled = re.compile(pattern, flags | re.MULTILINE)
    return lambda head: compiled.search(head) is not None


FORMATS: tuple[Format, ...] = (
    Format(
        key="phh",
        name="PHH",
        suffixes=(".phh", ".phhs"),
        recognise=_begins(r"\A\s*(?:#.*\n\s*)*(?:\[[^\]\n{]*\]\s*(?:#.*)?$|\w+\s*=)"),
        scan=scan_phh_lines,
        any_letters=False,
    ),
    Format(
        key="document",
        name="table document",
        recognise=_begins(r"\A\s*\[?\s*\{(?!\s*\"ohh\")"),
        scan=scan_documents,
        any_letters=False,
    ),
    Format(
        key="pokerstars",
        name="PokerStars text",
        recognise=_begins(rf"^\s*{STARS_HEAD.pattern}"),
        scan=scan_pokerstars_lines,
    ),
    Format(key="ggpoker", name="GGPoker text", recognise=_begins(rf"^\s*{GG_HEAD.pattern}"), scan=scan_ggpoker),
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
        what = "holds no hands" if not head.strip() else "begins like none of the formats"
        raise ReadError(f"the file {what}: {', '.join(format.name for format in FORMATS)}", name=name, line=1)
    if promised is not None and found is not None and found is not promised:
        ending = name[name.rindex(".") :]
        raise ReadError(
            f"this is {found.name} under the ending {ending}; rename it, or say that its format is {found.key}",
            name=name,
            line=1,
        )
    return found or promised or FORMATS[0]
