"""`pitboss arena verify`: whether a match was honest, from its database or from what a participant was told."""

import sys
from pathlib import Path

import click
import msgspec

from pitboss.arena.verify import Report, verify_table, verify_transcript
from pitboss.cli.progress import progress
from pitboss.store import StoreError, open_store


@click.command(short_help="check shuffles, chips and the hash chain")
@click.argument("match", metavar="DB|MATCH")
@click.option("--table", default=None, help="Only this table of the database.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a table.")
def verify(match: str, table: str | None, as_json: bool) -> None:
    """Check a match: every shuffle against its commitment, every chip, the hash chain.

    DB is a server's database, a file or postgresql://…, and may be in use. MATCH is a file with the frames that a
    participant received, one a line, as `pitboss arena join --record FILE` writes it: decks are checked once they are
    revealed, at the end of the match. Exits with 1 if anything is wrong.

    \b
    Examples:
      pitboss arena verify pitboss.db
      pitboss arena verify match.jsonl --json
    """
    try:
        reports = _from_database(match, table) if _is_database(match) else [_from_transcript(match)]
    except (StoreError, OSError, UnicodeError) as error:
        click.echo(f"pitboss arena verify: {error}", err=True)
        sys.exit(1)
    for report in reports:
        click.echo(msgspec.json.encode(_fields(report)) if as_json else _text(report))
    sys.exit(0 if all(report.ok for report in reports) else 1)


def _is_database(match: str) -> bool:
    """A file is told by how it begins; what is no file is left to the store to explain."""
    path = Path(match)
    if "://" in match or not path.is_file():
        return True
    with path.open("rb") as file:
        return file.read(16).startswith(b"SQLite format 3")


def _from_database(url: str, table: str | None) -> list[Report]:
    with open_store(url, read_only=True) as store:
        tables = store.tables()
        if table is not None and table not in tables:
            raise StoreError(f"there is no table {table}; there are {', '.join(tables) or 'none'}")
        reports = []
        with progress("verifying", total=len(tables)) as advance:
            for name in [table] if table else tables:
                reports.append(verify_table(name, store.read(name)))
                advance()
        return reports


def _from_transcript(path: str) -> Report:
    with Path(path).open(encoding="utf-8") as lines:
        report = verify_transcript(path, lines)
    if not report.hands:
        report.problems.append("there is no hand in it: it is neither a database nor a record of frames")
    return report


def _fields(report: Report) -> dict[str, object]:
    return {"ok": report.ok, **msgspec.structs.asdict(report)}


def _text(report: Report) -> str:
    found = f"{report.hands} hands, {report.decks_checked} decks checked"
    if report.cards_opened:
        found += f", {report.cards_opened} cards opened"
    if report.voided:
        found += f", {report.voided} voided"
    verdict = "all right" if report.ok else f"{len(report.problems)} problems"
    return "\n".join((f"{report.name}: {verdict} ({found})", *[f"  {line}" for line in report.problems + report.notes]))
