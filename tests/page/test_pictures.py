"""The pictures of the page in the README and the docs: drawn by this test; PITBOSS_PICTURES=1 renews docs/pictures."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pitboss.chance import Chance
from tests.support.page.browser import expect, open_page
from tests.support.page.scripts import before_the_flop, on_the_flop, table
from tests.support.page.stage import Stage
from tests.support.page.summaries import summary

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
SIZE = (1120, 680)
LARGEST = 400_000  #: bytes of a picture
TEAMS = ("Riverrats", "Pot Odds", "Checkmate", "Coolers", "Nuts & Bolts", "Gutshot")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return where pictures go."""
    return PICTURES if os.environ.get("PITBOSS_PICTURES") else tmp_path


@pytest.mark.check
def test_a_picture_of_the_table(browser: "Browser", stage: Stage, folder: Path) -> None:
    stage.send(*table(*TEAMS[:5]), *before_the_flop((9_700, 1_400, 14_300, 15_600, 9_000)), *on_the_flop())
    with open_page(browser, stage.url, size=SIZE, color_scheme="dark", reduced_motion="reduce") as page:
        expect(page.locator(".seat.turn .name")).visible()
        page.locator("#deck").click()
        page.screenshot(path=folder / "arena-table.png")
    check("arena-table.png", folder)
    assert "docs/pictures/arena-table.png" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_a_picture_of_the_lobby(browser: "Browser", stage: Stage, folder: Path) -> None:
    chance = Chance(16)
    for number in range(1, 7):
        history = random_match(chance, 4, 120)
        stacks = [line[-1] for line in history["stacks"].values()]
        entry = summary(f"T-{number}", *TEAMS[number % 3 : number % 3 + 4], hand_id=f"H-2025-10-17-{119 + number:05}")
        for player, stack in zip(entry["players"], stacks, strict=True):
            player["stack"] = stack
        entry["over"] = number == 6
        entry["players"][number % 4]["connected"] = number != 2
        stage.tables.append(entry)
        stage.histories[entry["table_id"]] = history
    with open_page(browser, f"{stage.url}?view=lobby", size=SIZE, color_scheme="light") as page:
        expect(page.locator(".chart")).count(6)
        page.screenshot(path=folder / "arena-lobby.png")
    check("arena-lobby.png", folder)
    assert "(pictures/arena-lobby.png)" in (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")


def random_match(chance: Chance, seats: int, hands: int) -> dict[str, Any]:
    """Make up a match: in every hand one player pays another."""
    stacks = [10_000] * seats
    lines = [[10_000] for _ in range(seats)]
    for _ in range(hands):
        payer, winner = chance.below(seats), chance.below(seats)
        paid = min(stacks[payer], 100 + chance.below(900))
        stacks[payer] -= paid
        stacks[winner] += paid
        for line, stack in zip(lines, stacks, strict=True):
            line.append(stack)
    return {"hands": list(range(hands + 1)), "stacks": {str(seat): line for seat, line in enumerate(lines)}}


def check(name: str, folder: Path) -> None:
    """State that a picture is small, and that the repository has it."""
    assert 10_000 < (folder / name).stat().st_size < LARGEST
    assert (PICTURES / name).exists()
