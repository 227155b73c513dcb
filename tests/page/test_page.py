"""The page in a real browser: what it shows of a hand, to which reader, at which size, and what it never does."""

import re
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from pitboss.arena.wire.messages import Lobby, LobbyPlayer, TableMessage
from tests.support.page.browser import PHONE, TALL, WIDE, expect, open_page
from tests.support.page.scripts import before_the_flop, match_end, on_the_flop, table, to_the_end
from tests.support.page.stage import PAGE, Stage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

TEAMS = ("Alpha", "Beta", "Gamma", "Delta")
STACKS = (9_700, 1_400, 10_300, 10_000)
ENDED = (9_400, 3_100, 8_900, 10_000)
TEN = (*TEAMS, "Epsilon", "Zeta", "Eta", "Theta", "Iota", "Kappa")
HOSTILE = "<img src=x onerror=\"document.title='taken'\">\u202egnorw & <script>alert(1)</script>"


def seat(page: "Page", number: int) -> "Locator":
    """One seat."""
    return page.locator(f'.seat[data-seat="{number}"]')


def is_at(disc: "Locator", mark: "Locator") -> bool:
    """Return whether a disc is nearest to its own seat."""
    a, b = disc.bounding_box(), mark.bounding_box()
    return a is not None and b is not None and abs(a["x"] - b["x"]) < 200 and abs(a["y"] - b["y"]) < 40


def board(page: "Page") -> list[str | None]:
    """The cards in the middle."""
    return [card.get_attribute("data-card") for card in page.locator(".board .card:not(.slot)").all()]


# --- a hand


@pytest.mark.check
@pytest.mark.parametrize("size", [WIDE, TALL, PHONE], ids=["wide", "tall", "phone"])
def test_a_hand_under_way_is_shown(browser: "Browser", stage: Stage, size: tuple[int, int]) -> None:
    stage.send(*table(*TEAMS), *before_the_flop(STACKS), *on_the_flop())
    with open_page(browser, stage.url, size=size) as page:
        expect(page.locator(".plate .name")).text([*TEAMS, "free", "free"])
        expect(page.locator(".stack >> visible=true")).text(["9,400", "700", "8,800", "10,000"])
        expect(page.locator(".bet >> visible=true")).text(["400", "1,200"])
        expect(page.locator(".total")).text("Pot 2,500")
        expect(page.locator(".centre .street")).text("Flop")
        expect(page.locator("#hand")).text("T-1 · hand 1,234")
        assert board(page) == ["7h", "2d", "Qs"]
        expect(seat(page, 0).locator(".button")).visible()
        expect(page.locator(".button >> visible=true")).count(1)
        assert is_at(seat(page, 0).locator(".button"), seat(page, 0).locator(".mark"))
        expect(page.locator(".seat.turn")).count(1)
        expect(seat(page, 0).locator(".seconds")).text(re.compile("1[0-2]"))
        expect(page.locator(".tag >> visible=true")).text(["thinking", "bet", "raise", "fold"])
        expect(page.locator(".card.back")).count(6)


def test_the_end_of_a_hand_is_shown(browser: "Browser", stage: Stage) -> None:
    stage.send(*table(*TEAMS), *before_the_flop(STACKS), *on_the_flop(), *to_the_end(ENDED))
    with open_page(browser, stage.url) as page:
        expect(page.locator(".winner")).text("Beta wins 3,100 with two pair")
        expect(page.locator(".stack >> visible=true")).text(["9,400", "3,100", "8,900", "10,000"])
        expect(page.locator(".bet >> visible=true")).count(0)
        expect(page.locator(".total")).hidden()
        expect(page.locator(".seat.turn")).count(0)
        assert board(page) == ["7h", "2d", "Qs", "Jc", "Jd"]
        shown = [card.get_attribute("aria-label") for card in seat(page, 1).locator(".cards .card").all()]
        assert shown == ["queen of hearts", "ten of hearts"]
        expect(seat(page, 1).locator(".tag")).text("+3,100 · two pair")
        expect(seat(page, 2).locator(".tag")).text("a pair")


