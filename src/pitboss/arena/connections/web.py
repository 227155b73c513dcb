"""The answers over HTTP: the page's files, the list of tables, a team's own errors, and finished hands.

A team's code is in the body of a POST, never in an address. It is checked with the same limits as the code of a hello.
Answers about finished hands are made in a separate thread, one request at a time. After each request the thread rests
for the time that it has worked. If too many requests wait, the answer is "try again later".
"""

import asyncio
import hmac
import mimetypes
import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import blake2b, sha256
from itertools import count
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from aiohttp import hdrs, web
from aiohttp.typedefs import Handler
from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss.arena.archive.archive import (
    MOST_FILED,
    SORT_ORDERS,
    Archive,
    HandQuery,
    NoSuchHand,
    NotIndexed,
    ShownSoFar,
    SortOrder,
)
from pitboss.arena.archive.figures import LiveFigures
from pitboss.arena.archive.reader import HandReplay
from pitboss.arena.connections.admission import network_of
from pitboss.arena.equities import EquitySpot, spots_of
from pitboss.arena.journal.records import Lock
from pitboss.arena.rooms.logins import CodeCheck, LoginThrottle
from pitboss.arena.rooms.room import Room
from pitboss.arena.wire.fields import EquityStep
from pitboss.errors import PitbossError
from pitboss.store import Store

PAGE = Path(__file__).parents[1] / "page"
PIECE = 64 * 1024
mimetypes.add_type("text/javascript", ".js")  # for modules, browsers require it
HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
}

BODY_BYTES = 8 * 1024
"""The maximum length of the body of a request, in bytes, unless its endpoint accepts more."""
LISTED_FOR = 0.5
"""Seconds for which the list of tables is reused, so that many requests for it are cheap."""
LISTED_AT_ONCE = 50
WRONG = "no team with this name and code has a seat at this table"
MOST_CHECKS_WAITING = 256
"""The maximum number of requests whose codes wait to be checked."""
MOST_CODES_REMEMBERED = 10_000
MOST_REPLAYS_WAITING = 32
"""The maximum number of requests that wait for an answer."""
LONGEST_REST = 0.5
PHH = "application/x-phh"
T = TypeVar("T")


class PageFile(Struct, frozen=True):
    """A file of the page with its headers."""

    body: bytes
    kind: str
    tag: str


@cache
def _read_files(folder: Path) -> dict[str, PageFile]:
    """Return the files in a folder by name."""
    return {
        file.relative_to(folder).as_posix(): PageFile(
            body, mimetypes.guess_type(file.name)[0] or "application/octet-stream", sha256(body).hexdigest()[:32]
        )
        for file in sorted(folder.rglob("*"))
        if file.is_file() and (body := file.read_bytes()) is not None
    }


class Pages:
    """Serves the files of the page."""

    def __init__(self, folder: Path = PAGE) -> None:
        self._files = _read_files(folder)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Send a file, or answer that the browser's copy is current."""
        name = request.match_info.get("name", "index.html")
        if not name:
            raise web.HTTPForbidden(text="folders are not shown")
        file = self._files.get(name)
        if file is None:
            raise web.HTTPNotFound(text="the file does not exist")
        if any(tag.value == file.tag for tag in request.if_none_match or ()):
            return web.Response(status=304, headers={"ETag": f'"{file.tag}"'})
        return await send_bytes(request, file.body, file.kind, {"ETag": f'"{file.tag}"'})


async def send_bytes(
    request: web.Request, body: bytes, kind: str, headers: dict[str, str] | None = None
) -> web.StreamResponse:
    """Answer a request in pieces. Each piece is made when the client has nearly read the previous one."""
    response = web.StreamResponse(headers=headers)
    response.content_type = kind
    if kind.startswith("text/") or kind == "application/json":
        response.charset = "utf-8"
    response.content_length = len(body)
    await response.prepare(request)
    for first in range(0, len(body) if request.method != "HEAD" else 0, PIECE):
        await response.write(body[first : first + PIECE])
    await response.write_eof()
    return response


