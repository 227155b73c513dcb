"""A cash table in the browser: two people and three bots sit down, sit out, owe blinds, return, top up and leave."""

import json
import re
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.chance import Chance
from tests.support.arena.rooms import Guest, Parlour
from tests.support.arena.servers import Process, served
from tests.support.page.browser import PHONE, expect, open_page
from tests.support.page.stage import Stage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

BOUND = 90.0
"""Seconds after which the table should have got somewhere."""

# Fold what a spectator and a player received. After each message of a hand its chips are counted, and after each
# message outside a hand the seats are compared with the last lobby.
FOLD = """async ([spectator, player]) => {
  const { isPlaying, middle, show, start } = await import("/page/reducer.js");
  const { plain } = await import("/page/words.js");
  const wrong = [];
  const names = ["team", "intent", "owes", "brought", "stack"];
  const run = (messages) => {
    let state = start();
    const hands = [];
    let chips = 0;
    for (const message of messages) {
      state = show(state, message);
      const held = state.seats.filter(({ dealt }) => dealt).reduce((sum, { stack }) => sum + stack, middle(state));
      if (message.type === "start_hand") chips = held;
      if (message.ev === "RAKE") chips -= message.amount;
      if (isPlaying(state) && message.type === "event" && held !== chips) wrong.push(["chips", message, held, chips]);
      if (message.type === "lobby" && !isPlaying(state)) {
        const listed = state.seats.filter(({ team }) => team !== null).map((seat) => names.map((name) => seat[name]));
        const sent = message.players.map((one) => names.map((name) => one[name]));
        if (JSON.stringify(listed) !== JSON.stringify(sent)) wrong.push(["lobby", listed, sent]);
      }
      if (message.type === "end_hand") hands.push(state.seats.map(({ dealt, stack }) => (dealt ? stack : null)));
    }
    return { hands, log: state.log.map(plain) };
  };
  return { spectator: run(spectator), player: run(player), wrong };
}"""


def evening(seed: int, hands: int) -> tuple[list[Any], list[Any]]:
    """Return what a spectator and one player received at a table where others come, sit out, top up and leave."""
    chance = Chance(seed)
    settings = Settings(
        cash=True,
        seats=6,
        stack=5_000,
        min_buy_in=2_000,
        start_at=5,
        timeout_policy="check_fold",
        rake=50,
        straddle=200,
    )
    table = Parlour(settings, limits=Limits(burst=1e9, wrong_hellos=10**6), seed=seed)
    watching, guests = table.watch(), table.seat(5)
    messages: list[dict[str, object]] = [
        {"type": "sit_out"},
        {"type": "sit_out", "until": "big_blind"},
        {"type": "sit_in"},
        {"type": "top_up", "amount": 300},
        {"type": "leave"},
    ]
    while table.match.finished < hands:
        for guest in guests[1:]:
            if guest.seat is None:
                guest.hello(buy_in=3_000)
            elif chance.below(12) == 0:
                guest.say({"v": 1, **messages[chance.below(len(messages))]})
        if table.match.to_act is None:
            for guest in guests:
                guest.say({"type": "sit_in", "v": 1})
            continue
        answer(table.to_act, chance)
        if guests[0].seat is None:
            break
    return [json.loads(frame) for frame in watching.frames], [json.loads(frame) for frame in guests[0].frames]


def answer(guest: Guest, chance: Chance) -> None:
    asked = guest.question()
    legal, mood = asked.legal or (), chance.below(10)
    if mood == 0 and "RAISE_TO" in legal:
        guest.answer("RAISE_TO", asked.min_raise_to)
    elif mood < 4 and "FOLD" in legal:
        guest.answer("FOLD")
    else:
        guest.answer("CHECK" if "CHECK" in legal else "CALL")


@pytest.fixture
def module(browser: "Browser", stage: Stage) -> Iterator["Page"]:
    """Return a page that can import the modules."""
    with open_page(browser, stage.url) as page:
        yield page


@pytest.mark.check
def test_the_page_has_the_chips_and_places_that_the_server_has(module: "Page") -> None:
    spectator, player = evening(seed=5, hands=40)
    kinds = {message.get("ev") for message in spectator}
    assert kinds >= {"SAT_OUT", "SAT_IN", "LEFT", "TOPPED_UP", "POST_DEAD", "RAKE", "STRADDLE"}
    shown = module.evaluate(FOLD, [spectator, player])
    assert shown["wrong"] == []
    assert len(shown["player"]["hands"]) >= 30
    assert shown["player"]["hands"] == shown["spectator"]["hands"][-len(shown["player"]["hands"]) :]
    text = "\n".join(shown["spectator"]["log"])
    for words in ("sits out", "waits for the big blind", "is back", "leaves with", "brings 300", "for missed blinds"):
        assert words in text, words


