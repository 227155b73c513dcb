"""An answer that names no turn counts for the open question only where its sender can have read that."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from pitboss.arena.connections.budget import FrameMeter, RateLimit, RateLimits, ping_frame
from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.clock import PONG_PATIENCE
from pitboss.arena.wire import messages as wire
from tests.support.arena.rooms import Guest, Parlour
from tests.support.arena.servers import Arena, Peer, arena, visit, within
from tests.support.for_each import for_each
from tests.support.sim.network import PONG, TEXT, masked

TWO = Settings(seats=2, move_time_ms=10_000)


def table(*, answers: bool = True) -> Parlour:
    """Heads-up, before the flop, where seat 0 is asked; both have answered all pings, or none."""
    parlour = Parlour(TWO, seed=3, pings=True)
    for guest in parlour.seat(2):
        if answers:
            guest.pong()
    return parlour


def errors(guest: Guest) -> list[str]:
    """The codes of all errors it was sent."""
    return [error.code for error in guest.got(wire.Error)]


def to_the_flop(parlour: Parlour) -> Guest:
    """Seat 0 calls, and seat 1 is asked whether it checks; gives that one."""
    parlour.play("CALL")
    guest = parlour.asked
    assert guest.seat == 1
    return guest


def test_whoever_has_not_named_a_turn_is_pinged_before_each_question() -> None:
    parlour = Parlour(TWO, seed=3, pings=True)
    first, second = parlour.seat(2)
    assert (first.pings, second.pings) == ([0, first.question().turn], [0])
    first.pong()
    first.answer("CALL", turn=None)
    second.pong()
    second.answer("CHECK", turn=None)
    assert second.pings == [second.question().turn], "the flop's first question"


def test_a_check_that_is_sent_twice_in_a_row_is_not_the_flops_check() -> None:
    parlour = table()
    guest = to_the_flop(parlour)
    guest.pong()
    guest.answer("CHECK", turn=None)
    assert parlour.match.to_act == 1, "heads-up the big blind speaks first on the flop"
    guest.answer("CHECK", turn=None, hand_id=parlour.match.hand_id)
    assert (errors(guest), parlour.match.to_act) == (["ACTION_TOO_LATE"], 1)
    guest.pong()
    guest.answer("CHECK", turn=None)
    assert (errors(guest), parlour.match.to_act) == (["ACTION_TOO_LATE"], 0)


def test_a_raise_that_arrives_after_the_timeout_is_not_the_next_streets_bet() -> None:
    parlour = table()
    guest = to_the_flop(parlour)
    guest.pong()
    parlour.pass_time(10.0)  # the check is played for it, and the flop asks it again
    assert parlour.match.to_act == 1
    guest.answer("RAISE_TO", 300, turn=None)
    assert (errors(guest), parlour.match.to_act) == (["ACTION_TOO_LATE"], 1)


def test_who_names_the_turn_is_heard_at_once_and_pinged_no_more() -> None:
    parlour = table()
    parlour.play("CALL", *["CHECK"] * 7)
    assert not errors(parlour.at[0])
    assert not errors(parlour.at[1])
    assert [len(parlour.at[seat].pings) for seat in (0, 1)] == [2, 3], "until each has named three turns"


def test_who_stops_naming_turns_has_to_answer_once_more() -> None:
    parlour = table()
    parlour.play("CALL", *["CHECK"] * 5)
    guest = parlour.asked
    assert guest.seat == 1, "on the river"
    guest.pong()
    guest.answer("CHECK", turn=None)
    assert (errors(guest), parlour.match.to_act) == (["ACTION_TOO_LATE"], 1)
    guest.answer("CHECK", turn=None)
    assert parlour.match.to_act == 1, "still before it can have read anything"
    guest.pong()
    guest.answer("CHECK", turn=None)
    assert parlour.match.to_act == 0


def test_who_names_a_turn_only_now_and_then_is_pinged_and_loses_none() -> None:
    parlour = table()
    parlour.play("CALL")
    for guest in (parlour.at[1], parlour.at[1], parlour.at[0]):
        assert parlour.asked is guest
        guest.pong()
        guest.answer("CHECK", turn=None)
    assert not errors(parlour.at[0])
    assert not errors(parlour.at[1])


def test_who_never_answers_pings_is_judged_as_ever() -> None:
    parlour = table(answers=False)
    parlour.pass_time(PONG_PATIENCE)
    first = parlour.at[0]
    first.answer("CALL", turn=None)
    assert parlour.match.to_act == 1
    assert not errors(first)


def test_until_it_is_known_whether_pings_are_answered_the_answer_is_held_back() -> None:
    parlour = table(answers=False)
    first = parlour.at[0]
    first.answer("CALL", turn=None)
    assert parlour.match.to_act == 0
    parlour.pass_time(PONG_PATIENCE)
    assert parlour.match.to_act == 1, "it answers none, and its answer counts"
    assert not errors(first)


def test_an_answer_that_is_held_back_is_too_late_where_the_pong_comes_after_it() -> None:
    parlour = table(answers=False)
    first = parlour.at[0]
    first.answer("CALL", turn=None)
    first.pong(1)  # the one that came with the welcome
    assert (errors(first), parlour.match.to_act) == (["ACTION_TOO_LATE"], 0)
    parlour.pass_time(PONG_PATIENCE)
    assert parlour.match.to_act == 0
    first.pong()
    first.answer("CALL", turn=None)
    assert parlour.match.to_act == 1


def test_an_answer_that_is_held_back_does_not_count_for_a_later_turn() -> None:
    parlour = Parlour(Settings(seats=2, move_time_ms=400), seed=3, pings=True)
    parlour.seat(2)
    first = parlour.at[0]
    first.answer("CALL", turn=None)
    first.answer("CALL")
    parlour.play("CHECK", "CHECK")
    assert parlour.match.to_act == 0
    parlour.pass_time(0.2)
    assert (errors(first), parlour.match.to_act) == (["ACTION_TOO_LATE"], 0)


def test_of_answers_that_are_held_back_the_first_that_fits_counts() -> None:
    parlour = table(answers=False)
    first = parlour.at[0]
    for word in ("CHECK", "CALL", "FOLD"):
        first.answer(word, turn=None)
    assert not errors(first)
    parlour.pass_time(PONG_PATIENCE)
    assert parlour.match.to_act == 1
    assert errors(first) == ["INVALID_ACTION", "ACTION_TOO_LATE"]


def test_not_more_are_held_back_than_anybody_means() -> None:
    parlour = table(answers=False)
    for _ in range(20):
        parlour.at[0].answer("CALL", turn=None)
    assert errors(parlour.at[0]) == ["ACTION_TOO_LATE"] * 4


def test_a_connection_that_takes_over_is_pinged_before_the_snapshot_that_asks_it() -> None:
    parlour = table()
    guest = parlour.join("A")
    assert guest.pings == [0, guest.question().turn]
    guest.pong(1)
    guest.answer("CALL", turn=None)
    assert errors(guest) == ["ACTION_TOO_LATE"]
    guest.pong()
    guest.answer("CALL", turn=None)
    assert parlour.match.to_act == 1


def test_a_connection_that_is_gone_leaves_nothing_behind() -> None:
    parlour = table(answers=False)
    parlour.at[0].answer("CALL", turn=None)
    parlour.at[0].leave()
    parlour.pass_time(PONG_PATIENCE)
    assert parlour.room.turn_guard.due is None
    assert parlour.match.to_act == 0


# --- what a connection makes of pongs


def pong(turn: int) -> bytes:
    """What answers a ping for a turn."""
    return masked(PONG, ping_frame(turn)[2:])


def meter_that_awaits(*turns: int) -> FrameMeter:
    """A meter of a connection that was pinged."""
    meter = FrameMeter(RateLimits(stranger=RateLimit(1, 3)), now=0.0)
    for turn in turns:
        meter.await_pong(turn)
    return meter


def test_pongs_to_our_pings_cost_nothing_and_others_do() -> None:
    meter = meter_that_awaits(*range(50))
    for turn in range(50):
        assert meter.frames(pong(turn), 0.0) == len(pong(turn))
    assert meter.frames(masked(TEXT, b"{}"), 0.0)
    data = masked(PONG, b"") * 2 + pong(7) * 5
    assert meter.frames(data, 0.0) < len(data)


def test_a_pong_knows_how_many_messages_came_before_it() -> None:
    meter = meter_that_awaits(1, 2)
    meter.frames(masked(TEXT, b"{}") + pong(1) + masked(TEXT, b"{}") + pong(2), 0.0)
    assert list(meter.passed) == [(1, 1), (2, 2)]


@for_each("cut", range(1, len(pong(1))))
def test_a_pong_may_come_in_two_pieces(cut: int) -> None:
    meter, data = meter_that_awaits(1), pong(1) + masked(TEXT, b"{}")
    assert meter.frames(data[:cut], 0.0) == cut
    assert not meter.passed
    assert meter.frames(data[cut:], 0.0) == len(data) - cut
    assert list(meter.passed) == [(1, 0)]
    assert meter.messages == 1


def test_who_answers_only_the_last_ping_has_answered_those_before() -> None:
    meter = meter_that_awaits(1, 2, 3)
    meter.frames(pong(3) + pong(2), 0.0)
    assert list(meter.passed) == [(3, 0)]


# --- with sockets


def answer(question: dict[str, Any], word: str, **more: Any) -> dict[str, Any]:
    """An answer that names no turn."""
    return {"type": "action", "v": 1, "hand_id": question["hand_id"], "action": word, **more}


@asynccontextmanager
async def two(place: Arena) -> AsyncIterator[tuple[Peer, Peer, Peer]]:
    """Both players, who have read everything so far, and a spectator; the big blind is asked before the flop."""
    async with visit(place.ws()) as small, visit(place.ws()) as big, visit(place.watch()) as watcher:
        for peer, team in ((small, "Alpha"), (big, "Beta")):
            await peer.hello(team)
            await peer.hear("welcome")
        await small.say(answer(await small.hear("act"), "CALL"))
        yield small, big, watcher


async def turn_of_seat(watcher: Peer, seat: int) -> None:
    """Wait until a seat's question has been sent."""
    while (await watcher.hear("turn"))["seat"] != seat:
        pass


