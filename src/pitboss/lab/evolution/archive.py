"""The archive of a run: its settings, the games in its cells, and the folder on disk."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss.errors import PitbossError
from pitboss.lab.files import read_genome, write_genome
from pitboss.lab.genome import Genome, GenomeError
from pitboss.lab.measures.figures import Measure

ARCHIVE, GAMES = "archive.json", "games"
SIZE = 12
"""The number of rows of the map, and of columns."""
LEFT_OVER = (".trial", ".archive.json.part")
"""Files that can remain if a run was killed before its first generation."""
MOST_NAMED = 3


class EvolutionError(PitbossError, ValueError):
    """A run cannot start or continue as described."""


class Recipe(Struct, frozen=True, kw_only=True):
    """The settings of a run. Two runs with the same recipe give the same archive."""

    generations: int = 200
    population: int = 48
    games: int = 40
    style: str = "balanced"
    axes: tuple[str, str] = ("skill", "length")
    betting: str = "allow"
    pins: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()
    seed: int = 0
    founders: tuple[Genome, ...] = ()  #: the founding games; empty: the known games and random games
    weights: dict[str, float] = {}  #: weights learned from ratings; empty: the weights of the style


class Cell(Struct, frozen=True, kw_only=True):
    """A game that holds a cell of the map."""

    cell: tuple[int, int]
    genome: Genome
    measures: dict[str, Measure]
    worth: float = 0.0  #: its worth by the weights of the style; the game with the highest worth holds a cell
    lineage: tuple[str, ...] = ()  #: the names of its ancestors, from the founding game to the parent
    operators: tuple[str, ...] = ()  #: the changes that made it from its parent

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.genome.name

    @property
    def founder(self) -> str:
        """The name of the first ancestor. A game without ancestors is its own founder."""
        return self.lineage[0] if self.lineage else self.name

    @property
    def parent(self) -> str:
        """The name of the game it was made from. A game without ancestors is its own parent."""
        return self.lineage[-1] if self.lineage else self.name


class GameArchive(Struct, frozen=True, kw_only=True):
    """A run's recipe, its progress, and the games that it has found."""

    recipe: Recipe
    generation: Annotated[int, Meta(ge=-1)] = -1  #: the last finished generation, or -1
    judged: int = 0
    refused: dict[str, int] = {}  #: the number of rejected games by reason
    cells: tuple[Cell, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether all generations are finished."""
        return self.generation >= self.recipe.generations


def write_archive(folder: Path, archive: GameArchive) -> None:
    """Write `archive.json` completely or not at all. Raise `EvolutionError` if it cannot be written."""
    raw = msgspec.to_builtins(archive)
    for cell in raw["cells"]:  # reading turns integers into floats, so write floats
        for measure in cell["measures"].values():
            measure.update({name: float(number) for name, number in measure.items()})
    text = msgspec.json.encode({**raw.pop("recipe"), **raw, "size": SIZE})
    write_whole(folder / ARCHIVE, msgspec.json.format(text, indent=1) + b"\n")


def read_archive(folder: Path) -> GameArchive:
    """Read the archive of a folder. Raise `EvolutionError` if there is none or it is not valid."""
    path = folder / ARCHIVE
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        raise EvolutionError(f"{folder} has no {ARCHIVE}: create it with `pitboss lab evolve --out {folder}`") from None
    except OSError as error:
        raise EvolutionError(f"{path} cannot be read: {error.strerror or error}") from None
    return parse_archive(text, str(path))


def parse_archive(text: bytes, where: str) -> GameArchive:
    """Read an archive. It may come from an unknown person. Raise `EvolutionError` if it is not valid."""
    if not text.strip():
        raise EvolutionError(f"{where}: expected an archive of `pitboss lab evolve`, got an empty file")
    try:
        written = msgspec.json.decode(text, type=dict[str, Any])
        written["cells"] = [_cell(cell) for cell in written["cells"]]
        written["founders"] = [read_genome(msgspec.json.encode(genome)) for genome in written["founders"]]
        recipe = {name: written.pop(name) for name in Recipe.__struct_fields__ if name in written}
        return msgspec.convert({**written, "recipe": msgspec.convert(recipe, Recipe)}, GameArchive)
    except (msgspec.MsgspecError, GenomeError, UnicodeDecodeError, KeyError, TypeError, RecursionError):
        raise EvolutionError(f"{where}: expected an archive of `pitboss lab evolve`") from None


def write_whole(path: Path, content: bytes) -> None:
    """Write to a temporary file, and rename it when it is complete. If the disk is full, the old file remains."""
    partial = path.with_name(f".{path.name}.part")
    try:
        partial.unlink(missing_ok=True)  # it may be a link to another file
        with partial.open("xb") as file:
            file.write(content)
        os.replace(partial, path)
    except OSError as error:
        raise EvolutionError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _cell(written: Mapping[str, Any]) -> Cell:
    genome = read_genome(msgspec.json.encode(written["genome"]))
    return msgspec.convert({**written, "genome": genome}, Cell)


def prepare_folder(folder: Path) -> None:
    """Create the folder and check that it is writable. Raise `EvolutionError` if it is not."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        trial = folder / ".trial"
        trial.write_bytes(b"")
        trial.unlink()
    except OSError as error:
        raise EvolutionError(f"cannot write to {folder}: {error.strerror or error}") from None


def has_run(folder: Path) -> bool:
    """Return whether a folder has a run. Raise `EvolutionError` if it has other files but no run."""
    try:
        others = sorted({path.name for path in folder.iterdir() if not _empty_games(path)} - {*LEFT_OVER})
    except FileNotFoundError:
        return False
    except OSError as error:
        raise EvolutionError(f"cannot read {folder}: {error.strerror or error}") from None
    if ARCHIVE not in others:
        if others:
            shown = ", ".join([*others[:MOST_NAMED], *(["…"] if len(others) > MOST_NAMED else [])])
            raise EvolutionError(f"{folder} has no run, but other files ({shown}): choose a new or empty folder")
        return False
    if (folder / ARCHIVE).is_dir():
        raise EvolutionError(f"{folder / ARCHIVE}: expected a file, got a folder")
    return True


def _empty_games(path: Path) -> bool:
    return path.name == GAMES and path.is_dir() and not any(path.iterdir())


def open_archive(folder: Path, recipe: Recipe, *, resume: bool) -> GameArchive:
    """Return the archive from which a run starts. With `resume`, this is the archive in the folder.

    Raise `EvolutionError` if the folder has a run and `resume` is false, or a run with another recipe.
    """
    if not has_run(folder):
        return GameArchive(recipe=recipe)
    found = read_archive(folder)
    if not resume:
        raise EvolutionError(f"{folder} already has a run: continue it with --resume, or choose another folder")
    for name in Recipe.__struct_fields__:
        old, new = getattr(found.recipe, name), getattr(recipe, name)
        if name != "generations" and old != new:
            verb = "are" if name.endswith("s") or isinstance(old, tuple) else "is"
            raise EvolutionError(f"{folder} has a different run: its {name} {verb} {_text(old)}, not {_text(new)}")
    return replace(found, recipe=replace(recipe, generations=max(recipe.generations, found.generation)))


def game_file(cell: Cell) -> str:
    """Return the name of a game's files, without the ending, such as `cell_7_1`.

    The name depends only on the cell. The name of the game itself is not used, because it may come from an unknown
    person.
    """
    row, column = cell.cell
    return f"cell_{row}_{column}"


def keep_games(folder: Path, archive: GameArchive, before: GameArchive) -> None:
    """Write a file for each game of the archive. Delete the files of cells that are empty now."""
    files = {game_file(cell) for cell in archive.cells}
    try:
        if (folder / GAMES).is_symlink():
            raise EvolutionError(f"{folder / GAMES}: expected a folder, got a symbolic link: remove it")
        (folder / GAMES).mkdir(parents=True, exist_ok=True)
        for cell in archive.cells:
            write_whole(folder / GAMES / f"{game_file(cell)}.json", write_genome(cell.genome).encode())
        for file in sorted({game_file(cell) for cell in before.cells} - files):
            (folder / GAMES / f"{file}.json").unlink(missing_ok=True)
    except OSError as error:
        raise EvolutionError(f"{folder / GAMES} cannot be written: {error.strerror or error}") from None


def set_archive_aside(folder: Path) -> None:
    """Rename the archive of a rated run to the next free name, so that the next run can use the folder."""
    number = 1
    while (free := folder / f"archive-{number}.json").exists():
        number += 1
    try:
        (folder / ARCHIVE).replace(free)
    except OSError as error:
        raise EvolutionError(f"{free} cannot be written: {error.strerror or error}") from None


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join([getattr(one, "name", str(one)) for one in value]) or "none"
    return ("learned" if value else "default") if isinstance(value, dict) else str(value)
