"""A bot's runner without a process: its reaction to each answer and each end, from a pretended process."""

import select
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.arena.bots import runner as runner_module
from pitboss.arena.bots import sandbox
from pitboss.arena.bots.runner import LIVES, BotAnswerError, BotDisqualified, BotFailure, BotNotReady, BotRunner
from pitboss.arena.bots.sandbox import AnswerTimeout, BotLimits, ProcessDied
from pitboss.arena.wire.messages import Act, Lobby
from pitboss.printing import printable
from tests.support.arena.bot_spots import ask, deal

Said = bytes | ProcessDied


class Pretender:
    """A process that gives prepared answers, one per line; all instances share the list of answers."""

    made: list["Pretender"]
    says: list[Said]

    def __init__(
        self, module: str, *, say: Callable[[str], None], folder: Path | None = None, enclosure: object = None
    ) -> None:
        self.pid = 100 + len(self.made)
        self.heard: list[tuple[bytes, float]] = []
        self.ended: list[str] = []
        self.made.append(self)

    def exchange(self, line: bytes, seconds: float, *, at_most: float | None = None) -> bytes:
        self.heard.append((line, seconds))
        said = self.says.pop(0)
        if isinstance(said, ProcessDied):
            raise said
        return said

    def send(self, line: bytes, seconds: float) -> None:
        self.heard.append((line, seconds))
        if self.says and isinstance(self.says[0], ProcessDied):
            said = self.says.pop(0)
            assert isinstance(said, ProcessDied)
            raise said

    def kill(self) -> None:
        self.ended.append("killed")

    def close(self) -> None:
        self.ended.append("closed")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., BotRunner]:
    """Start a runner whose processes say these things."""
    Pretender.made, Pretender.says = [], []
    monkeypatch.setattr(runner_module, "LineProcess", Pretender)
    monkeypatch.setattr(runner_module, "hide_memory", lambda: True)

    def start(*says: Said) -> BotRunner:
        Pretender.says += says
        return BotRunner("a.module", "a bot", limits=BotLimits(), loading=7.0, say=print)

    return start


Run = Callable[..., BotRunner]
READY = b'{"lacking":["a look"]}'
CALLS, FOLDS = [b'{"action":{"type":"action","v":1,"hand_id":"H","action":"%s"}}' % word for word in (b"CALL", b"FOLD")]
RAISES = b'{"action":{"type":"action","v":1,"hand_id":"H","action":"RAISE_TO","amount":300}}'


def question() -> Act:
    """A question with half a second to answer it."""
    act = ask(deal("AsAd", "KsKd"), range(2))
    return replace(act, you=replace(act.you, time_ms=500))


def test_bot_is_loaded_with_its_limits_and_gets_its_remaining_time(run: Run) -> None:
    runner = run(READY, CALLS, RAISES)
    assert (runner.pid, runner.lacking, runner.out) == (100, ["a look"], None)
    assert [runner(question()), runner(question())] == ["CALL", ("RAISE_TO", 300)]
    (loading, patience), (asking, seconds), _ = Pretender.made[0].heard
    loaded = msgspec.json.decode(loading)
    assert (loaded["bot"], loaded["confinement"]["limits"]["memory"], patience) == ("a bot", BotLimits().memory, 7.0)
    assert "" not in loaded["path"]
    assert (msgspec.json.decode(asking)["ask"]["seat"], seconds) == (question().seat, 0.5)


@pytest.mark.parametrize(
    ("said", "words", "end"),
    [
        (b'{"error":"no such file\\u001b[31m"}', printable("no such file\x1b[31m"), ["closed"]),
        (b"hello", "the bot could not be loaded: it sent something that is not an answer", ["killed"]),
        (b"\xff", "the bot could not be loaded: it sent something that is not an answer", ["killed"]),
        (ProcessDied("ended with status 3"), "the bot could not be loaded: it ended with status 3", []),
    ],
)
def test_bot_that_is_not_ready_reports_the_reason(run: Run, said: Said, words: str, end: list[str]) -> None:
    with pytest.raises(BotNotReady) as raised:
        run(said)
    assert str(raised.value) == words
    assert Pretender.made[0].ended == end


