"""A person plays in the browser, at a real server: by keyboard, after a reload, in every kind of game, and refused."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.arena.servers import Process, served
from tests.support.page.access import complaints_of
from tests.support.page.browser import WIDE, expect, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.check

HEADS_UP = ("--seats", "2", "--house", "calling")
SLOWLY = ("--move-time-ms", "60000")
HOSTILE = "<img src=x onerror=alert(1)>"


@contextmanager
def at_the_table(
    browser: "Browser", folder: Path, *options: str, name: str = "Ada", size: tuple[int, int] = WIDE
) -> Iterator[tuple["Page", Process]]:
    """Come to a table by the page's first address, by keyboard alone, and take a seat."""
    with served(folder, *options) as place:
        with open_page(browser, f"{place.http}/", size=size) as page:
            page.get_by_role("link", name="Play", exact=True).focus()
            page.keyboard.press("Enter")
            expect(page.locator(".joining .headline")).text(re.compile("free: take"))
            page.keyboard.type(name)
            page.keyboard.press("Enter")
            expect(page.locator(".own")).visible()
            yield page, place
        assert place.end() == 0


def wait_for_turn(page: "Page") -> None:
    """Wait until it is the user's turn and keys count."""
    page.locator(".acting.asked").wait_for()
    page.wait_for_timeout(300)


def holding(page: "Page") -> list[str | None]:
    """The cards in one's hand."""
    return [card.get_attribute("data-card") for card in page.locator(".hole .card").all()]


def test_a_hand_is_played_to_showdown_by_keyboard_alone(browser: "Browser", tmp_path: Path) -> None:
    with at_the_table(browser, tmp_path, *HEADS_UP, *SLOWLY, "--max-hands", "1") as (page, _):
        wait_for_turn(page)
        assert len(holding(page)) == 2
        assert None not in holding(page)
        page.keyboard.press("r")
        page.keyboard.type("400")
        page.keyboard.press("Enter")
        expect(page.locator("#play-log .line", has_text="raises to 400")).count(1)
        while page.locator(".crown").count() == 0:
            if page.locator(".acting.asked").count():
                page.wait_for_timeout(300)
                page.keyboard.press("c")
            page.wait_for_timeout(50)
        expect(page.locator(".last-hand .line", has_text="Ada shows")).count(1)
        expect(page.locator(".situation")).text(re.compile("The match is over."))
        page.locator(".another").click()
        expect(page.locator(".own .trouble")).text(re.compile("^No other table has a free seat"))


def test_r_raises_once_a_size_is_chosen_and_letters_act_while_one_types(browser: "Browser", tmp_path: Path) -> None:
    with at_the_table(browser, tmp_path, *HEADS_UP, *SLOWLY) as (page, _):
        wait_for_turn(page)
        page.keyboard.press("r")
        page.keyboard.type("350")
        page.keyboard.press("c")
        expect(page.locator("#play-log .line", has_text=re.compile("Ada (calls|checks)"))).count(1)
        wait_for_turn(page)
        page.keyboard.press("5")
        expect(page.locator(".size[data-key='5']")).text(re.compile("^All-in"))
        page.keyboard.press("r")
        expect(page.locator("#play-log .line", has_text=re.compile("Ada (bets|raises).*, all-in"))).count(1)


def test_a_reload_in_mid_hand_is_back_with_the_same_cards_and_question(browser: "Browser", tmp_path: Path) -> None:
    with at_the_table(browser, tmp_path, *HEADS_UP, *SLOWLY) as (page, _):
        wait_for_turn(page)
        page.keyboard.press("c")
        expect(page.locator("#play-view .board .card:not(.slot)")).count(3)
        wait_for_turn(page)
        cards, words, log = holding(page), page.locator(".situation").text_content(), page.locator("#play-log .line")
        assert len(cards) == 2
        lines = log.all_text_contents()
        page.reload()
        wait_for_turn(page)
        assert holding(page) == cards
        expect(page.locator(".situation")).text(words or "")
        expect(page.locator("#play-view .board .card:not(.slot)")).count(3)
        assert log.all_text_contents() == lines
        page.keyboard.press("c")
        expect(page.locator("#play-log .line", has_text="Ada checks")).count(2)


