"""What a spectator sees of a table: the leader, the running clock, why a seat is slow, and an all-in hand by hand."""

import re
from typing import TYPE_CHECKING

import msgspec
import pytest

from pitboss.arena.equities import compute, spots_of
from pitboss.arena.wire.messages import Equities, Lobby, LobbyPlayer, TableMessage, Turn, write
from tests.support.page.browser import PHONE, WIDE, expect, open_page
from tests.support.page.scripts import HAND, before_the_flop, match_end, on_the_flop, table, to_the_end
from tests.support.page.stage import Stage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.check

TEAMS = ("Alpha", "Beta", "Gamma", "Delta")
STACKS = (9_700, 1_400, 10_300, 10_000)
ENDED = (9_400, 3_100, 8_900, 10_000)

# The least contrast between the text of elements and what is behind it, seat by seat.
CONTRASTS = """(selector) => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const part = (c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const behind = (node) => {
    for (let at = node; at !== null; at = at.parentElement) {
      const found = channels(getComputedStyle(at).backgroundColor);
      if (found.length === 3 || found[3] === 1) return found;
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll(selector)].map((node) => {
    const [a, b] = [light(channels(getComputedStyle(node).color)), light(behind(node))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });
}"""


def seat(page: "Page", number: int) -> "Locator":
    """One seat."""
    return page.locator(f'.seat[data-seat="{number}"]')


@pytest.mark.check
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_leader_is_readable_even_when_folded_or_out(
    browser: "Browser", stage: Stage, size: tuple[int, int], scheme: str
) -> None:
    stage.send(*table(*TEAMS, "Epsilon"), *before_the_flop((9_700, 1_400, 10_300, 11_000, 0)), *on_the_flop())
    with open_page(browser, stage.url, size=size, color_scheme=scheme) as page:
        expect(page.locator("#standings tbody tr")).text(
            ["1Delta11,000", "2Gamma10,300", "3Alpha9,700", "4Beta1,400", "outEpsilon0"]
        )
        expect(seat(page, 3).locator(".standing")).text("★ 1st")  # the seats that have folded
        expect(seat(page, 4).locator(".tag")).text("out")
        page.wait_for_timeout(400)  # colours have come to rest
        contrasts: list[float] = page.evaluate(
            CONTRASTS, ".plate .name, .plate .stack, .standing.leads, #standings td *"
        )
        assert min(contrasts) >= 4.5, contrasts


def test_seat_to_act_is_shown_with_clock_and_bank(browser: "Browser", stage: Stage) -> None:
    opening = table(*TEAMS)
    greeting = opening[0]
    assert isinstance(greeting, TableMessage)
    config = msgspec.structs.replace(greeting.config, time_bank_ms=30_000)
    stage.send(msgspec.structs.replace(greeting, config=config), opening[1], *before_the_flop(STACKS))
    stage.send(Turn(hand_id=HAND, seat=1, time_ms=12_000, bank_ms=20_000))
    with open_page(browser, stage.url) as page:
        expect(page.locator(".seat.turn .seconds")).text(re.compile(r"^1[0-2]$"))
        expect(seat(page, 1).locator(".tag")).text("thinking")
        stage.send(Turn(hand_id=HAND, seat=1, time_ms=0, bank_ms=18_000))
        expect(page.locator(".seat.turn .seconds")).text(re.compile(r"^bank 1[5-8]$"))
        stage.send(Turn(hand_id=HAND, seat=1, time_ms=0, bank_ms=0))
        expect(page.locator(".seat.turn .seconds")).text("time up")


def test_why_a_seat_is_slow(browser: "Browser", stage: Stage) -> None:
    stage.send(*table(*TEAMS), *before_the_flop(STACKS), Turn(hand_id=HAND, seat=1, time_ms=12_000))
    with open_page(browser, stage.url) as page:
        expect(seat(page, 1).locator(".tag")).text("thinking")
        for changes, said in (({"connected": False}, "disconnected"), ({"away": True}, "away")):
            player = msgspec.structs.replace(LobbyPlayer(seat=1, team="Beta", connected=True, stack=1_400), **changes)
            stage.send(Lobby(players=(player,)))
            expect(seat(page, 1).locator(".tag")).text(said)


