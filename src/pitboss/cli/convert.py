"""`pitboss convert`: hands between PHH, table documents and PokerStars text, by the files' endings."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from pitboss.cli.echo import echo
from pitboss.cli.progress import progress
from pitboss.errors import PitbossError
from pitboss.notation.document.debts import posts_as_debts
from pitboss.notation.document.fields import DocumentError, from_fields, read_json, write_document
from pitboss.notation.document.records import read_back, written_out
from pitboss.notation.document.standard import from_standard, in_its_words, to_standard
from pitboss.notation.phh import PhhError, foreign_words, read_phh, scan, write_phh, write_phhs
from pitboss.notation.pokerstars import PokerStarsError, decode_pokerstars, scan_pokerstars, write_pokerstars
from pitboss.notation.record import Record

Found = Iterator[Record | ValueError]


class ConvertError(PitbossError, ValueError):
    """A file, or a part of it, that holds no hand."""


@click.command()
@click.argument("source", metavar="IN", type=click.Path(exists=True, dir_okay=False))
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False))
def convert(source: str, target: str) -> None:
    """Convert the hands of IN to OUT, both .phh, .phhs, .json (table documents) or .txt (PokerStars).

    A hand that cannot be read or written is named on standard error, the others are converted, and the exit code is 1.
    Where nothing could be converted OUT is left as it is. What other programs for PHH may not know, such as the code of
    a game that the standard has not, is named on standard error too.

    \b
    Examples:
      pitboss convert session.txt session.phhs
      pitboss convert table.json hand.phh
    """
    for name in (source, target):
        if Path(name).suffix.lower() not in READERS:
            raise click.UsageError(f"{name}: the ending must be one of {', '.join(READERS)}")
    records: list[Record] = []
    failed = 0
    with progress("reading", total=None) as advance:
        for found in _read(source):
            if isinstance(found, Record):
                records.append(found)
            else:
                failed += 1
                echo(f"pitboss convert: {found}", err=True)
            advance()
    ending = Path(target).suffix.lower()
    if not records and not failed:
        failed += 1
        echo(f"pitboss convert: {source} has no hand", err=True)
    if ending == ".phh" and len(records) > 1:
        raise click.UsageError(f"a .phh holds one hand, and {source} has {len(records)}: write a .phhs")
    said_in_phh = Path(source).suffix.lower() in (".phh", ".phhs")
    text, refused = WRITERS[ending](records, in_its_words if said_in_phh else to_standard)
    for sentence in refused:
        echo(f"pitboss convert: {source}, {sentence}", err=True)
    converted = len(records) - len(refused)
    if converted:
        _replace(Path(target), text)
        if ending in (".phh", ".phhs"):
            for sentence in sorted({sentence for record in records for sentence in foreign_words(record)}):
                echo(f"pitboss convert: {target}, {sentence}", err=True)
    echo(f"{converted} converted, {failed + len(refused)} failed", err=True)
    sys.exit(1 if failed or refused else 0)


def _replace(target: Path, text: str) -> None:
    """Write a file whole: what stood there is gone only once the new one is there."""
    try:
        if target.exists() and not target.is_file():  # a pipe or a device
            target.write_text(text, encoding="utf-8", newline="")
            return
        real = target.resolve()
        beside = real.with_name(f".{real.name}.{os.getpid()}.part")
        try:
            beside.write_text(text, encoding="utf-8", newline="")
            if real.exists():
                shutil.copymode(real, beside)
            beside.replace(real)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise click.ClickException(f"{target}: {error.strerror or error}") from None


def _read(source: str) -> Found:
    try:
        raw = Path(source).read_bytes()
        text = decode_pokerstars(raw) if source.lower().endswith(".txt") else raw.decode("utf-8")
    except UnicodeDecodeError as error:
        yield ConvertError(f"{source} is not text: {error}")
        return
    yield from READERS[Path(source).suffix.lower()](text, source)


def _read_phh(text: str, name: str) -> Found:
    try:
        yield from_standard(read_phh(text, name))
    except PhhError as error:
        yield error


def _read_phhs(text: str, name: str) -> Found:
    for table, found in scan(text, name):
        try:
            yield from_standard(found) if isinstance(found, Record) else found
        except PhhError as error:
            yield PhhError(error.reason, name=name, table=table, field=error.field)


def _read_pokerstars(text: str, name: str) -> Found:
    for _, found in scan_pokerstars(text, name):
        yield found


def _read_documents(text: str, name: str) -> Found:
    try:
        value = read_json(text)
    except DocumentError as error:
        yield ConvertError(f"{name}: {error}")
        return
    for number, fields in enumerate(value if isinstance(value, list) else [value], 1):
        try:
            if not isinstance(fields, dict):
                raise DocumentError("a document must be a JSON object")
            yield written_out(from_fields(fields))
        except ValueError as error:
            yield ConvertError(f"{name}, document {number}: {error}")


Written = tuple[str, list[str]]
Rewording = Callable[[Record], Record]
"""How a record is said in PHH: what was read from PHH is said again, the rest so that others play it as we do."""


def _each(records: list[Record], write: Callable[[Record], str], joint: str) -> Written:
    """Every record written by itself; those that cannot be are named by their number."""
    texts, refused = [], []
    for number, record in enumerate(records, 1):
        try:
            texts.append(write(record))
        except (PhhError, PokerStarsError, DocumentError) as error:
            refused.append(f"hand {number}: {error}")
    return joint.join(texts), refused


def _document(record: Record) -> str:
    return write_document(read_back(posts_as_debts(record))).decode()


def _write_documents(records: list[Record], _: Rewording) -> Written:
    text, refused = _each(records, _document, ",\n ")
    return (f"{text}\n" if len(records) - len(refused) == 1 else f"[{text}]\n"), refused


def _write_phhs(records: list[Record], reword: Rewording) -> Written:
    good, refused = [], []
    for number, record in enumerate(records, 1):
        try:
            standard = reword(record)
            write_phh(standard)
            good.append(standard)
        except PhhError as error:
            refused.append(f"hand {number}: {error}")
    return write_phhs(good), refused


READERS: dict[str, Callable[[str, str], Found]] = {
    ".phh": _read_phh,
    ".phhs": _read_phhs,
    ".json": _read_documents,
    ".txt": _read_pokerstars,
}
WRITERS: dict[str, Callable[[list[Record], Rewording], Written]] = {
    ".phh": lambda records, reword: _each(records, lambda record: write_phh(reword(record)), ""),
    ".phhs": _write_phhs,
    ".json": _write_documents,
    ".txt": lambda records, _: _each(records, write_pokerstars, "\n\n\n"),
}
