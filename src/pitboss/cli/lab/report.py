"""`pitboss lab report` and `pitboss lab compare`: pages about a run's games, and a comparison of two games."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from rich import box
from rich.table import Table

from pitboss.cli.lab.options import read_game
from pitboss.cli.output import count, echo, fail
from pitboss.cli.progress import Advance, print_table, progress, wrapped
from pitboss.errors import PitbossError
from pitboss.fast.compiled import NotInstalled
from pitboss.lab.english import title
from pitboss.lab.genome import Genome
from pitboss.lab.report.differences import SAMPLES, GameComparison, compare_games, label
from pitboss.lab.report.pages import PLAYED, ReportBuilder, warm_up_report

SECONDS_A_LINE = 20.0
"""Seconds between two progress lines if standard error is not a terminal."""


@click.command(short_help="write a map of a run's games, with a page and a printed rulebook for each")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--games", default=PLAYED, show_default=True, type=click.IntRange(10), help="Games to play per measurement."
)
@click.option("--full", is_flag=True, help="Also rate players on a ladder; several seconds per game.")
@click.option("--workers", default=0, type=click.IntRange(0, 256), help="Number of processes (0: one per core).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def report(folder: Path, games: int, full: bool, workers: int, as_json: bool) -> None:
    """Write DIR/index.html, a map of all games that `pitboss lab evolve --out DIR` found, and a page for each game.

    A page has the rules, plots of tension and lead, a sample game in words, the most similar known game, what each rule
    contributes, and a PDF to print. The pages fetch nothing, so the folder can be sent to others. Pages that are up to
    date are not written again, so an interrupted report continues where it stopped.

    \b
    Examples:
      pitboss lab report found
      pitboss lab report found --workers 4 --json
    """
    begun = time.perf_counter()
    try:
        builder = ReportBuilder(folder, games=games, full=full)
        whole = _build(builder, workers or os.cpu_count() or 1)
    except PitbossError as error:
        fail("lab report", error)
    except OSError as error:
        fail("lab report", f"{folder}: {error.strerror or error}")
    if not whole:
        echo(f"interrupted after {count(builder.built, 'page')}; run the command again to continue", err=True)
        sys.exit(130)
    done = builder.report()
    if done.complaint:
        echo(done.complaint, err=True)
    if as_json:
        echo(msgspec.json.encode({**msgspec.to_builtins(done), "seconds": round(time.perf_counter() - begun, 3)}))
    else:
        echo(f"{count(done.games, 'game')}, {count(done.built, 'page')} written: open {done.index}")


def _build(builder: ReportBuilder, workers: int) -> bool:
    """Write the pages; returns False after an interrupt, with the finished pages on the map."""
    total = len(builder.tasks)
    try:
        if total:
            warm_up_report()
        with _lines_or_bar("making pages", total) as advance:
            for _ in builder.build(min(workers, max(1, total))):
                advance()
    except KeyboardInterrupt:
        builder.write_index()
        return False
    return True


@contextmanager
def _lines_or_bar(what: str, total: int) -> Iterator[Advance]:
    """Show a bar in a terminal; elsewhere print a line with the time left every few seconds."""
    with progress(what, total) as bar:
        begun = said = time.monotonic()
        done = 0

        def advance(pieces: int = 1) -> None:
            nonlocal done, said
            bar(pieces)
            done, now = done + pieces, time.monotonic()
            if now - said >= SECONDS_A_LINE and not sys.stderr.isatty():
                left = (now - begun) / done * (total - done)
                echo(f"{what}: {done} of {total}, {left:.0f} s left", err=True)
                said = now

        yield advance


@click.command(short_help="compare two games: rules in words, measures with intervals")
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@click.option(
    "--games",
    default=50,
    show_default=True,
    type=click.IntRange(10),
    help=f"Games per measurement, of which there are {SAMPLES}.",
)
@click.option("--seed", default=0, show_default=True, type=int, help="The same seed gives the same figures.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def compare(one: str, other: str, games: int, seed: int, as_json: bool) -> None:
    """Print how B differs from A, and measure both. A and B are names of known games, or files.

    A difference is clear if its 99 % interval does not contain 0.

    \b
    Examples:
      pitboss lab compare crazy_eights mau_mau
      pitboss lab compare found/games/cell_7_1.json leduc --json
    """
    first, second = read_game("compare", one), read_game("compare", other)
    try:
        warm_up_report()
        with progress("measuring", 2 * SAMPLES) as advance:
            found = compare_games(first, second, games=games, seed=seed, step=advance)
    except NotInstalled as error:
        fail("lab compare", error)
    if as_json:
        echo(msgspec.json.encode(_as_json(first, second, found)))
    else:
        _print(first, second, found)


def _as_json(one: Genome, other: Genome, found: GameComparison) -> dict[str, Any]:
    measures = {
        name: {
            "a": compared.one,
            "b": compared.other,
            "difference": compared.change.mean,
            "spread": compared.change.spread,
            "clear": compared.change.clear,
        }
        for name, compared in found.measures.items()
    }
    return {"a": one.name, "b": other.name, "rules": found.rules, "measures": measures}


def _print(one: Genome, other: Genome, found: GameComparison) -> None:
    if found.rules:
        echo(f"How {title(other.name)} differs from {title(one.name)}:")
        for words in found.rules:
            echo(f"  {wrapped(words, indent=2)}")
    else:
        echo(f"{title(one.name)} and {title(other.name)} have the same rules.")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("measure")
    for name in (one.name, "95 %", other.name, "95 %", "difference"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("clear")
    for name, compared in found.measures.items():
        if not (compared.one.mean or compared.other.mean):
            continue
        cells = [text for side in (compared.one, compared.other) for text in (f"{side.mean:.2f}", _range(side))]
        change = f"{compared.change.mean:+.2f} ± {compared.change.spread:.2f}"
        table.add_row(label(name), *cells, change, "yes" if compared.change.clear else "")
    print_table(table)


def _range(side: Any) -> str:
    return f"{side.low:.2f} to {side.high:.2f}"
