"""The viewer in one HTML file, opened from disk in a real browser: stepping, links, names, phones."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.cli.runs import run
from tests.support.page.browser import PHONE, expect, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.check

NAME = "<img src=x onerror=document.title='bad'>"
HAND = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.25, 0.50, 0]
min_bet = 0.50
starting_stacks = [50.25, 40.50, 60.50]
actions = ['d dh p1 AsKs', 'd dh p2 7c2d', 'd dh p3 QhQd', 'p3 cbr 1.50', 'p1 cbr 50.25', 'p2 f', 'p3 cc',
  'd db 2c3d4h', 'd db 5c', 'd db 9s', 'p1 sm AsKs', 'p3 sm QhQd']
players = ["%s", 'Ben', 'Cleo']
"""
DRAW = """\
variant = 'F2L3D'
antes = [0, 0]
blinds_or_straddles = [1, 2]
small_bet = 2
big_bet = 4
starting_stacks = [50, 50]
actions = ['d dh p1 2c3c4c5c7d', 'd dh p2 KsKdKhKcQd', 'p2 cc', 'p1 cc', 'p1 sd', 'p2 sd KsKd', 'd dh p2 8s9s',
  'p1 cbr 2', 'p2 f']
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the page of a file with two hands, of which one has a name that is HTML."""
    (tmp_path / "hands.phhs").write_text(f"[1]\n{HAND % NAME}\n[2]\n{DRAW}", encoding="utf-8")
    made = run("replay", str(tmp_path), "--html", str(tmp_path / "hands.html"))
    assert made.exit_code == 0, made.stderr
    return tmp_path / "hands.html"


@pytest.mark.check
def test_replay_file_opens_from_disk_and_plays(browser: "Browser", file: Path) -> None:
    with open_page(browser, file.as_uri()) as page:
        expect(page.locator(".title")).text("hands.phhs · hand 1")
        expect(page.locator(".hands .list li")).count(2)
        assert NAME in page.locator(".seat .name").all_inner_texts()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".said")).text(f"{NAME} posts the small blind, 0.25")
        page.keyboard.press("ArrowRight")  # then the cards are dealt
        shares = page.locator(".equity:visible").all_inner_texts()
        assert sum(int(share.removesuffix("%")) for share in shares) in (99, 100, 101)
        page.keyboard.press("End")
        expect(page.locator(".said")).visible()
        expect(page.locator(".seat.won .plate")).count(1)
        assert "101" in page.locator(".seat.won .stack").inner_text().replace(",", "")
        page.wait_for_function("() => /hand=1&at=[0-9]+/.test(location.hash)")
        assert page.title() != "bad"
        page.get_by_role("link", name=re.compile("Hand 2")).click()
        expect(page.locator(".title")).text("hands.phhs · hand 2")
        page.get_by_role("button", name="First draw").click()
        expect(page.locator(".seat .cards").nth(1).locator(".card:not(.back)")).count(5)


def test_links_into_a_file_name_positions_and_invalid_ones_are_reported(browser: "Browser", file: Path) -> None:
    with open_page(browser, f"{file.as_uri()}#hand=1&at=4") as page:
        expect(page.locator(".said")).text(re.compile("raises to 50.25"))
        page.goto(f"{file.as_uri()}#hand=1&at=4000")
        expect(page.locator(".stage > .note:not(.about)")).text("This hand has no position 4000; its end is shown.")
        page.goto(f"{file.as_uri()}#hand=77")
        expect(page.locator(".stage > .note:not(.about)")).text("This file has no hand 77.")
        expect(page.locator(".viewer")).hidden()


def test_a_file_fits_a_phone(browser: "Browser", file: Path) -> None:
    with open_page(browser, f"{file.as_uri()}#hand=2", size=PHONE) as page:
        expect(page.locator(".title")).text("hands.phhs · hand 2")
        page.get_by_role("button", name="Forward").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