def test_log_describes_events_in_words(browser: "Browser", stage: Stage) -> None:
    stage.send(*table(*TEAMS), *before_the_flop(STACKS), *on_the_flop(), *to_the_end(ENDED))
    with open_page(browser, stage.url) as page:
        expect(page.locator("#log .line")).text(
            [
                "Hand 1,234, button on Alpha",
                "Beta posts the small blind, 50",
                "Gamma posts the big blind, 100",
                "Delta folds",
                "Alpha raises to 300",
                "Beta calls 250",
                "Gamma calls 200",
                "Flop: 7h 2d Qs",
                "Beta bets 400",
                "Gamma raises to 1,200",
                "Alpha folds",
                "Beta calls 700, all-in",
                "100 not called, back to Gamma",
                "Beta turns up Qh Th",  # no player can act any more: hands first, then the cards
                "Gamma turns up As Kd",
                "Turn: Jc",
                "River: Jd",
                "Beta has two pair",
                "Gamma has a pair",
                "Beta wins 3,100 with two pair",
            ]
        )
        assert page.locator("#log").get_attribute("role") is None  # a plain list, not read out


def test_the_newest_line_is_in_sight_unless_one_reads_back(browser: "Browser", stage: Stage) -> None:
    stage.send(*table(*TEAMS), *before_the_flop(STACKS), *on_the_flop())
    with open_page(browser, stage.url, size=PHONE) as page:
        page.locator("#pace").click()
        log = page.locator("#log")
        expect(log.locator(".line")).count(10)
        stage.send(*to_the_end(ENDED))
        expect(log.locator(".line")).count(20)
        assert log.evaluate("list => list.scrollHeight > list.clientHeight")
        assert log.evaluate("list => list.scrollHeight - list.scrollTop - list.clientHeight") < 2
        log.evaluate("list => { list.scrollTop = 0; }")
        stage.send(*match_end((2, "Gamma", 31_400), (1, "Beta", 0)))
        expect(log.locator(".line.match")).count(1)
        assert log.evaluate("list => list.scrollTop") == 0


def test_events_are_shown_at_once(browser: "Browser", stage: Stage) -> None:
    stage.send(*table(*TEAMS))
    with open_page(browser, stage.url) as page:
        expect(page.locator(".headline")).text("Waiting for the first hand")
        stage.send("no JSON", "[]", "null", '{"type":"unheard_of","v":1}', *before_the_flop(STACKS))
        expect(page.locator(".total")).text("Pot 900")
        page.locator("#pace").click()  # from here on, everything at once
        stage.send(*on_the_flop(), *to_the_end(ENDED))
        expect(page.locator(".winner")).text("Beta wins 3,100 with two pair")


def test_a_tie_is_shown(browser: "Browser", stage: Stage) -> None:
    stage.send(*table(*TEAMS), *before_the_flop(STACKS), *on_the_flop())
    stage.send(*match_end((0, "Alpha", 15_700), (2, "Gamma", 15_700), (1, "Beta", 0)))
    with open_page(browser, stage.url) as page:
        expect(page.locator(".crown")).text(["Alpha", "Gamma"])
        expect(page.locator("#log .line.match")).text("Alpha and Gamma share the match with 15,700 chips")


def test_the_end_of_a_match_is_shown(browser: "Browser", stage: Stage) -> None:
    stage.send(*table(*TEAMS), *before_the_flop(STACKS), *on_the_flop())
    stage.send(*match_end((2, "Gamma", 31_400), (0, "Alpha", 0), (1, "Beta", 0)))
    with open_page(browser, stage.url) as page:
        expect(page.locator(".crown")).text("Gamma")
        expect(page.locator("#standings h2")).text("Final standings")
        expect(page.locator("#standings tbody tr")).text(["1Gamma31,400", "2Alpha0", "3Beta0"])
        expect(page.locator(".podium li")).text(["2ndAlpha", "3rdBeta"])
        expect(page.locator(".centre .note")).text("wins the match after 1,234 hands, last one standing")
        expect(page.locator("#log .line.match")).text("Gamma wins the match with 31,400 chips")
        expect(page.locator("#invite")).hidden()


# --- strangers


