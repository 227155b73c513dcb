"""A PostgreSQL connection with a time limit: it reports a server that does not answer, and stops waiting in time.

A server that is stopped, or behind a network that drops everything, enforces no time limit itself, so the limit is
enforced here. Only silence counts: a long answer may take any time while data arrives.
"""

import logging
import threading
import time
from collections.abc import Generator
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen

from pitboss.errors import PitbossError
from pitboss.store.sql import FIRST_WARNING_AFTER, WARNING_EVERY

log = logging.getLogger("pitboss.store")

TICK = 0.1
"""The number of seconds between two checks during a wait."""

RV = TypeVar("RV")


class ResponseTimeout(PitbossError, psycopg.OperationalError):
    """The server did not answer in time, or `give_up` was called. The connection is closed."""


class ResponseWatch:
    """Measures how long a server does not answer."""

    def __init__(self, place: str, limit: float, given_up: threading.Event) -> None:
        self._place = place
        self._limit = limit
        self._given_up = given_up
        self._reported = 0.0  # the wait in seconds at the last report

    def pass_time(self, silent: float) -> None:
        """Report a wait of this many seconds if it is long. Raise `ResponseTimeout` if it is too long."""
        if self._given_up.is_set():
            raise ResponseTimeout(f"no answer for {silent:.1f} s when the wait was given up")
        if silent >= self._limit:
            raise ResponseTimeout(f"no answer for {silent:.0f} s")
        if silent >= (self._reported + WARNING_EVERY if self._reported else FIRST_WARNING_AFTER):
            self._reported = silent
            log.warning("%s has not answered for %.0f s: the journal waits for it", self._place, silent)

    def end(self, silent: float) -> None:
        """Report that an answer arrived after a reported wait."""
        if self._reported:
            self._reported = 0.0
            log.warning("%s answers again, after %.1f s", self._place, silent)


class WatchedConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that limits its waits if `watch` is set."""

    watch: ResponseWatch | None = None

    def wait(self, gen: PQGen[RV], interval: float = TICK, timeout: float | None = None) -> RV:
        """Wait for an answer like psycopg, but with the time limit."""
        if self.watch is None:
            return super().wait(gen, interval)
        try:
            return super().wait(_watched(gen, self.watch), TICK)
        except ResponseTimeout:
            self.close()  # the result of the operation is unknown
            raise


def _watched(gen: PQGen[RV], watch: ResponseWatch) -> Generator[Any, Any, RV]:
    """Run psycopg's generator, and call the watch while no data arrives."""
    since = time.monotonic()
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            if ready:
                watch.end(time.monotonic() - since)
                since = time.monotonic()
            else:
                watch.pass_time(time.monotonic() - since)
            wanted = gen.send(ready)
    except StopIteration as done:
        value: RV = done.value
        return value
