"""What people thought of a game they played: 1 to 5 stars and perhaps a word, kept in the folder of its run.

A run of `pitboss lab evolve` has a folder with `archive.json` and `games/NAME.json`. `run_of` says to which run a file
belongs, `rate` adds a rating to its `ratings.jsonl`, a line each, and `read_ratings` reads them all.
"""

import os
from pathlib import Path

import msgspec
from msgspec import Struct

from pitboss.errors import PitbossError

RATINGS = "ratings.jsonl"
WORST, BEST = 1, 5
LONGEST_WORD = 200


class RatingError(PitbossError, ValueError):
    """A rating that cannot be kept."""


class Rating(Struct, frozen=True):
    """What somebody thought of a game.

    >>> Rating("dapper_swan", 4, "more bluffs than it seems", "2026-03-01T12:00:00Z").stars
    4
    """

    game: str  #: its name, as in the archive
    stars: int
    word: str = ""
    when: str = ""  #: as the caller says it; the lab has no clock

    def __post_init__(self) -> None:
        if not self.game:
            raise RatingError("a rating needs the name of its game")
        if type(self.stars) is not int or not WORST <= self.stars <= BEST:
            raise RatingError(f"a rating is a whole number from {WORST} to {BEST}, not {self.stars!r}")


class Ratings(Struct, frozen=True):
    """All ratings of a run, oldest first."""

    given: tuple[Rating, ...] = ()
    complaint: str = ""  #: a sentence, where lines could not be read

    def of(self, game: str) -> tuple[Rating, ...]:
        """Those of one game."""
        return tuple([rating for rating in self.given if rating.game == game])


def run_of(file: Path) -> Path | None:
    """The folder of the run that a game's file belongs to: the one above `games/`, where it has an archive."""
    folder = file.resolve().parent
    return folder.parent if folder.name == "games" and (folder.parent / "archive.json").is_file() else None


def rate(folder: Path, rating: Rating) -> None:
    """Add a rating to those of a run; raises `RatingError` where it cannot be written."""
    shortened = msgspec.structs.replace(rating, word=rating.word.strip()[:LONGEST_WORD])
    line = msgspec.json.encode(shortened) + b"\n"
    path = folder / RATINGS
    try:
        with path.open("ab+") as file:
            if file.tell() and _last_byte(file.fileno()) != b"\n":  # a line that was cut short stays alone
                line = b"\n" + line
            file.write(line)
    except OSError as error:
        raise RatingError(f"{path} cannot be written: {error.strerror or error}") from None


def _last_byte(number: int) -> bytes:
    os.lseek(number, -1, os.SEEK_END)
    return os.read(number, 1)


def read_ratings(folder: Path) -> Ratings:
    """Read what was rated in a run; lines that say nothing are left out and complained of."""
    path = folder / RATINGS
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return Ratings()
    except OSError as error:
        return Ratings(complaint=f"{path} cannot be read: {error.strerror or error}")
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
    which = f"line {bad[0]} is" if len(bad) == 1 else f"line {bad[0]} and {len(bad) - 1:,} more are"
    return f"{path}: {which} no rating and left out"
