"""Pictures of a game as inline SVG: how tense it is, who leads, and a measure's interval; colours are the page's."""

from collections.abc import Sequence

WIDE, HIGH, LEFT, BOTTOM, TOP = 560, 200, 44, 26, 8
BAR = 120


def tension_picture(curve: Sequence[float]) -> str:
    """How open the game is, from its beginning to its end."""
    points = _points(curve)
    last, base = points.rpartition(" ")[2].partition(",")[0], HIGH - BOTTOM
    area = f'<polygon class="area" points="{LEFT},{base} {points} {last},{base}"/>'
    line = f'<polyline class="seat0" points="{points}"/>'
    return _frame("Tension through a game: 100 % is as open as at the start, 0 is decided", area + line)


def lead_picture(curves: Sequence[Sequence[float]], names: Sequence[str]) -> str:
    """Everybody's prospects through one game, with a name to each line."""
    lines = [f'<polyline class="seat{seat}" points="{_points(curve)}"/>' for seat, curve in enumerate(curves)]
    legend = [
        f'<li><svg viewBox="0 0 24 8" aria-hidden="true"><line class="seat{seat}" x1="0" x2="24" y1="4" y2="4"/></svg>'
        f"{name}</li>"
        for seat, name in enumerate(names[: len(curves)])
    ]
    return f'<ul class="legend">{"".join(legend)}</ul>' + _frame("Who leads through a game", "".join(lines))


def _points(curve: Sequence[float]) -> str:
    wide, high = WIDE - LEFT - 8, HIGH - BOTTOM - TOP
    last = max(1, len(curve) - 1)
    clipped = [min(1.0, max(0.0, value)) for value in curve]
    return " ".join([f"{LEFT + wide * k / last:.1f},{TOP + high * (1 - value):.1f}" for k, value in enumerate(clipped)])


def _frame(title: str, content: str) -> str:
    """Axes from 0 to 100 % and from the beginning to the end."""
    high, grid = HIGH - BOTTOM - TOP, list[str]()
    for share in (0, 0.5, 1):
        y = TOP + high * (1 - share)
        grid.append(f'<line class="grid" x1="{LEFT}" x2="{WIDE - 8}" y1="{y:.1f}" y2="{y:.1f}"/>')
        grid.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{100 * share:.0f} %</text>')
    grid.append(f'<text x="{LEFT}" y="{HIGH - 6}">beginning</text>')
    grid.append(f'<text x="{WIDE - 8}" y="{HIGH - 6}" text-anchor="end">end</text>')
    shape = f'viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{title}"'
    return f'<svg class="plot" {shape}>{"".join(grid)}{content}</svg>'


def interval_picture(mean: float, low: float, high: float) -> str:
    """A share from 0 to 1 as a dot on its interval."""
    at, first, last = [BAR * min(1.0, max(0.0, value)) for value in (mean, low, high)]
    return (
        f'<svg class="bar" viewBox="-4 0 {BAR + 8} 10" aria-hidden="true">'
        f'<line class="grid" x1="0" x2="{BAR}" y1="5" y2="5"/>'
        f'<line class="span" x1="{first:.1f}" x2="{last:.1f}" y1="5" y2="5"/><circle cx="{at:.1f}" cy="5" r="4"/></svg>'
    )
