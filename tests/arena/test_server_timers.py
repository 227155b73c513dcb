"""A server wakes its rooms in time on any event loop, also one that forgets when a thing is due that is due at once."""

import asyncio
from collections.abc import Callable
from contextvars import Context
from pathlib import Path
from typing import Any

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.tables import RoomSetup, open_tables
from pitboss.arena.server import Server
from pitboss.store import open_store


class Forgetful(asyncio.SelectorEventLoop):
    """A loop whose handle for what is due already has no time, as uvloop's."""

    def call_at(  # type: ignore[override]  # typeshed counts arguments one by one
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Call in time, and at once where the time has come."""
        if when <= self.time():
            return self.call_soon(callback, *args, context=context)  # type: ignore[return-value]  # as uvloop does
        return super().call_at(when, callback, *args, context=context)


class Counting(Server):
    """A server that counts how often it wakes a room."""

    woken = 0

    def _wake(self, room: Any) -> None:
        self.woken += 1
        super()._wake(room)


def test_a_room_that_is_due_twice_at_once_is_woken_once(tmp_path: Path) -> None:
    async def scene() -> None:
        with open_store(str(tmp_path / "arena.db")) as store:
            tables = open_tables(store, RoomSetup(day=lambda: "2026-11-15"), Settings())
            server, now = Counting(tables), asyncio.get_running_loop().time()
            async with server.running("127.0.0.1", 0):
                room = tables.rooms["T-1"]
                for deadline in (now + 60, now - 1, now - 1, now + 60):
                    server._set_timer(room, deadline)
                for _ in range(3):
                    await asyncio.sleep(0)
                assert server.woken == 1

    with asyncio.Runner(loop_factory=Forgetful) as runner:
        runner.run(scene())
