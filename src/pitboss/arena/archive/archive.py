"""The finished hands of a server's tables: an index of them, and the lists, histories and files made with it.

A separate thread reads the journal while the server writes it. The archive has only what spectators have seen: a hand
is read after its end was shown to spectators. Each request extends the index for a bounded time; until the index is
complete, each answer states how many hands are in it. The index is a private database in a temporary file. It can be
built again from the journal at any time.
"""

import sqlite3
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import replace

from pitboss.arena.archive.figures import LiveFigures, TableFigures, TableTally
from pitboss.arena.archive.reader import Follower, HandOutcome, HandReplay, outcome_of, record_of, replay_hand, unbroken
from pitboss.arena.journal.history import HandHistory
from pitboss.errors import PitbossError
from pitboss.formats.phh import write_phh, write_phhs
from pitboss.store import Entry, Store, StoreError

MOST_SEATS = 10
CACHE_KIB = 1024

SortOrder = Literal["newest", "pots", "wins", "losses"]
SORT_ORDERS: tuple[SortOrder, ...] = get_args(SortOrder)

_DELTAS, _STACKS, _TEAMS = ([f"{letter}{seat}" for seat in range(MOST_SEATS)] for letter in "dst")
_COLUMNS = ("table_id", "number", "first", "last", "hand_id", "pot", "winners", "flags", *_DELTAS, *_STACKS, *_TEAMS)
_LAYOUT = f"CREATE TABLE hand ({', '.join(_COLUMNS)}, PRIMARY KEY (table_id, number)) WITHOUT ROWID"
_INSERT = f"INSERT OR REPLACE INTO hand VALUES ({', '.join('?' * len(_COLUMNS))})"
_SHOWDOWN, _ALL_IN, _VOIDED = 1, 2, 4

MOST_POINTS = 200
"""The maximum number of points of a history."""
MOST_LISTED = 100
"""The maximum number of hands in a list."""
MOST_FILED = 500
"""The maximum number of hands in a file."""
HANDS_COUNTED_AT_ONCE = 20
"""The number of hands that are counted together for the teams' figures."""
ENTRIES_AT_ONCE = 200
"""The number of entries that are read together."""
MOST_TABLES = 1000
"""The maximum number of tables in the index. If there are more, the oldest is removed, and read again on request."""
PATIENCE = 1.0
"""Seconds for which one request may extend the index."""


class HandQuery(Struct, frozen=True, kw_only=True):
    """A request for hands, and their order.

    With a `team`, only hands in which this team was dealt in, and "wins" and "losses" mean the team's own.
    """

    team: int | None = None  #: by its number in the index
    sort: SortOrder = "newest"
    showdown: bool = False
    all_in: bool = False
    before: int | None = None  #: only hands with lower numbers
    limit: int = 50


class IndexedHand(Struct, frozen=True):
    """A hand in the index: its result, its first and last entry, and the number of the team at each seat."""

    outcome: HandOutcome
    first: int
    last: int
    teams: dict[int, int] = {}


class HandIndex:
    """The index of finished hands of all tables. Only one thread may use it."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect("", isolation_level=None)
        for pragma in ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{CACHE_KIB}", "temp_store = FILE"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute(_LAYOUT)

    def add(self, table: int, hands: Sequence[IndexedHand]) -> None:
        """Add hands of a table."""
        if hands:
            self._connection.execute("BEGIN")
            self._connection.executemany(_INSERT, [_row(table, hand) for hand in hands])
            self._connection.execute("COMMIT")

    def find(self, table: int, number: int) -> IndexedHand | None:
        """One hand."""
        rows = self._select(table, "AND number = ?", number)
        return rows[0] if rows else None

    def listed(self, table: int, wanted: HandQuery) -> list[IndexedHand]:
        """Return the wanted hands. Without `newest` they are sorted by size, and hands of equal size by number."""
        where, values = "", list[object]()
        if wanted.team is not None:  # the team's seat can differ from hand to hand
            where += f" AND {wanted.team:d} IN ({', '.join(_TEAMS)})"
        flags = _SHOWDOWN * wanted.showdown | _ALL_IN * wanted.all_in
        if flags:
            where += f" AND flags & {flags} = {flags}"
        if wanted.before is not None:
            where += " AND number < ?"
            values.append(wanted.before)
        order = ""
        if wanted.sort == "pots":
            order = "pot DESC, "
        elif wanted.sort != "newest":
            least = wanted.sort == "losses"
            if wanted.team is not None:
                cases = [f"WHEN {team} = {wanted.team:d} THEN {won}" for team, won in zip(_TEAMS, _DELTAS, strict=True)]
                size = f"(CASE {' '.join(cases)} END)"
            else:
                size = f"{'min' if least else 'max'}({', '.join(f'ifnull({column}, 0)' for column in _DELTAS)})"
            where += f" AND {size} {'<' if least else '>'} 0"
            order = f"{size} {'ASC' if least else 'DESC'}, "
        return self._select(table, f"{where} ORDER BY {order}number DESC LIMIT ?", *values, wanted.limit)

    def some(self, table: int, numbers: Sequence[int]) -> list[IndexedHand]:
        """Return the hands with these numbers, in order, if they exist."""
        marks = ", ".join("?" * len(numbers))
        return self._select(table, f"AND number IN ({marks}) ORDER BY number", *numbers)

    def following(self, table: int, first: int, most: int) -> list[IndexedHand]:
        """Return at most `most` hands in order, starting with this number."""
        return self._select(table, "AND number >= ? ORDER BY number LIMIT ?", first, most)

    def last(self, table: int) -> int:
        """Return the highest number of a table; 0 if it has no hands."""
        ((number,),) = self._connection.execute("SELECT max(number) FROM hand WHERE table_id = ?", (table,))
        return int(number or 0)

    def drop(self, table: int) -> None:
        """Remove a table's hands."""
        self._connection.execute("DELETE FROM hand WHERE table_id = ?", (table,))

    def close(self) -> None:
        """Delete the index."""
        self._connection.close()

    def _select(self, table: int, rest: str, *values: object) -> list[IndexedHand]:
        query = f"SELECT {', '.join(_COLUMNS)} FROM hand WHERE table_id = ? {rest}"
        return [_found(row) for row in self._connection.execute(query, (table, *values))]


