"""A PostgreSQL connection with a time limit: it reports when the server does not answer, and gives up in time.

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
from pitboss.store.sql import SAID_AFTER, SAID_AGAIN

log = logging.getLogger("pitboss.store")

TICK = 0.1
"""Seconds between two checks of a wait."""

RV = TypeVar("RV")


class ResponseTimeout(PitbossError, psycopg.OperationalError):
    """The server did not answer in time, or the wait was given up; the connection is closed."""


class ResponseWatch:
    """Watches how long a server does not answer."""

    def __init__(self, place: str, limit: float, given_up: threading.Event) -> None:
        self._place = place
        self._limit = limit
        self._given_up = given_up
        self._said = 0.0  # the silence that was reported last

    def pass_time(self, silent: float) -> None:
        """Note this many seconds without an answer; raise `ResponseTimeout` if it is too long."""
        if self._given_up.is_set():
            raise ResponseTimeout(f"no answer for {silent:.1f} s when the wait was given up")
        if silent >= self._limit:
            raise ResponseTimeout(f"no answer for {silent:.0f} s")
        if silent >= (self._said + SAID_AGAIN if self._said else SAID_AFTER):
            self._said = silent
            log.warning("%s has not answered for %.0f s: the journal waits for it", self._place, silent)

    def end(self, silent: float) -> None:
        """Note that an answer has arrived."""
        if self._said:
            self._said = 0.0
            log.warning("%s answers again, after %.1f s", self._place, silent)


class WatchedConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection whose waits are watched, once it has a watch."""

    watch: ResponseWatch | None = None

    def wait(self, gen: PQGen[RV], interval: float = TICK, timeout: float | None = None) -> RV:
        """Wait for an answer as psycopg does, but watched."""
        if self.watch is None:
            return super().wait(gen, interval)
        try:
            return super().wait(_watched(gen, self.watch), TICK)
        except ResponseTimeout:
            self.close()  # the state of the operation is not known any more
            raise


def _watched(gen: PQGen[RV], watch: ResponseWatch) -> Generator[Any, Any, RV]:
    """Pass values between psycopg's generator and its caller, and check the time in between."""
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
