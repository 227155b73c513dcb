"""Check join codes in a few threads next to the event loop. The number of waiting checks is limited.

A check is slow on purpose, but a flood of hellos must not delay the loop or honest teams. So addresses take turns, and
addresses that recently sent a wrong code come last.
"""

import asyncio
import os
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

from pitboss.arena.journal.records import Lock
from pitboss.arena.rooms.logins import CodeCheck, LoginThrottle

THREADS = min(4, os.cpu_count() or 1)
"""The number of threads. They have a lower priority than the event loop, so they may use all processors."""
MOST_WAITING = 4096
"""The maximum number of waiting checks. If there are more, a check of the address with the most checks is dropped."""
COME_BACK = 2.0
"""Seconds after which the client of a dropped check may try again."""
LEAST_PRIORITY = 19
WRONG_A_SECOND, WRONG_AT_ONCE = 20.0, 100.0
"""The budget for checks of all addresses that recently sent a wrong code."""


class CodeChecker:
    """Runs checks and passes their results to `on_result`, on the event loop.

    If a check is dropped, or its client has gone, the result is the number of seconds to wait before the next try.
    """

    def __init__(
        self,
        throttle: LoginThrottle,
        awaited: Callable[[CodeCheck], bool],
        on_result: Callable[[CodeCheck, Lock | None, float], None],
    ) -> None:
        self._throttle = throttle
        self._awaited = awaited
        self._on_result = on_result
        self._first, self._last = _Turns(), _Turns()
        self._free = THREADS
        self._budget, self._counted = WRONG_AT_ONCE, 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._pool = ThreadPoolExecutor(THREADS, "codes", _yield_to_others)

    def put(self, check: CodeCheck, now: float) -> None:
        """Check a code. `now` is the time on the clock of the throttle."""
        turns = self._last if self._throttle.is_suspect(check.address, now) else self._first
        turns.put(check)
        if self._first.count + self._last.count > MOST_WAITING:
            given_up = (self._last if self._last.count else self._first).give_up(check.address)
            self._give_up(given_up)
        self._next()

    def close(self) -> None:
        """Stop checking."""
        if self._timer is not None:
            self._timer.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def run(self, check: CodeCheck) -> asyncio.Future[Lock | None]:
        """Run a check in a thread."""
        return asyncio.get_running_loop().run_in_executor(self._pool, check.run)

    def _next(self) -> None:
        """Start as many checks as there are free threads."""
        while self._free and (self._first.count or (self._last.count and self._may_guess())):
            check = (self._first if self._first.count else self._last).take()
            if self._awaited(check):
                self._free -= 1
                self.run(check).add_done_callback(partial(self._done, check))
            else:
                self._give_up(check)

    def _give_up(self, check: CodeCheck) -> None:
        asyncio.get_running_loop().call_soon(self._on_result, check, None, COME_BACK)

    def _done(self, check: CodeCheck, future: asyncio.Future[Lock | None]) -> None:
        self._free += 1
        if future.cancelled():
            return
        lock = future.result()
        if lock is None:
            self._budget -= 1
        self._on_result(check, lock, 0.0)
        self._next()

    def _may_guess(self) -> bool:
        """Return whether the budget allows a check for an address that sent a wrong code.

        If not, set a timer to try again.
        """
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._budget = min(WRONG_AT_ONCE, self._budget + (now - self._counted) * WRONG_A_SECOND)
        self._counted = now
        if self._budget >= 1:
            return True
        if self._timer is None:
            self._timer = loop.call_later((1 - self._budget) / WRONG_A_SECOND, self._again)
        return False

    def _again(self) -> None:
        self._timer = None
        self._next()


class _Turns:
    """Checks by address; addresses take turns."""

    def __init__(self) -> None:
        self.count = 0
        self._by_address: OrderedDict[str, deque[CodeCheck]] = OrderedDict()

    def put(self, check: CodeCheck) -> None:
        self._by_address.setdefault(check.address, deque()).append(check)
        self.count += 1

    def take(self) -> CodeCheck:
        """Return the oldest check of the address whose turn it is."""
        address, checks = self._by_address.popitem(last=False)
        self.count -= 1
        check = checks.popleft()
        if checks:
            self._by_address[address] = checks
        return check

    def give_up(self, newest: str) -> CodeCheck:
        """Return the check to drop: the newest one of the newest address, or of the address with the most checks."""
        mine = self._by_address.get(newest, ())
        if len(mine) * len(self._by_address) < self.count:
            newest = max(self._by_address, key=lambda address: len(self._by_address[address]))
        checks = self._by_address[newest]
        check = checks.pop()
        self.count -= 1
        if not checks:
            del self._by_address[newest]
        return check


def _yield_to_others() -> None:
    """Give the event loop priority over this thread, on systems where threads have separate priorities.

    The priority of this thread is ten below that of the loop, so the threads of a server with a high priority still
    come before other programs.
    """
    with suppress(AttributeError, OSError):
        lower = min(os.getpriority(os.PRIO_PROCESS, os.getpid()) + 10, LEAST_PRIORITY)
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), lower)
