"""The report of a competition: one self-contained page, and pages that replay the largest pots of each match.

The page has no script. It is made from the files of the competition's folder, so it can be written again at any time.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from html import escape
from pathlib import Path

from msgspec import Struct, to_builtins

from pitboss.arena.archive.replay_file import page_hand, summarize, write_html
from pitboss.arena.equities import compute, spots_of
from pitboss.competitions.outcome import meetings_of, standings_of
from pitboss.competitions.ranking import Standing
from pitboss.competitions.ratings import EntrantRating, rate
from pitboss.competitions.results import (
    RECORD,
    RESULTS,
    CompetitionRecord,
    CompetitionResult,
    EntrantInfo,
    EntrantResult,
    EntrantSeat,
    MatchResult,
    PairResult,
    read_json,
    write_bytes,
)
from pitboss.competitions.suspicion import FEWEST_BLOCKS, FEWEST_OPPONENTS, can_compare, suspicious_pairs
from pitboss.errors import PitbossError
from pitboss.formats.phh import read_phhs
from pitboss.pages import page_text, write_frame
from pitboss.records.replay import replay
from pitboss.study.page import SHARES, STYLE, draw_plot, format_rate, format_share
from pitboss.study.plot import find_ticks
from pitboss.study.rows import Statistics
from pitboss.study.statistics import statistics

INDEX, REPLAY, LOGS = "index.html", "replay.html", "logs"
LARGEST = 5
"""The deals of a match whose hands are replayed on a page, and the pots of an entrant in the report."""
MOST_REPLAYS = 200
"""The number of matches up to which each has a page for its replays, of about 200 kB; otherwise only its journal."""
MOST_PLOTTED = 64
FORM_NAMES = {
    "round_robin": "Round robin",
    "table_round_robin": "Round robin of tables",
    "knock_out": "Knock-out",
    "swiss": "Swiss",
}
_ABOUT_STANDINGS = (
    "<p>#: a range if the results do not tell the entrants of these places apart. To decide: how many more hands "
    "in each match would separate the entrant from its nearest neighbour, if the difference stays as it is; – if "
    "that cannot be said. With a probability of 95 %, all differences that are called decided are right "
    "together. Rating: from who won each match (Bradley–Terry), with its 95 % interval; 25 is the middle.</p>"
)
_NO_RATINGS = "<p>There are no ratings, because the package openskill is not installed; the extra lab has it.</p>"
_ABOUT_PAIRS = (
    "<p>In big blinds per 100 hands. The score counts how many usual deviations the pair is away from what the "
    "other matches of both lead to expect. It is a reason to look at the hands, and no proof.</p>"
)
_NO_PAIRS = (
    "<p>None. For each pair, the chips that moved and the size of the pots were compared with what the other "
    "matches of both lead to expect.</p>"
)
_TOO_FEW = (
    f"<p>Nothing was compared: that takes at least {FEWEST_OPPONENTS + 2} entrants, and {FEWEST_BLOCKS} deals of "
    "each pair.</p>"
)
_ABOUT_CROSS = (
    "<p>Big blinds per 100 hands of the row against the column. Coloured: the 95 % interval of the pair excludes "
    "zero.</p>"
)
_ABOUT_CERTIFICATE = (
    "<p>The decks of each match were bound before it by a commitment, and the key reveals them. "
    "<code>certificate.json</code> has the hash of every file. <code>pitboss arena verify</code> with this folder "
    "checks the hashes, deals the cards again from the keys, and derives the chips and the results again.</p>"
)
_LEFT = {"entrant", "pair", "finding", "chips won", "value", "commitment", "key"}
_SECTION = re.compile(r"^\[\d+\]\n", re.MULTILINE)
_DEAL = re.compile(r"^_deal = (\d+)$", re.MULTILINE)

_STYLE = (
    STYLE
    + """
