"""A person plays in the browser, at a real server: by keyboard, after a reload, in every kind of game, and refused."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.arena.servers import Process, served
from tests.support.page.browser import WIDE, expect, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HEADS_UP = ("--seats", "2", "--house", "calling")
SLOWLY = ("--move-time-ms", "60000")
HOSTILE = "<img src=x onerror=alert(1)>"


@contextmanager
def at_the_table(
    browser: "Browser", folder: Path, *options: str, name: str = "Ada", size: tuple[int, int] = WIDE
) -> Iterator[tuple["Page", Process]]:
    """Come to a table by the page's first address, by keyboard alone, and take a seat."""
    with served(folder, *options) as place:
        with open_page(browser, f"{place.http}/", size=size) as page:
            page.get_by_role("link", name="Play", exact=True).focus()
            page.keyboard.press("Enter")
            expect(page.locator(".joining .headline")).text(re.compile("free: take"))
            page.keyboard.type(name)
            page.keyboard.press("Enter")
            expect(page.locator(".own")).visible()
            yield page, place
        assert place.end() == 0


def wait_for_turn(page: "Page") -> None:
    """Wait until the person is asked, and may be sure that a key counts."""
    page.locator(".acting.asked").wait_for()
    page.wait_for_timeout(300)


def holding(page: "Page") -> list[str | None]:
    """The cards in one's hand."""
    return [card.get_attribute("data-card") for card in page.locator(".hole .card").all()]


def test_a_hand_is_played_to_showdown_by_keyboard_alone(browser: "Browser", tmp_path: Path) -> None:
    with at_the_table(browser, tmp_path, *HEADS_UP, *SLOWLY, "--max-hands", "1") as (page, _):
        wait_for_turn(page)
        assert len(holding(page)) == 2
        assert None not in holding(page)
        page.keyboard.press("r")
        page.keyboard.type("400")
        page.keyboard.press("Enter")
        expect(page.locator("#play-log .line", has_text="raises to 400")).count(1)
        while page.locator(".crown").count() == 0:
            if page.locator(".acting.asked").count():
                page.wait_for_timeout(300)
                page.keyboard.press("c")
            page.wait_for_timeout(50)
        expect(page.locator(".last-hand .line", has_text="Ada shows")).count(1)
        expect(page.locator(".situation")).text(re.compile("The match is over."))
