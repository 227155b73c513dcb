"""The page at a real table: it is never behind by more than two hands or two seconds, and the picture moves.

PITBOSS_WATCH=120 watches for 120 seconds at each speed.
"""

import os
import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec import Struct, convert

from tests.support.arena.servers import Process, served
from tests.support.page.browser import expect, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.check

MAKEFILE = Path(__file__).parents[2] / "Makefile"
HANDS, BEHIND = 2, 2000.0  #: hands and milliseconds; whichever is more is near enough
EVERY = 100.0  #: milliseconds from one sample to the next, where the machine is not busy
STILL = 5000.0  #: milliseconds without a new line in the log, while the table plays on

# Record when hands begin for the page and, ten times a second, the hand it shows and the number of lines in its log.
NOTES = r"""
window.begun = [];
window.samples = [];
window.WebSocket = class extends WebSocket {
  constructor(...address) {
    super(...address);
    this.addEventListener("message", ({ data }) => {
      const found = /^\{"type":"start_hand".*?"hand_id":"[^"]*?(\d+)"/.exec(data);
      if (found !== null) begun.push([Number(found[1]), performance.now()]);
    });
  }
};
addEventListener("DOMContentLoaded", () => {
  const [hand, log] = ["#hand", "#log"].map((selector) => document.querySelector(selector));
  setInterval(() => {
    const shown = /hand ([\d,]+)/.exec(hand.textContent);
    if (shown === null || begun.length === 0) return;
    const number = Number(shown[1].replaceAll(",", ""));
    const next = begun.find(([other]) => other > number);
    const now = performance.now();
    samples.push({
      at: now,
      shown: number,
      hands: begun.at(-1)[0] - number,
      late: next === undefined ? 0 : now - next[1],
      line: Number(log.lastChild?.dataset.n ?? -1),
      over: document.querySelector(".crown") !== null,
    });
  }, 100);
});
"""


class Sample(Struct, frozen=True):
    """What the page shows at one moment: of which hand, and how many hands and milliseconds it is behind."""

    at: float
    shown: int
    hands: int
    late: float
    line: int
    over: bool


def settings_of_make_run() -> list[str]:
    """The options that `make run` starts an arena with."""
    found = re.search(r"^run:.*\n\t@\$\(BIN\)/pitboss arena serve (.*) \$\(ARGS\)$", MAKEFILE.read_text(), re.MULTILINE)
    assert found
    return found[1].split()


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize(
    ("speed", "seconds"),
    [((), 60.0), (("--house-think-ms", "50"), 20.0), (("--house-think-ms", "0"), 20.0)],
    ids=["make run", "fast", "as fast as can be"],
)
def test_the_page_is_never_behind_by_more_than_two_hands_or_two_seconds(
    browser: "Browser", tmp_path: Path, speed: tuple[str, ...], seconds: float
) -> None:
    wanted = 1000 * float(os.environ.get("PITBOSS_WATCH", seconds))
    watched, runs, hands = 0.0, 0, 0
    while watched < wanted:  # a match that is decided sooner is followed by another
        runs += 1
        with served(tmp_path, *settings_of_make_run(), *speed, db=f"{runs}.db") as place:
            samples = watch(browser, place, wanted - watched)
        watched += samples[-1].at - samples[0].at
        hands += len({sample.shown for sample in samples})
        assert too_late(samples) == []
        assert longest_still(samples) < STILL
    assert hands > wanted / 10_000


def watch(browser: "Browser", place: Process, milliseconds: float) -> list[Sample]:
    """Look at the first table until the time is up or its match is decided."""
    with open_page(browser, place.http) as page:
        page.add_init_script(NOTES)
        page.goto(f"{place.http}/?table=T-1")
        expect(page.locator("#hand")).text(re.compile(r"hand \d+"))
        page.wait_for_function(
            "(most) => samples.length > 1 && (samples.at(-1).over || samples.at(-1).at - samples[0].at > most)",
            arg=milliseconds,
            timeout=milliseconds + 60_000,
        )
        return convert(page.evaluate("samples"), list[Sample])


def too_late(samples: list[Sample]) -> list[Sample]:
    """When the page was too far behind; time in which the machine let none of its timers run is not the page's."""
    found = []
    for k, sample in enumerate(samples):
        if sample.hands <= HANDS or sample.late <= BEHIND:
            continue
        since = [other.at for other in samples[: k + 1] if other.at >= sample.at - sample.late]
        starved = sum(max(0.0, later - earlier - EVERY) for earlier, later in pairwise(since))
        if sample.late - starved > BEHIND:
            found.append(sample)
    return found


def longest_still(samples: list[Sample]) -> float:
    """The longest time in which nothing new was said though the table played on."""
    longest, since = 0.0, samples[0]
    for sample in samples:
        if sample.line != since.line or sample.over:
            since = sample
        longest = max(longest, sample.at - since.at)
    return longest
