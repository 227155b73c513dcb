"""The teams' figures in a browser, at a real server: the table, the lines, and a team's own errors behind its code."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.arena.servers import served
from tests.support.page.browser import PHONE, expect, open_page
from tests.support.page.stage import Stage

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.check

# Take a seat as a bot would, send what cannot be read, and wait for the answer.
REFUSED = """(address) => new Promise((resolve) => {
  const socket = new WebSocket(address);
  socket.onopen = () => socket.send('{"type":"hello","v":1,"team":"<b>Gamma","join_code":"KF7Q9C"}');
  socket.onmessage = ({ data }) => {
    const { type } = JSON.parse(data);
    if (type === "welcome") socket.send('{"type":"dance","v":1}');
    if (type === "error") resolve(data);
  };
})"""


def test_the_figures_of_all_teams_are_shown(browser: "Browser", tmp_path: Path) -> None:
    house = ("--house", "calling,random", "--house-think-ms", "0", "--max-hands", "8", "--seats", "2")
    with served(tmp_path, *house, "--stack", "1000000") as place:
        with open_page(browser, f"{place.http}/?view=teams", size=PHONE) as page:
            expect(page.locator(".figures > .note")).text(re.compile("^Over [1-8] finished hands?"))
            expect(page.locator(".compared tbody tr")).count(2)
            teams = page.locator(".compared tbody th").all_text_contents()
            assert sorted(teams) == ["calling (house)", "random (house)"]
            cells = page.locator(".compared tbody tr").first.locator("td").all_text_contents()
            assert int(cells[0]) >= 1
            assert re.fullmatch(r"\d+ m?s \(\d+ m?s\)|[\d.]+ m?s \([\d.]+ m?s\)", cells[9]), cells
            assert cells[10:] == ["0", "0"]
            assert page.locator(".all-lines path.line-of").count() == 2
            assert page.locator(".team-card .big-pots li").count() >= 2
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert place.end() == 0


FIGURES = """async () => {
  const { inOrder, teamTable } = await import("./page/figures.js");
  const team = (team, won, hands, turns, timeouts) => ({ seat: 0, team, won, hands, turns, timeouts });
  const teams = [
    team("Alpha", -500, 3, 9, 2), team("Beta", 1500, 9, 30, 0),
    team("Mute", 100, 9, 12, 12), team("Delta", -500, 7, 20, 0),
  ];
  const node = teamTable({ teams: inOrder(teams), unit: "bb" });
  return [...node.querySelectorAll("tbody th")].map(({ textContent }) => textContent);
}"""


def test_teams_are_ordered_by_rank_and_silent_ones_are_marked(browser: "Browser", stage: Stage) -> None:
    with open_page(browser, stage.url) as page:
        assert page.evaluate(FIGURES) == ["Beta", "Mutenever answers", "Delta", "Alpha"]


def test_a_team_sees_its_own_errors_with_its_code(browser: "Browser", tmp_path: Path) -> None:
    with served(tmp_path, "--seats", "3") as place:
        with open_page(browser, f"{place.http}/?view=teams", complaints=True) as page:
            expect(page.locator(".figures > .note")).text("No hand is finished yet.")
            page.evaluate(REFUSED, place.ws())
            page.get_by_role("textbox", name="Team").fill("<b>Gamma")
            page.get_by_role("textbox", name="Code").fill("a guess")
            page.keyboard.press("Enter")
            expect(page.locator(".own-errors [role=status]")).text(re.compile("^No team with this name and code"))
            page.get_by_role("textbox", name="Code").fill("KF7Q9C")
            page.keyboard.press("Enter")
            expect(page.locator(".own-errors [role=status]")).text("One message was refused.")
            expect(page.locator(".refused code")).text("UNKNOWN_TYPE")
            assert "KF7Q9C" not in page.url
        assert place.end() == 0
