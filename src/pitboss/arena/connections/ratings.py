"""Ratings of games by their players over HTTP: a number from 1 to 5 and a word, with the team's code in the body.

They are stored in the run of `pitboss lab evolve` that the game comes from. A team rates a game once, after its first
hand at the table.
"""

import asyncio
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
from aiohttp import web
from msgspec import Meta, Struct

from pitboss.arena.connections.admission import network_of
from pitboss.arena.connections.web import WRONG, TeamCodes
from pitboss.arena.hosts.games import is_genome
from pitboss.arena.rooms.room import Room
from pitboss.lab.ratings import LONGEST_WORD, Rating, RatingError, add_rating, read_ratings
from pitboss.printing import printable

log = logging.getLogger("pitboss.arena")

PATH = "/api/tables/{table}/ratings"
SHAPE = 'expected a JSON object such as {"team": "Gamma", "code": "KF7Q9C", "stars": 4, "word": "quick"}'
LARGEST = 2**53 - 1


class PostedRating(Struct, frozen=True):
    """The body of a request."""

    team: Annotated[str, Meta(min_length=1, max_length=64)]
    code: Annotated[str, Meta(min_length=1, max_length=128)]
    stars: Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
    word: str = ""

    def of(self, game: str, when: str = "") -> Rating:
        """Return the rating of a game. Raise `RatingError` if the stars or the word are refused."""
        if len(self.word) > LONGEST_WORD:
            raise RatingError(f"word: expected at most {LONGEST_WORD} characters, got {len(self.word):,}")
        for char in self.word:
            if printable(char) != char:
                raise RatingError(f"word: expected no control or invisible characters, got U+{ord(char):04X}")
        return Rating(game, self.stars, self.word.strip(), when, self.team)


def read_posted_rating(body: bytes) -> PostedRating:
    """Return the content of a body. Raise `RatingError` if it is something else.

    >>> read_posted_rating(b'{"team": "Gamma", "code": "KF7Q9C", "stars": 4, "word": "quick"}').of("leduc").stars
    4
    """
    try:
        return msgspec.json.decode(body, type=PostedRating)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RatingError(SHAPE) from None


class GameRatings:
    """Stores the ratings of players in the folder of a run; without a folder, all are refused."""

    def __init__(self, folder: Path | None, rooms: Mapping[str, Room], codes: TeamCodes) -> None:
        self._folder, self._rooms, self._codes = folder, rooms, codes
        self._one_at_a_time = asyncio.Lock()
        self._given: set[tuple[str, str]] | None = None  # the games and teams of all ratings, once they are read

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Store a rating, or refuse it."""
        room = self._rooms.get(request.match_info["table"])
        if room is None:
            raise web.HTTPNotFound(text="unknown table; the lobby lists all tables")
        settings = room.match.settings
        if self._folder is None or not is_genome(settings.own_game):
            raise web.HTTPNotFound(text="the organiser does not collect ratings of this game")
        try:
            posted = read_posted_rating(await request.read())
            rating = posted.of(settings.game, datetime.now(UTC).isoformat(timespec="seconds"))
        except RatingError as error:
            raise web.HTTPBadRequest(text=str(error)) from None
        table, lock = room.match.table_id, room.logins.lock_of(posted.team)
        address = network_of(request.remote)
        if await self._codes.lock(table, posted.team, posted.code, address, lock, b"") is None:
            raise web.HTTPForbidden(text=WRONG)
        if not room.match.finished:
            raise web.HTTPConflict(text="a game can be rated when it is over, and none is over at this table")
        async with self._one_at_a_time:
            await asyncio.to_thread(self._store, self._folder, rating)
        return web.Response(status=204)

    def _store(self, folder: Path, rating: Rating) -> None:
        """Add a rating to the file, unless the team has already rated the game."""
        if self._given is None:
            self._given = {(each.game, each.by) for each in read_ratings(folder).given}
        if (rating.game, rating.by) in self._given:
            raise web.HTTPConflict(text=f"{rating.by} has already rated this game")
        try:
            add_rating(folder, rating)
        except RatingError as error:
            log.error("a rating is lost: %s", error)
            raise web.HTTPServiceUnavailable(text="the server cannot store ratings now") from None
        self._given.add((rating.game, rating.by))
