"""Where `pitboss sting` keeps its files, and how they are written: whole, or not at all."""

import os
from pathlib import Path

import click

from pitboss.sting.scores import Score, ScoresError, read_scores

SAVE, SCORES = "sting.json", "sting-scores.json"


def home() -> Path:
    """The folder for what the user has played."""
    return Path(click.get_app_dir("pitboss"))


def scores_beside(save: Path) -> Path:
    """The scores of runs that are saved here: they lie in the same folder."""
    return save.with_name(SCORES)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file; whoever pulls the plug meanwhile still has the one of before. Raises `OSError`."""
    new = path.with_name(path.name + ".new")
    path.parent.mkdir(parents=True, exist_ok=True)
    new.write_bytes(data)
    os.replace(new, path)


def load_scores(path: Path) -> tuple[Score, ...]:
    """The scores of a file, none where there is no file; raises `ScoresError` with one sentence."""
    try:
        return read_scores(path.read_bytes())
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise ScoresError(f"{path} cannot be read: {error.strerror or error}") from None
    except ScoresError as error:
        raise ScoresError(f"{path}: {error}") from None