def _row(table: int, hand: IndexedHand) -> tuple[object, ...]:
    out = hand.outcome
    flags = _SHOWDOWN * out.showdown | _ALL_IN * out.all_in | _VOIDED * out.voided
    winners = sum(1 << seat for seat in out.winners)
    by_seat = out.delta, out.stacks, hand.teams
    rest = [found.get(seat) for found in by_seat for seat in range(MOST_SEATS)]
    return (table, out.number, hand.first, hand.last, out.hand_id, out.pot, winners, flags, *rest)


def _found(row: Sequence[Any]) -> IndexedHand:
    _, number, first, last, hand_id, pot, winners, flags, *rest = row
    each = (rest[at : at + MOST_SEATS] for at in range(0, len(rest), MOST_SEATS))
    delta, stacks, teams = ({seat: found for seat, found in enumerate(part) if found is not None} for part in each)
    outcome = HandOutcome(
        number=number,
        hand_id=hand_id,
        pot=pot,
        winners=tuple([seat for seat in range(MOST_SEATS) if winners >> seat & 1]),
        delta=delta,
        stacks=stacks,
        showdown=bool(flags & _SHOWDOWN),
        all_in=bool(flags & _ALL_IN),
        voided=bool(flags & _VOIDED),
    )
    return IndexedHand(outcome, first, last, teams)


class NoSuchHand(PitbossError, LookupError):
    """The hand, team or table does not exist or was not shown yet."""


class NotIndexed(PitbossError, LookupError):
    """A finished hand that the index does not contain yet."""


class ShownSoFar(Struct, frozen=True):
    """The number of the last hand that spectators of a table have seen, and whether they have seen the match's end."""

    hands: int
    over: bool
    revealed: int = 0  #: the last hand of a cash table whose deck is public


class HandSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finished hand in a list."""

    number: int
    hand_id: str
    pot: int
    winners: tuple[int, ...]
    delta: dict[int, int]
    showdown: bool = field(default_factory=bool)  # a factory, because a plain default would be left out
    all_in: bool = field(default_factory=bool)
    voided: bool = False
    teams: dict[int, str] = {}  #: the teams of the seats dealt in, if they differ from the teams of the list


class HandList(Struct, frozen=True, kw_only=True):
    """Finished hands of a table. `read` is the number of hands in the index, which may be less than `finished`."""

    hands: tuple[HandSummary, ...]
    more: bool
    finished: int
    teams: dict[int, str]
    over: bool
    read: int | UnsetType = UNSET


class StackHistory(Struct, frozen=True, kw_only=True):
    """The chips of all seats after some of the hands.

    Hand 0 is the time before the first hand. None means that the seat was not taken yet.
    """

    hands: tuple[int, ...]
    stacks: dict[int, tuple[int | None, ...]]
    teams: dict[int, str]
    read: int | UnsetType = UNSET


class _Table(Struct):
    """The position up to which a table was read."""

    number: int
    follower: Follower = field(default_factory=Follower)
    finished: int = 0  #: the last hand in the index
    names: dict[str, int] = field(default_factory=dict)  #: the teams that were dealt in, with their numbers
    tally: TableTally = field(default_factory=TableTally)


class Archive:
    """The archive of a server; only one thread uses it, and the journal is opened when it is first needed."""

    def __init__(
        self, journal: Callable[[], Store], *, patience: float = PATIENCE, rest: Callable[[float], None] = time.sleep
    ) -> None:
        self._journal = journal
        self._patience = patience
        self._rest = rest  # the event loop has priority over this thread
        self._store: Store | None = None
        self._index: HandIndex | None = None
        self._tables: dict[str, _Table] = {}
        self._opened = 0

    # --- requests

    def listed(self, table: str, shown: ShownSoFar, wanted: HandQuery, team: str | None = None) -> HandList:
        """Return at most `MOST_LISTED` finished hands of a table.

        With a team, return only hands in which the team was dealt in.
        """
        known, whole = self._catch_up(table, shown)
        if team is not None and team not in known.names:
            raise NoSuchHand(f"no team with this name has played at {table}")
        number = wanted.team if team is None else known.names[team]
        limit = max(1, min(wanted.limit, MOST_LISTED))
        found = self._indexed.listed(known.number, replace(wanted, team=number, limit=limit + 1))
        names, teams = [*known.names], _teams(known)
        return HandList(
            hands=tuple([_summary(hand, names, teams) for hand in found[:limit]]),
            more=len(found) > limit,
            finished=shown.hands,
            teams=teams,
            over=shown.over,
            read=UNSET if whole else known.finished,
        )

    def history(self, table: str, shown: ShownSoFar) -> StackHistory:
        """Return the chips of all seats over the hands, in at most `MOST_POINTS` points."""
        known, whole = self._catch_up(table, shown)
        last = known.finished
        count = min(last, MOST_POINTS - 1)
        numbers = sorted({1 + round(k * (last - 1) / max(1, count - 1)) for k in range(count)})
        found = self._indexed.some(known.number, numbers)
        rows = [hand.outcome.stacks for hand in found]
        if found:
            first = found[0].outcome
            rows.insert(0, {seat: first.stacks[seat] - delta for seat, delta in first.delta.items()})
        return StackHistory(
            hands=(0, *[hand.outcome.number for hand in found]) if found else (),
            stacks={seat: tuple([row.get(seat) for row in rows]) for seat in sorted(known.follower.stacks)},
            teams=_teams(known),
            read=UNSET if whole else last,
        )

    def hand(self, table: str, shown: ShownSoFar, number: int) -> HandReplay:
        """Return the messages of a finished hand, with all cards once spectators have seen the end of the match."""
        known, entries, before = self._entries(table, shown, number)
        follower, cards = known.follower, shown.over or number <= shown.revealed
        return replay_hand(table, follower.settings, follower.chairs, entries, cards=cards, after=before)

    def phh(self, table: str, shown: ShownSoFar, number: int) -> str:
        """Return a finished hand as PHH."""
        known, entries, _ = self._entries(table, shown, number)
        record = record_of(self._again(known, entries), table, cards=shown.over or number <= shown.revealed)
        if record is None:
            raise NoSuchHand(f"hand {number} of {table} cannot be written as PHH")
        return write_phh(record)

    def teams(self, table: str, shown: ShownSoFar, live: LiveFigures) -> TableFigures:
        """Return the results of the teams so far. Each call counts more hands, for a limited time."""
        known, _ = self._catch_up(table, shown)
        tally, end = known.tally, time.monotonic() + self._patience
        while tally.counted < known.finished and time.monotonic() <= end:
            began = time.monotonic()
            found = self._indexed.following(known.number, tally.counted + 1, HANDS_COUNTED_AT_ONCE)
            for hand in found:
                tally.count(self._again(known, self._between(table, hand)), table)
            if not found:  # the beginning of the last hands is lost
                tally.counted = known.finished
            self._rest(time.monotonic() - began)
        return tally.figures(shown.hands, live)

    def phhs(self, table: str, shown: ShownSoFar, first: int = 1) -> str:
        """Return at most `MOST_FILED` finished hands as PHH, starting with this number."""
        known, whole = self._catch_up(table, shown)
        found = self._indexed.following(known.number, first, MOST_FILED)
        if not whole and known.finished < min(shown.hands, first + MOST_FILED - 1):
            raise self._not_read(table, known, shown)
        records = []
        for hand in found:
            entries = self._between(table, hand)
            cards = shown.over or hand.outcome.number <= shown.revealed
            record = record_of(self._again(known, entries), table, cards=cards)
            if record is not None:
                records.append(record)
        if not records:
            raise NoSuchHand(f"{table} has no finished hand from number {first} on that can be written as PHH")
        return write_phhs(records)

    def close(self) -> None:
        """Close everything."""
        self._close_store()
        if self._index is not None:
            self._index.close()
            self._index = None
            self._tables.clear()

    # --- within

    @property
    def _indexed(self) -> HandIndex:
        if self._index is None:
            self._index = HandIndex()
        return self._index

    def _catch_up(self, table: str, shown: ShownSoFar) -> tuple[_Table, bool]:
        """Add the hands that spectators have seen since the last call; return whether the index is complete."""
        known = self._tables.get(table)
        if known is None:
            if len(self._tables) >= MOST_TABLES:
                self._indexed.drop(self._tables.pop(next(iter(self._tables))).number)
            self._opened += 1
            known = self._tables[table] = _Table(self._opened)
        end = time.monotonic() + self._patience
        while known.finished < shown.hands:
            began = time.monotonic()
            if began > end:
                return known, False
            entries = self._part(table, known.follower.at, ENTRIES_AT_ONCE)
            found, on = self._follow(known, entries, shown.hands)
            self._indexed.add(known.number, found)
            if not on:
                break
            self._rest(time.monotonic() - began)
        return known, True

    def _follow(self, known: _Table, entries: tuple[Entry, ...], shown: int) -> tuple[list[IndexedHand], bool]:
        """Process entries up to the first hand that was not shown. Return whether there may be more entries."""
        found: list[IndexedHand] = []
        for entry in entries:
            begins = known.follower.begins(entry)
            if begins is not None and begins > shown:
                return found, False
            finished = known.follower.take(entry)
            if finished is not None:
                outcome = outcome_of(finished.history, known.follower.stacks)
                dealt = {seat: team for seat, team in finished.history.teams.items() if seat in outcome.delta}
                teams = {seat: known.names.setdefault(team, len(known.names)) for seat, team in dealt.items()}
                found.append(IndexedHand(outcome, finished.entries[0].seq, entry.seq, teams))
                known.finished = outcome.number
        return found, bool(entries)

    def _entries(self, table: str, shown: ShownSoFar, number: int) -> tuple[_Table, list[Entry], int]:
        """Return the entries of a hand, and the entry that ended the hand before it."""
        known, whole = self._catch_up(table, shown)
        found = self._indexed.find(known.number, number)
        if found is None and not whole and known.finished < number <= shown.hands:
            raise self._not_read(table, known, shown)
        if found is None:
            last = self._indexed.last(known.number)
            there = f"the last one is {last}" if last else "none is finished yet"
            raise NoSuchHand(f"{table} has no finished hand {number}; {there}")
        before = self._indexed.find(known.number, number - 1)
        return known, self._between(table, found), before.last if before is not None else 0

    def _between(self, table: str, hand: IndexedHand) -> list[Entry]:
        entries = self._part(table, hand.first - 1, hand.last - hand.first + 1)
        return unbroken([entry for entry in entries if entry.seq <= hand.last])

    def _again(self, known: _Table, entries: list[Entry]) -> HandHistory:
        """Return a hand, read from its entries only."""
        follower = Follower(settings=known.follower.settings, chairs=dict(known.follower.chairs))
        finished = [hand for entry in entries if (hand := follower.take(entry)) is not None]
        return finished[-1].history

    def _part(self, table: str, after: int, most: int) -> tuple[Entry, ...]:
        try:
            if self._store is None:
                self._store = self._journal()
            return self._store.part(table, after, most)
        except StoreError:
            self._close_store()  # next time the database is opened again
            raise

    def _close_store(self) -> None:
        if self._store is not None:
            store, self._store = self._store, None
            store.close()

    def _not_read(self, table: str, known: _Table, shown: ShownSoFar) -> NotIndexed:
        return NotIndexed(
            f"{known.finished} of the {shown.hands} hands of {table} are read so far: ask again in a moment"
        )


def _teams(known: _Table) -> dict[int, str]:
    """Return the teams that were dealt in."""
    chairs, stacks = known.follower.chairs, known.follower.stacks
    return {seat: chairs[seat].team for seat in sorted(stacks) if seat in chairs}


def _summary(hand: IndexedHand, names: Sequence[str], teams: dict[int, str]) -> HandSummary:
    out = hand.outcome
    own = {seat: names[team] for seat, team in hand.teams.items()}
    return HandSummary(
        number=out.number,
        hand_id=out.hand_id,
        pot=out.pot,
        winners=out.winners,
        delta=out.delta,
        showdown=out.showdown,
        all_in=out.all_in,
        voided=out.voided,
        teams={} if own.items() <= teams.items() else own,
    )
