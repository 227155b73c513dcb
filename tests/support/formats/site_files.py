"""Read and replay the hand histories of ../shared/data/sites leniently; run as a module, this writes a page.

The page contains counts, and where and why hands could not be read or replayed, but nothing of the hands themselves.
"""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path

from msgspec import Struct, field

from pitboss.formats.scan import HandFound
from pitboss.histories import scan_file
from pitboss.records.lenient import replay_leniently
from pitboss.records.record import Record
from pitboss.records.replay import ReplayError, replay

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT.parent / "shared" / "data" / "sites"
PAGE = ROOT / "docs" / "reference" / "sites.md"
SITES = {
    "stars": ("PokerStars", "pokerstars"),
    "ggpoker": ("GGPoker", "ggpoker"),
    "ftp": ("Full Tilt", "fulltilt"),
    "partypoker": ("PartyPoker", "partypoker"),
}
"""The folders of the data: the name of each site, and the key of its format."""
ENOUGH = 0.9
"""The least part of a site's files that must be readable whole."""


class SiteCount(Struct):
    """The results for one site's files."""

    files: int = 0
    whole: int = 0
    hands: int = 0
    read: int = 0
    strict: int = 0
    mended: int = 0
    noted: int = 0
    broken: list[tuple[str, int, str]] = field(default_factory=list)  #: file, line and reason of a hand not read
    refused: list[tuple[str, int, str]] = field(default_factory=list)  #: file, line and reason of a hand not replayed
    wrong_chips: list[tuple[str, int]] = field(default_factory=list)  #: a hand whose chips do not add up


def files(folder: str) -> list[Path]:
    """The texts of a site."""
    return sorted((DATA / folder).rglob("*.txt"))


def hands(folder: str) -> Iterator[tuple[Path, HandFound]]:
    """Every hand of a site's files, read leniently."""
    for path in files(folder):
        for found in scan_file(path, lenient=True):
            yield path, found


@cache
def count(folder: str) -> SiteCount:
    """Read and replay all of a site."""
    counted = SiteCount(files=len(files(folder)))
    spoilt = set()
    for path, found in hands(folder):
        if found.record is None and found.error is None:  # there was no hand
            continue
        counted.hands += 1
        if found.error is not None:
            spoilt.add(path)
            counted.broken.append((path.name, found.error.line, found.error.reason))
            continue
        assert found.record is not None
        counted.read += 1
        counted.noted += bool(found.notes)
        if not adds_up(found.record):
            counted.wrong_chips.append((path.name, found.line))
        _replay(counted, found.record, path.name, found.line)
    counted.whole = counted.files - len(spoilt)
    return counted


def adds_up(record: Record) -> bool:
    """Whether all stacks and the house's chips have the same sum before and after the hand."""
    dropped, rake = record.user.get("_deadMoney", 0), record.user["_rake"]
    assert isinstance(dropped, int | Decimal)
    assert isinstance(rake, int | Decimal)
    return sum(record.starting_stacks) + dropped == sum(record.finishing_stacks or ()) + rake


def _replay(counted: SiteCount, record: Record, name: str, line: int) -> None:
    try:
        replay(record)
        counted.strict += 1
    except ReplayError:
        try:
            replay_leniently(record)
            counted.mended += 1
        except ReplayError as error:
            counted.refused.append((name, line, str(error).partition(": ")[2]))


# --- the page

_HEAD = """\
# Hand histories of poker sites

How well pitboss reads real files of four sites. The files are not part of this repository: they are in
`../shared/data`, where `SOURCES.md` gives their origin. Many were collected because they are difficult. This page is
written by `python -m tests.support.formats.site_files`, and a test compares it with what the code does.

All files are read leniently and then replayed:

- *read whole*: files in which every hand was read; the chips of every hand add up to pot and rake
- *with notes*: hands in which lenient reading skipped or repaired a line
- *strict*: hands that follow the rules exactly, with the recorded finishing stacks and rake
- *mended*: hands that only lenient replay can play; it lists its repairs

"""


def page() -> str:
    """Return the page."""
    lines = ["| site | files | read whole | hands | read | with notes | strict | mended | not replayed |"]
    lines.append("| --- |" + " --: |" * 8)
    for folder, (name, _) in SITES.items():
        one = count(folder)
        share = f"{one.whole} ({100 * one.whole / one.files:.1f} %)"
        numbers = (one.files, share, one.hands, one.read, one.noted, one.strict, one.mended, len(one.refused))
        lines.append(f"| {name} | {' | '.join(map(str, numbers))} |")
    text = _HEAD + "\n".join(lines) + "\n"
    for folder, (name, _) in SITES.items():
        text += _listed(f"{name}: hands not read", count(folder).broken)
        text += _listed(f"{name}: hands read and not replayed", count(folder).refused)
    return text + _WHY


_WHY = """
Why the rules refuse what a site allowed:

- **below_minimum**: In limit games at PokerStars, the next raise can complete any short all-in. Here an all-in of half
  a bet or more counts as a full raise.
"""


def _listed(title: str, entries: list[tuple[str, int, str]]) -> str:
    if not entries:
        return ""
    often = Counter((name, reason) for name, _, reason in entries)
    first: dict[tuple[str, str], int] = {}
    for name, line, reason in entries:
        first.setdefault((name, reason), line)
    rows = []
    for (name, reason), times in often.items():
        more = f" (and {times - 1} more in the file)" if times > 1 else ""
        rows.append(f"- `{name}`, line {first[name, reason]}{more}: {reason}\n")
    return f"\n## {title}\n\n" + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