# Say in which order messages are shown.
ORDERED = """async (messages) => {
  const { inOrder } = await import("/page/reducer.js");
  return messages.flatMap(inOrder).map(({ ev, type }) => ev ?? type);
}"""


def test_all_in_hands_are_turned_up_before_the_board(browser: "Browser", stage: Stage) -> None:
    messages = [*table(*TEAMS), *before_the_flop(STACKS), *on_the_flop(), *to_the_end(ENDED)]
    with open_page(browser, stage.url) as page:
        ordered = page.evaluate(ORDERED, [msgspec.json.decode(write(message)) for message in messages])
    assert ordered[:-10][-4:] == ["turn", "BET", "BET", "turn"]  # a street on which a player can act turns nothing up
    end = ["face_up", "TURN", "RIVER", "SHOWDOWN", "SHOWDOWN", "POT_AWARD", "end_hand"]
    assert ordered[-10:] == ["FOLD", "CALL", "REFUND", *end]


# Draw the picture after every message; keep the texts at the seats while hands are open, by cards in the middle.
OPENED = """async (messages) => {
  const [{ inOrder, show, start }, { tableView }] = await Promise.all(
    ["reducer", "table"].map((name) => import(`/page/${name}.js`)),
  );
  const felt = document.createElement("section");
  const draw = tableView(felt);
  const opened = {};
  let state = start();
  for (const message of messages.flatMap(inOrder)) {
    state = show(state, message);
    draw(state);
    if (felt.querySelector(".seats [data-card]") === null) continue;
    const texts = [...felt.querySelectorAll(".tag:not([hidden])")].map((tag) => tag.textContent);
    opened[felt.querySelectorAll(".board [data-card]").length] ??= texts;
  }
  return opened;
}"""


def test_a_run_out_is_played_with_open_hands_and_their_equities(browser: "Browser", stage: Stage) -> None:
    hand = [*before_the_flop(STACKS), *on_the_flop(), *to_the_end(ENDED)]
    public = [message for message in hand if not isinstance(message, Turn)]
    steps = compute(spots_of(msgspec.to_builtins({"before": table(), "messages": public})))
    messages = [*table(*TEAMS), Equities(hand_id=HAND, steps=steps), *hand]
    with open_page(browser, stage.url) as page:
        opened = page.evaluate(OPENED, [msgspec.json.decode(write(message)) for message in messages])
    assert opened == {
        "3": ["fold", "all-in · 78%", "22%", "fold"],  # queens and a ten against ace and king, two cards to come
        "4": ["fold", "all-in · 80%", "20%", "fold"],  # nine of forty-four rivers help the ace
        "5": ["fold", "all-in · 100%", "0%", "fold"],
    }


def test_a_match_ends_with_places_and_ties_as_ties(browser: "Browser", stage: Stage) -> None:
    stage.send(*table(*TEAMS), *before_the_flop(STACKS), *on_the_flop())
    stage.send(*match_end((0, "Alpha", 15_700), (2, "Gamma", 15_700), (3, "Delta", 0), (1, "Beta", 0)))
    with open_page(browser, stage.url) as page:
        expect(page.locator(".crown")).text(["Alpha", "Gamma"])
        expect(page.locator(".centre .note")).text("share the match after 1,234 hands, last one standing")
        expect(page.locator(".podium li")).text(["3rdDelta", "4thBeta"])
        expect(page.locator("#standings tbody .place")).text(["1", "1", "3", "4"])
        expect(page.locator(".seat.won")).count(2)
        expect(page.locator(".tag >> visible=true")).count(0)


def test_news_are_a_sentence_a_hand_and_not_every_action(browser: "Browser", stage: Stage) -> None:
    stage.send(*table(*TEAMS), *before_the_flop(STACKS))
    with open_page(browser, stage.url) as page:
        page.locator("#pace").click()
        expect(page.locator("#log .line")).count(7)
        page.evaluate(
            """() => {
              window.heard = [];
              const news = document.querySelector("#news");
              new MutationObserver(() => heard.push(news.textContent)).observe(news, { childList: true });
            }"""
        )
        stage.send(*on_the_flop(), *to_the_end(ENDED))
        expect(page.locator("#news")).text("Hand 1234. Beta wins 3,100 with two pair")
        assert page.evaluate("heard") == ["Hand 1234. Beta wins 3,100 with two pair"]
        assert page.locator("#news").get_attribute("role") == "status"
