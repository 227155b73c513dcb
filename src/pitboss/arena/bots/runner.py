"""An untrusted bot in its own process, called like any other bot and disqualified if it fails too often.

The process receives only its own seat's questions. If an answer is late, the bot loses its turn and its process is
ended. A new process starts without the old memory. A bot that loses its last process gets no more questions.
"""

import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import overload

import msgspec
from msgspec import Struct

from pitboss.arena.bots.namespaces import Enclosure
from pitboss.arena.bots.sandbox import (
    LAST_MOMENT,
    AnswerTimeout,
    BotLimits,
    Confinement,
    LineProcess,
    ProcessDied,
    hide_memory,
)
from pitboss.arena.wire.answers import Answer, GameAnswer, Question, answer_of
from pitboss.arena.wire.messages import Act, Action, Ask, MoveMessage, ServerMessage, write
from pitboss.errors import PitbossError
from pitboss.printing import printable

LOADING = 60.0
"""Seconds that a bot may take to be ready. Some bots load large tables."""
LIVES = 3
"""The number of lost processes after which a bot has lost its match."""
LONGEST_SENTENCE = 500


class BotFailure(PitbossError):
    """A bot gave no valid answer; the message gives the reason. `late` is whether the bot had no answer in time."""

    def __init__(self, reason: str, *, late: bool = False) -> None:
        super().__init__(reason)
        self.late = late


class BotAnswerError(BotFailure):
    """A bot sent something that is not an answer, or an answer that is not legal; the message gives the reason."""


class BotDisqualified(BotFailure):
    """A bot has lost its match and gets no more questions; the message gives the reason."""


class BotNotReady(PitbossError, ValueError):
    """A bot could not be loaded; the message gives the reason."""


class LoadLine(Struct, frozen=True):
    """The first line to a bot's process: the bot to load, the import path, and the confinement."""

    bot: str
    path: list[str]
    confinement: Confinement
    name: str = ""  #: the name of the bot's team


class LoadedLine(Struct, frozen=True):
    """The answer to the first line."""

    error: str | None = None
    lacking: list[str] = []  #: the parts of the confinement that this system does not support
    wants_messages: bool = False  #: whether the bot has a method on_message


class AskLine(Struct, frozen=True, omit_defaults=True):
    """Any later line to the process: a question, or a message from the server that needs no answer."""

    ask: Act | Ask | None = None
    message: str | None = None


class AnswerLine(Struct, frozen=True, omit_defaults=True):
    """The answer to a question, as a message. Without a valid answer, it states the reason."""

    action: Action | MoveMessage | None = None
    wrong: str | None = None  #: the fault of the answer
    raised: str | None = None  #: the exception that the bot raised, and its line


_encode = msgspec.json.Encoder().encode
_answers = msgspec.json.Decoder(AnswerLine)
_loaded = msgspec.json.Decoder(LoadedLine)


def to_stderr(line: str) -> None:
    """The logger for a bot's output, by default."""
    print(line, file=sys.stderr, flush=True)


