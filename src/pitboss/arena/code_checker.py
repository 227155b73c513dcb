"""Check teams' codes in a few threads beside the event loop, in turn between addresses, and never too many at once.

A check is slow on purpose, so a flood of hellos must cost neither the loop nor honest teams their time. Addresses
take turns; those that recently sent a wrong code come last.
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
"""They yield to the event loop, so all processors may be theirs."""
MOST_WAITING = 4096
"""Checks that may wait; beyond it whoever has most of them waiting is told to come later."""
COME_BACK = 2.0
"""Seconds after which whoever was told so may come."""
LEAST_PRIORITY = 19
WRONG_A_SECOND, WRONG_AT_ONCE = 20.0, 100.0
"""Wrong codes for which there is time, from addresses that guess."""


class CodeChecker:
    """Runs checks and gives their results to `on_result`, on the event loop.

    Where there is no time for one, or nobody awaits it any more, it says so: after how many seconds to come again.
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
        """Have a code checked; `now` is by the clock of the throttle."""
        turns = self._last if self._throttle.is_suspect(check.address, now) else self._first
        turns.put(check)
        if self._first.count + self._last.count > MOST_WAITING:
            given_up = (self._last if self._last.count else self._first).give_up(check.address)
            self._give_up(given_up)
        self._next()

    def close(self) -> None:
        """Check no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def run(self, check: CodeCheck) -> asyncio.Future[Lock | None]:
        """Run a check beside the loop."""
        return asyncio.get_running_loop().run_in_executor(self._pool, check.run)

    def _next(self) -> None:
        """Start as many checks as there are threads free."""
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
        """Whether the budget of wrong codes allows a check for those who guess; if not, it is asked again in time."""
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
        """The oldest check of the address whose turn it is."""
        address, checks = self._by_address.popitem(last=False)
        self.count -= 1
        check = checks.popleft()
        if checks:
            self._by_address[address] = checks
        return check

    def give_up(self, newest: str) -> CodeCheck:
        """The newest check of the address that came last where it has its share, else of the one with the most."""
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
    """In a new thread: let the event loop have the processor first, where threads have priorities of their own.

    Ten below the loop's own priority, whatever that is: a server that was put before others stays before them.
    """
    with suppress(AttributeError, OSError):
        lower = min(os.getpriority(os.PRIO_PROCESS, os.getpid()) + 10, LEAST_PRIORITY)
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), lower)
