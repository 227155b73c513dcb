"""`pitboss lab games`, `show`, `rulebook` and `mutate`: list games; print one as JSON or as rules; change one."""

import click
import msgspec

from pitboss.chance import Chance
from pitboss.cli.lab.options import genome_argument, read_game
from pitboss.cli.output import echo, fail
from pitboss.lab.files import known_games, write_genome
from pitboss.lab.rulebook import rulebook as rules_of
from pitboss.lab.variation.edits import DoesNotApply
from pitboss.lab.variation.mutations import OPERATORS, child_of
from pitboss.lab.variation.mutations import mutate as vary

ABOUT = "\b\nOperators:\n" + "\n".join(f"  {name:<21} {operator.__doc__}" for name, operator in OPERATORS.items())


@click.command(short_help="list the games that come with pitboss")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with each game's description.")
def games(as_json: bool) -> None:
    """List the games that come with pitboss; the other commands take their names.

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


@click.command(short_help="print a game's JSON")
@genome_argument
def show(genome: str) -> None:
    """Print a genome as JSON with all fields, including defaults.

    GENOME is the name of a known game, a file, or - for standard input. docs/lab.md explains the fields.

    \b
    Examples:
      pitboss lab show kuhn
      pitboss lab show leduc > mine.json
      pitboss lab show mine.json
    """
    echo(write_genome(read_game("show", genome)), nl=False)


@click.command(short_help="print a game's rules in plain English")
@genome_argument
def rulebook(genome: str) -> None:
    """Print the rules of a game in plain English, as Markdown, for people who do not know it.

    GENOME is the name of a known game, a file, or - for standard input.

    \b
    Examples:
      pitboss lab rulebook scopa
      pitboss lab rulebook mine.json > rules.md
      pitboss lab mutate kuhn --seed 7 | pitboss lab rulebook -
    """
    echo(rules_of(read_game("rulebook", genome)), nl=False)


@click.command(short_help="change a game in one place, and print its JSON", epilog=ABOUT)
@genome_argument
@click.option("--op", metavar="NAME", help="Operator to use (default: a random one, printed on standard error).")
@click.option("--seed", default=0, show_default=True, type=int, help="The same seed gives the same child.")
def mutate(genome: str, op: str | None, seed: int) -> None:
    """Change a game in one place, repair it so that it can be played, and print its JSON.

    GENOME is the name of a known game, a file, or - for standard input.

    \b
    Examples:
      pitboss lab mutate war --op AddBettingPhase --seed 3
      pitboss lab mutate kuhn --seed 7 | pitboss lab rulebook -
    """
    if op is not None and op not in OPERATORS:
        fail("lab mutate", f"--op: expected one of {', '.join(OPERATORS)}; got {op!r}")
    parent, chance = read_game("mutate", genome), Chance(seed)
    if op is None:
        child, drawn = vary(parent, chance)
        echo(drawn, err=True)
    else:
        try:
            child = child_of(op, parent, chance)
        except DoesNotApply as error:
            fail("lab mutate", f"{op} does not apply to {parent.name}: {error}")
    echo(write_genome(child), nl=False)
