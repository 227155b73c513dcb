"""All tables of one server: new tables, tables recovered from the journal, and tables that are opened for new teams.

This module uses no sockets and no clock.
"""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations, count

from msgspec import Struct, field
from msgspec.structs import replace

from pitboss import RULES_VERSION
from pitboss.arena.bots.house import team_names as house_teams
from pitboss.arena.hosts.games import make_host
from pitboss.arena.journal.history import History
from pitboss.arena.journal.records import (
    Lock,
    MatchEnded,
    Record,
    RecordError,
    Settings,
    TableOpened,
    read_record,
    write_record,
)
from pitboss.arena.rooms.cash import open_match
from pitboss.arena.rooms.logins import Limits, LoginThrottle
from pitboss.arena.rooms.match import Match
from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.rooms.recovery import Changes, Recovered, TableRefused, numbered, recover
from pitboss.arena.rooms.room import Room
from pitboss.arena.wire.team_names import are_alike, fault_of
from pitboss.errors import PitbossError
from pitboss.store import Store
from pitboss.store.chain import Chain, Entry, Reading, start_hash

ENDED_SHOWN = 20
"""The maximum number of finished tables in the lobby of the page."""

MOST_TABLES_PLAYED = 100
"""The maximum number of unfinished tables."""
VISITOR_STAYS = 60.0
"""Seconds for which a visitor who requested the list of tables counts as present."""
PAUSE = 10.0
"""Seconds between a match of house bots alone and the next table, so that visitors can see the result."""


class OpeningError(PitbossError, ValueError):
    """The server cannot start with these arguments and this journal."""


class RoomSetup(Struct, frozen=True, kw_only=True):
    """The settings of all rooms: limits, randomness, and today's date."""

    limits: Limits = Limits()
    entropy: Callable[[int], bytes] = os.urandom
    day: Callable[[], str]


class TablePlan(Struct, frozen=True, kw_only=True):
    """The plan for new tables: settings, the locks of listed teams, and house bots."""

    settings: Settings
    locks: dict[str, Lock] | None = None
    house: tuple[str, ...] = ()


class OpenTables(Struct):
    """The rooms by table, and a report of how they were opened."""

    store: Store
    setup: RoomSetup
    plan: TablePlan
    rooms: dict[str, Room] = field(default_factory=dict)
    report: list[str] = field(default_factory=list)
    throttle: LoginThrottle = field(default_factory=LoginThrottle)
    keep_open: bool = False
    since: dict[str, float] = field(default_factory=dict)  #: when each table was opened that was added later
    known: set[str] = field(default_factory=set)  #: the names of all tables in the journal

    def default(self) -> str:
        """Return the table for a client that does not give a name: the first unfinished table, or the first table."""
        return next((table for table, room in self.rooms.items() if not room.match.over), next(iter(self.rooms)))

    def shown(self, now: float) -> dict[str, Room]:
        """Return the rooms that spectators may see.

        With delayed spectators, a new room is hidden at first, because it would show that the earlier rooms are full or
        over.
        """
        delay = self.setup.limits.delay
        if not delay or not self.since:
            return self.rooms
        return {table: room for table, room in self.rooms.items() if now - self.since.get(table, now - delay) >= delay}

    def default_shown(self, now: float) -> str:
        """Return the table for a spectator who does not give a name. Tables with hands come first, then tables with
        players.

        A table whose end was shown comes last.
        """
        rooms, late = self.shown(now), bool(self.setup.limits.delay)
        live = [table for table, room in rooms.items() if not (room.spectators.over if late else room.match.over)]
        if not live:
            return next(reversed(rooms)) if self.keep_open else next(iter(rooms))
        return max(live, key=lambda table: _liveliness(rooms[table], late=late))

    def open_table(self) -> tuple[Room, list[Entry]]:
        """Open a new table with its house bots; return the room and its first entries, which are not on disk yet."""
        table = next(name for number in count(len(self.known) + 1) if (name := f"T-{number}") not in self.known)
        self.known.add(table)
        plan, chain = self.plan, Chain(table, start_hash(table))
        first = TableOpened(rules=RULES_VERSION, settings=plan.settings, teams=plan.locks)
        history = History(table)
        history.take(first, over=True)
        messages = TableMessages(match := open_match(history, make_host(plan.settings)))
        records: list[Record] = [first, *[match.sit(team, None) for team in house_teams(plan.house)]]
        room = self.rooms[table] = _room(self, messages, chain)
        return room, [chain.append(write_record(record), seals=True) for record in records]