def test_in_draw_one_chooses_the_cards_to_change(browser: "Browser", tmp_path: Path) -> None:
    with at_the_table(browser, tmp_path, *HEADS_UP, *SLOWLY, "--game", "triple_draw") as (page, _):
        wait_for_turn(page)
        page.keyboard.press("c")
        page.locator(".throw").first.wait_for()
        page.wait_for_timeout(300)
        cards = holding(page)
        assert len(cards) == 5
        for key in "135":
            page.keyboard.press(key)
        expect(page.locator(".change")).text(re.compile("^Change 3 cards"))
        page.keyboard.press("3")
        page.keyboard.press("d")
        expect(page.locator("#play-log .line", has_text="Ada draws 2 cards")).count(1)
        wait_for_turn(page)
        assert holding(page)[:3] == [cards[1], cards[2], cards[3]]
        assert len(set(holding(page))) == 5


def test_in_stud_one_sees_all_of_ones_cards_and_brings_it_in(browser: "Browser", tmp_path: Path) -> None:
    with at_the_table(browser, tmp_path, *HEADS_UP, *SLOWLY, "--game", "razz") as (page, _):
        wait_for_turn(page)
        assert len(holding(page)) == 3
        assert None not in holding(page)
        page.keyboard.press("c")
        page.locator(".hole .card:nth-child(4)[data-card]").wait_for()


def test_another_game_offers_its_moves_as_buttons_and_its_cards(browser: "Browser", tmp_path: Path) -> None:
    with at_the_table(browser, tmp_path, "--house", "random", *SLOWLY, "--game", "leduc") as (page, _):
        page.locator(".playing.ready").wait_for()
        assert page.locator(".move").count() >= 2
        assert page.locator(".my-hand .card").count() == 1
        page.locator(".move").first.click()
        expect(page.locator(".trouble >> visible=true")).count(0)
        page.locator(".playing.ready").wait_for()


def test_a_card_is_clicked_dragged_and_heard(browser: "Browser", tmp_path: Path) -> None:
    options = ("--seats", "4", "--house", "random,random,random", "--house-think-ms", "0", "--game", "hearts")
    with at_the_table(browser, tmp_path, *options, *SLOWLY) as (page, _):
        cards, legal = page.locator(".my-hand .card"), page.locator(".my-hand button.legal")
        page.locator(".playing.ready").wait_for()
        expect(cards).count(13)
        assert complaints_of(page) == []
        page.locator("#play-view .rules-open").click()
        expect(page.locator("dialog.rules p").first).text(re.compile("."))
        page.keyboard.press("Escape")
        name = legal.first.get_attribute("aria-label") or ""
        assert re.fullmatch(r"[a-z]+ of [a-z]+, can be played", name)
        legal.first.click()
        expect(cards).count(12)
        page.locator(".playing.ready").wait_for()
        page.mouse.move(*middle_of(page, ".my-hand button.legal >> nth=0"))
        page.mouse.down()
        page.mouse.move(5, 5)
        page.locator(".my-hand .dragged").wait_for()
        page.mouse.move(*middle_of(page, "#play-view .trick"))
        page.mouse.up()
        expect(cards).count(11)