class BotRunner:
    """A bot in its own process, with the interface that `offline` and `client` expect: call it with an act.

    The process runs `module`, which loads `bot`. As soon as the first such process starts, other processes cannot read
    the memory of this one.
    """

    def __init__(
        self,
        module: str,
        bot: str,
        *,
        limits: BotLimits,
        loading: float,
        say: Callable[[str], None],
        folder: Path | None = None,
        name: str = "",
        stretch: float | None = None,
        enclose: Callable[[], Enclosure] | None = None,
    ) -> None:
        hide_memory()
        self._module, self._folder, self._loading, self._stretch = module, folder, loading, stretch
        self._say = partial(_say_as, name, say)
        self._bot, self._name, self._limits, self._enclose = bot, name, limits, enclose
        self._lives = LIVES
        self._asking = threading.Lock()
        self._process: LineProcess | None = None
        self._wants_messages = False
        self.lacking: list[str] = []
        self.out: str | None = None  #: why it gets no more questions
        self._start()

    @property
    def pid(self) -> int | None:
        """The process that answers now, if there is one."""
        return self._process.pid if self._process is not None else None

    @overload
    def __call__(self, act: Act) -> Answer: ...

    @overload
    def __call__(self, act: Ask) -> GameAnswer: ...

    @overload
    def __call__(self, act: Question) -> Answer | GameAnswer: ...

    def __call__(self, act: Question) -> Answer | GameAnswer:
        """Return the bot's answer to a question, without a check that it is legal.

        Raise `BotFailure` if there is no answer.
        """
        with self._asking:
            return self._ask(act)

    def _ask(self, act: Question) -> Answer | GameAnswer:
        if self.out is not None:
            raise BotDisqualified(self.out)
        if self._process is None:
            self._restart()
        assert self._process is not None
        try:
            seconds = act.whole_ms / 1000
            at_most = None if self._stretch is None else self._stretch * seconds
            line = self._process.exchange(_encode(AskLine(ask=act)), seconds, at_most=at_most)
            found = _answers.decode(line)
        except ProcessDied as error:
            raise self._lost(str(error), late=isinstance(error, AnswerTimeout)) from None
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise self._lost("sent something that is not an answer") from None
        if found.raised is not None:
            raise BotFailure(f"raised {_shorten(found.raised)}")
        if found.action is None:
            raise BotAnswerError(_shorten(found.wrong or "answered nothing"))
        return answer_of(found.action)

    def on_message(self, message: ServerMessage) -> None:
        """Pass a message to the bot; it is dropped while the bot has no process."""
        with self._asking:
            if self._process is not None and self._wants_messages:
                try:
                    self._process.send(_encode(AskLine(message=write(message))), self._loading)
                except ProcessDied as error:
                    self._lost(str(error))

    def close(self) -> None:
        """End the bot. Any thread may call this. If another thread waits for an answer, its wait fails."""
        self.out = self.out or "is closed"
        if not self._asking.acquire(timeout=LAST_MOMENT):
            if (process := self._process) is not None:
                process.kill_now()
            self._asking.acquire()
        if self._process is not None:
            self._process.close()
            self._process = None
        self._asking.release()

    def _start(self) -> None:
        enclosure = None if self._enclose is None else self._enclose()
        confinement = Confinement(limits=self._limits) if enclosure is None else enclosure.confinement
        path = [entry for entry in sys.path if entry]
        load = _encode(LoadLine(self._bot, path, confinement, self._name))
        try:
            process = LineProcess(self._module, say=self._say, folder=self._folder, enclosure=enclosure)
        except OSError as error:
            raise BotNotReady(f"the bot could not be loaded: {error}") from None
        try:
            loaded = _loaded.decode(process.exchange(load, self._loading))
        except ProcessDied as error:
            raise BotNotReady(f"the bot could not be loaded: it {error}") from None
        except (msgspec.DecodeError, UnicodeDecodeError):
            process.kill()
            raise BotNotReady("the bot could not be loaded: it sent something that is not an answer") from None
        if loaded.error is not None:
            process.close()
            raise BotNotReady(_shorten(loaded.error))
        self._process, self.lacking, self._wants_messages = process, loaded.lacking, loaded.wants_messages

    def _restart(self) -> None:
        try:
            self._start()
        except BotNotReady as error:
            raise self._lost(f"could not be started again: {error}") from None

    def _lost(self, why: str, *, late: bool = False) -> BotFailure:
        """Count a lost process; return the error to raise."""
        if self._process is not None:
            self._process.kill()
        self._process = None
        self._lives -= 1
        if self._lives:
            return BotFailure(why, late=late)
        self.out = f"lost its match, because it has lost {LIVES} processes; the last one {why}"
        return BotDisqualified(self.out, late=late)


def _say_as(name: str, say: Callable[[str], None], line: str) -> None:
    """Print a line of a bot's output after the bot's name, so that it is not mistaken for another bot's."""
    say(f"{printable(name)}: {line}")


def _shorten(text: str) -> str:
    """Return text from a stranger, shortened and printable."""
    return printable(text[:LONGEST_SENTENCE])
