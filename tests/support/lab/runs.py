"""A folder as `pitboss lab evolve` leaves it, with one game."""

from pathlib import Path

from msgspec.structs import replace

from pitboss.lab.files import load, write_genome


def run_with_leduc(folder: Path, name: str = "evolved_leduc") -> Path:
    """The file of the one game of a run, Leduc under another name."""
    (folder / "games").mkdir(parents=True)
    (folder / "archive.json").write_text('{"cells": []}', encoding="utf-8")
    file = folder / "games" / "cell_1_2.json"
    file.write_text(write_genome(replace(load("leduc"), name=name)), encoding="utf-8")
    return file
