"""`pitboss lab compare`: two games side by side, rules in words and measures with their intervals."""

from typing import Any

import click
import msgspec
from rich import box
from rich.table import Table

from pitboss.cli.echo import echo
from pitboss.cli.lab.options import fail, read_game
from pitboss.cli.lab.report import GETTING_READY, said_later
from pitboss.cli.progress import print_table, progress, wrapped
from pitboss.fast.compiled import NotInstalled
from pitboss.lab.base.english import title
from pitboss.lab.genome.parts import Genome
from pitboss.lab.report.build import get_ready
from pitboss.lab.report.comparison import REPEATS, GameComparison, compare_games
from pitboss.lab.report.rules import label


@click.command(short_help="set two games side by side: rules in words, measures with intervals")
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@click.option("--games", default=50, show_default=True, type=click.IntRange(10), help=f"Played {REPEATS} times over.")
@click.option("--seed", default=0, show_default=True, type=int, help="The same seed gives the same figures.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def compare(one: str, other: str, games: int, seed: int, as_json: bool) -> None:
    """Say what B does differently from A, and measure both. A and B are known games' names, or files.

    A difference is clear if it would hardly ever come by chance: its 99 % interval leaves out 0.

    \b
    Examples:
      pitboss lab compare crazy_eights mau_mau
      pitboss lab compare found/games/dapper_swan.json leduc --json
    """
    first, second = read_game("compare", one), read_game("compare", other)
    try:
        with said_later(GETTING_READY):
            get_ready()
        with progress("measuring", 2 * REPEATS) as advance:
            found = compare_games(first, second, games=games, seed=seed, step=advance)
    except NotInstalled as error:
        fail("compare", error)
    if as_json:
        echo(msgspec.json.encode(_as_json(first, second, found)))
    else:
        _print(first, second, found)


def _as_json(one: Genome, other: Genome, found: GameComparison) -> dict[str, Any]:
    measures = {
        name: {
            "a": compared.one,
            "b": compared.other,
            "difference": compared.change.mean,
            "spread": compared.change.spread,
            "clear": compared.change.clear,
        }
        for name, compared in found.measures.items()
    }
    return {"a": one.name, "b": other.name, "rules": found.rules, "measures": measures}


def _print(one: Genome, other: Genome, found: GameComparison) -> None:
    if found.rules:
        echo(f"What {title(other.name)} does differently from {title(one.name)}:")
        for words in found.rules:
            echo(f"  {wrapped(words, indent=2)}")
    else:
        echo(f"{title(one.name)} and {title(other.name)} have the same rules.")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("measure")
    for name in (one.name, "95 %", other.name, "95 %", "difference"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("clear")
    for name, compared in found.measures.items():
        if not (compared.one.mean or compared.other.mean):
            continue
        cells = [text for side in (compared.one, compared.other) for text in (f"{side.mean:.2f}", _range(side))]
        change = f"{compared.change.mean:+.2f} ± {compared.change.spread:.2f}"
        table.add_row(label(name), *cells, change, "yes" if compared.change.clear else "")
    print_table(table)


def _range(side: Any) -> str:
    return f"{side.low:.2f} to {side.high:.2f}"
