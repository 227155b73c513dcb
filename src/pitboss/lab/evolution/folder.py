"""The folder of a run: its archive after every generation, and each game as a file of its own."""

from pathlib import Path

from msgspec.structs import replace

from pitboss.lab.evolution.archive import (
    ARCHIVE,
    GAMES,
    EvolutionError,
    GameArchive,
    Recipe,
    read_archive,
    write_whole,
)
from pitboss.lab.files import write_genome

LEFT_OVER = (".trial", ".archive.json.part")
"""What a run that was killed before its first generation may leave."""
NAMED = 3


def prepared(folder: Path) -> None:
    """Make the folder, and say now, not after an hour, if nothing can be written there; raises `EvolutionError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        trial = folder / ".trial"
        trial.write_bytes(b"")
        trial.unlink()
    except OSError as error:
        raise EvolutionError(f"nothing can be written to {folder}: {error.strerror or error}") from None


def looked_into(folder: Path) -> bool:
    """Whether a folder holds a run; `EvolutionError` where it holds something else."""
    try:
        others = sorted({path.name for path in folder.iterdir() if not _empty_games(path)} - {*LEFT_OVER})
    except FileNotFoundError:
        return False
    except OSError as error:
        raise EvolutionError(f"nothing can be written to {folder}: {error.strerror or error}") from None
    if ARCHIVE not in others:
        if others:
            shown = ", ".join([*others[:NAMED], *(["…"] if len(others) > NAMED else [])])
            raise EvolutionError(f"{folder} holds no run but other files ({shown}): name a new or an empty folder")
        return False
    if (folder / ARCHIVE).is_dir():
        raise EvolutionError(f"{folder / ARCHIVE} is a folder")
    return True


def _empty_games(path: Path) -> bool:
    return path.name == GAMES and path.is_dir() and not any(path.iterdir())


def begun(folder: Path, recipe: Recipe, *, resume: bool) -> GameArchive:
    """Where a run in a folder begins: nowhere yet, or where it was broken off; raises `EvolutionError`."""
    if not looked_into(folder):
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


def set_aside(folder: Path) -> None:
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
