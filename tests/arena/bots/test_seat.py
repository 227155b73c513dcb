"""A file that plays for the house, without a process: when its bot is started, asked, given up and closed."""

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from pitboss.arena.bots.house import SeatBot
from pitboss.arena.bots.runner import BotDisqualified, BotFailure, BotNotReady, BotRunner
from pitboss.arena.wire.messages import Act
from tests.support.arena.bot_spots import ask, deal
from tests.support.for_each import for_each

BOUND = 30.0


def question(time_ms: int = 10_000) -> Act:
    """A question that may be answered with a fold or a call."""
    act = ask(deal("AsAd", "KsKd"), range(2))
    return replace(act, you=replace(act.you, time_ms=time_ms))


class Runner:
    """Gives prepared answers, one after the other."""

    def __init__(self, *says: str | Exception) -> None:
        self.says = list(says)
        self.pid = 7
        self.out: str | None = None
        self.asked: list[Act] = []
        self.closed = 0

    def __call__(self, act: Act) -> str:
        self.asked.append(act)
        said = self.says.pop(0)
        if isinstance(said, BotDisqualified):
            self.out = str(said)
        if isinstance(said, Exception):
            raise said
        return said

    def close(self) -> None:
        self.closed += 1


class Sat:
    """A seat, and its answers."""

    def __init__(self, start: Callable[[], Any]) -> None:
        self.answers: SimpleQueue[str] = SimpleQueue()
        self.started = 0

        def begin() -> BotRunner:
            self.started += 1
            return cast(BotRunner, start())

        self.seat = SeatBot("bot.py", begin, self.answers.put)

    def ask(self, time_ms: int = 10_000) -> str:
        self.seat.hear(question(time_ms))
        return str(msgspec.json.decode(self.answers.get(timeout=BOUND))["action"])


def test_a_bot_is_started_with_its_first_question_and_closed_with_its_seat() -> None:
    runner = Runner("CALL", "FOLD")
    sat = Sat(lambda: runner)
    assert (sat.seat.pid, sat.started) == (None, 0)
    assert [sat.ask(), sat.ask()] == ["CALL", "FOLD"]
    assert (sat.seat.pid, sat.started) == (7, 1)
    sat.seat.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "house bot.py"]
    assert runner.closed >= 1


def test_seat_without_a_question_can_be_closed() -> None:
    sat = Sat(Runner)
    sat.seat.close()
    assert sat.started == 0


@for_each("time_ms, given", [(10_000, 9_500), (2_500, 2_000), (1_000, 800), (4, 4), (1, 1)])
def test_of_a_seats_time_a_part_is_not_the_bots(time_ms: int, given: int) -> None:
    runner = Runner("CALL")
    sat = Sat(lambda: runner)
    sat.ask(time_ms)
    sat.seat.close()
    assert [act.you.time_ms for act in runner.asked] == [given]


def test_failed_bot_gets_another_question_but_a_disqualified_one_does_not() -> None:
    runner = Runner(BotFailure("was late"), "no word", "CALL", BotDisqualified("lost"))
    sat = Sat(lambda: runner)
    assert [sat.ask() for _ in range(5)] == ["FOLD", "FOLD", "CALL", "FOLD", "FOLD"]
    assert len(runner.asked) == 4
    sat.seat.close()


def test_a_bot_that_is_not_ready_is_not_started_again() -> None:
    def start() -> Runner:
        raise BotNotReady("no such file")

    sat = Sat(start)
    assert [sat.ask(), sat.ask()] == ["FOLD", "FOLD"]
    assert sat.started == 1
    assert sat.seat.pid is None
    sat.seat.close()
