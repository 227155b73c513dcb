"""The doctor behind a socket: real connections come, drop, and are judged as on the stage without sockets."""

import asyncio
import re
import socket
import sys

import pytest
from msgspec.structs import replace

from pitboss.arena.doctor.endpoint import DoctorError, _Connection, _Endpoint, examine
from pitboss.arena.doctor.exam import Admit, BotMessage, Cut, Listen, Pace, Reply, SendFrame
from pitboss.arena.doctor.verdicts import ExamReport
from pitboss.extras import install_command
from tests.support.client import bad_clients as sick
from tests.support.client.bad_bots import Healthy
from tests.support.client.scripted import within
from tests.support.client.sockets import wired

BRISK = Pace(comes=20.0, leaves=5.0, quiet=0.02, thinks=0.05, grace=0.1)


def seen(bot: type[Healthy], pace: Pace = BRISK) -> dict[str, str]:
    """The verdicts on a bot that is started for every script."""
    found = within(examine(lambda url: wired(bot(), url), pace=pace))
    return {check.name: check.verdict for check in found.checks}


@pytest.mark.check
def test_a_healthy_bot_passes_behind_a_socket() -> None:
    verdicts = seen(Healthy)
    assert set(verdicts.values()) == {"pass"}
    assert {"match end", "TEAM_TAKEN", "TEAM_UNKNOWN", "TABLE_FULL", "replaced"} <= set(verdicts)


@pytest.mark.check
@pytest.mark.parametrize(
    ("bot", "caught"),
    [
        (sick.AnswersTwice, "one answer"),
        (sick.WritesAmounts, "amounts"),
        (sick.SendsBytes, "messages"),
        (sick.StopsAtUnknownTypes, "unknown messages"),
        (sick.NeverComesBack, "reconnect between hands"),
        (sick.KnocksAgain, "TEAM_TAKEN"),
        (sick.Fights, "replaced"),
    ],
)
def test_a_sick_bot_is_caught_behind_a_socket(bot: type[Healthy], caught: str) -> None:
    assert seen(bot)[caught] == "fail"


def test_silent_bot_is_detected_behind_a_socket() -> None:
    assert seen(sick.SaysNothing, replace(BRISK, comes=0.3))["hello"] == "fail"


def test_a_slow_bot_is_caught_behind_a_socket() -> None:
    assert seen(sick.VerySlow, replace(BRISK, move_time_ms=20, short_time_ms=10))["in time"] == "fail"


@pytest.mark.check
def test_externally_started_bot_is_awaited_and_asked_to_reconnect_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pitboss.arena.doctor.endpoint.RESTART_WAIT", 0.5)
    said: list[str] = []

    async def both() -> ExamReport:
        bot: asyncio.Task[None] | None = None

        def say(sentence: str) -> None:
            nonlocal bot
            said.append(sentence)
            if bot is None:
                bot = asyncio.ensure_future(wired(Healthy(), sentence.split()[-1]))

        found = await examine(None, pace=replace(BRISK, leaves=0.3), say=say)
        assert bot is not None
        await bot
        return found

    found = within(both())
    assert found.failed == 0
    assert [(check.name, check.verdict) for check in found.checks][-1] == ("TEAM_TAKEN", "advice")
    assert "ws://127.0.0.1:" in said[0]
    assert said[1].startswith("start the bot once more within 0.5 s")


def test_doctor_reports_that_no_bot_connected() -> None:
    with pytest.raises(DoctorError, match=r"no bot came to ws://127\.0\.0\.1:\d+/ws within 0\.05 s"):
        within(examine(None, pace=Pace(comes=0.05)))


def test_a_port_in_use_is_named_in_one_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(DoctorError, match=f"port {port} cannot be listened on"):
            within(examine(None, port=port, pace=Pace(comes=0.05)))


@pytest.mark.check
def test_a_bot_that_opens_a_second_connection_has_left_the_first() -> None:
    async def doubling(url: str) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(wired(Healthy(), url))
            group.create_task(wired(Healthy(), url))

    found = within(examine(doubling, pace=BRISK))
    verdicts = {check.name: check for check in found.checks}
    assert verdicts["free check"].sentence.startswith("it ended the connection")
    assert verdicts["TEAM_TAKEN"].verdict == "fail"


def test_missing_socket_extra_is_named_with_its_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    with pytest.raises(DoctorError, match=re.escape(f"the doctor needs aiohttp: {install_command('arena')}")):
        seen(Healthy)


# --- where the bot connects, without a socket


class Recorded(_Connection):
    """A connection that only records calls."""

    def __init__(self) -> None:
        super().__init__(None, None)  # type: ignore[arg-type]  # nothing is sent by it
        self.done: list[str] = []

    async def send(self, frame: str | bytes) -> None:
        self.done.append(f"sent {frame!r}")

    def cut(self) -> None:
        self.done.append("cut")


def test_a_bot_that_has_ended_is_waited_for_no_longer() -> None:
    async def admitted() -> Reply:
        endpoint, bot = _Endpoint(), asyncio.get_running_loop().create_future()
        bot.set_result(None)
        endpoint.expect(bot)
        async with asyncio.timeout(5.0):
            return await endpoint.do(Admit(600.0))

    assert asyncio.run(admitted()) is None


def test_every_connection_is_closed_and_then_receives_nothing() -> None:
    async def ended() -> list[list[str]]:
        endpoint, connections = _Endpoint(), [Recorded() for _ in range(4)]
        endpoint._here = connections[0]
        await endpoint.do(Cut(None, ""))
        await endpoint.do(SendFrame("late"))
        endpoint._here = connections[1]
        endpoint._arrivals.put_nowait(connections[2])
        endpoint._arrivals.put_nowait(connections[3])
        endpoint.hang_up()
        await endpoint.do(SendFrame("late"))
        return [connection.done for connection in connections]

    assert asyncio.run(ended()) == [["cut"]] * 4


class Clock:
    """A clock that a test moves by hand, in whole seconds."""

    def __init__(self) -> None:
        self.now = 0

    def monotonic(self) -> float:
        return self.now


class BusyMachine:
    """A socket on a machine that lets a bot read and answer long before the sender of the frame continues."""

    def __init__(self, clock: Clock, stalled: int) -> None:
        self.clock, self.stalled = clock, stalled

    async def send_str(self, frame: str) -> None:
        self.clock.now += self.stalled


@pytest.mark.parametrize(("answered", "after"), [((3,), (3,)), ((3, 7), (3, 4)), ((90,), (90,)), ((-1,), (0,))])
def test_answer_time_counts_from_sending_the_question(
    answered: tuple[int, ...], after: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr("pitboss.arena.doctor.endpoint.time", clock)

    async def said() -> list[Reply]:
        endpoint = _Endpoint()
        connection = _Connection(BusyMachine(clock, 20), None)  # type: ignore[arg-type]  # all that is used of a socket
        endpoint._here = connection
        clock.now = 100
        await endpoint.do(SendFrame("{}"))
        for at in answered:
            connection.heard.put_nowait((100 + at, BotMessage("{}")))
        return [await endpoint.do(Listen(1.0)) for _ in answered]

    assert asyncio.run(said()) == [BotMessage("{}", seconds * 1000) for seconds in after]
