"""Equities that the arena computes: what it reads from a hand, how it computes, and which clients get them when."""

import time
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from pitboss.arena.equities import EquitySpot, EquityWorker, board_game, compute, spots_of
from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.fields import EquityStep
from pitboss.chance import Chance
from pitboss.fast.equity.equity import equity
from pitboss.hand.games import STRUCTURES
from tests.support.arena.rooms import Parlour

HOLES = {"NT": 2, "NS": 2, "PO": 4, "FO/8": 4, "PO5": 5, "PO5/8": 5, "PO6": 6}


def deal(chance: Chance, code: str, players: int, board: int) -> EquitySpot:
    """Cards of a game, shuffled, with one that is dead."""
    deck, hole = list(chance.shuffled(STRUCTURES[code].deck)), HOLES[code]
    hands = {seat: "".join(deck[seat * hole : (seat + 1) * hole]) for seat in range(players)}
    rest = deck[players * hole :]
    return EquitySpot(1, code, hands, "".join(rest[:board]), rest[board])


@pytest.mark.parametrize("code", sorted(HOLES))
def test_boards_that_can_be_counted_are_counted(code: str) -> None:
    chance = Chance(len(code))
    for spot in [deal(chance, code, players, board) for players in (2, 3) for board in (3, 4, 5)]:
        exact = equity(*spot.hands.values(), board=spot.board, dead=spot.dead, structure=STRUCTURES[code], exact=True)
        [step] = compute([spot], 60.0)
        assert [share.seat for share in step.shares] == list(spot.hands)
        assert [share.share for share in step.shares] == pytest.approx(exact.equity, abs=1e-4)


def test_a_sample_is_near_and_always_the_same() -> None:
    spot = deal(Chance(7), "PO", 3, 0)
    [first], [second] = compute([spot], 60.0), compute([spot], 60.0)
    assert first == second
    near = equity(*spot.hands.values(), dead=spot.dead, structure=STRUCTURES["PO"], samples=10_000)
    assert [share.share for share in first.shares] == pytest.approx(near.equity, abs=0.05)


def test_impossible_cards_games_without_a_board_and_time_that_is_up_give_no_shares() -> None:
    spots = [
        EquitySpot(1, "HUNL", {0: "AsKd", 1: "As2c"}),
        EquitySpot(2, "HUNL", {0: "AsKd", 1: "3c2c"}, "As4d5d"),
        EquitySpot(3, "FR", {0: "AsKd3c2c4d5d6d", 1: "9c8c7c6c5c4c3d"}),
        EquitySpot(4, "leduc", {0: "As", 1: "Kd"}),
        EquitySpot(5, "HUNL"),
    ]
    assert compute(spots) == tuple([EquityStep(seq=seq, shares=()) for seq in range(1, 6)])
    assert compute([EquitySpot(1, "HUNL", {0: "AsKd", 1: "3c2c"})], 0.0) == (EquityStep(seq=1, shares=()),)
    assert [code for code in STRUCTURES if board_game(code)] == [c for c in STRUCTURES if c.lstrip("NPF")[0] in "TSO"]


# --- what is read


def hand(*messages: dict[str, Any], cards: dict[int, list[str]] | None = None) -> dict[str, Any]:
    """A hand of three as the page's viewer takes it."""
    stacks = [{"seat": seat, "stack": 100} for seat in range(3)]
    start = {"type": "start_hand", "hand_id": "H-1", "stacks": stacks, "seq": 1}
    events = [{"type": "event", "seq": seq} | message for seq, message in enumerate(messages, 2)]
    return {"before": [{"config": {"variant": "HUNL"}}], "messages": [start, *events], "cards": cards}


def test_hidden_hands_request_no_equities() -> None:
    events = ({"ev": "FOLD", "seat": 2}, {"ev": "FLOP", "cards": ["2c", "3c", "4c"]})
    assert spots_of(hand(*events)) == []
    assert spots_of(hand(*events, cards={0: ["As", "Ad"]})) == []


def test_with_all_cards_every_fold_and_every_street_is_a_spot() -> None:
    cards = {0: ["As", "Ad"], 1: ["Ks", "Kd"], 2: ["7h", "2d"]}
    events = (
        {"ev": "CALL", "seat": 1, "amount": 1},
        {"ev": "FOLD", "seat": 2},
        {"ev": "FLOP", "cards": ["2c", "3c", "4c"]},
        {"ev": "FOLD", "seat": 1},
        {"ev": "POT_AWARD", "seat": 0, "amount": 3, "pot": 0},
    )
    assert spots_of(hand(*events, cards=cards)) == [
        EquitySpot(1, "HUNL", {0: "AsAd", 1: "KsKd", 2: "7h2d"}),
        EquitySpot(3, "HUNL", {0: "AsAd", 1: "KsKd"}, "", "7h2d"),
        EquitySpot(4, "HUNL", {0: "AsAd", 1: "KsKd"}, "2c3c4c", "7h2d"),
        EquitySpot(5, "HUNL"),
    ]