def middle_of(page: "Page", selector: str) -> tuple[float, float]:
    """The middle of an element."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_one_is_warned_before_time_runs_out(browser: "Browser", tmp_path: Path) -> None:
    with at_the_table(browser, tmp_path, *HEADS_UP, "--move-time-ms", "3000", "--time-bank-ms", "3000") as (page, _):
        page.locator(".acting.asked").wait_for()
        expect(page.locator(".own-clock .words")).text(re.compile(r"^[123] s · bank 3 s$"))
        expect(page.locator(".spoken[aria-live=assertive]")).text(re.compile("^Your turn. You hold .* of "))
        expect(page.locator(".own-clock.hurry")).visible()
        expect(page.locator(".spoken[aria-live=assertive]")).text(re.compile("^[12] seconds? left$"))
        assert re.match(r"[12] s left · your turn", page.title())
        expect(page.locator("#play-log .line", has_text=re.compile("Ada checks, time up"))).count(1)


def test_one_leaves_by_a_button_and_is_back_by_another(browser: "Browser", tmp_path: Path) -> None:
    with at_the_table(browser, tmp_path, *HEADS_UP, *SLOWLY) as (page, _):
        wait_for_turn(page)
        page.get_by_role("button", name="Leave the table").click()
        expect(page.locator(".joining .trouble")).text(re.compile("^You have left."))
        expect(page.locator("#play-log .line", has_text="Ada checks").first).visible()
        page.get_by_role("button", name="Back to my seat").click()
        wait_for_turn(page)
        expect(page.locator(".own")).visible()


def test_one_keeps_ones_seat_while_one_looks_at_something_else(browser: "Browser", tmp_path: Path) -> None:
    with at_the_table(browser, tmp_path, *HEADS_UP, *SLOWLY) as (page, _):
        wait_for_turn(page)
        page.keyboard.press("c")
        page.get_by_role("link", name="Teams", exact=True).click()
        expect(page.locator("#views a.asked")).text("Play")
        page.locator("#views a.asked").click()
        wait_for_turn(page)
        expect(page.locator("#views a.asked")).count(0)
        page.keyboard.press("c")
        expect(page.locator("#play-log .line", has_text="Ada checks")).count(2)


def test_an_answer_that_cannot_be_is_explained(browser: "Browser", tmp_path: Path) -> None:
    with at_the_table(browser, tmp_path, *HEADS_UP, *SLOWLY) as (page, _):
        wait_for_turn(page)
        page.keyboard.press("r")
        page.keyboard.type("7")
        page.keyboard.press("Enter")
        expect(page.locator(".own .trouble")).text("The minimum is 200.")
        page.keyboard.press("Escape")
        page.keyboard.press("c")
        expect(page.locator("#play-log .line", has_text="Ada checks")).count(1)
        wait_for_turn(page)
        page.keyboard.press("f")
        expect(page.locator(".own .trouble")).text(re.compile("Checking is free."))


def test_a_name_that_is_html_is_a_name(browser: "Browser", tmp_path: Path) -> None:
    with at_the_table(browser, tmp_path, *HEADS_UP, *SLOWLY, name=HOSTILE) as (page, _):
        wait_for_turn(page)
        expect(page.locator("#play-view .seat.mine .name")).text(HOSTILE)
        expect(page.locator("#play-log .name").first).text(re.compile("calling|<img"))
        assert page.locator("#play-view img").count() == 0


def test_a_full_table_a_taken_name_and_a_wrong_code_are_reported(browser: "Browser", tmp_path: Path) -> None:
    with at_the_table(browser, tmp_path, "--seats", "3", "--house", "calling", *SLOWLY) as (_, place):
        with open_page(browser, f"{place.http}/?view=play") as other:
            expect(other.locator(".joining .headline")).text(re.compile("One seat is free"))
            other.keyboard.type("Ada")
            other.keyboard.press("Enter")
            expect(other.locator(".joining .trouble")).text(re.compile("^Another player uses this name"))
            other.locator("input[name=team]").fill("Bob")
            other.keyboard.press("Enter")
            expect(other.locator(".own")).visible()
        with open_page(browser, f"{place.http}/?view=play") as other:
            expect(other.locator(".joining .headline")).text(re.compile("All seats are taken"))
            other.keyboard.type("Carol")
            other.keyboard.press("Enter")
            expect(other.locator(".joining .trouble")).text(re.compile("^All 3 seats are taken."))


def test_eliminated_player_is_led_to_another_table(browser: "Browser", tmp_path: Path) -> None:
    options = (*HEADS_UP, *SLOWLY, "--max-hands", "1", "--tables", "2")
    with at_the_table(browser, tmp_path, *options) as (page, _):
        wait_for_turn(page)
        page.keyboard.press("f")
        page.keyboard.press("f")
        page.locator(".another").click()
        expect(page.locator(".joining .headline")).text("One seat is free: take it")
        page.keyboard.press("Enter")
        wait_for_turn(page)
        assert page.url.endswith("?view=play&table=T-2")


def test_a_missing_table_is_reported(browser: "Browser", tmp_path: Path) -> None:
    with served(tmp_path) as place:
        with open_page(browser, f"{place.http}/?view=play&table=T-9", complaints=True) as page:
            expect(page.locator(".joining .trouble")).text(re.compile('^There is no table "T-9" in this arena.'))
        assert place.end() == 0


def test_other_window_takes_the_seat_and_the_first_reports_it(browser: "Browser", tmp_path: Path) -> None:
    with at_the_table(browser, tmp_path, *HEADS_UP, *SLOWLY) as (page, _):
        wait_for_turn(page)
        second = page.context.new_page()
        second.goto(page.url)
        second.get_by_role("button", name="Back to my seat").click()
        wait_for_turn(second)
        expect(page.locator(".joining .trouble")).text(re.compile("has taken over your seat"))
