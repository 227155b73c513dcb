"""The report of a competition in a real browser: no errors, no sideways scrolling, and working links."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.competitions.small_cup import BOTS, write_competition
from tests.support.page.browser import PHONE, WIDE, expect, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.check


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (WIDE, "light")])
def test_the_report_fits_and_its_links_open(
    browser: "Browser", tmp_path: Path, size: tuple[int, int], scheme: str
) -> None:
    write_competition(tmp_path)
    with open_page(browser, (tmp_path / "index.html").as_uri(), size=size, color_scheme=scheme) as page:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.locator("#entrants ~ details").count() >= len(BOTS)
        page.locator("#entrants ~ details summary").first.click()
        assert page.locator("#entrants ~ details svg.plot").first.is_visible()
        page.locator('a[href*="replay.html#hand"]').first.click()
        expect(page.locator(".title")).text(re.compile(r"hand \d+"))
