"""`pitboss arena verify`: whether a match was honest, from its journal or from what a participant was sent."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from pitboss.arena.verify.frames import Sitting
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.verify.report import Report
from pitboss.arena.verify.transcript import Transcript, read_transcript
from pitboss.cli.echo import echo
from pitboss.cli.progress import progress
from pitboss.printing import printable
from pitboss.store import StoreError, open_store, public_name


@click.command(short_help="check shuffles, chips and the hash chain")
@click.argument("match", metavar="DB|MATCH")
@click.option("--table", default=None, help="Only this table of the journal.")
@click.option("--against", default=None, metavar="MATCH", help="Hold DB against this record, frame by frame.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a table.")
def verify(match: str, table: str | None, against: str | None, as_json: bool) -> None:
    """Check a match: every hand by playing it again, every shuffle against its commitment, the hash chain.

    DB is a server's journal, a file or postgresql://…, and may be in use. MATCH is a file with the frames that a
    participant received, one a line, as `pitboss arena join --record FILE` writes it: decks are checked once they are
    revealed, at the end of the match. Exits with 1 if anything is wrong, or if there was nothing to compare.

    A journal alone proves that everything in it follows by the rules from the decks and the actions in it, not that
    these are the ones that were played: whoever holds the file can write another match. --against proves that it is the
    match that the participant was sent, to the last frame of the record. docs/arena.md lists what cannot be known.

    \b
    Examples:
      pitboss arena verify pitboss.db
      pitboss arena verify match.jsonl --json
      pitboss arena verify pitboss.db --against match.jsonl
    """
    try:
        if _is_database(match):
            reports = _from_database(match, table, None if against is None else _transcript(against))
        elif against is not None:
            raise StoreError("--against holds a database against a record, and this is no database")
        else:
            reports = [_transcript(match).report]
    except (StoreError, OSError, UnicodeError) as error:
        echo(f"pitboss arena verify: {error}", err=True)
        sys.exit(1)
    for report in reports:
        echo(msgspec.json.encode(_fields(report)) if as_json else _text(report))
    sys.exit(0 if all(report.ok for report in reports) else 1)


def _is_database(match: str) -> bool:
    """A file is known by how it begins; what is no file is left to the store to explain."""
    path = Path(match)
    if "://" in match or not path.is_file():
        return True
    with path.open("rb") as file:
        return file.read(16).startswith(b"SQLite format 3")


def _from_database(url: str, table: str | None, transcript: Transcript | None) -> list[Report]:
    with open_store(url, read_only=True) as store:
        for notice in store.notices:
            click.echo(notice, err=True)
        tables = store.tables()
        if table is not None and table not in tables:
            raise StoreError(f"there is no table {table}; there are {', '.join(tables) or 'none'}")
        if not tables:
            raise StoreError(f"{public_name(url)} holds no table: nothing was verified")
        wanted = [table] if table is not None else tables
        with progress("verifying", total=None) as advance:
            reports = [verify_table(name, store.read(name), _of(transcript, name), advance) for name in wanted]
    return reports if transcript is None else [*reports, *_about(transcript, reports, only=table)]


def _of(transcript: Transcript | None, table: str) -> list[Sitting]:
    return [] if transcript is None else [one for one in transcript.sittings if one.table == table]


def _about(transcript: Transcript, reports: list[Report], *, only: str | None) -> Iterator[Report]:
    """The record itself, where it is wrong, or where it could not be held against the journal."""
    report, here = transcript.report, {one.name for one in reports}
    elsewhere = sorted({one.table for one in transcript.sittings} - here)
    if not any(one.frames_compared for one in reports):
        report.problems.append("nothing of it was compared: it holds no frame of a table of this journal")
    elif only is not None:
        report.notes += [f"{table} was not asked for, and not compared" for table in elsewhere]
    else:
        report.problems += [f"it is of table {table}, which this journal does not have" for table in elsewhere]
    if not report.ok:
        yield report


def _transcript(path: str) -> Transcript:
    with Path(path).open(encoding="utf-8") as lines:
        return read_transcript(path, lines)


def _fields(report: Report) -> dict[str, object]:
    return {"ok": report.ok, **msgspec.structs.asdict(report)}


def _text(report: Report) -> str:
    found = f"hands: {report.hands}, decks checked: {report.decks_checked}"
    if report.frames_compared:
        found += f", frames compared: {report.frames_compared}"
    if report.cards_opened:
        found += f", cards opened: {report.cards_opened}"
    if report.voided:
        found += f", voided: {report.voided}"
    verdict = "all right" if report.ok else "NOT all right"
    lines = (f"{report.name}: {verdict} ({found})", *[f"  {line}" for line in report.problems + report.notes])
    return "\n".join(map(printable, lines))
