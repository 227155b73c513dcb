"""`pitboss lab evolve`: a map of new games, bred over generations, in a folder."""

import sys
import time
from pathlib import Path
from typing import Any

import click
import msgspec
from click.core import ParameterSource
from msgspec.structs import replace
from rich import box
from rich.table import Table

from pitboss.cli.counting import count
from pitboss.cli.echo import echo
from pitboss.cli.lab.evolving import watching
from pitboss.cli.lab.options import fail
from pitboss.cli.progress import print_leading, print_table
from pitboss.errors import PitbossError
from pitboss.fast.blocks import available_cores
from pitboss.lab.evolution.archive import (
    ARCHIVE,
    GAMES,
    SIZE,
    EvolutionError,
    GameArchive,
    Recipe,
    read_archive,
    write_archive,
)
from pitboss.lab.evolution.axes import AXES
from pitboss.lab.evolution.folder import begun, keep_games, looked_into, prepared, set_aside
from pitboss.lab.evolution.learning import Lesson, learned
from pitboss.lab.evolution.run import EvolutionRun
from pitboss.lab.evolution.styles import STYLES, style_named
from pitboss.lab.evolution.wishes import BETTING, TYPES
from pitboss.lab.evolution.workers import reachable
from pitboss.lab.files import load

SHOWN = 10
DEFAULT = Recipe()
HERE = "here"
ABOUT = f"\b\nAxes: {', '.join(AXES)}.\nStyles: {', '.join(STYLES)}.\n\nTypes of parts: {', '.join(TYPES)}."


@click.command(short_help="breed new games, and fill a map with the best of each kind", epilog=ABOUT)
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="The folder of the run.")
@click.option("--generations", default=DEFAULT.generations, show_default=True, type=click.IntRange(0, 100_000))
@click.option(
    "--population", default=DEFAULT.population, show_default=True, type=click.IntRange(2, 10_000), help="Births each."
)
@click.option(
    "--games", default=DEFAULT.games, show_default=True, type=click.IntRange(4, 10**6), help="Games to measure one by."
)
@click.option("--style", default=DEFAULT.style, show_default=True, metavar="NAME", help="What makes a game worth more.")
@click.option("--axes", default=",".join(DEFAULT.axes), show_default=True, metavar="A,B", help="The map's two axes.")
@click.option("--from", "own", multiple=True, metavar="GENOME", help="Begin with this game alone; may be repeated.")
@click.option("--betting", default=DEFAULT.betting, show_default=True, metavar="|".join(BETTING))
@click.option("--pin", "pins", multiple=True, metavar="TYPE", help="A part that every game has; may be repeated.")
@click.option("--ban", "bans", multiple=True, metavar="TYPE", help="A part that no game has; may be repeated.")
@click.option("--seed", default=DEFAULT.seed, show_default=True, type=int, help="The same seed gives the same archive.")
@click.option("--workers", type=click.IntRange(1, 4096), help="Processes on this machine; as many as it has cores.")
@click.option("--ray", metavar="auto|ADDRESS", help="Judge games on a Ray cluster.")
@click.option("--resume", is_flag=True, help="Go on with the run of the folder; an empty one is begun.")
@click.option(
    *("--learn", "taught_by"),
    is_flag=False,
    flag_value=HERE,
    metavar="[DIR]",
    help="Let the ratings of that run move the weights; without DIR those in the folder itself, whose run is kept.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def evolve(context: click.Context, /, **given: Any) -> None:
    """Breed new games from known ones, and fill a map with the best of each kind.

    DIR/archive.json holds a game for each cell of the map with its measures and ancestors, DIR/games/NAME.json each
    game for every other command. Ctrl-C keeps what is found, and --resume goes on. More: docs/lab-evolution.md.

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
        fail("evolve", error)


def _begin(context: click.Context, given: dict[str, Any]) -> tuple[GameArchive, list[Lesson], int]:
    """Where the run begins, and what ratings taught it; all that can be wrong is said before anything is written."""
    out, resume = given["out"], given["resume"]
    there = looked_into(out)
    recipe = _recipe(context, given, read_archive(out).recipe if resume and there else DEFAULT)
    weights, lessons, rated = style_named(recipe.style), list[Lesson](), 0
    if given["taught_by"] is not None:
        if resume:
            raise EvolutionError("a run goes on with the weights it began with: leave --learn or --resume out")
        weights, lessons, rated = learned(out if _own(given) else Path(given["taught_by"]), weights)
        recipe = replace(recipe, weights=weights)
    archive = GameArchive(recipe=recipe) if _own(given) else begun(out, recipe, resume=resume)
    EvolutionRun(archive, lambda _: []).try_birth()
    if given["ray"] is not None:
        reachable(given["ray"])
    prepared(out)
    if resume and not there:
        echo(f"{out} holds no run yet: one begins", err=True)
    return archive, lessons, rated


def _own(given: dict[str, Any]) -> bool:
    """Whether it learns from the ratings in its own folder, whose run is set aside."""
    return bool(given["taught_by"] == HERE)


def _recipe(context: click.Context, given: dict[str, Any], old: Recipe) -> Recipe:
    """What was asked for; what was not said is as in the run that goes on, or else as usual."""
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
        if _own(given) and not begun_to_write:  # until now the folder had the run that was rated
            set_aside(out)
        begun_to_write = True
        write_archive(out, found)

    whole, error = watching(archive, workers=given["workers"] or available_cores(), ray=given["ray"], keep=keep)
    if begun_to_write and (out / ARCHIVE).exists():  # what is there counts, whenever an interrupt came
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
        echo(f"interrupted after {done} of {archive.recipe.generations} generations; --resume goes on", err=True)
        sys.exit(130)


def _as_json(archive: GameArchive, out: Path, lessons: list[Lesson], seconds: float) -> dict[str, Any]:
    recipe = archive.recipe
    best = sorted(archive.cells, key=lambda cell: -cell.worth)[:SHOWN]
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
    for heading in ("quality", "weight before", "after", "goes with the stars"):
        table.add_column(heading, justify="left" if heading == "quality" else "right")
    for lesson in sorted(lessons, key=lambda one: -abs(one.correlation)):
        table.add_row(lesson.quality, f"{lesson.before:.2f}", f"{lesson.after:.2f}", f"{lesson.correlation:+.2f}")
    echo(f"{rated} rated games move the weights:")
    print_table(table)


def _print(archive: GameArchive, out: Path) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    shown = ("skill", "tension", "mattered", "bluffs", "length")
    table.add_column("game", no_wrap=True)
    for heading in ("worth", *shown):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("steps", min_width=24)
    for cell in sorted(archive.cells, key=lambda one: -one.worth)[:SHOWN]:
        figures = [f"{cell.measures[name].mean:.{0 if name == 'length' else 2}f}" for name in shown]
        steps = [type(phase).__name__.removesuffix("Phase").lower() for phase in cell.genome.turn_structure.phases]
        table.add_row(cell.name, f"{cell.worth:.3f}", *figures, ", ".join(steps))
    betting = len([1 for cell in archive.cells if cell.genome.betting_phases])
    cells = f"{len(archive.cells)} of {SIZE * SIZE} cells filled, {betting} with betting"
    echo(f"{count(archive.judged, 'game')} judged; {cells}.")
    if archive.cells:
        print_leading(table)
        best = max(archive.cells, key=lambda one: one.worth)
        echo(f"Play the best of them at once:\n  pitboss lab play {out / GAMES / best.name}.json")
