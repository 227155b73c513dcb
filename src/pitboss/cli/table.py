"""`pitboss table`: the functions of the table document for people and other languages."""

import sys
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import wraps
from typing import ParamSpec

import click

from pitboss.notation.document import hands, play, seating
from pitboss.notation.document.fields import (
    Document,
    DocumentError,
    read_document,
    read_fields,
    to_fields,
    write_document,
    write_json,
)

P = ParamSpec("P")


@click.group()
def table() -> None:
    """Keep a table document; every command prints the new document as one line of JSON.

    A file named - is standard input.

    \b
    Examples:
      pitboss table merge --author ann --grant 75.25 server.json client.json
      pitboss table next server.json
      pitboss table act --author ann "cbr 60" server.json
      pitboss table view --player ann server.json
    """


def one_sentence(command: Callable[P, None]) -> Callable[P, None]:
    """Tell what is wrong in one sentence and exit with 2."""

    @wraps(command)
    def told(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except OSError as error:
            click.echo(f"pitboss table: {error.filename or 'a file'}: {error.strerror or error}", err=True)
            sys.exit(2)
        except (DocumentError, UnicodeDecodeError) as error:
            click.echo(f"pitboss table: {error}", err=True)
            sys.exit(2)

    return told


def read(name: str) -> str:
    """The text of a file, or of standard input."""
    if name == "-":
        return sys.stdin.read()
    with open(name, encoding="utf-8") as file:
        return file.read()


def show(document: Document) -> None:
    """Print a document."""
    click.echo(write_document(document))


@table.command()
@click.option("--author", required=True, metavar="NAME", help="Who the connection says it is.")
@click.option("--grant", metavar="CHIPS", help="The most the house lets a newcomer bring.")
@click.argument("server")
@click.argument("client")
@one_sentence
def merge(author: str, grant: str | None, server: str, client: str) -> None:
    """Take the author's wish out of CLIENT's document into SERVER's, and tell what was ignored.

    \b
    Example:
      pitboss table merge --author Player3 --grant 75.25 server.json client.json
    """
    if server == client == "-":
        raise DocumentError("only one of the two documents can come from standard input")
    merged = seating.merge(read_document(read(server)), read_fields(read(client)), author, grant=_amount(grant))
    click.echo(write_json({"document": to_fields(merged.document), "ignored": merged.ignored}))


def _amount(text: str | None) -> Decimal | None:
    if text is None:
        return None
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or amount < 0:
        raise DocumentError(f"--grant must be a number of chips from 0 on, not {text!r}")
    return amount


@table.command(name="next")
@click.argument("document")
@one_sentence
def next_(document: str) -> None:
    """Go on to the next hand: leavers go, blinds move, missed blinds are charged, debts are paid.

    \b
    Example:
      pitboss table next server.json
    """
    show(hands.next_hand(read_document(read(document))))


@table.command()
@click.option("--check", is_flag=True, help="Check where that is free instead of folding.")
@click.argument("document")
@one_sentence
def auto(check: bool, document: str) -> None:
    """Play for whoever's time is up: fold, and at showdown muck.

    \b
    Example:
      pitboss table auto server.json
    """
    show(play.auto(read_document(read(document)), check_when_free=check))


@table.command()
@click.option("--author", required=True, metavar="NAME", help="Who acts.")
@click.argument("action")
@click.argument("document")
@one_sentence
def act(author: str, action: str, document: str) -> None:
    """Play the author's ACTION: f, cc, "cbr 60", "sm AsKd" or sm.

    \b
    Example:
      pitboss table act --author ann cc server.json
    """
    show(play.act(read_document(read(document)), author, action))


@table.command()
@click.option("--player", metavar="NAME", help="Whose eyes; without it, or for a stranger, a spectator's.")
@click.argument("document")
@one_sentence
def view(player: str | None, document: str) -> None:
    """Print what one player may see: everybody else's cards are ????.

    \b
    Example:
      pitboss table view --player ann server.json
    """
    show(play.personalize(read_document(read(document)), player))
