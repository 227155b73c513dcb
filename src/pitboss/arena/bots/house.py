"""The house bots of a server. They run in separate processes. A thread for each process sends it questions, and ends it
if it does not answer.

`python -m pitboss.arena.bots.house` is the process of pitboss's own bots. It reads one question per line and writes one
answer per line, until its input ends. A bot from a file has its own process and thread for each seat.
"""

import logging
import pickle
import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import ceil
from queue import SimpleQueue
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.bots import GAME_BOTS, HOUSE, Bot
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
from pitboss.arena.wire.answers import Question, read_answer, safe_action, thinking_ms
from pitboss.arena.wire.messages import Act, Action, Ask, MoveMessage, ServerMessage, read_server, write
from pitboss.chance import Chance

log = logging.getLogger("pitboss.arena")


MODULE = "pitboss.arena.bots.house"
READY_QUESTION = b"ready?"
FORGOTTEN = "forgotten"
PATIENCE = 8.0
"""Seconds that a house bot may use for an answer.

Together with a restart this is less than the default time of a turn.
"""
START_PATIENCE = 60.0
"""Seconds until the process must be ready."""
PAUSE = 5.0
"""Seconds between a failed start and the next attempt. Until then questions get the safe answer."""


class SeatRunner(Protocol):
    """A bot that has a thread for its seat: a file's process, or a language model."""

    @property
    def pid(self) -> int | None:
        """Its process, if there is one."""

    @property
    def out(self) -> str | None:
        """Why it gets no more questions, if that is so."""

    def __call__(self, act: Question, /) -> object:
        """Return the answer to a question, not yet checked."""

    def on_message(self, message: ServerMessage, /) -> None:
        """Receive a message."""

    def close(self) -> None:
        """End the bot."""


class SeatBot:
    """Asks one bot, question by question. `answered` is called from the thread of the bot, also if the bot fails."""

    def __init__(self, name: str, start: Callable[[], SeatRunner], answered: Callable[[str], None]) -> None:
        self._name, self._start, self._answered = name, start, answered
        self._waiting: SimpleQueue[ServerMessage | None] = SimpleQueue()
        self._runner: SeatRunner | None = None
        self._lost: str | None = None
        self._closing = False
        self._thread = threading.Thread(target=self._run, name=f"house {name}", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int | None:
        """The bot's process, if there is one."""
        runner = self._runner
        return runner.pid if runner is not None else None

    def hear(self, message: ServerMessage) -> None:
        """Queue a message for the bot, and return at once. A question is answered later."""
        self._waiting.put(message)

    def close(self) -> None:
        """Ask no more. A bot that is answering is ended."""
        self._closing = True
        self._waiting.put(None)
        runner = self._runner
        if runner is not None:
            runner.close()
        self._thread.join()

    def _run(self) -> None:
        while (message := self._waiting.get()) is not None and not self._closing:
            if isinstance(message, Act | Ask):
                self._answered(write(self._answer(message)))
            else:
                self._pass(message)
        if self._runner is not None:
            self._runner.close()

    def _pass(self, message: ServerMessage) -> None:
        if self._lost is None:
            try:
                self._runner = self._runner or self._start()
                self._runner.on_message(message)
            except Exception as error:  # the seat plays on with safe answers
                self._lost = str(error)
                log.warning("the bot %s %s", self._name, error)

    def _answer(self, act: Question) -> Action | MoveMessage:
        if self._lost is None:
            try:
                self._runner = self._runner or self._start()
                return read_answer(self._runner(_with_margin(act)), act)
            except Exception as error:  # whatever a bot does wrong, the table plays on
                if not self._closing:
                    log.warning("the bot %s %s", self._name, error)
                if self._runner is None:
                    self._lost = str(error)
                elif self._runner is not None:
                    self._lost = self._runner.out
        return safe_action(act)


def _with_margin(act: Question) -> Question:
    """Return the question with the time that the bot may use."""
    if isinstance(act, Ask):
        return replace(act, time_ms=max(1, ceil(thinking_ms(act.time_ms))))
    return replace(act, you=replace(act.you, time_ms=max(1, ceil(thinking_ms(act.you.time_ms)))))


class HouseQuestion(Struct):
    """A question to a bot at a seat. None as the question removes the bot."""

    session: int
    bot: str
    seed: int
    act: str
    position: bytes = b""  #: the game as the bot's seat sees it, if it is not poker


def team_names(bots: Sequence[str]) -> list[str]:
    """Return a different team name for each house bot.

    >>> team_names(["tight", "calling", "tight"])
    ['tight (house)', 'calling (house)', 'tight 2 (house)']
    """
    seen = [list(bots[:k]).count(bot) for k, bot in enumerate(bots)]
    return [
        f"{bot} {before + 1} (house)" if before else f"{bot} (house)" for bot, before in zip(bots, seen, strict=True)
    ]


def bot_of_team(team: str) -> str:
    """Return the name of the bot that plays for a house team.

    >>> bot_of_team("tight 2 (house)")
    'tight'
    """
    return team.partition(" ")[0]


class House:
    """Asks the bots one after the other in its own thread, which also calls `answered`.

    If the bots' process ends, another process is started and receives the question again. If it does not answer within
    `patience`, it is killed and the question gets the safe answer, so that the table does not wait long.
    """

    def __init__(
        self,
        answered: Callable[[int, str], None],
        *,
        files: Mapping[str, Callable[[], SeatRunner]] | None = None,
        listeners: Collection[str] = (),
        patience: float | None = None,
    ) -> None:
        self._answered = answered
        self.files = files or {}  #: the bots of files and the models, with the functions that start them
        self.listeners = frozenset(listeners)  #: the bots that receive all messages, not only questions
        self._seats: dict[int, SeatBot] = {}
        self._patience = PATIENCE if patience is None else patience
        self._waiting: SimpleQueue[HouseQuestion | None] = SimpleQueue()
        self._process: LineProcess | None = None
        self._start_after = 0.0  # after a failed start, the process is not started again for every question
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="house", daemon=True)

    @property
    def pid(self) -> int | None:
        """The ID of the bots' process, if there is one."""
        process = self._process
        return process.pid if process is not None else None

    def ask(self, question: HouseQuestion) -> None:
        """Ask a bot, and return at once."""
        if question.bot in self.files:
            self.hear(question.session, question.bot, question.act)
            return
        if self._thread.ident is None:
            self._thread.start()
        self._waiting.put(question)

    def dismiss(self, session: int, bot: str) -> None:
        """Stop asking a bot, because its match is over. Return at once."""
        seat = self._seats.pop(session, None)
        if seat is not None:
            threading.Thread(target=seat.close, name=f"dismissing {bot}", daemon=True).start()
        elif bot not in self.files and self._thread.ident is not None:
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

    def hear(self, session: int, bot: str, frame: str) -> None:
        """Pass a message to a bot with a thread of its own, and return at once."""
        if session not in self._seats:
            self._seats[session] = SeatBot(bot, self.files[bot], partial(self._answered, session))
        self._seats[session].hear(read_server(frame))

    def _run(self) -> None:
        while (question := self._waiting.get()) is not None and not self._closing:
            if question.act:
                self._answered(question.session, self._answer(question))
            elif self._process is not None:
                with suppress(ProcessDied):  # the next question starts another process
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
        """Return the answer of the process. Start the process if it is not running."""
        process = self._process or self._start()
        return process.exchange(line, self._patience).decode()

    def _start(self) -> LineProcess:
        self._start_after = time.monotonic() + PAUSE
        try:
            process = self._process = LineProcess(MODULE, say=_log_line)
        except OSError as error:
            raise ProcessDied(f"cannot be started: {error}") from None
        if self._closing:  # `close` was called meanwhile
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
    if isinstance(message, Ask):
        return _random_move(question, message)
    assert isinstance(message, Act)
    return write(safe_action(message))