def refuse_body(request: web.Request, most: int = BODY_BYTES) -> web.HTTPException | None:
    """Return the error for a body that is compressed, unexpected, or too long according to its header.

    The body is not read. A chunked body has no length in its header, so its bytes are counted while they are read.
    """
    if hdrs.CONTENT_ENCODING in request.headers:
        return web.HTTPUnsupportedMediaType(text="Content-Encoding: expected none; send the body uncompressed")
    length = request.content_length or 0
    if request.method != hdrs.METH_POST and (length or hdrs.TRANSFER_ENCODING in request.headers):
        return web.HTTPBadRequest(text=f"{request.method} requests have no body here; use POST")
    if length > most:
        return web.HTTPRequestEntityTooLarge(most, length, text=f"body: expected at most {most} bytes, got {length}")
    return None


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add the security headers to every answer."""
    response.headers.update(HEADERS)


class TableList:
    """The public tables as JSON; `on_disk` waits until all decisions of a room are on disk."""

    def __init__(self, rooms: Callable[[], Mapping[str, Room]], on_disk: Callable[[Room], Awaitable[None]]) -> None:
        self._rooms = rooms
        self._on_disk = on_disk
        self._loop = asyncio.get_running_loop()
        self._made: asyncio.Future[bytes] | None = None
        self._good_until = 0.0

    async def read(self) -> bytes:
        """Return the list of tables. It may be up to `LISTED_FOR` seconds old."""
        if self._made is None or (self._made.done() and self._loop.time() >= self._good_until):
            self._made = asyncio.ensure_future(self._make())
        return await asyncio.shield(self._made)

    async def _make(self) -> bytes:
        """Return all tables, after their decisions are on disk."""
        summaries = []
        for number, room in enumerate([*self._rooms().values()], 1):
            await self._on_disk(room)
            summaries.append(room.summary())
            if number % LISTED_AT_ONCE == 0:
                await asyncio.sleep(0)
        self._good_until = self._loop.time() + LISTED_FOR
        return msgspec.json.encode(summaries)


class _PendingErrors(Struct):
    team: Annotated[str, Meta(min_length=1, max_length=64)]
    code: Annotated[str, Meta(min_length=1, max_length=128)]


class TeamError(Struct, frozen=True, kw_only=True):
    """A refused frame, with its age in milliseconds."""

    code: str
    msg: str
    hand_id: str | None
    turn: int | None
    ago_ms: int


class TeamErrors(Struct, frozen=True, kw_only=True):
    """The last refused frames of a team, newest first, from hand `since` on."""

    table_id: str
    team: str
    seat: int
    since: int
    errors: tuple[TeamError, ...]


class TeamCodes:
    """Checks the codes of requests. `check` starts a check, and `take` receives its result.

    A check is slow on purpose. A keyed hash of each right code is kept, so that the next request of the team is fast.
    """

    def __init__(
        self, throttle: LoginThrottle, check: Callable[[CodeCheck], None], now: Callable[[], float], key: bytes
    ) -> None:
        self._throttle, self._check, self._now, self._key = throttle, check, now, key
        self._numbers = count(-1, -1)  # the numbers of checks; connections use positive numbers
        self._waiting: dict[int, asyncio.Future[tuple[Lock | None, float]]] = {}
        self._right: dict[tuple[str, str], tuple[Lock, bytes]] = {}

    def __contains__(self, session: int) -> bool:
        """Return whether a request waits for this check."""
        return session in self._waiting

    def take(self, check: CodeCheck, lock: Lock | None, busy: float) -> bool:
        """Receive the result of a check, or the seconds to wait. Return whether the check was requested here."""
        waiter = self._waiting.get(check.session)
        if waiter is not None and not waiter.done():
            waiter.set_result((lock, busy))
        return check.session < 0  # the client may have closed the request

    def close(self) -> None:
        """End all waiting requests."""
        for waiter in self._waiting.values():
            if not waiter.done():
                waiter.set_result((None, 1.0))

    async def lock(self, table: str, team: str, code: str, address: str, lock: Lock | None, salt: bytes) -> Lock | None:
        """Return the lock if the code matches it, and None if not.

        Without a lock, return a new lock for the code. Raise an HTTP error if the code cannot be checked now.
        """
        digest = blake2b(code.encode("utf-8", "surrogatepass"), key=self._key).digest()
        known, right = self._right.get((table, team), (None, b""))
        if lock is not None and known == lock and hmac.compare_digest(right, digest):
            return lock
        wait = 0.0 if lock is None else self._throttle.ask(table, team, address, self._now())
        if wait:
            raise _refuse(web.HTTPTooManyRequests, "too many wrong codes for this team from your address", wait)
        fits: bool | None = None
        session = next(self._numbers)
        try:
            if len(self._waiting) >= MOST_CHECKS_WAITING:
                raise _refuse(web.HTTPServiceUnavailable, "too many codes wait to be checked", 2.0)
            self._waiting[session] = asyncio.get_running_loop().create_future()
            self._check(CodeCheck(table, session, address, code, lock, salt))
            opened, busy = await self._waiting[session]
            if busy:
                raise _refuse(web.HTTPServiceUnavailable, "too many codes wait to be checked", busy)
            fits = opened is not None
        finally:
            self._waiting.pop(session, None)
            if lock is not None:
                self._throttle.result(table, team, address, fits, self._now())
        if opened is not None:
            self._right.pop((table, team), None)
            self._right[table, team] = opened, digest
            if len(self._right) > MOST_CODES_REMEMBERED:
                del self._right[next(iter(self._right))]
        return opened


class ErrorLogs:
    """Answers a team's request for its errors."""

    def __init__(self, rooms: Mapping[str, Room], codes: TeamCodes, now: Callable[[], float]) -> None:
        self._rooms, self._codes, self._now = rooms, codes, now

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Send the last refused frames of a team."""
        room = self._rooms.get(request.match_info["table"])
        if room is None:
            raise web.HTTPNotFound(text="unknown table; the lobby lists all tables")
        try:
            posted = msgspec.json.decode(await request.read(), type=_PendingErrors)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise web.HTTPBadRequest(text='expected a JSON object with the texts "team" and "code"') from None
        table, lock = room.match.table_id, room.logins.lock_of(posted.team)
        if await self._codes.lock(table, posted.team, posted.code, network_of(request.remote), lock, b"") is None:
            raise web.HTTPForbidden(text=WRONG)
        return await send_bytes(request, msgspec.json.encode(self._errors(room, posted.team)), "application/json")

    def _errors(self, room: Room, team: str) -> TeamErrors:
        seat, now = room.match.seat_of(team), self._now()
        assert seat is not None, "a team with the right code has a seat"
        return TeamErrors(
            table_id=room.match.table_id,
            team=team,
            seat=seat,
            since=room.team_stats.since,
            errors=tuple(
                [
                    TeamError(
                        code=each.code,
                        msg=each.msg,
                        hand_id=each.hand_id,
                        turn=each.turn,
                        ago_ms=max(0, round((now - each.at) * 1000)),
                    )
                    for each in room.team_stats.refused(seat)
                ]
            ),
        )


def _refuse(kind: type[web.HTTPException], sentence: str, seconds: float) -> web.HTTPException:
    return kind(text=sentence, headers={"Retry-After": str(max(1, round(seconds)))})


class Replays:
    """Answers requests for finished hands; `shown` returns the hands that spectators have seen, or None."""

    def __init__(
        self,
        journal: Callable[[], Store],
        shown: Callable[[str], ShownSoFar | None],
        live: Callable[[str], LiveFigures],
        equities: Callable[[Sequence[EquitySpot]], tuple[EquityStep, ...]],
    ) -> None:
        self._archive = Archive(journal)
        self._shown = shown
        self._live_figures = live
        self._equities = equities
        self._pool = ThreadPoolExecutor(1, "archive")
        self._waiting = 0

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Start answering."""
        table = "/api/tables/{table}"
        router.add_get(f"{table}/history", _as_response(self._history))
        router.add_get(f"{table}/teams", _as_response(self._teams))
        router.add_get(f"{table}/hands", _as_response(self._list))
        router.add_get(f"{table}/hands.phhs", _as_response(self._phhs))
        router.add_get(f"{table}/hands/{{number}}.phh", _as_response(self._phh))
        router.add_get(f"{table}/hands/{{number}}", _as_response(self._hand))

    def close(self) -> None:
        """Stop answering, after the current request."""
        self._pool.submit(self._archive.close)
        self._pool.shutdown(wait=True)

    async def _history(self, request: web.Request) -> web.StreamResponse:
        table, shown = self._requested(request)
        return await self._send(request, lambda: msgspec.json.encode(self._archive.history(table, shown)))

    async def _teams(self, request: web.Request) -> web.StreamResponse:
        table, shown = self._requested(request)
        live = self._live_figures(table)
        return await self._send(request, lambda: msgspec.json.encode(self._archive.teams(table, shown, live)))

    async def _list(self, request: web.Request) -> web.StreamResponse:
        table, shown = self._requested(request)
        query = request.query
        team = query.get("team") or None
        wanted = HandQuery(
            sort=_sorting(query.get("sort") or "newest"),
            showdown=_parse_flag(query.get("showdown")),
            all_in=_parse_flag(query.get("all_in")),
            before=_parse_number(query.get("before"), "before"),
            limit=_parse_number(query.get("limit"), "limit") or 50,
        )
        return await self._send(request, lambda: msgspec.json.encode(self._archive.listed(table, shown, wanted, team)))

    async def _hand(self, request: web.Request) -> web.StreamResponse:
        table, shown = self._requested(request)
        number = _parse_hand_number(request, table)
        return await self._send(request, lambda: msgspec.json.encode(self._replay(table, shown, number)))

    def _replay(self, table: str, shown: ShownSoFar, number: int) -> HandReplay:
        """Return a finished hand with its equities."""
        hand = self._archive.hand(table, shown, number)
        plain = msgspec.json.decode(msgspec.json.encode(hand))
        return replace(hand, equities=self._equities(spots_of(plain)))

    async def _phh(self, request: web.Request) -> web.StreamResponse:
        table, shown = self._requested(request)
        number = _parse_hand_number(request, table)
        name = f"{_file_name(table)}-hand-{number}.phh"
        return await self._send(request, lambda: self._archive.phh(table, shown, number).encode(), name)

    async def _phhs(self, request: web.Request) -> web.StreamResponse:
        table, shown = self._requested(request)
        first = _parse_number(request.query.get("from"), "from") or 1
        last = min(first + MOST_FILED - 1, max(first, shown.hands))
        name = f"{_file_name(table)}-hands-{first}-{last}.phhs"
        return await self._send(request, lambda: self._archive.phhs(table, shown, first).encode(), name)

    def _requested(self, request: web.Request) -> tuple[str, ShownSoFar]:
        table = request.match_info["table"]
        shown = self._shown(table)
        if shown is None:
            raise web.HTTPNotFound(text="unknown table; the lobby lists all tables")
        return table, shown

    async def _send(self, request: web.Request, work: Callable[[], bytes], file: str = "") -> web.StreamResponse:
        body = await self._do(work)
        if not file:
            return await send_bytes(request, body, "application/json")
        return await send_bytes(request, body, PHH, {"Content-Disposition": f'attachment; filename="{file}"'})

    async def _do(self, work: Callable[[], T]) -> T:
        """Call a function in the archive's thread; refuse if too many requests wait for it."""
        if self._waiting >= MOST_REPLAYS_WAITING:
            raise _busy("too many requests for finished hands; try again later")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, _with_rest, work)
        finally:
            self._waiting -= 1


