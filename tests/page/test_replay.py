"""Replays in a real browser, of a match that a real server has played: stepping, streets, keys, links, filters."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.arena.servers import Process, served
from tests.support.page.browser import PHONE, expect, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.check

HANDS = 6
ARRIVE = """(address) => {
  for (const input of document.querySelectorAll(".filters select")) {
    input.selectedIndex = 0;
    input.dispatchEvent(new Event("change"));
  }
  for (const shown of document.querySelectorAll(".replay .title, .said")) shown.textContent = ""; // what comes is new
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, browser: "Browser") -> Iterator[Process]:
    """Return a server whose match of house bots has been played; the page says when it is."""
    options = ("--house", "calling,equity,tight", "--seats", "3", "--start-at", "3", "--max-hands", str(HANDS))
    deep = ("--stack", "100000000")  # no team can lose everything before the last hand
    with served(tmp_path_factory.mktemp("replay"), *options, *deep, "--house-think-ms", "0") as place:
        with open_page(browser, f"{place.http}/?table=T-1") as page:
            expect(page.locator(".crown:visible").first).visible()
        yield place


@pytest.fixture(scope="module")
def window(browser: "Browser", played: Process) -> Iterator["Page"]:
    """Return a page that is loaded once for all tests."""
    with open_page(browser, f"{played.http}/?view=replay&table=T-1&hand=1") as page:
        yield page  # the first test comes again by a link at once, while the view is loaded


@pytest.fixture
def page(window: "Page") -> "Page":
    """Return a page at the start of a replay of the first hand, come there as by a link."""
    window.evaluate(ARRIVE, "?view=replay&table=T-1&hand=1")
    expect(window.locator(".replay .title")).text("Hand 1 of T-1")
    expect(window.locator(".said")).text(re.compile("Hand 1, button on"))
    expect(window.locator(".hands .list li")).count(HANDS)
    return window


def at(page: "Page") -> int:
    """Return the slider's position."""
    return int(page.locator(".position").input_value())


def end(page: "Page") -> int:
    """Where the hand ends."""
    return int(page.locator(".position").get_attribute("max") or 0)


