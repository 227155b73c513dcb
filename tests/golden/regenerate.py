"""Rewrite the expected transcripts: `python -m tests.golden.regenerate [NAME ...]`, all without a name.

Read the difference before it is committed, and say in the commit why a rule's outcome has changed.
"""

import sys
from pathlib import Path

from click.testing import CliRunner

from pitboss.cli.main import cli

FOLDER = Path(__file__).resolve().parent
ENDING = ".in.json"


def names() -> list[str]:
    """Return the scenarios that have an input here."""
    return sorted(path.name.removesuffix(ENDING) for path in FOLDER.glob(f"*{ENDING}"))


def transcript_path(name: str) -> Path:
    """Return the path of a scenario's transcript."""
    return FOLDER / f"{name}.jsonl"


def transcript(name: str) -> str:
    """Return what `pitboss trace` prints for a scenario."""
    given = (FOLDER / f"{name}{ENDING}").read_text(encoding="utf-8")
    result = CliRunner().invoke(cli, ["trace"], input=given)
    if result.exit_code != 0:
        raise ValueError(f"{name}{ENDING}: {result.output}")
    return result.stdout


def main(wanted: list[str]) -> None:
    """Write the transcripts of these scenarios, or of all."""
    for name in wanted or names():
        transcript_path(name).write_text(transcript(name), encoding="utf-8", newline="\n")
        print(f"wrote {transcript_path(name).name}")


if __name__ == "__main__":
    main(sys.argv[1:])
