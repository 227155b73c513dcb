"""`pitboss sting simulate`, `search`, `script` and `tables`: the commands that study the game."""

import inspect
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from math import isfinite
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click
import msgspec
from click.core import ParameterSource
from rich import box
from rich.table import Table

from pitboss.cli.output import count, echo, fail
from pitboss.cli.progress import progress, screen
from pitboss.cli.sting.options import (
    ORDERS,
    answers_option,
    cards_option,
    deck_option,
    difficulty_option,
    narc_option,
    read_answers,
    read_cards,
    variation_options,
)
from pitboss.sting.cards import CardsError, Role, default_cards
from pitboss.sting.experiments import ExperimentSizes, parts_of, write_tables
from pitboss.sting.hand import Variation
from pitboss.sting.policies import PLAYERS, RUN_PLAYERS
from pitboss.sting.script import ScriptError, play_script, read_script
from pitboss.sting.sharp import GOALS, Found, RunSetting
from pitboss.sting.sharp import search as look
from pitboss.sting.simulate import (
    BLOCK,
    RUN_BLOCK,
    Average,
    Experiment,
    PolicyResult,
    RunExperiment,
    RunResult,
    Share,
    UnknownPolicy,
    blocks,
    simulate_runs,
)
from pitboss.sting.simulate import simulate as play_all

ABOUT = (
    "\b\nPolicies:\n"
    + "\n".join(f"  {name:<13} {inspect.getdoc(play)}" for name, play in PLAYERS.items())
    + "\n\n\b\nPolicies for runs only:\n"
    + "\n".join(f"  {name:<13} {inspect.getdoc(play)}" for name, play in RUN_PLAYERS.items() if name not in PLAYERS)
)
HANDS = ("win %", "bust %", "fold %", "paid %", "profit", "Heat", "cards")
RUNS = ("cash", "hands", "win %", "bust %", "caught %", "alive %", "fold %", "bought")


