"""The page at the settings of `make run` for a minute: it keeps up with the table, and the picture moves."""

import json
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

import msgspec
import pytest

from tests.support.arena.servers import Process, served
from tests.support.page.browser import expect, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MAKEFILE = Path(__file__).parents[2] / "Makefile"
MINUTE = 60.0
BEHIND = 6.5  #: seconds; the page allows itself five
STILL = 5.0  #: seconds without a new line in the log


class Sample(msgspec.Struct, frozen=True):
    """What the table played and what the page showed at one moment."""

    at: float
    played: int
    shown: int
    lines: int
    over: bool


def settings_of_make_run() -> list[str]:
    """The options that `make run` starts an arena with."""
    found = re.search(r"^run:.*\n\t@\$\(BIN\)/pitboss arena serve (.*) \$\(ARGS\)$", MAKEFILE.read_text(), re.MULTILINE)
    assert found
    return found[1].split()


@pytest.mark.slow
def test_at_the_settings_of_make_run_the_page_keeps_up_for_a_minute(browser: "Browser", tmp_path: Path) -> None:
    watched, runs = 0.0, 0
    hands: set[tuple[int, int]] = set()
    while watched < MINUTE:  # a match that is decided sooner is followed by another
        runs += 1
        with served(tmp_path, *settings_of_make_run(), db=f"{runs}.db") as place:
            samples = watch(browser, place, MINUTE - watched)
        watched += samples[-1].at - samples[0].at
        hands |= {(runs, sample.shown) for sample in samples}
        assert max(behind(samples)) < BEHIND, samples
        assert longest_still(samples) < STILL, samples
    assert len(hands) > 5


def watch(browser: "Browser", place: Process, seconds: float) -> list[Sample]:
    """Look at the page and the table four times a second, until the time is up or the match is decided."""
    with open_page(browser, f"http://127.0.0.1:{place.port}/") as page:
        expect(page.locator("#hand")).text(re.compile(r"hand \d+"))
        samples = [sample(page, place)]
        while not samples[-1].over and samples[-1].at - samples[0].at < seconds:
            page.wait_for_timeout(250)
            samples.append(sample(page, place))
        if samples[-1].over:
            expect(page.locator(".crown")).visible()
    return samples


def sample(page: "Page", place: Process) -> Sample:
    """Ask the page, then the table."""
    shown, lines = page.evaluate(
        "[document.querySelector('#hand').textContent, document.querySelector('#log').lastChild?.dataset.n ?? -1]"
    )
    with urlopen(f"http://127.0.0.1:{place.port}/api/tables") as answer:
        [table] = json.load(answer)
    return Sample(time.monotonic(), number(table["hand_id"]), number(shown), int(lines), table["over"])


def number(text: str) -> int:
    """The number that a hand's id, or what the page's head says of it, ends with."""
    return int(re.findall(r"[\d,]+", text)[-1].replace(",", ""))


def behind(samples: list[Sample]) -> list[float]:
    """For each moment, the seconds since the table had left the hand that the page showed."""
    left = {hand: next((s.at for s in samples if s.played > hand), None) for hand in {s.shown for s in samples}}
    return [0.0 if (since := left[s.shown]) is None else max(0.0, s.at - since) for s in samples]


def longest_still(samples: list[Sample]) -> float:
    """The longest time in which nothing new was said."""
    longest, since = 0.0, samples[0]
    for sample in samples:
        if sample.lines != since.lines:
            since = sample
        longest = max(longest, sample.at - since.at)
    return longest
