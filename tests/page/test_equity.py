"""The page's equities are those of `pitboss.equity`, counted alike and drawn near, and quick."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from pitboss.chance import Chance
from pitboss.fast.equity.equity import equity
from pitboss.hand.games import STRUCTURES
from tests.support.page.browser import open_page
from tests.support.page.stage import Stage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOLES = {"NT": 2, "NS": 2, "PO": 4, "FO/8": 4, "PO5": 5, "PO5/8": 5, "PO6": 6}
ASK = """async (spots) => {
  const { equities } = await import("/page/equity.js");
  return spots.map(([hands, board, variant, dead]) => equities(hands, board, variant, dead));
}"""
TIME = """async (spots) => {
  const { equities } = await import("/page/equity.js");
  const ask = () => spots.map((spot) => {
    const began = performance.now();
    equities(...spot);
    return performance.now() - began;
  });
  ask();
  return ask();
}"""


@pytest.fixture(scope="module")
def page(browser: "Browser") -> Iterator["Page"]:
    """Return a page that can import the module."""
    with Stage().running() as stage, open_page(browser, stage.url) as page:
        yield page


def ask(page: "Page", spots: list[Any]) -> list[Any]:
    """What the page says of each spot."""
    said: list[Any] = page.evaluate(ASK, spots)
    return said


def deal(chance: Chance, code: str, players: int, board: int) -> tuple[list[list[str]], list[str], str, list[str]]:
    """Cards of a game, shuffled, with one that is dead."""
    deck = list(chance.shuffled(STRUCTURES[code].deck))
    hole = HOLES[code]
    hands = [deck[k * hole : (k + 1) * hole] for k in range(players)]
    rest = deck[players * hole :]
    return hands, rest[:board], code, rest[board : board + 1]


@pytest.mark.check
@pytest.mark.parametrize("code", sorted(HOLES))
def test_what_can_be_counted_is_counted_as_the_engine_does(page: "Page", code: str) -> None:
    chance = Chance(len(code))
    spots = [deal(chance, code, players, board) for players in (2, 3) for board in (3, 4, 5) for _ in range(2)]
    if HOLES[code] > 4:
        spots = [spot for spot in spots if len(spot[1]) > 3]
    for (hands, board, _, dead), said in zip(spots, ask(page, spots), strict=True):
        structure = STRUCTURES[code]
        exact = equity(*["".join(hand) for hand in hands], board="".join(board), dead=dead, structure=structure)
        assert said == pytest.approx(exact.equity, abs=1e-9), (hands, board)


@pytest.mark.parametrize("code", ["NT", "FO/8"])
def test_what_is_drawn_is_near_and_always_the_same(page: "Page", code: str) -> None:
    chance = Chance(7)
    spots = [deal(chance, code, players, 0) for players in (2, 2, 3)]
    first, second = ask(page, spots), ask(page, spots)
    assert first == second
    for (hands, _, _, dead), said in zip(spots, first, strict=True):
        near = equity(*["".join(hand) for hand in hands], dead=dead, structure=STRUCTURES[code], samples=20_000)
        assert said == pytest.approx(near.equity, abs=0.06)
        assert sum(said) == pytest.approx(1.0)


def test_where_it_cannot_be_said_it_is_not(page: "Page") -> None:
    spots: list[Any] = [
        [[["As", "Kd"], ["2c", None]], [], "HUNL", []],
        [[["As", "Kd"], ["As", "2c"]], [], "HUNL", []],
        [[["As", "Kd"], ["3c", "2c"]], ["As", "4d", "5d"], "HUNL", []],
        [[["As", "Kd", "2d"], ["3c", "2c"]], [], "NT", []],
        [[["As"] * 7, ["3c"] * 7], [], "FR", []],
        [[["As", "Kd"], ["3c", "2c"]], ["4d", "5d", "6d", "7d", "8d", "9d"], "NT", []],
        [[["A♠", "Kd"], ["3c", "2c"]], [], "NT", []],
        [[], [], "NT", []],
        [[["As", "Kd"]], [], "kuhn", []],
    ]
    assert ask(page, spots) == [None] * len(spots)


@pytest.mark.timing
def test_it_is_quick(page: "Page") -> None:
    chance = Chance(3)
    spots = [deal(chance, code, players, board)[:3] for code in HOLES for players in (2, 6) for board in (0, 3, 4)]
    spots = [spot for spot in spots if spot[2] != "PO6" or len(spot[0]) == 2]
    times: list[float] = page.evaluate(TIME, spots)
    assert sorted(times)[len(times) // 2] < 30, times
    assert max(times) < 150, times
