"""The page's smaller modules, each by itself in a browser: pace, addresses, reconnection, places of seats."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.page.browser import open_page
from tests.support.page.stage import Stage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

STACKS = [{"seat": 0, "stack": 1_000}, {"seat": 1, "stack": 1_000}]
END = {"type": "end_hand", "stacks": [{"seat": 0, "stack": 1_150}, {"seat": 1, "stack": 850}]}


def hand(number: int, *, actions: int = 1) -> list[dict[str, Any]]:
    """A hand that seat 0 wins, from its start to its end."""
    turns = [{"type": "turn", "seat": 1, "time_ms": 15_000}, {"type": "event", "ev": "CALL", "seat": 1, "amount": 1}]
    return [
        {"type": "start_hand", "hand_id": f"H-{number}", "stacks": STACKS},
        {"type": "event", "ev": "POST_BLINDS"},
        *turns * actions,
        {"type": "event", "ev": "POT_AWARD", "seat": 0, "amount": 150},
        END,
    ]


def unseen(number: int) -> dict[str, Any]:
    """Return what is kept of such a hand if it is not shown."""
    won = [{"seat": 0, "amount": 150}]
    return {"id": f"H-{number}", "won": won, "voided": False}


def skipped(first: int, last: int) -> dict[str, Any]:
    """Return the text about such hands."""
    each = [unseen(number) for number in range(first, last + 1)]
    return {
        "type": "skipped",
        "hands": len(each),
        "first": f"H-{first}",
        "last": f"H-{last}",
        "each": each if len(each) <= 4 else [],
        "out": [],
        "before": STACKS,
        "after": END["stacks"],
    }


@pytest.fixture
def page(browser: "Browser", stage: Stage) -> Iterator["Page"]:
    """Return a page that can import the modules, with a stopped clock."""
    with open_page(browser, stage.url) as page:
        page.clock.install()
        page.clock.pause_at("2100-01-01")
        yield page


# A pacer at the calm pace, given these messages at once or one per `every` milliseconds; what it shows, and once
# every ten milliseconds how many hands the picture is behind and how long ago the next thing in it came.
PACED = """async ([messages, every]) => {
  const { pacer } = await import("/page/pace.js");
  Object.assign(window, { shown: [], behind: [], given: [] });
  window.pace = pacer((message) => shown.push(message));
  pace.setLive(false);
  const begins = (list) => list.filter(({ type }) => type === "start_hand");
  const push = (message) => {
    given.push({ ...message, came: performance.now() });
    pace.push(message);
  };
  messages.forEach((message, k) => (every === 0 ? push(message) : setTimeout(() => push(message), k * every)));
  setInterval(() => {
    const current = begins(shown).at(-1)?.hand_id;
    const from = given.findIndex(({ hand_id: id }) => id !== undefined && id === current);
    const seen = shown.slice(shown.findLastIndex(({ type }) => type === "start_hand")).length;
    const next = given[from + seen];
    const hands = begins(given.slice(from + 1)).length;
    if (from >= 0) behind.push([hands, next === undefined ? 0 : performance.now() - next.came]);
  }, 10);
}"""


def paced(page: "Page", messages: list[dict[str, Any]], every: int = 0) -> None:
    """Give messages to a pacer at the calm pace."""
    page.evaluate(PACED, [messages, every])


def shown(page: "Page") -> list[dict[str, Any]]:
    """What has been shown so far; time that goes by takes from a turn's."""
    messages: list[dict[str, Any]] = page.evaluate("shown")
    return [{**message, "time_ms": 15_000} if message["type"] == "turn" else message for message in messages]


@pytest.mark.check
def test_at_the_calm_pace_every_message_has_its_moment(page: "Page") -> None:
    messages = hand(1)
    paced(page, messages)
    assert shown(page) == messages[:1]
    page.clock.run_for(340)
    assert shown(page) == messages[:1]
    page.clock.run_for(20)
    assert shown(page) == messages[:2]
    page.evaluate("pace.setLive(true)")
    assert shown(page) == messages


def test_overtaken_page_skips_whole_hands_and_shows_their_results(page: "Page") -> None:
    lobby = {"type": "lobby"}
    paced(page, [*hand(1), *hand(2)[:-1], lobby, END, *hand(3), *hand(4)[:2]])
    page.clock.run_for(60_000)
    assert shown(page) == [*hand(1), skipped(2, 3), lobby, *hand(4)[:2]]


