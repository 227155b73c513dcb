"""What the tests of the page share: a browser for a module, and a stage for a test."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.support.page.browser import started_browser
from tests.support.page.stage import Stage

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """Return a browser; for one module only, because no event loop can run in this thread while it lives."""
    with started_browser() as started:
        yield started


@pytest.fixture
def stage() -> Iterator[Stage]:
    """Return a server of the page that sends what the test says."""
    with Stage().running() as stage:
        yield stage
