"""Builds the report of a run: a printed rulebook and a page for each game, and the map with links to them.

Links never break, even if the build is interrupted: the map links only to existing pages, and a page only to files that
were written before it. A page is written again only if its inputs have changed.
"""

import hashlib
import shlex
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, wait
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from itertools import islice
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

import pitboss
from pitboss.errors import PitbossError
from pitboss.lab.evolution.archive import GAMES, Cell, GameArchive, game_file, read_archive, write_whole
from pitboss.lab.files import load, write_genome
from pitboss.lab.genome import Genome
from pitboss.lab.measures.measure import Measured, measure
from pitboss.lab.measures.solved import solve_small
from pitboss.lab.ratings import Rating, Ratings, read_ratings
from pitboss.lab.report.differences import measure_often, nearest_known, rule_worths
from pitboss.lab.report.pages import StudiedGame, resource, write_game_page, write_index
from pitboss.lab.report.printed import write_pdf
from pitboss.lab.report.sample import sample_game

INDEX = "index.html"
PLAYED, OFTEN = 200, 5


class ReportError(PitbossError, RuntimeError):
    """A report that cannot be built; the message is one sentence."""


class PageTask(Struct, frozen=True, kw_only=True):
    """A page to write."""

    folder: str
    file: str
    cell: Cell
    ratings: tuple[Rating, ...]
    games: int
    full: bool  #: whether players are also rated on a ladder
    inputs: str


class BuiltReport(Struct, frozen=True, kw_only=True):
    """The result of a build."""

    index: str
    games: int
    built: int
    unchanged: int  #: pages that were up to date
    complaint: str = ""  #: a sentence about ratings that could not be read


class ReportBuilder:
    """Builds the report of one folder, page by page."""

    def __init__(self, folder: Path, *, games: int = PLAYED, full: bool = False) -> None:
        self.folder, self.games, self.full = folder, games, full
        self.archive: GameArchive = read_archive(folder)
        self.ratings: Ratings = read_ratings(folder)
        self.names = {cell.name: game_file(cell) for cell in self.archive.cells}
        (folder / GAMES).mkdir(exist_ok=True)
        tasks = [self._task(cell) for cell in self.archive.cells]
        self.tasks = [task for task in tasks if not _up_to_date(task)]
        self.unchanged, self.built = len(tasks) - len(self.tasks), 0

    def build(self, workers: int = 1) -> Iterator[str]:
        """Write all pages that are not up to date; yields each game's name when its page is written."""
        self.write_index()
        for name in _in_processes(self.tasks, workers) if workers > 1 else map(make_page, self.tasks):
            self.built += 1
            if self.built % OFTEN == 0:  # so that the map of a killed build shows the finished pages
                self.write_index()
            yield name
        self.write_index()

    def write_index(self) -> None:
        """Write the map, with a link to each existing page."""
        pages = {name: f"{GAMES}/{file}.html" for name, file in self.names.items() if self._is_there(file)}
        write_whole(self.folder / INDEX, write_index(self.archive, pages, self.ratings).encode())

    def report(self) -> BuiltReport:
        """The result so far."""
        index, count = str(self.folder / INDEX), len(self.archive.cells)
        return BuiltReport(
            index=index, games=count, built=self.built, unchanged=self.unchanged, complaint=self.ratings.complaint
        )

    def _is_there(self, file: str) -> bool:
        return (self.folder / GAMES / f"{file}.html").is_file()

    def _task(self, cell: Cell) -> PageTask:
        given = self.ratings.of(cell.name)
        made_of = (str(self.folder), cell, given, self.games, self.full, pitboss.__version__, resource("style.css"))
        inputs = hashlib.sha256(msgspec.json.encode(made_of)).hexdigest()
        file = game_file(cell)
        return PageTask(
            folder=str(self.folder),
            file=file,
            cell=cell,
            ratings=given,
            games=self.games,
            full=self.full,
            inputs=inputs,
        )


def _up_to_date(task: PageTask) -> bool:
    """Whether the page was made from the same inputs and the files it links to exist."""
    place = Path(task.folder) / GAMES / task.file
    try:
        with place.with_suffix(".html").open("rb") as file:
            made = f"made of {task.inputs}".encode() in file.read()
    except OSError:
        return False
    return made and place.with_suffix(".pdf").is_file() and place.with_suffix(".json").is_file()


def make_page(task: PageTask) -> str:
    """Study a game and write its files, the page last; returns its name."""
    genome, place = task.cell.genome, Path(task.folder) / GAMES / task.file
    whole = measure_often(genome)
    studied = StudiedGame(
        cell=task.cell,
        measured=_measured(genome, task, whole),
        sample=sample_game(genome),
        nearest=nearest_known(genome),
        carried=rule_worths(genome, whole),
        ratings=task.ratings,
        play=f"pitboss lab play {shlex.quote(str(place.with_suffix('.json')))}",
        file=task.file,
        inputs=task.inputs,
    )
    write_whole(place.with_suffix(".json"), write_genome(genome).encode())
    write_whole(place.with_suffix(".pdf"), write_pdf(genome))
    write_whole(place.with_suffix(".html"), write_game_page(studied).encode())
    return task.cell.name


def _measured(genome: Genome, task: PageTask, whole: list[Measured]) -> Measured:
    """The game measured and, if it is small, solved; its tension is the average over all measurements."""
    measured = measure(genome, games=task.games, depth="full" if task.full else "quick")
    curves = [one.tension for one in (measured, *whole)]
    tension = tuple([sum(points) / len(points) for points in zip(*curves, strict=True)])
    return replace(measured, tension=tension, solved=measured.solved if task.full else solve_small(genome))


def warm_up_report() -> None:
    """Compile or load the measures once, before several processes do it at the same time."""
    measure(load("kuhn"), games=2)


def _in_processes(tasks: list[PageTask], workers: int) -> Iterator[str]:
    """Write pages in several processes; unfinished pages are abandoned when the generator is closed."""
    loky: Any = import_module("joblib.externals.loky")
    pool = loky.ProcessPoolExecutor(workers, initializer=_leave_keys_alone)
    waiting, under_way = iter(tasks), set[Any]()
    try:
        while True:
            more = islice(waiting, workers - len(under_way))  # no queue, so that an interrupt is quick
            under_way |= {pool.submit(make_page, task) for task in more}
            if not under_way:
                return
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            yield from [one.result() for one in done]
    except BrokenProcessPool:
        raise ReportError("a worker died: run the command again to continue, perhaps with fewer --workers") from None
    finally:
        pool.shutdown(kill_workers=True)


def _leave_keys_alone() -> None:
    """Ignore interrupts; the parent process handles them."""
    signal(SIGINT, SIG_IGN)
