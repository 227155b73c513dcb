"""`pitboss table`: the functions of `pitboss.documents` as commands."""

import sys
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import wraps
from secrets import SystemRandom
from typing import ParamSpec

import click

from pitboss.cards import read_cards
from pitboss.chance import Chance
from pitboss.cli.output import echo
from pitboss.documents import hands, play, views
from pitboss.documents import intents as seating
from pitboss.documents.chairs import table_ante
from pitboss.documents.fields import (
    Document,
    DocumentError,
    is_countable,
    read_document,
    read_fields,
    to_fields,
    write_document,
    write_json,
)
from pitboss.errors import PitbossError
from pitboss.hand.game_file import OWN_CODE
from pitboss.hand.games import STRUCTURES, USUAL_GAME
from pitboss.records.money import Amount
from pitboss.records.record import EXPECTED_VARIANT

P = ParamSpec("P")

author_option = click.option("--author", required=True, metavar="NAME", help="Name of the player.")


def one_sentence(command: Callable[P, None]) -> Callable[P, None]:
    """Make a command print errors in one line and exit with 2."""

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
    """Return the text of a file, or of standard input for `-`."""
    if name == "-":
        return sys.stdin.read()
    with open(name, encoding="utf-8") as file:
        return file.read()


def read_table(name: str) -> Document:
    """Return the document in a file, or in standard input for `-`."""
    return read_document(read(name))


def show(document: Document) -> None:
    """Print a document."""
    echo(write_document(document))


def read_amount(option: str, text: str) -> Amount:
    """Read a number of chips from the text of an option."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or amount < 0:
        raise DocumentError(f"{option}: expected a number of chips from 0, got {text[:40]!r}")
    if not is_countable(amount):
        raise DocumentError(f"{option}: {text[:40]} is too large or has too many digits")
    return int(amount) if amount == int(amount) else amount


def chips_option(name: str, what: str, *, required: bool = False) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Return an option for a number of chips."""
    return click.option(name, required=required, metavar="CHIPS", help=what)


@click.command(name="open")
@chips_option("--small-blind", "Small blind; leave it out in games with a bring-in.")
@chips_option("--big-blind", "Big blind, or the small bet in games with a bring-in.", required=True)
@click.option("--seats", type=int, required=True, metavar="NUMBER", help="Number of seats.")
@chips_option("--ante", "Ante of every player; by default none.")
@chips_option("--bring-in", "Bring-in; by default half the small bet.")
@click.option(
    "--game", default=USUAL_GAME, show_default=True, metavar="NAME", help="Game: a name, a code or a FILE.toml."
)
@click.option("--variant", metavar="CODE", help="Older form of --game: the code of the game.")
@chips_option("--unit", "Smallest chip; by default 0.01.")
@one_sentence
def open_(
    small_blind: str | None,
    big_blind: str,
    seats: int,
    ante: str | None,
    bring_in: str | None,
    game: str,
    variant: str | None,
    unit: str | None,
) -> None:
    """Print the document of an empty table.

    \b
    Examples:
      pitboss table open --small-blind 0.5 --big-blind 1 --seats 6
      pitboss table open --small-blind 1 --big-blind 2 --seats 6 --game mine.toml
    """
    show(
        hands.open_document(
            small_blind=read_amount("--small-blind", small_blind or "0"),
            big_blind=read_amount("--big-blind", big_blind),
            seat_count=seats,
            ante=read_amount("--ante", ante or "0"),
            game=game,
            variant=variant,
            bring_in=None if bring_in is None else read_amount("--bring-in", bring_in),
            unit=None if unit is None else read_amount("--unit", unit),
        )
    )


@click.command(name="top-up")
@author_option
@chips_option("--amount", "Chips that the player adds.", required=True)
@click.argument("document")
@one_sentence
def top_up(author: str, amount: str, document: str) -> None:
    """Add chips to a player's stack between hands.

    \b
    Example:
      pitboss table top-up --author ann --amount 50 server.json
    """
    show(hands.top_up(read_table(document), author, read_amount("--amount", amount)))


@click.command()
@click.argument("document")
@one_sentence
def turn(document: str) -> None:
    """Print the player to act and what they can do, as one JSON object; both are null if no player is to act.

    \b
    Example:
      pitboss table turn server.json
    """
    table = read_table(document)
    name = views.turn(table)
    echo(write_json({"turn": name, "offer": None if name is None else views.offer(table, name)}))


@click.command(name="next")
@click.argument("document")
@one_sentence
def next_(document: str) -> None:
    """Start the next hand: remove players who leave, move the blinds, charge missed blinds and debts.

    \b
    Example:
      pitboss table next server.json
    """
    show(hands.next_hand(read_table(document)))


@click.command()
@click.option("--check", is_flag=True, help="Check instead of folding where that costs nothing.")
@click.argument("document")
@one_sentence
def auto(check: bool, document: str) -> None:
    """Act for the player whose time is up: fold, pay the bring-in if due, stand pat, or muck at the showdown.

    \b
    Example:
      pitboss table auto server.json
    """
    show(play.auto(read_table(document), check_when_free=check))


