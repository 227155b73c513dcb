"""Progress bars on standard error, if that is a terminal, and tables that fit the window."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from textwrap import fill
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

LEAST = 72
"""The minimum width for a table; in a narrower terminal each row is printed as one figure per line."""
UNBOUNDED = 10_000
"""A width at which no table is wrapped."""


def screen(least: int = LEAST, *, piped: int = 0) -> Console:
    """Return a console for plain text on standard output; `piped` is the width without a terminal."""
    console = Console()
    width = console.width if console.is_terminal or not piped else piped
    return Console(width=max(width, least), markup=False, emoji=False, highlight=False)


def wrapped(text: str, *, indent: int) -> str:
    """Return a text with later lines indented, wrapped to the width of the terminal."""
    window, space = screen(0), " " * indent
    if not window.is_terminal:
        return text
    return fill(text, max(window.width, 2 * indent), initial_indent=space, subsequent_indent=space)[indent:]


def print_table(table: Table, least: int = LEAST) -> None:
    """Print a table; in a narrow window one line per figure; without a terminal at its full width."""
    window, needed = screen(0), screen(UNBOUNDED).measure(table)
    if not window.is_terminal and not os.environ.get("COLUMNS"):
        screen(max(least, needed.maximum)).print(table)
        return
    if needed.maximum <= window.width or (window.width >= LEAST and needed.minimum <= max(window.width, least)):
        screen(least).print(table)
        return
    headings = [str(column.header) for column in table.columns]
    for row in zip(*[column.cells for column in table.columns], strict=True):
        for heading, cell in zip(headings, row, strict=True):
            window.print(f"{heading:<{max(map(len, headings))}}  {cell}")
        window.print()


def print_leading(table: Table) -> None:
    """Print the leading columns that fit completely into the window, or all columns if the output is not a terminal."""
    window = screen(0)
    if not window.is_terminal and not os.environ.get("COLUMNS"):
        window = screen(UNBOUNDED)
    while len(table.columns) > 1 and screen(UNBOUNDED).measure(table).minimum > window.width:
        table.columns.pop()
    window.print(table)


class Advance(Protocol):
    """A function to call after pieces of work."""

    def __call__(self, pieces: int = 1) -> None: ...


def move_bar(advance: Advance, total: int) -> Callable[[int, int], None]:
    """Return a function that moves a bar of `total` steps; its arguments are the finished work and all work."""
    shown = 0

    def report(done: int, whole: int) -> None:
        nonlocal shown
        now = total * done // (whole or 1)
        advance(now - shown)
        shown = now

    return report


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Advance]:
    """Show a bar; call the function that this yields after each piece of work."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda pieces=1: None
        return
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda pieces=1: bar.advance(task, pieces)


PATIENCE = 1.0
"""Seconds before the bar of `reading` appears."""


class ReadSoFar(Protocol):
    """A function to call after each hand, with the number of bytes read so far."""

    def __call__(self, position: int) -> None: ...


@contextmanager
def reading(what: str, total: int | None) -> Iterator[ReadSoFar]:
    """Show how many bytes and hands were read, once that takes longer than a second."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda position: None
        return
    columns = (TextColumn(what), BarColumn(), TextColumn("{task.fields[hands]:,} hands"), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task(what, total=total, hands=0)
    began, hands, shown = time.monotonic(), 0, False

    def advance(position: int) -> None:
        nonlocal hands, shown
        hands += 1
        if not shown and hands % 50 == 0 and time.monotonic() - began > PATIENCE:
            shown = True
            bar.start()
        if shown and hands % 50 == 0:
            bar.update(task, completed=position, hands=hands)

    try:
        yield advance
    finally:
        if shown:
            bar.stop()
