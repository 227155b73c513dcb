"""The page and the plots: complete, self-contained, and safe for any names of players."""

import re
from xml.etree import ElementTree

from pitboss import Record
from pitboss.study.page import write_page
from pitboss.study.plot import draw_bars, draw_winnings_svg, find_ticks, make_lines
from pitboss.study.statistics import statistics
from pitboss.study.tally import LinePoint

NASTY = '<script>alert("x")</script>'


def page(hands: int = 3) -> str:
    record = Record(
        variant="NT",
        antes=(0, 0),
        blinds_or_straddles=(1, 2),
        min_bet=2,
        starting_stacks=(50, 50),
        actions=("d dh p1 ????", "d dh p2 ????", "p2 f"),
        players=(NASTY, "B\x1b[31mo"),
    )
    return write_page(statistics([record] * hands))


def test_a_page_is_self_contained() -> None:
    text = page()
    assert text.startswith("<!doctype html>")
    assert not re.search(r"(?:src|href)=|@import|url\(", text)
    assert text.count("<svg class=") == 2
    assert "Statistics of 3 hands" in text


def test_names_are_escaped() -> None:
    text = page()
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert "\x1b" not in text


def test_a_plot_is_well_formed_and_stays_inside() -> None:
    points = [LinePoint(1, 2.0, 2.0, 1.0), LinePoint(1, -7.5, 0.0, -7.5), LinePoint(1, 1.0, 1.0, 1.0)]
    picture = ElementTree.fromstring(draw_winnings_svg(points, 'a "title" & more'))
    lines = picture.findall("polyline")
    assert [line.get("class") for line in lines] == ["hidden", "shown", "adjusted", "won"]
    for line in lines:
        pairs = [tuple(map(float, pair.split(","))) for pair in (line.get("points") or "").split()]
        assert len(pairs) == 4
        assert all(0 <= x <= 720 and 0 <= y <= 320 for x, y in pairs)
    assert "+0" not in [text.text for text in picture.findall("text")]


def test_lines_end_at_the_sums() -> None:
    points = [LinePoint(2, 3.0, 1.0, 2.5), LinePoint(2, -1.0, -1.0, 0.0)]
    hands, lines = make_lines(points)
    assert hands == (0, 2, 4)
    assert [line.heights[-1] for line in lines] == [2.0, 2.5, 0.0, 2.0]


def test_bars_fit_the_width_and_shorter_lines_are_padded() -> None:
    assert draw_bars([("Ann", [0.0, 0.0])]) == ["Ann              ▁▁     +0.0 bb"]
    long, short = draw_bars([("A name of many letters", range(1000)), ("Bo", [0, -3])], 40, [40, 2])
    assert long.startswith("A name of many … ")
    assert len(long) == len(short) < 75


def test_ticks_are_round_and_reach_both_ends() -> None:
    for low, high in ((0.0, 0.0), (-0.3, 0.2), (-12345.0, 6789.0), (0.0, 100000.0)):
        ticks = find_ticks(low, high)
        assert ticks[0] <= low
        assert ticks[-1] >= high
        assert len(ticks) <= 8
