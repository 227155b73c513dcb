"""The report of a run: a map of games, and a page and a printed rulebook for each game.

Links never break, even if the build is interrupted. The map has links only to existing pages. A page has links only to
files that were written before it. A page is written again only if its inputs have changed.
"""

import hashlib
import shlex
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

import pitboss
from pitboss.errors import PitbossError
from pitboss.jobs.pool import WorkerDied, worker_pool
from pitboss.lab.english import listed, title
from pitboss.lab.evolution.archive import GAMES, SIZE, Cell, GameArchive, game_file, read_archive, write_whole
from pitboss.lab.files import known_games, load, write_genome
from pitboss.lab.genome import Genome
from pitboss.lab.measures.measure import MEANINGS, NAMES, Measured, measure
from pitboss.lab.measures.small_games import Solved, solve_small
from pitboss.lab.narrator import PEOPLE
from pitboss.lab.ratings import Rating, Ratings, read_ratings
from pitboss.lab.report.differences import (
    Nearest,
    RuleWorth,
    label,
    measure_often,
    nearest_known,
    rule_worths,
    rules_of,
)
from pitboss.lab.report.printed import read_pieces, write_html, write_pdf
from pitboss.lab.report.sample import SampleGame, sample_game
from pitboss.lab.rulebook import aim, rulebook
from pitboss.pages import page_text, write_frame

WIDE, HIGH, LEFT, BOTTOM, TOP = 560, 200, 44, 26, 8
BAR = 120
INDEX = "index.html"
PLAYED, OFTEN = 200, 5


def tension_picture(curve: Sequence[float]) -> str:
    """Return a picture of the tension from the start of a game to its end."""
    points = _points(curve)
    last, base = points.rpartition(" ")[2].partition(",")[0], HIGH - BOTTOM
    area = f'<polygon class="area" points="{LEFT},{base} {points} {last},{base}"/>'
    line = f'<polyline class="seat0" points="{points}"/>'
    return _frame("Tension during a game: 100 % is as open as at the start, 0 is decided", area + line)


def lead_picture(curves: Sequence[Sequence[float]], names: Sequence[str]) -> str:
    """Return a picture of each player's prospects during one game, with a legend."""
    lines = [f'<polyline class="seat{seat}" points="{_points(curve)}"/>' for seat, curve in enumerate(curves)]
    legend = [
        f'<li><svg viewBox="0 0 24 8" aria-hidden="true"><line class="seat{seat}" x1="0" x2="24" y1="4" y2="4"/></svg>'
        f"{name}</li>"
        for seat, name in enumerate(names[: len(curves)])
    ]
    return f'<ul class="legend">{"".join(legend)}</ul>' + _frame("The players' prospects during a game", "".join(lines))


def _points(curve: Sequence[float]) -> str:
    wide, high = WIDE - LEFT - 8, HIGH - BOTTOM - TOP
    last = max(1, len(curve) - 1)
    clipped = [min(1.0, max(0.0, value)) for value in curve]
    return " ".join([f"{LEFT + wide * k / last:.1f},{TOP + high * (1 - value):.1f}" for k, value in enumerate(clipped)])


def _frame(title: str, content: str) -> str:
    """Return axes from 0 to 100 % and from start to end, with this content."""
    high, grid = HIGH - BOTTOM - TOP, list[str]()
    for share in (0, 0.5, 1):
        y = TOP + high * (1 - share)
        grid.append(f'<line class="grid" x1="{LEFT}" x2="{WIDE - 8}" y1="{y:.1f}" y2="{y:.1f}"/>')
        grid.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{100 * share:.0f} %</text>')
    grid.append(f'<text x="{LEFT}" y="{HIGH - 6}">start</text>')
    grid.append(f'<text x="{WIDE - 8}" y="{HIGH - 6}" text-anchor="end">end</text>')
    shape = f'viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{title}"'
    return f'<svg class="plot" {shape}>{"".join(grid)}{content}</svg>'


