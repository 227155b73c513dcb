"""A run as it goes on: the map filling on a terminal, a line now and then elsewhere; an interrupt ends it cleanly."""

import time
from collections.abc import Callable

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from pitboss.cli.counting import count
from pitboss.cli.echo import echo
from pitboss.lab.evolution.archive import SIZE, EvolutionError, GameArchive
from pitboss.lab.evolution.axes import AXES
from pitboss.lab.evolution.run import EvolutionRun, Glance
from pitboss.lab.evolution.workers import at_work
from pitboss.lab.files import load
from pitboss.lab.measures.measure import measure

GETTING_READY = "getting ready: the first time on a machine, this compiles for a minute or two"
SHOWN = ("skill", "mattered", "tension", "comeback", "interaction", "bluffs")
SECONDS_A_LINE = 10.0
PICTURES_A_SECOND = 4
SHADES = ((0.75, "█", "green"), (0.65, "▓", "green"), (0.5, "▒", "yellow"), (0.0, "░", "red"))


def watching(
    archive: GameArchive, *, workers: int, ray: str | None, keep: Callable[[GameArchive], None]
) -> tuple[bool, EvolutionError | None]:
    """Run to the end, writing down each generation: whether all was done, and what went wrong."""
    try:
        if archive.finished:
            return True, None
        console = Console(stderr=True)
        if not console.is_terminal:
            echo(GETTING_READY, err=True)
        with console.status(GETTING_READY):
            measure(load("kuhn"), games=4)
        with at_work(workers, ray) as judges:
            run = EvolutionRun(archive, judges)
            with_picture(run, console, keep) if console.is_terminal else with_lines(run, keep)
    except KeyboardInterrupt:
        return False, None
    except EvolutionError as error:
        return False, error
    return True, None


def with_lines(run: EvolutionRun, keep: Callable[[GameArchive], None]) -> None:
    """A line at the start, now and then, and at the end."""
    clock, last = RunPace(run.archive), time.monotonic()

    def tell(glance: Glance) -> None:
        nonlocal last
        if glance.births:
            return
        keep(glance.archive)
        first, now = glance.archive.generation == 0, time.monotonic()
        if first or glance.archive.finished or now - last > SECONDS_A_LINE:
            last = now
            echo(clock.line(glance.archive), err=True)

    run.run(tell)


def with_picture(run: EvolutionRun, console: Console, keep: Callable[[GameArchive], None]) -> None:
    """The map on the screen, drawn anew a few times a second."""
    clock = RunPace(run.archive)
    with Live(picture(Glance(archive=run.archive), clock), console=console, auto_refresh=False, transient=True) as live:
        last = 0.0

        def show(glance: Glance) -> None:
            nonlocal last
            if not glance.births:
                keep(glance.archive)
            if time.monotonic() - last > 1 / PICTURES_A_SECOND:
                last = time.monotonic()
                live.update(picture(glance, clock), refresh=True)

        run.run(show)


class RunPace:
    """How fast a run is, and how long it will take."""

    def __init__(self, archive: GameArchive) -> None:
        self.begun, self.first, self.judged = time.monotonic(), archive.generation, archive.judged
        self.cells_before = len(archive.cells)

    def pace(self, archive: GameArchive, under_way: int = 0) -> str:
        """Games judged a second, in words."""
        done = archive.judged - self.judged + under_way
        return f"{count(round(done / max(0.001, time.monotonic() - self.begun)), 'game')} judged a second"

    def left(self, archive: GameArchive) -> str:
        """How long the rest will take, in words."""
        done = archive.generation - self.first
        if done < 1:
            return "a while"
        seconds = (time.monotonic() - self.begun) / done * (archive.recipe.generations - archive.generation)
        return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"

    def line(self, archive: GameArchive) -> str:
        """All of it in a line; where there are fewer cells than in the line before, it says why."""
        best = max(archive.cells, key=lambda cell: cell.worth, default=None)
        betting = len([1 for cell in archive.cells if cell.genome.betting_phases])
        fewer, self.cells_before = self.cells_before - len(archive.cells), len(archive.cells)
        why = f" ({fewer} fewer: better games like them came)" if fewer > 0 else ""
        cells = count(len(archive.cells), "cell")
        text = f"generation {archive.generation} of {archive.recipe.generations}: {cells}{why}, "
        text += f"{betting} with betting, {self.pace(archive)}, {self.left(archive)} left"
        return f"{text}; best {best.name} {best.worth:.2f}" if best else text


def picture(glance: Glance, clock: RunPace) -> RenderableType:
    """How far it is, and below it, where a small window may end, the map beside the best by each measure."""
    archive = glance.archive
    under_way = f", {glance.under_way} of {glance.births} births" if glance.births else ""
    above = f"generation {max(0, archive.generation)} of {archive.recipe.generations}{under_way}; "
    above += f"{clock.pace(archive, glance.under_way)}; {clock.left(archive)} left; Ctrl-C keeps what is found"
    up, right = archive.recipe.axes
    axes = f"↑ {up}: {AXES[up].says}   → {right}: {AXES[right].says}"
    sides = Table.grid(padding=(0, 2))
    sides.add_column(no_wrap=True)
    sides.add_row(map_text(archive), best_table(archive))
    return Group(Text(above), Text(axes, style="dim"), sides)


def map_text(archive: GameArchive) -> Text:
    """The map: the first axis upwards, the second to the right, the fuller the worthier."""
    held = {cell.cell: cell for cell in archive.cells}
    text = Text(no_wrap=True)
    for row in reversed(range(SIZE)):
        text.append("│")
        for column in range(SIZE):
            cell = held.get((row, column))
            if cell is None:
                text.append(" ·", style="dim")
            else:
                _, shade, colour = next(one for one in SHADES if cell.worth >= one[0])
                text.append(f" {shade}", style=colour if cell.genome.betting_phases else f"{colour} dim")
        text.append("\n")
    text.append(f"└{'──' * SIZE}")
    return text


def best_table(archive: GameArchive) -> Table:
    """The best game by each measure."""
    betting = len([1 for cell in archive.cells if cell.genome.betting_phases])
    title = f"{len(archive.cells)} of {SIZE * SIZE} cells, {betting} with betting"
    table = Table(title=title, box=None, pad_edge=False, min_width=len(title))
    for heading in ("measure", "best", "game"):  # in a narrow window a name is cut, but no figure
        table.add_column(heading, justify="right" if heading == "best" else "left", no_wrap=heading != "game")
    table.columns[-1].overflow = "ellipsis"
    if archive.cells:
        top = max(archive.cells, key=lambda cell: cell.worth)
        table.add_row("worth", f"{top.worth:.2f}", top.name)
        for name in SHOWN:
            best = max(archive.cells, key=lambda cell: cell.measures[name].mean)
            table.add_row(name, f"{best.measures[name].mean:.2f}", best.name)
    return table
