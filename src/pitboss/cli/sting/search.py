"""`pitboss sting search`: search for better weights of the best policy."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import click
import msgspec

from pitboss.cli.output import echo, fail
from pitboss.cli.progress import progress
from pitboss.cli.sting.options import deck_option, difficulty_option
from pitboss.sting.cards import CardsError, default_cards
from pitboss.sting.search import GOALS, Found, RunSetting
from pitboss.sting.search import search as look


@click.command(short_help="search for a better policy")
@click.option("--generations", type=click.IntRange(1, 1000), default=6, show_default=True, help="Generations.")
@click.option(
    "--children", type=click.IntRange(1, 1000), default=16, show_default=True, help="Candidates per generation."
)
@click.option("--runs", type=click.IntRange(2), default=40, show_default=True, help="Runs to judge each candidate.")
@click.option("--goal", type=click.Choice(list(GOALS)), default="cash", show_default=True, help="What to maximise.")
@click.option("--seed", default=1, show_default=True, help="Seed of the search and of all runs.")
@deck_option
@difficulty_option
@click.option("--jobs", type=click.IntRange(1, 256), default=2, show_default=True, help="Number of processes.")
@click.option("--json", "as_json", is_flag=True, help="Print the best as one JSON object.")
def search(
    generations: int,
    children: int,
    runs: int,
    goal: str,
    seed: int,
    deck: str | None,
    difficulty: str | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Vary the weights of `sharp`, keep the best, and judge the last generation on new runs.

    It shows whether any policy survives forever or wins nine runs of ten.

    \b
    Examples:
      pitboss sting search --goal wins --difficulty easy
      pitboss sting search --generations 12 --deck kingpin --difficulty hard --json
    """
    cards = default_cards()
    try:
        setting = RunSetting(deck or next(iter(cards.decks["player"])), cards.difficulty(difficulty).name)
        cards.deck("player", setting.deck)
    except CardsError as error:
        fail("sting search", error)
    best: Found | None = None
    with (
        ProcessPoolExecutor(jobs, get_context("spawn")) as pool,
        progress("searching", total=generations + 1) as advance,
    ):
        for found in look(
            [setting], generations=generations, children=children, runs=runs, seed=seed, goal=GOALS[goal], pool=pool
        ):
            best = found[0]
            advance()
    assert best is not None
    if as_json:
        echo(msgspec.json.encode(best))
        return
    echo(f"The best of {generations} generations with {setting.deck}, {setting.difficulty}, on new runs:")
    shares = f"wins {100 * best.wins:.1f} %, folds {100 * best.folds:.1f} %"
    echo(f"  cash {best.cash:.0f}, {shares}, {best.hands:.1f} hands per run")
    for name, value in msgspec.to_builtins(best.weights).items():
        echo(f"  {name} {value:.3g}")
