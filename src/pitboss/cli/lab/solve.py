"""`pitboss lab solve`: the value of a small game, its best strategies, and their exploitability."""

from fractions import Fraction
from typing import Any

import click
import msgspec
from rich import box
from rich.table import Table

from pitboss.cli.lab.options import genome_argument, read_game, step_bars
from pitboss.cli.output import count, echo, fail
from pitboss.cli.progress import screen
from pitboss.fast.compiled import NotInstalled
from pitboss.lab.solver.solver import Solution
from pitboss.lab.solver.solver import solve as solve_game
from pitboss.lab.solver.tree import SolverError

FEW_SETS = 30
"""Up to this number of information sets, the strategy is always printed."""
LONG_DENOMINATOR = 10**9
"""Values with a smaller denominator are also printed as a fraction."""


@click.command(short_help="find a small game's value and its best strategies")
@genome_argument
@click.option("--iterations", default=1000, show_default=True, type=click.IntRange(1, 10**9), help="Rounds of CFR+.")
@click.option("--suits", is_flag=True, help="Distinguish suits even if no rule uses them.")
@click.option("--strategy", is_flag=True, help="Print the strategy of larger games too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def solve(genome: str, iterations: int, suits: bool, strategy: bool, as_json: bool) -> None:
    """Solve a game for two players with one deal and a small game tree.

    GENOME is the name of a known game, a file, or - for standard input.

    The value is what seat 0, which acts first, wins on average per deal: chips or, in a game without chips, 1 for a
    win and -1 for a loss. Exploitability is the mean of what the best responses to both strategies win; it is 0 in an
    equilibrium.

    \b
    Examples:
      pitboss lab solve kuhn
      pitboss lab solve leduc --iterations 5000 --json
      pitboss lab solve mygame.json --strategy
      pitboss lab mutate kuhn --seed 7 | pitboss lab solve -
    """
    game = read_game("solve", genome)
    try:
        with step_bars() as tell:
            solved = solve_game(game, iterations, suits=suits, progress=tell)
    except (SolverError, NotInstalled) as error:
        fail("lab solve", error)
    if as_json:
        echo(msgspec.json.encode(_as_json(solved, strategy)))
    else:
        _print(solved)
        if solved.strategy and (strategy or solved.information_sets <= FEW_SETS):
            _print_strategy(solved)


def _as_json(solved: Solution, strategy: bool) -> dict[str, Any]:
    """The JSON fields; the exact fraction is a text next to its decimal."""
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
    each = "chips per deal" if solved.unit == "chips" else "wins minus losses per deal"
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
    console.print(f"the value of the game is between {low:+.6f} and {high:+.6f}")


def _print_strategy(solved: Solution) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("what the seat has seen")
    table.add_column("what it does")
    for words, shares in solved.strategy.items():
        table.add_row(words, ", ".join([f"{move} {100 * share:.1f} %" for move, share in shares.items()]))
    screen(0).print(table)
