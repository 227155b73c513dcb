"""`pitboss replay`: the finishing stacks of recorded hands."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TypeAlias

import click
import msgspec
from msgspec import Struct

from pitboss.cli.histories import OpenHands, files_in, open_hands, reading_files, reading_options
from pitboss.cli.output import echo
from pitboss.errors import PitbossError
from pitboss.formats.scan import HandFound, ReadError
from pitboss.histories import NO_FORMAT
from pitboss.records.lenient import replay_leniently
from pitboss.records.money import Amount
from pitboss.records.record import Record
from pitboss.records.replay import Replay, ReplayError
from pitboss.records.replay import replay as replay_strictly

Play: TypeAlias = Callable[[Record], Replay]


class Line(Struct):
    """The output for one hand."""

    file: str
    index: int | str | None
    variant: str | None
    finishing_stacks: list[int | str] | None
    mended: tuple[str, ...]
    error: str | None
    line: int | None  #: the line at which the hand begins
    notes: tuple[str, ...]  #: text that lenient reading skipped, with its line


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, allow_dash=True))
@click.option("--lenient", is_flag=True, help="Continue if a record is incomplete or odd, and list the repairs.")
@click.option("--cap", type=click.IntRange(min=0), help="Maximum number of bets and raises per round.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per hand.")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="OUT",
    help="Write a self-contained web page that shows the hands step by step.",
)
@click.option("--hand", type=click.IntRange(min=1), metavar="N", help="With --html: write only this hand.")
@reading_options
def replay(
    files: tuple[str, ...],
    lenient: bool,
    cap: int | None,
    as_json: bool,
    html: Path | None,
    hand: int | None,
    key: str | None,
    game_def: str | None,
) -> None:
    """Replay every hand of FILES, in any format, by the rules and print its finishing stacks.

    By default the first impossible action of a hand is an error that names file, hand, action and rule. The exit code
    is 1 if any hand failed. A file named - is standard input. Files of any size are read one hand at a time. With
    --lenient skipped text is reported on standard error with file and line.

    In JSON a stack of whole chips is a number, and any other stack is an exact string: "12.50".

    With --cap the first bet of a round and a big blind count: 4 means a bet and three raises.

    If a name is that of a folder, all files in it and in its folders are read, in the order of their paths, except
    hidden files. A file without hands is reported and skipped. With --html the file can also be an arena journal, or a
    record of arena join --record. The page needs no network and shows at most 500 hands.

    \b
    Examples:
      pitboss replay pluribus.phhs
      pitboss replay --cap 4 limit.phhs
      pitboss replay --game-def mine.game match.log
      pitboss replay --lenient --json archive/*.txt > stacks.jsonl
      pitboss replay pitboss.db --html match.html
      pitboss replay hands.phhs --html hand.html --hand 12
    """
    named, paths = set(files), files_in(files)
    if html is not None:
        _write_html(paths, html, hand, lenient, cap, key, game_def)
        return
    if hand is not None:
        raise click.UsageError("--hand needs --html")
    hands = failed = mended = 0
    play = partial(replay_leniently if lenient else replay_strictly, cap=cap)
    with reading_files("replaying", paths) as so_fars:
        for file, so_far in zip(paths, so_fars, strict=True):
            opening = partial(open_hands, file, lenient=lenient, key=key, game_def=game_def, so_far=so_far)
            for line in _replay_file(opening, file, play, in_folder=file not in named):
                hands += 1
                failed += line.error is not None
                mended += bool(line.mended)
                echo(msgspec.json.encode(line) if as_json else _text(line))
    if not hands:
        echo("pitboss replay: found no hands", err=True)
    echo(f"{hands} {'hand' if hands == 1 else 'hands'}, {failed} failed, {mended} mended", err=True)
    sys.exit(1 if failed or not hands else 0)


def _write_html(
    files: Sequence[str],
    out: Path,
    hand: int | None,
    lenient: bool,
    cap: int | None,
    key: str | None,
    game_def: str | None,
) -> None:
    from pitboss.cli.replay_page import write_viewer  # loads the arena

    if len(files) != 1:
        raise click.UsageError(f"--html takes one FILE, got {len(files)}")
    if not out.parent.is_dir():
        raise click.UsageError(f"--html: the folder {out.parent} does not exist: make it, or give another one")
    play = partial(replay_leniently if lenient else replay_strictly, cap=cap)
    try:
        write_viewer(files[0], out, hand=hand, play=play, lenient=lenient, key=key, game_def=game_def)
    except (PitbossError, OSError) as error:
        also = ", arena journal, record of arena join --record" if NO_FORMAT in str(error) else ""
        echo(f"pitboss replay: {error}{also}", err=True)
        sys.exit(1)


def _replay_file(
    hands: Callable[[], AbstractContextManager[OpenHands]], file: str, play: Play, *, in_folder: bool
) -> Iterator[Line]:
    number = 0
    try:
        with hands() as opened:
            for found in opened.hands:
                notes = tuple(f"{file}, line {note.line}: {note.sentence}" for note in found.notes)
                for note in notes:
                    echo(f"pitboss replay: {note}", err=True)
                if found.record is not None or found.error is not None:
                    number += 1
                    yield _line(file, found, number, play, notes)
    except ReadError as error:  # of the file as a whole
        if in_folder:
            echo(f"pitboss replay: {error}; skipped", err=True)
        else:
            yield Line(file, None, None, None, (), str(error), None, ())


def _line(file: str, found: HandFound, number: int, play: Play, notes: tuple[str, ...]) -> Line:
    line = Line(file, _number(found.label or str(number)), None, None, (), None, found.line, notes)
    if found.record is None:
        line.error = str(found.error)
        return line
    line.variant = found.record.variant
    try:
        played = play(found.record)
    except ReplayError as error:
        line.error = f"{file}, {f'table {found.label}' if found.label else f'line {found.line}'}, {error}"
    else:
        line.finishing_stacks = [_plain(stack) for stack in played.finishing_stacks]
        line.mended = played.mended
    return line


def _number(index: str) -> int | str:
    return int(index) if index.isascii() and index.isdigit() and len(index) < 19 else index


def _plain(stack: Amount) -> int | str:
    """Return a stack for JSON: fractions as strings, an unknown stack as "inf"."""
    if not isinstance(stack, Decimal):
        return stack
    return f"{stack:f}" if stack.is_finite() else "inf"


def _text(line: Line) -> str:
    if line.error is not None:
        return f"failed: {line.error}"
    mended = "".join(f"\n    mended: {sentence}" for sentence in line.mended)
    return f"{line.file} {line.index}: {line.variant} {' '.join(map(str, line.finishing_stacks or ()))}{mended}"
