"""Errors that strangers cause are logged, one per line; of many only some, with the number of the others."""

import asyncio
import logging
from typing import cast

import pytest

from pitboss.arena.connections import connection
from pitboss.arena.connections.admission import Capacity
from pitboss.arena.connections.budget import RateLimits
from pitboss.arena.connections.connection import LINES_IN, MOST_LINES, Connection, Connections


class Visitor:
    """A connection that is neither seated nor anything else."""

    seated = pending = upgraded = heard = False


def test_repeated_log_lines_are_limited_and_the_rest_is_counted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, connection.log.name)

    async def scene() -> None:
        loop, now = asyncio.get_running_loop(), 1000.0
        monkeypatch.setattr(loop, "time", lambda: now)
        connections = Connections(Capacity(), RateLimits())
        for number in range(MOST_LINES + 7):
            connections.line(f"line {number}")
        assert caplog.messages == [f"line {number}" for number in range(MOST_LINES)]
        now += LINES_IN - 0.1
        connections.line("still the same time")
        assert len(caplog.messages) == MOST_LINES
        now += 0.1
        connections.line("another time")
        assert caplog.messages[MOST_LINES:] == ["and 8 more such lines", "another time"]
        now += LINES_IN
        connections.line("and another")
        assert caplog.messages[MOST_LINES + 2 :] == ["and another"]

    asyncio.run(scene())


def test_clean_disconnection_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, connection.log.name)

    async def scene() -> None:
        connections, visitor = Connections(Capacity(), RateLimits()), Visitor()
        for error in (None, ConnectionResetError("by its peer")):
            connections.admission.arrive(visitor, "somewhere", 0.0)
            connections.leave(cast(Connection, visitor), error)
            assert len(connections.admission) == 0

    asyncio.run(scene())
    assert caplog.messages == ["a connection was lost: by its peer"]
