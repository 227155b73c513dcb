"""A table's journal followed entry by entry, in little memory: who sits where, and every hand as it is finished.

Unlike the fold that a match is taken up by, it keeps nothing of a hand that is over, so that a journal of any length
can be gone through.
"""

from collections.abc import Iterable

from msgspec import Struct, field

from pitboss.arena.journal.fold import HandHistory, order_of
from pitboss.arena.journal.records import (
    Acted,
    HandStarted,
    HandVoided,
    RecordError,
    Seated,
    Settings,
    TableOpened,
    chips_after,
    read_record,
)
from pitboss.store.chain import Entry


class Occupant(Struct, frozen=True):
    """A team's seat, since which entry, and the chips it came with."""

    team: str
    stack: int
    since: int


class FollowedHand(Struct, frozen=True):
    """A finished hand, and its entries from its start to its end."""

    history: HandHistory
    entries: tuple[Entry, ...]


class Follower(Struct):
    """Where somebody is who reads a table's journal in order."""

    at: int = 0  #: the last entry that was read
    settings: Settings = field(default_factory=Settings)
    chairs: dict[int, Occupant] = field(default_factory=dict)
    stacks: dict[int, int] = field(default_factory=dict)  #: by seat that was dealt in: after the last finished hand
    _open: list[Entry] = field(default_factory=list)  # of the hand under way
    _started: HandStarted | None = None
    _acts: list[Acted] = field(default_factory=list)

    def begins(self, entry: Entry) -> int | None:
        """The number of the hand that an entry begins, if it does."""
        try:
            record = read_record(entry.body)
        except RecordError:
            return None
        return record.number if isinstance(record, HandStarted) else None

    def take(self, entry: Entry) -> FollowedHand | None:
        """Take in the next entry; gives the hand that is over by it."""
        self.at = entry.seq
        if entry.after < entry.seq - 1:
            self._step_back(entry.after)
        try:
            record = read_record(entry.body)
        except RecordError:
            return None  # damaged, and a later entry steps over it
        match record:
            case TableOpened():
                self.settings = record.settings
            case Seated():
                self.chairs[record.seat] = Occupant(record.team, record.stack, entry.seq)
            case HandStarted():
                self._started, self._acts, self._open = record, [], [entry]
            case Acted() if self._started is not None:
                self._acts.append(record)
                self._open.append(entry)
            case HandVoided() if self._started is not None:
                self._open.append(entry)
                return self._over(void=True)
            case _:
                return None
        return self._over(void=False) if entry.seals and isinstance(record, HandStarted | Acted) else None

    def _step_back(self, to: int) -> None:
        """Forget what a repair steps over: the end of an open hand, or all of it."""
        self.chairs = {seat: chair for seat, chair in self.chairs.items() if chair.since <= to}
        self._open = [entry for entry in self._open if entry.seq <= to]
        self._acts = self._acts[: max(0, len(self._open) - 1)]
        if not self._open:
            self._started = None

    def _over(self, *, void: bool) -> FollowedHand | None:
        started, acts, entries = self._started, self._acts, tuple(self._open)
        self._started, self._acts, self._open = None, [], []
        if started is None:
            return None
        after = started.stacks if void else chips_after(started, acts, order_of(started))
        self.stacks = self.stacks | {seat: after[seat] for seat in started.stacks}
        teams = {seat: chair.team for seat, chair in self.chairs.items()}
        history = HandHistory(
            started=started,
            settings=self.settings,
            teams=teams,
            acts=acts,
            stacks={seat: after[seat] for seat in started.stacks},
            chain=entries[-1].hash,
            void=void,
        )
        return FollowedHand(history, entries)


def unbroken(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that lead to the last one: those that a repair stepped over are left out."""
    led: list[Entry] = []
    for entry in reversed([*entries]):
        if not led or entry.seq == led[-1].after:
            led.append(entry)
    return led[::-1]
