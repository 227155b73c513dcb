"""The page of a solution in a real browser: walk, filter, point at a class, compare two nodes, and tables of cards."""

import re
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pitboss import Sizes, Spot, SpotSolution, solve
from pitboss.solver.viewer import page_data, write_viewer
from tests.support.page.browser import PHONE, WIDE, expect, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.check


@pytest.fixture(scope="module")
def solution() -> SpotSolution:
    """A small turn spot."""
    ranges: dict[str, Any] = {"oop": "QQ,77,A9s", "ip": "99,AQs,KJs"}
    spot = Spot(**ranges, board="Qs7s2h9h", pot=100, stack=150, sizes=Sizes(turn="50%", river="75%"))
    return solve(spot, 0.02, threads=1, progress=lambda _state: None)


@pytest.fixture
def page_file(solution: SpotSolution, tmp_path: Path) -> Path:
    """The page of the solution."""
    colours = resources.files("pitboss.arena").joinpath("page/colours.css").read_text(encoding="utf-8")
    path = tmp_path / "spot.html"
    path.write_text(write_viewer(solution, colours), encoding="utf-8")
    return path


def test_the_grid_shows_filters_and_compares(browser: "Browser", page_file: Path, solution: SpotSolution) -> None:
    with open_page(browser, page_file.as_uri(), size=WIDE) as page:
        expect(page.locator(".grid button")).count(169)
        expect(page.locator(".grid button:not(.none)")).count(3)
        shares = solution.root.strategy["QQ"]
        title = str(page.locator('[data-hand="QQ"]').get_attribute("title"))
        assert list(shares) == re.findall(r"(check|bet 50) ", title)
        shown = [float(number) for number in re.findall(r"([\d.]+) %", title)]
        assert shown == pytest.approx([100 * share for share in shares.values()], abs=0.06)
        page.locator('[data-hand="A9s"]').click()
        expect(page.locator("tbody tr")).count(4)  # the class, and three hands that the board allows
        page.locator("#suit").select_option("d")
        expect(page.locator("tbody tr")).count(2)
        page.locator("#suit").select_option("")
        page.locator("#kind").select_option("pairs")
        expect(page.locator(".grid button:not(.none)")).count(2)
        page.locator("#kind").select_option("")
        page.locator("#compare").click()
        page.locator('[data-action="check"]').click()
        expect(page.locator("section")).count(2)
        expect(page.locator('[data-side="now"] h2')).text("check")
        page.locator("#compare").click()
        expect(page.locator("section")).count(1)
        page.locator("#show").select_option("ev")
        cell = page.locator('[data-hand="99"] small').inner_text()
        assert float(cell) == pytest.approx(solution.root.play("check").ev["99"], abs=0.011)
        page.locator('[data-action="check"]').click()
        expect(page.locator("tbody tr")).count(48)
        page.locator('nav [data-to="0"]').click()
        expect(page.locator(".grid")).count(1)


def test_the_page_fits_a_phone(browser: "Browser", page_file: Path) -> None:
    with open_page(browser, page_file.as_uri(), size=PHONE) as page:
        page.locator('[data-action="check"]').click()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_page_begins_at_any_decision_and_has_its_figures(solution: SpotSolution) -> None:
    node = solution.root.play("check", "bet 50", "call").deal("5c")
    data = page_data(solution, node)
    assert data["spot"]["board"] == ["Qs", "7s", "2h", "9h", "5c"]
    first = data["nodes"][0]
    assert first["line"] == ["check", "bet 50", "call", "5c"]
    assert sum(first["means"]["ev"]) == pytest.approx(200, abs=0.1)
    assert [data["nodes"][to]["line"][-1] for to in first["after"] if to > 0] == ["check", "bet 100"]
    assert data["left_out"] == 0
