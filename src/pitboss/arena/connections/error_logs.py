"""A team's own errors over HTTP: what the server refused of what it sent, for whoever names the team's code.

The code comes in the body of a POST, never in an address, and is checked as slowly and as seldom as that of a hello.
"""

import asyncio
from collections.abc import Callable, Mapping
from itertools import count
from typing import Annotated

import msgspec
from aiohttp import web
from msgspec import Meta, Struct

from pitboss.arena.connections.admission import network_of
from pitboss.arena.connections.pages import send_bytes
from pitboss.arena.journal.records import Lock
from pitboss.arena.rooms.guesses import Guesses
from pitboss.arena.rooms.hellos import CodeCheck
from pitboss.arena.rooms.room import Room

WRONG = "no team of this name and code has a seat at this table"
MOST_WAITING = 256
"""Requests whose codes may wait to be checked."""


class _Asked(Struct):
    team: Annotated[str, Meta(min_length=1, max_length=64)]
    code: Annotated[str, Meta(min_length=1, max_length=128)]


class TeamError(Struct, frozen=True, kw_only=True):
    """A frame that was refused, so many milliseconds ago."""

    code: str
    msg: str
    hand_id: str | None
    turn: int | None
    ago_ms: int


class TeamErrors(Struct, frozen=True, kw_only=True):
    """The last frames of a team that were refused, the newest first, from hand `since` on."""

    table_id: str
    team: str
    seat: int
    since: int
    errors: tuple[TeamError, ...]


class ErrorLogs:
    """See the module's docstring; `check` has a code checked, whose result comes back by `take`."""

    def __init__(
        self,
        rooms: Mapping[str, Room],
        guesses: Guesses,
        check: Callable[[CodeCheck], None],
        now: Callable[[], float],
    ) -> None:
        self._rooms, self._guesses, self._check, self._now = rooms, guesses, check, now
        self._numbers = count(-1, -1)  # of checks, where connections count upwards
        self._waiting: dict[int, asyncio.Future[tuple[Lock | None, float]]] = {}

    def __contains__(self, session: int) -> bool:
        """Whether a check was asked for here, and is awaited."""
        return session in self._waiting

    def take(self, check: CodeCheck, lock: Lock | None, busy: float) -> bool:
        """A code was checked, or nobody had the time for so many seconds; whether it was asked for here."""
        waiter = self._waiting.get(check.session)
        if waiter is not None and not waiter.done():
            waiter.set_result((lock, busy))
        return check.session < 0  # whoever asked may be gone

    def close(self) -> None:
        """Let nobody wait any more."""
        for waiter in self._waiting.values():
            if not waiter.done():
                waiter.set_result((None, 1.0))

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Send a team its errors."""
        room = self._rooms.get(request.match_info["table"])
        if room is None:
            raise web.HTTPNotFound(text="there is no such table; the lobby lists those there are")
        try:
            asked = msgspec.json.decode(await request.read(), type=_Asked)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise web.HTTPBadRequest(text='send a JSON object with the texts "team" and "code"') from None
        if not await self._fits(room, asked, network_of(request.remote)):
            raise web.HTTPForbidden(text=WRONG)
        return await send_bytes(request, msgspec.json.encode(self._errors(room, asked.team)), "application/json")

    async def _fits(self, room: Room, asked: _Asked, address: str) -> bool:
        """Whether a code is the team's; raises where it cannot be told now."""
        table = room.match.table_id
        wait = self._guesses.ask(table, asked.team, address, self._now())
        if wait:
            raise _later(web.HTTPTooManyRequests, "too many wrong codes for this team from your address", wait)
        fits: bool | None = None
        session = next(self._numbers)
        try:
            if len(self._waiting) >= MOST_WAITING:
                raise _later(web.HTTPServiceUnavailable, "too many codes wait to be checked", 2.0)
            self._waiting[session] = asyncio.get_running_loop().create_future()
            lock = room.hellos.lock_of(asked.team)
            self._check(CodeCheck(table, session, address, asked.code, lock, b""))
            opened, busy = await self._waiting[session]
            if busy:
                raise _later(web.HTTPServiceUnavailable, "too many codes wait to be checked", busy)
            fits = opened is not None
            return fits
        finally:
            self._waiting.pop(session, None)
            self._guesses.result(table, asked.team, address, fits, self._now())

    def _errors(self, room: Room, team: str) -> TeamErrors:
        seat, now = room.match.seat_of(team), self._now()
        assert seat is not None, "whose code fits has a seat"
        return TeamErrors(
            table_id=room.match.table_id,
            team=team,
            seat=seat,
            since=room.conduct.since,
            errors=tuple(
                [
                    TeamError(
                        code=each.code,
                        msg=each.msg,
                        hand_id=each.hand_id,
                        turn=each.turn,
                        ago_ms=max(0, round((now - each.at) * 1000)),
                    )
                    for each in room.conduct.refused(seat)
                ]
            ),
        )


def _later(kind: type[web.HTTPException], sentence: str, seconds: float) -> web.HTTPException:
    return kind(text=sentence, headers={"Retry-After": str(max(1, round(seconds)))})
