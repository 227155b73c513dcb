"""`pitboss convert`: convert hands from one format into another, one at a time."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import click
import msgspec
from msgspec import Struct

from pitboss.cli.histories import OpenHands, files_in, open_hands, reading_files, reading_options, same_file
from pitboss.cli.output import echo
from pitboss.documents.fields import DocumentError
from pitboss.formats.phh import foreign_words
from pitboss.formats.phh.standard import from_standard, in_standard_words, to_standard
from pitboss.formats.scan import HandFound, ReadError
from pitboss.histories import ENDINGS, WRITERS, FullError, HandWriter, replace_file
from pitboss.records.record import Record

_PHH = ("phh", "phhs")
STANDARD_STREAM = "-"
Write: TypeAlias = Callable[[str], object]


class Converted(Struct):
    """The result of converting a file."""

    converted: int = 0
    failed: int = 0
    notes: int = 0
    foreign: set[str] = msgspec.field(
        default_factory=set
    )  #: notes about content that other PHH programs might not know


@click.command()
@click.argument("source", metavar="IN", type=click.Path(exists=True, allow_dash=True))
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--lenient", is_flag=True, help="Skip unknown lines with a note, and exit with 0 although hands failed.")
@click.option("--to", type=click.Choice(list(WRITERS)), help="Format to write; by default from the ending of OUT.")
@click.option("--json", "as_json", is_flag=True, help="Print a summary as one JSON object.")
@reading_options
def convert(
    source: str, target: str, lenient: bool, to: str | None, as_json: bool, key: str | None, game_def: str | None
) -> None:
    """Convert the hands of IN, in any format, to OUT: .phh, .phhs, .json (table documents), .txt (PokerStars), .ohh
    (Open Hand History) or .log (ACPC).

    A hand that cannot be read or written is reported on standard error with file and line. The other hands are
    converted, and the exit code is 1. With --lenient it is 1 only if no hand was converted; OUT is then not changed.
    Anything that other PHH programs may not know, such as a game code outside the standard, is reported too. IN and
    OUT can be - for standard input and output. Files of any size are converted, one hand at a time.

    If IN is a folder, all files in it and in its folders are read, in the order of their paths, except hidden files. A
    file without hands is reported and skipped.

    \b
    Examples:
      pitboss convert session.txt session.phhs
      pitboss convert --lenient archive.txt archive.ohh
      pitboss convert --game-def mine.game match.log match.phhs
      pitboss convert table.json hand.phh
      pitboss convert ~/PokerStars/HandHistory all.phhs
      pitboss convert --to phhs session.txt - | pitboss stats -
    """
    writes = to or ENDINGS.get(Path(target).suffix.lower())
    if writes is None:
        raise click.UsageError(f"{target}: expected one of the endings {', '.join(ENDINGS)}, or the option --to")
    if as_json and target == STANDARD_STREAM:
        raise click.UsageError("--json cannot be used when the hands go to standard output: name a file for OUT")
    tally = Converted()
    files, writer = (
        [file for file in files_in([source]) if file == source or not same_file(file, target)],
        WRITERS[writes](),
    )
    options: dict[str, Any] = {"lenient": lenient, "key": key, "game_def": game_def}
    with _writing(target, tally) as write, reading_files("converting", files) as so_fars:
        for file, so_far in zip(files, so_fars, strict=True):
            try:
                with open_hands(file, so_far=so_far, **options) as opened:
                    _convert(opened, file, writes, writer, write, tally)
            except FullError:
                sentence = f"{source} has more than one hand, but a .phh file holds one: use .phhs"
                raise click.UsageError(sentence) from None
            except ReadError as error:  # of the file as a whole
                if file == source:
                    _fail(tally, str(error))
                else:
                    echo(f"pitboss convert: {error}; skipped", err=True)
        if tally.converted:
            write(writer.end())
        elif not tally.failed:
            _fail(tally, f"{source} has no hands")
    for sentence in sorted(tally.foreign):
        echo(f"pitboss convert: {target}, {sentence}", err=True)
    echo(f"{tally.converted} converted, {tally.failed} failed", err=True)
    if as_json:
        summary = {"converted": tally.converted, "failed": tally.failed, "notes": tally.notes, "to": writes}
        echo(msgspec.json.encode(summary))
    sys.exit(1 if not tally.converted or (tally.failed and not lenient) else 0)


def _convert(opened: OpenHands, source: str, writes: str, writer: HandWriter, write: Write, tally: Converted) -> None:
    from_phh = opened.format.key == "phh"
    for found in opened.hands:
        for note in found.notes:
            tally.notes += 1
            echo(f"pitboss convert: {source}, line {note.line}: {note.sentence}", err=True)
        if found.error is not None:
            _fail(tally, str(found.error))
        if found.record is None:
            continue
        try:
            record = _reword(found.record, from_phh, writes in _PHH)
            write(writer.add(record))
        except FullError:
            raise
        except (ReadError, DocumentError) as error:
            _fail(tally, f"{source}, {_where(found)}: {error}")
        else:
            tally.converted += 1
            tally.foreign |= set(foreign_words(record)) if writes in _PHH else set()


def _fail(tally: Converted, sentence: str) -> None:
    tally.failed += 1
    echo(f"pitboss convert: {sentence}", err=True)


def _where(found: HandFound) -> str:
    return f"line {found.line}" + (f", hand {found.label}" if found.label else "")


def _reword(record: Record, from_phh: bool, to_phh: bool) -> Record:
    """Return a record with the action words of the format to write."""
    if from_phh:
        record = from_standard(record)
    if not to_phh:
        return record
    return in_standard_words(record) if from_phh else to_standard(record)


@contextmanager
def _writing(target: str, tally: Converted) -> Iterator[Write]:
    """Yield the function that writes to standard output or to a file, which is replaced if any hand was converted."""
    if target == STANDARD_STREAM:
        yield partial(echo, nl=False)
        return
    try:
        with replace_file(Path(target)) as (out, keep):
            yield out.write
            if tally.converted:
                keep()
    except OSError as error:
        raise click.ClickException(f"{target}: {error.strerror or error}") from None