def test_over_a_socket_what_was_sent_before_the_flop_was_read_is_no_check_on_it(tmp_path: Path) -> None:
    async def script() -> None:
        async with arena(tmp_path, seats=2, move_time_ms=60_000) as place, two(place) as (_, big, watcher):
            question = await big.hear("act")
            await turn_of_seat(watcher, 1)
            await big.say(answer(question, "CHECK"))
            await turn_of_seat(watcher, 1)  # the flop's question is under way, and big has not read it
            await big.say(answer(question, "CHECK"))
            flop = await big.hear("act")
            assert (flop["phase"], await big.error()) == ("FLOP", "ACTION_TOO_LATE")
            await big.say(answer(flop, "CHECK"))
            await turn_of_seat(watcher, 0)

    within(script())


def test_over_a_socket_a_raise_after_the_timeout_is_no_bet_on_the_flop(tmp_path: Path) -> None:
    async def script() -> None:
        async with arena(tmp_path, seats=2, move_time_ms=1_000) as place, two(place) as (_, big, watcher):
            question = await big.hear("act")
            await turn_of_seat(watcher, 1)
            await turn_of_seat(watcher, 1)  # time is up, and it is asked again on the flop
            await big.say(answer(question, "RAISE_TO", amount=300))
            assert await big.error() == "ACTION_TOO_LATE"
            assert not [frame for frame in big.heard if frame.get("ev") == "BET"]

    within(script())


def test_over_a_socket_who_answers_no_pings_plays_as_ever(tmp_path: Path) -> None:
    async def script() -> None:
        async with (
            arena(tmp_path, seats=2, move_time_ms=60_000) as place,
            aiohttp.ClientSession() as http,
            http.ws_connect(place.ws(), autoping=False) as ws,
            visit(place.ws()) as other,
        ):
            await ws.send_json({"type": "hello", "v": 1, "team": "Deaf", "join_code": "code"})
            await _next(ws, "welcome")
            await other.hello("Beta")
            for _ in range(3):  # the small blind of a hand, over and over
                question = await _next(ws, "act")
                await ws.send_json(answer(question, "FOLD"))
                await _next(ws, "end_hand")
                await other.say(answer(await other.hear("act"), "FOLD"))
                await _next(ws, "end_hand")

    within(script())


async def _next(ws: aiohttp.ClientWebSocketResponse, kind: str) -> dict[str, Any]:
    """The next frame of a type; pings are read and not answered."""
    while True:
        message = await ws.receive()
        if message.type is aiohttp.WSMsgType.PING:
            continue
        frame: dict[str, Any] = json.loads(message.data)
        assert frame["type"] != "error", frame
        if frame["type"] == kind:
            return frame
