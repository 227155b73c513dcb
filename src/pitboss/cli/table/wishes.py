"""`pitboss table join`, `pause`, `wait`, `resume`, `leave` and `merge`: players come and go."""

from collections.abc import Callable

import click

from pitboss.cli.echo import echo
from pitboss.cli.table.files import author_option, one_sentence, read, read_amount, read_table, show
from pitboss.notation.document import seating
from pitboss.notation.document.chairs import table_ante
from pitboss.notation.document.fields import Document, DocumentError, read_fields, to_fields, write_json


@click.command()
@author_option
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
    most = None if grant is None else read_amount("--grant", grant)
    merged = seating.merge(read_table(server), read_fields(read(client)), author, grant=most)
    echo(write_json({"document": to_fields(merged.document), "ignored": merged.ignored}))


@click.command()
@author_option
@click.option("--stack", required=True, metavar="CHIPS", help="The chips he brings.")
@click.option("--seat", type=int, metavar="NUMBER", help="The seat he would like, counted from 1.")
@click.argument("document")
@one_sentence
def join(author: str, stack: str, seat: int | None, document: str) -> None:
    """Sit down: dealt in at once where nothing is dealt yet, else from the next hand on.

    \b
    Example:
      pitboss table join --author ann --stack 100 --seat 3 server.json
    """
    table, chips = read_table(document), read_amount("--stack", stack)
    least = table.min_bet + table_ante(table)
    if 0 < chips < least:
        raise DocumentError(f"--stack must cover a big blind and the ante, {least}, and is {chips}")
    show(_merged(table, seating.join(table, author, chips, seat=seat), author))


def _command(name: str, wish: Callable[[Document, str], Document], what: str) -> click.Command:
    """The command by which a player says one wish."""

    @click.command(name=name, help=f"{what}\n\n\b\nExample:\n  pitboss table {name} --author ann server.json")
    @author_option
    @click.argument("document")
    @one_sentence
    def command(author: str, document: str) -> None:
        table = read_table(document)
        show(_merged(table, wish(table, author), author))

    return command


pause = _command("pause", seating.pause, "Pause for as long as it takes; missed blinds are owed.")
wait = _command("wait", seating.wait_for_big_blind, "Pause until the big blind comes round, which costs nothing.")
resume = _command("resume", seating.resume, "Play again from the next hand on, paying what is owed.")
leave = _command("leave", seating.leave, "Leave for good.")


def _merged(table: Document, wish: Document, author: str) -> Document:
    """The table with the wish in it; one that is not heard is an error."""
    merged = seating.merge(table, wish, author)
    for sentence in merged.ignored:
        raise DocumentError(sentence)
    return merged.document