@pytest.mark.check
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_hostile_name_is_only_text(browser: "Browser", stage: Stage, size: tuple[int, int]) -> None:
    stage.send(*table(HOSTILE, *TEAMS[1:]), *before_the_flop(STACKS), *on_the_flop(), *to_the_end(ENDED))
    stage.send(*match_end((0, HOSTILE, 31_400), (1, "Beta", 0)))
    with open_page(browser, stage.url, size=size) as page:
        expect(seat(page, 0).locator(".plate .name")).text(HOSTILE)
        expect(page.locator(".crown")).text(HOSTILE)
        expect(page.locator("#log .line.match .name")).text(HOSTILE)
        expect(page.locator("main img, main script")).count(0)
        assert "taken" not in page.title()
        name = seat(page, 0).locator(".plate .name")
        assert name.evaluate("node => node.scrollWidth > node.clientWidth")  # cut
        assert name.evaluate("node => getComputedStyle(node).textOverflow") == "ellipsis"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_page_names_no_other_origin_and_holds_no_inline_script() -> None:
    files = sorted(PAGE.rglob("*.*"))
    assert {"index.html", "reducer.js", "style.css"} <= {path.name for path in files}
    text = {path.name: path.read_text(encoding="utf-8") for path in files}
    addresses = {
        address for content in text.values() for address in re.findall(r"(?:https?|wss?)://[^\s\"'`)]*", content)
    }
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert "Content-Security-Policy\" content=\"default-src 'self';" in text["index.html"]
    assert re.findall(r"<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=", text["index.html"]) == []
    markup = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function")
    assert [name for name, content in text.items() if markup.search(content)] == []


# --- sizes


@pytest.mark.check
@pytest.mark.parametrize("seats", [2, 3, 6, 9, 10])
def test_seats_do_not_overlap_and_are_inside(browser: "Browser", stage: Stage, seats: int) -> None:
    stage.send(*table(*TEN[:seats], seats=seats))
    with open_page(browser, stage.url) as page:
        for width, height in (WIDE, TALL, (1024, 700), (700, 900)):
            page.set_viewport_size({"width": width, "height": height})
            expect(page.locator(".plate")).count(seats)
            boxes = [box for plate in page.locator(".plate").all() if (box := plate.bounding_box())]
            assert len(boxes) == seats
            for k, a in enumerate(boxes):
                assert a["x"] >= 0
                assert a["x"] + a["width"] <= width
                for b in boxes[:k]:
                    apart = abs(a["x"] - b["x"]) >= a["width"] or abs(a["y"] - b["y"]) >= a["height"]
                    assert apart, (width, a, b)


@pytest.mark.check
@pytest.mark.parametrize("width", [320, 360, 390, 640, 641, 820, 1001])
def test_nothing_is_wider_than_the_screen(browser: "Browser", stage: Stage, width: int) -> None:
    stage.send(*table(*("W" * 64, *TEN[1:]), seats=10, stack=2**49), *before_the_flop((2**49,) * 10), *on_the_flop())
    with open_page(browser, stage.url, size=(width, 800)) as page:
        expect(page.locator(".seat.turn")).count(1)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


# --- newcomers


@pytest.mark.check
def test_free_seats_show_where_to_connect_a_bot(browser: "Browser", stage: Stage) -> None:
    stage.send(*table(*TEAMS))
    stage.send(*table(*TEAMS, table_id="T 2"), table="T 2")
    with open_page(browser, stage.url, permissions=["clipboard-read", "clipboard-write"]) as page:
        address = stage.url.replace("http:", "ws:") + "ws"
        expect(page.locator("#invite summary")).text("2 seats are free: take one")
        expect(page.locator(".address")).text(address)
        expect(page.locator(".command")).text(
            ["pitboss arena new my_bot.py", f"pitboss arena join my_bot.py {address}"]
        )
        expect(page.locator(".address")).visible()
        page.locator(".copyable button").last.click()
        expect(page.locator(".copyable button").last).text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == address
        page.goto(f"{stage.url}?table=T+2")
        expect(page.locator(".address")).text(f"{address}?table=T+2")
        stage.send(*before_the_flop(STACKS)[:2], table="T 2")
        expect(page.locator(".address")).hidden()  # once a hand is played, the log needs the room
        page.locator("#invite summary").click()
        expect(page.locator(".address")).visible()
        full = [LobbyPlayer(seat=k, team=f"team {k}", connected=True, stack=10_000) for k in range(6)]
        stage.send(Lobby(players=tuple(full)), table="T 2")
        expect(page.locator("#invite")).hidden()