def interval_picture(mean: float, low: float, high: float) -> str:
    """Return a picture of a share from 0 to 1, as a dot on its interval."""
    at, first, last = [BAR * min(1.0, max(0.0, value)) for value in (mean, low, high)]
    return (
        f'<svg class="bar" viewBox="-4 0 {BAR + 8} 10" aria-hidden="true">'
        f'<line class="grid" x1="0" x2="{BAR}" y1="5" y2="5"/>'
        f'<line class="span" x1="{first:.1f}" x2="{last:.1f}" y1="5" y2="5"/><circle cx="{at:.1f}" cy="5" r="4"/></svg>'
    )


def resource(name: str) -> str:
    """Return the text of a file of this package."""
    return (files("pitboss.lab.report") / name).read_text(encoding="utf-8")


def write_index(archive: GameArchive, pages: dict[str, str], ratings: Ratings) -> str:
    """Return the map. `pages` has the addresses of the existing game pages, by name."""
    count = len(archive.cells)
    heading = f"{count} game{'' if count == 1 else 's'} on a map"
    data = {
        "games": [_game(cell, pages, ratings) for cell in archive.cells],
        "labels": {name: label(name) for name in _measure_names(archive)},
        "meanings": MEANINGS,
        "order": _measure_names(archive),
    }
    body = [f"<h1>{heading}</h1>", _run(archive)]
    if not count:
        body.append("<p>No game has been found yet.</p>")
        return write_frame(heading, "\n".join(body), style=resource("style.css"))
    if ratings.complaint:
        body.append(f'<p class="soft">{page_text(ratings.complaint)}.</p>')
    body += [_controls(archive), _board(archive), _list()]
    return write_frame(heading, "\n".join(body), style=resource("style.css"), script=resource("map.js"), data=data)


def _run(archive: GameArchive) -> str:
    recipe = archive.recipe
    done = f"{max(0, archive.generation)} of {recipe.generations} generations"
    parts = [f"style {recipe.style}", f"betting {recipe.betting}", done, f"{archive.judged:,} games judged"]
    return f'<p class="soft">{page_text(", ".join([*parts, f"seed {recipe.seed}"]))}</p>'


def _measure_names(archive: GameArchive) -> list[str]:
    """Return the measures of the games, in their usual order."""
    there = {name for cell in archive.cells for name in cell.measures}
    return [*[name for name in NAMES if name in there], *sorted(there - set(NAMES))]


def phase_word(genome: Genome, at: int) -> str:
    """Return a phase's kind in one word."""
    return type(genome.turn_structure.phases[at]).__name__.removesuffix("Phase").lower()


def phase_words(genome: Genome) -> list[str]:
    """Return the kinds of a game's phases, each in one word."""
    return list(dict.fromkeys([phase_word(genome, at) for at in range(len(genome.turn_structure.phases))]))


def _game(cell: Cell, pages: dict[str, str], ratings: Ratings) -> dict[str, Any]:
    genome, given = cell.genome, ratings.of(cell.name)
    return {
        "name": cell.name,
        "title": title(cell.name),
        "cell": cell.cell,
        "page": pages.get(cell.name, ""),
        "players": genome.player_count,
        "bets": bool(genome.betting_phases),
        "phases": phase_words(genome),
        "aim": aim(genome),
        "nearest": title(nearest_known(genome).name),
        "rules": rules_of(genome),
        "measures": cell.measures,
        "stars": sum([rating.stars for rating in given]) / len(given) if given else 0,
        "ratings": [rating.word for rating in given],
    }


