"""What the commands of `pitboss lab` share: reading a game, and progress bars."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import click

from pitboss.cli.output import echo, fail
from pitboss.cli.progress import Advance, progress
from pitboss.lab.files import load, read_genome
from pitboss.lab.genome import Genome, GenomeError, check, warnings
from pitboss.lab.solver.tree import StageProgress

genome_argument = click.argument("genome", metavar="GENOME")


def read_game(command: str, given: str) -> Genome:
    """Read a known game, a file or, for -, standard input; a game that cannot be played ends the command.

    Warnings about the game go to standard error.
    """
    try:
        game = load(given) if given != "-" else check(read_genome(sys.stdin.buffer.read() if sys.stdin else b""))
    except GenomeError as error:
        fail(f"lab {command}", error)
    for warning in warnings(game):
        echo(f"pitboss lab {command}: warning: {warning}", err=True)
    return game


@contextmanager
def step_bars() -> Iterator[StageProgress]:
    """Show a progress bar for each task, one after another."""
    advance: dict[str, Advance] = {}
    done: dict[str, int] = {}
    with ExitStack() as bars:

        def tell(what: str, now: int, total: int) -> None:
            if what not in advance or now < done[what]:
                bars.close()
                advance[what] = bars.enter_context(progress(what, total))
                done[what] = 0
            advance[what](now - done[what])
            done[what] = now

        yield tell
