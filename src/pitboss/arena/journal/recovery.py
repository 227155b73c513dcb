"""A table out of its journal: finished hands from their events, the open one played again, tears found.

Nothing is written here. Whoever takes a table up again appends what a tear asks for.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.hosts.series import Series, SeriesError
from pitboss.arena.journal.records import Acted, HandStarted, HandVoided, MatchEnded, Record, read_record
from pitboss.arena.v1.host import V1
from pitboss.arena.v1.messages import ServerMessage, write
from pitboss.errors import PitbossError
from pitboss.store.chain import Entry, Reading, start

MOST_TOLD = 100
"""More than an entry ever tells."""


class TableRefused(PitbossError, ValueError):
    """A table whose journal cannot be trusted; it is not played on."""


class Tear(Struct, frozen=True):
    """Where an open hand's record is damaged, how, and what is left to mend it from."""

    at: int
    sentence: str
    left: Reading

    @property
    def may_have_told(self) -> int:
        """More than the lost entries can have told: what is told from now on is numbered beyond it."""
        return MOST_TOLD * (self.left.last - self.left.head.seq + 1)


class Recovered(Struct):
    """A table as it stood."""

    host: V1
    told: list[tuple[int, str]]  #: of its last hand, numbered
    voided: list[tuple[int, str]]  #: what of that says that the hand is void
    mark: int = 0  #: where the last hand begins in `told`
    turn: int | None = None  #: the number of its open question
    tear: Tear | None = None  #: in the open hand

    def notices(self) -> dict[int, list[str]]:
        """What every seat is to be told when it comes."""
        frames = [frame for _, frame in self.voided]
        return {seat: frames for seat in self.host.series.chairs if frames}


def recover(table: str, reading: Reading) -> Recovered:
    """Take a table up again; raises `TableRefused` where finished business is damaged or contradicts itself."""
    if not reading.entries:
        raise TableRefused(f"{table}: nothing of its journal can be read ({reading.tear or 'it is empty'})")
    if reading.torn_at is not None and reading.finished:
        raise TableRefused(f"{table}: finished business is damaged: {reading.tear}")
    try:
        return _recover(table, reading)
    except _Unplayable as error:  # take up only what went before: the failure may have changed something
        left = _until(reading, error.number)
        recovered = _recover(table, left)
        recovered.tear = Tear(reading.entries[error.number].seq, str(error), left)
        return recovered
    except (ValueError, LookupError) as error:
        raise TableRefused(f"{table}: its journal contradicts itself: {error}") from None


class _Unplayable(Exception):
    """An entry of the open hand that does not come out as it was kept; `number` is its place among the entries."""

    def __init__(self, number: int, sentence: str) -> None:
        super().__init__(sentence)
        self.number = number


def _recover(table: str, reading: Reading) -> Recovered:
    series = Series(table)
    finished = [entry for entry in reading.entries if entry.seq <= reading.head.sealed]
    last = _take_finished(series, finished)
    series.audit()
    recovered = _tell_again(V1(series), last)
    if reading.torn_at is not None:
        recovered.tear = Tear(reading.torn_at, reading.tear, reading)
    for number, entry in enumerate(reading.entries[len(finished) :], len(finished)):
        try:
            _play_again(recovered, entry)
        except (ValueError, LookupError) as error:  # a record that makes no sense fails in many ways
            raise _Unplayable(number, f"entry {entry.seq} cannot be played again: {error}") from None
    return recovered


def _take_finished(series: Series, entries: Sequence[Entry]) -> list[tuple[Entry, Record]]:
    """Take in finished business; gives back the last hand's entries, and the end of the match."""
    last: list[tuple[Entry, Record]] = []
    started: HandStarted | None = None
    acts: list[Acted] = []
    for entry in entries:
        record = read_record(entry.body)
        if isinstance(record, HandStarted):
            started, acts, last = record, [], []
        elif isinstance(record, Acted):
            acts.append(record)
        elif isinstance(record, HandVoided) and started is not None:
            series.take_voided(started, acts)
            started = None
        else:
            series.take(record)
        if isinstance(record, HandStarted | Acted) and entry.seals:
            if started is None:
                raise SeriesError(f"entry {entry.seq} ends a hand that never began")
            series.take_finished(started, acts)
            started = None
        if isinstance(record, HandStarted | Acted | HandVoided | MatchEnded):
            last.append((entry, record))
    return last


def _tell_again(host: V1, last: Sequence[tuple[Entry, Record]]) -> Recovered:
    """Tell what was told of the last finished hand, numbered as it was."""
    recovered = Recovered(host, [], [])
    for entry, record in last:
        told: list[ServerMessage] = []
        match record:
            case HandStarted():
                told += host.teller.start(record)
            case Acted():
                told += host.teller.act(record)
            case HandVoided():
                told += host.teller.void(record)
            case MatchEnded():
                told += host.teller.end_match(record, host.series)
        if entry.seals and not isinstance(record, MatchEnded):
            told += host.teller.end_hand(entry.hash)
        recovered.told += numbered(told)
        if isinstance(record, HandVoided):
            recovered.voided = numbered(told)
    return recovered


def _play_again(recovered: Recovered, entry: Entry) -> None:
    """Take in an entry of the open hand."""
    host, record = recovered.host, read_record(entry.body)
    host.series.take(record)
    host.series.audit()
    if isinstance(record, HandStarted):
        recovered.mark, recovered.voided = len(recovered.told), []
    recovered.told += numbered(host.tell(record, entry.hash))
    if isinstance(record, HandStarted | Acted):
        recovered.turn = entry.seq


def _until(reading: Reading, count: int) -> Reading:
    """The reading as if only so many of its entries were good."""
    entries = reading.entries[:count]
    head = start(entries[0].table)
    for entry in entries:
        head = head.then(entry)
    return replace(reading, entries=entries, head=head, torn_at=None, tear="", finished=False)


def numbered(messages: Sequence[ServerMessage]) -> list[tuple[int, str]]:
    """The frames that have a number, with it."""
    return [(seq, write(message)) for message in messages if (seq := getattr(message, "seq", None)) is not None]
