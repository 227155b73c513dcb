"""A server that was stopped reads what came in time before any time is up, on either event loop."""

import asyncio
import sys
import time
from pathlib import Path
from threading import Event

import pytest

from tests.support.arena.servers import Frame, Peer, Place, arena, served, visit, within

WITHOUT_UVLOOP = "import sys; sys.modules['uvloop'] = None; "
COUNTING_STALLS = "import pitboss.arena.waking as waking; waking.STALL = float('inf'); "
OPTIONS = ("--move-time-ms", "2000", "--seats", "2", "--stack", "1000000")
LOOPS = pytest.mark.parametrize("first", ["", WITHOUT_UVLOOP], ids=["uvloop", "asyncio"])


def pitboss(first: str) -> tuple[str, ...]:
    """The command, in a process that does something else first."""
    return sys.executable, "-c", f"{first}from pitboss.cli.main import main; main()"


def action(act: Frame, word: str) -> Frame:
    """An answer to a question."""
    return {"type": "action", "v": 1, "hand_id": act["hand_id"], "action": word, "turn": act["turn"]}


async def two_seats(place: Place, a: Peer, b: Peer) -> Frame:
    """Seat two teams; gives the first question, which is A's."""
    await a.hello("A")
    await b.hello("B")
    return await a.hear("act")


async def nothing_from(peer: Peer, seconds: float) -> None:
    """Let so many seconds pass in which a server that is stopped says nothing."""
    while True:
        try:
            async with asyncio.timeout(seconds):
                await peer.hear()
        except TimeoutError:
            return


async def next_event(peer: Peer) -> Frame:
    """The next thing that somebody did."""
    while (event := await peer.hear("event"))["ev"] not in ("CALL", "CHECK", "FOLD", "BET"):
        pass
    return event


@LOOPS
@pytest.mark.parametrize("second", ["", COUNTING_STALLS], ids=["as it is", "counting stalls"])
def test_after_a_stall_what_was_answered_in_time_counts(tmp_path: Path, first: str, second: str) -> None:
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


@LOOPS
def test_a_machine_that_stood_still_gives_everybody_his_time_again(tmp_path: Path, first: str) -> None:
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
