"""The archive of a run: its settings, its cells with their games and measures, and the folder that holds them."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import PitbossError
from pitboss.lab.files import read_genome, write_genome
from pitboss.lab.genome import Genome, GenomeError
from pitboss.lab.measures.figures import Measure

ARCHIVE, GAMES = "archive.json", "games"
SIZE = 12
"""The map has so many cells each way."""
LEFT_OVER = (".trial", ".archive.json.part")
"""What a run that was killed before its first generation may leave."""
MOST_NAMED = 3


class EvolutionError(PitbossError, ValueError):
    """A run that cannot begin or go on as described; the message is one sentence."""


class Recipe(Struct, frozen=True, kw_only=True):
    """All that decides what a run finds: the same recipe gives the same archive."""

    generations: int = 200
    population: int = 48
    games: int = 40
    style: str = "balanced"
    axes: tuple[str, str] = ("skill", "length")
    betting: str = "allow"
    pins: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()
    seed: int = 0
    founders: tuple[Genome, ...] = ()  #: the designer's own games; none: the known ones and invented ones
    weights: dict[str, float] = {}  #: what ratings made of the style's weights; none: they are as they were


class Cell(Struct, frozen=True, kw_only=True):
    """A game that holds a cell of the map."""

    cell: tuple[int, int]
    genome: Genome
    measures: dict[str, Measure]
    worth: float = 0.0  #: by the style's weights; what decides who holds a cell
    lineage: tuple[str, ...] = ()  #: its ancestors by name, the founding game first, its parent last
    operators: tuple[str, ...] = ()  #: what made it of its parent

    @property
    def name(self) -> str:
        """What the game is called."""
        return self.genome.name

    @property
    def founder(self) -> str:
        """The game all its line comes from; an invented game is its own."""
        return self.lineage[0] if self.lineage else self.name

    @property
    def parent(self) -> str:
        """The game it was made of; an invented game is its own."""
        return self.lineage[-1] if self.lineage else self.name


class GameArchive(Struct, frozen=True, kw_only=True):
    """A run's recipe, how far it is, and what it has found, cell by cell."""

    recipe: Recipe
    generation: int = -1  #: the last that is done; -1: not even the first games are judged
    judged: int = 0
    refused: dict[str, int] = {}  #: by reason, how many games were refused before they were measured
    cells: tuple[Cell, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether all generations are done."""
        return self.generation >= self.recipe.generations


def write_archive(folder: Path, archive: GameArchive) -> None:
    """Write `archive.json` whole or not at all; raises `EvolutionError` where that cannot be."""
    raw = msgspec.to_builtins(archive)
    for cell in raw["cells"]:  # a whole number is read as 0.0, and must be written so the first time too
        cell["measures"] = {name: _floats(one) for name, one in cell["measures"].items()}
    text = msgspec.json.encode({**raw.pop("recipe"), **raw, "size": SIZE})
    write_whole(folder / ARCHIVE, msgspec.json.format(text, indent=1) + b"\n")


def read_archive(folder: Path) -> GameArchive:
    """The archive of a folder; raises `EvolutionError` where there is none, or it is something else."""
    path = folder / ARCHIVE
    try:
        text = path.read_bytes()
        if not text.strip():
            raise EvolutionError(f"{path} is empty, and so no archive of `pitboss lab evolve`")
        written = msgspec.json.decode(text, type=dict[str, Any])
        written["cells"] = [_cell(cell) for cell in written["cells"]]
        written["founders"] = [read_genome(msgspec.json.encode(genome)) for genome in written["founders"]]
        recipe = {name: written.pop(name) for name in Recipe.__struct_fields__ if name in written}
        return msgspec.convert({**written, "recipe": msgspec.convert(recipe, Recipe)}, GameArchive)
    except FileNotFoundError:
        raise EvolutionError(f"{folder} holds no {ARCHIVE}: `pitboss lab evolve --out {folder}` makes one") from None
    except OSError as error:
        raise EvolutionError(f"{path} cannot be read: {error.strerror or error}") from None
    except (msgspec.MsgspecError, GenomeError, UnicodeDecodeError, KeyError, TypeError):
        raise EvolutionError(f"{path} is no archive of `pitboss lab evolve`") from None


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place and put it there when it is whole, so that a full disk leaves the old one."""
    beside = path.with_name(f".{path.name}.part")
    try:
        beside.write_bytes(content)
        os.replace(beside, path)
    except OSError as error:
        raise EvolutionError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _floats(measure: Mapping[str, float]) -> dict[str, float]:
    return {name: float(number) for name, number in measure.items()}


def _cell(written: Mapping[str, Any]) -> Cell:
    genome = read_genome(msgspec.json.encode(written["genome"]))
    return msgspec.convert({**written, "genome": genome}, Cell)


def prepare_folder(folder: Path) -> None:
    """Make the folder, and say now, not after an hour, if nothing can be written there; raises `EvolutionError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        trial = folder / ".trial"
        trial.write_bytes(b"")
        trial.unlink()
    except OSError as error:
        raise EvolutionError(f"nothing can be written to {folder}: {error.strerror or error}") from None


def has_run(folder: Path) -> bool:
    """Whether a folder holds a run; `EvolutionError` where it holds something else."""
    try:
        others = sorted({path.name for path in folder.iterdir() if not _empty_games(path)} - {*LEFT_OVER})
    except FileNotFoundError:
        return False
    except OSError as error:
        raise EvolutionError(f"nothing can be written to {folder}: {error.strerror or error}") from None
    if ARCHIVE not in others:
        if others:
            shown = ", ".join([*others[:MOST_NAMED], *(["…"] if len(others) > MOST_NAMED else [])])
            raise EvolutionError(f"{folder} holds no run but other files ({shown}): name a new or an empty folder")
        return False
    if (folder / ARCHIVE).is_dir():
        raise EvolutionError(f"{folder / ARCHIVE} is a folder")
    return True


def _empty_games(path: Path) -> bool:
    return path.name == GAMES and path.is_dir() and not any(path.iterdir())


def open_archive(folder: Path, recipe: Recipe, *, resume: bool) -> GameArchive:
    """Where a run in a folder begins: nowhere yet, or where it was broken off; raises `EvolutionError`."""
    if not has_run(folder):
        return GameArchive(recipe=recipe)
    there = read_archive(folder)
    if not resume:
        raise EvolutionError(f"{folder} holds a run already: --resume goes on with it, or name another folder")
    for name in Recipe.__struct_fields__:
        old, new = getattr(there.recipe, name), getattr(recipe, name)
        if name != "generations" and old != new:
            verb = "are" if name.endswith("s") or isinstance(old, tuple) else "is"
            raise EvolutionError(f"{folder} holds another run: its {name} {verb} {_said(old)}, not {_said(new)}")
    return replace(there, recipe=replace(recipe, generations=max(recipe.generations, there.generation)))


def keep_games(folder: Path, archive: GameArchive, before: GameArchive) -> None:
    """Write every game of the archive as a file; those of games that held a cell before and no longer do go."""
    names = {cell.name for cell in archive.cells}
    try:
        (folder / GAMES).mkdir(parents=True, exist_ok=True)
        for cell in archive.cells:
            write_whole(folder / GAMES / f"{cell.name}.json", write_genome(cell.genome).encode())
        for name in sorted({cell.name for cell in before.cells} - names):
            (folder / GAMES / f"{name}.json").unlink(missing_ok=True)
    except OSError as error:
        raise EvolutionError(f"{folder / GAMES} cannot be written: {error.strerror or error}") from None


def set_archive_aside(folder: Path) -> None:
    """Keep the archive of the run that was rated under the next free name, so that the next may have its place."""
    number = 1
    while (free := folder / f"archive-{number}.json").exists():
        number += 1
    try:
        (folder / ARCHIVE).replace(free)
    except OSError as error:
        raise EvolutionError(f"{free} cannot be written: {error.strerror or error}") from None


def _said(value: object) -> str:
    """A value in few words."""
    if isinstance(value, tuple):
        return ", ".join([getattr(one, "name", str(one)) for one in value]) or "none"
    return "of other ratings" if isinstance(value, dict) else str(value)
