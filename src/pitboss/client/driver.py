"""A bot at its seat: carry out the effects of the conversation, limit the bot's time, and record the frames.

The bot runs in its own thread, one call after the other, and nothing waits for a call to end.
"""

import asyncio
import contextlib
import inspect
import logging
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from traceback import extract_tb
from types import TracebackType
from typing import IO, TYPE_CHECKING

import msgspec
from msgspec import Struct

from pitboss.arena.bots.runner import BotAnswerError, BotFailure
from pitboss.arena.bots.sandbox import describe_error
from pitboss.arena.wire.answers import AnswerError, Question, read_answer, safe_action, spell_reply, thinking_ms
from pitboss.arena.wire.messages import Hello, MatchEnd, Number, ServerMessage, SitIn, write
from pitboss.client.bots import ReadyBot
from pitboss.client.conversation import (
    AskBot,
    Conversation,
    DeliverMessage,
    DropQuestion,
    Effect,
    EndOfMatch,
    OpenNumber,
    Reconnect,
    Reply,
    ReportArena,
    ReportTrouble,
    SendAnswer,
    SendAnyway,
    SendSitIn,
)
from pitboss.client.errors import ArenaError, Replaced, Trouble
from pitboss.printing import printable
from pitboss.store.files import open_private

if TYPE_CHECKING:
    import aiohttp

log = logging.getLogger("pitboss.client")

LAST_MOMENT = 1.0
REPLACED = 4000
ANSWERS_WITHIN = 15.0
"""The maximum time in seconds until the arena's welcome."""


class _Frame(msgspec.Struct):
    """The fields of every frame."""

    type: str
    v: int


def _is_torn(path: Path) -> bool:
    """Return whether a record's last line is incomplete; raise `ArenaError` if the file is not a record."""
    if not path.is_file() or not path.stat().st_size:
        return False
    with path.open("rb") as file:
        first = file.readline()
        file.seek(-1, os.SEEK_END)
        torn = file.read(1) != b"\n"
    try:
        msgspec.json.decode(first, type=_Frame)
    except (msgspec.DecodeError, UnicodeError):
        if not first.startswith(b'{"type":') or first.endswith(b"\n"):  # not the beginning of a frame either
            raise ArenaError(
                f"--record: expected a record of frames or a new file, got {path}, which was not changed"
            ) from None
    return torn


class Recorder:
    """Appends frames to a file, if a path is given. If writing fails, the match continues without a record."""

    def __init__(self, path: str | Path | None) -> None:
        self._path = path
        self._file: IO[str] | None = None

    def __enter__(self) -> "Recorder":
        if self._path is not None:
            torn = _is_torn(Path(self._path))
            self._file = open_private(Path(self._path), "a")  # private, because it contains cards
            if torn:
                self._file.write("\n")  # new frames begin on a new line
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()

    def write(self, frame: str) -> None:
        """Record a frame; a frame that is not JSON is left out, so that every line is JSON."""
        if self._file is None:
            return
        try:
            line = msgspec.json.format(frame, indent=-1)  # without line breaks
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return
        try:
            self._file.write(f"{line}\n")
        except OSError as error:
            log.error("%s cannot be written any more (%s): the match continues without a record", self._path, error)
            self._close()

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError as error:
                log.error("%s: %s", self._path, error)


class BotReply(Struct, frozen=True):
    """The bot's reaction to a question: an unchecked answer, or a sentence about an error."""

    answer: object = None
    error: str | None = None  #: what the bot did instead of answering
    wrong: str | None = None  #: why the bot's own process refused the answer