h2 { border-top: 1px solid var(--rule); padding-top: 1rem; } h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
a { color: var(--shown); }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--shown); outline-offset: 2px; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; margin: .5rem 0 1rem; }
.notice { border-left: 3px solid var(--adjusted); padding: .4rem .75rem; margin: .5rem 0; color: var(--ink); }
td.decided.plus { color: var(--won); font-weight: 600; } td.decided.minus { color: var(--hidden); font-weight: 600; }
td.open { color: var(--soft); } td.self { background: var(--band); } td.name, th.name { text-align: left; }
td.wrap { white-space: normal; min-width: 16rem; text-align: left; overflow-wrap: anywhere; }
.plot.forest { max-width: 32rem; } .plot.forest text { font-size: 12px; }
.forest text.who { fill: var(--ink); } .forest line.span { stroke: var(--shown); stroke-width: 2; }
.forest line.span.adjusted { stroke: var(--adjusted); stroke-dasharray: none; }
.forest circle { fill: var(--shown); } .forest circle.adjusted { fill: var(--adjusted); stroke: none; }
details { border: 1px solid var(--rule); border-radius: 6px; margin: .5rem 0; padding: 0 .75rem; }
details[open] { padding-bottom: .75rem; } summary { cursor: pointer; padding: .5rem 0; font-weight: 600; }
summary, code { overflow-wrap: anywhere; } summary small { font-weight: 400; color: var(--soft); }
code { font: .85rem/1.5 ui-monospace, monospace; }
ul.facts { list-style: none; padding: 0; margin: .25rem 0; display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; }
"""
)


class LargePot(Struct, frozen=True):
    """A hand with a large pot: its match, its number on the match's replay page, and each player's chips won."""

    match: str
    number: int
    won: dict[str, int]


def write_report(folder: Path, advance: Callable[[], object] = lambda: None) -> None:
    """Write the report of a finished competition into its folder; call `advance` after each match."""
    record, results = read_json(folder / RECORD, CompetitionRecord), read_json(folder / RESULTS, CompetitionResult)
    pots: list[LargePot] = []
    for match in record.matches:
        pots += write_replay(folder, match, write=len(record.matches) <= MOST_REPLAYS)
        advance()
    journals = [folder / match.journal for match in record.matches if (folder / match.journal).is_file()]
    styles = statistics(journals) if journals else None
    page = ReportPage(record, results, pots, styles, _logs(folder))
    write_bytes(folder / INDEX, page.text().encode())


def write_replay(folder: Path, match: MatchResult, *, write: bool = True) -> list[LargePot]:
    """Write the page with the largest pots of a match, and return these pots, the largest first."""
    journal = folder / match.journal
    try:
        text = journal.read_text(encoding="utf-8")
    except OSError:
        return []
    largest = sorted(match.blocks, key=lambda block: -max(map(abs, block.net)))[:LARGEST]
    wanted = {block.deal for block in largest if any(block.net)}
    sections = [part for part in _SECTION.split(text) if (found := _DEAL.search(part)) and int(found[1]) in wanted]
    hands, pots = [], []
    for number, section in enumerate(sections, 1):
        try:
            [(_, record)] = read_phhs(f"[{number}]\n{section}")
            played = replay(record)
            hand = page_hand(record, played, number, match.id, 1)
            hands.append(summarize(hand) | {"equities": to_builtins(compute(spots_of(hand)))})
        except (PitbossError, ValueError):  # the certificate names a journal that was altered
            continue
        start, end = record.starting_stacks, record.finishing_stacks or record.starting_stacks
        names = record.players or ()
        won = {name: int(after - before) for name, before, after in zip(names, start, end, strict=False)}
        pots.append(LargePot(match.id, number, won))
    if write and hands:
        title = f"{match.id}: {', '.join(match.names)}"
        note = f"The hands of the {len(wanted)} deals in which most chips were won."
        write_bytes(journal.with_name(REPLAY), write_html(title, note, hands).encode())
    return sorted(pots, key=lambda pot: -max(pot.won.values(), default=0))


def _logs(folder: Path) -> list[str]:
    """Return the files of the entrants' logs that are not empty, by the number of the entrant."""
    found = sorted((folder / LOGS).glob("*.log"), key=lambda path: int(path.name.partition("-")[0]))
    return [f"{LOGS}/{path.name}" if path.stat().st_size else "" for path in found]


