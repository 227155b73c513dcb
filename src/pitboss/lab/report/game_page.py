"""A game's page: what it is like, its rules, a game told in words, what each rule carries, and how to play it."""

from itertools import chain

from msgspec import Struct

from pitboss.lab.base.english import listed, title
from pitboss.lab.evolution.archive import Cell
from pitboss.lab.genome.known import known_games
from pitboss.lab.measures.measure import MEANINGS, Measured
from pitboss.lab.measures.solved import Solved
from pitboss.lab.ratings import Rating
from pitboss.lab.report.ablation import Carried
from pitboss.lab.report.differences import Nearest
from pitboss.lab.report.index_page import resource
from pitboss.lab.report.markdown import read_pieces, write_html
from pitboss.lab.report.pictures import interval_picture, lead_picture, tension_picture
from pitboss.lab.report.rules import label
from pitboss.lab.report.sample import SampleGame
from pitboss.lab.report.telling import NAMES
from pitboss.lab.rulebook.ends import aim
from pitboss.lab.rulebook.rulebook import rulebook
from pitboss.pages import page_text, write_frame


class Studied(Struct, frozen=True, kw_only=True):
    """All that a game's page tells beside its rules."""

    cell: Cell
    measured: Measured
    sample: SampleGame
    nearest: Nearest
    carried: tuple[Carried, ...]
    ratings: tuple[Rating, ...]
    play: str  #: the command that plays it
    file: str  #: the name of its files, without their ends
    inputs: str  #: a digest of what the page was made of


def write_game_page(studied: Studied) -> str:
    """The whole page."""
    genome, name = studied.cell.genome, title(studied.cell.name)
    sections = [
        ("What it is like", _measures(studied.measured)),
        ("Tension and lead", _pictures(studied.measured)),
        ("The rules", f'<div class="rulebook">{write_html(read_pieces(rulebook(genome))[1:], down=1)}</div>'),
        ("A game, told", _sample(studied.sample)),
        ("The nearest known game", _nearest(studied.nearest)),
        ("Which rule carries how much", _carried(studied.carried)),
        ("For certain", _certificate(studied.measured.solved)),
        ("Players by strength", _ladder(studied.measured)),
        ("Where it comes from", _lineage(studied.cell)),
        ("What people said", _ratings(studied.ratings)),
    ]
    body = [
        f"<!-- made of {studied.inputs} -->",
        f"<h1>{page_text(name)}</h1>",
        f"<p>{page_text(f'{genome.player_count} players. {aim(genome)}')}</p>",
        _links(studied),
        *chain.from_iterable([(f"<h2>{heading}</h2>", text) for heading, text in sections if text]),
    ]
    return write_frame(name, "\n".join(body), style=resource("style.css"))


def _links(studied: Studied) -> str:
    file = page_text(studied.file)
    links = {
        "The map": "../index.html",
        "Rules and card to print (PDF)": f"{file}.pdf",
        "The game's file": f"{file}.json",
    }
    items = [f'<li><a href="{address}">{text}</a></li>' for text, address in links.items()]
    return f'<p>Play it at once:</p><pre>{page_text(studied.play)}</pre><ul class="links">{"".join(items)}</ul>'


# --- figures


def figure(value: float) -> str:
    """A number as one reads it."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"


def _measures(measured: Measured) -> str:
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
    head = '<tr><th>measure</th><th>mean</th><th>95 % interval</th><th></th><th class="text">what it is</th></tr>'
    return f'<div class="wide"><table class="measures">{head}{"".join(rows)}</table></div>'


def _pictures(measured: Measured) -> str:
    tension = f"<h3>Tension, on average</h3>{tension_picture(measured.tension)}"
    lead = f"<h3>Who leads, in one game</h3>{lead_picture(measured.lead, NAMES)}"
    return f'<div class="columns"><div>{tension}</div><div>{lead}</div></div>'


# --- stories


def _sample(sample: SampleGame) -> str:
    lines = []
    for line in sample.lines:
        notes = [line.note] if line.note else []
        notes += ["The deciding moment."] if line.deciding else []
        note = f'<span class="note">{page_text(" ".join(notes))}</span>' if notes else ""
        kind = ' class="deciding"' if line.deciding else ""
        lines.append(f"<li{kind}>{page_text(line.words)}{note}</li>")
    who = listed([*sample.players])
    text = f"{who} play greedily, from seed {sample.seed}, {sample.moves} moves; you see all cards, they do not. "
    text += "Chances are what comes out if the deal is played on many times from there and hardly anybody folds."
    return f'<p class="soft">{page_text(text)}</p><ol class="story">{"".join(lines)}</ol>'


def _nearest(nearest: Nearest) -> str:
    known = f"{title(nearest.name)}: {known_games()[nearest.name]}."
    if not nearest.differences:
        return f"<p>{page_text(known)} The rules are the same.</p>"
    items = "".join([f"<li>{page_text(difference.words)}</li>" for difference in nearest.differences])
    return f"<p>{page_text(known)} What is different here:</p><ul>{items}</ul>"


def _carried(carried: tuple[Carried, ...]) -> str:
    if not carried:
        return "<p>It has no rule that it could do without.</p>"
    items = [f'<li class="{"loud" if rule.clear else "quiet"}">{page_text(rule.sentence)}</li>' for rule in carried]
    text = "The game was measured with and without each rule; only differences that are clear beyond chance are told."
    return f'<p class="soft">{text}</p><ul>{"".join(items)}</ul>'


def _certificate(solved: Solved | None) -> str:
    if solved is None:
        return ""
    what = f"A miniature of this game ({solved.miniature})" if solved.miniature else "This game"
    unit = "chips a deal" if solved.unit == "chips" else "wins less losses a deal"
    text = f"{what} was solved: {solved.information_sets:,} situations in which somebody decides. "
    text += f"At equilibrium the first seat wins {solved.value:+.3f} {unit} on average"
    bluffs = f", and {100 * solved.bluffing:.0f} % of the bets are bluffs, which would lose if they were called"
    text += f"{bluffs if solved.unit == 'chips' else ''}."
    rows = [f"<tr><td>{page_text(who)}</td><td>{lost:.3f}</td></tr>" for who, lost in solved.exploitability.items()]
    table = f"<table><tr><th>player</th><th>exploitability</th></tr>{''.join(rows)}</table>"
    return f"<p>{page_text(text)}</p><p>How much the best answers to a player win, {unit}:</p>{table}"


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