class BotThread:
    """A bot in its own thread, for use from an event loop.

    The thread is a daemon, so a bot that never returns does not stop the program from ending.
    """

    def __init__(self, bot: ReadyBot) -> None:
        self._bot = bot
        self._raised: set[object] = set()  # the lines of code whose exceptions were logged with a traceback
        self._loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        self._work: SimpleQueue[Callable[[asyncio.Runner], None] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="pitboss bot", daemon=True)
        self._thread.start()

    def receive(self, message: ServerMessage) -> None:
        """Put a message into the bot's queue."""
        if self._bot.on_message is not None:
            self._work.put(lambda runner: self._receive(runner, message))

    def ask(self, act: Question) -> asyncio.Future[BotReply]:
        """Put a question into the bot's queue; return a future for the answer. Cancelling it can still remove it."""
        future: asyncio.Future[BotReply] = self._loop.create_future()
        self._work.put(lambda runner: self._ask(runner, act, future))
        return future

    async def close(self) -> None:
        """End the thread after the remaining messages; wait for that at most `LAST_MOMENT` seconds."""
        self._work.put(None)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_MOMENT):
                await self._ended.wait()

    def _run(self) -> None:
        with asyncio.Runner() as runner:  # one loop for all calls, so that an async bot may keep its objects
            while (call := self._work.get()) is not None:
                call(runner)
            self._close(runner)
        with contextlib.suppress(RuntimeError):  # the loop may be closed by now
            self._loop.call_soon_threadsafe(self._ended.set)

    def _receive(self, runner: asyncio.Runner, message: ServerMessage) -> None:
        assert self._bot.on_message is not None
        try:
            await_result(runner, self._bot.on_message(message))
        except BaseException as error:
            if self._is_new(error):
                log.exception("the bot's on_message raised, and play goes on")
            else:
                log.warning("the bot's on_message raised %s, and play goes on", describe_error(error))

    def _close(self, runner: asyncio.Runner) -> None:
        if self._bot.close is not None:
            try:
                await_result(runner, self._bot.close())
            except BaseException as error:
                log.warning("the bot's close raised %s", describe_error(error))

    def _ask(self, runner: asyncio.Runner, act: Question, future: asyncio.Future[BotReply]) -> None:
        if future.cancelled():
            return
        try:
            thought = BotReply(await_result(runner, self._bot.ask(act)))
        except BotAnswerError as error:
            thought = BotReply(wrong=str(error))
        except BotFailure as error:
            thought = BotReply(error=str(error))
        except BaseException as error:  # a bot that calls sys.exit must not take the thread with it
            if self._is_new(error):
                log.exception("the bot raised an exception")
            thought = BotReply(error=f"raised {describe_error(error)}")
        with contextlib.suppress(RuntimeError):  # the loop may be closed by now
            self._loop.call_soon_threadsafe(_set_result, future, thought)

    def _is_new(self, error: BaseException) -> bool:
        """Return whether an exception of this kind is the first at its place."""
        places = [(step.filename, step.lineno) for step in extract_tb(error.__traceback__)]
        found = (type(error), places[-1])
        known = found in self._raised
        self._raised.add(found)
        return not known


def await_result(runner: asyncio.Runner, result: object) -> object:
    """Return what a bot's function returned, awaited if it is asynchronous."""
    if not inspect.isawaitable(result):
        return result

    async def awaited() -> object:
        value: object = await result
        return value

    return runner.run(awaited())


def _set_result(future: asyncio.Future[BotReply], thought: BotReply) -> None:
    if not future.done():
        future.set_result(thought)


class ConnectionEnd(Struct, frozen=True):
    """The reason why a connection ended before the match, and the time to wait before the next one."""

    why: str
    wait_ms: int = 0