@pytest.mark.check
def test_hands_that_are_left_out_cost_no_time(page: "Page") -> None:
    """A spectator once waited two seconds for the end of each, and was at hand 3 while the table played hand 71."""
    paced(page, [message for number in range(1, 1001) for message in hand(number)] + hand(1001)[:1])
    page.clock.run_for(2_000)
    assert shown(page) == [*hand(1), skipped(2, 1000), *hand(1001)[:1]]


@pytest.mark.timing
@pytest.mark.parametrize("every", [1, 4, 10, 20, 50, 100, 200, 400, 1000])
@pytest.mark.parametrize("actions", [2, 20])
def test_the_picture_is_never_behind_by_more_than_two_hands_or_two_seconds(
    page: "Page", every: int, actions: int
) -> None:
    hands = 6 + 2_000 // (every * (actions + 2))
    messages = [message for number in range(hands) for message in hand(number, actions=1 + actions * (number % 2))]
    paced(page, messages, every)
    page.clock.run_for(len(messages) * every + 10_000)
    behind: list[tuple[int, float]] = page.evaluate("behind")
    assert [(count, late) for count, late in behind if count > 2 and late > 2_000] == []
    assert shown(page)[-1] == END
    begun = sum(message["type"] == "start_hand" for message in shown(page))
    assert begun == shown(page).count(END)  # each to its end
    assert begun + sum(message["hands"] for message in shown(page) if message["type"] == "skipped") == hands


@pytest.mark.timing
@pytest.mark.parametrize("every", [1, 50])
def test_result_of_a_hand_is_visible_at_any_speed(page: "Page", every: int) -> None:
    hands = 14_000 // (every * len(hand(0, actions=6)))  # as many as the clock below lets by, and some more
    paced(page, [message for number in range(hands) for message in hand(number, actions=6)], every)
    page.clock.run_for(5_000)
    page.evaluate(
        """() => {
          window.rests = [];
          let since = null;
          setInterval(() => {
            const over = shown.at(-1).type === "end_hand";
            if (over) since ??= performance.now();
            else if (since !== null) [since] = [null, rests.push(performance.now() - since)];
          }, 10);
        }"""
    )
    page.clock.run_for(8_000)
    ends: list[float] = page.evaluate("rests")
    assert len(ends) > 2
    assert min(ends) > 300


def test_a_turn_that_is_shown_late_has_less_time_left(page: "Page") -> None:
    paced(page, hand(1)[:3])
    page.clock.run_for(2_000)
    [turn] = page.evaluate("shown.filter(({ type }) => type === 'turn')")
    assert 14_000 < turn["time_ms"] < 14_700


def test_skipped_hands_are_in_the_log(page: "Page") -> None:
    lines = page.evaluate(
        """async (skipped) => {
          const { start, show } = await import("/page/reducer.js");
          const { plain } = await import("/page/words.js");
          return skipped.map((message) => show(start(), message).log.map(plain));
        }""",
        [skipped(7, 8), skipped(101, 1200), {**skipped(1, 1), "out": [1]}],
    )
    assert lines == [
        ["Hand 7, not shown: Seat 0 wins 150", "Hand 8, not shown: Seat 0 wins 150"],
        ["1,100 hands not shown, 101 to 1,200: Seat 0 +150, Seat 1 −150"],
        ["Hand 1, not shown: Seat 0 wins 150", "Seat 1 is out"],
    ]


def test_retries_are_delayed_more_and_more_up_to_a_limit(page: "Page") -> None:
    waits = page.evaluate(
        """async () => {
          const { backoff } = await import("/page/live.js");
          return [0, 0.999].map((chance) => [0, 1, 2, 3, 50].map((tries) => backoff(tries, chance)));
        }"""
    )
    assert waits[0] == [250, 500, 1000, 2000, 7500]
    assert all(low < high <= 15_000 for low, high in zip(*waits, strict=True))


@pytest.mark.check
@pytest.mark.parametrize(
    ("base", "table", "watch", "bot"),
    [
        ("http://host:81/?table=T-2", None, "ws://host:81/watch", None),
        ("http://host/", "T-1", "ws://host/watch?table=T-1", "ws://host/ws"),
        ("https://host/arena/", "T-2", "wss://host/arena/watch?table=T-2", "wss://host/arena/ws?table=T-2"),
        ("http://host/", "a&b=c", "ws://host/watch?table=a%26b%3Dc", "ws://host/ws?table=a%26b%3Dc"),
    ],
)
def test_addresses_are_next_to_the_page(
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


def test_seats_are_placed_clockwise_from_the_near_side_in_equal_steps(page: "Page") -> None:
    for count in range(2, 11):
        places: list[dict[str, float]] = page.evaluate(
            'async (count) => (await import("/page/table.js")).places(count)', count
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
