"""Finished hands over HTTP: lists, histories, single hands and PHH, made beside the event loop in one thread.

Strangers may ask as often as their budgets allow. One at a time is answered, the thread rests as long as it has worked,
and where too many wait the next is told to come later: whoever asks, the tables play on.
"""

import asyncio
import re
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler

from pitboss.arena.archive.archive import FILED, Archive, NoSuchHand, NotRead, ShownSoFar
from pitboss.arena.archive.figures import Conducted
from pitboss.arena.archive.index import SORTINGS, Sorting, Wanted
from pitboss.arena.connections.pages import send_bytes
from pitboss.errors import PitbossError
from pitboss.store import Store

MOST_WAITING = 32
"""Requests that may wait for an answer."""
LONGEST_REST = 0.5
PHH = "application/x-phh"

T = TypeVar("T")


class Replays:
    """Answers what is asked of finished hands; `shown` says what spectators of a table may know, None: no such."""

    def __init__(
        self,
        journal: Callable[[], Store],
        shown: Callable[[str], ShownSoFar | None],
        conducted: Callable[[str], Conducted],
    ) -> None:
        self._archive = Archive(journal)
        self._shown = shown
        self._conducted = conducted
        self._pool = ThreadPoolExecutor(1, "archive")
        self._waiting = 0

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Let it be asked."""
        table = "/api/tables/{table}"
        router.add_get(f"{table}/history", _answering(self._history))
        router.add_get(f"{table}/teams", _answering(self._teams))
        router.add_get(f"{table}/hands", _answering(self._list))
        router.add_get(f"{table}/hands.phhs", _answering(self._phhs))
        router.add_get(f"{table}/hands/{{number}}.phh", _answering(self._phh))
        router.add_get(f"{table}/hands/{{number}}", _answering(self._hand))

    def close(self) -> None:
        """Answer no more; waits for the answer under way."""
        self._pool.submit(self._archive.close)
        self._pool.shutdown(wait=True)

    async def _history(self, request: web.Request) -> web.StreamResponse:
        table, shown = self._asked_for(request)
        return await self._send(request, lambda: msgspec.json.encode(self._archive.history(table, shown)))

    async def _teams(self, request: web.Request) -> web.StreamResponse:
        table, shown = self._asked_for(request)
        conducted = self._conducted(table)
        return await self._send(request, lambda: msgspec.json.encode(self._archive.teams(table, shown, conducted)))

    async def _list(self, request: web.Request) -> web.StreamResponse:
        table, shown = self._asked_for(request)
        query = request.query
        team = query.get("team") or None
        wanted = Wanted(
            sort=_sorting(query.get("sort") or "newest"),
            showdown=_yes(query.get("showdown")),
            all_in=_yes(query.get("all_in")),
            before=_number(query.get("before"), "before"),
            limit=_number(query.get("limit"), "limit") or 50,
        )
        return await self._send(request, lambda: msgspec.json.encode(self._archive.listed(table, shown, wanted, team)))

    async def _hand(self, request: web.Request) -> web.StreamResponse:
        table, shown = self._asked_for(request)
        number = _hand_number(request, table)
        return await self._send(request, lambda: msgspec.json.encode(self._archive.hand(table, shown, number)))

    async def _phh(self, request: web.Request) -> web.StreamResponse:
        table, shown = self._asked_for(request)
        number = _hand_number(request, table)
        name = f"{_plain(table)}-hand-{number}.phh"
        return await self._send(request, lambda: self._archive.phh(table, shown, number).encode(), name)

    async def _phhs(self, request: web.Request) -> web.StreamResponse:
        table, shown = self._asked_for(request)
        first = _number(request.query.get("from"), "from") or 1
        last = min(first + FILED - 1, max(first, shown.hands))
        name = f"{_plain(table)}-hands-{first}-{last}.phhs"
        return await self._send(request, lambda: self._archive.phhs(table, shown, first).encode(), name)

    def _asked_for(self, request: web.Request) -> tuple[str, ShownSoFar]:
        table = request.match_info["table"]
        shown = self._shown(table)
        if shown is None:
            raise web.HTTPNotFound(text="there is no such table; the lobby lists those there are")
        return table, shown

    async def _send(self, request: web.Request, work: Callable[[], bytes], file: str = "") -> web.StreamResponse:
        body = await self._do(work)
        if not file:
            return await send_bytes(request, body, "application/json")
        return await send_bytes(request, body, PHH, {"Content-Disposition": f'attachment; filename="{file}"'})

    async def _do(self, work: Callable[[], T]) -> T:
        """Have something done in the archive's thread, unless too much waits for it already."""
        if self._waiting >= MOST_WAITING:
            raise _later("too many ask for finished hands; come back later")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, _resting, work)
        finally:
            self._waiting -= 1


def _resting(work: Callable[[], T]) -> T:
    """In the archive's thread: do something, and rest as long."""
    began = time.monotonic()
    try:
        return work()
    finally:
        time.sleep(min(time.monotonic() - began, LONGEST_REST))


def _answering(handler: Callable[[web.Request], Coroutine[Any, Any, web.StreamResponse]]) -> Handler:
    """A handler whose errors are answers."""

    async def answered(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except NoSuchHand as error:
            raise web.HTTPNotFound(text=str(error)) from None
        except NotRead as error:
            raise _later(str(error)) from None
        except PitbossError:  # what is wrong with a journal is no business of strangers
            raise _later("the journal cannot be read just now; come back later") from None

    return answered


def _later(sentence: str) -> web.HTTPException:
    return web.HTTPServiceUnavailable(text=sentence, headers={"Retry-After": "1"})


def _hand_number(request: web.Request, table: str) -> int:
    number = request.match_info["number"]
    if not re.fullmatch(r"[0-9]{1,15}", number):
        raise NoSuchHand(f"{table} has no such hand: hands go by their numbers, from 1")
    return int(number)


def _sorting(text: str) -> Sorting:
    for sort in SORTINGS:
        if sort == text:
            return sort
    raise web.HTTPBadRequest(text=f"sort is one of {', '.join(SORTINGS)}")


def _number(text: str | None, name: str) -> int | None:
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise web.HTTPBadRequest(text=f"{name} is a whole number")
    return int(text)


def _yes(text: str | None) -> bool:
    return text is not None and text not in ("", "0", "false")


def _plain(table: str) -> str:
    """A table's name as part of a file's."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", table)[:60]
