"""`pitboss lab show`: a game's genome as JSON, every field said."""

import click

from pitboss.cli.echo import echo
from pitboss.cli.lab.options import genome_argument, read_game
from pitboss.lab.files import write_genome


@click.command(short_help="print a game's genome as JSON, every field said")
@genome_argument
def show(genome: str) -> None:
    """Print a genome as JSON, every field said, also those that the file leaves to their defaults.

    GENOME is the name of a known game, a file, or - for standard input. The fields: docs/lab.md.

    \b
    Examples:
      pitboss lab show kuhn
      pitboss lab show leduc > mine.json
      pitboss lab show mine.json
    """
    echo(write_genome(read_game("show", genome)), nl=False)
