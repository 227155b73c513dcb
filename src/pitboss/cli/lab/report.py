"""`pitboss lab report`: a map of a run's games, and for each a page and a printed rulebook."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import click
import msgspec

from pitboss.cli.counting import count
from pitboss.cli.echo import echo
from pitboss.cli.lab.options import fail
from pitboss.cli.progress import PATIENCE, Advance, progress
from pitboss.errors import PitbossError
from pitboss.lab.report.build import PLAYED, ReportBuilder, get_ready

GETTING_READY = "getting ready: what measures games is compiled once, which can take a minute or two"
EVERY = 20.0
"""Seconds between two lines about progress where standard error is no terminal."""


@click.command(short_help="make a map of a run's games, with a page and a printed rulebook for each")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--games", default=PLAYED, show_default=True, type=click.IntRange(10), help="Played to measure a game.")
@click.option("--full", is_flag=True, help="Rate the players of the lab on a ladder too: several seconds more a game.")
@click.option("--workers", default=0, type=click.IntRange(0, 256), help="Processes to use; else one for each core.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def report(folder: Path, games: int, full: bool, workers: int, as_json: bool) -> None:
    """Make DIR/index.html, a map of all games that `pitboss lab evolve --out DIR` found, and a page for each of them.

    A page has the rules, pictures of tension and lead, a game told in words, the nearest known game, what each rule
    carries, and a PDF to print. Nothing is fetched: the folder can be sent as it is. Pages that are up to date are left
    as they are, so that an interrupted report goes on where it was; ratings given since are shown.

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
        fail("report", error)
    except OSError as error:
        fail("report", f"{folder}: {error.strerror or error}")
    if not whole:
        echo(f"interrupted after {count(builder.built, 'page')}; call it again to go on", err=True)
        sys.exit(130)
    done = builder.report()
    if done.complaint:
        echo(done.complaint, err=True)
    if as_json:
        echo(msgspec.json.encode({**msgspec.to_builtins(done), "seconds": round(time.perf_counter() - begun, 3)}))
    else:
        echo(f"{count(done.games, 'game')}, {count(done.built, 'page')} made anew: open {done.index}")


def _build(builder: ReportBuilder, workers: int) -> bool:
    """Make the pages; whether all were made, or else the map shows those that were when an interrupt came."""
    total = len(builder.tasks)
    try:
        if total:
            with said_later(GETTING_READY):
                get_ready()
        with _lines_or_bar("making pages", total) as advance:
            for _ in builder.build(min(workers, max(1, total))):
                advance()
    except KeyboardInterrupt:
        builder.write_index()
        return False
    return True


@contextmanager
def said_later(sentence: str) -> Iterator[None]:
    """Say something on standard error if what follows takes more than a moment."""
    timer = Timer(PATIENCE, echo, (sentence,), {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def _lines_or_bar(what: str, total: int) -> Iterator[Advance]:
    """A bar on a terminal; elsewhere a line now and then, with the time that is left."""
    with progress(what, total) as bar:
        begun = said = time.monotonic()
        done = 0

        def advance(pieces: int = 1) -> None:
            nonlocal done, said
            bar(pieces)
            done, now = done + pieces, time.monotonic()
            if now - said >= EVERY and not sys.stderr.isatty():
                left = (now - begun) / done * (total - done)
                echo(f"{what}: {done} of {total}, {left:.0f} s left", err=True)
                said = now

        yield advance
