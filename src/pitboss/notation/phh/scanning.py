"""A PHH file hand by hand: one hand, or many as tables."""

import re
from collections.abc import Iterator

from pitboss.notation.found import HandFound
from pitboss.notation.lines import Lines
from pitboss.notation.phh.check import PhhError
from pitboss.notation.phh.read import read_phh, scan
from pitboss.notation.record import Record

_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)


def scan_phh_lines(lines: Lines, name: str, lenient: bool) -> Iterator[HandFound]:
    """Every hand of a PHH file."""
    text = "".join(f"{line}\n" for _, line in lines)
    if not _TABLE.search(text):
        try:
            yield HandFound(1, read_phh(text, name))
        except PhhError as error:
            yield HandFound(error.line or 1, error=error)
        return
    for table, found in scan(text, name):
        if isinstance(found, Record):
            yield HandFound(1, found, label=table)
        else:
            yield HandFound(found.line or 1, error=found, label=table)