def _liveliness(room: Room, *, late: bool) -> tuple[bool, bool]:
    """Return whether spectators see a hand at a table, and whether they see players."""
    players = room.spectators.lobby.players if late else room.match.history.seats
    return room.spectators.has_hand if late else room.match.history.hands > 0, len(players) > 0


def open_tables(
    store: Store,
    setup: RoomSetup,
    settings: Settings,
    *,
    tables: int = 1,
    teams: Mapping[str, str] | None = None,
    house: Sequence[str] = (),
    new: bool = False,
    keep_open: bool = False,
    named: Collection[str] | None = None,
    now: float = 0.0,
) -> OpenTables:
    """Resume all tables in the journal. Open new ones if it has none, or if all are over and `new` is set.

    `keep_open` implies `new`, and resumes only the last finished matches.

    `named` are the settings (and "house") that the caller named; None means all. A resumed table that has not dealt a
    hand gets these settings. A table that has dealt a hand keeps its settings, and the report lists the differences.
    Raises `OpeningError` if every table is refused (a new table would hide that), if an unfinished table admits other
    teams, if its teams do not fit the settings, and if a name on a new table's list is not allowed or looks like
    another.
    """
    plan = TablePlan(settings=settings, house=tuple(house))
    opened = OpenTables(store, setup, plan, report=[*store.notices], keep_open=keep_open)
    refused: list[str] = []
    changes = Changes(settings, tuple(house), named)
    left = _long_over(store) if keep_open else set()
    for table in store.tables():  # read one table at a time, because a whole journal could fill the memory
        if table in left:
            opened.known.add(table)
        elif (reading := store.read(table)).last:
            opened.known.add(table)
            refused += filter(None, [_take_up(opened, table, reading, now, changes)])
    if left:
        opened.report.append(
            f"shows the last {ENDED_SHOWN} of {len(left) + ENDED_SHOWN} finished matches; the journal has all of them"
        )
    opened.report += refused
    listed = {team for room in opened.rooms.values() for team in room.match.history.teams or ()}
    for room in opened.rooms.values():
        _check_list(room.match, teams, listed)
        opened.report += changes.ignored(room.match)
    if refused and not opened.rooms:
        raise OpeningError(f"{refused[0]}; restore the journal from a copy, or use another --db")
    over = all(room.match.over for room in opened.rooms.values())
    if over or keep_open:
        opened.plan = replace(opened.plan, locks=_locks(opened, teams))
    if not opened.known or ((new or keep_open) and over):
        _check_names(teams or {}, house)
        entries: list[Entry] = []
        whole = opened.plan
        shares = spread(list(whole.locks or ()), tables, len(house), settings.start_at)
        for share in shares:
            locks = None if whole.locks is None else {team: whole.locks[team] for team in share}
            opened.plan = replace(whole, locks=locks)
            room, first = opened.open_table()
            store.claim(room.match.table_id)
            room.durable = len(first)
            entries += first
        opened.plan = whole
        store.append(entries)  # in one transaction: all tables or none
    elif tables > 1 and tables != len(opened.rooms):
        opened.report.append(f"this journal has {len(opened.rooms)} tables, not {tables}: use another --db")
    return opened


