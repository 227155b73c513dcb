"""Line charts as SVG, written out by hand so that a page shows figures without a plotting library."""

import math
from collections.abc import Callable, Sequence
from html import escape

from msgspec import Struct

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 90, 30, 60, 60
COLOURS = ("#0969da", "#bc4c00", "#6e7781")
FONT = 'font-family="sans-serif" font-size="13" fill="#1f2328"'
Point = tuple[float, float]


class Curve(Struct, frozen=True):
    """A named line through points."""

    name: str
    points: Sequence[Point]


class Axis(Struct, frozen=True):
    """What is drawn along a side: its name, its marks, and whether tenfold steps are equally far apart."""

    name: str
    marks: Sequence[float]
    tenfold: bool = False

    def place(self, figure: float) -> float:
        """Return the position of a figure between the first mark and the last, from 0 to 1."""
        low, high = self._scaled(self.marks[0]), self._scaled(self.marks[-1])
        return (self._scaled(figure) - low) / (high - low) if high > low else 0.5

    def _scaled(self, figure: float) -> float:
        return math.log10(figure) if self.tenfold else figure


def rounded_marks(most: float) -> list[float]:
    """A few even marks from nought to a figure or somewhat beyond.

    >>> rounded_marks(1.9)
    [0.0, 0.5, 1.0, 1.5, 2.0]
    """
    size = 10.0 ** math.floor(math.log10(most))
    step = next(size * part for part in (0.1, 0.2, 0.25, 0.5, 1, 2) if most / (size * part) <= 6)
    return [step * number for number in range(math.ceil(most / step) + 1)]


def tenfold_marks(least: float, most: float) -> list[float]:
    """Powers of ten from below one figure to beyond another.

    >>> tenfold_marks(0.02, 3)
    [0.01, 0.1, 1.0, 10.0]
    """
    first, last = math.floor(math.log10(least)), math.ceil(math.log10(most))
    return [10.0**power for power in range(first, last + 1)]


def chart(title: str, across: Axis, up: Axis, curves: Sequence[Curve]) -> str:
    """Draw the curves."""

    def x(figure: float) -> float:
        return LEFT + across.place(figure) * (WIDTH - LEFT - RIGHT)

    def y(figure: float) -> float:
        return HEIGHT - BOTTOM - up.place(figure) * (HEIGHT - TOP - BOTTOM)

    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" {FONT}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" font-weight="bold">{escape(title)}</text>',
        *_marks(across, up, x, y),
    ]
    for number, (curve, colour) in enumerate(zip(curves, COLOURS, strict=False)):
        drawn += _curve(curve, colour, x, y)
        drawn.append(f'<text x="{LEFT + 190 * number}" y="42" fill="{colour}">{escape(curve.name)}</text>')
    return "\n".join([*drawn, "</svg>"]) + "\n"


def _marks(across: Axis, up: Axis, x: Callable[[float], float], y: Callable[[float], float]) -> list[str]:
    bottom, end = HEIGHT - BOTTOM, WIDTH - RIGHT
    drawn = []
    for mark in up.marks:
        drawn.append(f'<line x1="{LEFT}" x2="{end}" y1="{y(mark):.1f}" y2="{y(mark):.1f}" stroke="#d0d7de"/>')
        drawn.append(f'<text x="{LEFT - 8}" y="{y(mark) + 4:.1f}" text-anchor="end">{format_figure(mark)}</text>')
    for mark in across.marks:
        drawn.append(f'<line x1="{x(mark):.1f}" x2="{x(mark):.1f}" y1="{bottom}" y2="{bottom + 5}" stroke="#1f2328"/>')
        drawn.append(f'<text x="{x(mark):.1f}" y="{bottom + 20}" text-anchor="middle">{format_figure(mark)}</text>')
    middle = (LEFT + end) / 2
    drawn.append(f'<text x="{middle:.0f}" y="{HEIGHT - 12}" text-anchor="middle">{escape(across.name)}</text>')
    centre = (TOP + bottom) / 2
    turned = f'transform="rotate(-90 18 {centre:.0f})"'
    drawn.append(f'<text x="18" y="{centre:.0f}" text-anchor="middle" {turned}>{escape(up.name)}</text>')
    return drawn


def _curve(curve: Curve, colour: str, x: Callable[[float], float], y: Callable[[float], float]) -> list[str]:
    places = [(x(across), y(up)) for across, up in curve.points]
    line = " ".join([f"{across:.1f},{up:.1f}" for across, up in places])
    drawn = [f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>']
    drawn += [f'<circle cx="{across:.1f}" cy="{up:.1f}" r="3.5" fill="{colour}"/>' for across, up in places]
    return drawn


def format_figure(figure: float) -> str:
    """A mark's figure, short.

    >>> [format_figure(figure) for figure in (0.25, 5, 12_000, 2_500_000, 10_000_000)]
    ['0.25', '5', '12,000', '2.5 M', '10 M']
    """
    return f"{figure / 1e6:g} M" if figure >= 1e6 else f"{figure:,g}"
