"""Ratings of games by people who played them: 1 to 5 stars and an optional comment.

A run of `pitboss lab evolve` is a folder with `archive.json` and `games/cell_R_C.json`. The ratings of its games are in
`ratings.jsonl` in the same folder, one per line.
"""

import os
from pathlib import Path

import msgspec
from msgspec import Struct

from pitboss.errors import PitbossError

RATINGS = "ratings.jsonl"
WORST, BEST = 1, 5
LONGEST_WORD = 200
MOST_BYTES = 4 * 1024 * 1024
"""The maximum length of the file, because players of a public server add to it."""


class RatingError(PitbossError, ValueError):
    """A rating is not valid or cannot be stored."""


class Rating(Struct, frozen=True):
    """A person's rating of a game.

    >>> Rating("dapper_swan", 4, "more bluffs than it seems", "2026-03-01T12:00:00Z").stars
    4
    """

    game: str  #: the game's name in the archive
    stars: int
    word: str = ""
    when: str = ""  #: the time of the rating; the caller gives it, because the lab has no clock
    by: str = ""  #: the team that gave it in an arena

    def __post_init__(self) -> None:
        if not self.game:
            raise RatingError("game: expected the name of a game, got an empty text")
        if type(self.stars) is not int or not WORST <= self.stars <= BEST:
            raise RatingError(f"stars: expected a whole number from {WORST} to {BEST}, got {self.stars!r}")


class Ratings(Struct, frozen=True):
    """All ratings of a run, oldest first."""

    given: tuple[Rating, ...] = ()
    complaint: str = ""  #: a sentence about lines that could not be read; empty if all were read

    def of(self, game: str) -> tuple[Rating, ...]:
        """Return the ratings of one game."""
        return tuple([rating for rating in self.given if rating.game == game])


def run_of(file: Path) -> Path | None:
    """Return the run folder of a game's file, or None if the file is not part of a run."""
    folder = file.resolve().parent
    return folder.parent if folder.name == "games" and (folder.parent / "archive.json").is_file() else None


def add_rating(folder: Path, rating: Rating) -> None:
    """Add a rating to a run, with one write. Only the owner can read a new file.

    Raise `RatingError` if the file cannot be written or is full.
    """
    shortened = msgspec.structs.replace(rating, word=rating.word.strip()[:LONGEST_WORD])
    line = msgspec.json.encode(shortened) + b"\n"
    path = folder / RATINGS
    try:
        with open(path, "ab+", buffering=0, opener=_open_private) as file:
            size = file.tell()
            if size and _last_byte(file.fileno()) != b"\n":  # the last line is incomplete, so begin a new line
                line = b"\n" + line
            if size + len(line) > MOST_BYTES:
                raise RatingError(f"{path}: is full, with {size:,} of {MOST_BYTES:,} bytes; move it to another folder")
            if file.write(line) != len(line):
                raise RatingError(f"{path}: cannot be written: only a part of the line fitted on the disk")
    except OSError as error:
        raise RatingError(f"{path}: cannot be written: {error.strerror or error}") from None


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _last_byte(number: int) -> bytes:
    os.lseek(number, -1, os.SEEK_END)
    return os.read(number, 1)


def read_ratings(folder: Path) -> Ratings:
    """Read the ratings of a run. Skip lines that are not valid, and report them in `complaint`."""
    path = folder / RATINGS
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return Ratings()
    except OSError as error:
        return Ratings(complaint=f"{path}: cannot be read: {error.strerror or error}")
    given, bad = list[Rating](), list[int]()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            given.append(msgspec.json.decode(line, type=Rating))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            bad.append(number)
    return Ratings(tuple(given), _complaint(path, bad))


def _complaint(path: Path, bad: list[int]) -> str:
    if not bad:
        return ""
    more = f" and {len(bad) - 1:,} more" if len(bad) > 1 else ""
    return f"{path}:{bad[0]}: expected a rating as a JSON object; skipped this line{more}"
