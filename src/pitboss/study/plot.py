"""Plots of winnings from hand to hand: as lines of small bars for a terminal, and as an SVG for a page."""

from collections.abc import Sequence
from html import escape
from math import floor, log10
from typing import NamedTuple

from pitboss.study.tally import LinePoint

BARS = "▁▂▃▄▅▆▇█"
LABEL = 16  # the width of a label
WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 76, 16, 12, 44  # the margins of the SVG
_TICKS = 5


class WinningsLine(NamedTuple):
    """One line of a plot: its label, and its height in big blinds after each stretch of hands."""

    key: str
    label: str
    heights: tuple[float, ...]


def make_lines(points: Sequence[LinePoint]) -> tuple[tuple[int, ...], tuple[WinningsLine, ...]]:
    """Return the numbers of hands played, which begin with 0, and the four lines.

    >>> hands, (won, *_) = make_lines([LinePoint(1, 2.0, 0.0, 2.0), LinePoint(1, -1.0, -1.0, 0.5)])
    >>> hands, won.heights
    ((0, 1, 2), (0.0, 2.0, 1.0))
    """
    hands, won, shown, adjusted = [0], [0.0], [0.0], [0.0]
    for point in points:
        hands.append(hands[-1] + point.hands)
        won.append(won[-1] + point.won)
        shown.append(shown[-1] + point.at_showdown)
        adjusted.append(adjusted[-1] + point.adjusted)
    hidden = [all_of_it - part for all_of_it, part in zip(won, shown, strict=True)]
    return tuple(hands), (
        WinningsLine("won", "won", tuple(won)),
        WinningsLine("adjusted", "all-in adjusted", tuple(adjusted)),
        WinningsLine("shown", "with showdown", tuple(shown)),
        WinningsLine("hidden", "without showdown", tuple(hidden)),
    )


# --- in a terminal


def draw_bars(
    lines: Sequence[tuple[str, Sequence[float]]], width: int = 40, widths: Sequence[int] | None = None
) -> list[str]:
    """Return labelled lines of winnings as bars on one scale. Each line ends with its last height.

    `widths` are the widths of the single lines, for players who played fewer hands.

    >>> print(*draw_bars([("won", [0, 3.0, 1.5]), ("with showdown", [0, 0.0, -1.5])], width=3), sep="\\n")
    won              ▃█▆     +1.5 bb
    with showdown    ▃▃▁     -1.5 bb
    """
    low = min([min(heights) for _, heights in lines])
    span = max([max(heights) for _, heights in lines]) - low or 1.0
    drawn = []
    for (_, heights), own in zip(lines, widths or [width] * len(lines), strict=True):
        levels = [min(int((height - low) / span * len(BARS)), len(BARS) - 1) for height in pick(heights, own)]
        drawn.append("".join([BARS[level] for level in levels]))
    longest = max(map(len, drawn))
    return [
        f"{_shorten(label):<{LABEL}} {bars:<{longest}} {heights[-1]:>+8.1f} bb"
        for (label, heights), bars in zip(lines, drawn, strict=True)
    ]


def _shorten(label: str) -> str:
    return label if len(label) <= LABEL else f"{label[: LABEL - 1]}…"


def pick(heights: Sequence[float], width: int) -> list[float]:
    """Return at most `width` of the heights, evenly spread, with the first and the last."""
    if len(heights) <= width:
        return list(heights)
    return [heights[round(at * (len(heights) - 1) / (width - 1))] for at in range(width)]


# --- on a page


def draw_winnings_svg(points: Sequence[LinePoint], title: str) -> str:
    """Return the four lines as an SVG that takes its colours from the page."""
    hands, lines = make_lines(points)
    low = min([min(line.heights) for line in lines])
    high = max([max(line.heights) for line in lines])
    ticks = find_ticks(low, high)
    low, high = min(low, ticks[0]), max(high, ticks[-1])

    def across(hand: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * hand / (hands[-1] or 1)

    def down(height: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - height) / ((high - low) or 1)

    parts = [
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
    ]
    for tick in ticks:
        y, kind = down(tick), "zero" if tick == 0 else "grid"
        parts.append(f'<line class="{kind}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{tick:+,g}</text>'.replace("+0<", "0<"))
    parts += [
        f'<text x="{across(int(tick)):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{tick:,g}</text>'
        for tick in find_ticks(0, hands[-1])
        if tick == int(tick) and tick <= hands[-1]
    ]
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 4}" text-anchor="end">hands</text>')
    parts.append(f'<text x="4" y="{HEIGHT - 4}">big blinds</text>')
    for line in reversed(lines):  # the line of winnings is on top
        path = " ".join([f"{across(hand):.1f},{down(y):.1f}" for hand, y in zip(hands, line.heights, strict=True)])
        parts.append(f'<polyline class="{line.key}" points="{path}"/>')
    return "\n".join([*parts, "</svg>"])


def find_ticks(low: float, high: float) -> list[float]:
    """Return a few round numbers from below the lowest to above the highest.

    >>> find_ticks(-3, 16)
    [-5.0, 0.0, 5.0, 10.0, 15.0, 20.0]
    """
    rough = (high - low) / _TICKS or 1.0
    power = 10.0 ** floor(log10(rough))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough)
    first = floor(low / step)
    last = -floor(-high / step)
    return [round(number * step, 10) for number in range(first, last + 1)]