@pytest.mark.check
def test_hand_is_replayed_both_ways_with_buttons_keys_and_slider(page: "Page") -> None:
    said = page.locator(".said")
    expect(said).text(re.compile("Hand 1, button on"))
    assert (at(page), end(page) > 5) == (0, True)
    page.get_by_role("button", name="Forward").click()
    expect(said).text(re.compile("posts the small blind"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert at(page) == 3
    lines = page.locator(".viewer .log li").count()
    page.keyboard.press("ArrowLeft")
    assert at(page) == 2
    assert page.locator(".viewer .log li").count() < lines
    page.keyboard.press("End")
    assert at(page) == end(page)
    expect(page.locator(".seat.won .plate").first).visible()
    expect(page.get_by_role("button", name="Forward")).visible()
    assert page.get_by_role("button", name="Forward").is_disabled()
    page.keyboard.press("Home")
    assert at(page) == 0
    page.locator(".position").fill("4")
    assert at(page) == 4
    assert re.match("4 of ", page.locator(".position").get_attribute("aria-valuetext") or "")


def test_replay_jumps_to_streets(page: "Page") -> None:
    streets = page.locator(".streets button")
    names = streets.all_inner_texts()
    assert names[0] == "Before the flop"
    assert names[-1] == "End"
    seen = []
    for _ in names[1:]:
        before = page.locator(".position").input_value()
        page.keyboard.press("Shift+ArrowRight")
        page.wait_for_function("before => document.querySelector('.position').value !== before", arg=before)
        seen.append(at(page))
    marks = [int(mark.get_attribute("data-at") or 0) for mark in streets.all()]
    assert seen == marks[1:]
    page.keyboard.press("PageUp")
    assert at(page) == marks[-2]
    streets.first.click()
    assert at(page) == 0
    page.get_by_role("button", name="Next street").click()
    assert at(page) == marks[1]


@pytest.mark.check
def test_it_plays_by_itself_at_any_speed_and_stops_on_demand(page: "Page") -> None:
    page.locator(".speed").select_option("8")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(
        "() => document.querySelector('.position').value === document.querySelector('.position').max"
    )
    expect(page.get_by_role("button", name="Play")).visible()
    page.keyboard.press("Home")
    page.locator(".speed").select_option("0.5")
    page.locator(".said").click()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).visible()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play")).visible()
    assert at(page) == 0


def test_keys_of_another_view_do_not_move_it(page: "Page") -> None:
    page.get_by_role("link", name="Lobby").click()
    expect(page.locator(".viewer")).hidden()
    page.keyboard.press("ArrowRight")
    page.get_by_role("link", name="Replay").click()
    expect(page.locator(".viewer")).visible()
    assert at(page) == 0


def test_after_the_match_all_cards_are_open_with_their_equities(page: "Page") -> None:
    expect(page.locator(".seat .cards .card.back")).count(0)
    expect(page.locator(".seat .cards .card")).count(6)
    shares = [int(text.removesuffix("%")) for text in page.locator(".equity:visible").all_inner_texts()]
    assert len(shares) == 3
    assert 98 <= sum(shares) <= 102


def test_the_address_names_the_position_and_leads_back_to_it(page: "Page", browser: "Browser") -> None:
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("() => location.search.includes('at=3')")
    said = page.locator(".said").inner_text()
    with open_page(browser, page.url) as other:
        expect(other.locator(".said")).text(said)
        assert at(other) == 3


@pytest.mark.check
def test_invalid_links_are_reported(page: "Page", browser: "Browser", played: Process) -> None:
    page.evaluate(ARRIVE, "?view=replay&table=T-1&hand=1&at=9999")
    expect(page.locator(".stage > .note")).text("This hand has no position 9,999; its end is shown.")
    assert at(page) == end(page)
    with open_page(browser, f"{played.http}/?view=replay&table=T-1&hand=777", complaints=True) as other:
        expect(other.locator(".stage > .note")).text(f"T-1 has no finished hand 777; the last one is {HANDS}")
        expect(other.locator(".viewer")).hidden()
    with open_page(browser, f"{played.http}/?view=replay&table=T-1&hand=abc") as other:
        expect(other.locator(".stage > .note")).text(
            "The address has no valid hand number. Choose a hand from the list."
        )
    with open_page(browser, f"{played.http}/?view=replay&table=T-1&hand=H-2026-01-01-00002&at=0") as other:
        expect(other.locator(".list [aria-current]")).text(re.compile(r"\b2\b"))
    with open_page(browser, f"{played.http}/?view=replay&table=T-77&hand=1", complaints=True) as other:
        expect(other.locator(".stage > .note")).text("unknown table; the lobby lists all tables")


def test_hands_are_listed_filtered_and_opened(page: "Page") -> None:
    expect(page.locator(".hands .list li")).count(HANDS)
    page.get_by_label("Team").select_option("tight (house)")
    page.get_by_label("Order").select_option("losses")
    page.wait_for_function("() => document.querySelector('.hands .list li')?.textContent.includes('−')")
    losses = page.locator(".hands .list a").all_inner_texts()
    assert all("tight (house) −" in text for text in losses), losses
    page.locator(".hands .list a").last.click()
    number = re.match(r"Hand (\d+)", losses[-1])
    assert number is not None
    expect(page.locator(".replay .title")).text(f"Hand {number[1]} of T-1")
    expect(page.locator(".hands .list a[aria-current]")).count(1)
    page.wait_for_url(lambda url: f"hand={number[1]}" in url)
    page.go_back()
    expect(page.locator(".replay .title")).text("Hand 1 of T-1")


def test_a_hand_is_taken_home_as_phh(page: "Page", tmp_path: Path) -> None:
    with page.expect_download() as one:
        page.get_by_role("link", name="Download as PHH").click()
    assert one.value.suggested_filename == "T-1-hand-1.phh"
    one.value.save_as(tmp_path / "one.phh")
    assert "variant = 'NT'" in (tmp_path / "one.phh").read_text()
    with page.expect_download() as every:
        page.get_by_role("link", name="All hands as PHH").click()
    assert every.value.suggested_filename == f"T-1-hands-1-{HANDS}.phhs"


def test_it_fits_a_phone(browser: "Browser", played: Process, page: "Page") -> None:
    with open_page(browser, f"{played.http}/?view=replay&table=T-1&hand=2", size=PHONE) as phone:
        expect(phone.locator(".replay .title")).text("Hand 2 of T-1")
        phone.get_by_role("button", name="Forward").click()
        assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
