"""A player's own messages give the picture that spectators have, and of hidden cards one's own alone."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from pitboss.arena.journal.records import Settings
from pitboss.chance import Chance
from tests.support.arena.rooms import Parlour
from tests.support.page.browser import open_page
from tests.support.page.stage import Stage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.check

# Fold a spectator's messages and a player's; say after each hand what both show, and whose cards the player ever saw.
FOLD = """async ([spectator, player]) => {
  const { middle, show, start } = await import("/page/reducer.js");
  const { plain } = await import("/page/words.js");
  const seen = new Set();
  const expected = [];
  const wrong = [];
  const run = (messages, mine) => {
    let state = start();
    const pictures = [];
    for (const message of messages) {
      const before = state;
      state = show(state, message);
      for (const seat of mine ? state.seats : []) if (seat.hole.length > 0) seen.add(seat.seat);
      if (mine && message.type === "act") {
        const [own] = state.seats.filter((seat) => seat.seat === message.seat);
        if (before.turn !== null) wrong.push([before.turn, message.seat]);
        if (own.hole.join() !== message.you.hole.join()) wrong.push("hole");
        if (own.stack !== message.you.stack || middle(state) !== message.pot) wrong.push("chips");
      }
      if (message.type === "end_hand") {
        const names = ["seat", "team", "stack", "bet", "folded", "won", "cards"];
        const seats = state.seats.map((seat) => names.map((name) => seat[name]));
        pictures.push({ seats, hand: state.hand, log: state.log.map(plain) });
      }
    }
    return pictures;
  };
  return { spectator: run(spectator, false), player: run(player, true), seen: [...seen], wrong };
}"""


@pytest.fixture
def page(browser: "Browser", stage: Stage) -> Iterator["Page"]:
    """Return a page that can import the modules."""
    with open_page(browser, stage.url) as page:
        yield page


def played(game: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Some hands of random play: what a spectator and what seat 1 was sent."""
    chance = Chance(7)
    table = Parlour(Settings(seats=4, start_at=3, game=game, stack=4_000))
    watching = table.watch()
    guests = [table.join(name, turns=name == "B") for name in "ABC"]
    while table.match.finished < 12 and table.match.to_act is not None:
        guest = table.to_act
        asked = guest.question()
        legal = asked.legal or ()
        mood = chance.below(10)
        if "DRAW" in legal:
            guest.answer("DRAW", discard=[card for card in asked.you.hole if chance.below(2)])
        elif mood == 0 and "RAISE_TO" in legal:
            guest.answer("RAISE_TO", asked.max_raise_to)
        elif mood < 3 and "RAISE_TO" in legal:
            guest.answer("RAISE_TO", asked.min_raise_to)
        elif mood < 5 and legal[0] == "FOLD":
            guest.answer("FOLD")
        else:
            guest.answer("CHECK" if "CHECK" in legal else "CALL")
    return [json.loads(frame) for frame in watching.frames], [json.loads(frame) for frame in guests[1].frames]


@pytest.mark.parametrize("game", ["no_limit_holdem", "razz", "triple_draw"])
def test_a_player_sees_the_spectators_view_and_their_own_cards(page: "Page", game: str) -> None:
    spectator, player = played(game)
    shown = page.evaluate(FOLD, [spectator, player])
    assert len(shown["player"]) >= 3
    assert shown["player"] == shown["spectator"]
    assert shown["seen"] == [1]
    assert shown["wrong"] == []
