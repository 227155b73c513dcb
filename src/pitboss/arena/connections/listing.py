"""The list of tables for whoever asks over HTTP, made once for all who ask at about the same time."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import msgspec

from pitboss.arena.rooms.room import Room

LISTED_FOR = 0.5
"""Seconds for which the list of tables is good: making it costs something, and asking for it must not."""
LISTED_AT_ONCE = 50


class Listing:
    """The tables that spectators may know of, as JSON; `on_disk` waits until all that a room has decided is."""

    def __init__(self, rooms: Callable[[], Mapping[str, Room]], on_disk: Callable[[Room], Awaitable[None]]) -> None:
        self._rooms = rooms
        self._on_disk = on_disk
        self._loop = asyncio.get_running_loop()
        self._made: asyncio.Future[bytes] | None = None
        self._good_until = 0.0

    async def read(self) -> bytes:
        """The list, not older than `LISTED_FOR`."""
        if self._made is None or (self._made.done() and self._loop.time() >= self._good_until):
            self._made = asyncio.ensure_future(self._make())
        return await asyncio.shield(self._made)

    async def _make(self) -> bytes:
        """All tables; nothing of it is sent before it is on disk."""
        summaries = []
        for number, room in enumerate([*self._rooms().values()], 1):
            await self._on_disk(room)
            summaries.append(room.summary())
            if number % LISTED_AT_ONCE == 0:
                await asyncio.sleep(0)
        self._good_until = self._loop.time() + LISTED_FOR
        return msgspec.json.encode(summaries)
