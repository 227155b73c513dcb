"""What the commands of `pitboss table` have in common: documents in and out, amounts, and how they fail."""

import sys
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import wraps
from typing import ParamSpec

import click

from pitboss.cli.echo import echo
from pitboss.errors import PitbossError
from pitboss.notation.chips import Amount
from pitboss.notation.document.fields import Document, DocumentError, is_countable, read_document, write_document

P = ParamSpec("P")

author_option = click.option("--author", required=True, metavar="NAME", help="Who the connection says it is.")


def one_sentence(command: Callable[P, None]) -> Callable[P, None]:
    """Say what is wrong in one sentence and exit with 2."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except OSError as error:
            echo(f"pitboss table: {error.filename or 'a file'}: {error.strerror or error}", err=True)
            sys.exit(2)
        except (PitbossError, UnicodeDecodeError) as error:
            echo(f"pitboss table: {error}", err=True)
            sys.exit(2)

    return run


def read(name: str) -> str:
    """The text of a file, or of standard input."""
    if name == "-":
        return sys.stdin.read()
    with open(name, encoding="utf-8") as file:
        return file.read()


def read_table(name: str) -> Document:
    """The document of a file, or of standard input."""
    return read_document(read(name))


def show(document: Document) -> None:
    """Print a document."""
    echo(write_document(document))


def read_amount(option: str, text: str) -> Amount:
    """A number of chips as an option says it."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or amount < 0:
        raise DocumentError(f"{option} must be a number of chips from 0 on, not {text[:40]!r}")
    if not is_countable(amount):
        raise DocumentError(f"{option}: {text[:40]} is no number anybody could count")
    return int(amount) if amount == int(amount) else amount