@click.command(short_help="compare policies over many hands or runs", epilog=ABOUT)
@click.option("--player", "--policy", "player", metavar="POLICY", help="Play only this policy.")
@click.option("--hands", type=click.IntRange(1, 100_000_000), help="Play this many single hands per policy.")
@click.option("--run", "whole_runs", is_flag=True, help="Play runs instead of single hands.")
@click.option("--runs", type=click.IntRange(1, 10_000_000), default=1000, show_default=True, help="Runs per policy.")
@click.option("--seed", default=0, show_default=True, type=int, help="Seed of all hands.")
@deck_option
@narc_option
@difficulty_option
@variation_options
@answers_option
@cards_option
@click.option("--jobs", type=click.IntRange(1, 256), help="Number of processes; it does not change the result.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per policy.")
def simulate(
    player: str | None,
    hands: int | None,
    whole_runs: bool,
    runs: int,
    seed: int,
    deck: str | None,
    narc: str | None,
    difficulty: str | None,
    rounds: int,
    order: str,
    no_last_word: bool,
    answers: str | None,
    cards_file: str | None,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Compare policies on the same deals, in single hands or, with --run, in runs.

    Below each figure is its 95 % interval. Single hands are the printed game: profit, Heat and cards are means per
    hand, and paid is the share of hands with a profit. In runs, cash, hands and bought cards are means, fold is a share
    of all hands, and alive is the share of runs that were not over after 300 hands.

    \b
    Examples:
      pitboss sting simulate --hands 100000 --seed 1
      pitboss sting simulate --run --runs 1000 --difficulty hard --player sharp
      pitboss sting simulate --hands 20000 --player counter --no-last-word
      pitboss sting simulate --hands 20000 --player counter --rounds 2 --order customer,player,narc --json
    """
    cards = read_cards("simulate", cards_file)
    variation = Variation(rounds=rounds, opener=ORDERS[order], last_word=not no_last_word)
    setting: dict[str, Any] = {
        "seed": seed,
        "deck": deck or next(iter(cards.decks["player"])),
        "narc": narc or next(iter(cards.decks["narc"])),
        "answers": read_answers(answers).name.lower(),
    }
    setting |= {"rounds": rounds} if rounds != 3 else {}
    setting |= {"order": order} if ORDERS[order] else {}
    setting |= {"last word": "none"} if no_last_word else {}
    _check_options(hands, whole_runs, difficulty)
    results: Sequence[PolicyResult | RunResult]
    players = [player] if player is not None else list(RUN_PLAYERS if whole_runs else PLAYERS)
    number, size = (runs, RUN_BLOCK) if whole_runs else (hands or 0, BLOCK)
    title = f"{count(number, 'run' if whole_runs else 'hand')} of sting by each policy"
    how: dict[str, Any] = {"answers": read_answers(answers), "variation": variation, "seed": seed}
    try:
        names: dict[Role, str] = {"player": setting["deck"], "narc": setting["narc"]}
        with progress("playing", total=len(blocks(players, number, size))) as advance:
            if whole_runs:
                setting["difficulty"] = cards.difficulty(difficulty).name
                game = RunExperiment(cards=cards, decks=names, difficulty=setting["difficulty"], **how)
                results = simulate_runs(game, players, runs, jobs=jobs, advance=advance)
            else:
                printed = Experiment.of(cards, deck=names["player"], narc=names["narc"], **how)
                results = play_all(printed, players, number, jobs=jobs, advance=advance)
    except (CardsError, UnknownPolicy) as error:
        whole = "" if whole_runs or player not in RUN_PLAYERS else f"; {player} plays only runs: add --run"
        fail("sting simulate", f"{error}{whole}")
    if as_json:
        for result in results:
            echo(msgspec.json.encode({**msgspec.to_builtins(result), **setting}))
    else:
        print_results(results, f"{title}, {', '.join(f'{name} {value}' for name, value in setting.items())}")


def _check_options(hands: int | None, whole_runs: bool, difficulty: str | None) -> None:
    """Raise `UsageError` for options of single hands with --run, or of runs without it."""
    if whole_runs:
        if hands is not None:
            raise click.UsageError("--hands is for single hands: with --run, give the number of runs with --runs")
        return
    if hands is None:
        raise click.UsageError("give the number of hands with --hands, or play runs with --run")
    if click.get_current_context().get_parameter_source("runs") is not ParameterSource.DEFAULT:
        raise click.UsageError("--runs needs --run")
    if difficulty is not None:
        raise click.UsageError("--difficulty needs --run: single hands are the printed game")


# --- output


def print_results(results: Sequence[PolicyResult | RunResult], title: str) -> None:
    """Print a table with one row per policy."""
    caption = "below each figure: its 95 % interval"
    table = Table(title=title, title_justify="left", caption=caption, caption_justify="left")
    table.box, table.pad_edge = box.SIMPLE_HEAD, False
    table.add_column("policy", no_wrap=True)
    for heading in RUNS if isinstance(results[0], RunResult) else HANDS:
        table.add_column(heading, justify="right")
    for result in sorted(results, key=lambda each: -(each.cash if isinstance(each, RunResult) else each.profit).mean):
        table.add_row(result.player, *[_figure(*figure) for figure in figures(result)])
    screen(0, piped=120).print(table)


def figures(result: PolicyResult | RunResult) -> list[tuple[float, float, float]]:
    """Return the figures of a row, each with its interval; shares are in per cent."""
    shown: tuple[Share | Average, ...]
    if isinstance(result, RunResult):
        r = result
        shown = (r.cash, r.hands, r.win, r.bust, r.caught, r.alive, r.fold, r.bought)
    else:
        shown = (result.win, result.bust, result.fold, result.paid, result.profit, result.heat, result.cards)
    return [
        (100 * each.rate, 100 * each.low, 100 * each.high)
        if isinstance(each, Share)
        else (each.mean, each.low, each.high)
        for each in shown
    ]


def _figure(value: float, low: float, high: float) -> str:
    """Format a figure, with its interval below if it has one."""
    return f"{value:.1f}\n{low:.1f} – {high:.1f}" if isfinite(high - low) else f"{value:.1f}"


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


@click.command(short_help="play one hand from given cards, as JSON")
@click.argument("file", type=click.Path(), default="-")
@answers_option
@cards_option
def script(file: str, answers: str | None, cards_file: str | None) -> None:
    """Play one hand from a script. Prints one JSON object per line: the deal, then each action.

    FILE is the script; the default, -, is standard input.

    The script is one object: "deal" lists each deck from its top, and "actions" lists the actions. A refused action
    prints "ok": false and the reason, changes nothing, and the script goes on. Exits with 1 if the script is not valid.

    \b
    Examples:
      pitboss sting script deal.json
      echo '{"deal": {"narc": ["Patrol", "Patrol", "Patrol"], "customer": [], "player": ["Weed", "Alibi"]},
             "actions": ["narc check", "player raise Alibi", "player check", "continue"]}' | pitboss sting script
    \b
    Actions: NAME check, NAME raise CARD, NAME fold, where NAME is narc, customer or player; at a decision point
    continue or fold. Optional fields: "heat" and "cash" before the hand, and "answers".
    """
    cards = read_cards("script", cards_file)
    try:
        given = read_script(_read(file), cards)
    except ScriptError as error:
        fail("sting script", error)
    except OSError as error:
        fail("sting script", f"{file} cannot be read: {error.strerror or error}")
    if None not in (answers, given.answers) and answers != given.answers:
        fail(
            "sting script",
            f"answers: the script has {given.answers!r} and --answers has {answers!r}; leave one of them out",
        )
    for line in play_script(given, cards, read_answers(answers)):
        echo(msgspec.json.encode(line))


def _read(file: str) -> bytes:
    if file != "-":
        return Path(file).read_bytes()
    return sys.stdin.buffer.read() if sys.stdin else b""


@click.command(short_help="update the tables of docs/sting.md")
@click.argument("page", type=click.Path(path_type=Path))
@click.option("--hands", type=click.IntRange(2), default=20_000, show_default=True, help="Hands per row.")
@click.option("--runs", type=click.IntRange(2), default=400, show_default=True, help="Runs per row.")
@click.option("--seed", default=1, show_default=True, help="Seed of all tables.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Number of processes; it does not change the result.")
@click.option("--write", is_flag=True, help="Write the page instead of printing it.")
def tables(page: Path, hands: int, runs: int, seed: int, jobs: int | None, write: bool) -> None:
    """Update the tables of a page by playing all experiments again.

    PAGE is docs/sting.md. Each table is between <!-- begin NAME --> and <!-- end NAME -->.

    \b
    Examples:
      pitboss sting tables docs/sting.md --write
      pitboss sting tables docs/sting.md --runs 50 --hands 1000
    """
    try:
        text = page.read_text(encoding="utf-8")
    except OSError as error:
        fail("sting tables", f"{page} cannot be read: {error.strerror or error}")
    except UnicodeError:
        fail("sting tables", f"{page} cannot be read: it is not UTF-8 text")
    if not parts_of(text):
        fail("sting tables", f"{page} has no tables: mark one with <!-- begin runs --> and <!-- end runs -->")
    sizes = ExperimentSizes(hands=hands, runs=runs, seed=seed, jobs=jobs)
    with progress("updating tables", total=len(parts_of(text))) as advance:
        made = write_tables(text, default_cards(), sizes, advance)
    if not write:
        echo(made, nl=False)
        return
    try:
        page.write_text(made, encoding="utf-8")
    except OSError as error:
        fail("sting tables", f"{page} cannot be written: {error.strerror or error}")
