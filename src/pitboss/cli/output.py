"""What commands print, with nothing in it that a terminal would obey: lines, counts in words, and this program's
name.

The name is written so that a command in a message can be typed in again as it is.
"""

import logging
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import NoReturn

import click

from pitboss.printing import printable_text


def count(number: int, what: str) -> str:
    """A number and what it counts.

    >>> count(1, "hand"), count(0, "hand"), count(2500, "hand")
    ('1 hand', '0 hands', '2,500 hands')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


NAME = "pitboss"


def program() -> str:
    """`pitboss` where the shell finds it by that name, else its path from this folder, `.venv/bin/pitboss` for one.

    >>> program()
    'pitboss'
    """
    called = Path(sys.argv[0])
    if called.name != NAME or not called.is_file():
        return NAME  # as a module or from a test: nobody has typed it
    found = shutil.which(NAME)
    if found is not None and os.path.samefile(found, called):
        return NAME
    path = called.absolute()
    return shlex.quote(os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path))


def echo(text: str | bytes = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text, or a line of JSON as it was encoded."""
    click.echo(printable_text(text.decode() if isinstance(text, bytes) else text), err=err, nl=nl)


class LogFormatter(logging.Formatter):
    """A log line, its exception too, as it may be printed."""

    def format(self, record: logging.LogRecord) -> str:
        return printable_text(super().format(record))


def fail(command: str, error: Exception | str) -> NoReturn:
    """Print one sentence on standard error and exit with 1."""
    echo(f"{NAME} {command}: {error}", err=True)
    sys.exit(1)
