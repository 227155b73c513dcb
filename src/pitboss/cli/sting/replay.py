"""`pitboss sting replay` and `scores`: saved runs step by step, and the best results."""

from pathlib import Path

import click
import msgspec
from rich import box
from rich.table import Table

from pitboss.cli.output import echo, fail
from pitboss.cli.progress import screen
from pitboss.cli.sting.playthrough import SCORES, home, load_scores
from pitboss.sting.events import Ending, RunEvent, format_action
from pitboss.sting.run import Run, view_events
from pitboss.sting.saves import SaveError, Score, ScoresError, best_scores, replay_save
from pitboss.sting.text import amount, format_event

ENDED: dict[Ending, str] = {"target": "won", "night_over": "missed", "busted": "busted", "caught": "caught"}


@click.command(short_help="replay a saved run step by step")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with every step.")
def replay(file: Path, as_json: bool) -> None:
    """Replay a saved run and print everything that happened.

    FILE was saved by `pitboss sting play`. Opponents' cards are shown once the run is over.

    \b
    Examples:
      pitboss sting replay my.json
      pitboss sting replay my.json --json
    """
    try:
        steps = replay_save(file.read_bytes())
    except OSError as error:
        fail("sting replay", f"{file} cannot be read: {error.strerror or error}")
    except SaveError as error:
        fail("sting replay", f"{file} cannot be replayed: {error}")
    if not steps[-1][0].over:
        steps = [(run, view_events(events)) for run, events in steps]
    moves = [format_action(action) for action in steps[-1][0].actions]
    if as_json:
        echo(msgspec.json.encode(_summary(steps, moves)))
        return
    run = steps[0][0]
    echo(f"Deck {run.decks['player']}, difficulty {run.difficulty.name}, seed {run.seed}.")
    for number, (_, events) in enumerate(steps):
        if number:
            echo(f"> {moves[number - 1]}")
        for event in events:
            if line := format_event(event):
                echo(line)
    last = steps[-1][0]
    if not last.over:
        echo(f"The run is not over: hand {last.number}, Heat {last.current_heat}, cash {amount(last.cash)}.")


def _summary(steps: list[tuple[Run, tuple[RunEvent, ...]]], moves: list[str]) -> dict[str, object]:
    first, last = steps[0][0], steps[-1][0]
    return {
        "seed": first.seed,
        "deck": first.decks["player"],
        "narc": first.decks["narc"],
        "difficulty": first.difficulty.name,
        "answers": first.answers.name.lower(),
        "ending": last.ending,
        "cash": last.cash,
        "heat": last.current_heat,
        "hands": last.number,
        "steps": [
            {
                "move": moves[number - 1] if number else None,
                "hand": run.number,
                "heat": run.current_heat,
                "cash": run.cash,
                "events": [msgspec.to_builtins(event) for event in events],
            }
            for number, (run, events) in enumerate(steps)
        ],
    }


@click.command(short_help="show the best runs by deck and difficulty")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with every kept run.")
def scores(file: Path | None, as_json: bool) -> None:
    """Show the best runs by deck and difficulty.

    Scores are kept in sting-scores.json next to the saved run: in your settings folder, or in the folder of --save
    FILE. Runs with other cards have no score.

    \b
    Examples:
      pitboss sting scores
      pitboss sting scores --json
      pitboss sting scores games/sting-scores.json
    """
    if file is not None and not file.exists():
        fail("sting scores", f"{file} cannot be read: No such file or directory")
    try:
        found = load_scores(file or home() / SCORES)
    except ScoresError as error:
        fail("sting scores", error)
    if as_json:
        echo(msgspec.json.encode({"scores": found}))
    elif not found:
        echo("No run is finished yet. Play one with: pitboss sting play")
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
