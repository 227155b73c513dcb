"""The frame of the page: weight, colours by day and night, screens of every size, access, and frames that are short."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pitboss.arena.connections.web import HEADERS
from pitboss.arena.wire.messages import write
from tests.support.arena.servers import served
from tests.support.page.access import complaints_of
from tests.support.page.browser import PHONE, WIDE, expect, open_page
from tests.support.page.scripts import before_the_flop, match_end, on_the_flop, table, to_the_end
from tests.support.page.stage import Stage
from tests.support.page.summaries import summary

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

STILL: dict[str, Any] = {"reduced_motion": "reduce"}
"""Settings of a browser without animations. A color that fades in has less contrast."""
pytestmark = pytest.mark.check

TEAMS = ("Alpha", "Beta", "Gamma", "Delta")
STACKS = (9_700, 1_400, 10_300, 10_000)
ENDED = (9_400, 3_100, 8_900, 10_000)
PROJECTOR = (1920, 1080)
FIRST_LOAD = 250 * 1024  #: bytes


def test_the_first_load_is_under_250_kib(browser: "Browser", stage: Stage) -> None:
    stage.send(*table(*TEAMS), *before_the_flop(STACKS), *on_the_flop())
    stage.tables = [summary("T-1", *TEAMS)]
    with open_page(browser, stage.url) as page:
        expect(page.locator(".seat.turn")).count(1)
        page.wait_for_load_state("networkidle")
        sizes: dict[str, int] = page.evaluate(
            """() => Object.fromEntries(
              ["navigation", "resource"]
                .flatMap((kind) => performance.getEntriesByType(kind))
                .map(({ name, decodedBodySize }) => [name, decodedBodySize]),
            )"""
        )
    assert sizes[f"{stage.url}page/main.js"] > 0
    assert sum(sizes.values()) < FIRST_LOAD, sizes


def test_policy_forbids_other_origins_and_inline_scripts() -> None:
    policy = HEADERS["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_follows_the_systems_colours_until_the_reader_chooses(
    browser: "Browser", stage: Stage, scheme: str
) -> None:
    stage.send(*table(*TEAMS))
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    with open_page(browser, stage.url, color_scheme=scheme) as page:
        expect(page.locator(".headline")).visible()
        theirs = page.evaluate(ground)
        assert (sum(map(int, re.findall(r"\d+", theirs))) > 384) == (scheme == "light")
        page.locator("#theme").press("Enter")
        mine = page.evaluate(ground)
        assert mine != theirs
        page.reload()
        expect(page.locator(".headline")).visible()
        assert page.evaluate(ground) == mine


def test_a_projector_is_read_from_afar(browser: "Browser", stage: Stage) -> None:
    """At 1920 by 1080 nothing at the table is below 18 pixels, a sixtieth of the screen's height."""
    stage.send(*table(*TEAMS), *before_the_flop(STACKS), *on_the_flop())
    with open_page(browser, stage.url, size=PROJECTOR) as page:
        expect(page.locator(".seat.turn")).count(1)
        sizes: dict[str, float] = page.evaluate(
            """() => Object.fromEntries(
              [".plate .name", ".stack", ".bet", ".total", ".tag", "#standings td", ".line"].map((selector) => [
                selector,
                parseFloat(getComputedStyle(document.querySelector(selector)).fontSize),
              ]),
            )"""
        )
        assert min(sizes.values()) >= 18, sizes
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("what", ["waiting", "hand", "end", "lobby", "nothing"])
def test_accessibility_check_finds_nothing_serious(
    browser: "Browser", stage: Stage, size: tuple[int, int], scheme: str, what: str
) -> None:
    stage.send(*table(*TEAMS))
    if what != "waiting":
        stage.send(*before_the_flop(STACKS), *on_the_flop())
    if what == "end":
        stage.send(*to_the_end(ENDED), *match_end((2, "Gamma", 31_400), (0, "Alpha", 0), (1, "Beta", 0)))
    playing = summary("T-1", *TEAMS, hand_id="H-2025-10-17-00012")
    playing["players"][0]["connected"] = False
    stage.tables = [playing, summary("T-2", "Zeta", missing=["Eta"])]
    stage.histories["T-1"] = {"hands": [0, 1], "stacks": {"0": [10_000, 9_000], "1": [10_000, 11_000]}}
    stage.unknown.add("T-9")
    query = {"lobby": "?view=lobby", "nothing": "?table=T-9"}.get(what, "")
    there = {
        "waiting": ".headline",
        "hand": ".seat.turn .name",
        "end": ".crown",
        "lobby": ".chart",
        "nothing": "#no-table a",
    }
    with open_page(
        browser, stage.url + query, size=size, color_scheme=scheme, complaints=what == "nothing", **STILL
    ) as page:
        expect(page.locator(there.get(what, "#no-table a")).first).visible()
        page.wait_for_timeout(400)
        assert complaints_of(page) == []


def test_accessibility_check_finds_nothing_serious_in_any_view(browser: "Browser", tmp_path: Path) -> None:
    found: dict[tuple[str, str], list[str]] = {}
    with served(tmp_path, "--house", "calling,tight,folding", "--house-think-ms", "20") as place:
        for scheme, size in (("dark", WIDE), ("light", PHONE)):
            with open_page(browser, place.http, size=size, color_scheme=scheme, **STILL) as page:
                expect(page.locator("#log .line.win").first).visible()
                for name in page.locator("#views a").all_inner_texts():
                    page.get_by_role("link", name=name, exact=True).click()
                    page.wait_for_timeout(1_000)
                    found[name, scheme] = complaints_of(page)
    assert len(found) >= 2 * 3
    assert {view: complaints for view, complaints in found.items() if complaints} == {}


# --- short frames

FRAME = 50.0  #: milliseconds
ACTION = 100.0  #: milliseconds from one action to the next


@pytest.mark.slow
@pytest.mark.timing
def test_no_frame_is_over_50_ms_while_a_table_plays_ten_actions_a_second(browser: "Browser", stage: Stage) -> None:
    """In twenty seconds no task of the page's thread is longer, not counting waits for a busy machine."""
    stage.send(*table(*TEAMS))
    with open_page(browser, stage.url) as page:
        expect(page.locator(".headline")).visible()
        page.wait_for_timeout(1_000)
        browser.start_tracing(
            page=page, categories=["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"]
        )
        try:
            for number in range(10):
                play_slowly(page, stage, number)
        finally:
            trace = json.loads(browser.stop_tracing())["traceEvents"]
        assert page.locator("#log .line.hand").count() > 3
    tasks = tasks_of_pages(trace)
    assert len(tasks) > 200
    assert max(tasks) < FRAME, sorted(tasks)[-5:]


def play_slowly(page: "Page", stage: Stage, number: int) -> None:
    """Send a hand, an action at a time."""
    hand = [*before_the_flop(STACKS), *on_the_flop(), *to_the_end(ENDED)]
    for message in hand:
        frame = json.loads(write(message))
        frame["hand_id"] = f"H-2025-10-17-{number + 1:05}"
        frame["seq"] = frame.get("seq", 0) + 100 * number
        stage.send(json.dumps(frame))
        page.wait_for_timeout(ACTION)


def tasks_of_pages(trace: list[dict[str, Any]]) -> list[float]:
    """The milliseconds that each task of a page's own thread worked."""
    threads = {
        (event["pid"], event["tid"])
        for event in trace
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    return [
        event["tdur"] / 1000
        for event in trace
        if "tdur" in event and event["name"].endswith("RunTask") and (event["pid"], event["tid"]) in threads
    ]