def test_a_run_out_is_worth_something_from_before_its_first_card() -> None:
    hands = [{"seat": 0, "cards": ["As", "Ad"]}, {"seat": 1, "cards": ["Ks", "Kd"]}]
    events = (
        {"ev": "FOLD", "seat": 2},
        {"ev": "FLOP", "cards": ["2c", "3c", "4c"], "hands": hands},
        {"ev": "TURN", "card": "5c"},
    )
    assert [(spot.seq, spot.board) for spot in spots_of(hand(*events))] == [(2, ""), (3, "2c3c4c"), (4, "2c3c4c5c")]


# --- which clients get it


@pytest.mark.parametrize("delay", [0.0, 5.0])
def test_spectators_are_sent_the_equities_of_a_run_out_when_they_have_seen_it(delay: float) -> None:
    table = Parlour(Settings(seats=2, start_at=2, max_hands=1), limits=Limits(delay=delay))
    guests, watching = table.seat(2), table.watch()
    table.play(("RAISE_TO", 10_000), "CALL")
    if delay:
        assert not watching.got(wire.Equities)
        table.pass_time(delay - 0.1)
        assert not watching.got(wire.Equities)
        table.pass_time(0.2)
    message = watching.last(wire.Equities)
    shown = {message.seat: message.hand for message in watching.got(wire.Showdown)}
    [flop] = watching.got(wire.Flop)
    assert {each.seat: each.cards for each in flop.hands} == shown
    assert [step.seq for step in message.steps] == [flop.seq - 1, flop.seq, flop.seq + 1, flop.seq + 2, flop.seq + 5]
    before, *_, river, over = message.steps
    exact = equity(*["".join(shown[share.seat]) for share in before.shares]).equity
    assert [share.share for share in before.shares] == pytest.approx(exact, abs=1e-4)
    assert {share.share for share in river.shares} <= {0.0, 0.5, 1.0}
    assert over.shares == ()
    assert not any(guest.got(wire.Equities) for guest in guests)


def test_hands_without_a_run_out_compute_no_equities() -> None:
    table = Parlour(Settings(seats=2, start_at=2, max_hands=1))
    watching = table.watch()
    table.seat(2)
    table.play_hand("CALL")
    assert watching.got(wire.Showdown)
    assert not watching.got(wire.Equities)


def test_unwatched_tables_request_no_equities() -> None:
    table = Parlour(Settings(seats=2, start_at=2, max_hands=1))
    table.seat(2)
    table.play(("RAISE_TO", 10_000), "CALL")
    assert not table.watch().got(wire.Equities)


@pytest.fixture
def worker() -> Iterator[EquityWorker]:
    """Return a worker, and end its process."""
    made = EquityWorker()
    yield made
    made.close()


@pytest.mark.timing
def test_a_worker_answers_from_another_process_and_remembers(worker: EquityWorker) -> None:
    spots = [EquitySpot(4, "HUNL", {0: "AhAd", 3: "KsKc"})]
    began = time.monotonic()
    first = worker.compute(spots)
    computing = time.monotonic() - began
    assert first == compute(spots)
    remembering = []
    for _ in range(3):
        began = time.monotonic()
        assert worker.compute(spots) == first
        remembering.append(time.monotonic() - began)
    assert min(remembering) < computing / 5
    heard: list[tuple[EquityStep, ...]] = []
    worker.ask(spots, heard.append)
    worker.close()
    assert heard in ([first], [])
    assert worker.compute(spots) == ()


def test_a_process_that_dies_is_followed_by_another(worker: EquityWorker) -> None:
    spots = [EquitySpot(4, "HUNL", {0: "AhAd", 3: "KsKc"})]
    assert worker.compute(spots)
    assert worker._process is not None
    worker._process.kill_now()
    other = [EquitySpot(5, "HUNL", {0: "AhAd", 3: "QsQc"})]
    assert worker.compute(other) == ()
    assert worker.compute(other) == compute(other)


def test_the_message_is_part_of_the_protocol() -> None:
    message = wire.Equities(hand_id="H-1", steps=compute([EquitySpot(4, "HUNL", {0: "AhAd", 3: "KsKc"})]))
    assert wire.read_server(wire.write(message)) == message
    assert msgspec.json.decode(wire.write(message))["steps"][0]["shares"][0] == {"seat": 0, "share": 0.8126}
