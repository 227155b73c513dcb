"""One life of the server's process: the real server on an event loop whose sockets, clock and threads are the world's.

A turn of the loop is like a real one: first the bytes that arrived on connections, then timers, then what they caused.
The process can pause while data piles up, and can die at any moment; nothing it does after that reaches the world.
"""

import asyncio
import contextvars
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from tests.support.sim.network import Link, ServerEnd
from tests.support.sim.world import World

T = TypeVar("T")

TICK = 1e-6
"""Seconds: the resolution of the clock."""
QUICK = 0.005
"""The maximum seconds that a thread takes for a piece of work on an idle machine."""
SPINS = 10_000
"""Turns of the loop without passing time, after which it counts as an endless loop."""

LAST_TURNS = 20_000
"""A dead process must end within this many turns of its loop, without output."""


class _Selector:
    """What has arrived; it never waits, because the world decides when the loop runs."""

    def __init__(self) -> None:
        self.events: list[Callable[[], None]] = []

    def select(self, timeout: float | None) -> list[Callable[[], None]]:
        events, self.events = self.events, []
        return events

    def close(self) -> None: ...


class ProcessLoop(asyncio.BaseEventLoop):
    """An event loop that is run turn by turn."""

    _ready: deque[asyncio.Handle]
    _scheduled: list[asyncio.TimerHandle]
    _run_once: Callable[[], None]

    def __init__(self, process: "Process") -> None:
        super().__init__()
        self._process = process
        self._selector = _Selector()
        self._clock_resolution = 1e-9
        self.skipped = 0.0  #: how far a dead process is ahead of the world
        self.set_exception_handler(process.complain)

    def time(self) -> float:
        """The world's time."""
        return self._process.world.now + self.skipped

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any, **more: Any) -> asyncio.TimerHandle:  # type: ignore[override]  # typeshed has type variables for the arguments
        """Wait at least a tick, as a real clock does: otherwise no time would pass, again and again."""
        return super().call_later(delay if delay <= 0 else max(delay, TICK), callback, *args, **more)

    def io(self, ready: Callable[[], None]) -> None:
        """Something has arrived on a connection."""
        if ready not in self._selector.events:
            self._selector.events.append(ready)

    def due(self) -> float | None:
        """When the loop has something to do next."""
        if self._ready or self._selector.events:
            return self._process.world.now
        return self._scheduled[0].when() if self._scheduled else None

    def turn(self) -> None:
        """Run once."""
        asyncio._set_running_loop(self)
        try:
            self._run_once()
        finally:
            asyncio._set_running_loop(None)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Be the running loop."""
        asyncio._set_running_loop(self)
        try:
            yield
        finally:
            asyncio._set_running_loop(None)

    def _process_events(self, event_list: list[Callable[[], None]]) -> None:
        for ready in event_list:
            self.call_soon(ready)

    def _write_to_self(self) -> None: ...

    async def create_server(self, protocol_factory: Callable[[], Any], *args: Any, **more: Any) -> Any:
        """Listen."""
        self._process.listen(protocol_factory)
        return _Listening(self._process)

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> "asyncio.Future[T]":  # type: ignore[override]  # typeshed has type variables for the arguments
        """Run something that a thread would do, after a moment."""
        future: asyncio.Future[T] = self.create_future()

        def run() -> None:
            if future.done():
                return
            try:
                future.set_result(func(*args))
            except Exception as error:
                future.set_exception(error)

        self.call_later(self._process.thread_time(), run, context=contextvars.copy_context())
        return future


class _Listening:
    """The server's handle of its port."""

    def __init__(self, process: "Process") -> None:
        self._process = process
        self.sockets = (self,)

    def getsockname(self) -> tuple[str, int]:
        return "arena.test", 80

    def close(self) -> None:
        self._process.listening = False