def _random_move(question: HouseQuestion, ask: Ask) -> str:
    """Return a random move of a game other than poker; the same question gets the same answer."""
    move = Chance(question.seed).fork(ask.turn).choice(ask.legal)
    return write(MoveMessage(v=1, hand_id=ask.hand_id, move=move, turn=ask.turn))


def _game_move(question: HouseQuestion, ask: Ask) -> str:
    """Return a bot's move in a game other than poker; a random one if the bot fails."""
    if question.bot not in GAME_BOTS:
        return _random_move(question, ask)
    from pitboss.arena.bots.game_bots import choose  # poker does not need the lab's engine

    try:
        index = choose(question.bot, pickle.loads(question.position), Chance(question.seed).fork(ask.turn))
    except Exception as error:  # whatever a bot does wrong, the table goes on
        print(f"house bot {question.bot}: {error!r}", file=sys.stderr)
        return _random_move(question, ask)
    return write(MoveMessage(v=1, hand_id=ask.hand_id, index=index, turn=ask.turn))


def answer(question: HouseQuestion, bots: dict[int, Bot]) -> str:
    """Return a bot's answer as a frame; a bot that fails checks or folds. Without a question, remove the bot."""
    if not question.act:
        bots.pop(question.session, None)
        return FORGOTTEN
    act = read_server(question.act)
    if isinstance(act, Ask):
        return _game_move(question, act)
    assert isinstance(act, Act)
    if question.session not in bots:
        bots[question.session] = HOUSE[question.bot](Chance(question.seed))
    try:
        return write(read_answer(bots[question.session](act), act))
    except Exception as error:  # the table continues, whatever error a bot has
        print(f"house bot {question.bot}: {error!r}", file=sys.stderr)
        return _safe_move(question)


def make_handler() -> LineHandler:
    """Return a function that answers questions to the house's bots. Each bot has its own memory."""
    bots: dict[int, Bot] = {}
    decode = msgspec.json.Decoder(HouseQuestion).decode
    return lambda line: answer(decode(line), bots).encode()


def begin(line: bytes) -> tuple[bytes, LineHandler]:
    """Prepare the house's process; its first line only tests that the process is running."""
    confine(Confinement(limits=BotLimits()))
    return line, make_handler()


if __name__ == "__main__":
    serve_lines(begin)
