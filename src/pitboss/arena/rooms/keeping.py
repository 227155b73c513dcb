"""Keeping a table open that can be joined: when another is opened, whom it is for, and which old ones are forgotten.

It knows neither a socket nor a clock. A match never begins again: another table is another match. Where house bots
would play among themselves a table is opened only while somebody is there to see it, so that an arena that is left
alone writes nothing down.
"""

from collections.abc import Collection

from msgspec import Struct

from pitboss.arena.rooms.room import Room
from pitboss.arena.rooms.tables import ENDED_SHOWN, OpenTables
from pitboss.store.chain import Entry

MOST_PLAYED = 100
"""Tables whose matches are not over; beyond it no other is opened, however many seats strangers take."""
HERE_FOR = 60.0
"""Seconds for which whoever has asked for the tables counts as being there."""
PAUSE = 10.0
"""Seconds after which another table follows one at which the house was alone to the end: its result is to be seen."""


class Keeping(Struct):
    """See the module's docstring; times are in seconds, by one clock."""

    tables: OpenTables
    asked: float | None = None  #: when somebody asked for the tables last
    closed_since: float | None = None  #: since when none can be joined, as far as was looked
    found: Room | None = None  #: a table that could be joined when it was last looked at

    def came(self, now: float) -> None:
        """Somebody has asked for the tables."""
        self.asked = now

    def joinable(self) -> Room | None:
        """A table that can be joined, the first of them unless one is known."""
        if self.found is None or not _can_be_joined(self.found):
            self.found = next(filter(_can_be_joined, self.tables.rooms.values()), None)
        return self.found

    def look(self, now: float, *, watched: bool, wanted: bool = False) -> tuple[Room, list[Entry]] | None:
        """Open another table where that is due; `watched`: somebody is connected, `wanted`: somebody wants a seat."""
        if self.joinable() is not None:
            self.closed_since = None
            return None
        self.closed_since = now if self.closed_since is None else self.closed_since
        if not wanted:
            here = watched or (self.asked is not None and now - self.asked < HERE_FOR)
            if not here or (self._house_was_alone and now - self.closed_since < PAUSE):
                return None
        played = sum(not room.match.over for room in self.tables.rooms.values())
        if played >= (MOST_PLAYED if self._leaves_seats else 1):
            return None
        opened = self.tables.open_table()
        self.tables.since[opened[0].match.table_id] = now
        return opened

    def room_of(self, team: str, *, resumes: bool) -> Room | None:
        """The table where a team plays; who resumes may also want to hear how a match ended."""
        rooms = reversed(self.tables.rooms.values())
        at = (room for room in rooms if room.match.seat_of(team) is not None and (resumes or not room.match.over))
        return next(at, None)

    def forget(self, visited: Collection[Room]) -> list[Room]:
        """Take the oldest tables whose matches are over off the list, unless somebody is at them; gives those."""
        ended = [room for room in self.tables.rooms.values() if room.match.over]
        gone = [room for room in ended[:-ENDED_SHOWN] if room not in visited and not room.pending]
        for room in gone:
            del self.tables.rooms[room.match.table_id]
            self.tables.since.pop(room.match.table_id, None)
        return gone

    @property
    def _leaves_seats(self) -> bool:
        """Whether the house leaves seats for others: else no number of tables would be enough."""
        return len(self.tables.plan.house) < self.tables.plan.settings.seats

    @property
    def _house_was_alone(self) -> bool:
        """Whether at the newest table only house bots have played, to the end."""
        match = next(reversed(self.tables.rooms.values())).match
        return match.over and len(match.house_teams) == len(match.history.seats) > 0


def _can_be_joined(room: Room) -> bool:
    """Whether a seat is left when all who are coming have theirs."""
    return room.match.takes_teams and room.match.summary(()).free > room.hellos.newcomers
