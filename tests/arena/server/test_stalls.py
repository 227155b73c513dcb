"""A server that was stopped first reads what came in time, before any time is up, on either event loop."""

import asyncio
import sys
import time
from pathlib import Path
from threading import Event

import pytest

from tests.support.arena.servers import Frame, Peer, Place, arena, served, visit, within

pytestmark = pytest.mark.check

WITHOUT_UVLOOP = "import sys; sys.modules['uvloop'] = None; "
COUNTING_STALLS = "import pitboss.arena.server as waking; waking.STALL = float('inf'); "
OPTIONS = ("--move-time-ms", "2000", "--seats", "2", "--stack", "1000000")
LOOPS = pytest.mark.parametrize("first", ["", WITHOUT_UVLOOP], ids=["uvloop", "asyncio"])


def pitboss(first: str) -> tuple[str, ...]:
    """The command, in a process that does something else first."""
    return sys.executable, "-c", f"{first}from pitboss.cli.main import main; main()"


def action(act: Frame, word: str) -> Frame:
    """An answer to a question."""
    return {"type": "action", "v": 1, "hand_id": act["hand_id"], "action": word, "turn": act["turn"]}


async def two_seats(place: Place, a: Peer, b: Peer) -> Frame:
    """Seat two teams; return the first question, which is A's."""
    await a.hello("A")
    await a.receive("welcome")  # codes are checked side by side, and the first to be checked has the first seat
    await b.hello("B")
    return await a.receive("act")


async def nothing_from(peer: Peer, seconds: float) -> None:
    """Check that a stopped server sends nothing for this many seconds."""
    while True:
        try:
            async with asyncio.timeout(seconds):
                await peer.receive()
        except TimeoutError:
            return


async def next_event(peer: Peer) -> Frame:
    """The next action of a player."""
    while (event := await peer.receive("event"))["ev"] not in ("CALL", "CHECK", "FOLD", "BET"):
        pass
    return event


@pytest.mark.timing
@LOOPS
@pytest.mark.parametrize("second", ["", COUNTING_STALLS], ids=["as it is", "counting stalls"])
def test_answers_before_the_deadline_count_after_a_stall(tmp_path: Path, first: str, second: str) -> None:
    """Where a stall counts as time, only reading first helps; B's noise is read before A's answer."""

    async def scene() -> None:
        with served(tmp_path, *OPTIONS, pitboss=pitboss(first + second)) as server:
            async with visit(server.ws()) as a, visit(server.ws()) as b:
                act = await two_seats(server, a, b)
                with server.stopped():
                    await b.say("noise")
                    await a.say(action(act, "CALL"))
                    await nothing_from(b, 2.5)
                event = await next_event(b)
                assert (event["ev"], event["seat"]) == ("CALL", 0)
                assert "auto" not in event, "it was thrown away as late"

    within(scene())


@pytest.mark.timing
@LOOPS
def test_players_get_full_time_after_a_stall(tmp_path: Path, first: str) -> None:
    """The bot was suspended with the server: it answers only afterwards."""

    async def scene() -> None:
        with served(tmp_path, *OPTIONS, pitboss=pitboss(first)) as server:
            async with visit(server.ws()) as a, visit(server.ws()) as b:
                act = await two_seats(server, a, b)
                with server.stopped():
                    await nothing_from(b, 4.0)
                await a.say({"type": "action", "v": 1, "hand_id": "H-0", "action": "CALL"})
                assert await a.error() == "ACTION_TOO_LATE", "the server is up again, and has looked at its clock"
                await a.say(action(act, "CALL"))
                event = await next_event(b)
                assert (event["ev"], event["seat"]) == ("CALL", 0)
                assert "auto" not in event

    within(scene())


@pytest.mark.timing
def test_where_the_loop_is_always_late_turns_still_run_out(tmp_path: Path) -> None:
    async def scene() -> None:
        async with (
            arena(tmp_path, seats=2, move_time_ms=500) as place,
            visit(place.ws()) as a,
            visit(place.ws()) as b,
        ):
            await two_seats(place, a, b)
            late = asyncio.create_task(be_late())
            event = await next_event(b)
            late.cancel()
            assert event["auto"]

    async def be_late() -> None:
        while True:
            Event().wait(0.6)  # that it blocks is the point
            await asyncio.sleep(0)

    within(scene())


def test_a_bot_that_never_answers_runs_out_of_time_in_time(tmp_path: Path) -> None:
    async def scene() -> None:
        async with arena(tmp_path, seats=2, move_time_ms=500) as place, visit(place.ws()) as a, visit(place.ws()) as b:
            await two_seats(place, a, b)
            asked = time.monotonic()
            event = await next_event(b)
            assert event["auto"]
            assert time.monotonic() - asked >= 0.45

    within(scene())


@pytest.mark.timing
def test_absent_seat_does_not_slow_down_the_others(tmp_path: Path) -> None:
    """A9b on a real server: once 2,349 hands in 20 seconds became 18."""

    async def scene() -> tuple[float, float]:
        options = ("--move-time-ms", "1000", "--seats", "3", "--start-at", "3", "--stack", "1000000")
        with served(tmp_path, *options) as server:
            async with visit(server.ws()) as a, visit(server.ws()) as b, visit(server.ws()) as c:
                for peer, team in ((a, "A"), (b, "B"), (c, "C")):
                    await peer.hello(team)
                    await peer.receive("welcome")
                lost = asyncio.create_task(answers(c, 10**9))
                every = await speed(a, b, 60)
                lost.cancel()
                await c.ws.close()
                await speed(a, b, 4)  # until it was disconnected for a whole move time
                return every, await speed(a, b, 60)

    every, two = within(scene())
    assert two > every / 10, "the table waited for the seat that is gone"


async def speed(a: Peer, b: Peer, hands: int) -> float:
    """Let two seats answer at once for this many hands; return the hands per second."""
    began = time.monotonic()
    await asyncio.gather(answers(a, hands), answers(b, hands))
    return hands / (time.monotonic() - began)


async def answers(peer: Peer, hands: int) -> None:
    """Let a client check or fold for this many hands."""
    ended = 0
    while ended < hands:
        frame = await peer.receive("act", "end_hand")
        ended += frame["type"] == "end_hand"
        if frame["type"] == "act":
            await peer.say(action(frame, "CHECK" if "CHECK" in frame["legal"] else "FOLD"))
