"""`pitboss arena verify` and `export`: check a journal or a participant's record, and write hands to files."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import click
import msgspec

from pitboss.arena.verify.frames import TableRecord
from pitboss.arena.verify.hands import read_hands
from pitboss.arena.verify.journal import MOST_NAMED, verify_table
from pitboss.arena.verify.report import Report, in_order
from pitboss.arena.verify.transcript import NO_RECORD, Transcript, read_transcript
from pitboss.cli.output import count, echo
from pitboss.cli.progress import progress
from pitboss.competitions.certificate import verify_folder
from pitboss.errors import PitbossError
from pitboss.formats.phh import foreign_words, write_phhs
from pitboss.printing import printable
from pitboss.store import Reading, StoreError, open_store, public_name
from pitboss.store.files import DAMAGED, open_private, witness_of

LONGEST_NAME = 120
"""The maximum length of a table's name in a file name; a longer name is cut and gets a hash."""


@click.command(short_help="check shuffles, chips and the hash chain")
@click.argument("match", metavar="DB|MATCH|DIR")
@click.option("--table", default=None, help="Check only this table.")
@click.option("--against", default=None, metavar="MATCH", help="Compare DB with this record, frame by frame.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per table.")
def verify(match: str, table: str | None, against: str | None, as_json: bool) -> None:
    """Check a match: play every hand again, compare every shuffle with its commitment, and check the hash chain.

    DB is a server's journal: a file or a postgresql:// address. The server may be running. MATCH is a file with the
    frames that a participant received, one per line, written by `pitboss arena join --record FILE`. DIR is the folder
    of a competition: every hand is replayed and every result is computed again. Decks are checked after they are
    revealed, at the end of the match. The exit code is 1 if an error is found or nothing is compared.

    A journal alone proves that its hands follow the rules. It does not prove that these hands were played, because the
    owner of the file can write another match. --against proves that the participant received the same match, up to the
    last frame of the record. docs/durability.md lists what it cannot detect.

    \b
    Examples:
      pitboss arena verify pitboss.db
      pitboss arena verify match.jsonl --json
      pitboss arena verify pitboss.db --against match.jsonl
      pitboss arena verify cup
    """
    if Path(match).is_dir():
        if table is not None or against is not None:
            raise click.UsageError(
                "--table and --against are for matches of a server, not for a folder of a competition"
            )
        _verify_competition(Path(match), as_json=as_json)
        return
    try:
        if _is_database(match):
            reports = _from_database(match, table, None if against is None else _record(against))
        elif against is not None:
            raise StoreError("--against: expected a database to compare with the record")
        else:
            reports = [_record(match, table).report]
    except StoreError as error:
        echo(f"pitboss arena verify: {error}", err=True)
        sys.exit(1)
    for report in reports:
        echo(msgspec.json.encode(_fields(report)) if as_json else _text(report))
    sys.exit(0 if all(report.ok for report in reports) else 1)


def _verify_competition(folder: Path, *, as_json: bool) -> None:
    with progress("verifying", total=None) as advance:
        problems = verify_folder(folder, advance)
    if as_json:
        echo(msgspec.json.encode({"ok": not problems, "name": str(folder), "problems": problems}))
    else:
        found = [f"  {problem}" for problem in problems]
        echo("\n".join([f"{folder}: {'NOT ' if problems else ''}all right", *found]))
    sys.exit(1 if problems else 0)


def _is_database(match: str) -> bool:
    """Return whether the first bytes are those of a database; also true for an address and for a missing file."""
    path = Path(match)
    if "://" in match or not path.is_file():
        return True
    with _explained(match), path.open("rb") as file:
        begins = file.read(16)
    return begins.startswith(b"SQLite format 3") or (not begins and witness_of(path).exists())  # emptied


def _from_database(url: str, table: str | None, transcript: Transcript | None) -> list[Report]:
    with open_store(url, read_only=True) as store:
        tables = store.tables()
        if table is not None and table not in tables:
            raise StoreError(f"table {table} was not found; tables: {', '.join(tables) or 'none'}")
        if not tables:
            raise StoreError(f"{public_name(url)} has no tables, so nothing was verified")
        wanted = [table] if table is not None else tables
        with progress("verifying", total=None) as advance:
            reports = [verify_table(name, store.read(name), _of(transcript, name), advance) for name in wanted]
        if transcript is not None:
            _judge_together(transcript, reports, only=table)
        for report in reports:
            report.problems += [notice for notice in store.notices if notice.startswith(DAMAGED)]
            report.notes += [notice for notice in store.notices if not notice.startswith(DAMAGED)]
    return reports