def _with_rest(work: Callable[[], T]) -> T:
    """Call a function in the archive's thread; then the thread rests for the same time."""
    began = time.monotonic()
    try:
        return work()
    finally:
        time.sleep(min(time.monotonic() - began, LONGEST_REST))


def _as_response(handler: Callable[[web.Request], Coroutine[Any, Any, web.StreamResponse]]) -> Handler:
    """Return a handler that turns errors into HTTP answers."""

    async def answered(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except NoSuchHand as error:
            raise web.HTTPNotFound(text=str(error)) from None
        except NotIndexed as error:
            raise _busy(str(error)) from None
        except PitbossError:  # do not show strangers what is wrong with the journal
            raise _busy("the journal cannot be read now; try again later") from None

    return answered


def _busy(sentence: str) -> web.HTTPException:
    return web.HTTPServiceUnavailable(text=sentence, headers={"Retry-After": "1"})


def _parse_hand_number(request: web.Request, table: str) -> int:
    number = request.match_info["number"]
    if not re.fullmatch(r"[0-9]{1,15}", number):
        raise NoSuchHand(f"{table}: expected the number of a hand, from 1")
    return int(number)


def _sorting(text: str) -> SortOrder:
    for sort in SORT_ORDERS:
        if sort == text:
            return sort
    raise web.HTTPBadRequest(text=f"sort: expected one of {', '.join(SORT_ORDERS)}")


def _parse_number(text: str | None, name: str) -> int | None:
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise web.HTTPBadRequest(text=f"{name}: expected a whole number")
    return int(text)


def _parse_flag(text: str | None) -> bool:
    return text is not None and text not in ("", "0", "false")


def _file_name(table: str) -> str:
    """Return a table's name as part of a file name."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", table)[:60]
