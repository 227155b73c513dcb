"""`pitboss lab evolve`: known games vary, the better ones breed, and the survivors are written to a file."""

import os
import sys
import time
from pathlib import Path
from typing import Any

import click
import msgspec
from rich import box
from rich.table import Table

from pitboss.cli.echo import echo
from pitboss.cli.lab.options import fail
from pitboss.cli.progress import progress, screen
from pitboss.fast.compiled import NotInstalled
from pitboss.lab.evolution.evolve import Evolution, Survivor, write_archive

ARCHIVE = "archive.json"
SHOWN = 10


@click.command(short_help="let games vary and keep the better ones, and write what survives")
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help=f"Where {ARCHIVE} goes.")
@click.option(
    "--generations", default=20, show_default=True, type=click.IntRange(1, 100_000), help="How often to breed."
)
@click.option(
    "--population", default=40, show_default=True, type=click.IntRange(2, 10_000), help="Games alive at a time."
)
@click.option(
    "--games", default=200, show_default=True, type=click.IntRange(1, 10**9), help="Random games for a score."
)
@click.option("--seed", default=0, show_default=True, type=int, help="The same seed gives the same file.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def evolve(out: Path, generations: int, population: int, games: int, seed: int, as_json: bool) -> None:
    """Let the known games vary, keep the better ones, and write the best of each kind, best first, to DIR/archive.json.

    The score, from 0 to 1, says of random play: how many real choices a game has, which share of it they are, whether
    it is not too long, and whether it ends by itself. An interrupt writes what there is.

    \b
    Examples:
      pitboss lab evolve --out found --generations 10 --population 30 --games 100 --seed 1
      pitboss lab evolve --out found --generations 100 --population 100 --games 1000 --json
    """
    path = out / ARCHIVE
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail("evolve", f"{out}: {error.strerror or error}")
    if path.is_dir() or not os.access(out, os.W_OK):  # said now, not after hours of work
        fail("evolve", f"{path} cannot be written")
    evolution = Evolution(population=population, games=games, seed=seed)
    begun = time.perf_counter()
    whole = _run(evolution, generations)
    try:
        path.write_text(write_archive(evolution.archive), encoding="utf-8", newline="\n")
    except OSError as error:
        fail("evolve", f"{path}: {error.strerror or error}")
    if as_json:
        echo(msgspec.json.encode(_as_json(evolution, path, time.perf_counter() - begun)))
    else:
        _print(evolution, path)
    if not whole:
        echo(f"interrupted after {max(0, evolution.generation)} of {generations} generations", err=True)
        sys.exit(130)


def _run(evolution: Evolution, generations: int) -> bool:
    """Evolve until it is done or a key is struck; whether it came to its end."""
    try:
        with progress("evolving", total=evolution.births(generations)) as advance:
            evolution.run(generations, advance)
    except KeyboardInterrupt:
        if not evolution.archive:
            raise
        return False
    except NotInstalled as error:
        fail("evolve", error)
    return True


def _as_json(evolution: Evolution, path: Path, seconds: float) -> dict[str, Any]:
    return {
        "archive": str(path),
        "survivors": len(evolution.archive),
        "generations": evolution.generation,
        "population": evolution.population,
        "games": evolution.games,
        "seed": evolution.seed,
        "judged": evolution.judged,
        "operators": dict(sorted(evolution.operators.items())),
        "best": [
            {"name": survivor.genome.name, "score": survivor.score, **msgspec.to_builtins(survivor.parts)}
            for survivor in evolution.archive[:SHOWN]
        ],
        "seconds": round(seconds, 3),
    }


def _print(evolution: Evolution, path: Path) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("score", "choices", "share", "length", "ends"):
        table.add_column(heading, justify="right", no_wrap=True)
    for heading in ("name", "phases"):
        table.add_column(heading)
    for survivor in evolution.archive[:SHOWN]:
        parts = survivor.parts
        figures = (survivor.score, parts.choices, parts.share, parts.length, parts.ends)
        table.add_row(*[f"{figure:.3f}" for figure in figures], survivor.genome.name, _phases(survivor))
    echo(f"{evolution.judged:,} games judged; {len(evolution.archive)} survivors are in {path}, the best of them:")
    screen(0, piped=120).print(table)


def _phases(survivor: Survivor) -> str:
    """The phases in a word each."""
    names = [type(phase).__name__.removesuffix("Phase").lower() for phase in survivor.genome.turn_structure.phases]
    return ", ".join(names)
