"""All tables of one server: opened anew, or taken up from the journal where it left them. No sockets here."""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import count, islice

from msgspec import Struct, field
from msgspec.structs import asdict

from pitboss import __version__
from pitboss.arena.bots.house import teams as house_teams
from pitboss.arena.hosts.series import Series
from pitboss.arena.journal.records import Lock, Settings
from pitboss.arena.journal.recovery import Recovered, TableRefused, numbered, recover
from pitboss.arena.rooms.room import Limits, Room
from pitboss.arena.v1.host import V1
from pitboss.errors import PitbossError
from pitboss.store import Store
from pitboss.store.chain import Chain, Entry, Reading, start


class HallError(PitbossError, ValueError):
    """A server that cannot start like this."""


class Making(Struct, frozen=True, kw_only=True):
    """What rooms are given from outside: limits, the operating system's randomness, and today's date."""

    limits: Limits = Limits()
    entropy: Callable[[int], bytes] = os.urandom
    day: Callable[[], str]


class Hall(Struct):
    """The rooms by table, and what there is to say about taking them up."""

    store: Store
    making: Making
    rooms: dict[str, Room] = field(default_factory=dict)
    report: list[str] = field(default_factory=list)

    def default(self) -> str:
        """The table for whoever names none: the first whose match is not over."""
        return next((table for table, room in self.rooms.items() if not room.host.over), next(iter(self.rooms)))

    def house_teams(self, table: str) -> list[str]:
        """The players of the house at a table."""
        host = self.rooms[table].host
        assert isinstance(host, V1)
        return [chair.team for chair in host.series.chairs.values() if chair.lock is None]


def open_hall(
    store: Store,
    making: Making,
    settings: Settings,
    *,
    tables: int = 1,
    teams: Mapping[str, str] | None = None,
    house: Sequence[str] = (),
    new: bool = False,
    asked: Collection[str] | None = None,
    now: float = 0.0,
) -> Hall:
    """Take up every table of the journal; where there is none, or all are over and `new` is asked for, open new ones.

    A table that is taken up keeps what it began with; the report says which of `asked` (names of settings, "teams",
    "house"; None: all) does not count. Raises `HallError` where all that could be taken up is refused: opening another
    table would hide that.
    """
    hall = Hall(store, making)
    readings = {table: reading for table in store.tables() if (reading := store.read(table)).last}
    refused = [sentence for table, reading in readings.items() if (sentence := _take_up(hall, table, reading, now))]
    hall.report += refused
    hall.report += [line for room in hall.rooms.values() for line in _kept_instead(room, settings, teams, house, asked)]
    if refused and not hall.rooms:
        raise HallError(f"{refused[0]}; restore it from a copy, or start with another database")
    if not readings or (new and all(room.host.over for room in hall.rooms.values())):
        names = (f"T-{number}" for number in count(1))
        entries: list[Entry] = []
        for table in islice((name for name in names if name not in readings), tables):
            entries += _open(hall, table, settings, teams, house)
        store.append(entries)  # all tables or none
    elif tables > 1 and tables != len(hall.rooms):
        hall.report.append(f"there are {len(hall.rooms)} tables, not {tables}: a new database sets their number")
    return hall


def _kept_instead(
    room: Room,
    settings: Settings,
    teams: Mapping[str, str] | None,
    house: Sequence[str],
    asked: Collection[str] | None,
) -> Iterator[str]:
    """What was asked for and does not count, because the table began otherwise."""
    series = room.host.series if isinstance(room.host, V1) else None
    if series is None or series.ended:
        return
    kept, wanted = asdict(series.settings), asdict(settings)
    others = {name: f"{name} {kept[name]}, not {wanted[name]}" for name in kept if kept[name] != wanted[name]}
    if set(series.teams or ()) != set(teams or ()):
        others["teams"] = "its own list of teams" if series.teams else "open to any team"
    seated = {chair.team for chair in series.chairs.values() if chair.lock is None}
    if seated != set(house_teams(house)):
        others["house"] = f"of the house {', '.join(sorted(seated)) or 'nobody'}"
    named = [sentence for name, sentence in others.items() if asked is None or name in asked]
    if named:
        yield f"{series.table_id}: keeps what it began with: {'; '.join(named)}. For another match give another --db."


def _open(
    hall: Hall, table: str, settings: Settings, teams: Mapping[str, str] | None, house: Sequence[str]
) -> list[Entry]:
    """Open a new table and seat the players of the house; gives its first entries."""
    series, chain, entropy = Series(table), Chain(table, start(table)), hall.making.entropy
    locks = None if teams is None else {team: Lock.on(code, entropy(16)) for team, code in teams.items()}
    opened = series.make_table(__version__, settings, locks)
    host = V1(series)
    records = [opened, *[host.admit_house(team)[1] for team in house_teams(house)]]
    hall.store.claim(table)
    entries = [chain.append(host.write(record), seals=True) for record in records if record is not None]
    hall.rooms[table] = _room(hall, host, chain)
    return entries


def _take_up(hall: Hall, table: str, reading: Reading, now: float) -> str | None:
    """Take a table up again, void its open hand where that is torn; says why where it is refused."""
    try:
        recovered = recover(table, reading)
    except TableRefused as refusal:
        return str(refusal)
    if not recovered.host.over:
        hall.store.claim(table)
    if recovered.tear is not None:
        hall.rooms[table] = _void(hall, table, recovered, now)
        return None
    room = hall.rooms[table] = _room(hall, recovered.host, Chain(table, reading.head))
    room.resume(recovered.told, recovered.mark, recovered.turn, now, recovered.notices())
    series = recovered.host.series
    where = f"in hand {series.hands}" if series.open else "after its match" if series.ended else "between hands"
    hall.report.append(f"{table}: taken up {where}, {series.played} played, chips audited")
    return None


def _void(hall: Hall, table: str, recovered: Recovered, now: float) -> Room:
    """Take the torn hand back, say so in the journal, and have its seats told when they come."""
    tear, host = recovered.tear, recovered.host
    assert tear is not None
    void = host.series.make_void(tear.at, tear.sentence, host.seq + tear.may_have_told)
    chain = Chain(table, tear.left.head)
    entry = chain.mend(tear.left, host.write(void), seals=True)
    hall.store.append([entry])
    hall.report.append(f"{table}: {tear.sentence}; hand {void.number} is void and its chips are given back")
    recovered.voided = numbered(host.tell(void, entry.hash))
    room = _room(hall, host, chain)
    room.resume(recovered.told + recovered.voided, recovered.mark, None, now, recovered.notices())
    return room


def _room(hall: Hall, host: V1, chain: Chain) -> Room:
    making = hall.making
    return Room(host, chain, entropy=making.entropy, day=making.day, limits=making.limits)
