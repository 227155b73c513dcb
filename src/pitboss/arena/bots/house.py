"""The house bots of a server: they think in processes of their own, each asked by a thread that is also its
watchdog.

`python -m pitboss.arena.bots.house` is the process of pitboss's own bots: a line with a question in, a line with
the answer out, until the input ends. A bot from a file has a process and a thread for its seat alone.
"""

import logging
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import ceil
from queue import SimpleQueue

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.bots import HOUSE, Bot
from pitboss.arena.bots.runner import BotFailure, BotNotReady, BotRunner
from pitboss.arena.bots.sandbox import (
    AnswerTimeout,
    BotLimits,
    Confinement,
    LineHandler,
    LineProcess,
    ProcessDied,
    confine,
    serve_lines,
)
from pitboss.arena.wire.answers import read_answer, safe_action, thinking_ms
from pitboss.arena.wire.messages import Act, Action, AskMessage, MoveMessage, read_server, write
from pitboss.chance import Chance

log = logging.getLogger("pitboss.arena")


MODULE = "pitboss.arena.bots.house"
READY_QUESTION = b"ready?"
FORGOTTEN = "forgotten"
PATIENCE = 8.0
"""Seconds that a house bot may think; with a restart, less than a seat's time as it is set by default."""
START_PATIENCE = 60.0
"""Seconds that the process may take until it is ready."""
PAUSE = 5.0
"""Seconds between a failed start and the next one; questions in between get the safe answer."""


class FileBot:
    """Asks one bot, question by question; `answered` is called from its thread. For a bot that fails it is safe."""

    def __init__(self, name: str, start: Callable[[], BotRunner], answered: Callable[[str], None]) -> None:
        self._name, self._start, self._answered = name, start, answered
        self._waiting: SimpleQueue[Act | None] = SimpleQueue()
        self._runner: BotRunner | None = None
        self._lost: str | None = None
        self._closing = False
        self._thread = threading.Thread(target=self._run, name=f"house {name}", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int | None:
        """The bot's process, if there is one."""
        runner = self._runner
        return runner.pid if runner is not None else None

    def ask(self, act: Act) -> None:
        """Have the bot answer; returns at once."""
        self._waiting.put(act)

    def close(self) -> None:
        """Ask no more."""
        self._closing = True
        self._waiting.put(None)
        runner = self._runner
        if runner is not None:
            runner.close()
        self._thread.join()

    def _run(self) -> None:
        while (act := self._waiting.get()) is not None and not self._closing:
            self._answered(write(self._answer(act)))
        if self._runner is not None:
            self._runner.close()

    def _answer(self, act: Act) -> Action:
        if self._lost is None:
            try:
                self._runner = self._runner or self._start()
                return read_answer(self._runner(_with_margin(act)), act)
            except (BotFailure, BotNotReady, ValueError) as error:
                if not self._closing:
                    log.warning("the bot %s %s", self._name, error)
                if isinstance(error, BotNotReady):
                    self._lost = str(error)
                elif self._runner is not None:
                    self._lost = self._runner.out
        return safe_action(act)


def _with_margin(act: Act) -> Act:
    """Return the question with the time that is the bot's."""
    return replace(act, you=replace(act.you, time_ms=max(1, ceil(thinking_ms(act.you.time_ms)))))


class HouseQuestion(Struct):
    """A question to a bot at a seat; without a question, the bot is removed and gets no more."""

    session: int
    bot: str
    seed: int
    act: str


def team_names(bots: Sequence[str]) -> list[str]:
    """A team's name for every house bot, all different.

    >>> team_names(["tight", "calling", "tight"])
    ['tight (house)', 'calling (house)', 'tight 2 (house)']
    """
    seen = [list(bots[:k]).count(bot) for k, bot in enumerate(bots)]
    return [
        f"{bot} {before + 1} (house)" if before else f"{bot} (house)" for bot, before in zip(bots, seen, strict=True)
    ]


def bot_of_team(team: str) -> str:
    """The bot that plays for a team of the house.

    >>> bot_of_team("tight 2 (house)")
    'tight'
    """
    return team.partition(" ")[0]


class House:
    """Asks the bots one after the other in a thread of its own, from which `answered` is called.

    If the bots' process ends, another is started and receives the question again. If it does not answer within
    `patience`, it is killed and the question gets the safe answer, so that no seat waits long for the house.
    """

    def __init__(
        self,
        answered: Callable[[int, str], None],
        *,
        files: Mapping[str, Callable[[], BotRunner]] | None = None,
        patience: float | None = None,
    ) -> None:
        self._answered = answered
        self._files = files or {}
        self._seats: dict[int, FileBot] = {}
        self._patience = PATIENCE if patience is None else patience
        self._waiting: SimpleQueue[HouseQuestion | None] = SimpleQueue()
        self._process: LineProcess | None = None
        self._start_after = 0.0  # a process that cannot be started is not tried at every question
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="house", daemon=True)

    @property
    def pid(self) -> int | None:
        """The process that thinks, if there is one."""
        process = self._process
        return process.pid if process is not None else None

    def ask(self, question: HouseQuestion) -> None:
        """Have a bot answer; returns at once."""
        if question.bot in self._files:
            self._ask_file(question)
            return
        if self._thread.ident is None:
            self._thread.start()
        self._waiting.put(question)

    def dismiss(self, session: int, bot: str) -> None:
        """Ask a bot no more: its match is over; returns at once."""
        seat = self._seats.pop(session, None)
        if seat is not None:
            threading.Thread(target=seat.close, name=f"dismissing {bot}", daemon=True).start()
        elif bot not in self._files and self._thread.ident is not None:
            self._waiting.put(HouseQuestion(session, bot, 0, ""))

    def close(self) -> None:
        """Ask no more."""
        self._closing = True
        self._waiting.put(None)
        process = self._process
        if process is not None:
            process.kill_now()
        for seat in self._seats.values():
            seat.close()
        if self._thread.ident is not None:
            self._thread.join()

    def _ask_file(self, question: HouseQuestion) -> None:
        session, act = question.session, read_server(question.act)
        assert isinstance(act, Act)  # other games have no such bots
        if session not in self._seats:
            answered = partial(self._answered, session)
            self._seats[session] = FileBot(question.bot, self._files[question.bot], answered)
        self._seats[session].ask(act)

    def _run(self) -> None:
        while (question := self._waiting.get()) is not None and not self._closing:
            if question.act:
                self._answered(question.session, self._answer(question))
            elif self._process is not None:
                with suppress(ProcessDied):  # the next question finds it dead
                    self._exchange(msgspec.json.encode(question))
        self._forget()

    def _answer(self, question: HouseQuestion) -> str:
        line = msgspec.json.encode(question)
        for _ in range(2):
            if self._process is None and time.monotonic() < self._start_after:
                break
            try:
                return self._exchange(line)
            except ProcessDied as error:
                self._forget()
                if self._closing:
                    break
                log.warning("the house's process %s", error)
                if isinstance(error, AnswerTimeout):
                    break
        return _safe_move(question)

    def _exchange(self, line: bytes) -> str:
        """The answer of the process, which is started if there is none."""
        process = self._process or self._start()
        return process.exchange(line, self._patience).decode()

    def _start(self) -> LineProcess:
        self._start_after = time.monotonic() + PAUSE
        try:
            process = self._process = LineProcess(MODULE, say=_log_line)
        except OSError as error:
            raise ProcessDied(f"cannot be started: {error}") from None
        if self._closing:  # it came after the last moment
            process.kill_now()
        process.exchange(READY_QUESTION, START_PATIENCE)
        self._start_after = 0.0
        return process

    def _forget(self) -> None:
        if self._process is not None:
            self._process.kill()
        self._process = None


