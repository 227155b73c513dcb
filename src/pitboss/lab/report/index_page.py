"""The map of a run as one page: a cell a game, with what is known of each for the script that shows it."""

from importlib.resources import files
from typing import Any

from pitboss.lab.base.english import title
from pitboss.lab.evolution.archive import SIZE, Cell, GameArchive
from pitboss.lab.genome.parts import Genome
from pitboss.lab.measures.measure import MEANINGS, NAMES
from pitboss.lab.ratings import Ratings
from pitboss.lab.report.differences import nearest_known
from pitboss.lab.report.rules import label, rules_of
from pitboss.lab.rulebook.ends import aim
from pitboss.pages import page_text, write_frame


def resource(name: str) -> str:
    """A file of this room."""
    return (files("pitboss.lab.report") / name).read_text(encoding="utf-8")


def write_index(archive: GameArchive, pages: dict[str, str], ratings: Ratings) -> str:
    """The whole page; `pages` are the addresses of the games that have one, by name."""
    count = len(archive.cells)
    heading = f"{count} game{'' if count == 1 else 's'} on a map"
    data = {
        "games": [_game(cell, pages, ratings) for cell in archive.cells],
        "labels": {name: label(name) for name in _measures(archive)},
        "meanings": MEANINGS,
        "order": _measures(archive),
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


def _measures(archive: GameArchive) -> list[str]:
    """The measures that any game has, in their usual order."""
    there = {name for cell in archive.cells for name in cell.measures}
    return [*[name for name in NAMES if name in there], *sorted(there - set(NAMES))]


def phase_word(genome: Genome, at: int) -> str:
    """A phase's kind in a word."""
    return type(genome.turn_structure.phases[at]).__name__.removesuffix("Phase").lower()


def phase_words(genome: Genome) -> list[str]:
    """The kinds of its phases in a word each, each once."""
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
    first = next((name for name in ("tension", *_measures(archive)) if name not in axes), "tension")
    measures = "".join(
        [
            f'<option value="{page_text(name)}"{" selected" if name == first else ""}>{page_text(label(name))}</option>'
            for name in _measures(archive)
        ]
    )
    kinds = sorted({word for cell in archive.cells for word in phase_words(cell.genome)})
    phases = "".join([f'<option value="{page_text(kind)}">{page_text(kind)}</option>' for kind in kinds])
    return (
        '<div class="controls">'
        f'<label>colour and order by<select id="measure">{measures}</select></label>'
        '<label>leave out the lowest<input id="least" type="range" min="0" max="95" step="5" value="0"></label>'
        '<label>betting<select id="betting"><option value="">with or without</option>'
        '<option value="with">with bets</option><option value="without">without bets</option></select></label>'
        f'<label>has a step<select id="phase"><option value="">of any kind</option>{phases}</select></label>'
        '<span id="count" class="soft"></span></div><p id="meaning" class="soft"></p>'
    )


def _board(archive: GameArchive) -> str:
    """The cells, the first axis upwards and the second to the right."""
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