# Fold what a player received; return what the page says about the situation after the last message.
SITUATION = """async (messages) => {
  const { show, start } = await import("/page/reducer.js");
  const { situation } = await import("/page/situation.js");
  return situation(messages.reduce(show, start()), null);
}"""

# Bring chips twice in a hand; return the proposed top-ups before, between and after, and in the next hand.
TOP_UPS = """async (messages) => {
  const { show, start } = await import("/page/reducer.js");
  const { cashControls } = await import("/page/cash.js");
  const state = messages.reduce(show, start());
  const { node, update } = cashControls(() => true, () => {});
  const [field, form] = [node.querySelector("input[name=top_up]"), node.querySelector("form")];
  const proposed = () => Number(field.value);
  const found = [];
  document.body.append(node);
  update(state);
  found.push(proposed());
  for (const wanted of [100, 1e6]) {
    field.value = String(wanted);
    form.requestSubmit();
    update(state);
    field.value = "";
    update({ ...state });
    found.push(proposed());
  }
  update({ ...state, hand: { ...state.hand, id: "the next one" } });
  return [...found, proposed()];
}"""


def two_players(buy_in: int) -> Parlour:
    """A table of two, at which A has this buy-in."""
    settings = Settings(cash=True, stack=10_000, min_buy_in=2_000, start_at=2, timeout_policy="check_fold")
    table = Parlour(settings, limits=Limits(burst=1e9))
    table.join("A", buy_in=buy_in)
    table.join("B")
    return table


def is_dealt(table: Parlour) -> bool:
    return table.match.to_act is not None


def received(guest: Guest) -> list[Any]:
    return [json.loads(frame) for frame in guest.frames]


def test_page_gives_the_reason_if_no_hand_is_dealt(module: "Page") -> None:
    table = two_players(5_000)
    guests = table.at
    guests[1].say({"type": "sit_out", "v": 1})
    table.play_hand()
    for guest in guests.values():
        guest.say({"type": "sit_out", "v": 1, "until": "big_blind"})
        table.play_hand()
    assert not is_dealt(table)
    for guest in guests.values():
        said = module.evaluate(SITUATION, received(guest))
        assert "until two players play" in said
        assert "choose I'm back" in said
    guests[0].say({"type": "sit_in", "v": 1})
    guests[1].say({"type": "sit_in", "v": 1})
    assert is_dealt(table)
    assert "until two players" not in module.evaluate(SITUATION, received(guests[0]))


def test_a_proposed_top_up_leaves_out_the_chips_that_are_coming(module: "Page") -> None:
    table = two_players(5_000)
    first, second, third, later = module.evaluate(TOP_UPS, received(table.at[0]))
    assert 5_000 <= first <= 5_100
    assert (second, third, later) == (first - 100, first - 100, first)


# --- in the browser


class Table:
    """The pages of two people at one table; each of them folds or checks whenever it is their turn."""

    def __init__(self, *pages: "Page") -> None:
        self.pages = pages

    def play_until(self, condition: Callable[[], bool]) -> None:
        """Play on until something is true."""
        until = time.monotonic() + BOUND
        while not condition():
            assert time.monotonic() < until, "\n".join(log(self.pages[0]).all_text_contents()[-40:])
            for page in self.pages:
                if page.locator(".acting.asked >> visible=true").count():
                    page.keyboard.press("f")
                    page.keyboard.press("f")
            self.pages[0].wait_for_timeout(60)

    def play_until_logged(self, words: str, number: int = 1) -> None:
        """Play on until the first page's log has these words in as many lines."""
        self.play_until(lambda: log(self.pages[0], words).count() >= number)


def log(page: "Page", words: str | None = None) -> "Locator":
    return page.locator("#play-log .line") if words is None else page.locator("#play-log .line", has_text=words)


def place(page: "Page", words: str) -> "Locator":
    """One of the buttons of a player at a cash table."""
    return page.locator(".cash").get_by_role("button", name=words)


def choose(page: "Page", words: str) -> None:
    """Press such a button, and again if the page asks for that because it folds a hand."""
    place(page, words).click()
    if page.locator(".own .trouble", has_text="This folds your hand").count():
        place(page, words).click()


def tag(page: "Page", team: str) -> "Locator":
    return page.locator("#play-view .seat", has_text=team).locator(".tag")


def chips_of(server: Process) -> dict[str, int]:
    with urllib.request.urlopen(f"{server.http}/api/tables/T-1", timeout=10) as found:
        table = json.load(found)
    return {name: table[name] for name in ("brought", "taken", "rake", "in_play")}


