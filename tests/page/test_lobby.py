"""The lobby: every table as a small picture, who is missing, and where a table that is over leads."""

import re
from typing import TYPE_CHECKING

import pytest

from pitboss.arena.wire import messages as wire
from tests.support.page.browser import PHONE, WIDE, expect, open_page
from tests.support.page.scripts import match_end, table
from tests.support.page.stage import Stage
from tests.support.page.summaries import summary

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.check

HOSTILE = "<img src=x onerror=alert(1)>"
HISTORY = {"hands": [0, 1, 2], "stacks": {"0": [10_000, 12_000, 15_000], "1": [10_000, 8_000, 5_000]}}


@pytest.mark.check
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_every_table_has_a_picture_with_names_chips_and_progress(
    browser: "Browser", stage: Stage, size: tuple[int, int]
) -> None:
    stage.tables = [
        summary("T-1", "Alpha", HOSTILE, hand_id="H-2025-10-17-00012", phase="FLOP"),
        summary("T-2", "Gamma", over=True, open=False, free=0, hand_id="H-2025-10-17-00099"),
    ]
    stage.tables[0]["players"][0]["stack"] = 15_000
    stage.histories["T-1"] = HISTORY
    with open_page(browser, f"{stage.url}?view=lobby", size=size) as page:
        expect(page.locator(".lobby-head")).text("2 tables: 1 running, 1 over")
        expect(page.locator(".table-name")).text(["T-1", "T-2"])
        expect(page.locator(".table-card .state")).text(["hand 12 · 4 free", "over"])
        expect(page.locator(".table-card").first.locator(".few-seats li")).text(["Alpha15,000", f"{HOSTILE}10,000"])
        expect(page.locator(".chart polyline")).count(2)
        said = page.locator(".chart").first.get_attribute("aria-label")
        assert said == f"Chips after 2 hands: Alpha 15,000, {HOSTILE} 5,000"
        expect(page.locator("main img")).count(0)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_missing_players_are_named(browser: "Browser", stage: Stage) -> None:
    entry = summary("T-1", "Alpha", "Beta", "Gamma", "Kappa", missing=["Delta"], hand_id="H-2025-10-17-00012")
    entry["players"][1]["connected"] = False
    entry["players"][2]["away"] = True
    entry["players"][3] |= {"connected": False, "away": True}  # it took leave
    stage.tables = [entry, summary("T-2", "Zeta")]
    with open_page(browser, f"{stage.url}?view=lobby") as page:
        expect(page.locator(".missing >> visible=true")).text(
            "Missing: Delta (not come), Beta (disconnected), Gamma (away), Kappa (away)"
        )


def test_a_seat_that_is_away_does_not_lead(browser: "Browser", stage: Stage) -> None:
    """However many chips it has; a team that has won its match leads, also without a connection."""
    for number, over in enumerate((False, True), 1):
        entry = summary(f"T-{number}", "Alpha", "Beta", over=over, hand_id="H-2025-10-17-00012")
        entry["players"][1] |= {"stack": 15_000, "connected": False, "away": True}
        stage.tables.append(entry)
    gold = "getComputedStyle(document.documentElement).getPropertyValue('--gold')"
    first = "[...document.querySelectorAll('.few-seats li:first-child .amount')]"
    with open_page(browser, f"{stage.url}?view=lobby") as page:
        expect(page.locator(".few-seats li:first-child")).text(["Beta15,000", "Beta15,000"])
        assert page.evaluate(f"{gold} !== ''")
        weights = page.evaluate(f"{first}.map((each) => getComputedStyle(each).fontWeight)")
        assert weights == ["400", "650"]


def test_a_seat_that_is_away_has_no_star_at_the_table(browser: "Browser", stage: Stage) -> None:
    stage.send(*table("Alpha", "Beta"))
    with open_page(browser, stage.url) as page:
        for away, text in ((False, "★ 1st"), (True, "1st")):
            beta = wire.LobbyPlayer(seat=1, team="Beta", connected=True, stack=15_000, away=away)
            alpha = wire.LobbyPlayer(seat=0, team="Alpha", connected=True, stack=5000)
            stage.send(wire.Lobby(players=(alpha, beta)))
            expect(page.locator(".standing >> visible=true")).text(["2nd", text])


def test_a_card_leads_to_its_table_and_the_lobby_is_one_click_away(browser: "Browser", stage: Stage) -> None:
    for name, teams in {"T-1": ("Alpha", "Beta"), "T-2": ("Zeta", "Eta")}.items():
        stage.send(*table(*teams, table_id=name), table=name)
        stage.tables.append(summary(name, *teams))
    with open_page(browser, stage.url) as page:
        page.get_by_role("link", name="Lobby").click()
        page.get_by_role("link", name="T-2").click()
        expect(page.locator("#table-view .plate .name").first).text("Zeta")
        assert page.url == f"{stage.url}?table=T-2"
        page.go_back()
        expect(page.locator(".table-name").first).visible()


