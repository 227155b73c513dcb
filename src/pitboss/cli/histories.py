"""Opening files of recorded hands for the commands that read them, and the options for reading."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, NamedTuple, cast

import click

from pitboss.cli.progress import ReadSoFar, reading
from pitboss.formats.scan import HandFound, look_ahead
from pitboss.histories import FORMATS, Format, find_format, list_files, scan_stream

STANDARD_INPUT = "-"
KEYS = tuple(format.key for format in FORMATS)


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a command that reads hands."""
    for option in (
        click.option(
            "--game-def",
            type=click.Path(exists=True, dir_okay=False),
            metavar="FILE",
            help="Game definition for an ACPC log that does not name a game of the competition.",
        ),
        click.option(
            "--format",
            "key",
            type=click.Choice(KEYS),
            help="Format to read; by default recognised from the start of each file.",
        ),
    ):
        command = option(command)
    return command


class OpenHands(NamedTuple):
    """An open file: its format and its hands."""

    format: Format
    hands: Iterator[HandFound]


@contextmanager
def open_hands(
    file: str, *, lenient: bool, key: str | None, game_def: str | None, so_far: ReadSoFar
) -> Iterator[OpenHands]:
    """Open a file, or standard input for `-`; raise `ReadError` if its format is unknown."""
    with click.open_file(file, "rb") as opened:
        stream: Any = opened if hasattr(opened, "peek") else BufferedReader(cast(Any, opened))
        format = find_format(look_ahead(stream), file, key)
        found = scan_stream(stream, file, lenient=lenient, format=format.key, game_def=game_def)
        yield OpenHands(format, _report_each(found, stream, so_far))


def _report_each(hands: Iterator[HandFound], stream: Any, so_far: ReadSoFar) -> Iterator[HandFound]:
    seekable = stream.seekable()
    for found in hands:
        so_far(stream.tell() if seekable else 0)
        yield found


def files_in(given: Iterable[str]) -> list[str]:
    """Return files as they are named, and in place of a folder all its files, as `list_files` lists them."""
    return [
        str(file) if Path(name).is_dir() else name
        for name in given
        for file in (list_files(name) if name != STANDARD_INPUT else [Path(name)])
    ]


def same_file(file: str, other: str) -> bool:
    """Return whether two names are of one file that exists."""
    return Path(file).exists() and Path(other).exists() and Path(file).samefile(other)


@contextmanager
def reading_files(what: str, files: Sequence[str]) -> Iterator[list[ReadSoFar]]:
    """Show one progress bar for several files. Yield a function for each, which receives the position in the file."""
    sizes = [bytes_of(file) for file in files]
    with reading(what, None if None in sizes else sum([size or 0 for size in sizes])) as so_far:
        starts = [sum([size or 0 for size in sizes[:number]]) for number in range(len(sizes))]
        yield [lambda position, start=start: so_far(start + position) for start in starts]


def bytes_of(file: str) -> int | None:
    """Return the size of a file; None for a pipe or a device."""
    return Path(file).stat().st_size if Path(file).is_file() else None