CASH = ("--cash", "--seats", "6", "--house", "calling,folding,calling", "--bots-rebuy", "--house-think-ms", "60")
SLOWLY = ("--move-time-ms", "60000")


@pytest.mark.slow
def test_two_people_and_three_bots_at_a_cash_table(browser: "Browser", tmp_path: Path) -> None:
    with served(tmp_path, *CASH, *SLOWLY) as server:
        with (
            open_page(browser, f"{server.http}/?view=play") as ada,
            open_page(browser, f"{server.http}/?view=play", size=PHONE, has_touch=True) as bob,
        ):
            an_evening_of_two(ada, bob)
        chips = chips_of(server)
        assert chips["brought"] >= 5_000 + 10_000 + 500
        assert chips["brought"] == chips["in_play"] + chips["taken"] + chips["rake"]
        assert server.end() == 0


def an_evening_of_two(ada: "Page", bob: "Page") -> None:
    """Bob sits out and returns, with a dead blind and then with the big blind; Ada tops up, leaves and comes again."""
    table = Table(ada, bob)
    sit_down(ada, bob)
    table.play_until(lambda: log(ada, "Ada").count() > 0 and log(ada, "Bob").count() > 0)

    choose(bob, "Sit out")  # and owes both blinds after a round
    expect(log(ada, "Bob sits out")).count(1)
    table.play_until(lambda: bob.locator(".situation", has_text="You sit out.").count() == 1)
    expect(tag(ada, "Bob")).text(re.compile("^sits out"))
    table.play_until(lambda: bob.locator(".owing", has_text="You owe 150").count() == 1)
    expect(tag(ada, "Bob")).text("sits out · owes 150")
    expect(place(bob, "I'm back: pay 150")).visible()

    place(bob, "I'm back: pay 150").tap()  # a dead blind
    table.play_until_logged("Bob pays 150 for missed blinds")
    expect(bob.locator(".owing")).text("")
    expect(place(bob, "Playing")).visible()

    before = log(ada, "Bob posts the big blind").count()
    choose(bob, "Next big blind")
    expect(log(ada, "Bob waits for the big blind")).count(1)
    table.play_until_logged("Bob posts the big blind", before + 1)
    assert log(ada, "for missed blinds").count() == 1

    expect(ada.locator("#play-view .seat.turn .seconds >> visible=true")).count(1)
    shown = ada.locator("#play-view .seat:not(.turn) .standing >> visible=true")
    assert [text for text in shown.all_text_contents() if text], "results are shown at the other seats"
    expect(ada.locator("#play-view .seat.turn .standing >> visible=true")).count(0)

    ada.locator("input[name=top_up]").fill("100000")
    ada.keyboard.press("Enter")
    expect(ada.locator(".own .trouble")).text(re.compile("^This top-up is not possible: expected 1 to"))
    assert ada.locator("input[name=top_up]:focus").count() == 0  # so that a letter is an answer again
    ada.locator("input[name=top_up]").fill("500")
    ada.keyboard.press("Enter")
    table.play_until_logged("Ada brings 500")

    choose(ada, "Leave the table")
    table.play_until(lambda: ada.locator(".joining .trouble >> visible=true").count() == 1)
    expect(ada.locator(".joining .trouble")).text(re.compile("^You have left with [0-9,]+, after bringing 5,500: "))
    expect(ada.locator("#play-view .seat.mine")).count(0)
    expect(bob.locator("#play-view .seat", has_text="Ada")).count(0)

    ada.locator(".sit >> visible=true").first.click()
    ada.keyboard.press("Enter")
    expect(ada.locator(".own")).visible()
    table.play_until(lambda: ada.locator(".hole .card[data-card]").count() == 2)


def sit_down(ada: "Page", bob: "Page") -> None:
    """Ada chooses a seat with the mouse and a small buy-in; Bob takes the first free one, by touch."""
    ada.get_by_role("button", name="Sit here, at seat 5").click()
    ada.keyboard.type("Ada")
    ada.locator("input[name=buy_in]").fill("500")
    ada.keyboard.press("Enter")
    expect(ada.locator(".joining .trouble")).text("This buy-in is not possible: expected 2000 to 10000 chips, got 500.")
    ada.locator("input[name=buy_in]").fill("5000")
    ada.keyboard.press("Enter")
    expect(ada.locator(".own")).visible()
    assert ada.locator("#play-view .seat.mine").get_attribute("data-seat") == "5"
    bob.locator("input[name=team]").fill("Bob")
    bob.locator(".take").tap()
    expect(bob.locator(".own")).visible()
