"""A PHH file hand by hand, in flat memory: one hand, or many as tables."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from pitboss.notation.found import HandFound
from pitboss.notation.phh.check import PhhError
from pitboss.notation.phh.read import read_phh, scan_pieces
from pitboss.notation.record import Record

_TABLE = re.compile(r"[ \t]*\[")
_IDLE = re.compile(r"[ \t\ufeff]*(?:#.*)?")
_PIECE = 1 << 16
"""How many letters are looked at together."""


def scan_phh_lines(lines: Iterable[tuple[int, str]], name: str = "", lenient: bool = False) -> Iterator[HandFound]:
    """Every hand of a PHH file's numbered lines; where its first words are no table's header, it is one hand."""
    pieces = _pieces(lines)
    head = next(pieces, "")
    first = next((line for line in head.split("\n") if not _IDLE.fullmatch(line)), "")
    if not _TABLE.match(first) and not name.lower().endswith(".phhs"):
        yield _one(head + "".join(pieces), name)
        return
    for line, table, found in scan_pieces(chain([head], pieces), name):
        if isinstance(found, Record):
            yield HandFound(line, found, label=table)
        else:
            yield HandFound(line, error=found, label=table)


def _one(text: str, name: str) -> HandFound:
    try:
        return HandFound(1, read_phh(text, name))
    except PhhError as error:
        return HandFound(error.line or 1, error=error)


def _pieces(lines: Iterable[tuple[int, str]]) -> Iterator[str]:
    """The lines joined to pieces of some size."""
    held: list[str] = []
    size = 0
    for _, line in lines:
        held.append(line + "\n")
        size += len(line)
        if size > _PIECE:
            yield "".join(held)
            held, size = [], 0
    if held:
        yield "".join(held)
