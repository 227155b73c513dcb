"""The house's process: its environment, and that tables do not wait long if it hangs, dies or cannot be started."""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue

import msgspec
import pytest

from pitboss.arena.bots import house as house_module
from pitboss.arena.bots.house import MODULE, READY_QUESTION, START_PATIENCE, House, HouseQuestion
from pitboss.arena.bots.sandbox import LineProcess
from pitboss.arena.wire.messages import write
from tests.support.arena.bot_spots import ask, deal
from tests.support.arena.servers import arena, listening, visit, within

BOUND = 60.0
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc, to look at processes")


class Asking:
    """A house, and its answers."""

    def __init__(self, patience: float) -> None:
        self.answers: SimpleQueue[tuple[int, str]] = SimpleQueue()
        self.house = House(lambda session, frame: self.answers.put((session, frame)), patience=patience)
        self._act = write(ask(deal("AsAd", "KsKd"), range(2)))

    def ask(self, session: int = 1) -> None:
        """Ask the calling bot a question whose safe answer is to fold."""
        self.house.ask(HouseQuestion(session, "calling", 1, self._act))

    def answer(self) -> str:
        """The word of the next answer."""
        frame = self.answers.get(timeout=BOUND)[1]
        (word,) = (word for word in ("CALL", "FOLD") if word in frame)
        return word

    def signal(self, number: int) -> None:
        """Send the process a signal."""
        assert self.house.pid is not None
        os.kill(self.house.pid, number)


@pytest.fixture
def asking() -> Iterator[Callable[[float], Asking]]:
    """Make houses, which are closed afterwards."""
    made: list[Asking] = []

    def make(patience: float = 30.0) -> Asking:
        made.append(Asking(patience))
        return made[-1]

    yield make
    for each in made:
        each.house.close()


@pytest.mark.timing
def test_hanging_process_is_killed_and_replaced_and_its_question_answered_safely(
    asking: Callable[[float], Asking],
) -> None:
    house = asking(2.0)
    house.ask()
    assert house.answer() == "CALL"
    first = house.house.pid
    house.signal(signal.SIGSTOP)
    with listening() as logged:
        began = time.monotonic()
        for session in (1, 2, 3):
            house.ask(session)
        assert [house.answer() for _ in range(3)] == ["FOLD", "CALL", "CALL"]
        assert time.monotonic() - began < BOUND
    assert house.house.pid not in (None, first)
    assert [line for line in logged if "gave no answer in 2 s" in line]


def test_process_that_ends_with_a_question_is_replaced(
    asking: Callable[[float], Asking],
) -> None:
    house = asking(30.0)
    house.ask()
    assert house.answer() == "CALL"
    house.signal(signal.SIGSTOP)  # so that it cannot answer before it is killed
    house.ask()
    house.signal(signal.SIGKILL)
    assert house.answer() == "CALL"


def test_a_process_that_ends_between_two_questions_is_not_noticed(asking: Callable[[float], Asking]) -> None:
    house = asking(30.0)
    for _ in range(3):
        house.ask()
        assert house.answer() == "CALL"
        house.signal(signal.SIGKILL)


def test_a_process_that_cannot_be_started_is_not_tried_at_every_question(
    asking: Callable[[float], Asking], monkeypatch: pytest.MonkeyPatch
) -> None:
    starts: list[str] = []

    def counted(name: str, **options: object) -> LineProcess:
        starts.append(name)
        return LineProcess(name, say=lambda line: None)

    monkeypatch.setattr(house_module, "MODULE", "pitboss.arena.bots.nowhere")
    monkeypatch.setattr(house_module, "LineProcess", counted)
    monkeypatch.setattr(house_module, "PAUSE", BOUND)
    house = asking(30.0)
    for session in range(20):
        house.ask(session)
    assert [house.answer() for _ in range(20)] == ["FOLD"] * 20
    assert len(starts) == 1


def test_a_house_with_questions_waiting_closes_at_once() -> None:
    asking = Asking(patience=BOUND)
    asking.ask()
    assert asking.answer() == "CALL"
    asking.signal(signal.SIGSTOP)
    for session in range(100):
        asking.ask(session)
    closing = threading.Thread(target=asking.house.close)
    closing.start()
    closing.join(BOUND / 2)
    assert not closing.is_alive()
    assert asking.house.pid is None
    assert asking.answers.qsize() <= 1, "nobody is there any more for the other ninety-nine"


@needs_proc
def test_the_house_is_given_no_variable_no_argument_and_no_descriptor_of_the_servers(
    asking: Callable[[float], Asking], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("PGPASSWORD", "PGPASSFILE", "PITBOSS_DB", "DATABASE_URL"):
        monkeypatch.setenv(name, "the-journal-of-the-server")
    house = asking(30.0)
    with (tmp_path / "the-journal-of-the-server").open("w") as journal:
        os.set_inheritable(journal.fileno(), True)
        house.ask()
        assert house.answer() == "CALL"
        process = Path(f"/proc/{house.house.pid}")
        if os.geteuid() == 0:  # other users can no longer look into it
            assert b"the-journal" not in (process / "environ").read_bytes()
            targets = [str(handle.readlink()) for handle in (process / "fd").iterdir()]
            assert [to for to in targets if not to.startswith("pipe:") and to != os.devnull] == []
        else:
            with pytest.raises(PermissionError):
                (process / "environ").read_bytes()
        assert (process / "cmdline").read_bytes().split(b"\0")[1:] == [b"-P", b"-m", house_module.MODULE.encode(), b""]


@pytest.mark.check
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGSTOP")
def test_table_continues_when_the_house_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped in the middle of a match, it is back before any bot's time is up, and the clock plays no turn."""
    monkeypatch.setattr(house_module, "PATIENCE", 1.0)

    async def scene() -> None:
        async with (
            arena(tmp_path, house=["calling", "calling"], stack=1_000_000, move_time_ms=60_000) as place,
            visit(place.watch()) as witness,
        ):
            for _ in range(2):
                await witness.receive("end_hand")
            pid = place.server._house.pid
            assert pid is not None
            os.kill(pid, signal.SIGSTOP)
            for _ in range(3):
                await witness.receive("end_hand")
            assert place.server._house.pid != pid
            assert not [frame for frame in witness.heard if frame.get("auto")]
        assert [line for line in place.logged if "gave no answer in 1 s" in line]

    within(scene())


def test_process_reports_ready_and_then_answers_every_question() -> None:
    act = ask(deal("AsAd", "KsKd"), range(2))
    question = HouseQuestion(session=1, bot="calling", seed=1, act=write(act))
    process = LineProcess(MODULE, say=print)
    try:
        assert process.exchange(READY_QUESTION, START_PATIENCE) == READY_QUESTION
        answers = [process.exchange(msgspec.json.encode(question), START_PATIENCE) for _ in range(2)]
        assert [json.loads(line)["action"] for line in answers] == ["CALL", "CALL"]
    finally:
        process.close()
