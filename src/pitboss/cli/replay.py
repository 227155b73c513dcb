"""`pitboss replay`: finishing stacks of recorded hands."""

import re
import sys
from collections.abc import Iterator
from decimal import Decimal

import click
import msgspec
from msgspec import Struct

from pitboss.cli.echo import echo
from pitboss.cli.progress import progress
from pitboss.notation.chips import Amount
from pitboss.notation.mending import replay_leniently
from pitboss.notation.phh import PhhError, read_phh, scan
from pitboss.notation.record import Record
from pitboss.notation.replay import ReplayError
from pitboss.notation.replay import replay as replay_strictly


class Line(Struct):
    """What is printed of one hand."""

    file: str
    index: int | str | None
    variant: str | None
    finishing_stacks: list[int | str] | None
    mended: tuple[str, ...]
    error: str | None


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--lenient", is_flag=True, help="Go on where a record is incomplete or odd, and list what was mended.")
@click.option(
    "--cap", type=click.IntRange(min=0), help="Refuse more raises a round, in no-limit too; records carry no cap."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a hand.")
def replay(files: tuple[str, ...], lenient: bool, cap: int | None, as_json: bool) -> None:
    """Replay every hand of FILES by the rules and print its finishing stacks.

    Strict unless asked otherwise: a hand's first impossible action is an error that names file, table, action and rule.
    Exits with 1 if any hand failed. A file named - is standard input.

    With --cap the first bet of a round counts, and a big blind does: 4 is a bet and three raises.

    \b
    Examples:
      pitboss replay pluribus.phhs
      pitboss replay --cap 4 limit.phhs
      pitboss replay --lenient --json archive/*.phhs > stacks.jsonl
    """
    hands = failed = mended = 0
    texts = [(file, _read(file)) for file in files]
    with progress("replaying", total=sum(max(1, text.count("\n[")) for _, text in texts)) as advance:
        for file, text in texts:
            for line in _replay_file(file, text, lenient, cap):
                hands += 1
                failed += line.error is not None
                mended += bool(line.mended)
                echo(msgspec.json.encode(line) if as_json else _text(line))
                advance()
    echo(f"{hands} {'hand' if hands == 1 else 'hands'}, {failed} failed, {mended} mended", err=True)
    sys.exit(1 if failed else 0)


def _read(file: str) -> str:
    """The text of a file, read once because a pipe cannot be read twice; bytes that are no text stay recognisable."""
    with click.open_file(file, "rb") as stream:
        return bytes(stream.read()).decode("utf-8", "surrogateescape")


def _replay_file(file: str, text: str, lenient: bool, cap: int | None) -> Iterator[Line]:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        yield Line(file, None, None, None, (), f"{file}: cannot be read as text: byte {error.start} is not UTF-8")
        return
    for index, found in _records(text, file):
        yield _failure(file, index, found) if isinstance(found, PhhError) else _play(file, index, found, lenient, cap)


def _records(text: str, file: str) -> Iterator[tuple[str, Record | PhhError]]:
    one_hand = file.lower().endswith(".phh") or (file == "-" and not re.search(r"^\[", text, re.MULTILINE))
    if not one_hand:
        yield from scan(text, file)
        return
    try:
        yield "1", read_phh(text, file)
    except PhhError as error:
        yield "1", error


def _failure(file: str, index: str, error: PhhError) -> Line:
    return Line(file, _number(index), None, None, (), str(error))


def _play(file: str, index: str, record: Record, lenient: bool, cap: int | None) -> Line:
    line = Line(file, _number(index), record.variant, None, (), None)
    try:
        played = replay_leniently(record, cap) if lenient else replay_strictly(record, cap)
    except ReplayError as error:
        line.error = f"{file}, table {index}, {error}"
    else:
        line.finishing_stacks = [_plain(stack) for stack in played.finishing_stacks]
        line.mended = played.mended
    return line


def _number(index: str) -> int | str:
    return int(index) if index.isascii() and index.isdigit() and len(index) < 19 else index


def _plain(stack: Amount) -> int | str:
    """A stack as JSON has it: fractions as strings, an unknown depth as "inf"."""
    if not isinstance(stack, Decimal):
        return stack
    return f"{stack:f}" if stack.is_finite() else "inf"


def _text(line: Line) -> str:
    if line.error is not None:
        return f"failed: {line.error}"
    mended = "".join(f"\n    mended: {sentence}" for sentence in line.mended)
    return f"{line.file} {line.index}: {line.variant} {' '.join(map(str, line.finishing_stacks or ()))}{mended}"
