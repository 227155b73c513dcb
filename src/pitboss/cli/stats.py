"""`pitboss stats`: the winnings and the playing style of the players of recorded hands."""

import csv
import io
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import click
import msgspec
from msgspec.structs import replace
from rich.table import Table

from pitboss.cli.output import count, echo
from pitboss.cli.progress import move_bar, print_table, progress, screen
from pitboss.errors import PitbossError
from pitboss.printing import printable
from pitboss.records.record import Record
from pitboss.store import open_store
from pitboss.store.files import open_private
from pitboss.study.page import format_rate, format_share, format_won, write_page
from pitboss.study.plot import draw_bars, make_lines
from pitboss.study.rows import DECIMAL_PLACES, PlayerStatistics, SkippedHand, Sort, Statistics, flatten
from pitboss.study.statistics import statistics
from pitboss.study.tally import By

PERCENT = 100  # steps of the progress bar
MOST_ROWS = 30  # in a terminal
BAR_COLUMNS, LABEL_COLUMNS = 40, 30  # the widths of a line of winnings, and of the text next to it
PAGE_SUFFIXES = (".html", ".htm")
JOURNAL_BEGINS = b"SQLite format 3\0"
STANDARD_INPUT = STANDARD_OUTPUT = Path("-")
FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet evaluates text that begins so
_TABLE_COLUMNS, _LEAST_NAME = 88, 6  # the width of the table, and the least width of a name
HEADINGS = {
    "vpip": "vpip",
    "pfr": "pfr",
    "3bet": "three_bet",
    "cbet": "c_bet",
    "aggr": "aggression",
    "wtsd": "wtsd",
    "w$sd": "wsd",
}
"""The columns of the table that are shares in percent."""
_ENCODER = msgspec.json.Encoder(decimal_format="number")


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--player", metavar="NAME", help="Print only this player.")
@click.option("--by", type=click.Choice(get_args(By)), help="Print one row per position, stake or day of a player.")
@click.option(
    "--sort", type=click.Choice(get_args(Sort)), default="result", show_default=True, help="Order of the players."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per row, one per line.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV; names that look like formulas begin with '.")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path, allow_dash=True),
    is_flag=False,
    flag_value="-",
    metavar="OUT",
    help="Write a self-contained web page with plots of winnings.",
)
@click.option("--cores", type=click.IntRange(1, 4096), help="Cores to use; default all. Does not change the result.")
def stats(
    files: tuple[Path, ...],
    player: str | None,
    by: By | None,
    sort: Sort,
    as_json: bool,
    as_csv: bool,
    html: Path | None,
    cores: int | None,
) -> None:
    """Print the winnings and the playing style of each player, from files of any format or folders of files.

    Shares are of the hands in which the player had the chance; docs/statistics.md defines each. Winnings are after
    rake. All-in adjusted winnings take the expected result if all betting was over before the last card. A hand that
    cannot be read is skipped and reported on standard error with file and line. A file named - is standard input. A
    file can also be the journal of an arena; its folded cards count too.

    In JSON and CSV winnings are exact; shares and rates are rounded to six places.

    \b
    Examples:
      pitboss stats hands.txt
      pitboss stats pitboss.db --html match.html
      pitboss stats ~/PokerStars/HandHistory --player Hero --by position
      pitboss stats 2024/*.txt --json | jq 'select(.hands > 1000) | {player, bb_per_100}'
    """
    if as_json + as_csv + (html is not None) > 1:
        raise click.UsageError("give only one of --json, --csv and --html")
    _check_output(files, as_json, as_csv, html)
    journals = Journals()
    try:
        with _with_input(files) as paths, progress("counting", total=PERCENT) as advance:
            names = dict(zip(paths, map(str, files), strict=True))
            hands = journals.replace(paths)
            bar = move_bar(advance, PERCENT)
            counted = statistics(hands, player=player, by=by, sort=sort, cores=cores, progress=bar)
    except PitbossError as error:
        echo(f"pitboss stats: {error}", err=True)
        sys.exit(1)
    all_skipped = [*journals.skipped, *counted.skipped]
    all_skipped = [replace(one, file=names.get(Path(one.file), one.file)) for one in all_skipped]
    for skipped in all_skipped:
        echo(f"pitboss stats: {skipped}; skipped", err=True)
    if not counted.hands:
        echo("pitboss stats: found no hands", err=True)
        sys.exit(1)
    if as_json:
        for row in counted.to_dicts():
            echo(_ENCODER.encode({name: _rounded(value) for name, value in row.items()}))
    elif as_csv:
        echo(_as_csv(counted), nl=False)
    elif html is not None:
        _write_page(html, counted)
    else:
        _print(counted)
    if {str(file) for file in files} & {skipped.file for skipped in all_skipped if skipped.line <= 1}:
        sys.exit(1)


def _check_output(files: Sequence[Path], as_json: bool, as_csv: bool, html: Path | None) -> None:
    """Raise `click.UsageError` if an input looks like a missing output file, or --html would replace another file."""
    printed = "json" if as_json else "csv" if as_csv else ""
    for file in files:
        if printed and file.suffix == f".{printed}" and not file.exists():
            raise click.UsageError(f"--{printed} writes to standard output: use --{printed} > {printable(str(file))}")
    if html is None or html == STANDARD_OUTPUT:
        return
    name = printable(str(html))
    if html.exists() and html.suffix.lower() not in PAGE_SUFFIXES:
        raise click.UsageError(f"--html writes the page to {name}, which exists and is not a page: use another name")
    if not html.parent.is_dir():
        raise click.UsageError(f"--html: the folder {html.parent} does not exist: make it, or give another one")


