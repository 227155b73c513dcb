"""`pitboss lab solve`: a small game's value, how far its strategies can be exploited, and the strategies themselves."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from typing import Any

import click
import msgspec
from rich import box
from rich.table import Table

from pitboss.cli.output import count, echo
from pitboss.cli.progress import Advance, progress, screen
from pitboss.fast.compiled import NotInstalled
from pitboss.lab.files import load
from pitboss.lab.genome import GenomeError
from pitboss.lab.solver.solver import Solution
from pitboss.lab.solver.solver import solve as solve_game
from pitboss.lab.solver.tree import Progress, SolverError

FEW_SETS = 30
"""Up to so many information sets the strategy is printed unasked."""
LONG_DENOMINATOR = 10**9
"""Fractions with a smaller denominator are printed as such."""


@click.command(short_help="solve a small game: its value, and what the best answers win")
@click.argument("genome")
@click.option("--iterations", default=1000, show_default=True, type=click.IntRange(1, 10**9), help="Rounds of CFR+.")
@click.option("--suits", is_flag=True, help="Tell the suits apart also where no rule asks for them.")
@click.option("--strategy", is_flag=True, help="Say what to do in every information set, also in larger games.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def solve(genome: str, iterations: int, suits: bool, strategy: bool, as_json: bool) -> None:
    """Solve a game for two with one deal whose whole tree is small enough. GENOME is a known game's name or a file.

    The value is what seat 0, the first to speak, wins on average a deal: chips or, in a game without them, 1 for a win
    and -1 for a loss. Exploitability is half of what the best answers to both strategies win together: 0 in an
    equilibrium.

    \b
    Examples:
      pitboss lab solve kuhn
      pitboss lab solve leduc --iterations 5000 --json
      pitboss lab solve mygame.json --strategy
    """
    try:
        game = load(genome)
        with _progress() as tell:
            solved = solve_game(game, iterations, suits=suits, progress=tell)
    except (GenomeError, SolverError, NotInstalled) as error:
        echo(f"pitboss lab solve: {error}", err=True)
        sys.exit(1)
    if as_json:
        echo(msgspec.json.encode(_as_json(solved, strategy)))
    else:
        _print(solved)
        if solved.strategy and (strategy or solved.information_sets <= FEW_SETS):
            _print_strategy(solved)


@contextmanager
def _progress() -> Iterator[Progress]:
    """A bar for the tree, then one for the iterations."""
    advance: dict[str, Advance] = {}
    done: dict[str, int] = {}
    with ExitStack() as bars:

        def tell(what: str, now: int, total: int) -> None:
            if what not in advance:
                bars.close()
                advance[what] = bars.enter_context(progress(what, total))
            advance[what](now - done.get(what, 0))
            done[what] = now

        yield tell


def _as_json(solved: Solution, strategy: bool) -> dict[str, Any]:
    """Everything but what was not asked for; the exact fraction as text beside its decimal."""
    fields: dict[str, Any] = {}
    for name in Solution.__struct_fields__:
        value = getattr(solved, name)
        if isinstance(value, Fraction):
            fields |= {name: float(value), "uniform_exact": str(value)}
        elif name != "strategy" or strategy:
            fields[name] = value
    return fields


def _print(solved: Solution) -> None:
    exact = solved.uniform_value
    fraction = f", exactly {exact}" if 1 < exact.denominator < LONG_DENOMINATOR else ""
    each = "chips a deal" if solved.unit == "chips" else "wins less losses a deal"
    low, high = solved.bounds
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for heading in ("CFR+", "uniform play"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_row(f"value to seat 0, {each}", f"{solved.value:+.6f}", f"{float(exact):+.6f}{fraction}")
    table.add_row("exploitability", f"{solved.exploitability:.6f}", f"{solved.uniform_exploitability:.6f}")
    sets = count(solved.information_sets, "information set")
    size = f"{sets}, {count(solved.nodes, 'node')}, {count(solved.deals, 'deal')}"
    after = f"{count(solved.iterations, 'iteration')} in {solved.seconds:.2f} s"
    console = screen(0)
    console.print(f"{solved.name}: {size}; {after}")
    console.print(table)
    console.print(f"the game's own value lies between {low:+.6f} and {high:+.6f}")


def _print_strategy(solved: Solution) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("what a seat has seen")
    table.add_column("what it does")
    for words, shares in solved.strategy.items():
        table.add_row(words, ", ".join([f"{move} {100 * share:.1f} %" for move, share in shares.items()]))
    screen(0).print(table)