def _log_line(line: str) -> None:
    log.warning("house: %s", line)


def _safe_move(question: HouseQuestion) -> str:
    message = read_server(question.act)
    if isinstance(message, AskMessage):
        return _random_move(question, message)
    assert isinstance(message, Act)
    return write(safe_action(message))


def _random_move(question: HouseQuestion, ask: AskMessage) -> str:
    """Return a random move of a game other than poker; the same question gets the same answer."""
    move = Chance(question.seed).fork(ask.turn).choice(ask.legal)
    return write(MoveMessage(v=1, hand_id=ask.hand_id, move=move, turn=ask.turn))


def answer(question: HouseQuestion, bots: dict[int, Bot]) -> str:
    """Return a bot's answer as a frame; a bot that fails checks or folds. Without a question, remove the bot."""
    if not question.act:
        bots.pop(question.session, None)
        return FORGOTTEN
    act = read_server(question.act)
    if isinstance(act, AskMessage):
        return _random_move(question, act)
    assert isinstance(act, Act)
    if question.session not in bots:
        bots[question.session] = HOUSE[question.bot](Chance(question.seed))
    try:
        return write(read_answer(bots[question.session](act), act))
    except Exception as error:  # whatever a bot does wrong, the table goes on
        print(f"house bot {question.bot}: {error!r}", file=sys.stderr)
        return _safe_move(question)


def make_handler() -> LineHandler:
    """Return what answers questions to the house's bots, each with its own memory."""
    bots: dict[int, Bot] = {}
    decode = msgspec.json.Decoder(HouseQuestion).decode
    return lambda line: answer(decode(line), bots).encode()


def begin(line: bytes) -> tuple[bytes, LineHandler]:
    """In the house's process: the first line only checks that the process is there."""
    confine(Confinement(limits=BotLimits()))
    return line, make_handler()


if __name__ == "__main__":
    serve_lines(begin)