def _write_page(out: Path, counted: Statistics) -> None:
    if out == STANDARD_OUTPUT:
        echo(write_page(counted), nl=False)
        return
    with open_private(out, "w") as opened:
        opened.write(write_page(counted))
    echo(f"{out}: {count(counted.hands, 'hand')}, {count(len(counted), 'row')}", err=True)


class Journals:
    """Reads the hands of arena journals, and notes which hands are left out of the statistics."""

    def __init__(self) -> None:
        self.skipped: list[SkippedHand] = []

    def replace(self, paths: Sequence[Path]) -> Iterator[Path | Record]:
        """Yield the paths, and the records of a journal in place of its path."""
        for path in paths:
            if _is_journal(path):
                yield from self._records(path)
            else:
                yield path

    def _records(self, path: Path) -> Iterator[Record]:
        from pitboss.arena.archive.reader import record_of  # loads the arena
        from pitboss.arena.journal.history import hands_of

        with open_store(str(path), read_only=True) as store:
            for table in store.tables():
                left_out = 0
                for hand in hands_of(table, store.read(table).entries):
                    record = record_of(hand, table, cards=True)
                    if record is not None:
                        yield record
                    elif not hand.void:
                        left_out += 1
                if left_out:
                    reason = f"table {table}: {count(left_out, 'hand')} of {hand.settings.game}, which is not poker"
                    self.skipped.append(SkippedHand(str(path), 0, reason))


def _is_journal(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as opened:
        return opened.read(len(JOURNAL_BEGINS)) == JOURNAL_BEGINS


@contextmanager
def _with_input(files: tuple[Path, ...]) -> Iterator[tuple[Path, ...]]:
    """Yield the files; standard input is copied to a temporary file."""
    if STANDARD_INPUT not in files:
        yield files
        return
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "input"
        with click.open_file("-", "rb") as given, copy.open("wb") as out:
            shutil.copyfileobj(given, out)
        yield tuple(copy if file == STANDARD_INPUT else file for file in files)


def _rounded(value: Any) -> Any:
    """Round rates and shares to six places; keep money exact."""
    if isinstance(value, Decimal):
        return round(value, DECIMAL_PLACES).normalize() if value.as_tuple().exponent else value
    return round(value, DECIMAL_PLACES) if isinstance(value, float) else value


def _cell(value: Any) -> Any:
    """Return a value for CSV; text that looks like a formula is marked as text."""
    flat = flatten(_rounded(value))
    return f"'{flat}" if isinstance(flat, str) and flat.startswith(FORMULA_BEGINS) else flat


def _as_csv(counted: Statistics) -> str:
    rows = [{name: _cell(value) for name, value in row.items()} for row in counted.to_dicts()]
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _print(counted: Statistics) -> None:
    """Print the table, and bars with the winnings of each row over time."""
    alone = len({row.player for row in counted}) == 1
    currencies = {row.currency for row in counted}
    currency = next(iter(currencies)) if len(currencies) == 1 else None
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    if not (alone and counted.by):
        table.add_column("player", overflow="fold", min_width=_LEAST_NAME)
    if counted.by:
        table.add_column(counted.by, no_wrap=True)
    for heading in ("hands", f"won {currency or ''}".rstrip(), "bb/100", "±95%", "adj"):
        table.add_column(heading, justify="right", no_wrap=True)
    for heading in HEADINGS:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in counted[:MOST_ROWS]:
        rate, high = row.bb_per_100, row.bb_per_100_high
        reach = "–" if rate is None or high is None else f"{high - rate:,.0f}"
        cells = [] if alone and counted.by else [printable(row.player)]
        cells += [printable(row.group or "–")] if counted.by else []
        cells += [f"{row.hands:,}", format_won(row, currency), format_rate(rate), reach]
        cells.append(format_rate(row.all_in_adjusted_bb_per_100))
        cells += [format_share(getattr(row, name), digits=0) for name in HEADINGS.values()]
        table.add_row(*cells)
    console = screen(0)
    print_table(table, _TABLE_COLUMNS)
    if len(counted) > MOST_ROWS:
        console.print(f"and {count(len(counted) - MOST_ROWS, 'more row')}: --json, --csv and --html print all rows")
    width = max(2, min(BAR_COLUMNS, console.width - LABEL_COLUMNS))
    for line in _draw_winnings(counted, width):
        console.print(line)


def _draw_winnings(counted: Statistics, width: int) -> list[str]:
    """Return a bar chart line for each row with its winnings over time; a single row gets four lines."""
    first = counted[0]
    if len(counted) == 1:
        group = f", {first.group}" if first.group else ""
        title = printable(f"winnings of {first.player}{group} over {count(first.hands, 'hand')}:")
        return ["", title, *draw_bars([(line.label, line.heights) for line in make_lines(counted.line(0))[1]], width)]
    alone = len({row.player for row in counted}) == 1
    most = max([row.hands for row in counted[:MOST_ROWS]])
    drawn = ["", f"winnings of {printable(first.player)}:" if alone and counted.by else "winnings, hand by hand:"]
    won = [make_lines(counted.line(at))[1][0].heights for at in range(len(counted[:MOST_ROWS]))]
    names = [printable(_name(row, alone)) for row in counted[:MOST_ROWS]]
    widths = [max(2, width * row.hands // most) for row in counted[:MOST_ROWS]]
    return [*drawn, *draw_bars(list(zip(names, won, strict=True)), width, widths)]


def _name(row: PlayerStatistics, alone: bool) -> str:
    if row.group is None:
        return row.player
    return row.group if alone else f"{row.player}, {row.group}"
