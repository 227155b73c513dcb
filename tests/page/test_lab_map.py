"""The map of a run in a real browser: pointing, picking, filtering and comparing, wide and on a phone."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pitboss.lab.ratings import Ratings
from pitboss.lab.report.pages import write_index
from tests.support.lab.report_run import HOSTILE, write_run
from tests.support.page.browser import PHONE, expect, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.check


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """Return the map of three games."""
    archive = write_run(tmp_path)
    path = tmp_path / "index.html"
    path.write_text(write_index(archive, {"fine_leduc": "games/fine_leduc.html"}, Ratings()), encoding="utf-8")
    return path


@pytest.mark.check
def test_pointing_shows_a_game_and_clicking_two_compares_them(browser: "Browser", index: Path) -> None:
    with open_page(browser, index.as_uri()) as page:
        page.locator('[data-cell="2,3"]').hover()
        expect(page.locator("#panel h2")).text("Fine Leduc")
        page.locator('[data-cell="5,6"]').hover()
        expect(page.locator("#panel h2")).text("Fine Crazy Eights")
        page.locator('[data-cell="2,3"]').click()
        page.locator('[data-cell="5,6"]').hover()
        expect(page.locator("#panel h2")).text("Fine Leduc")  # what was picked stays
        assert page.locator("#panel h2 a").get_attribute("href") == "games/fine_leduc.html"
        page.locator("#compare").click()
        page.locator('[data-cell="5,6"]').click()
        expect(page.locator("#panel h2")).text("Fine Leduc and Fine Crazy Eights")
        row = page.locator("#panel tr", has_text="skill").inner_text()
        assert "0.20" in row
        assert "0.60" in row
        assert row.endswith("yes")
        assert "Only in Fine Leduc" in page.locator("#panel").inner_text()


def test_filters_dim_cells_and_shorten_the_list(browser: "Browser", index: Path) -> None:
    with open_page(browser, index.as_uri()) as page:
        expect(page.locator("#list tr")).count(3)
        page.locator("#betting").select_option("without")
        expect(page.locator(".map button:not(.off)")).count(1)
        expect(page.locator("#list tr")).count(1)
        page.locator("#betting").select_option("")
        page.locator("#phase").select_option("community")
        expect(page.locator("#list tr")).count(1)
        assert page.locator("#list tr").inner_text().startswith("Fine Leduc")
        page.locator("#phase").select_option("")
        page.locator("#measure").select_option("skill")
        page.locator("#least").fill("65")
        expect(page.locator("#list tr")).count(2)
        assert page.locator("#list tr").first.inner_text().startswith("Fine Crazy Eights")


def test_a_phone_has_all_of_it_and_names_are_text(browser: "Browser", index: Path) -> None:
    with open_page(browser, index.as_uri(), size=PHONE, color_scheme="dark") as page:
        page.locator('[data-cell="7,1"]').click()
        assert "<b>" in page.locator("#panel h2").inner_text()
        assert HOSTILE.count("<b>") == 1
        assert page.locator("#panel b").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_phone_shows_the_list_and_two_compared_games_completely(browser: "Browser", index: Path) -> None:
    with open_page(browser, index.as_uri(), size=(400, 800)) as page:
        page.locator('[data-cell="2,3"]').click()
        page.locator("#compare").click()
        page.locator('[data-cell="5,6"]').click()
        expect(page.locator("#panel h2")).text("Fine Leduc and Fine Crazy Eights")
        ends = "[...document.querySelectorAll('table')].map(one => one.getBoundingClientRect().right)"
        panel, games = page.evaluate(ends)
        assert max(panel, games) <= 400
