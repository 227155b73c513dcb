"""`pitboss arena compete`: a competition of many bots, with a report, continued after a crash."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from pitboss.arena.bots.namespaces import TRUSTED, Sandbox, find_sandbox
from pitboss.arena.bots.sandbox import hide_arguments
from pitboss.cli.arena.options import bot_limits, memory_option, models_option, trust_option
from pitboss.cli.output import count, echo, fail, program
from pitboss.cli.progress import print_table
from pitboss.competitions.competition import RESTARTS, Competition, begin, check_bots, finish, held, hidden_paths
from pitboss.competitions.matches import BotHost, play_match
from pitboss.competitions.outcome import standings_of
from pitboss.competitions.plan import CompetitionError, load_plan, make_plan
from pitboss.competitions.results import CompetitionResult, MatchResult, ResultsError
from pitboss.competitions.settings import (
    EXAMPLE,
    CompetitionFile,
    CompetitionFileError,
    folder_settings,
    read_settings,
)
from pitboss.fast.threads import available_cores
from pitboss.jobs.pool import WorkersError, check_ray, worker_pool
from pitboss.printing import printable

COMMAND = "arena compete"
SECONDS_A_LINE = 10.0
"""Without a terminal, a line of progress is printed at most once in this many seconds."""


@click.command(short_help="run a competition of many bots, with a report")
@click.argument("source", metavar="FILE|FOLDER", type=click.Path(path_type=Path))
@click.option("--out", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), help="Folder of the results.")
@click.option("--new", is_flag=True, help="Write FILE with an example that runs as it is, and stop.")
@click.option(
    "--workers",
    default=available_cores(),
    show_default="all processors",
    type=click.IntRange(1, 1024),
    help="Processes that play matches. The results do not depend on it.",
)
@click.option("--ray", default=None, metavar="ADDRESS", help="Ray cluster that plays the matches: auto, or HOST:PORT.")
@models_option
@memory_option
@trust_option
@click.option("--json", "as_json", is_flag=True, help="Print results.json.")
def compete(
    source: Path,
    out: Path | None,
    new: bool,
    workers: int,
    ray: str | None,
    models: Path,
    memory_mib: int,
    trust_bots: bool,
    as_json: bool,
) -> None:
    """Run a competition and write its report to DIR.

    FILE has the form, the game and the entrants; --new writes an example with all settings. With a FOLDER, all Python
    bots in it play a duplicate round robin: 1,000 hands per pair, one second per answer.

    DIR gets index.html (the report), results.json, results.csv, the journals of all matches and each bot's log. After
    Ctrl-C or a crash, run the same command again: finished matches are kept, and the result is the same. Handed-in bots
    run in a sandbox, which is tested first.

    \b
    Examples:
      pitboss arena compete --new cup.toml
      pitboss arena compete cup.toml --out cup
      pitboss arena compete handed-in --out cup --workers 8
      pitboss arena verify cup
    """
    hide_arguments(f"pitboss {COMMAND}")
    try:
        if new:
            _write_example(source)
            return
        if out is None:
            raise click.UsageError("give a folder for the results: --out DIR")
        file = folder_settings(source) if source.is_dir() else read_settings(source)
        with held(out):
            competition, results = _run(
                file, source, out, workers, ray, models.resolve(), memory_mib, trusted=trust_bots
            )
    except CompetitionFileError as error:
        raise click.UsageError(printable(str(error))) from None
    except (CompetitionError, ResultsError, WorkersError, OSError) as error:
        fail(COMMAND, error)
    except KeyboardInterrupt:
        echo(f"interrupted: finished matches are in {out}; the same command continues", err=True)
        sys.exit(130)
    if as_json:
        echo(msgspec.json.encode(results))
    else:
        _print(results, {each.name: each.further_hands for each in standings_of(competition.record())}, out)


def _write_example(file: Path) -> None:
    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write(EXAMPLE)
    except FileExistsError:
        raise CompetitionError(f"{file} already exists and was not changed") from None
    echo(f"{file}: run it with {program()} arena compete {file} --out {file.stem}", err=True)


def _run(
    file: CompetitionFile,
    source: Path,
    out: Path,
    workers: int,
    ray: str | None,
    models: Path,
    memory_mib: int,
    *,
    trusted: bool,
) -> tuple[Competition, CompetitionResult]:
    if ray is not None:
        check_ray(ray)
    foreign = any(entrant.kind in ("path", "command") for entrant in file.settings.entrants)
    sandbox, notices = _sandbox(foreign=foreign, trusted=trusted)
    host = BotHost(
        sandbox=sandbox,
        limits=bot_limits(memory_mib),
        hidden=hidden_paths(file.settings, out, *([] if source.is_dir() else [source])),
        models=str(models),
    )
    old = load_plan(out)
    plan = make_plan(file.settings, old, out, trusted=trusted and foreign, notices=notices)
    check_bots(file, host)
    competition = begin(out, plan, host)
    if old is not None:
        echo(f"{out} has a competition that began earlier: continuing it", err=True)
    with worker_pool(play_match, workers, ray, piece=1, restarts=RESTARTS) as play, _following(competition) as watch:
        competition.run(play, watch)
    return competition, finish(competition)


def _sandbox(*, foreign: bool, trusted: bool) -> tuple[Sandbox, list[str]]:
    """Return the sandbox for handed-in bots, and what it does not enforce, which is printed."""
    if not foreign:
        return TRUSTED, []
    if trusted:
        notices = ["--trust-bots: the sandbox was switched off"]
        sandbox = TRUSTED
    else:
        found = find_sandbox()
        notices = [f"not enforced here: {layer}" for layer in found.layers if not layer.enforced]
        sandbox = found if found.starts else TRUSTED
    for notice in notices:
        echo(f"{COMMAND}: warning: {notice}", err=True)
    return sandbox, notices


@contextmanager
def _following(competition: Competition) -> Iterator[Callable[[MatchResult], object]]:
    """Show the progress: a bar with the time left on a terminal, or a line from time to time."""
    console, total = Console(stderr=True), competition.total
    if console.is_terminal:
        columns = (TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("matches", total=total)
            yield lambda _: bar.advance(task)
        return
    begun = shown = time.monotonic()
    done = played = 0

    def line(match: MatchResult) -> None:
        nonlocal done, played, shown
        done += 1
        now = time.monotonic()
        played += 1
        if now - shown >= SECONDS_A_LINE:
            shown = now
            left = (now - begun) / played * (total - done)
            echo(f"{done} of {total} matches; {left:.0f} s left", err=True)

    yield line


def _print(results: CompetitionResult, further: Mapping[str, int | None], out: Path) -> None:
    table = Table()
    for heading in ("#", "name", "bb/100", "95 %", "hands", "faults", "to decide"):
        table.add_column(heading, justify="left" if heading == "name" else "right", overflow="fold")
    for entrant in results.entrants:
        low, high, more = entrant.low, entrant.high, further[entrant.name]
        table.add_row(
            results.places_of(entrant),
            entrant.name,
            f"{entrant.bb_per_100:+,.1f}",
            "–" if low is None or high is None else f"{low:+,.0f} to {high:+,.0f}",
            f"{entrant.hands:,}",
            f"{entrant.illegal + entrant.timeouts + entrant.crashes:,}",
            "" if not entrant.tied_with else "–" if more is None else f"{more:,}",
        )
    print_table(table)
    if any(entrant.tied_with for entrant in results.entrants):
        echo("Places such as 2–3 cannot be told apart; to decide: about so many more hands per match, – if unknown.")
    if any(entrant.illegal + entrant.timeouts + entrant.crashes for entrant in results.entrants):
        echo("Faults are illegal answers, late answers and crashes; the report counts them apart.")
    echo(f"{count(results.hands, 'hand')}; the report is in {out / 'index.html'}")
