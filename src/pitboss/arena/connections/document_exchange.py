"""The document of a cash table over HTTP: players read it, post it with a wish or an action, and follow its changes.

The code of a team comes in the header `Authorization: Bearer CODE`. Without it the document is that of the spectators.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Annotated, cast

import msgspec
from aiohttp import hdrs, web
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from pitboss.arena.connections.admission import network_of
from pitboss.arena.connections.connection import Connection
from pitboss.arena.connections.web import BODY_BYTES, TeamCodes, send_bytes
from pitboss.arena.journal.records import Lock
from pitboss.arena.rooms.cash_document import DocumentRequest, read_posted
from pitboss.arena.rooms.output import Output
from pitboss.arena.rooms.room import Room
from pitboss.arena.rooms.tables import OpenTables
from pitboss.arena.wire.messages import Rejected, TopUp
from pitboss.documents.fields import DocumentError

DOCUMENT_BYTES = 64 * 1024
"""The maximum length of a posted document, in bytes."""
PING = 15.0
"""Seconds without changes after which a follower receives a comment, to detect connections that have ended."""
LONGEST_TEAM, LONGEST_CODE = 64, 128
PATH = "/api/tables/{table}/document"
WRONG = "the code is not that of this team"
STATUSES: dict[str, type[web.HTTPException]] = {
    "RATE_LIMITED": web.HTTPTooManyRequests,
    "TEAM_UNKNOWN": web.HTTPUnauthorized,
    "BAD_SCHEMA": web.HTTPUnprocessableEntity,
    "TOP_UP_OUT_OF_RANGE": web.HTTPUnprocessableEntity,
    "BUY_IN_OUT_OF_RANGE": web.HTTPUnprocessableEntity,
}
"""The HTTP errors for refusals of a table. All other refusals are answered with the current document (409)."""


class _TopUp(Struct, forbid_unknown_fields=True):
    amount: Annotated[int, Meta(ge=1, le=2**53 - 1)]


class _Answer(Struct):
    document: msgspec.Raw
    ignored: tuple[str, ...]
    refused: str | UnsetType = UNSET


def longest_body(request: web.Request) -> int:
    """Return the number of bytes that the body of a request may have."""
    resource = request.match_info.route.resource
    return DOCUMENT_BYTES if resource is not None and resource.canonical == PATH else BODY_BYTES


class DocumentExchange:
    """Answers requests for the documents of cash tables; `carry_out` handles the output of a room."""

    def __init__(
        self,
        tables: OpenTables,
        codes: TeamCodes,
        carry_out: Callable[[Room, Output], None],
        on_disk: Callable[[Room, int], Awaitable[None]],
        now: Callable[[], float],
    ) -> None:
        self._tables, self._codes, self._carry_out, self._on_disk, self._now = tables, codes, carry_out, on_disk, now
        self._followers: dict[str, set[asyncio.Event]] = {}
        self._closed = False

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Start answering."""
        router.add_get(PATH, self._read)
        router.add_post(PATH, self._post)
        router.add_post(f"{PATH}/top_up", self._top_up)
        router.add_get(f"{PATH}/events", self._follow)

    def changed(self, room: Room) -> None:
        """Wake the followers of a table, because the table may have changed."""
        for follower in self._followers.get(room.match.table_id, ()):
            follower.set()

    def close(self) -> None:
        """Close the streams of all followers."""
        self._closed = True
        for followers in self._followers.values():
            for follower in followers:
                follower.set()

    # --- the document

    async def _read(self, request: web.Request) -> web.StreamResponse:
        """Send the document, or report that the client's copy is current."""
        room, team = self._room(request), None
        if hdrs.AUTHORIZATION in request.headers:
            await self._lock(room, request, room.logins.lock_of)
            team = request.query["team"]
            self._carry_out(room, room.greet(team, self._now()))
        shown = room.document(team)
        await self._on_disk(room, shown.number)
        headers = {"ETag": f'"{shown.number}"', "Vary": "Authorization"}
        if any(tag.value == str(shown.number) for tag in request.if_none_match or ()):
            return web.Response(status=304, headers=headers)
        return await send_bytes(request, shown.body, "application/json", headers)

    async def _post(self, request: web.Request) -> web.StreamResponse:
        """Carry out the request in a posted document."""
        room = self._room(request)
        body = await _body(request, DOCUMENT_BYTES)
        team = request.query.get("team", "")
        try:
            lock = await self._lock(room, request, room.logins.lock_for)
            posted = read_posted(room.match, team, body)
        except DocumentError as error:
            raise web.HTTPUnprocessableEntity(text=_printable(str(error))) from None
        except Rejected as rejected:  # a new team, whose code needs no check
            return await self._answer(room, None, DocumentRequest(rejected=rejected))
        return await self._do(room, team, lock, posted)

    async def _top_up(self, request: web.Request) -> web.StreamResponse:
        """Bring chips."""
        room = self._room(request)
        try:
            posted = msgspec.json.decode(await request.read(), type=_TopUp)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise web.HTTPUnprocessableEntity(text='expected a JSON object such as {"amount": 500}') from None
        lock = await self._lock(room, request, room.logins.lock_of)
        wish = DocumentRequest(request=TopUp(v=1, amount=posted.amount))
        return await self._do(room, request.query["team"], lock, wish)

    async def _do(self, room: Room, team: str, lock: Lock, posted: DocumentRequest) -> web.StreamResponse:
        """Pass a team's request to the room, and send the document."""
        rejected, out = room.post(team, lock, posted, self._now())
        self._carry_out(room, out)
        return await self._answer(room, team, posted if rejected is None else replace(posted, rejected=rejected))

    async def _answer(self, room: Room, team: str | None, posted: DocumentRequest) -> web.StreamResponse:
        """Send the document after a request, once it is on disk."""
        rejected = posted.rejected
        if rejected is not None and rejected.code in STATUSES:
            raise _refusal(rejected)
        shown = room.document(team)
        await self._on_disk(room, shown.number)
        answer = _Answer(
            document=msgspec.Raw(shown.body),
            ignored=posted.ignored,
            refused=UNSET if rejected is None else str(rejected),
        )
        return web.Response(
            status=200 if rejected is None else 409,
            body=msgspec.json.encode(answer),
            content_type="application/json",
            charset="utf-8",
            headers={"ETag": f'"{shown.number}"'},
        )

    def _room(self, request: web.Request) -> Room:
        """Return the cash table of a request; without a code, only a table that spectators may see."""
        named = request.match_info["table"]
        seen = hdrs.AUTHORIZATION in request.headers
        room = (self._tables.rooms if seen else self._tables.shown(self._now())).get(named)
        if room is None or not room.match.settings.cash:
            raise web.HTTPNotFound(text="this cash table does not exist; only cash tables have documents")
        return room

    async def _lock(self, room: Room, request: web.Request, lock_of: Callable[[str], Lock | None]) -> Lock:
        """Return the lock that matches the code of a request, or a new lock.

        Raise an HTTP error if the code is wrong.
        """
        team = request.query.get("team", "")
        kind, _, code = request.headers.get(hdrs.AUTHORIZATION, "").partition(" ")
        if kind.lower() != "bearer" or not 1 <= len(code) <= LONGEST_CODE:
            raise _unauthorized("expected the header Authorization: Bearer CODE")
        if not 1 <= len(team) <= LONGEST_TEAM:
            raise web.HTTPUnprocessableEntity(text=f"team: expected a name of 1 to {LONGEST_TEAM} characters")
        lock, table, salt = lock_of(team), room.match.table_id, self._tables.setup.entropy(16)
        opened = await self._codes.lock(table, team, code, network_of(request.remote), lock, salt)
        if opened is None or (lock is None and room.match.lock_of(team) is not None):  # another client was faster
            raise _unauthorized(WRONG)
        return opened

    # --- changes

    async def _follow(self, request: web.Request) -> web.StreamResponse:
        """Send a number for each change, starting with the latest one."""
        room = self._room(request)
        connection = None if request.transport is None else request.transport.get_protocol()
        if not cast(Connection, connection).watch():
            raise web.HTTPServiceUnavailable(text="too many spectators; try again later")
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        response.force_close()
        await response.prepare(request)
        sent = room.public_number - 1
        async with self._following(room) as changed:
            while not self._closed:
                changed.clear()
                for number in range(sent + 1, room.public_number + 1):
                    await response.write(b'id: %d\ndata: {"number": %d}\n\n' % (number, number))
                    sent = number
                try:
                    async with asyncio.timeout(PING):
                        await changed.wait()
                except TimeoutError:
                    await response.write(b": no change\n\n")
        return response

    @asynccontextmanager
    async def _following(self, room: Room) -> AsyncIterator[asyncio.Event]:
        followers = self._followers.setdefault(room.match.table_id, set())
        followers.add(changed := asyncio.Event())
        try:
            yield changed
        finally:
            followers.discard(changed)


async def _body(request: web.Request, most: int) -> bytes:
    """Return the body of a request, counted while it is read."""
    body = bytearray()
    async for piece in request.content.iter_any():
        body += piece
        if len(body) > most:
            raise web.HTTPRequestEntityTooLarge(most, len(body), text=f"body: expected at most {most} bytes")
    return bytes(body)


def _unauthorized(sentence: str) -> web.HTTPException:
    return web.HTTPUnauthorized(text=sentence, headers={hdrs.WWW_AUTHENTICATE: "Bearer"})


def _refusal(rejected: Rejected) -> web.HTTPException:
    """Return the answer to a request that is refused without a document."""
    kind = STATUSES.get(rejected.code, web.HTTPConflict)
    seconds = max(1, round((rejected.retry_after_ms or 0) / 1000))
    headers = {"Retry-After": str(seconds)} if kind is web.HTTPTooManyRequests else None
    return kind(text=_printable(str(rejected)), headers=headers)


def _printable(sentence: str) -> str:
    """Return a sentence without characters that UTF-8 cannot encode."""
    return sentence.encode("utf-8", "replace").decode()
