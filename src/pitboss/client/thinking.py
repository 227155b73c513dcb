"""The thread in which a bot thinks: one call after the other, never two at once, and nobody has to wait for its end."""

import asyncio
import contextlib
import inspect
import logging
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from traceback import extract_tb

from msgspec import Struct

from pitboss.arena.bots.own_code import error_in_words
from pitboss.arena.bots.runner import BotAnswerError, BotFailure
from pitboss.arena.v1.messages import Act, ServerMessage
from pitboss.client.bots import ReadyBot

log = logging.getLogger("pitboss.client")

MARGIN_MS, MARGIN_SHARE = 500, 0.2
LAST_MOMENT = 1.0


def allowance(time_ms: int) -> float:
    """The seconds a bot may think: its time less a margin for the way back, a fifth of it or half a second.

    >>> allowance(15_000), allowance(1_000)
    (14.5, 0.8)
    """
    return (time_ms - min(MARGIN_MS, MARGIN_SHARE * time_ms)) / 1000


class Thought(Struct, frozen=True):
    """What became of a question: an answer, unchecked, or what was wrong with it or with the bot, in words."""

    answer: object = None
    error: str | None = None  #: what the bot did instead of answering
    wrong: str | None = None  #: what a process that checks its bot's answers says of this one


class Thinker:
    """A bot in a thread of its own, asked from an event loop.

    The thread is a daemon: a bot that never returns holds up neither the next answer nor the end of the program.
    """

    def __init__(self, bot: ReadyBot) -> None:
        self._bot = bot
        self._raised: set[object] = set()  # where it raised: the first time of each is told whole
        self._loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        self._work: SimpleQueue[Callable[[asyncio.Runner], None] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="pitboss bot", daemon=True)
        self._thread.start()

    def hear(self, message: ServerMessage) -> None:
        """Let the bot hear a message, before anything it is asked later."""
        if self._bot.hear is not None:
            self._work.put(lambda runner: self._hear(runner, message))

    def ask(self, act: Act) -> asyncio.Future[Thought]:
        """The bot's answer to come; a question cancelled before its turn is never put."""
        future: asyncio.Future[Thought] = self._loop.create_future()
        self._work.put(lambda runner: self._ask(runner, act, future))
        return future

    async def close(self) -> None:
        """Let the bot hear what it has not heard yet, for a moment, and the thread end once it has returned."""
        self._work.put(None)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_MOMENT):
                await self._ended.wait()

    def _run(self) -> None:
        with asyncio.Runner() as runner:  # one loop for all calls, so that an async bot may keep what belongs to it
            while (call := self._work.get()) is not None:
                call(runner)
        with contextlib.suppress(RuntimeError):  # the loop may be closed by now
            self._loop.call_soon_threadsafe(self._ended.set)

    def _hear(self, runner: asyncio.Runner, message: ServerMessage) -> None:
        assert self._bot.hear is not None
        try:
            finish(runner, self._bot.hear(message))
        except BaseException as error:
            if self._is_new(error):
                log.exception("the bot's on_message raised, and play goes on")
            else:
                log.warning("the bot's on_message raised %s, and play goes on", error_in_words(error))

    def _ask(self, runner: asyncio.Runner, act: Act, future: asyncio.Future[Thought]) -> None:
        if future.cancelled():
            return
        try:
            thought = Thought(finish(runner, self._bot.ask(act)))
        except BotAnswerError as error:
            thought = Thought(wrong=str(error))
        except BotFailure as error:
            thought = Thought(error=str(error))
        except BaseException as error:  # a bot that calls sys.exit must not take the thread with it
            if self._is_new(error):
                log.exception("the bot raised an exception")
            thought = Thought(error=f"raised {error_in_words(error)}")
        with contextlib.suppress(RuntimeError):  # the loop may be closed by now
            self._loop.call_soon_threadsafe(_settle, future, thought)

    def _is_new(self, error: BaseException) -> bool:
        """Whether nothing of its kind was raised at its place before."""
        places = [(step.filename, step.lineno) for step in extract_tb(error.__traceback__)]
        found = (type(error), places[-1])
        known = found in self._raised
        self._raised.add(found)
        return not known


def finish(runner: asyncio.Runner, result: object) -> object:
    """What a bot's function returned, awaited if it is asynchronous."""
    if not inspect.isawaitable(result):
        return result

    async def awaited() -> object:
        value: object = await result
        return value

    return runner.run(awaited())


def _settle(future: asyncio.Future[Thought], thought: Thought) -> None:
    if not future.done():
        future.set_result(thought)
