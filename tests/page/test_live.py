"""The page at a real server, with players of the house at the table."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.arena.servers import served
from tests.support.page.browser import expect, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.check


def test_a_real_table_is_shown_live(browser: "Browser", tmp_path: Path) -> None:
    with served(tmp_path, "--house", "calling,tight,folding", "--house-think-ms", "20") as place:
        with open_page(browser, f"http://127.0.0.1:{place.port}/") as page:
            expect(page.locator(".plate .name")).text(
                ["calling (house)", "tight (house)", "folding (house)", "free", "free", "free"]
            )
            expect(page.locator("#hand")).text(re.compile(r"T-1 · hand \d+"))
            expect(page.locator("#log li", has_text="wins").first).visible()
            expect(page.locator("#invite .address").first).text(f"ws://127.0.0.1:{place.port}/ws")
        assert place.end() == 0
