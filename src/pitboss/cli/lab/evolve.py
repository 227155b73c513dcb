"""`pitboss lab evolve`: evolve new games over generations into a map, in a folder."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec
from click.core import ParameterSource
from msgspec.structs import replace
from rich import box
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from pitboss.cli.output import count, echo, fail
from pitboss.cli.progress import print_leading, print_table
from pitboss.errors import PitbossError
from pitboss.fast.threads import available_cores
from pitboss.jobs.pool import WorkersError, check_ray
from pitboss.lab.evolution.archive import (
    ARCHIVE,
    GAMES,
    SIZE,
    EvolutionError,
    GameArchive,
    Recipe,
    game_file,
    has_run,
    keep_games,
    open_archive,
    prepare_folder,
    read_archive,
    set_archive_aside,
    write_archive,
)
from pitboss.lab.evolution.constraints import BETTING, TYPES
from pitboss.lab.evolution.map import AXES
from pitboss.lab.evolution.run import EvolutionRun, RunProgress, worker_pool
from pitboss.lab.evolution.styles import STYLES, Lesson, learn_weights, style_named
from pitboss.lab.files import load
from pitboss.lab.measures.measure import measure

SHOWN = ("skill", "mattered", "tension", "comeback", "interaction", "bluffs")
SECONDS_A_LINE = 10.0
PICTURES_A_SECOND = 4
SHADES = ((0.75, "█", "green"), (0.65, "▓", "green"), (0.5, "▒", "yellow"), (0.0, "░", "red"))
MOST_SHOWN = 10
DEFAULT = Recipe()
OWN_FOLDER = "here"
ABOUT = f"\b\nAxes: {', '.join(AXES)}.\nStyles: {', '.join(STYLES)}.\n\nTypes of parts: {', '.join(TYPES)}."


def run_and_save(
    archive: GameArchive, *, workers: int, ray: str | None, keep: Callable[[GameArchive], None]
) -> tuple[bool, EvolutionError | None]:
    """Run to the end and save each generation; returns whether the run finished, and the error if there was one."""
    try:
        if archive.finished:
            return True, None
        console = Console(stderr=True)
        measure(load("kuhn"), games=4)  # compiles once, before the workers start
        with worker_pool(workers, ray) as judges:
            run = EvolutionRun(archive, judges)
            with_picture(run, console, keep) if console.is_terminal else with_lines(run, keep)
    except KeyboardInterrupt:
        return False, None
    except EvolutionError as error:
        return False, error
    return True, None


def with_lines(run: EvolutionRun, keep: Callable[[GameArchive], None]) -> None:
    """Run and print a line at the start, every few seconds, and at the end."""
    clock, last = RunPace(run.archive), time.monotonic()

    def tell(glance: RunProgress) -> None:
        nonlocal last
        if glance.births:
            return
        keep(glance.archive)
        first, now = glance.archive.generation == 0, time.monotonic()
        if first or glance.archive.finished or now - last > SECONDS_A_LINE:
            last = now
            echo(clock.line(glance.archive), err=True)

    run.run(tell)


def with_picture(run: EvolutionRun, console: Console, keep: Callable[[GameArchive], None]) -> None:
    """Run and draw the map a few times per second."""
    clock = RunPace(run.archive)
    with Live(
        picture(RunProgress(archive=run.archive), clock), console=console, auto_refresh=False, transient=True
    ) as live:
        last = 0.0

        def show(glance: RunProgress) -> None:
            nonlocal last
            if not glance.births:
                keep(glance.archive)
            if time.monotonic() - last > 1 / PICTURES_A_SECOND:
                last = time.monotonic()
                live.update(picture(glance, clock), refresh=True)

        run.run(show)


class RunPace:
    """The speed of a run and the time that it still needs."""

    def __init__(self, archive: GameArchive) -> None:
        self.begun, self.first, self.judged = time.monotonic(), archive.generation, archive.judged
        self.cells_before = len(archive.cells)

    def pace(self, archive: GameArchive, under_way: int = 0) -> str:
        """Games judged per second, in words."""
        done = archive.judged - self.judged + under_way
        return f"{count(round(done / max(0.001, time.monotonic() - self.begun)), 'game')} judged per second"

    def left(self, archive: GameArchive) -> str:
        """The time left, in words."""
        done = archive.generation - self.first
        if done < 1:
            return "unknown time"
        seconds = (time.monotonic() - self.begun) / done * (archive.recipe.generations - archive.generation)
        return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"

    def line(self, archive: GameArchive) -> str:
        """The progress in one line; if the map has fewer cells than in the last line, with the reason."""
        best = max(archive.cells, key=lambda cell: cell.worth, default=None)
        betting = len([1 for cell in archive.cells if cell.genome.betting_phases])
        fewer, self.cells_before = self.cells_before - len(archive.cells), len(archive.cells)
        why = f" ({fewer} fewer: better similar games replaced them)" if fewer > 0 else ""
        cells = count(len(archive.cells), "cell")
        text = f"generation {archive.generation} of {archive.recipe.generations}: {cells}{why}, "
        text += f"{betting} with betting, {self.pace(archive)}, {self.left(archive)} left"
        return f"{text}; best {best.name} {best.worth:.2f}" if best else text


def picture(glance: RunProgress, clock: RunPace) -> RenderableType:
    """The progress, and below it the map next to the best games by measure, which a small window may cut off."""
    archive = glance.archive
    under_way = f", {glance.under_way} of {glance.births} births" if glance.births else ""
    above = f"generation {max(0, archive.generation)} of {archive.recipe.generations}{under_way}; "
    above += f"{clock.pace(archive, glance.under_way)}; {clock.left(archive)} left; Ctrl-C stops and keeps the map"
    up, right = archive.recipe.axes
    axes = f"↑ {up}: {AXES[up].says}   → {right}: {AXES[right].says}"
    sides = Table.grid(padding=(0, 2))
    sides.add_column(no_wrap=True)
    sides.add_row(map_text(archive), best_table(archive))
    return Group(Text(above), Text(axes, style="dim"), sides)


def map_text(archive: GameArchive) -> Text:
    """The map with the first axis upwards and the second to the right; fuller cells are worth more."""
    held = {cell.cell: cell for cell in archive.cells}
    text = Text(no_wrap=True)
    for row in reversed(range(SIZE)):
        text.append("│")
        for column in range(SIZE):
            cell = held.get((row, column))
            if cell is None:
                text.append(" ·", style="dim")
            else:
                _, shade, colour = next(one for one in SHADES if cell.worth >= one[0])
                text.append(f" {shade}", style=colour if cell.genome.betting_phases else f"{colour} dim")
        text.append("\n")
    text.append(f"└{'──' * SIZE}")
    return text


def best_table(archive: GameArchive) -> Table:
    """The best game by each measure."""
    betting = len([1 for cell in archive.cells if cell.genome.betting_phases])
    title = f"{len(archive.cells)} of {SIZE * SIZE} cells, {betting} with betting"
    table = Table(title=title, box=None, pad_edge=False, min_width=len(title))
    for heading in ("measure", "best", "game"):  # in a narrow window names are cut, but not figures
        table.add_column(heading, justify="right" if heading == "best" else "left", no_wrap=heading != "game")
    table.columns[-1].overflow = "ellipsis"
    if archive.cells:
        top = max(archive.cells, key=lambda cell: cell.worth)
        table.add_row("worth", f"{top.worth:.2f}", top.name)
        for name in SHOWN:
            best = max(archive.cells, key=lambda cell: cell.measures[name].mean)
            table.add_row(name, f"{best.measures[name].mean:.2f}", best.name)
    return table


@click.command(short_help="evolve new games, and fill a map with the best of each kind", epilog=ABOUT)
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Folder of the run.")
@click.option(
    "--generations",
    default=DEFAULT.generations,
    show_default=True,
    type=click.IntRange(0, 100_000),
    help="Number of generations.",
)
@click.option(
    "--population",
    default=DEFAULT.population,
    show_default=True,
    type=click.IntRange(2, 10_000),
    help="Births per generation.",
)
@click.option(
    "--games",
    default=DEFAULT.games,
    show_default=True,
    type=click.IntRange(4, 10**6),
    help="Games to play per measurement.",
)
@click.option("--style", default=DEFAULT.style, show_default=True, metavar="NAME", help="Style of games to prefer.")
@click.option("--axes", default=",".join(DEFAULT.axes), show_default=True, metavar="A,B", help="Axes of the map.")
@click.option("--from", "own", multiple=True, metavar="GENOME", help="Start from this game only. Repeatable.")
@click.option(
    "--betting",
    default=DEFAULT.betting,
    show_default=True,
    metavar="|".join(BETTING),
    help="Whether games must, may or must not have betting.",
)
@click.option("--pin", "pins", multiple=True, metavar="TYPE", help="A part that every game must have. Repeatable.")
@click.option("--ban", "bans", multiple=True, metavar="TYPE", help="A part that no game may have. Repeatable.")
@click.option("--seed", default=DEFAULT.seed, show_default=True, type=int, help="The same seed gives the same archive.")
@click.option("--workers", type=click.IntRange(1, 4096), help="Processes on this machine (default: one per core).")
@click.option("--ray", metavar="auto|ADDRESS", help="Judge games on a Ray cluster.")
@click.option("--resume", is_flag=True, help="Continue the run in the folder; start one if it is empty.")
@click.option(
    *("--learn", "taught_by"),
    is_flag=False,
    flag_value=OWN_FOLDER,
    metavar="[DIR]",
    help="Adjust the weights to the ratings of the run in DIR (default: the --out folder, whose old run is kept).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def evolve(context: click.Context, /, **given: Any) -> None:
    """Evolve new games from known ones, and fill a map with the best of each kind.

    DIR/archive.json has a game for each cell of the map, with its measures and ancestors. DIR/games/cell_R_C.json is a
    game for the other commands. Ctrl-C keeps the map, and --resume continues. More: docs/lab-evolution.md.

    \b
    Examples:
      pitboss lab evolve --out found
      pitboss lab evolve --out found --resume
      pitboss lab evolve --out bluffs --betting require --style bluffing --axes bluffing,length --seed 7
      pitboss lab evolve --out mine --from mine.json --pin TrickPhase --ban ClaimPhase
      pitboss lab evolve --out second --learn found
    """
    try:
        archive, lessons, rated = _begin(context, given)
        _run(archive, lessons, rated, given)
    except PitbossError as error:
        fail("lab evolve", error)


def _begin(context: click.Context, given: dict[str, Any]) -> tuple[GameArchive, list[Lesson], int]:
    """The start of the run, the lessons from ratings, and the number of rated games; errors come before any writing."""
    out, resume = given["out"], given["resume"]
    there = has_run(out)
    recipe = _recipe(context, given, read_archive(out).recipe if resume and there else DEFAULT)
    weights, lessons, rated = style_named(recipe.style), list[Lesson](), 0
    if given["taught_by"] is not None:
        if resume:
            raise EvolutionError("a resumed run keeps its weights: leave out --learn or --resume")
        weights, lessons, rated = learn_weights(out if _own(given) else Path(given["taught_by"]), weights)
        recipe = replace(recipe, weights=weights)
    archive = GameArchive(recipe=recipe) if _own(given) else open_archive(out, recipe, resume=resume)
    EvolutionRun(archive, lambda _: []).try_birth()
    if given["ray"] is not None:
        try:
            check_ray(given["ray"])
        except WorkersError as error:
            raise EvolutionError(str(error)) from None
    prepare_folder(out)
    if resume and not there:
        echo(f"{out} has no run yet: starting one", err=True)
    return archive, lessons, rated


def _own(given: dict[str, Any]) -> bool:
    """Whether it learns from the ratings in its own folder, whose old run is renamed."""
    return bool(given["taught_by"] == OWN_FOLDER)


def _recipe(context: click.Context, given: dict[str, Any], old: Recipe) -> Recipe:
    """The given settings; others are those of the resumed run or the defaults."""
    said = {name for name in given if context.get_parameter_source(name) is not ParameterSource.DEFAULT}
    plain = ("generations", "population", "games", "style", "betting", "pins", "bans", "seed")
    chosen: dict[str, Any] = {name: given[name] for name in plain if name in said}
    if "axes" in said:
        chosen["axes"] = tuple([name.strip() for name in given["axes"].split(",")])
    if "own" in said:
        chosen["founders"] = tuple([load(name) for name in given["own"]])
    return replace(old, **chosen)


def _run(archive: GameArchive, lessons: list[Lesson], rated: int, given: dict[str, Any]) -> None:
    out, began, before = given["out"], time.perf_counter(), archive
    if lessons and not given["as_json"]:
        _print_lessons(lessons, rated)

    begun_to_write = False

    def keep(found: GameArchive) -> None:
        nonlocal begun_to_write
        if _own(given) and not begun_to_write:  # the folder still has the rated run
            set_archive_aside(out)
        begun_to_write = True
        write_archive(out, found)

    whole, error = run_and_save(archive, workers=given["workers"] or available_cores(), ray=given["ray"], keep=keep)
    if begun_to_write and (out / ARCHIVE).exists():  # the file is complete even after an interrupt
        archive = read_archive(out)
        keep_games(out, archive, before)
    if error is not None:
        raise error
    if given["as_json"]:
        echo(msgspec.json.encode(_as_json(archive, out, lessons, time.perf_counter() - began)))
    else:
        _print(archive, out)
    if not whole:
        done = max(0, archive.generation)
        echo(f"interrupted after {done} of {archive.recipe.generations} generations; continue with --resume", err=True)
        sys.exit(130)


def _as_json(archive: GameArchive, out: Path, lessons: list[Lesson], seconds: float) -> dict[str, Any]:
    recipe = archive.recipe
    best = sorted(archive.cells, key=lambda cell: -cell.worth)[:MOST_SHOWN]
    return {
        "archive": str(out / ARCHIVE),
        "cells": len(archive.cells),
        "of": SIZE * SIZE,
        "betting": len([1 for cell in archive.cells if cell.genome.betting_phases]),
        "generations": archive.generation,
        "population": recipe.population,
        "games": recipe.games,
        "seed": recipe.seed,
        "judged": archive.judged,
        "refused": archive.refused,
        "learned": lessons,
        "best": [{"name": cell.name, "worth": cell.worth, "cell": cell.cell} for cell in best],
        "seconds": round(seconds, 3),
    }


def _print_lessons(lessons: list[Lesson], rated: int) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("quality", "weight before", "after", "correlation with stars"):
        table.add_column(heading, justify="left" if heading == "quality" else "right")
    for lesson in sorted(lessons, key=lambda one: -abs(one.correlation)):
        table.add_row(lesson.quality, f"{lesson.before:.2f}", f"{lesson.after:.2f}", f"{lesson.correlation:+.2f}")
    echo(f"weights learned from {rated} rated games:")
    print_table(table)


def _print(archive: GameArchive, out: Path) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    shown = ("skill", "tension", "mattered", "bluffs", "length")
    table.add_column("game", no_wrap=True)
    for heading in ("worth", *shown):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("steps", min_width=24)
    for cell in sorted(archive.cells, key=lambda one: -one.worth)[:MOST_SHOWN]:
        figures = [f"{cell.measures[name].mean:.{0 if name == 'length' else 2}f}" for name in shown]
        steps = [type(phase).__name__.removesuffix("Phase").lower() for phase in cell.genome.turn_structure.phases]
        table.add_row(cell.name, f"{cell.worth:.3f}", *figures, ", ".join(steps))
    betting = len([1 for cell in archive.cells if cell.genome.betting_phases])
    cells = f"{len(archive.cells)} of {SIZE * SIZE} cells filled, {betting} with betting"
    echo(f"{count(archive.judged, 'game')} judged; {cells}.")
    if archive.cells:
        print_leading(table)
        best = max(archive.cells, key=lambda one: one.worth)
        echo(f"Play the best one:\n  pitboss lab play {out / GAMES / game_file(best)}.json")