def test_very_many_tables_stay_quick_and_can_be_searched(browser: "Browser", stage: Stage) -> None:
    stage.tables = [summary(f"T-{k}", f"team {k}a", f"team {k}b") for k in range(1, 3001)]
    with open_page(browser, f"{stage.url}?view=lobby") as page:
        expect(page.locator(".lobby-head")).text("3,000 tables: 3,000 waiting")
        expect(page.locator(".table-card")).count(48)
        expect(page.locator("#tables")).hidden()
        took: float = page.evaluate(
            """async () => {
              const began = performance.now();
              const search = document.querySelector(".find input");
              search.value = "team 2999";
              search.dispatchEvent(new Event("input"));
              await new Promise(requestAnimationFrame);
              return performance.now() - began;
            }"""
        )
        expect(page.locator(".table-name")).text("T-2999")
        assert took < 1_000  # it takes a few milliseconds; this machine may be busy
        page.locator(".find input").fill("")
        page.locator(".more").click()
        expect(page.locator(".table-card")).count(240)


def test_a_missing_table_is_reported_with_a_link_to_the_lobby(browser: "Browser", stage: Stage) -> None:
    stage.tables = [summary("T-1", "Alpha", "Beta")]
    stage.unknown.add(HOSTILE)
    with open_page(browser, f"{stage.url}?table=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E", complaints=True) as page:
        expect(page.locator("#no-table")).text(
            f'There is no table "{HOSTILE}" in this arena. The lobby lists all tables.'
        )
        expect(page.locator("#felt")).hidden()
        page.locator("#no-table a").click()
        expect(page.locator(".table-name")).text("T-1")


def test_a_closed_table_does_not_invite(browser: "Browser", stage: Stage) -> None:
    stage.send(*table("Alpha", "Beta"))
    stage.tables = [summary("T-1", "Alpha", "Beta", open=False, free=0)]
    with open_page(browser, stage.url) as page:
        expect(page.locator(".headline")).text("Waiting for the first hand")
        page.wait_for_function("document.querySelector('#invite').hidden")
        expect(page.locator("#invite")).hidden()


@pytest.mark.check
def test_the_invitation_has_the_commands_as_they_work_where_the_arena_was_started(
    browser: "Browser", stage: Stage
) -> None:
    stage.send(*table("Alpha", "Beta"))
    stage.arena = {"command": ".venv/bin/pitboss", "bots": "ws://arena.test/ws"}
    stage.tables = [summary("T-1", "Alpha", "Beta", open=False, free=2)]
    with open_page(browser, stage.url) as page:
        expect(page.locator("#invite summary")).text("2 seats are free for teams on the organiser's list")
        expect(page.locator("#invite .command")).text(
            [".venv/bin/pitboss arena new my_bot.py", ".venv/bin/pitboss arena join my_bot.py ws://arena.test/ws"]
        )
    stage.tables += [summary("T-2", "Gamma", open=True, free=5)]
    with open_page(browser, stage.url) as page:  # quoted: a shell may read the ? itself
        expect(page.locator("#invite .command").last).text(
            ".venv/bin/pitboss arena join my_bot.py 'ws://arena.test/ws?table=T-1'"
        )


@pytest.mark.check
def test_from_a_match_that_is_over_one_is_taken_on_unless_one_reads(browser: "Browser", stage: Stage) -> None:
    for name, teams in {"T-1": ("Alpha", "Beta"), "T-2": ("Zeta", "Eta")}.items():
        stage.send(*table(*teams, table_id=name), table=name)
    stage.send(*match_end((0, "Alpha", 20_000), (1, "Beta", 0)))
    stage.tables = [summary("T-1", "Alpha", "Beta", over=True, open=False, free=0), summary("T-2", "Zeta", "Eta")]
    stage.tables.insert(1, summary("T-3"))  # at an empty table there is nothing to see
    with open_page(browser, stage.url) as page:
        expect(page.locator("#next")).text(
            re.compile(r"The match is over\. Go on to table T-2, automatically in \d+ s")
        )
        page.mouse.wheel(0, 10)  # the reader is active
        expect(page.locator("#next")).text("The match is over. Go on to table T-2")
        page.locator("#next a").click()
        expect(page.locator("#table-view .plate .name").first).text("Zeta")
        expect(page.locator("#next")).hidden()
        page.clock.install()
        page.goto(stage.url)
        expect(page.locator("#next")).visible()
        page.evaluate("document.querySelector('#views a:nth-child(2)').click()")  # by hand, and without a touch
        expect(page.locator(".table-card").first).visible()
        page.clock.run_for(40_000)
        assert page.url == f"{stage.url}?view=lobby&table=T-1"  # a reader who has gone to another page stays there
        page.goto(stage.url)
        expect(page.locator("#next")).visible()
        page.clock.run_for(40_000)
        expect(page.locator("#table-view .plate .name").first).text("Zeta")


@pytest.mark.check
def test_a_lobby_reports_a_lost_arena_and_keeps_its_tables(browser: "Browser", stage: Stage) -> None:
    stage.tables = [summary("T-1", "Alpha", "Beta")]
    with open_page(browser, f"{stage.url}?view=lobby", complaints=True) as page:
        expect(page.locator("#connection .phase")).text("live")
        page.route("**/api/tables", lambda route: route.abort())
        expect(page.locator("#connection .phase")).text("connection lost, next try in 2 s")
        expect(page.locator(".table-name")).text("T-1")
