"""`pitboss table next`, `deal`, `act`, `auto` and `view`: the hands of a table document."""

from secrets import SystemRandom

import click

from pitboss.cards import read_cards
from pitboss.chance import Chance
from pitboss.cli.table.files import one_sentence, read_table, show
from pitboss.hand.games import STRUCTURES
from pitboss.notation.document import hands, play
from pitboss.notation.document.fields import DocumentError
from pitboss.notation.phh.check import NO_SUCH_GAME


@click.command(name="next")
@click.argument("document")
@one_sentence
def next_(document: str) -> None:
    """Go on to the next hand: leavers go, blinds move, missed blinds are charged, debts are paid.

    \b
    Example:
      pitboss table next server.json
    """
    show(hands.next_hand(read_table(document)))


@click.command()
@click.option("--check", is_flag=True, help="Check where that is free instead of folding.")
@click.argument("document")
@one_sentence
def auto(check: bool, document: str) -> None:
    """Play for whoever's time is up: fold, bring in where he has to, stand pat at a draw, muck at the showdown.

    \b
    Example:
      pitboss table auto server.json
    """
    show(play.auto(read_table(document), check_when_free=check))


@click.command()
@click.option("--author", required=True, metavar="NAME", help="Who acts.")
@click.argument("action")
@click.argument("document")
@one_sentence
def act(author: str, action: str, document: str) -> None:
    """Play the author's ACTION: f, cc, "cbr 60", "sm AsKd" or sm, pb (the bring-in), "sd 7c2d" or sd (stand pat).

    \b
    Example:
      pitboss table act --author ann cc server.json
    """
    show(play.act(read_table(document), author, action))


@click.command()
@click.option("--player", metavar="NAME", help="Whose eyes; without it, or for a stranger, a spectator's.")
@click.argument("document")
@one_sentence
def view(player: str | None, document: str) -> None:
    """Print what one player may see: everybody else's cards are ????.

    \b
    Example:
      pitboss table view --player ann server.json
    """
    show(play.personalize(read_table(document), player))


@click.command()
@click.option("--seed", type=int, metavar="NUMBER", help="Shuffle by this seed; the same one deals the whole hand.")
@click.option("--deck", metavar="CARDS", help="Deal these in order; cards on the table are skipped.")
@click.argument("document")
@one_sentence
def deal(seed: int | None, deck: str | None, document: str) -> None:
    """Deal what is due: everybody's cards, in stud up-cards too, new ones after a draw, or the next of the board.

    Without a seed or a deck the cards are shuffled by the operating system's randomness.

    \b
    Examples:
      pitboss table deal --seed 7 server.json
      pitboss table deal --deck "AsKd QhQc 7d5h9d 2c 3c" server.json
    """
    if seed is not None and deck is not None:
        raise DocumentError("say --seed or --deck, not both")
    table = read_table(document)
    if deck is not None:
        cards = read_cards(deck)
    else:
        structure = STRUCTURES.get(table.variant)
        if structure is None:
            raise DocumentError(f"variant {table.variant:.40} {NO_SUCH_GAME}")
        whole = structure.deck
        cards = tuple(SystemRandom().sample(whole, len(whole)) if seed is None else Chance(seed).shuffled(whole))
    show(play.deal(table, cards))