class Process:
    """A server from its start to its end."""

    def __init__(self, world: World, number: int, on_end: Callable[["Process", BaseException | None], None]) -> None:
        self.world = world
        self.number = number
        self.loop = ProcessLoop(self)
        self.listening = False
        self.dead = False
        self.paused = False
        self.slow = QUICK  #: the maximum seconds that a thread takes for a piece of work
        self.after_turn: Callable[[], None] = lambda: None
        self._on_end = on_end
        self._factory: Callable[[], Any] = lambda: None
        self._main: asyncio.Task[None]
        self._late: list[Callable[[], None]] = []  # the results of its threads that wait for the end of a pause
        self._chance = world.chance.fork(number)
        self._trouble: BaseException | None = None
        self._turning = False
        self._spun, self._ran_at = 0, 0.0

    def start(self, main: Coroutine[Any, Any, None]) -> None:
        """Begin."""
        with self.loop.entered():
            self._main = self.loop.create_task(main)
        self.world.runner = self

    def entropy(self, count: int) -> bytes:
        """The operating system's randomness."""
        return b"".join(self._chance.bits().to_bytes(8, "big") for _ in range(-(-count // 8)))[:count]

    def thread_time(self) -> float:
        """The seconds a thread takes for a piece of work."""
        return 0.0 if self.dead else self._chance.below(round(self.slow * 1_000_000)) / 1_000_000

    # --- as the world's runner

    def due(self) -> float | None:
        """When it wants to run."""
        return None if self.paused or self.dead else self.loop.due()

    def run(self) -> None:
        """Take one turn of the loop."""
        self._spun = self._spun + 1 if self.world.now == self._ran_at else 0
        self._ran_at = self.world.now
        assert self._spun < SPINS, f"the server spins: {self.loop._ready}"
        self._turning = True
        self.loop.turn()
        self._turning = False
        if not self.dead:
            self.after_turn()
        if self._trouble is not None:
            raise self._trouble
        if self.dead or self._main.done():
            self._end()

    def thread(self, delay: float, do: Callable[[], None]) -> None:
        """Let one of its threads do something after a while; if the process is paused, after the pause."""

        def later() -> None:
            if self.paused:
                self._late.append(later)
            elif not self.dead:
                do()

        self.world.after(delay, later)

    # --- connections

    def listen(self, factory: Callable[[], Any]) -> None:
        """Take connections from now on."""
        self._factory = factory
        self.listening = not self.dead

    def accept(self, link: Link) -> ServerEnd:
        """Take a connection."""
        end = ServerEnd(link, self)

        def accepted() -> None:
            protocol = self._factory()
            end.set_protocol(protocol)
            protocol.connection_made(end)

        self.io(accepted)
        return end

    def io(self, ready: Callable[[], None]) -> None:
        """Something has arrived."""
        if not self.dead:
            self.loop.io(ready)

    def soon(self, do: Callable[[], object]) -> None:
        """Do something in the loop's next turn."""
        if not self.loop.is_closed():
            self.loop.call_soon(do)

    # --- its troubles

    def pause(self) -> None:
        """Pause the process."""
        self.paused = True

    def go_on(self) -> None:
        """End a pause."""
        self.paused = False
        late, self._late = self._late, []
        for do in late:
            do()

    def kill(self) -> None:
        """Die at once; within a turn of the loop, no further output gets out."""
        if not self.dead:
            self.dead, self.listening = True, False
            if not self._turning:
                self._end()

    def end(self) -> None:
        """End the process without notice."""
        self._on_end = lambda process, error: None
        self._turning = False
        self.kill()

    def complain(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An uncaught exception is the server's fault."""
        if not self.dead:
            error = context.get("exception")
            self._trouble = AssertionError(f"nobody caught this: {context.get('message')}: {error!r}")
            self._trouble.__cause__ = error

    def _end(self) -> None:
        ended = self._main.done() and not self._main.cancelled() and not self.dead
        error = self._main.exception() if ended else None
        self.dead, self.listening = True, False
        self._run_out()
        self._on_end(self, error)

    def _run_out(self) -> None:
        """Let what it had begun come to its end without output, so that nothing is left behind."""
        self.world.runner = None
        loop = self.loop
        with loop.entered():
            tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        for _ in range(LAST_TURNS):
            with loop.entered():
                if all(task.done() for task in asyncio.all_tasks(loop)) and not loop._ready:
                    break
            due = loop.due()
            if due is None:
                break
            loop.skipped = max(loop.skipped, due - self.world.now)
            loop.turn()
        else:
            raise AssertionError("a process that was killed does not end")
        loop.close()
