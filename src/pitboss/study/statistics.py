"""Statistics of recorded hands, from files of any format or from records, on all available cores.

Files are cut into pieces that are counted in parallel. The cuts depend only on the file, so a result never depends on
the number of processes.
"""

import gc
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from difflib import get_close_matches
from io import BufferedReader, BytesIO
from itertools import islice
from multiprocessing import get_context
from os import PathLike
from pathlib import Path
from re import Pattern
from typing import TypeAlias, get_args

from msgspec import Struct, field

from pitboss.errors import PitbossError
from pitboss.fast.threads import Progress, available_cores
from pitboss.formats.scan import HandFound, ReadError, look_ahead, number_lines
from pitboss.histories import find_format, list_files, scan_file
from pitboss.records.record import Record
from pitboss.study.marks import mark_hand
from pitboss.study.rows import SkippedHand, Sort, Statistics
from pitboss.study.tally import By, Tallies, add_tallies, count_hand

_PIECE_BYTES = 1 << 19
"""The size of a piece in bytes. Counting a piece of about 500 hands takes a quarter of a second."""
_WIDE = (b"\xff\xfe", b"\xfe\xff")
PathOrRecord: TypeAlias = str | PathLike[str] | Record

FEW_PIECES = 3
"""The maximum number of pieces that are counted in this process.

For so few pieces, starting other processes takes as long.
"""
_GC_ALLOCATIONS = 200_000
"""The number of allocations before a garbage collection.

With Python's default, collections take a quarter of the time.
"""


class FilePiece(Struct, frozen=True):
    """A part of a file, or all of it."""

    path: str
    format: str
    start: int = 0
    size: int = 0
    line: int = 1  #: the number of its first line
    whole: bool = False


class PieceTally(Struct):
    """The tallies of one piece."""

    size: int = 0
    hands: int = 0
    tallies: Tallies = field(default_factory=dict)
    skipped: list[SkippedHand] = field(default_factory=list)


def cut_file(path: Path, piece: int = _PIECE_BYTES) -> Iterator[FilePiece]:
    """Yield the pieces of a file; raise `ReadError` if it cannot be read or its format is unknown."""
    try:
        with path.open("rb") as file:
            format = find_format(look_ahead(file), str(path))
            if format.cut_before is None or file.peek(2)[:2] in _WIDE or b"\0" in file.peek(64)[:64]:
                yield FilePiece(str(path), format.key, size=path.stat().st_size, whole=True)
            else:
                yield from _cut(file, str(path), format.key, format.cut_before, piece)
    except OSError as error:
        raise ReadError(error.strerror or str(error), name=str(path)) from None


def _cut(file: BufferedReader, path: str, key: str, cut_before: Pattern[bytes], piece: int) -> Iterator[FilePiece]:
    start, line, rest = 0, 1, b""
    while block := file.read(piece):
        rest += block
        end = 0
        for found in cut_before.finditer(rest):
            end = found.end()
        if end:
            yield FilePiece(path, key, start, end, line)
            line += rest.count(b"\n", 0, end)
            start += end
            rest = rest[end:]
    if rest:
        yield FilePiece(path, key, start, len(rest), line)


def scan_piece(piece: FilePiece) -> Iterator[HandFound]:
    """Yield every hand of a piece, with line numbers of the whole file."""
    if piece.whole:
        yield from scan_file(piece.path, lenient=True, format=piece.format)
        return
    with Path(piece.path).open("rb") as file:
        file.seek(piece.start)
        data = file.read(piece.size)
    format = find_format("", piece.path, piece.format)
    lines = number_lines(BufferedReader(BytesIO(data)), piece.path, any_letters=format.any_letters)
    yield from format.scan(((number + piece.line - 1, text) for number, text in lines), piece.path, True)


def count_piece(piece: FilePiece, by: By | None = None) -> PieceTally:
    """Count the hands of a piece; list those that cannot be read or replayed as skipped."""
    counted = PieceTally(piece.size)
    try:
        for found in scan_piece(piece):
            reason = _count_found(counted, found, by)
            if reason:
                counted.skipped.append(SkippedHand(piece.path, _line(found), reason))
    except ReadError as error:
        counted.skipped.append(SkippedHand(piece.path, error.line, error.reason))
    return counted


def _count_found(counted: PieceTally, found: HandFound, by: By | None) -> str:
    """Count one hand; return why it was skipped, or an empty string."""
    if found.record is None:
        return "no hand" if found.error is None else found.error.reason
    try:
        hand = mark_hand(found.record)
    except PitbossError as error:
        return str(error)
    count_hand(counted.tallies, hand, by)
    counted.hands += 1
    return ""


def _line(found: HandFound) -> int:
    return found.error.line or found.line if found.error is not None else found.line


