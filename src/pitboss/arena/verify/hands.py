"""Read the finished hands of a journal that may come from a stranger.

Each hand is checked before it is returned. `arena verify`, `arena export` and `replay --html` use this module: every
entry is replayed by `JournalReplay`. For hands that were played with older rules, only deck, deal and chips are
checked.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from pitboss import RULES_VERSION
from pitboss.arena.archive.reader import Follower, HandReplay, Occupant, replay_hand
from pitboss.arena.hosts.games import games_of, make_host
from pitboss.arena.hosts.poker import frame_of, game_of, phh_of
from pitboss.arena.journal.history import HandHistory
from pitboss.arena.journal.records import Settings
from pitboss.arena.verify.journal import JournalReplay
from pitboss.arena.verify.report import NONSENSE
from pitboss.errors import PitbossError
from pitboss.printing import printable
from pitboss.records.record import Record
from pitboss.store.chain import Entry, Reading

LONGEST_REASON = 300
"""The maximum length of a sentence about a broken journal, because parts of the sentence come from the journal."""


class JournalError(PitbossError, ValueError):
    """The journal has entries that no honest server writes."""


class ReadHand(Struct, frozen=True):
    """A finished hand, its entries, and the table before it."""

    table: str
    history: HandHistory
    entries: tuple[Entry, ...]
    settings: Settings
    chairs: dict[int, Occupant]
    after: int  #: the entry that ended the previous hand

    @property
    def number(self) -> int:
        return self.history.started.number

    def replay(self) -> HandReplay:
        """Return the hand as messages, with all cards; raises `JournalError`."""
        with _explained(f"{self.table}, {self.history.started.hand_id}"):
            return replay_hand(self.table, self.settings, self.chairs, self.entries, cards=True, after=self.after)

    def phh(self) -> Record | None:
        """Return the hand as PHH, with all cards; None if it is void. Raises `JournalError`."""
        games = games_of(self.settings)
        if games is None:
            raise JournalError(f"{self.table}: {self.settings.game} cannot be written as PHH")
        if self.history.void:
            return None
        with _explained(f"{self.table}, {self.history.started.hand_id}"):
            variant = self.history.started.variant
            frame = frame_of(games, self.settings, variant)
            return phh_of(self.history, self.table, game_of(games, variant).structure, frame)


def read_hands(table: str, reading: Reading) -> Iterator[ReadHand]:
    """Yield the finished hands of a table; raises `JournalError` at the first entry that cannot follow."""
    follower, after = Follower(), 0
    judge: JournalReplay | None = None
    rules = RULES_VERSION
    for entry in reading.entries:
        where = f"{table}, entry {entry.seq}"
        if rules == RULES_VERSION:
            try:
                if judge is None:
                    judge = JournalReplay(entry)
                    rules = judge.match.history.rules
                else:
                    judge.take(entry)
            except NONSENSE as error:
                raise _error(where, error) from None
        with _explained(where):
            followed = follower.take(entry)
            if followed is None:
                continue
            if rules != RULES_VERSION:
                for fault in make_host(followed.history.settings).faults(followed.history):
                    raise JournalError(fault)
        settings, chairs = follower.settings, dict(follower.chairs)
        yield ReadHand(table, followed.history, followed.entries, settings, chairs, after)
        after = entry.seq


@contextmanager
def _explained(where: str) -> Iterator[None]:
    try:
        yield
    except NONSENSE as error:
        raise _error(where, error) from None


def _error(where: str, error: Exception) -> JournalError:
    reason = str(error) or type(error).__name__
    return JournalError(printable(f"{where}: {reason[:LONGEST_REASON]}"))
