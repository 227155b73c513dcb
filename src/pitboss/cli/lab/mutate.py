"""`pitboss lab mutate`: a game changed in one place, as JSON."""

import click

from pitboss.chance import Chance
from pitboss.cli.echo import echo
from pitboss.cli.lab.options import fail, genome_argument, read_game
from pitboss.lab.files import write_genome
from pitboss.lab.variation.mutations import OPERATORS, DoesNotApply, child_of
from pitboss.lab.variation.mutations import mutate as vary

ABOUT = "\b\nOperators:\n" + "\n".join(f"  {name:<21} {operator.__doc__}" for name, operator in OPERATORS.items())


@click.command(short_help="change a game in one place, and print its JSON", epilog=ABOUT)
@genome_argument
@click.option("--op", metavar="NAME", help="The operator to use; else one is drawn, and named on standard error.")
@click.option("--seed", default=0, show_default=True, type=int, help="The same seed gives the same child.")
def mutate(genome: str, op: str | None, seed: int) -> None:
    """Change a game in one place and print the child's JSON; what no longer fits is mended: every child can be played.

    GENOME is the name of a known game, a file, or - for standard input.

    \b
    Examples:
      pitboss lab mutate war --op AddBettingPhase --seed 3
      pitboss lab mutate kuhn --seed 7 | pitboss lab rulebook -
    """
    if op is not None and op not in OPERATORS:
        fail("mutate", f"there is no operator {op!r}; there are {', '.join(OPERATORS)}")
    parent, chance = read_game("mutate", genome), Chance(seed)
    if op is None:
        child, drawn = vary(parent, chance)
        echo(drawn, err=True)
    else:
        try:
            child = child_of(op, parent, chance)
        except DoesNotApply as error:
            fail("mutate", f"{op} does not apply to {parent.name}: {error}")
    echo(write_genome(child), nl=False)
