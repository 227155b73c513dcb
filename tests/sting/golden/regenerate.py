"""Rewrite the expected transcripts of sting: `python -m tests.sting.golden.regenerate [NAME ...]`."""

import sys
from pathlib import Path

from tests.support.sting.tables import run

FOLDER = Path(__file__).resolve().parent
ENDING = ".in.json"


def names() -> list[str]:
    """Return the scripts that have an input here."""
    return sorted(path.name.removesuffix(ENDING) for path in FOLDER.glob(f"*{ENDING}"))


def transcript(name: str) -> str:
    """Return what `pitboss sting script` prints for a script."""
    result = run("script", str(FOLDER / f"{name}{ENDING}"))
    if result.exit_code != 0:
        raise ValueError(f"{name}{ENDING}: {result.stderr}")
    return result.stdout


if __name__ == "__main__":
    for name in sys.argv[1:] or names():
        FOLDER.joinpath(f"{name}.jsonl").write_text(transcript(name), encoding="utf-8", newline="\n")
        print(f"wrote {name}.jsonl")
