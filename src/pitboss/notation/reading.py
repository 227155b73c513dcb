"""Reading a file of hands, whichever format it is in: one function, one shape of result, one hand at a time."""

from collections.abc import Iterator
from io import BufferedReader
from os import PathLike, fspath
from pathlib import Path

from pitboss.notation.acpc.read import Definition
from pitboss.notation.formats import NO_HANDS, find_format
from pitboss.notation.found import HandFound, ReadError
from pitboss.notation.lines import look_ahead, number_lines
from pitboss.notation.record import Record


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
        return _some(chosen.scan(lines, name, lenient), name)
    if not chosen.takes_game:
        raise ReadError(f"a game's definition is for ACPC logs, and this is {chosen.name}", name=name)
    return _some(chosen.scan(lines, name, lenient, game_def=game_def), name)


def _some(hands: Iterator[HandFound], name: str) -> Iterator[HandFound]:
    """The hands of a file, which has at least one, or something that should have been one."""
    first = next(hands, None)
    if first is None:
        raise ReadError(NO_HANDS, name=name, line=1)
    yield first
    yield from hands