class ReportPage:
    """The text of the report."""

    def __init__(
        self,
        record: CompetitionRecord,
        results: CompetitionResult,
        pots: Sequence[LargePot],
        styles: Statistics | None,
        logs: Sequence[str] = (),
    ) -> None:
        self._record, self._results, self._pots, self._styles = record, results, pots, styles
        self._number = {entrant.name: number for number, entrant in enumerate(record.entrants)}
        self._logs = dict(zip(self._number, logs, strict=False)) if len(logs) == len(self._number) else {}
        self._paged = len(record.matches) <= MOST_REPLAYS

    def text(self) -> str:
        """Return the whole page."""
        entrants, record = len(self._record.entrants), self._record
        title = f"{FORM_NAMES[record.form]} of {entrants} entrants: {record.game}"
        parts = {
            "standings": ("Standings", self._standings()),
            "rates": ("Winnings", self._forest()),
            "cross": ("Cross table", self._cross()),
            "suspicious": ("Suspicious pairs", self._suspicious()),
            "entrants": ("Entrants", "\n".join([self._entrant(result) for result in self._results.entrants])),
            "matches": ("Matches", self._matches()),
            "costs": ("Costs of language models", self._costs()),
            "settings": ("Settings", self._settings()),
            "certificate": ("Certificate", self._certificate()),
        }
        shown = {key: part for key, part in parts.items() if part[1]}
        links = "".join([f'<a href="#{key}">{heading}</a>' for key, (heading, _) in shown.items()])
        cards = ", the same cards for every seat" if record.settings.get("duplicate") else ""
        played = f"{_count(self._results.hands, 'hand')} in {_count(len(record.matches), 'match', 'matches')}{cards}"
        body = [
            f"<h1>{page_text(title)}</h1>",
            f"<p>{page_text(played)}; pitboss {page_text(record.version)}.</p>",
            *[f'<p class="notice">{page_text(notice)}</p>' for notice in record.notices],
            f"<nav>{links}</nav>",
            *[f'<h2 id="{key}">{heading}</h2>\n{text}' for key, (heading, text) in shown.items()],
        ]
        return write_frame(title, "\n".join(body), style=_STYLE)

    @cached_property
    def _standing(self) -> Mapping[str, Standing]:
        return {standing.name: standing for standing in standings_of(self._record)}

    # --- sections

    def _standings(self) -> str:
        heads: tuple[str, ...] = (
            "#",
            "entrant",
            "bb/100",
            "95 %",
            "less luck",
            "95 %",
            "rating",
            "hands",
            "illegal",
            "late",
            "crashes",
            "to decide",
        )
        rows, ratings = [], self._ratings()
        for result in self._results.entrants:
            further, less = self._standing[result.name].further_hands, result.adjusted
            counts = (result.hands, result.illegal, result.timeouts, result.crashes)
            rows.append(
                [
                    _cell(self._results.places_of(result)),
                    _cell(self._link(result.name), "name", raw=True),
                    _cell(format_rate(result.bb_per_100)),
                    _cell(_interval(result.low, result.high)),
                    _cell(format_rate(less.bb_per_100)),
                    _cell(_interval(less.low, less.high)),
                    _cell(_spell_rating(ratings.get(result.name))),
                    *[_cell(f"{number:,}") for number in counts],
                    _cell("" if not result.tied_with else "–" if further is None else f"{further:,}"),
                ]
            )
        if all(result.adjusted.bb_per_100 is None for result in self._results.entrants):
            heads, rows = heads[:4] + heads[6:], [row[:4] + row[6:] for row in rows]
        return _table(heads, rows) + _ABOUT_STANDINGS + ("" if ratings else _NO_RATINGS)

    def _ratings(self) -> dict[str, EntrantRating]:
        """Return the ratings; they are empty without the package that computes them."""
        matches = [{seat.name: float(seat.net) for seat in match.seats} for match in self._record.matches]
        return rate([result.name for result in self._results.entrants], matches) or {}

    def _forest(self) -> str:
        """Return a picture of all rates with their intervals."""
        shown = [result for result in self._results.entrants if result.low is not None][:MOST_PLOTTED]
        if not shown:
            return ""
        limits = [limit for result in shown for limit in (result.low, result.high) if limit is not None]
        ticks = find_ticks(min(0.0, *limits), max(0.0, *limits))
        left, right, row, wide = 120, 26, 24, 400
        high = row * len(shown) + 40

        def across(rate: float) -> float:
            return left + (wide - left - right) * (rate - ticks[0]) / ((ticks[-1] - ticks[0]) or 1)

        parts = [
            f'<svg class="plot forest" viewBox="0 0 {wide} {high}" role="img" aria-label="Winnings with intervals">'
        ]
        for tick in ticks:
            x, kind = across(tick), "zero" if tick == 0 else "grid"
            parts.append(f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="6" y2="{high - 34}"/>')
            parts.append(
                f'<text x="{x:.1f}" y="{high - 18}" text-anchor="middle">{tick:+,g}</text>'.replace("+0<", "0<")
            )
        for number, result in enumerate(shown):
            y = 6 + row * number + row / 2
            name = result.name if len(result.name) <= 16 else f"{result.name[:15]}…"
            parts.append(
                f'<text class="who" x="{left - 10}" y="{y + 4:.1f}" text-anchor="end">{page_text(name)}</text>'
            )
            less = result.adjusted
            if less.bb_per_100 is not None:
                parts.append(_whisker(across, less.bb_per_100, less.low, less.high, y + 6, "adjusted"))
            parts.append(_whisker(across, result.bb_per_100, result.low, result.high, y, ""))
        parts.append(f'<text x="{wide - right}" y="{high - 2}" text-anchor="end">big blinds per 100 hands</text></svg>')
        legend = f'<ul class="legend"><li>{_mark("")}chips won, with the 95 % interval</li>'
        if any(result.adjusted.bb_per_100 is not None for result in shown):
            legend += f"<li>{_mark('adjusted')}with less luck</li>"
        return f"{legend}</ul>\n" + "\n".join(parts)

    def _cross(self) -> str:
        names = [result.name for result in self._results.entrants]
        if len(names) < 2 or not self._results.pairs:
            return ""
        found = {(pair.a, pair.b): pair for pair in self._results.pairs}
        heads = ["entrant", *[str(number) for number in range(1, len(names) + 1)]]
        rows = []
        for number, name in enumerate(names, 1):
            cells = [_cell(f"{number}&nbsp;{self._link(name)}", "name", raw=True)]
            for other in names:
                if other == name:
                    cells.append('<td class="self"></td>')
                elif (pair := found.get((name, other))) is not None:
                    cells.append(_against(pair, 1))
                elif (pair := found.get((other, name))) is not None:
                    cells.append(_against(pair, -1))
                else:
                    cells.append(_cell("·", "open"))
            rows.append(cells)
        return _table(heads, rows) + _ABOUT_CROSS

    def _suspicious(self) -> str:
        meetings = meetings_of(self._record)
        pairs = suspicious_pairs(meetings)
        if not pairs:
            return _NO_PAIRS if can_compare(meetings) else _TOO_FEW
        rows = [
            [
                _cell(f"{self._link(pair.a)}, {self._link(pair.b)}", "name", raw=True),
                _cell(pair.sentence, "wrap"),
                _cell(f"{pair.found:+,.1f}"),
                _cell(f"{pair.expected:+,.1f}"),
                _cell(f"{pair.score:.1f}"),
            ]
            for pair in pairs
        ]
        return _table(("pair", "finding", "found", "expected", "score"), rows) + _ABOUT_PAIRS

    def _entrant(self, result: EntrantResult) -> str:
        info = next(entrant for entrant in self._record.entrants if entrant.name == result.name)
        seats = [seat for match in self._record.matches for seat in match.seats if seat.name == result.name]
        at = self._row(result.name)
        short = f"{_kind(info)}, place {self._results.places_of(result)}, {format_rate(result.bb_per_100)} bb/100"
        heading = f"<summary>{page_text(result.name)} <small>{page_text(short)}</small></summary>"
        parts = [f'<details id="e{self._number[result.name]}">{heading}', self._facts(result, seats)]
        if at is not None and self._styles is not None:
            row = self._styles[at]
            cells = [_cell(format_share(getattr(row, key))) for key, _, _ in SHARES]
            heads = [f'<th title="{escape(says)}">{label}</th>' for _, label, says in SHARES]
            parts.append(
                f'<h3>Style, in percent</h3><div class="wide" tabindex="0"><table><tr>{"".join(heads)}</tr>'
                f"<tr>{''.join(cells)}</tr></table></div>"
            )
            parts.append("<h3>Winnings from hand to hand</h3>")
            parts.append(draw_plot(self._styles.line(at), f"Winnings of {result.name}"))
        return "\n".join([*parts, self._largest(result.name), "</details>"])

    def _row(self, name: str) -> int | None:
        if self._styles is None:
            return None
        return next((at for at in range(len(self._styles)) if self._styles[at].player == name), None)

    def _facts(self, result: EntrantResult, seats: Sequence[EntrantSeat]) -> str:
        answers, spent = sum(seat.answers for seat in seats), sum(seat.time_s for seat in seats)
        slowest = max([seat.slowest_s for seat in seats], default=0.0)
        facts = [
            _count(result.matches, "match", "matches"),
            _count(answers, "answer"),
            f"{1000 * spent / answers:.2f} ms per answer" if answers else "no answers",
            f"slowest {1000 * slowest:,.1f} ms",
            f"{spent:,.1f} s in total",
            _count(result.illegal, "illegal answer"),
            _count(result.timeouts, "late answer"),
            _count(result.crashes, "crash", "crashes"),
        ]
        if result.tied_with:
            facts.append(f"not told apart from {', '.join(result.tied_with)}")
        found = [page_text(fact) for fact in facts]
        if log := self._logs.get(result.name):
            found.append(f'<a href="{page_text(log)}">log</a>')
        lines = [f'<ul class="facts">{"".join([f"<li>{fact}</li>" for fact in found])}</ul>']
        lines += [
            f'<p class="notice">{page_text(sentence)}</p>'
            for sentence in dict.fromkeys(text for seat in seats for text in (seat.out, seat.complaint) if text)
        ][:LARGEST]
        return "\n".join(lines)

    def _largest(self, name: str) -> str:
        mine = [pot for pot in self._pots if pot.won.get(name)]
        mine = sorted(mine, key=lambda pot: -abs(pot.won[name]))[:LARGEST]
        if not mine:
            return ""
        items = []
        for pot in mine:
            others = [other for other in pot.won if other != name and pot.won[other]]
            what = f"{pot.won[name]:+,} chips against {', '.join(others)}: {pot.match}"
            text = page_text(what)
            link = f'<a href="{page_text(f"matches/{pot.match}/{REPLAY}#hand={pot.number}")}">{text}</a>'
            items.append(f"<li>{link if self._paged else text}</li>")
        return f"<h3>Largest pots</h3><ul>{''.join(items)}</ul>"

    def _matches(self) -> str:
        rows = []
        for match in self._record.matches:
            folder = page_text(str(Path(match.journal).parent))
            links = [f'<a href="{folder}/{REPLAY}">replay</a>'] if self._paged else []
            links.append(f'<a href="{page_text(match.journal)}">hands</a>')
            won = ", ".join([f"{seat.name} {seat.net:+,}" for seat in sorted(match.seats, key=lambda seat: -seat.net)])
            rows.append(
                [
                    _cell(match.id),
                    _cell(str(match.round)),
                    _cell(won, "wrap"),
                    _cell(f"{match.hands:,}"),
                    _cell("decided early" if match.decided else "all hands"),
                    _cell(f"{match.seconds_s:,.1f}"),
                    _cell(" ".join(links), raw=True),
                ]
            )
        byes = "".join([f"<li>round {number}: {page_text(name)} has a bye</li>" for number, name in self._record.byes])
        table = _table(("match", "round", "chips won", "hands", "ended", "s", "files"), rows)
        count = _count(len(self._record.byes), "bye")
        return f"{table}<details><summary>{count}</summary><ul>{byes}</ul></details>" if byes else table

    def _costs(self) -> str:
        rows = []
        for entrant in self._record.entrants:
            seats = [seat for match in self._record.matches for seat in match.seats if seat.name == entrant.name]
            if entrant.kind != "llm":
                continue
            cost, tokens = sum(seat.cost or 0.0 for seat in seats), sum(seat.tokens for seat in seats)
            hands = sum(match.hands for match in self._record.matches if entrant.name in match.names)
            rows.append(
                [
                    _cell(self._link(entrant.name), "name", raw=True),
                    _cell(f"{tokens:,}"),
                    _cell(f"{cost:,.4f}"),
                    _cell(f"{cost / hands:,.6f}" if hands else "–"),
                ]
            )
        return _table(("entrant", "tokens", "USD", "USD per hand"), rows) if rows else ""

    def _settings(self) -> str:
        given = {key: value for key, value in self._record.settings.items() if key != "entrants" and value is not None}
        rows = [[_cell(key, "name"), _cell(_spell(value), "wrap")] for key, value in given.items()]
        entrants = self._record.entrants
        rows += [[_cell(f"entrant {each.name}", "name"), _cell(_kind(each), "wrap")] for each in entrants]
        return _table(("setting", "value"), rows)

    def _certificate(self) -> str:
        rows = [
            [
                _cell(match.id),
                *[_cell(f"<code>{page_text(text)}</code>", "wrap", raw=True) for text in (match.commit, match.key)],
            ]
            for match in self._record.matches
        ]
        table = _table(("match", "commitment", "key"), rows)
        return f"{_ABOUT_CERTIFICATE}<details><summary>Commitments and keys</summary>{table}</details>"

    def _link(self, name: str) -> str:
        return f'<a href="#e{self._number[name]}">{page_text(name)}</a>'


# --- parts


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join([f'<th class="name">{text}</th>' if text in _LEFT else f"<th>{text}</th>" for text in heads])
    body = "\n".join([f"<tr>{''.join(cells)}</tr>" for cells in rows])
    return f'<div class="wide" tabindex="0"><table>\n<tr>{head}</tr>\n{body}\n</table></div>'


def _cell(text: str, kind: str = "", *, raw: bool = False) -> str:
    """Return a cell. A raw text is HTML already."""
    attribute = f' class="{kind}"' if kind else ""
    return f"<td{attribute}>{text if raw else page_text(text)}</td>"


def _against(pair: PairResult, sign: int) -> str:
    rate = sign * pair.bb_per_100 + 0.0  # no -0.0
    kind = f"decided {'plus' if rate > 0 else 'minus'}" if pair.decided else "open"
    limits = [None if limit is None else sign * limit for limit in (pair.low, pair.high)]
    low, high = limits if sign > 0 else limits[::-1]
    title = f"{pair.hands:,} hands, 95 % interval {_interval(low, high)}"
    return f'<td class="{kind}" title="{page_text(title)}">{format_rate(rate)}</td>'


def _mark(kind: str) -> str:
    """Return a small whisker for the legend."""
    return (
        f'<svg class="forest" viewBox="0 0 28 10" aria-hidden="true">{_whisker(lambda x: x, 14, 0, 28, 5, kind)}</svg>'
    )


def _whisker(
    across: Callable[[float], float], mean: float, low: float | None, high: float | None, y: float, kind: str
) -> str:
    line = ""
    if low is not None and high is not None:
        line = f'<line class="span {kind}" x1="{across(low):.1f}" x2="{across(high):.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
    radius = 3 if kind else 4.5
    return f'{line}<circle class="{kind}" cx="{across(mean):.1f}" cy="{y:.1f}" r="{radius}"/>'


def _interval(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{low:+,.0f} to {high:+,.0f}"


def _spell_rating(rating: EntrantRating | None) -> str:
    return "–" if rating is None else f"{rating.value:.0f} ({rating.low:.0f} to {rating.high:.0f})"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def _kind(info: EntrantInfo) -> str:
    names = {"path": "Python", "command": "command", "house": "house bot", "llm": "language model"}
    spec = Path(info.spec).name if info.kind == "path" else info.spec
    return f"{names[info.kind]} {spec}"


def _spell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)
