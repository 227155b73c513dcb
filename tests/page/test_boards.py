"""Poker of game files on the page: several boards, a board dealt several times, and cards that are discarded."""

import json
from typing import TYPE_CHECKING, Any

from pitboss.arena.wire.messages import write
from tests.support.page.browser import expect, open_page
from tests.support.page.scripts import HAND, before_the_flop, table
from tests.support.page.stage import Stage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

STACKS = (9_700, 9_700, 9_700, 10_000)
TEAMS = ("Ada", "Ben", "Cleo", "Dan")

# The controls for a question, and these keys once they count; returns the answers and what was explained.
ANSWERED = """async ([question, keys]) => {
  const { controls } = await import("/page/controls.js");
  const said = [];
  const acting = controls((message) => said.push(message), (sentence) => said.push(sentence));
  document.body.append(acting.node);
  acting.update(question);
  while (!acting.node.classList.contains("ready")) await new Promise((done) => setTimeout(done, 20));
  for (const key of keys) acting.key(new KeyboardEvent("keydown", { key }));
  acting.node.remove();
  return said;
}"""
PLAIN = {"hand": HAND, "turn": 1, "pot": 300, "stack": 900, "owed": 0, "call": 0, "bet": 0, "price": 0, "step": 100}
HOLE = ["As", "Kd", "7c"]


def two_boards() -> list[str]:
    """A table at which a game with two boards is played, before the flop."""
    first, *others = [json.loads(write(message)) for message in (*table(*TEAMS), *before_the_flop(STACKS))]
    first["config"]["games"][0]["boards"] = 2
    return [json.dumps(message) for message in (first, *others)]


def event(ev: str, seq: int, **more: Any) -> str:
    """An event of the hand."""
    return json.dumps({"type": "event", "v": 1, "ev": ev, "hand_id": HAND, "seq": seq, **more})


def test_a_second_board_is_below_the_first(browser: "Browser", stage: Stage) -> None:
    stage.send(*two_boards())
    with open_page(browser, stage.url, reduced_motion="reduce") as page:
        expect(page.locator(".centre .board .slot")).count(10)
        stage.send(event("FLOP", 20, cards=["7h", "2d", "Qs"]), event("FLOP", 21, cards=["Ac", "Ad", "Kh"], board=2))
        stage.send(event("TURN", 22, card="Jc"), event("TURN", 23, card="5s", board=2))
        expect(page.locator(".centre .board >> nth=1 >> [data-card]")).count(4)
        assert boards(page) == [["7h", "2d", "Qs", "Jc"], ["Ac", "Ad", "Kh", "5s"]]
        expect(page.locator("#log .line.street").last).text("Turn, board 2: 5s")


def test_each_run_of_the_board_has_its_own_row(browser: "Browser", stage: Stage) -> None:
    stage.send(*table(*TEAMS), *before_the_flop(STACKS), event("FLOP", 20, cards=["7h", "2d", "Qs"]))
    with open_page(browser, stage.url, reduced_motion="reduce") as page:
        stage.send(event("RUNS", 21, seat=1, amount=2), event("RUNS", 22, seat=2, amount=2))
        stage.send(event("TURN", 23, card="Jc"), event("RIVER", 24, card="Jd"))
        stage.send(event("RUN", 25, number=2, board=["7h", "2d", "Qs"]), event("TURN", 26, card="3c"))
        expect(page.locator(".centre .board >> nth=1 >> [data-card]")).count(4)
        assert boards(page) == [["7h", "2d", "Qs", "Jc", "Jd"], ["7h", "2d", "Qs", "3c"]]
        expect(page.locator("#log .line.act").last).text("Cleo runs the board 2 times")


def test_a_player_chooses_the_runs_and_the_cards_to_discard_by_keys(browser: "Browser", stage: Stage) -> None:
    with open_page(browser, stage.url, reduced_motion="reduce") as page:
        runs = {**PLAIN, "hole": HOLE, "legal": ["RUNS"], "runs": 2}
        assert page.evaluate(ANSWERED, [runs, ["3", "2"]]) == [{"type": "action", "action": "RUNS", "amount": 2}]
        must = {**PLAIN, "hole": HOLE, "legal": ["DRAW"], "must": 1}
        said = page.evaluate(ANSWERED, [must, ["d", "3", "d"]])
        assert said == ["Choose exactly one card.", {"type": "action", "action": "DRAW", "discard": ["7c"]}]


def boards(page: "Page") -> list[list[str | None]]:
    """The cards of each board."""
    rows = page.locator(".centre .board").all()
    return [[card.get_attribute("data-card") for card in row.locator("[data-card]").all()] for row in rows]
