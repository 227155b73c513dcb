"""Statistics as one self-contained HTML page: a table, and a plot of the winnings of each row."""

from collections.abc import Sequence
from decimal import Decimal
from html import escape

from pitboss.pages import page_text, write_frame
from pitboss.printing import printable
from pitboss.study.plot import draw_winnings_svg, make_lines
from pitboss.study.rows import PlayerStatistics, Statistics
from pitboss.study.tally import LinePoint

_MOST_PLOTS = 200
"""The maximum number of plots, so that a browser can show the page."""

STYLE = """
:root { color-scheme: light dark; --ink: #1c2126; --paper: #fbfbf9; --soft: #5d666e; --rule: #d9dcd8; --band: #f1f2ee;
  --won: #14732f; --adjusted: #b35c00; --shown: #1d5fb8; --hidden: #bf2a2a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8e4; --paper: #16191c; --soft: #a0a9b0; --rule: #343a40;
  --band: #1e2226; --won: #58c878; --adjusted: #f0a245; --shown: #74aef8; --hidden: #f47b7b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 76rem; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .25rem; overflow-wrap: anywhere; }
p { margin: .25rem 0 1rem; color: var(--soft); }
.wide { overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .4rem .65rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--rule); }
th { font-weight: 600; background: var(--band); } tr:last-child td { border-bottom: 0; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: var(--paper);
  max-width: 14rem; overflow: hidden; text-overflow: ellipsis; }
th:first-child { background: var(--band); } td.text { text-align: left; } td small { color: var(--soft); }
.plot { width: 100%; max-width: 60rem; height: auto; display: block; }
.plot text { fill: var(--soft); font: 12px system-ui, sans-serif; }
@media (max-width: 40rem) { .plot text { font-size: 19px; } .plot polyline { stroke-width: 3; } }
.plot .grid { stroke: var(--rule); } .plot .zero { stroke: var(--soft); }
.plot polyline { fill: none; stroke-width: 2; stroke-linejoin: round; }
.won { stroke: var(--won); } .adjusted { stroke: var(--adjusted); stroke-dasharray: 6 4; }
.shown { stroke: var(--shown); stroke-width: 1.5; } .hidden { stroke: var(--hidden); stroke-width: 1.5; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .25rem 0 0; padding: 0; list-style: none;
  font-size: .9rem; } .legend svg { width: 28px; height: 10px; margin-right: .4rem; }
.legend line { stroke-width: 3; }
"""

SHARES = (
    ("vpip", "VPIP", "voluntarily put money into the pot on the first street"),
    ("pfr", "PFR", "raised on the first street"),
    ("three_bet", "3-bet", "reraised on the first street"),
    ("c_bet", "C-bet", "was the last raiser on the first street and made the first bet on the second"),
    ("aggression", "Aggr.", "bet or raised, of all bets, raises, calls and folds after the first street"),
    ("wtsd", "WTSD", "went to the showdown, of the hands in which the player saw the second street"),
    ("wsd", "W$SD", "won at the showdown"),
)


def write_page(statistics: Statistics) -> str:
    """Return the whole page."""
    plots = [_plot(statistics, at) for at in range(min(_MOST_PLOTS, len(statistics)))]
    if len(statistics) > _MOST_PLOTS:
        plots.append(f"<p>Plots of the first {_MOST_PLOTS} of {len(statistics):,} rows.</p>")
    hands = f"{statistics.hands:,} hand{'' if statistics.hands == 1 else 's'}"
    skipped = f", {len(statistics.skipped):,} left out" if statistics.skipped else ""
    body = [
        f"<h1>Statistics of {hands}</h1>",
        f"<p>Winnings are after rake; shares are in percent, with a 95 % interval for the rate{skipped}.</p>",
        _table(statistics),
        *plots,
    ]
    return write_frame(f"Statistics of {hands}", "\n".join(body), style=STYLE)


def _table(statistics: Statistics) -> str:
    heads = ["<th>player</th>"] + ([f"<th>{statistics.by}</th>"] if statistics.by else [])
    heads += [f"<th>{name}</th>" for name in ("hands", "won", "bb/100", "all-in adjusted")]
    heads += [f'<th title="{escape(says)}">{label}</th>' for _, label, says in SHARES]
    rows = [f"<tr>{_cells(row, statistics.by is not None)}</tr>" for row in statistics]
    return f'<div class="wide" tabindex="0"><table>\n<tr>{"".join(heads)}</tr>\n' + "\n".join(rows) + "\n</table></div>"


def _cells(row: PlayerStatistics, grouped: bool) -> str:
    cells = [f'<td title="{page_text(row.player)}">{page_text(row.player)}</td>']
    if grouped:
        cells.append(f'<td class="text">{page_text(row.group or "–")}</td>')
    cells += [
        f"<td>{row.hands:,}</td>",
        f"<td>{page_text(format_won(row))}</td>",
        f"<td>{page_text(format_rate(row.bb_per_100))} <small>{page_text(_interval(row))}</small></td>",
        f"<td>{page_text(format_rate(row.all_in_adjusted_bb_per_100))}</td>",
    ]
    cells += [f"<td>{format_share(getattr(row, name))}</td>" for name, _, _ in SHARES]
    return "".join(cells)


def _plot(statistics: Statistics, at: int) -> str:
    row, points = statistics[at], statistics.line(at)
    name = row.player if row.group is None else f"{row.player}, {row.group}"
    title = f"Winnings of {name} over {row.hands:,} hand{'' if row.hands == 1 else 's'}"
    return f"<h2>{page_text(title)}</h2>\n{draw_plot(points, title)}"


def draw_plot(points: Sequence[LinePoint], title: str) -> str:
    """Return a plot of winnings from hand to hand, with a legend above it."""
    legend = "".join(
        f'<li><svg viewBox="0 0 28 10" aria-hidden="true"><line class="{line.key}" x1="0" x2="28" y1="5" y2="5"/></svg>'
        f"{line.label} {line.heights[-1]:+,.1f}</li>"
        for line in make_lines(points)[1]
    )
    return f'<ul class="legend">{legend}</ul>\n{draw_winnings_svg(points, printable(title))}'


# --- numbers


def format_share(share: float | None, digits: int = 1) -> str:
    """Return a share in percent.

    >>> format_share(0.2345), format_share(0.2345, digits=0), format_share(None)
    ('23.4', '23', '–')
    """
    return "–" if share is None else f"{100 * share:.{digits}f}"


def format_rate(rate: float | None) -> str:
    """Return big blinds per hundred hands."""
    return "–" if rate is None else f"{rate:+,.1f}"


def format_won(row: PlayerStatistics, unnamed: str | None = None) -> str:
    """Return the winnings in every currency; the currency `unnamed` is not written."""
    named = [(_money(amount), currency) for currency, amount in row.won_by_currency.items()]
    return ", ".join([amount if currency == unnamed else f"{amount} {currency}" for amount, currency in named])


def _money(amount: int | Decimal) -> str:
    return f"{amount:+,}" if isinstance(amount, int) else f"{amount:+,.2f}"


def _interval(row: PlayerStatistics) -> str:
    if row.bb_per_100_low is None or row.bb_per_100_high is None:
        return ""
    return f"{row.bb_per_100_low:+,.0f} to {row.bb_per_100_high:+,.0f}"
