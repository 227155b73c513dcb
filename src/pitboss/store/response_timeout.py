"""A connection to PostgreSQL that does not wait for ever: it reports when no answer comes, and gives up in time.

A server that is stopped, or behind a network that swallows everything, enforces no time limit of its own; so the
limit is kept here, and only silence counts: a long answer may take as long as it likes while it comes.
"""

import logging
import threading
import time
from collections.abc import Generator
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen

from pitboss.errors import PitbossError

log = logging.getLogger("pitboss.store")

SAID_AFTER = 3.0
"""After how many seconds of silence a line in the log says so."""
SAID_AGAIN = 10.0
TICK = 0.1
"""How often a wait is looked at."""

RV = TypeVar("RV")


class ResponseTimeout(PitbossError, psycopg.OperationalError):
    """No answer came in time, or somebody gave up waiting for one; the connection is closed."""


class ResponseWatch:
    """What is done while no answer comes from a place."""

    def __init__(self, place: str, limit: float, given_up: threading.Event) -> None:
        self._place = place
        self._limit = limit
        self._given_up = given_up
        self._said = 0.0  # how long the silence was when it was last said

    def pass_time(self, silent: float) -> None:
        """So many seconds have passed without an answer; raises `ResponseTimeout` where it is enough."""
        if self._given_up.is_set():
            raise ResponseTimeout(f"no answer for {silent:.1f} s when it was given up")
        if silent >= self._limit:
            raise ResponseTimeout(f"no answer for {silent:.0f} s")
        if silent >= (self._said + SAID_AGAIN if self._said else SAID_AFTER):
            self._said = silent
            log.warning("%s has not answered for %.0f s: nothing goes on until it does", self._place, silent)

    def end(self, silent: float) -> None:
        """An answer has come."""
        if self._said:
            self._said = 0.0
            log.warning("%s answers again, after %.1f s", self._place, silent)


class WatchedConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection whose every wait is watched, once it has a watch."""

    watch: ResponseWatch | None = None

    def wait(self, gen: PQGen[RV], interval: float = TICK, timeout: float | None = None) -> RV:
        """Wait for an answer as psycopg does, watched."""
        if self.watch is None:
            return super().wait(gen, interval)
        try:
            return super().wait(_watched(gen, self.watch), TICK)
        except ResponseTimeout:
            self.close()  # what is under way is not known any more
            raise


def _watched(gen: PQGen[RV], watch: ResponseWatch) -> Generator[Any, Any, RV]:
    """Pass everything on between psycopg's generator and whoever waits for it, and look at the time in between."""
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
