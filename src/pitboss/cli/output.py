"""Text that commands print, with control characters escaped, and the name of this program as the user can type it."""

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
    """Return a number with its noun.

    >>> count(1, "hand"), count(0, "hand"), count(2500, "hand")
    ('1 hand', '0 hands', '2,500 hands')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


NAME = "pitboss"


def program() -> str:
    """Return `pitboss` if the shell finds this program by that name, else its path, such as `.venv/bin/pitboss`.

    >>> program()
    'pitboss'
    """
    called = Path(sys.argv[0])
    if called.name != NAME or not called.is_file():
        return NAME  # run as a module or from a test
    found = shutil.which(NAME)
    if found is not None and os.path.samefile(found, called):
        return NAME
    path = called.absolute()
    return shlex.quote(os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path))


def echo(text: str | bytes = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text, or a line of encoded JSON."""
    click.echo(printable_text(text.decode() if isinstance(text, bytes) else text), err=err, nl=nl)


def ask_user(prompt: str) -> str | None:
    """Prompt on standard output and return the answer; None at the end of the input or on Ctrl-C."""
    echo(prompt, nl=False)
    try:
        line = sys.stdin.readline() if sys.stdin else ""
    except KeyboardInterrupt:
        line = ""
    if not line or not sys.stdin.isatty():
        echo()  # the user has not ended the line
    return line or None


class LogFormatter(logging.Formatter):
    """Formats log lines, with their exceptions, without control characters."""

    def format(self, record: logging.LogRecord) -> str:
        return printable_text(super().format(record))


def fail(command: str, error: Exception | str) -> NoReturn:
    """Print an error on standard error and exit with 1."""
    echo(f"{NAME} {command}: {error}", err=True)
    sys.exit(1)
