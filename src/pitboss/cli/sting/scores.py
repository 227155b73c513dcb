"""`pitboss sting scores`: the best runs that were played to their end, by deck and difficulty."""

from pathlib import Path

import click
import msgspec
from rich import box
from rich.table import Table

from pitboss.cli.output import echo, fail
from pitboss.cli.progress import screen
from pitboss.cli.sting.playthrough import SCORES, home, load_scores
from pitboss.sting.events import Ending
from pitboss.sting.scores import Score, ScoresError, best_scores

ENDED: dict[Ending, str] = {"target": "won", "night_over": "short of it", "busted": "busted", "caught": "caught"}


@click.command(short_help="show the best runs, by deck and difficulty")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with every kept run.")
def scores(file: Path | None, as_json: bool) -> None:
    """Show the best runs of `pitboss sting play`, by deck and difficulty.

    They are kept beside the saved run, in sting-scores.json: in your settings folder, or where --save FILE lies.
    Runs with other cards than the game's own are not kept.

    \b
    Examples:
      pitboss sting scores
      pitboss sting scores --json
      pitboss sting scores games/sting-scores.json
    """
    if file is not None and not file.exists():
        fail("sting scores", f"{file} cannot be read: there is no such file")
    try:
        found = load_scores(file or home() / SCORES)
    except ScoresError as error:
        fail("sting scores", error)
    if as_json:
        echo(msgspec.json.encode({"scores": found}))
    elif not found:
        echo("No run has been played to its end yet: pitboss sting play")
    else:
        screen(0, piped=100).print(_table(found))


def _table(found: tuple[Score, ...]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("difficulty", "deck"):
        table.add_column(heading, no_wrap=True)
    for heading in ("cash", "hands", "hints"):
        table.add_column(heading, justify="right")
    table.add_column("end", no_wrap=True)
    table.add_column("seed", justify="right")
    for (deck, difficulty), best in best_scores(found).items():
        for place, each in enumerate(best):
            named = (difficulty, deck) if place == 0 else ("", "")
            figures = (str(each.cash), str(each.hands), str(each.hints))
            table.add_row(*named, *figures, ENDED[each.ending], str(each.seed))
    return table
