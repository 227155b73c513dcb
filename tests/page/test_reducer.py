"""The page's reducer agrees with the engine, message by message, over matches of random players."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.wire import messages as wire
from pitboss.chance import Chance
from tests.support.arena.poker import open_match
from tests.support.page.browser import open_page
from tests.support.page.played import Moment, lobby, play, play_hand
from tests.support.page.stage import Stage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TEAMS = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "Iota", "Kappa")

# Fold batches of messages, every state and message frozen, and return what is shown after each batch.
FOLD = """async (batches) => {
  const { start, show, isAllIn, middle, pots } = await import("/page/reducer.js");
  const { plain } = await import("/page/words.js");
  const freeze = (value) => {
    if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
      Object.freeze(value);
      Object.values(value).forEach(freeze);
    }
    return value;
  };
  const chips = (state) => state.seats.reduce((sum, seat) => sum + seat.stack, middle(state));
  const bySeat = (state, field) => Object.fromEntries(state.seats.map((seat) => [seat.seat, seat[field]]));
  let state = freeze(start());
  return batches.map((batch) => {
    const cut = [];
    const totals = batch.map((message) => {
      state = freeze(show(state, freeze(message)));
      if (["FLOP", "TURN", "RIVER", "SHOWDOWN"].includes(message.ev)) cut.push(pots(state).map((pot) => pot.amount));
      return chips(state);
    });
    return {
      totals,
      cut,
      middle: middle(state),
      pots: pots(state).map(({ amount, seats, winners }) => [amount, seats, winners.map((winner) => winner.amount)]),
      turn: state.turn?.seat ?? null,
      hand: state.hand,
      match: state.match,
      stacks: bySeat(state, "stack"),
      bets: bySeat(state, "bet"),
      teams: bySeat(state, "team"),
      did: bySeat(state, "did"),
      folded: state.seats.filter((seat) => seat.folded).map((seat) => seat.seat),
      dealt: state.seats.filter((seat) => seat.dealt).map((seat) => seat.seat),
      out: state.seats.filter((seat) => seat.out).map((seat) => seat.seat),
      winners: state.seats.filter((seat) => seat.won > 0).map((seat) => seat.seat),
      allIn: state.seats.filter(isAllIn).map((seat) => seat.seat),
      log: state.log.map(plain),
    };
  });
}"""


@pytest.fixture(scope="module")
def page(browser: "Browser") -> Iterator["Page"]:
    """Return a page that can import the modules."""
    with Stage().running() as stage, open_page(browser, stage.url) as page:
        yield page


def shown(page: "Page", *batches: list[wire.ServerMessage]) -> list[dict[str, Any]]:
    """What is shown after each batch of messages."""
    states: list[dict[str, Any]] = page.evaluate(
        FOLD, [[json.loads(wire.write(m)) for m in batch] for batch in batches]
    )
    return states


def by_seat(numbers: dict[int, int]) -> dict[str, int]:
    """As JavaScript keys them."""
    return {str(seat): number for seat, number in numbers.items()}


@pytest.mark.check
@pytest.mark.parametrize("game", ["razz", "seven_card_stud_hi_lo", "deuce_to_seven_triple_draw", "omaha", "horse"])
def test_the_page_agrees_with_the_engine_in_other_games(page: "Page", game: str) -> None:
    settings = Settings(game=game, seats=5, stack=3_000, max_hands=20)
    for seed in range(2):
        moments = list(play(Chance(seed), settings, TEAMS[:5], hands=20))
        for moment, page_shows in zip(moments, shown(page, *[moment.messages for moment in moments]), strict=True):
            check(moment, page_shows, brought=15_000)


@pytest.mark.check
@pytest.mark.parametrize("seats", [2, 3, 6, 10])
@pytest.mark.parametrize("stack", [300, 10_000])
def test_the_page_agrees_with_the_engine(page: "Page", seats: int, stack: int) -> None:
    settings = Settings(seats=seats, stack=stack, max_hands=30)
    side_pots = showdowns = 0
    for seed in range(3):
        moments = list(play(Chance(1000 * seats + seed), settings, TEAMS[:seats], hands=30))
        for moment, page_shows in zip(moments, shown(page, *[moment.messages for moment in moments]), strict=True):
            check(moment, page_shows, brought=stack * seats)
            side_pots += len(page_shows["pots"]) > 1
            showdowns += any(isinstance(message, wire.Showdown) for message in moment.messages)
    assert showdowns > 5
    assert side_pots > 5 or seats < 6


def check(moment: Moment, shows: dict[str, Any], brought: int) -> None:
    """Everything that must be shown after a moment, and the chips after every single message."""
    assert set(shows["totals"][2 if isinstance(moment.messages[0], wire.TableMessage) else 0 :]) <= {brought}, (
        moment.messages
    )
    assert shows["stacks"] == by_seat(moment.stacks)
    if moment.paid is not None:
        assert {k: sum(paid) for k, (_, _, paid) in enumerate(shows["pots"])} == moment.paid
        assert [amount for amount, _, _ in shows["pots"]] == list(moment.paid.values())
        assert all(amounts == list(moment.paid.values()) for amounts in shows["cut"])  # no player can bet any more
        assert shows["middle"] == 0
        assert shows["hand"]["over"]
    if moment.facts is None:
        return
    facts = moment.facts
    bets = {seat: bet for seat, bet in shows["bets"].items() if bet}
    assert facts.drawing or bets == {k: v for k, v in by_seat(facts.bets).items() if v}
    assert shows["folded"] == facts.folded
    assert shows["dealt"] == sorted(facts.stacks)
    assert shows["allIn"] == sorted(s for s, stack in facts.stacks.items() if not stack and s not in facts.folded)
    assert (shows["hand"]["board"], shows["hand"]["button"]) == (facts.board, facts.button)
    assert (shows["turn"], shows["middle"]) == (facts.turn, facts.middle)
    assert [(amount, seats) for amount, seats, _ in shows["pots"]] == facts.pots


def test_the_match_ends_with_its_standings(page: "Page") -> None:
    moments = list(play(Chance(3), Settings(seats=4, stack=500, max_hands=400), TEAMS[:4], hands=400))
    last = shown(page, [message for moment in moments for message in moment.messages])[0]
    end = moments[-1].messages[-1]
    assert isinstance(end, wire.MatchEnd)
    assert end.winner is not None
    assert last["match"]["winners"] == [msgspec.to_builtins(end.winner)]
    assert last["match"]["standings"] == [msgspec.to_builtins(stack) for stack in end.final_stacks]
    assert last["out"] == sorted(final.seat for final in end.final_stacks if not final.stack)
    assert last["log"][-2].startswith(f"{end.winner.team} wins the match")
    assert last["log"][-1].startswith("The decks of ")


# --- one table, taken apart


class WatchedTable:
    """A table of three and what spectators are sent."""

    def __init__(self) -> None:
        self.settings = Settings(seats=4)
        self.match = open_match(self.settings)
        for team in TEAMS[:3]:
            self.match.sit(team, None)
        self.opening: list[wire.ServerMessage] = [TableMessages(self.match).table(), lobby(self.match)]

    def hand(self, seed: int) -> list[wire.ServerMessage]:
        """The next hand, from its start to its end."""
        return [message for moment in play_hand(Chance(seed), self.match, wild=False) for message in moment.messages]


def test_a_hand_sent_again_after_a_reconnect_is_logged_once(page: "Page") -> None:
    table = WatchedTable()
    first, second = table.hand(1), table.hand(2)
    early, late = second[:4], second[4:]
    once, again = (
        shown(page, [*table.opening, *first, *second]),
        shown(page, [*table.opening, *first, *early], [*table.opening, *early, *late]),
    )
    assert again[-1]["log"] == once[-1]["log"]
    assert again[-1]["stacks"] == once[-1]["stacks"]


def test_a_new_journal_begins_a_new_log(page: "Page") -> None:
    old, new = WatchedTable(), WatchedTable()
    [*_, last] = shown(page, [*old.opening, *old.hand(1), *old.hand(2)], [*new.opening, *new.hand(3)])
    [fresh] = shown(page, [*(other := WatchedTable()).opening, *other.hand(3)])
    assert last["log"] == fresh["log"]


def test_a_void_hand_returns_all_chips(page: "Page") -> None:
    table = WatchedTable()
    [before, _, after] = shown(
        page,
        table.opening,
        table.hand(1)[:-3],
        [wire.VoidMessage(hand_id=table.match.hand_id, seq=table.match.seq + 1, reason="its record is torn")],
    )
    assert after["stacks"] == before["stacks"]
    assert (after["middle"], after["turn"]) == (0, None)
    assert "its record is torn" in after["log"][-1]


def test_the_lobby_moves_no_chip_of_a_hand_under_way(page: "Page") -> None:
    table = WatchedTable()
    hand = table.hand(1)[:4]
    newcomer = wire.LobbyPlayer(seat=3, team="Late", connected=True, stack=10_000)
    gone = wire.LobbyPlayer(seat=0, team="Alpha", connected=False, stack=1)
    [before, after] = shown(page, [*table.opening, *hand], [wire.Lobby(players=(gone, newcomer))])
    assert {seat: after["stacks"][seat] for seat in "012"} == {seat: before["stacks"][seat] for seat in "012"}
    assert (after["stacks"]["3"], after["teams"]["3"], after["dealt"]) == (10_000, "Late", [0, 1, 2])
    assert after["middle"] == before["middle"] > 0


def test_unknown_messages_change_nothing(page: "Page") -> None:
    table = WatchedTable()
    hand = table.hand(1)
    error = wire.Error(code="OUT_OF_TURN", msg="not for you")
    stray = wire.CheckMessage(hand_id="H-2000-01-01-00001", seq=999_999, seat=0)
    [shows, after] = shown(page, [*table.opening, *hand[:4]], [error, stray])
    assert {**after, "totals": None} == {**shows, "totals": None}


def test_a_timeout_is_shown(page: "Page") -> None:
    table = WatchedTable()
    [hand] = shown(
        page,
        [*table.opening, *table.hand(1)[:2], wire.FoldMessage(hand_id="H-2025-10-17-00001", seq=3, seat=0, auto=True)],
    )
    assert hand["log"][-1] == "Alpha folds, time up"


def test_for_a_seat_that_is_away_no_time_was_up(page: "Page") -> None:
    table = WatchedTable()
    away = wire.LobbyPlayer(seat=0, team="Alpha", connected=True, stack=10_000, away=True)
    fold = wire.FoldMessage(hand_id="H-2025-10-17-00001", seq=3, seat=0, auto=True)
    [hand] = shown(page, [*table.opening, *table.hand(1)[:2], wire.Lobby(players=(away,)), fold])
    assert hand["log"][-1] == "Alpha folds, away"


def test_player_without_chips_is_not_shown_as_a_winner(page: "Page") -> None:
    """Not even where the seat won the last hand one saw and lost its chips in one that went by unseen."""
    table = WatchedTable()
    hand = table.hand(1)
    winner = next(message.seat for message in hand if isinstance(message, wire.PotAward))
    stacks = tuple(wire.SeatStack(seat=k, stack=0 if k == winner else 15_000) for k in range(3))
    end = wire.EndHand(hand_id=table.match.hand_id, stacks=stacks, chain="0" * 64, seq=table.match.seq + 1)
    gone = wire.LobbyPlayer(seat=winner, team=TEAMS[winner], connected=True, stack=0)
    for last in end, wire.Lobby(players=(gone,)):
        [won, out] = shown(page, [*table.opening, *hand], [last])
        assert (winner in won["winners"], winner in won["out"]) == (True, False)
        assert (winner in out["winners"], winner in out["out"]) == (False, True)


def test_player_who_folded_in_an_unshown_hand_is_out(page: "Page") -> None:
    """The next `start_hand` names only those who are dealt in."""
    moments = list(play(Chance(3), Settings(seats=4, stack=500, max_hands=400), TEAMS[:4], hands=400))
    hands: list[list[wire.ServerMessage]] = [[]]
    for message in (message for moment in moments for message in moment.messages):
        if isinstance(message, wire.StartHand):
            hands.append([])
        hands[-1].append(message)
    opening, *played = hands
    fatal = next(k for k, hand in enumerate(played) if any(isinstance(message, wire.Eliminated) for message in hand))
    assert fatal < len(played) - 2
    frames = [[json.loads(wire.write(message)) for message in hand] for hand in (opening, *played[: fatal + 3])]
    shows = page.evaluate(
        """async ([opening, ...hands]) => {
          const { start, show } = await import("/page/reducer.js");
          const { skippedHand, both } = await import("/page/skipped.js");
          const skipped = hands.slice(0, -1).map(skippedHand).reduce(both);
          const state = [...opening, skipped, ...hands.at(-1).slice(0, 1)].reduce(show, start());
          const chips = state.seats.reduce((sum, seat) => sum + seat.stack, 0);
          return { out: state.seats.filter(({ out }) => out).length, chips };
        }""",
        frames,
    )
    gone = sum(isinstance(message, wire.Eliminated) for hand in played[: fatal + 2] for message in hand)
    assert shows == {"out": gone, "chips": 4 * 500}
