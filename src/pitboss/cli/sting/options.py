"""Options that the commands of `pitboss sting` share."""

from collections.abc import Callable

import click

from pitboss.betting.rules import Answers
from pitboss.cli.output import fail
from pitboss.sting.cards import ROLES, CardsError, CardSet, default_cards, load_cards
from pitboss.sting.hand import ROUNDS

answers_option = click.option(
    "--answers",
    type=click.Choice([answers.name.lower() for answers in (Answers.FOLLOWING, Answers.EVERYONE)]),
    help="Who answers a raise: the players after the raiser (the default), or everyone.",
)
cards_option = click.option(
    "--cards", "cards_file", type=click.Path(), metavar="FILE", help="Cards and decks from a TOML file."
)
deck_option = click.option("--deck", metavar="NAME", help="Your deck: corner, ghost or kingpin.")
narc_option = click.option("--narc", metavar="NAME", help="The Narc's deck: patrolman or detective.")
difficulty_option = click.option(
    "--difficulty", metavar="NAME", help="easy, normal (the default), hard, or printed (the original design)."
)
ORDERS = {",".join(ROLES[(first + k) % 3] for k in range(3)): first for first in range(3)}
"""The orders of play: one place acts first, and the others follow."""


def variation_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that change the rules of a hand."""
    for option in (
        click.option("--no-last-word", is_flag=True, help="Play without initiative."),
        click.option("--order", type=click.Choice(list(ORDERS)), default=next(iter(ORDERS)), help="Order of play."),
        click.option("--rounds", type=click.IntRange(1, ROUNDS), default=ROUNDS, help="Rounds per hand."),
    ):
        command = option(command)
    return command


def read_cards(command: str, path: str | None) -> CardSet:
    """Return the cards of a file, or those of the game; a broken file ends the command."""
    if path is None:
        return default_cards()
    try:
        return load_cards(path)
    except CardsError as error:
        fail(f"sting {command}", error)


def read_answers(name: str | None) -> Answers:
    """Return the setting of this name."""
    return Answers[name.upper()] if name else Answers.FOLLOWING
