"""The page's smaller modules, each on its own in a browser: pace, addresses, another try, where seats stand."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.page.browser import open_page
from tests.support.page.stage import Stage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HAND = [
    {"type": "start_hand"},
    {"type": "event", "ev": "POST_BLINDS"},
    {"type": "turn"},
    {"type": "event", "ev": "FOLD"},
]


@pytest.fixture
def page(browser: "Browser", stage: Stage) -> Iterator["Page"]:
    """Return a page that can import the modules, with a clock that stands still."""
    with open_page(browser, stage.url) as page:
        page.clock.install()
        page.clock.pause_at("2100-01-01")
        yield page


# A pacer at the calm pace, given these messages at once or one `every` so many milliseconds, and what it shows of them.
PACED = """async ([messages, every]) => {
  const { pacer } = await import("/page/pace.js");
  window.shown = [];
  window.pace = pacer(({ came, ...message }) => shown.push({ message, late: performance.now() - came }));
  pace.setLive(false);
  const push = (message) => pace.push({ ...message, came: performance.now() });
  messages.forEach((message, k) => (every === 0 ? push(message) : setTimeout(() => push(message), k * every)));
}"""
END = {"type": "end_hand"}


def paced(page: "Page", messages: list[dict[str, Any]], every: int = 0) -> None:
    """Give messages to a pacer at the calm pace."""
    page.evaluate(PACED, [messages, every])


def shown(page: "Page") -> list[dict[str, Any]]:
    """What has been shown so far."""
    messages: list[dict[str, Any]] = page.evaluate("shown.map(({ message }) => message)")
    return messages


def test_at_the_calm_pace_every_message_has_its_moment(page: "Page") -> None:
    paced(page, HAND)
    assert shown(page) == HAND[:1]
    page.clock.run_for(499)
    assert shown(page) == HAND[:1]
    page.clock.run_for(1)
    assert shown(page) == HAND[:2]
    page.clock.run_for(500)
    assert shown(page) == HAND[:3]
    page.evaluate("pace.setLive(true)")
    assert shown(page) == HAND


def test_a_table_that_is_too_fast_loses_whole_hands_only(page: "Page") -> None:
    lobby = {"type": "lobby"}
    paced(page, [*HAND, END, *HAND, lobby, END, *HAND, END, *HAND[:2]])
    page.clock.run_for(60_000)
    assert shown(page) == [*HAND, END, lobby, {"type": "skipped", "hands": 2}, *HAND[:2]]


def test_hands_that_are_left_out_cost_no_time(page: "Page") -> None:
    """A spectator once waited two seconds for the end of each, and stood on hand 3 while the table played hand 71."""
    paced(page, [*HAND, END, *([*HAND, END] * 1000), *HAND[:1]])
    page.clock.run_for(6_000)
    assert shown(page) == [*HAND, END, {"type": "skipped", "hands": 1000}, *HAND[:1]]


@pytest.mark.parametrize("every", [1, 10, 50, 200, 400])
def test_nothing_is_shown_five_seconds_after_it_came(page: "Page", every: int) -> None:
    long = [HAND[0], *([HAND[2], {"type": "event", "ev": "CALL"}] * 20), {"type": "event", "ev": "POT_AWARD"}, END]
    messages = [message for _ in range(10 + 400 // every) for message in (*long, *HAND, END)]
    paced(page, messages, every)
    page.clock.run_for(len(messages) * every + 6_000)
    lates: list[float] = page.evaluate("shown.filter(({ late }) => !Number.isNaN(late)).map(({ late }) => late)")
    assert max(lates) < 5_000
    assert shown(page)[-5:] == [*HAND, END]
    hands = sum(message["type"] == "start_hand" for message in shown(page))
    assert hands == sum(message["type"] == "end_hand" for message in shown(page))  # each to its end
    unseen = sum(message["hands"] for message in shown(page) if message["type"] == "skipped")
    assert hands + unseen == 2 * (10 + 400 // every)


def test_how_a_hand_came_out_is_seen_however_late_it_is(page: "Page") -> None:
    paced(page, [HAND[0], *([HAND[2]] * 100), END, HAND[0]])
    page.clock.run_for(4_100)
    assert shown(page)[-1] == END
    page.clock.run_for(350)
    assert shown(page)[-1] == END
    page.clock.run_for(350)
    assert shown(page)[-1] == HAND[0]


def test_hands_left_out_are_told_in_the_log(page: "Page") -> None:
    lines = page.evaluate(
        """async () => {
          const { start, show } = await import("/page/reducer.js");
          const { plain } = await import("/page/words.js");
          return [1, 1200].flatMap((hands) => show(start(), { type: "skipped", hands }).log.map(plain));
        }"""
    )
    assert lines == ["1 hand went by unseen", "1,200 hands went by unseen"]


def test_tries_come_later_and_later_up_to_a_bound(page: "Page") -> None:
    waits = page.evaluate(
        """async () => {
          const { backoff } = await import("/page/live.js");
          return [0, 0.999].map((chance) => [0, 1, 2, 3, 50].map((tries) => backoff(tries, chance)));
        }"""
    )
    assert waits[0] == [250, 500, 1000, 2000, 7500]
    assert all(low < high <= 15_000 for low, high in zip(*waits, strict=True))


@pytest.mark.parametrize(
    ("base", "table", "watch", "bot"),
    [
        ("http://host:81/?table=T-2", None, "ws://host:81/watch", None),
        ("http://host/", "T-1", "ws://host/watch?table=T-1", "ws://host/ws"),
        ("https://host/arena/", "T-2", "wss://host/arena/watch?table=T-2", "wss://host/arena/ws?table=T-2"),
        ("http://host/", "a&b=c", "ws://host/watch?table=a%26b%3Dc", "ws://host/ws?table=a%26b%3Dc"),
    ],
)
def test_addresses_stand_next_to_the_page(
    page: "Page", base: str, table: str | None, watch: str, bot: str | None
) -> None:
    found: list[Any] = page.evaluate(
        """async ([table, page]) => {
          const { watchAddress, botAddress } = await import("/page/live.js");
          return [watchAddress(table, page), table === null ? null : botAddress(table, false, page)];
        }""",
        [table, base],
    )
    assert found == [watch, bot]


def test_the_address_for_a_bot_names_the_table_where_there_are_several(page: "Page") -> None:
    found = page.evaluate(
        """async () => {
          const { botAddress } = await import("/page/live.js");
          return [false, true].map((several) => botAddress("T-1", several, "http://host/"));
        }"""
    )
    assert found == ["ws://host/ws", "ws://host/ws?table=T-1"]


def test_seats_go_clockwise_from_the_near_side_in_even_steps(page: "Page") -> None:
    for count in range(2, 11):
        places: list[dict[str, float]] = page.evaluate(
            'async (count) => (await import("/page/ring.js")).places(count)', count
        )
        assert (round(places[0]["x"], 6), places[0]["y"]) == (0, 1)
        for k in range(1, count):  # the left side mirrors the right one
            left, right = places[k], places[count - k]
            assert (left["x"], left["y"]) == pytest.approx((-right["x"], right["y"]), abs=1e-6)
        assert all(place["x"] < 0 for place in places[1 : (count + 1) // 2])


def test_small_amounts_are_written_out_and_huge_ones_shortened(page: "Page") -> None:
    written = page.evaluate(
        """async () => {
          const { chips, shortChips } = await import("/page/words.js");
          return [chips(1234567890), shortChips(9999999), shortChips(562949953421312)];
        }"""
    )
    assert written == ["1,234,567,890", "9,999,999", "562.95T"]