def spread(teams: Sequence[str], tables: int, house: int, start_at: int) -> list[list[str]]:
    """Divide the listed teams evenly among the tables; if that is too few to start, list all teams at every table.

    >>> spread(["A", "B", "C", "D", "E"], 2, 0, 2)
    [['A', 'C', 'E'], ['B', 'D']]
    >>> spread(["A", "B"], 2, 0, 2)
    [['A', 'B'], ['A', 'B']]
    """
    if len(teams) // tables + house < start_at:
        return [list(teams)] * tables
    return [list(teams[table::tables]) for table in range(tables)]


def _long_over(store: Store) -> set[str]:
    """Return the finished tables except the last ones; they stay in the journal only."""
    ended = [table for table in store.tables() if (last := store.newest(table)) and _ends(last)]
    return set(ended[:-ENDED_SHOWN])


def _ends(entry: Entry) -> bool:
    try:
        return isinstance(read_record(entry.body), MatchEnded)
    except RecordError:  # reported when the table is resumed
        return False


def _locks(opened: OpenTables, teams: Mapping[str, str] | None) -> dict[str, Lock] | None:
    """Return the locks of a new table: those of `teams`, else those of an unfinished table."""
    if teams is not None:
        return {team: Lock.on(code, opened.setup.entropy(16)) for team, code in teams.items()}
    lists = [room.match.history.teams for room in opened.rooms.values() if not room.match.over]
    return next((listed for listed in lists if listed is not None), None)


def _check_names(teams: Collection[str], house: Sequence[str]) -> None:
    """Raise `OpeningError` if a name of a new table is not allowed or looks like another one."""
    for team in teams:
        if (fault := fault_of(team)) is not None:
            raise OpeningError(f"team {team!r} {fault}")
    for one, other in combinations((*teams, *house_teams(house)), 2):
        if are_alike(one, other):
            raise OpeningError(f"teams {one!r} and {other!r} look alike")


def _check_list(match: Match, teams: Collection[str] | None, listed: Collection[str]) -> None:
    """Raise `OpeningError` if an unfinished table admits teams that are not on the given list, or none of it.

    `listed` are the teams of all tables, which share a list.
    """
    admitted = match.history.teams
    if teams is None or match.over:
        return
    if admitted is not None and admitted.keys() <= set(teams) <= set(listed):
        return
    found = "any team" if admitted is None else f"only {', '.join(sorted(map(repr, admitted)))}"
    raise OpeningError(
        f"{match.table_id} of this journal is not over and admits {found}, not the given list: "
        "start without the list to continue it, or use another --db"
    )


def _take_up(opened: OpenTables, table: str, reading: Reading, now: float, changes: Changes) -> str | None:
    """Resume a table, and void its open hand if the hand is damaged. Return the reason if the table is refused."""
    try:
        recovered = recover(table, reading)
    except TableRefused as refusal:
        return str(refusal)
    match = recovered.match
    if not match.over:
        opened.store.claim(table)
    if recovered.tear is not None:
        opened.rooms[table] = _void(opened, table, recovered, now)
        return None
    chain = Chain(table, reading.head)
    try:
        records, sentences = changes.make(match)
    except ValueError as error:
        raise OpeningError(f"{table} cannot take these settings: {error}") from None
    opened.store.append([chain.append(write_record(record), seals=True) for record in records])
    room = opened.rooms[table] = _room(opened, recovered.messages, chain)
    room.resume(recovered.frames, recovered.mark, recovered.turn, now, recovered.unaware())
    history = match.history
    if match.over and opened.keep_open:
        return None  # there may be many of these, so they are not reported
    where = f"in hand {history.hands}" if match.underway else "after its match" if match.over else "between hands"
    opened.report.append(f"{table}: resumed {where}, {history.played} played, chips audited")
    opened.report += sentences
    return None