@click.command()
@author_option
@click.argument("action")
@click.argument("document")
@one_sentence
def act(author: str, action: str, document: str) -> None:
    """Play ACTION for the author: f, cc, "cbr 60", "sm AsKd" or sm, pb (bring-in), "sd 7c2d" or sd, "runs 2".

    \b
    Example:
      pitboss table act --author ann cc server.json
    """
    show(play.act(read_table(document), author, action))


@click.command()
@click.option("--player", metavar="NAME", help="Player whose view to print; by default a spectator's.")
@click.argument("document")
@one_sentence
def view(player: str | None, document: str) -> None:
    """Print the document as one player may see it, with the cards of others as ????.

    \b
    Example:
      pitboss table view --player ann server.json
    """
    show(views.personalize(read_table(document), player))


@click.command()
@click.option("--seed", type=int, metavar="NUMBER", help="Seed of the shuffle; use the same seed for the whole hand.")
@click.option("--deck", metavar="CARDS", help="Cards to deal in this order; those on the table are skipped.")
@click.argument("document")
@one_sentence
def deal(seed: int | None, deck: str | None, document: str) -> None:
    """Deal the cards that are due: hole cards, up-cards in stud, new cards after a draw, or the next board cards.

    Without a seed or a deck the cards are shuffled with the randomness of the operating system.

    \b
    Examples:
      pitboss table deal --seed 7 server.json
      pitboss table deal --deck "AsKd QhQc 7d5h9d 2c 3c" server.json
    """
    if seed is not None and deck is not None:
        raise DocumentError("give --seed or --deck, not both")
    table = read_table(document)
    if deck is not None:
        cards = read_cards(deck)
    else:
        if table.variant not in (*STRUCTURES, OWN_CODE):
            raise DocumentError(f"variant: {EXPECTED_VARIANT}, got {table.variant:.40}")
        whole = table.game.deck
        cards = tuple(SystemRandom().sample(whole, len(whole)) if seed is None else Chance(seed).shuffled(whole))
    show(play.deal(table, cards))


@click.command()
@author_option
@click.option("--grant", metavar="CHIPS", help="Most chips that a new player can bring.")
@click.argument("server")
@click.argument("client")
@one_sentence
def merge(author: str, grant: str | None, server: str, client: str) -> None:
    """Copy the author's wish from the CLIENT document to the SERVER document, and list what was ignored.

    \b
    Example:
      pitboss table merge --author Player3 --grant 75.25 server.json client.json
    """
    if server == client == "-":
        raise DocumentError("only one of the two documents can be read from standard input")
    most = None if grant is None else read_amount("--grant", grant)
    merged = seating.merge(read_table(server), read_fields(read(client)), author, grant=most)
    echo(write_json({"document": to_fields(merged.document), "ignored": merged.ignored}))


@click.command()
@author_option
@click.option("--stack", required=True, metavar="CHIPS", help="Chips that the player brings.")
@click.option("--seat", type=int, metavar="NUMBER", help="Preferred seat, counted from 1.")
@click.argument("document")
@one_sentence
def join(author: str, stack: str, seat: int | None, document: str) -> None:
    """Take a seat; the player is dealt in now if no cards are dealt yet, otherwise in the next hand.

    \b
    Example:
      pitboss table join --author ann --stack 100 --seat 3 server.json
    """
    table, chips = read_table(document), read_amount("--stack", stack)
    least = table.min_bet + table_ante(table)
    if 0 < chips < least:
        raise DocumentError(f"--stack: expected at least a big blind and the ante, {least}, got {chips}")
    show(_merged(table, seating.join(table, author, chips, seat=seat), author))


def _command(name: str, wish: Callable[[Document, str], Document], what: str) -> click.Command:
    """Return the command for one wish of a player."""

    @click.command(name=name, help=f"{what}\n\n\b\nExample:\n  pitboss table {name} --author ann server.json")
    @author_option
    @click.argument("document")
    @one_sentence
    def command(author: str, document: str) -> None:
        table = read_table(document)
        show(_merged(table, wish(table, author), author))

    return command


pause = _command("pause", seating.pause, "Pause at once. Missed blinds must be paid later.")
wait = _command("wait", seating.wait_for_big_blind, "Pause until the player is the big blind, which costs nothing.")
resume = _command("resume", seating.resume, "Play again from the next hand, and pay missed blinds.")
leave = _command("leave", seating.leave, "Leave for good.")


def _merged(table: Document, wish: Document, author: str) -> Document:
    """Return the table with the wish merged; a wish that is ignored is an error."""
    merged = seating.merge(table, wish, author)
    for sentence in merged.ignored:
        raise DocumentError(sentence)
    return merged.document


@click.group()
def table() -> None:
    """Open or change a table; every command prints the document, or one JSON object, as one line.

    A file named - is standard input.

    \b
    Examples:
      pitboss table open --small-blind 1 --big-blind 2 --seats 6 > server.json
      pitboss table join --author ann --stack 100 server.json
      pitboss table next server.json
      pitboss table deal --seed 7 server.json
      pitboss table act --author ann "cbr 60" server.json
      pitboss table pause --author ann server.json
      pitboss table view --player ann server.json
      pitboss table merge --author ann --grant 75.25 server.json client.json
    """


for command in (act, auto, deal, join, leave, merge, next_, open_, pause, resume, top_up, turn, view, wait):
    table.add_command(command)