@pytest.mark.parametrize(
    ("said", "error", "words"),
    [
        (b'{"raised":"ValueError: no"}', BotFailure, "raised ValueError: no"),
        (b'{"wrong":"answered 3"}', BotAnswerError, "answered 3"),
        (b"{}", BotAnswerError, "answered nothing"),
        (b'{"wrong":"%s"}' % (b"x" * 600), BotAnswerError, "x" * 500),
    ],
)
def test_an_answer_that_does_not_count_costs_the_turn_alone(
    run: Run, said: Said, error: type[BotFailure], words: str
) -> None:
    runner = run(READY, said, CALLS)
    with pytest.raises(BotFailure) as raised:
        runner(question())
    assert type(raised.value) is error
    assert str(raised.value) == words
    assert runner(question()) == "CALL"
    assert (len(Pretender.made), Pretender.made[0].ended) == (1, [])


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (b"nonsense", "sent something that is not an answer"),
        (b"\xff", "sent something that is not an answer"),
        (AnswerTimeout("hung"), "hung"),
    ],
)
def test_bot_that_lost_its_last_process_gets_no_more_questions(run: Run, said: Said, words: str) -> None:
    runner = run(READY)
    for life in range(1, LIVES + 1):
        Pretender.says.append(said)
        with pytest.raises(BotDisqualified if life == LIVES else BotFailure, match=words) as raised:
            runner(question())
        assert isinstance(raised.value, BotDisqualified) == (life == LIVES)
        assert (runner.pid, Pretender.made[-1].ended) == (None, ["killed"])
        Pretender.says.append(READY)
    assert len(Pretender.made) == LIVES
    assert runner.out == f"lost its match, because it has lost {LIVES} processes; the last one {words}"
    with pytest.raises(BotDisqualified):
        runner(question())
    assert len(Pretender.made) == LIVES, "nothing is started for who is out"


def test_a_process_that_cannot_be_started_again_costs_another_life(run: Run) -> None:
    runner = run(READY, AnswerTimeout("hung"), b'{"error":"gone"}', READY, FOLDS)
    for words in ("hung", "could not be started again: gone"):
        with pytest.raises(BotFailure, match=words):
            runner(question())
    assert runner(question()) == "FOLD"
    Pretender.says.append(AnswerTimeout("hung"))
    with pytest.raises(BotDisqualified):
        runner(question())


def test_a_bot_without_on_message_receives_no_messages(run: Run) -> None:
    runner = run(READY)
    runner.on_message(Lobby(players=()))
    assert len(Pretender.made[0].heard) == 1


def test_a_bot_receives_messages_while_it_has_a_process(run: Run) -> None:
    runner = run(b'{"wants_messages":true}')
    runner.on_message(Lobby(players=()))
    line, seconds = Pretender.made[0].heard[-1]
    assert (msgspec.json.decode(line).keys(), seconds) == ({"message"}, 7.0)
    Pretender.says.append(ProcessDied("ended"))
    runner.on_message(Lobby(players=()))
    assert (runner.pid, runner.out, Pretender.made[0].ended) == (None, None, ["killed"])
    runner.on_message(Lobby(players=()))
    assert len(Pretender.made) == 1


def test_closed_runner_reports_it_and_ends_its_process(run: Run) -> None:
    runner = run(READY)
    runner.close()
    runner.close()
    assert (runner.pid, runner.out, Pretender.made[0].ended) == (None, "is closed", ["closed"])
    with pytest.raises(BotDisqualified, match="is closed"):
        runner(question())


def test_runner_waits_for_a_slow_reader_before_writing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def write(_: int, data: bytes) -> int:
        if done[-1:] in ([], ["waited"]):
            done.append(f"wrote {data[:4]!r}")
            return 4
        done.append("full")
        assert done[-2:] != ["full", "full"], "it tries again at once"
        raise BlockingIOError

    monkeypatch.setattr(sandbox, "os", SimpleNamespace(write=write))
    child = object.__new__(sandbox.LineProcess)
    child._in = -1
    child._write = select.poll()
    monkeypatch.setattr(child, "_wait", lambda *_: done.append("waited"))
    child.send(b"a long", 1.0)
    assert done == ["wrote b'a lo'", "full", "waited", "wrote b'ng\\n'"]