class StudyError(PitbossError, ValueError):
    """An invalid request for statistics.

    >>> from pitboss import statistics
    >>> statistics([], sort="luck")
    Traceback (most recent call last):
    pitboss.StudyError: sort: expected result or hands, got 'luck'
    """


def statistics(
    hands: PathOrRecord | Iterable[PathOrRecord],
    *,
    player: str | None = None,
    by: By | None = None,
    sort: Sort = "result",
    cores: int | None = None,
    progress: Progress | None = None,
) -> Statistics:
    """Return the statistics of every player in these files, folders or records; docs/statistics.md defines each number.

    `by` makes one row for each position, stake or day of a player. `sort` puts the players with the best result or
    with the most hands first. Hands that cannot be read are left out and listed in `skipped`. `progress` is called with
    the number of bytes that are done and the total. The result is the same for any number of `cores`.

    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"), players=("Ann", "Bo"))
    >>> [(row.player, row.won, row.vpip, row.bb_per_100) for row in statistics(record)]
    [('Bo', 2, 1.0, 100.0), ('Ann', -2, 0.0, -100.0)]
    """
    if by is not None and by not in get_args(By):
        raise StudyError(f"by: expected {', '.join(get_args(By))}, got {by!r}")
    if sort not in get_args(Sort):
        raise StudyError(f"sort: expected {' or '.join(get_args(Sort))}, got {sort!r}")
    if cores is not None and (type(cores) is not int or cores < 1):
        raise StudyError(f"cores: expected a whole number from 1, got {cores!r}")
    given = [hands] if isinstance(hands, str | PathLike | Record) else hands
    if not isinstance(given, Iterable):
        raise StudyError(f"hands: expected records or paths of files, got {hands!r:.40}")
    total = PieceTally()
    pieces: list[FilePiece] = []
    for item in given:
        if isinstance(item, Record):
            _count_record(total, item, by)
        else:
            pieces += _pieces(item, total.skipped)
    whole, done = sum([piece.size for piece in pieces]), 0
    for counted in _count_all(pieces, by, cores or available_cores()):
        add_tallies(total.tallies, counted.tallies)
        total.hands += counted.hands
        total.skipped += counted.skipped
        done += counted.size
        if progress is not None:
            progress(done, whole)
    if player is not None:
        names = {name for name, _ in total.tallies}
        if player not in names:
            raise StudyError(_unknown(player, names))
        total.tallies = {key: tally for key, tally in total.tallies.items() if key[0] == player}
    return Statistics(total.tallies, by=by, hands=total.hands, skipped=total.skipped, sort=sort)


def _count_record(total: PieceTally, record: Record, by: By | None) -> None:
    reason = _count_found(total, HandFound(0, record), by)
    if reason:
        total.skipped.append(SkippedHand("", 0, reason))


def _pieces(path: str | PathLike[str], skipped: list[SkippedHand]) -> Iterator[FilePiece]:
    """Yield the pieces of a file or of all files of a folder; list files without hands as skipped."""
    for file in list_files(path):
        try:
            yield from cut_file(file)
        except ReadError as error:
            skipped.append(SkippedHand(str(file), error.line, error.reason))


def _unknown(player: str, names: Iterable[str]) -> str:
    folded = {name.casefold(): name for name in names}
    near = [folded[name] for name in get_close_matches(player.casefold(), folded, n=3, cutoff=0.5)]
    hint = f"; similar names: {', '.join(near)}" if near else ""
    return f"no player in these hands is called {player!r}{hint}"


# --- parallel work


def _count_all(pieces: list[FilePiece], by: By | None, cores: int) -> Iterator[PieceTally]:
    """Count all pieces and yield the results in their order."""
    if cores == 1 or sum([piece.size for piece in pieces]) <= FEW_PIECES * _PIECE_BYTES:
        yield from (count_piece(piece, by) for piece in pieces)
        return
    pool = ProcessPoolExecutor(cores, get_context("spawn"), initializer=_begin_counting)
    try:
        waiting = iter(pieces)
        with _interrupts_later():
            under_way: deque[Future[PieceTally]] = deque(
                [pool.submit(count_piece, piece, by) for piece in islice(waiting, 2 * cores)]
            )
        while under_way:
            counted = under_way.popleft().result()
            under_way.extend(pool.submit(count_piece, piece, by) for piece in islice(waiting, 1))
            yield counted
    except BrokenProcessPool:
        raise StudyError("a counting process was killed: try again, or use cores=1") from None
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Block interrupts while processes start; they inherit the block until they are ready."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _begin_counting() -> None:
    """Prepare a process that only counts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C also reaches this process, which must end without a traceback
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    gc.set_threshold(_GC_ALLOCATIONS)  # few collections, because hands create few reference cycles
