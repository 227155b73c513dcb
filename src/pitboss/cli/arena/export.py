"""`pitboss arena export`: a journal's finished hands as PHH files, one a table."""

import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import click

from pitboss.arena.hosts.games import games_of
from pitboss.arena.hosts.poker import frame_of, game_of, phh_of
from pitboss.arena.journal.history import HistoryError, hands_of
from pitboss.arena.journal.records import RecordError
from pitboss.cli.output import count, echo
from pitboss.cli.progress import progress
from pitboss.formats.phh import foreign_words, write_phhs
from pitboss.store import Entry, StoreError, open_store, public_name
from pitboss.store.files import open_private

LONGEST_NAME = 120
"""Letters of a table's name in that of a file; of a longer one a hash says the rest."""


@click.command(short_help="write finished hands as PHH")
@click.argument("db")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
def export(db: str, folder: Path) -> None:
    """Write the finished hands of DB, a file or postgresql://…, into DIR: TABLE.phhs, with all cards.

    Voided hands are left out. The journal may be in use.

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
                _export(folder / file_name(table), table, reading.entries)
            damaged = [f"{table}: {reading.tear}" for table, reading in readings.items() if reading.torn_at is not None]
            if damaged or not readings:
                raise StoreError("; ".join(damaged) or f"{public_name(db)} holds no table")
    except (StoreError, RecordError, HistoryError, OSError) as error:
        echo(f"pitboss arena export: {error}", err=True)
        sys.exit(1)


def file_name(table: str) -> str:
    """The file of a table, inside the folder whatever the table is called: what is no plain letter is written as %xx.

    >>> file_name("T-1"), file_name("../T-1"), file_name("")
    ('T-1.phhs', '%2E%2E%2FT-1.phhs', '%.phhs')
    """
    plain = quote(table, safe="", errors="surrogatepass")
    stem = plain.lstrip(".")
    stem = "%2E" * (len(plain) - len(stem)) + stem or "%"
    if len(stem) > LONGEST_NAME:
        stem = f"{stem[:LONGEST_NAME]}%{sha256(stem.encode()).hexdigest()[:32]}"
    return f"{stem}.phhs"


def _export(file: Path, table: str, entries: Sequence[Entry]) -> None:
    with progress(table, total=None) as advance:
        records = []
        foreign: set[str] = set()
        for hand in hands_of(table, entries):
            games = games_of(hand.settings)
            if games is None:
                raise StoreError(f"{table}: {hand.settings.game} has no form in PHH")
            if not hand.void:
                structure = game_of(games, hand.started.variant).structure
                frame = frame_of(games, hand.settings, hand.started.variant)
                records.append(phh_of(hand, table, structure, frame))
                foreign |= set(foreign_words(records[-1]))
            advance()
    with open_private(file, "w") as out:  # folded hands too
        out.write(write_phhs(records))
    echo(f"{file}: {count(len(records), 'hand')}", err=True)
    for sentence in sorted(foreign):
        echo(f"{file}: {sentence}", err=True)