def _controls(archive: GameArchive) -> str:
    axes = set(archive.recipe.axes)
    first = next((name for name in ("tension", *_measure_names(archive)) if name not in axes), "tension")
    measures = "".join(
        [
            f'<option value="{page_text(name)}"{" selected" if name == first else ""}>{page_text(label(name))}</option>'
            for name in _measure_names(archive)
        ]
    )
    kinds = sorted({word for cell in archive.cells for word in phase_words(cell.genome)})
    phases = "".join([f'<option value="{page_text(kind)}">{page_text(kind)}</option>' for kind in kinds])
    return (
        '<div class="controls">'
        f'<label>colour and order by<select id="measure">{measures}</select></label>'
        '<label>hide the lowest<input id="least" type="range" min="0" max="95" step="5" value="0"></label>'
        '<label>betting<select id="betting"><option value="">with or without</option>'
        '<option value="with">with bets</option><option value="without">without bets</option></select></label>'
        f'<label>has a step<select id="phase"><option value="">of any kind</option>{phases}</select></label>'
        '<span id="count" class="soft"></span></div><p id="meaning" class="soft"></p>'
    )


def _board(archive: GameArchive) -> str:
    """Return the cells. The first axis goes up, the second to the right."""
    held = {cell.cell: cell for cell in archive.cells}
    cells = [_square(held.get((row, column))) for row in reversed(range(SIZE)) for column in range(SIZE)]
    up, across = [page_text(label(axis)) for axis in archive.recipe.axes]
    return (
        f'<div class="board"><div class="frame"><div class="up">{up} →</div><div class="map">{"".join(cells)}</div>'
        f'<div class="across">{across} →<br><small>● with bets</small></div></div>'
        '<div id="panel" class="panel" aria-live="polite"></div></div>'
    )


def _square(cell: Cell | None) -> str:
    if cell is None:
        return "<span></span>"
    where, name = f"{cell.cell[0]},{cell.cell[1]}", page_text(title(cell.name))
    bets = ' class="bets"' if cell.genome.betting_phases else ""
    return f'<button{bets} data-cell="{where}" aria-label="{name}" title="{name}"></button>'


def _list() -> str:
    return (
        '<h2>All games</h2><div class="wide"><table class="games"><thead><tr><th>game</th><th id="listed"></th>'
        '<th>players</th><th>bets</th><th>rated</th></tr></thead><tbody id="list"></tbody></table></div>'
        "<noscript><p>The map and the list need JavaScript; the pages in games/ do not.</p></noscript>"
    )


class StudiedGame(Struct, frozen=True, kw_only=True):
    """The contents of a game's page, without its rules."""

    cell: Cell
    measured: Measured
    sample: SampleGame
    nearest: Nearest
    carried: tuple[RuleWorth, ...]
    ratings: tuple[Rating, ...]
    play: str  #: the command that plays the game
    file: str  #: the name of the game's files, without endings
    inputs: str  #: a hash of the inputs of the page


def write_game_page(studied: StudiedGame) -> str:
    """Return a game's page."""
    genome, name = studied.cell.genome, title(studied.cell.name)
    sections = [
        ("Measures", _measured(studied.measured)),
        ("Tension and lead", _pictures(studied.measured)),
        ("The rules", f'<div class="rulebook">{write_html(read_pieces(rulebook(genome))[1:], down=1)}</div>'),
        ("A sample game", _sample(studied.sample)),
        ("The most similar known game", _nearest(studied.nearest)),
        ("What each rule contributes", _carried(studied.carried)),
        ("Solution", _certificate(studied.measured.solved)),
        ("Players by strength", _ladder(studied.measured)),
        ("Ancestors", _lineage(studied.cell)),
        ("Ratings", _ratings(studied.ratings)),
    ]
    body = [
        f"<!-- made of {studied.inputs} -->",
        f"<h1>{page_text(name)}</h1>",
        f"<p>{page_text(f'{genome.player_count} players. {aim(genome)}')}</p>",
        _links(studied),
        *chain.from_iterable([(f"<h2>{heading}</h2>", text) for heading, text in sections if text]),
    ]
    return write_frame(name, "\n".join(body), style=resource("style.css"))