def _of(transcript: Transcript | None, table: str) -> list[TableRecord]:
    return [] if transcript is None else [one for one in transcript.sittings if one.table == table]


def _judge_together(transcript: Transcript, reports: list[Report], *, only: str | None) -> None:
    """Add the faults of a record, and its parts that were not compared, to the reports of its tables."""
    elsewhere = sorted({one.table for one in transcript.sittings} - {report.name for report in reports})
    problems = list(transcript.loose)
    if not any(report.frames_compared for report in reports):
        problems.append(f"nothing was compared: its tables are {', '.join(elsewhere) or 'unknown'}")
    if only is None:
        problems += [f"its table {table} is not in this journal" for table in elsewhere]
    for report in reports:
        sittings = _of(transcript, report.name)
        faults = in_order(fault for sitting in sittings for fault in sitting.faults)
        if sittings and report.hands and not any(sitting.hands or sitting.ends for sitting in sittings):
            faults.append("it contains no hand, so no play was compared")
        report.problems += [f"the record: {problem}" for problem in (*problems, *faults)[:MOST_NAMED]]
        if only is not None:
            report.notes += [f"the record: {table} was not compared, because of --table" for table in elsewhere]


def _record(path: str, table: str | None = None) -> Transcript:
    if Path(path).is_file() and _is_database(path):
        raise StoreError(f"{path} is a database: give it first, and a participant's record after --against")
    with _explained(path), Path(path).open(encoding="utf-8") as lines:
        transcript = read_transcript(path, lines, table)
    if transcript.loose == [NO_RECORD]:
        hands = Path(path).suffix in (".phh", ".phhs")
        what = "is a file of hands for pitboss replay" if hands else "is not a journal or a record of frames"
        raise StoreError(f"{path} {what}: give an arena's journal, or a file that arena join --record wrote")
    return transcript


@contextmanager
def _explained(path: str) -> Iterator[None]:
    give = "give a file that pitboss arena join --record wrote"
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path} cannot be read ({error.strerror}): {give}") from None
    except UnicodeError:
        raise StoreError(f"{path} is neither text nor a database: {give}, or the journal of an arena") from None


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


@click.command(short_help="write finished hands as PHH")
@click.argument("db")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
def export(db: str, folder: Path) -> None:
    """Write the finished hands of each table in the journal DB to DIR/TABLE.phhs, with all cards.

    DB is a file or a postgresql:// address. The server may be running. Voided hands are left out.

    \b
    Examples:
      pitboss arena export pitboss.db hands
      pitboss replay hands/T-1.phhs
    """
    try:
        with open_store(db, read_only=True) as store:
            folder.mkdir(parents=True, exist_ok=True)
            readings = {table: store.read(table) for table in store.tables()}
            for table, reading in readings.items():
                _export(folder / file_name(table), table, reading)
            damaged = [f"{table}: {reading.tear}" for table, reading in readings.items() if reading.torn_at is not None]
            if damaged or not readings:
                raise StoreError("; ".join(damaged) or f"{public_name(db)} has no tables")
    except (PitbossError, OSError) as error:
        echo(f"pitboss arena export: {error}", err=True)
        sys.exit(1)


def file_name(table: str) -> str:
    """Return the file name for a table. Special characters become %xx, so that the name cannot leave the folder.

    >>> file_name("T-1"), file_name("../T-1"), file_name("")
    ('T-1.phhs', '%2E%2E%2FT-1.phhs', '%.phhs')
    """
    plain = quote(table, safe="", errors="surrogatepass")
    stem = plain.lstrip(".")
    stem = "%2E" * (len(plain) - len(stem)) + stem or "%"
    if len(stem) > LONGEST_NAME:
        stem = f"{stem[:LONGEST_NAME]}%{sha256(stem.encode()).hexdigest()[:32]}"
    return f"{stem}.phhs"


def _export(file: Path, table: str, reading: Reading) -> None:
    with progress(table, total=None) as advance:
        records = []
        foreign: set[str] = set()
        for hand in read_hands(table, reading):
            if (record := hand.phh()) is not None:
                records.append(record)
                foreign |= set(foreign_words(record))
            advance()
    with open_private(file, "w") as out:  # contains folded cards
        out.write(write_phhs(records))
    echo(f"{file}: {count(len(records), 'hand')}", err=True)
    for sentence in sorted(foreign):
        echo(f"{file}: {sentence}", err=True)
