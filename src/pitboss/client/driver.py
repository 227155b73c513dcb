"""A bot at its seat: carries out what the talk says, over whichever connection there is, and minds the bot's time."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING

from msgspec import Struct

from pitboss.arena.v1.answers import AnswerError, read_answer, safe_action
from pitboss.arena.v1.messages import Act, Action, Hello, Leave, MatchEnd, Number, ServerMessage, write
from pitboss.client.errors import Replaced, Trouble
from pitboss.client.recording import Recorder
from pitboss.client.talk import Ask, Complain, Drop, Effect, End, OpenNumber, Reconnect, Return, Say, Talk, Tell, Warn
from pitboss.client.thinking import Thinker, Thought, allowance
from pitboss.printing import printable

if TYPE_CHECKING:
    import aiohttp

log = logging.getLogger("pitboss.client")

REPLACED = 4000
ANSWERS_WITHIN = 15.0
"""How long an arena may take to say welcome."""


class Lost(Struct, frozen=True):
    """A connection has ended before the match: why, and how long to stay away."""

    why: str
    wait_ms: int = 0


class BotDriver:
    """One bot's seat in the arena, which outlives its connections."""

    def __init__(
        self,
        talk: Talk,
        thinker: Thinker,
        recorder: Recorder,
        on_message: Callable[[ServerMessage], object] | None = None,
        on_trouble: Callable[[Trouble], object] | None = None,
    ) -> None:
        self.talk = talk
        self._thinker, self._recorder = thinker, recorder
        self._on_message, self._on_trouble = on_message, on_trouble
        self._ws: aiohttp.ClientWebSocketResponse | None = None
        self._turn = -1
        self._thought: asyncio.Future[Thought] | None = None
        self._minding: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def hold(self, ws: "aiohttp.ClientWebSocketResponse", hello: Hello) -> MatchEnd | Lost:
        """Hold a connection for as long as it lasts: how the match ended, or why the connection did."""
        self._ws = ws
        try:
            try:
                await ws.send_str(write(hello))
            except ConnectionError as error:
                return Lost(str(error))
            while True:
                ended = await self._next(ws)
                if ended is not None:
                    return ended
        except asyncio.CancelledError:
            self._ws = None  # nothing is said after it
            with contextlib.suppress(ConnectionError):  # also before the welcome was read: the seat may be taken by now
                await ws.send_str(write(Leave(v=1)))
            raise
        finally:
            self._ws = None

    async def _next(self, ws: "aiohttp.ClientWebSocketResponse") -> MatchEnd | Lost | None:
        """Take the next frame in."""
        import aiohttp

        try:
            frame = await ws.receive(None if self.talk.welcomed else ANSWERS_WITHIN)
        except TimeoutError:
            return Lost("it did not say welcome in time")
        if frame.type is aiohttp.WSMsgType.TEXT:
            return await self._received(frame.data)
        if frame.type is not aiohttp.WSMsgType.BINARY:
            return _closed(ws.close_code, frame.extra)
        log.warning("ignored a binary frame")
        return None

    async def close(self) -> None:
        """Let nothing run on."""
        self._forget()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _received(self, frame: str) -> MatchEnd | Lost | None:
        self._recorder.write(frame)
        for effect in self.talk.hear(frame):
            ended = await self._do(effect)
            if ended is not None:
                return ended
        return None

    async def _do(self, effect: Effect) -> MatchEnd | Lost | None:
        match effect:
            case Tell(message):
                self._thinker.hear(message)
                if self._on_message is not None:
                    self._on_message(message)
            case Ask(act):
                self._ask(act)
            case Drop():
                self._forget()
            case Say(action, after_ms):
                self._start(self._say(action, after_ms))
            case Return(action):
                await self._send(action)
            case OpenNumber(number):
                await self._send(number)
            case Complain(sentence):
                log.error("%s", sentence)
            case Warn(trouble):
                self._report(trouble)
            case Reconnect(after_ms):
                return Lost("it asks to come later", after_ms)
            case End(MatchEnd() as result):
                return result
            case End(error):
                assert not isinstance(error, MatchEnd)
                raise error
        return None

    def _ask(self, act: Act) -> None:
        """Put a question to the bot; if it thinks about it already, only the time is new."""
        if self._thought is None or self._turn != act.turn:
            self._forget()
            self._turn, self._thought = act.turn, self._thinker.ask(act)
        elif self._minding is not None:
            self._minding.cancel()
        self._minding = self._start(self._mind(act, self._thought))

    def _forget(self) -> None:
        """Throw away what the bot still thinks."""
        for each in (self._minding, self._thought):
            if each is not None:
                each.cancel()
        self._minding = self._thought = None

    async def _mind(self, act: Act, thought: asyncio.Future[Thought]) -> None:
        """Wait for the bot for as long as there is time, and answer."""
        await asyncio.wait([thought], timeout=allowance(act.you.whole_ms))
        if not self.talk.is_open(act):
            return
        action, trouble = _judge(act, thought.result() if thought.done() else None)
        self._minding = None  # it is not to be cancelled by what follows
        self._forget()
        if trouble is not None:
            self._report(trouble)
        if self.talk.answered(action):
            await self._say(action)

    async def _say(self, action: Action, after_ms: int = 0) -> None:
        if after_ms:
            await asyncio.sleep(after_ms / 1000)
        if self.talk.is_current(action):
            await self._send(action)

    async def _send(self, message: Action | Number) -> None:
        if self._ws is not None:
            with contextlib.suppress(ConnectionError):  # then it is said again on the next one
                await self._ws.send_str(write(message))

    def _report(self, trouble: Trouble) -> None:
        log.warning("%s", trouble.sentence)
        if self._on_trouble is not None:
            self._on_trouble(trouble)

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)  # a task that nobody holds may vanish
        task.add_done_callback(self._tasks.discard)
        return task


def _judge(act: Act, thought: Thought | None) -> tuple[Action, Trouble | None]:
    """The answer to send, and what was wrong with the bot's own."""
    safe = safe_action(act)
    if thought is None:
        late = f"the bot has not answered in {allowance(act.you.whole_ms):g} s, so the answer is {safe.action}"
        return safe, Trouble("late", late, act)
    if thought.error is not None:
        return safe, Trouble("raised", f"the bot {thought.error}, so the answer is {safe.action}", act)
    try:
        if thought.wrong is not None:
            raise AnswerError(thought.wrong)
        return read_answer(thought.answer, act), None
    except ValueError as error:
        return safe, Trouble("illegal", f"{error}; the answer is {safe.action} instead", act)


def _closed(code: int | None, reason: str | None) -> Lost:
    """Why a connection ended; who was replaced must not fight for the seat."""
    if code == REPLACED:
        raise Replaced("a newer connection with the same team and code has taken the seat, and this one ends")
    return Lost(f"closed with {code}" + (f": {printable(reason)}" if reason else ""))