@pytest.mark.check
def test_closed_table_shows_no_free_seat(browser: "Browser", stage: Stage) -> None:
    opened, lobby = table("Alpha", "Beta", seats=3)
    assert isinstance(opened, TableMessage)
    frozen = replace(opened, table_id="T-2", config=replace(opened.config, freeze_out=True))
    stage.send(opened, lobby)
    stage.send(frozen, lobby, table="T-2")
    with open_page(browser, stage.url) as page:
        expect(page.locator(".plate .name")).text(["Alpha", "Beta", "free"])
        stage.send(*match_end((0, "Alpha", 20_000), (1, "Beta", 0)))
        expect(page.locator(".plate .name")).text(["Alpha", "Beta", "empty"])
        page.goto(f"{stage.url}?table=T-2")
        expect(page.locator(".plate .name")).text(["Alpha", "Beta", "free"])
        expect(page.locator("#invite")).visible()
        stage.send(*before_the_flop(STACKS[:2])[:1], table="T-2")
        expect(page.locator(".plate .name")).text(["Alpha", "Beta", "empty"])
        expect(page.locator("#invite")).hidden()


@pytest.mark.check
def test_a_reader_chooses_among_tables(browser: "Browser", stage: Stage) -> None:
    for table_id, teams in {"T-1": TEAMS, "T-2": ("Zeta", "Eta")}.items():
        messages = table(*teams, table_id=table_id)
        stage.send(*messages, table=table_id)
        players = [{"seat": k, "team": team, "connected": True, "stack": 10_000} for k, team in enumerate(teams)]
        stage.tables.append(
            {"table_id": table_id, "config": {"seats": 6}, "players": players, "hand_id": None, "phase": "WAITING"}
        )
    with open_page(browser, stage.url) as page:
        expect(page.locator("#tables option")).text(["T-1 · 4/6", "T-2 · 2/6"])
        expect(page.locator(".address")).text(stage.url.replace("http:", "ws:") + "ws?table=T-1")
        page.locator("#tables select").select_option("T-2")
        expect(page.locator(".plate .name")).text(["Zeta", "Eta", "free", "free", "free", "free"])
        assert page.url == f"{stage.url}?table=T-2"
        page.go_back()
        expect(page.locator(".plate .name")).text([*TEAMS, "free", "free"])


# --- a connection that comes and goes


def test_a_lost_connection_is_reported_and_restored(browser: "Browser", stage: Stage) -> None:
    stage.send(*table(*TEAMS), *before_the_flop(STACKS))
    with open_page(browser, stage.url) as page:
        expect(page.locator("#connection .phase")).text("live")
        expect(page.locator("#log .line")).count(7)
        stage.closed_for = "the server restarts"
        stage.drop("the server restarts")
        expect(page.locator("#connection .phase")).text(
            re.compile(r"connection lost \(the server restarts\), next try in")
        )
        stage.closed_for = None
        page.locator("#retry").dispatch_event("click")  # it may have tried again by itself meanwhile
        expect(page.locator("#connection .phase")).text("live")
        stage.send(*on_the_flop())
        expect(page.locator("#log .line")).count(10)
        expect(page.locator(".total")).text("Pot 2,500")


# --- what a reader prefers


def test_four_colours_are_remembered(browser: "Browser", stage: Stage) -> None:
    stage.send(*table(*TEAMS), *before_the_flop(STACKS), *on_the_flop())
    fill = "getComputedStyle(document.querySelector('.board .card.d .pip')).fill"
    with open_page(browser, stage.url) as page:
        expect(page.locator(".board .card.d")).count(1)
        two = page.evaluate(fill)
        page.locator("#deck").press("Enter")
        four = page.evaluate(fill)
        assert two != four
        page.reload()
        expect(page.locator(".board .card.d")).count(1)
        assert page.evaluate(fill) == four


def test_reduced_motion_disables_animations(browser: "Browser", stage: Stage) -> None:
    stage.send(*table(*TEAMS), *before_the_flop(STACKS), *on_the_flop())
    with open_page(browser, stage.url, reduced_motion="reduce") as page:
        expect(seat(page, 0).locator(".seconds")).visible()
        assert page.evaluate("document.getAnimations().length") == 0


def test_keyboard_reaches_everything_with_a_visible_focus(browser: "Browser", stage: Stage) -> None:
    stage.send(*table(*TEAMS))
    with open_page(browser, stage.url) as page:
        expect(page.locator(".address")).visible()
        reached = []
        for _ in range(8 + page.locator("#views a").count()):
            page.keyboard.press("Tab")
            focus = page.evaluate(
                "[document.activeElement.id || document.activeElement.tagName,"
                " getComputedStyle(document.activeElement).outlineStyle]"
            )
            reached.append(focus[0])
            assert focus[1] == "solid", focus
        reached = [name for name in reached if name != "A"]
        assert reached == ["pace", "deck", "theme", "SUMMARY", "BUTTON", "BUTTON", "BUTTON", "log"]
