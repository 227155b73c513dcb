"""The formats of recorded hands: how a file of each is known by its beginning, and read hand by hand."""

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from msgspec import Struct

from pitboss.notation.acpc.read import recognise_acpc, scan_acpc
from pitboss.notation.document.scanning import scan_documents
from pitboss.notation.found import HandFound, ReadError
from pitboss.notation.fulltilt.read import recognise_fulltilt, scan_fulltilt
from pitboss.notation.ggpoker.read import HEAD as GG_HEAD
from pitboss.notation.ggpoker.read import scan_ggpoker
from pitboss.notation.ohh.objects import recognise_ohh
from pitboss.notation.ohh.read import scan_ohh
from pitboss.notation.partypoker.read import recognise_partypoker, scan_partypoker
from pitboss.notation.phh.scanning import scan_phh_lines
from pitboss.notation.pokerstars.read import scan_pokerstars_lines
from pitboss.notation.pokerstars.text import HEAD as STARS_HEAD

NO_FORMAT = "the file begins like none of the formats"
NO_HANDS = "the file holds no hands"
Scan: TypeAlias = Callable[..., Iterator[HandFound]]
"""Numbered lines, the file's name, whether to go on behind what is not understood."""


class Format(Struct, frozen=True, kw_only=True):
    """One way of writing hands down."""

    key: str
    name: str  #: as people call it
    suffixes: tuple[str, ...] = ()  #: endings of files that promise this format and no other
    recognise: Callable[[str], bool]  #: whether a text that begins so is of this format
    scan: Scan
    sure: bool = True  #: whether what begins so can be of no other format
    any_letters: bool = True  #: whether old files of it hold other letters than UTF-8
    takes_game: bool = False  #: whether `scan` takes `game_def`, since its files may not say what is played


def _begins(pattern: str, flags: int = 0) -> Callable[[str], bool]:
    compiled = re.compile(pattern, flags | re.MULTILINE)
    return lambda head: compiled.search(head) is not None


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
        scan=scan_documents,
        sure=False,
        any_letters=False,
    ),
    Format(
        key="pokerstars",
        name="PokerStars text",
        recognise=_begins(rf"^\s*{STARS_HEAD.pattern}"),
        scan=scan_pokerstars_lines,
    ),
    Format(key="ggpoker", name="GGPoker text", recognise=_begins(rf"^\s*{GG_HEAD.pattern}"), scan=scan_ggpoker),
    Format(key="fulltilt", name="Full Tilt text", recognise=recognise_fulltilt, scan=scan_fulltilt),
    Format(key="partypoker", name="PartyPoker text", recognise=recognise_partypoker, scan=scan_partypoker),
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
            raise ReadError(NO_HANDS, name=name, line=1)
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