class BotDriver:
    """One bot's seat in the arena. The same object is used for all connections of a match."""

    def __init__(
        self,
        conversation: Conversation,
        bot: BotThread,
        recorder: Recorder,
        on_message: Callable[[ServerMessage], object] | None = None,
        on_trouble: Callable[[Trouble], object] | None = None,
    ) -> None:
        self.conversation = conversation
        self._bot, self._recorder = bot, recorder
        self._on_message, self._on_trouble = on_message, on_trouble
        self._ws: aiohttp.ClientWebSocketResponse | None = None
        self._turn = -1
        self._thought: asyncio.Future[BotReply] | None = None
        self._waiting: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, ws: "aiohttp.ClientWebSocketResponse", hello: Hello) -> MatchEnd | ConnectionEnd:
        """Play on a connection until it ends; return the result of the match, or why the connection ended."""
        self._ws = ws
        try:
            try:
                await ws.send_str(write(hello))
            except ConnectionError as error:
                return ConnectionEnd(str(error))
            while True:
                ended = await self._next(ws)
                if ended is not None:
                    return ended
        except asyncio.CancelledError:
            self._ws = None  # so that no other task sends a message after the last one
            with contextlib.suppress(ConnectionError):  # sent before a welcome too: the server may have given a seat
                await ws.send_str(write(self.conversation.farewell()))
            raise
        finally:
            self._ws = None

    async def _next(self, ws: "aiohttp.ClientWebSocketResponse") -> MatchEnd | ConnectionEnd | None:
        """Receive the next frame."""
        import aiohttp

        try:
            frame = await ws.receive(None if self.conversation.welcomed else ANSWERS_WITHIN)
        except TimeoutError:
            return ConnectionEnd("the arena did not send a welcome in time")
        if frame.type is aiohttp.WSMsgType.TEXT:
            return await self._received(frame.data)
        if frame.type is not aiohttp.WSMsgType.BINARY:
            return _reason_for_close(ws.close_code, frame.extra)
        log.warning("ignored a binary frame")
        return None

    async def close(self) -> None:
        """Cancel everything that still runs."""
        self._forget()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _received(self, frame: str) -> MatchEnd | ConnectionEnd | None:
        self._recorder.write(frame)
        for effect in self.conversation.receive(frame):
            ended = await self._do(effect)
            if ended is not None:
                return ended
        return None

    async def _do(self, effect: Effect) -> MatchEnd | ConnectionEnd | None:
        match effect:
            case DeliverMessage(message):
                self._bot.receive(message)
                if self._on_message is not None:
                    self._on_message(message)
            case AskBot(act):
                self._ask(act)
            case DropQuestion():
                self._forget()
            case SendAnswer(action, after_ms):
                self._start(self._say(action, after_ms))
            case SendAnyway(action):
                await self._send(action)
            case OpenNumber(number):
                await self._send(number)
            case SendSitIn():
                await self._send(SitIn(v=1))
            case ReportArena(sentence):
                log.error("%s", sentence)
            case ReportTrouble(trouble):
                self._report(trouble)
            case Reconnect(after_ms):
                return ConnectionEnd("the arena asks to connect later", after_ms)
            case EndOfMatch(MatchEnd() as result):
                return result
            case EndOfMatch(error):
                assert not isinstance(error, MatchEnd)
                raise error
        return None

    def _ask(self, act: Question) -> None:
        """Ask the bot. If it is already answering this question, only start its time again."""
        if self._thought is None or self._turn != act.turn:
            self._forget()
            self._turn, self._thought = act.turn, self._bot.ask(act)
        elif self._waiting is not None:
            self._waiting.cancel()
        self._waiting = self._start(self._wait_for_bot(act, self._thought))

    def _forget(self) -> None:
        """Discard the answer that the bot is still working on."""
        for each in (self._waiting, self._thought):
            if each is not None:
                each.cancel()
        self._waiting = self._thought = None

    async def _wait_for_bot(self, act: Question, thought: asyncio.Future[BotReply]) -> None:
        """Wait for the bot until its time is up, and answer."""
        await asyncio.wait([thought], timeout=thinking_ms(act.whole_ms) / 1000)
        if not self.conversation.is_open(act):
            return
        action, trouble = _choose_answer(act, thought.result() if thought.done() else None)
        self._waiting = None  # so that `_forget` does not cancel this task
        self._forget()
        if trouble is not None:
            self._report(trouble)
        if self.conversation.answered(action):
            await self._say(action)

    async def _say(self, action: Reply, after_ms: int = 0) -> None:
        if after_ms:
            await asyncio.sleep(after_ms / 1000)
        if self.conversation.is_current(action):
            await self._send(action)

    async def _send(self, message: Reply | Number | SitIn) -> None:
        if self._ws is not None:
            with contextlib.suppress(ConnectionError):  # the conversation sends it again on the next connection
                await self._ws.send_str(write(message))

    def _report(self, trouble: Trouble) -> None:
        log.warning("%s", trouble.sentence)
        if self._on_trouble is not None:
            self._on_trouble(trouble)

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)  # the event loop keeps only weak references to tasks
        task.add_done_callback(self._tasks.discard)
        return task


def _choose_answer(act: Question, thought: BotReply | None) -> tuple[Reply, Trouble | None]:
    """Return the answer to send, and what was wrong with the bot's own answer."""
    safe = safe_action(act)
    given = spell_reply(safe, act)
    if thought is None:
        late = f"the bot has not answered in {thinking_ms(act.whole_ms) / 1000:g} s, so the answer is {given}"
        return safe, Trouble("late", late, act)
    if thought.error is not None:
        return safe, Trouble("raised", f"the bot {thought.error}, so the answer is {given}", act)
    try:
        if thought.wrong is not None:
            raise AnswerError(thought.wrong)
        return read_answer(thought.answer, act), None
    except ValueError as error:
        return safe, Trouble("illegal", f"{error}; the answer is {given} instead", act)


def _reason_for_close(code: int | None, reason: str | None) -> ConnectionEnd:
    """Return why a connection ended; raise `Replaced` if another connection has taken the seat."""
    if code == REPLACED:
        raise Replaced("a newer connection with the same team and code has taken the seat, so this one ends")
    return ConnectionEnd(f"closed with {code}" + (f": {printable(reason)}" if reason else ""))
