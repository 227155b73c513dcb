"""What the commands of `pitboss lab` have in common: the game they are about, and how they fail."""

import sys

import click

from pitboss.cli.output import echo, fail
from pitboss.lab.files import load, read_genome
from pitboss.lab.genome import Genome, GenomeError, check, warnings

genome_argument = click.argument("genome", metavar="GENOME")


def read_game(command: str, given: str) -> Genome:
    """The genome of a known game, of a file or, with -, of standard input; a broken one ends the command.

    What makes it a poor game is said on standard error.
    """
    try:
        game = load(given) if given != "-" else check(read_genome(sys.stdin.buffer.read() if sys.stdin else b""))
    except GenomeError as error:
        fail(f"lab {command}", error)
    for warning in warnings(game):
        echo(f"pitboss lab {command}: warning: {warning}", err=True)
    return game
