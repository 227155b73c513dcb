"""What commands print: on standard output or standard error, with nothing in it that a terminal would obey."""

import logging

import click

from pitboss.printing import printable_text


def echo(text: str | bytes = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text, or a line of JSON as it was encoded."""
    click.echo(printable_text(text.decode() if isinstance(text, bytes) else text), err=err, nl=nl)


class LogFormatter(logging.Formatter):
    """A log line, its exception too, as it may be printed."""

    def format(self, record: logging.LogRecord) -> str:
        return printable_text(super().format(record))
