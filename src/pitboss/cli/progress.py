"""What commands show: a progress bar on standard error, where that is a terminal, and tables that no window cuts."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from textwrap import fill
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

LEAST = 72
"""A terminal narrower than this may get a table's figures one below the other; they are never cut."""
UNBOUNDED = 10_000
"""Columns that no table fills."""


def screen(least: int = LEAST, *, piped: int = 0) -> Console:
    """Standard output, wide enough for a table of figures; what is printed there is text and never markup.

    Where it is no terminal it may be given a width of its own.
    """
    console = Console()
    width = console.width if console.is_terminal or not piped else piped
    return Console(width=max(width, least), markup=False, emoji=False, highlight=False)


def wrapped(text: str, *, indent: int) -> str:
    """A sentence that stands this far in, broken between words where a terminal is too narrow."""
    window, space = screen(0), " " * indent
    if not window.is_terminal:
        return text
    return fill(text, max(window.width, 2 * indent), initial_indent=space, subsequent_indent=space)[indent:]


def print_table(table: Table, least: int = LEAST) -> None:
    """Print a table; in a window too narrow for it, a line for each figure of a row; in a pipe as wide as it is."""
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
    """Print as many of a table's leading columns as the window has room for, each of them whole; in a pipe all."""
    window = screen(0)
    if not window.is_terminal and not os.environ.get("COLUMNS"):
        window = screen(UNBOUNDED)
    while len(table.columns) > 1 and screen(UNBOUNDED).measure(table).minimum > window.width:
        table.columns.pop()
    window.print(table)


class Advance(Protocol):
    """Says that so many pieces of the work are done."""

    def __call__(self, pieces: int = 1) -> None: ...


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Advance]:
    """Show how far a long task is; call what it gives after each piece of work."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda pieces=1: None
        return
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda pieces=1: bar.advance(task, pieces)


PATIENCE = 1.0
"""Seconds that a task may take before anything is shown of it."""


class ReadSoFar(Protocol):
    """Says up to which byte files have been read, and that one more hand was."""

    def __call__(self, position: int) -> None: ...


@contextmanager
def reading(what: str, total: int | None) -> Iterator[ReadSoFar]:
    """Show how much of so many bytes is read, and how many hands were in it, once that takes longer than a second."""
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