def _void(opened: OpenTables, table: str, recovered: Recovered, now: float) -> Room:
    """Void the damaged hand, record that in the journal, and prepare the message to its seats."""
    tear, match = recovered.tear, recovered.match
    assert tear is not None
    void = match.void(tear.at, tear.sentence, match.seq + tear.may_have_sent)
    chain = Chain(table, tear.left.head)
    entry = chain.mend(tear.left, write_record(void), seals=True)
    opened.store.append([entry])
    lost = "LOST: " if tear.left.lost else ""
    opened.report.append(f"{table}: {lost}{tear.sentence}; hand {void.number} is void, and its chips are returned")
    recovered.voided = numbered(recovered.messages.of(void, entry.hash))
    room = _room(opened, recovered.messages, chain)
    room.resume(recovered.frames + recovered.voided, recovered.mark, None, now, recovered.unaware())
    return room


def _room(opened: OpenTables, messages: TableMessages, chain: Chain) -> Room:
    setup = opened.setup
    return Room(messages, chain, entropy=setup.entropy, day=setup.day, limits=setup.limits, throttle=opened.throttle)


class TablePool(Struct):
    """Decides when another table is opened; times are in seconds, from one clock."""

    tables: OpenTables
    requested: float | None = None  #: when a visitor last requested the list of tables
    closed_since: float | None = None  #: the time from which on no table could be joined
    found: Room | None = None  #: the table that could be joined at the last check

    def came(self, now: float) -> None:
        """Note that a visitor requested the list of tables."""
        self.requested = now

    def joinable(self) -> Room | None:
        """Return a table that can be joined, preferably the one of the last check."""
        if self.found is None or not _can_be_joined(self.found):
            self.found = next(filter(_can_be_joined, self.tables.rooms.values()), None)
        return self.found

    def look(self, now: float, *, watched: bool, wanted: bool = False) -> tuple[Room, list[Entry]] | None:
        """Open another table if one is due.

        `watched` says whether a client is connected, `wanted` whether a client wants a seat.
        """
        if self.joinable() is not None:
            self.closed_since = None
            return None
        self.closed_since = now if self.closed_since is None else self.closed_since
        if not wanted:
            here = watched or (self.requested is not None and now - self.requested < VISITOR_STAYS)
            if not here or (self._house_was_alone and now - self.closed_since < PAUSE):
                return None
        played = sum(not room.match.over for room in self.tables.rooms.values())
        if played >= (MOST_TABLES_PLAYED if self._leaves_seats else 1):
            return None
        opened = self.tables.open_table()
        self.tables.since[opened[0].match.table_id] = now
        return opened

    def room_of(self, team: str, *, resumes: bool) -> Room | None:
        """Return the table where a team plays, or a table that lists it; a client can resume at a finished table."""
        rooms = [*reversed(self.tables.rooms.values())]
        at = (room for room in rooms if room.match.seat_of(team) is not None and (resumes or not room.match.over))
        if (seated := next(at, None)) is not None:
            return seated
        listed = [room for room in rooms[::-1] if team in (room.match.history.teams or ()) and not room.match.over]
        refused = None if self.tables.keep_open else next(iter(listed), None)
        return next(filter(_can_be_joined, listed), refused)

    def forget(self, visited: Collection[Room]) -> list[Room]:
        """Remove the oldest finished tables without visitors from the list, and return them."""
        ended = [room for room in self.tables.rooms.values() if room.match.over]
        gone = [room for room in ended[:-ENDED_SHOWN] if room not in visited and not room.pending]
        for room in gone:
            del self.tables.rooms[room.match.table_id]
            self.tables.since.pop(room.match.table_id, None)
        return gone

    @property
    def _leaves_seats(self) -> bool:
        """Whether a new table has free seats after its house bots are seated."""
        return len(self.tables.plan.house) < self.tables.plan.settings.seats

    @property
    def _house_was_alone(self) -> bool:
        """Whether only house bots have played at the newest table, and its match is over."""
        match = next(reversed(self.tables.rooms.values())).match
        return match.over and len(match.house_teams) == len(match.history.seats) > 0


def _can_be_joined(room: Room) -> bool:
    """Whether a table has more free seats than pending new teams."""
    return room.match.takes_teams and room.messages.summary(()).free > room.logins.newcomers
