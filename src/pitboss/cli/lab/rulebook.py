"""`pitboss lab rulebook`: a game's rules in plain English, made from its genome."""

import click

from pitboss.cli.echo import echo
from pitboss.cli.lab.options import genome_argument, read_game
from pitboss.lab.rulebook.rulebook import rulebook as rules_of


@click.command(short_help="print a game's rules in plain English")
@genome_argument
def rulebook(genome: str) -> None:
    """Print the rules of a game in plain English, as Markdown, for people who have never seen it.

    GENOME is the name of a known game, a file, or - for standard input.

    \b
    Examples:
      pitboss lab rulebook scopa
      pitboss lab rulebook mine.json > rules.md
      pitboss lab mutate kuhn --seed 7 | pitboss lab rulebook -
    """
    echo(rules_of(read_game("rulebook", genome)), nl=False)