def _links(studied: StudiedGame) -> str:
    file = page_text(studied.file)
    links = {
        "The map": "../index.html",
        "Rules and reference card to print (PDF)": f"{file}.pdf",
        "The game's file": f"{file}.json",
    }
    items = [f'<li><a href="{address}">{text}</a></li>' for text, address in links.items()]
    return f'<p>Play it:</p><pre>{page_text(studied.play)}</pre><ul class="links">{"".join(items)}</ul>'


# --- figures


def figure(value: float) -> str:
    """Return a number with two decimals, or without decimals if it is large."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"


def _measured(measured: Measured) -> str:
    rows = []
    for name, one in measured.measures.items():
        if not (one.mean or one.high):
            continue
        bar = interval_picture(one.mean, one.low, one.high) if one.high <= 1 else ""
        rows.append(
            f"<tr><td>{page_text(label(name))}</td><td>{figure(one.mean)}</td>"
            f'<td class="soft">{figure(one.low)} to {figure(one.high)}</td><td>{bar}</td>'
            f'<td class="text soft">{page_text(MEANINGS.get(name, ""))}</td></tr>'
        )
    head = '<tr><th>measure</th><th>mean</th><th>95 % interval</th><th></th><th class="text">meaning</th></tr>'
    return f'<div class="wide"><table class="measures">{head}{"".join(rows)}</table></div>'


def _pictures(measured: Measured) -> str:
    tension = f"<h3>Average tension</h3>{tension_picture(measured.tension)}"
    lead = f"<h3>The lead in one game</h3>{lead_picture(measured.lead, PEOPLE)}"
    return f'<div class="columns"><div>{tension}</div><div>{lead}</div></div>'


# --- texts


def _sample(sample: SampleGame) -> str:
    lines = []
    for line in sample.lines:
        notes = [line.note] if line.note else []
        notes += ["The deciding moment."] if line.deciding else []
        note = f'<span class="note">{page_text(" ".join(notes))}</span>' if notes else ""
        kind = ' class="deciding"' if line.deciding else ""
        lines.append(f"<li{kind}>{page_text(line.words)}{note}</li>")
    who = listed([*sample.players])
    text = f"{who} play greedily (seed {sample.seed}, {sample.moves} moves). You see all cards; the players do not. "
    text += "A chance is the share of wins if the deal is continued many times from there, with hardly any folds."
    return f'<p class="soft">{page_text(text)}</p><ol class="story">{"".join(lines)}</ol>'


def _nearest(nearest: Nearest) -> str:
    known = f"{title(nearest.name)}: {known_games()[nearest.name]}."
    if not nearest.differences:
        return f"<p>{page_text(known)} The rules are the same.</p>"
    items = "".join([f"<li>{page_text(difference.words)}</li>" for difference in nearest.differences])
    return f"<p>{page_text(known)} The differences:</p><ul>{items}</ul>"


def _carried(carried: tuple[RuleWorth, ...]) -> str:
    if not carried:
        return "<p>No rule can be removed.</p>"
    items = [f'<li class="{"loud" if rule.clear else "quiet"}">{page_text(rule.sentence)}</li>' for rule in carried]
    text = "The game was measured with and without each rule. Only significant differences are listed."
    return f'<p class="soft">{text}</p><ul>{"".join(items)}</ul>'


def _certificate(solved: Solved | None) -> str:
    if solved is None:
        return ""
    what = f"A miniature of this game ({solved.miniature})" if solved.miniature else "This game"
    unit = "chips per deal" if solved.unit == "chips" else "wins minus losses per deal"
    text = f"{what} was solved; it has {solved.information_sets:,} information sets. "
    text += f"At equilibrium the first seat wins {solved.value:+.3f} {unit} on average"
    bluffs = f", and {100 * solved.bluffing:.0f} % of the bets are bluffs, which would lose if they were called"
    text += f"{bluffs if solved.unit == 'chips' else ''}."
    rows = [f"<tr><td>{page_text(who)}</td><td>{lost:.3f}</td></tr>" for who, lost in solved.exploitability.items()]
    table = f"<table><tr><th>player</th><th>exploitability</th></tr>{''.join(rows)}</table>"
    return f"<p>{page_text(text)}</p><p>What the best responses to a player win, in {unit}:</p>{table}"


def _ladder(measured: Measured) -> str:
    rows = [
        f"<tr><td>{page_text(rung.player)}</td><td>{rung.rating.mean:+.0f}</td>"
        f'<td class="soft">{rung.rating.low:+.0f} to {rung.rating.high:+.0f}</td></tr>'
        for rung in measured.ladder
    ]
    return f"<table><tr><th>player</th><th>Elo</th><th>95 %</th></tr>{''.join(rows)}</table>" if rows else ""


def _lineage(cell: Cell) -> str:
    if not cell.lineage:
        return ""
    way = " → ".join([title(name) for name in (*cell.lineage, cell.name)])
    how = f" Last changed by {listed([*cell.operators])}." if cell.operators else ""
    return f"<p>{page_text(f'{way}.{how}')}</p>"


def _ratings(ratings: tuple[Rating, ...]) -> str:
    items = [f"<li>{'★' * rating.stars}{'☆' * (5 - rating.stars)} {page_text(rating.word)}</li>" for rating in ratings]
    return f"<ul>{''.join(items)}</ul>" if items else ""


class ReportError(PitbossError, RuntimeError):
    """A report cannot be built. The message is one sentence."""


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
    unchanged: int  #: number of pages that were already up to date
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
        """Write all pages that are not up to date. Yield each game's name when its page is written."""
        self.write_index()
        try:
            with worker_pool(make_page, workers, piece=1) as make_pages:
                for name in make_pages(self.tasks):
                    self.built += 1
                    if self.built % OFTEN == 0:  # if the build is killed, the map shows the finished pages
                        self.write_index()
                    yield name
        except WorkerDied as error:
            raise ReportError(f"{error}: run the command again, perhaps with fewer --workers") from None
        self.write_index()

    def write_index(self) -> None:
        """Write the map, with a link to each existing page."""
        pages = {name: f"{GAMES}/{file}.html" for name, file in self.names.items() if self._is_there(file)}
        write_whole(self.folder / INDEX, write_index(self.archive, pages, self.ratings).encode())

    def report(self) -> BuiltReport:
        """Return the result so far."""
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
    """Return whether the page was made from the same inputs, and the files in its links exist."""
    place = Path(task.folder) / GAMES / task.file
    try:
        with place.with_suffix(".html").open("rb") as file:
            made = f"made of {task.inputs}".encode() in file.read()
    except OSError:
        return False
    return made and place.with_suffix(".pdf").is_file() and place.with_suffix(".json").is_file()


def make_page(task: PageTask) -> str:
    """Study a game and write its files, the page last. Return the game's name."""
    genome, place = task.cell.genome, Path(task.folder) / GAMES / task.file
    whole = measure_often(genome)
    studied = StudiedGame(
        cell=task.cell,
        measured=_measure_more(genome, task, whole),
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


def _measure_more(genome: Genome, task: PageTask, whole: list[Measured]) -> Measured:
    """Return the measures of the game. Its tension is the average of all measurements. A small game is also solved."""
    measured = measure(genome, games=task.games, depth="full" if task.full else "quick")
    curves = [one.tension for one in (measured, *whole)]
    tension = tuple([sum(points) / len(points) for points in zip(*curves, strict=True)])
    return replace(measured, tension=tension, solved=measured.solved if task.full else solve_small(genome))


def warm_up_report() -> None:
    """Compile or load the measures once, before several processes do it at the same time."""
    measure(load("kuhn"), games=2)
