"""The command: measure, print, and fail below the goal."""

import datetime as dt
import sys

import click
import msgspec
from rich.console import Console

from benchmarks.measuring import GOAL, RECORDED, measure
from benchmarks.page import PAGE, machine, table, written
from benchmarks.players import DIFFERENCES


@click.command()
@click.option("--rounds", default=11, show_default=True, type=click.IntRange(1), help="Rounds, each library in turn.")
@click.option("--hands", default=2000, show_default=True, type=click.IntRange(2), help="Hands a round, pitboss.")
@click.option(
    "--pokerkit-hands", default=150, show_default=True, type=click.IntRange(2), help="Hands a round, PokerKit."
)
@click.option(
    "--evaluations", default=50_000, show_default=True, type=click.IntRange(1), help="Holdings ranked a round."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--write", is_flag=True, help=f"Write {PAGE.parent.name}/{PAGE.name}.")
def main(rounds: int, hands: int, pokerkit_hands: int, evaluations: int, as_json: bool, write: bool) -> None:
    """Measure pitboss against PokerKit, and by itself.

    Exits with 1 where pitboss plays fewer times PokerKit's hands than the goal, or where the two play hands of
    different length, so that nothing was compared.

    \b
    Examples:
      make bench
      make bench ARGS="--rounds 21 --json"
      make bench ARGS=--write
    """
    report = measure(
        rounds=rounds, hands=hands, pokerkit_hands=pokerkit_hands, evaluations=evaluations, recorded=RECORDED
    )
    if as_json:
        click.echo(msgspec.json.encode({"goal": GOAL, "machine": machine(), **msgspec.to_builtins(report)}))
    else:
        console = Console()
        console.print(table(report))
        for difference in DIFFERENCES:
            console.print(f"- {difference}")
    if report.replay is None:
        click.echo(f"recorded hands not measured: {RECORDED.name} is absent", err=True)
    if write:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(written(report, dt.date.today()), encoding="utf-8")
    if not report.play.similar:
        click.echo("the two play hands of different length: their policies are not the same", err=True)
        sys.exit(1)
    if report.play.ratio.median < GOAL:
        click.echo(f"{report.play.ratio.median:.1f} times PokerKit's hands; the goal is {GOAL}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
