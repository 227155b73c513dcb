"""A real browser for tests of pages: the system's Chromium, driven by Playwright."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

WIDE, TALL, PHONE = (1280, 800), (820, 1180), (360, 740)

PATIENCE = 20_000.0  #: milliseconds after which a missing element is a failure

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def started_browser() -> Iterator["Browser"]:
    """Start the system's Chromium, or skip the test if it or Playwright is missing.

    While it runs, Playwright keeps an event loop in this thread, so `asyncio.run` cannot be used at the same time.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="pages are not tested: Playwright is not installed")
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        pytest.skip("pages are not tested: no Chromium on this machine (on Debian, install the package chromium)")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def open_page(
    browser: "Browser", url: str, *, size: tuple[int, int] = WIDE, complaints: bool = False, **settings: Any
) -> Iterator["Page"]:
    """Open a page as a reader would, and state at the end that nothing in it went wrong or left its origin.

    With `complaints` the console may hold errors, as it does whenever a connection is cut.
    """
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, **settings)
    errors: list[str] = []
    asked: list[str] = []
    try:
        page = context.new_page()
        page.on(
            "console", lambda message: errors.append(message.text) if message.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url))
        page.goto(url)
        yield page
    finally:
        context.close()
    home = urlsplit(url).netloc
    assert [address for address in asked if urlsplit(address).netloc != home] == []
    assert complaints or errors == [], errors


class Expected:
    """What must be true of a part of the page, at once or after a while."""

    def __init__(self, locator: "Locator") -> None:
        from playwright.sync_api import expect as that  # only where Playwright is there

        self._that = that(locator)

    def text(self, text: str | list[str] | re.Pattern[str]) -> None:
        """State that this is the whole text, of one element or of each."""
        self._that.to_have_text(text, timeout=PATIENCE)

    def count(self, number: int) -> None:
        """State how many there are."""
        self._that.to_have_count(number, timeout=PATIENCE)

    def visible(self) -> None:
        """State that it can be seen."""
        self._that.to_be_visible(timeout=PATIENCE)

    def hidden(self) -> None:
        """State that it cannot be seen."""
        self._that.to_be_hidden(timeout=PATIENCE)


def expect(locator: "Locator") -> Expected:
    """State something of a part of the page."""
    return Expected(locator)
