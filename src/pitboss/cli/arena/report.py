"""`pitboss arena report`: what language models won, what they cost, and how often they failed."""

import sys
from pathlib import Path
from typing import Any

import click
import msgspec
from rich import box
from rich.table import Table

from pitboss.arena.agents.thoughts import ModelReport, load_thoughts, sum_up, thoughts_file
from pitboss.cli.output import count, echo, fail
from pitboss.cli.progress import print_table
from pitboss.cli.stats import Journals
from pitboss.errors import PitbossError
from pitboss.study.rows import Statistics
from pitboss.study.statistics import statistics


@click.command(short_help="sum up what language models won, cost and got wrong")
@click.argument("recorded", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per model, one per line.")
def report(recorded: Path, as_json: bool) -> None:
    """Sum up the answers of language models, and their winnings with a 95 % interval.

    RECORDED is the folder of `arena play --save`, or the journal of a server with models of the house. What the models
    thought is read from the file beside it, which only its owner can read.

    \b
    Examples:
      pitboss arena play llm:local tight --hands 50 --save games
      pitboss arena report games
      pitboss arena report pitboss.db --json
    """
    try:
        reports = sum_up(load_thoughts(recorded))
        if not reports:
            fail("arena report", f"{thoughts_file(recorded)}: no language model has answered here")
        hands = recorded / "hands.phhs" if recorded.is_dir() else recorded
        counted = statistics(Journals().replace([hands])) if hands.exists() else None
    except (PitbossError, OSError) as error:
        fail("arena report", error)
    rows = [_row(each, counted) for each in reports]
    if as_json:
        for row in rows:
            echo(msgspec.json.encode(row))
        return
    _print(rows)
    if counted is None:
        echo(f"{hands} is missing, so the winnings are not known", err=True)
        sys.exit(1)


def _row(model: ModelReport, counted: Statistics | None) -> dict[str, Any]:
    """Return the sums of a model, with its winnings."""
    found = None if counted is None else next((row for row in counted if row.player == model.name), None)
    hands = len(model.hands) if found is None else found.hands
    return {
        "name": model.name,
        "hands": hands,
        "bb_per_100": None if found is None else found.bb_per_100,
        "low": None if found is None else found.bb_per_100_low,
        "high": None if found is None else found.bb_per_100_high,
        "answers": model.answers,
        "illegal": model.illegal,
        "fallbacks": model.fallbacks,
        "ms_per_answer": round(model.ms / model.answers),
        "tokens_in": model.tokens_in,
        "tokens_out": model.tokens_out,
        "usd": round(model.usd, 6),
        "usd_per_hand": round(model.usd / max(1, hands), 6),
    }


def _print(rows: list[dict[str, Any]]) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("model", overflow="fold")
    for heading in ("hands", "bb/100", "from – to", "answers", "illegal", "fallbacks", "s each", "tokens", "USD/hand"):
        table.add_column(heading, justify="right")
    for row in rows:
        rate, low, high = row["bb_per_100"], row["low"], row["high"]
        table.add_row(
            row["name"],
            f"{row['hands']:,}",
            "–" if rate is None else f"{float(rate):+.1f}",
            "–" if low is None else f"{float(low):+.1f} – {float(high):+.1f}",
            f"{row['answers']:,}",
            f"{row['illegal']:,}",
            f"{row['fallbacks']:,}",
            f"{row['ms_per_answer'] / 1000:.1f}",
            f"{row['tokens_in']:,} + {row['tokens_out']:,}",
            f"{row['usd_per_hand']:.4f}",
        )
    print_table(table)
    echo(f"{count(len(rows), 'model')}; the interval has 95 %")
