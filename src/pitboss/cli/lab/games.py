"""`pitboss lab games`: the known games, one a line, name first."""

import click
import msgspec

from pitboss.cli.echo import echo
from pitboss.lab.genome.known import known_games


@click.command(short_help="list the known games, one a line, name first")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: what each game is, by name.")
def games(as_json: bool) -> None:
    """List the games that come with pitboss; each name stands for its genome in every other command.

    \b
    Examples:
      pitboss lab games
      pitboss lab games --json
      pitboss lab rulebook crazy_eights
    """
    known = known_games()
    if as_json:
        echo(msgspec.json.encode(known))
        return
    width = max(map(len, known))
    for name, description in known.items():
        echo(f"{name:<{width}}  {description}")
