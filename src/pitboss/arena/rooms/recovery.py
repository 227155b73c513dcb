"""Rebuild a table from its journal after a restart, and apply settings that were changed before its first hand."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from pitboss import RULES_VERSION
from pitboss.arena.bots.house import team_names as house_teams
from pitboss.arena.hosts.games import make_host
from pitboss.arena.hosts.host import Host
from pitboss.arena.journal.history import History, HistoryEntry, read_entries
from pitboss.arena.journal.records import (
    Acted,
    HandStarted,
    HandVoided,
    NumbersBound,
    Record,
    Settings,
    TableOpened,
    read_record,
)
from pitboss.arena.rooms.cash import open_match
from pitboss.arena.rooms.match import Match
from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.wire.messages import PublicMessage, write
from pitboss.errors import PitbossError
from pitboss.store.chain import Entry, Reading, start_hash

FOLLOW = {"big_blind": {"small_blind"}, "game": {"seats", "start_at", "small_blind", "ante", "bring_in"}}
"""Settings that get their default from another setting if the command line does not give them."""

MOST_SENT = 100
"""An upper bound on the number of messages about one entry."""


class Changes(Struct, frozen=True):
    """The requested settings and house bots.

    `asked` are the names of the settings on the command line; None means all.
    """

    settings: Settings
    house: tuple[str, ...]
    named: Collection[str] | None

    def make(self, match: Match) -> tuple[list[Record], list[str]]:
        """Apply requested settings to a table before its first hand.

        Return the new records and the lines of the report. Raise `ValueError` if the teams at the table do not fit the
        settings.
        """
        history = match.history
        cash = match.settings.cash or self.settings.cash  # teams have already chosen their chips
        if history.hands or history.bound is not None or match.over or cash:
            return [], []
        records: list[Record] = []
        before, wanted = asdict(match.settings), self._wanted(match.settings)
        if wanted:
            settings = replace(match.settings, **wanted)
            opened = TableOpened(rules=RULES_VERSION, settings=settings, teams=history.teams)
            change_settings(match, opened)
            records.append(opened)
        newcomers = [team for team in self._house() if match.seat_of(team) is None]
        records += [match.sit(team, None) for team in newcomers]
        made = [f"{name} {value} (was {before[name]})" for name, value in wanted.items()]
        made += [f"{team} takes a seat" for team in newcomers]
        return records, [f"{match.table_id}: changed before its first hand: {'; '.join(made)}"] if made else []

    def ignored(self, match: Match) -> Iterator[str]:
        """Yield a line about the requested settings that the table does not accept."""
        if match.over:
            return
        before, wanted = asdict(match.settings), asdict(self.settings)
        others = {name: f"{name} {before[name]}, not {wanted[name]}" for name in before if before[name] != wanted[name]}
        seated = set(match.house_teams)
        if seated != set(house_teams(self.house)):
            others["house"] = f"house bots: {', '.join(sorted(seated)) or 'none'}"
        named = [sentence for name, sentence in others.items() if self.named is None or name in self.named]
        if named:
            yield f"{match.table_id}: keeps its settings: {'; '.join(named)}. For another match use another --db."

    def _wanted(self, before: Settings) -> dict[str, Any]:
        """Return the settings to change."""
        asked = set(before.__struct_fields__) if self.named is None else set(self.named)
        for name, others in FOLLOW.items():
            if name in asked and getattr(self.settings, name) != getattr(before, name):
                asked |= others
        new = asdict(self.settings)
        return {name: new[name] for name, value in asdict(before).items() if name in asked and new[name] != value}

    def _house(self) -> list[str]:
        return house_teams(self.house) if self.named is None or "house" in self.named else []


def change_settings(match: Match, opened: TableOpened) -> None:
    """Change the settings of a table before its first hand; raise `HistoryError` if it is too late."""
    match.history.check(opened)
    host = make_host(opened.settings)
    match.history.take(opened, over=True)
    use_settings(match, host)


def use_settings(match: Match, host: Host) -> None:
    """Replace the game of a match, and give all teams their seats in it."""
    match.host, match.history.least = host, host.places.start
    for seat, taken in sorted(match.history.seats.items()):
        host.sit(seat, taken.stack)


class TableRefused(PitbossError, ValueError):
    """The match of this table cannot continue, because its journal is damaged."""


class Tear(Struct, frozen=True):
    """The damage to the open hand: its position, a description, and the undamaged entries."""

    at: int
    sentence: str
    left: Reading

    @property
    def may_have_sent(self) -> int:
        """An upper bound on the number of messages about the lost entries. New messages are numbered above it."""
        return may_have_sent(self.left.last - self.left.head.seq)


def may_have_sent(lost: int) -> int:
    """Return an upper bound on the number of messages about this number of lost entries."""
    return MOST_SENT * (lost + 1)


class Recovered(Struct):
    """A match in its state when the server stopped."""

    messages: TableMessages
    frames: list[tuple[int, str]] = field(default_factory=list)  #: the numbered frames of its last hands
    voided: list[tuple[int, str]] = field(default_factory=list)  #: the frames that void a hand
    mark: int = 0  #: where the last hand begins in `frames`
    turn: int | None = None  #: the number of the open turn
    tear: Tear | None = None  #: the damage in the open hand

    @property
    def match(self) -> Match:
        """The match."""
        return self.messages.match

    def unaware(self) -> dict[int, int]:
        """Return the seats that may not have received the frame that voids a hand, with the number of that frame."""
        return {seat: self.voided[0][0] for seat in self.match.history.seats if self.voided}


def recover(table: str, reading: Reading) -> Recovered:
    """Rebuild a table; raise `TableRefused` if its finished hands are damaged or the journal contradicts itself."""
    if not reading.entries:
        raise TableRefused(f"{table}: its journal cannot be read ({reading.tear or 'it is empty'})")
    if reading.torn_at is not None and reading.finished:
        raise TableRefused(f"{table}: its finished part is {_describe_damage(reading)}")
    try:
        return _recover(table, reading)
    except _Unplayable as error:  # start again without this entry, because its failed replay may have changed the match
        left = _until(reading, error.number)
        recovered = _recover(table, left)
        recovered.tear = Tear(reading.entries[error.number].seq, str(error), left)
        return recovered
    except (ValueError, LookupError) as error:
        raise TableRefused(f"{table}: its journal contradicts itself: {error}") from None


def _describe_damage(reading: Reading) -> str:
    """Describe the damage to the finished part, and what to do about it."""
    if not reading.lost:
        return f"damaged: {reading.tear}"
    hands = [record.number for entry in reading.entries if isinstance(record := read_record(entry.body), HandStarted)]
    where = f"in hand {hands[-1]}" if hands else "before the first hand"
    return (
        f"LOST: {reading.tear}; the rest ends {where}. Restore the journal together with its -wal file, or "
        f"remove its witness file to continue from entry {reading.head.seq} without the lost entries"
    )


class _Unplayable(Exception):
    """An entry of the open hand cannot be replayed. `number` is the index of the entry."""

    def __init__(self, number: int, sentence: str) -> None:
        super().__init__(sentence)
        self.number = number


def _recover(table: str, reading: Reading) -> Recovered:
    finished = [entry for entry in reading.entries if entry.seq <= reading.head.sealed]
    match, last = _take_finished(table, finished)
    match.audit()
    recovered = Recovered(TableMessages(match))
    for old in last:
        _send_again(recovered, old)
    if reading.torn_at is not None:
        recovered.tear = Tear(reading.torn_at, reading.tear, reading)
    for number, entry in enumerate(reading.entries[len(finished) :], len(finished)):
        try:
            _replay(recovered, entry)
        except (ValueError, LookupError) as error:  # an invalid record can raise many kinds of errors
            raise _Unplayable(number, f"entry {entry.seq} cannot be replayed: {error}") from None
    return recovered


def _take_finished(table: str, entries: Sequence[Entry]) -> tuple[Match, list[HistoryEntry]]:
    """Replay the finished hands; return the match, and the entries since the beginning of its last hand."""
    opened = read_record(entries[0].body)
    if not isinstance(opened, TableOpened):
        raise TableRefused("it does not begin with the settings of the table")
    history = History(table, settings=opened.settings)
    match = open_match(history, make_host(opened.settings))
    last: list[HistoryEntry] = []
    begun = 0  # where the last hand begins in `last`
    for step in read_entries(history, entries, strict=True):
        if isinstance(step.record, TableOpened) and step.entry is not entries[0]:
            use_settings(match, make_host(step.record.settings))
        match.restore(step.record, step.hand)
        if _begins_hand(step.record):
            begun = len(last)
        if isinstance(step.record, HandStarted):
            last, begun = last[begun:], 0
        last.append(step)
    return match, last


def _begins_hand(record: Record) -> bool:
    """Whether a record is the first of its hand."""
    first = isinstance(record, NumbersBound) and record.attempt == 1
    return first or (isinstance(record, HandStarted) and not record.numbers and not record.withheld)


def _send_again(recovered: Recovered, old: HistoryEntry) -> None:
    """Make the messages about an entry of a finished hand again, with the same numbers."""
    if _begins_hand(old.record):
        recovered.mark = len(recovered.frames)
    frames = numbered(recovered.messages.of(old.record, old.entry.hash, over=old.entry.seals))
    recovered.frames += frames
    if isinstance(old.record, HandVoided):
        recovered.voided = frames


def _replay(recovered: Recovered, entry: Entry) -> None:
    """Replay an entry of the open hand."""
    match, record = recovered.match, read_record(entry.body)
    change = match.replay(record)
    match.audit()
    if _begins_hand(record):
        recovered.mark = len(recovered.frames)
    recovered.frames += numbered(recovered.messages.of(change, entry.hash))
    if isinstance(record, HandStarted | Acted | NumbersBound):
        recovered.turn = entry.seq


def _until(reading: Reading, count: int) -> Reading:
    """Return the reading with only its first `count` entries."""
    entries = reading.entries[:count]
    head = start_hash(entries[0].table)
    for entry in entries:
        head = head.then(entry)
    return replace(reading, entries=entries, head=head, torn_at=None, tear="", finished=False)


def numbered(messages: Sequence[PublicMessage]) -> list[tuple[int, str]]:
    """Return the frames of messages with their numbers."""
    return [(message.seq, write(message)) for message in messages]
