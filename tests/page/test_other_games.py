"""Games other than poker, drawn from their table views for spectators: zones, tricks, results, and access."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.page.access import complaints_of
from tests.support.page.browser import PHONE, WIDE, expect, open_page
from tests.support.page.stage import Stage
from tests.support.page.views import before, happened, over, seat, shown, trick, view, zone

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HANDS = [zone("hand", "fan", [None] * 13, seat=number) for number in range(4)]
WON = [zone("won", "pile", ["Ts"] if number else [], seat=number, count=4 * number) for number in range(4)]
POKER = ("flop", "blind", "board", "showdown", "button", "pot ")


def hearts(*played: tuple[str, int], turn: int | None = 3, **more: Any) -> dict[str, Any]:
    """A game of four with a trick on the table."""
    facts = [{"title": "Round", "text": "3 of 13"}]
    seats = [seat(0, score=2), *[seat(number, score=0, facts=[f"{number} tricks"]) for number in (1, 2, 3)]]
    return view(*HANDS, *WON, trick(*played), seats=4, turn=turn) | {"facts": facts, "seats": seats, **more}


def test_seats_zones_and_facts_are_drawn_and_nothing_of_poker(browser: "Browser", stage: Stage) -> None:
    stage.send(*before(), shown(hearts(("7s", 1), ("Qs", 2))), happened("Seat 2 plays Q♠.", 3))
    with open_page(browser, stage.url, reduced_motion="reduce") as page:
        expect(page.locator(".felt.any .fact")).text(["Made up", "Round 3 of 13"])
        expect(page.locator(".seat[data-seat='0'] .stack")).text("2 points")
        expect(page.locator(".seat[data-seat='3'] .tag")).text("3 tricks")
        assert labels(page, ".seat[data-seat='2'] .zone") == ["Hand: 13 hidden cards", "Won: 8 cards"]
        assert labels(page, ".trick .card") == ["seven of spades", "queen of spades"]
        expect(page.locator("#log .line.act")).text("Cleo plays Q♠.")
        text = page.locator("#table-view").inner_text().lower()
        assert [word for word in POKER if word in text] == []


def test_a_finished_trick_stays_until_the_next_lead_and_can_be_looked_up(browser: "Browser", stage: Stage) -> None:
    stage.send(*before(), shown(hearts(("7s", 0), ("Qs", 1), ("2s", 2))))
    with open_page(browser, stage.url, reduced_motion="reduce") as page:
        expect(page.locator(".trick .card")).count(3)
        won = zone("won", "pile", ["7s", "Qs", "2s", "As"], seat=3, count=16)
        taken = hearts(turn=3) | {"zones": [*HANDS, *WON[:3], won, trick()]}
        stage.send(shown(taken, 4))
        expect(page.locator(".trick.done .card")).count(4)
        assert labels(page, ".trick.done .card")[-1] == "ace of spades"
        led = taken | {"zones": [*HANDS, *WON[:3], won, trick(("Th", 3))], "turn": 0}
        stage.send(shown(led, 5))
        expect(page.locator(".trick:not(.done) .card")).count(1)
        expect(page.locator(".zone[data-name='last'] .card")).count(4)


def test_nothing_else_moves_when_cards_do(browser: "Browser", stage: Stage) -> None:
    stage.send(*before(), shown(hearts()))
    with open_page(browser, stage.url, reduced_motion="reduce") as page:
        expect(page.locator(".zone.trick")).visible()
        for size in (WIDE, PHONE):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            stage.send(shown(hearts(("7s", 0), turn=1)))
            expect(page.locator(".trick .card")).count(1)
            places = [page.locator(part).bounding_box() for part in (".plate >> nth=0", ".zone.trick", "aside")]
            stage.send(shown(hearts(("7s", 0), ("Qs", 1), ("2s", 2))))
            expect(page.locator(".trick .card")).count(3)
            assert [page.locator(part).bounding_box() for part in (".plate >> nth=0", ".zone.trick", "aside")] == places


def test_chips_bets_pots_and_shared_cards_are_drawn(browser: "Browser", stage: Stage) -> None:
    seats = [seat(0, stack=980, bet=20), seat(1, stack=0, status="all_in"), seat(2, stack=500, status="folded")]
    pots = [{"amount": 60, "seats": [0, 1]}, {"amount": 40, "seats": [0]}]
    zones = [zone("board", "row", ["As", "Kd"]), zone("deck", "pile", [None], count=30)]
    stage.send(*before(3), shown(view(*zones, seats=3) | {"seats": seats, "pots": pots}))
    with open_page(browser, stage.url, reduced_motion="reduce") as page:
        expect(page.locator(".total")).text("Pot 100")
        expect(page.locator(".pot")).text(["main 60", "side 40"])
        expect(page.locator(".seat[data-seat='0'] .bet")).text("20")
        expect(page.locator(".seat .tag >> visible=true")).text(["all-in", "folded"])
        assert labels(page, ".shared .zone") == ["Board: 2 cards", "Deck: 30 hidden cards"]
        expect(page.locator(".shared .pile .number")).text("30")


def test_cards_with_names_of_their_own_say_what_they_mean_and_may_be_equal(browser: "Browser", stage: Stage) -> None:
    row = zone("played", "row", ["Patrol", "Patrol", "Alibi"], seat=0)
    stage.send(*before(3), shown(view(row, seats=3, legend=[{"title": "Patrol", "text": "evidence: Evidence +5"}])))
    with open_page(browser, stage.url, reduced_motion="reduce") as page:
        expect(page.locator(".card.named b")).text(["Patrol", "Patrol", "Alibi"])
        assert labels(page, ".card.named") == ["Patrol: evidence: Evidence +5"] * 2 + ["Alibi"]


def test_the_result_is_shown_as_gains(browser: "Browser", stage: Stage) -> None:
    stage.send(*before(), shown(hearts()), over(1_003, 999, 999, 999))
    with open_page(browser, stage.url, reduced_motion="reduce") as page:
        expect(page.locator(".winner")).text("Ada +3")
        expect(page.locator("#log .line.win")).text("Result: Ada +3, Ben −1, Cleo −1, Dan −1")
        expect(page.locator("#standings td.amount >> nth=0")).text("+3")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_spectators_have_access_to_other_games(browser: "Browser", stage: Stage, colours: Any) -> None:
    stage.send(*before(), shown(hearts(("7s", 0), ("Qs", 1), ("2h", 2))), happened("Seat 2 plays 2♥.", 3))
    with open_page(browser, stage.url, reduced_motion="reduce", color_scheme=colours) as page:
        for size in (WIDE, PHONE):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            expect(page.locator(".trick .card")).count(3)
            assert complaints_of(page) == []
            page.locator(".rules-open").click()
            expect(page.locator("dialog.rules p")).visible()
            page.keyboard.press("Escape")


def labels(page: "Page", selector: str) -> list[str | None]:
    """The names that a screen reader reads."""
    return [part.get_attribute("aria-label") for part in page.locator(selector).all()]
