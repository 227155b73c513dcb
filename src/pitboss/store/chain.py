"""The hash chain of a journal: links between entries, the detection and repair of damage, and the errors of a store.

The content of entries, and where they are stored, does not matter here. The hash of an entry covers the hash of the
previous one, so one known hash shows whether any earlier entry was altered. An entry that *seals* makes itself and all
earlier entries final. Damage after the last seal can be repaired. The repair is an entry that follows the last good
entry and has a number above all others. Damage before a seal cannot be repaired.

>>> chain = Chain("T-1", start_hash("T-1"))
>>> entries = [chain.append(b"cards"), chain.append(b"fold", seals=True), chain.append(b"cards"), chain.append(b"call")]
>>> read_chain("T-1", entries, chain.head).torn_at is None
True

The third entry is lost, so the fourth does not follow the second. A fifth entry repairs this.

>>> left = [entries[0], entries[1], entries[3]]
>>> torn = read_chain("T-1", left, chain.head)
>>> torn.torn_at, torn.tear, torn.finished
(3, 'entry 3 is missing', False)
>>> repair = chain.mend(torn, b"void", seals=True)
>>> repair.seq, repair.after, [entry.body for entry in read_chain("T-1", [*left, repair], chain.head).entries]
(5, 2, [b'cards', b'fold', b'void'])
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import sha256
from struct import Struct as Layout

from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import PitbossError

HASH_SIZE = 32
_START = b"pitboss journal 1 table\0"
_ENTRY = b"pitboss journal 1 entry\0"
_LAYOUT = Layout(
    ">32sQQ?I"
)  # previous hash, seq, after, seals, length of the table's name; the name and the body follow


class StoreError(PitbossError):
    """An error when opening, reading or writing a journal."""


class InUse(StoreError):
    """Another running process uses the journal or one of its tables."""


class Fenced(StoreError):
    """This process does not own the table any more, or never did. Nothing was written."""


class DatabaseUnavailable(StoreError):
    """The database is unreachable, silent or busy. A write in progress may or may not have succeeded."""


class LostEntries(StoreError):
    """The database no longer has entries that it had committed."""


class WriterClosed(StoreError, RuntimeError):
    """Entries were given to a writer that is closed."""


class Entry(Struct, frozen=True, gc=False):
    """An entry of a table. It is numbered from 1, follows the entry ``after``, and never changes."""

    table: str
    seq: int
    after: int
    body: bytes
    hash: bytes
    seals: bool


class Head(Struct, frozen=True, kw_only=True, gc=False):
    """The end of a table's journal: its last entry, and its last entry that seals.

    ``seal`` is the hash of the last sealing entry, or empty if there is none. It shows whether final entries were
    altered, even if later entries are damaged.
    """

    seq: int = 0
    hash: bytes
    sealed: int = 0
    seal: bytes = b""

    def then(self, entry: Entry) -> "Head":
        """Return the head after adding an entry."""
        if entry.seals:
            return Head(seq=entry.seq, hash=entry.hash, sealed=entry.seq, seal=entry.hash)
        return Head(seq=entry.seq, hash=entry.hash, sealed=self.sealed, seal=self.seal)


class Reading(Struct, frozen=True):
    """The good entries of a table in order, and the first damage that is not repaired."""

    entries: tuple[Entry, ...]
    head: Head
    torn_at: int | None
    """The number of the first entry that is missing or altered and not repaired, or None."""
    tear: str
    """A sentence about the damage, or an empty text."""
    finished: bool
    """Whether final entries are or may be damaged. Such damage cannot be repaired."""
    last: int
    """The highest number of any entry, including lost entries."""
    lost: int = 0
    """The number of entries that are missing at the end, although players received their content."""


def start_hash(table: str) -> Head:
    """Return the head of a table without entries."""
    return Head(hash=sha256(_START + table.encode()).digest())


def entry_hash(previous: bytes, table: str, seq: int, after: int, seals: bool, body: bytes) -> bytes:
    """Return the hash of an entry. ``previous`` is the hash of the entry before it."""
    name = table.encode()
    return sha256(b"".join((_ENTRY, _LAYOUT.pack(previous, seq, after, seals, len(name)), name, body))).digest()


def is_linked(entry: Entry, table: str, previous: bytes) -> bool:
    """Return whether an entry belongs to the table, and its hash fits its content and the previous hash."""
    return entry.table == table and entry.hash == entry_hash(
        previous, table, entry.seq, entry.after, entry.seals, entry.body
    )


class Chain:
    """The end of a table's journal. It makes new entries."""

    __slots__ = ("head", "table")

    def __init__(self, table: str, head: Head) -> None:
        self.table = table
        self.head = head

    def append(self, body: bytes, *, seals: bool = False) -> Entry:
        """Return the next entry. With ``seals``, this entry and all earlier ones are final."""
        return self._add(self.head.seq + 1, body, seals)

    def mend(self, reading: Reading, body: bytes, *, seals: bool = False) -> Entry:
        """Return an entry that repairs the table: it replaces the first damaged entry and all after it."""
        if reading.finished:
            raise StoreError(
                f"table {self.table} cannot be repaired, because {reading.tear} and final entries are damaged: "
                "restore the journal from a copy"
            )
        self.head = reading.head
        return self._add(reading.last + 1, body, seals)

    def _add(self, seq: int, body: bytes, seals: bool) -> Entry:
        head, table = self.head, self.table
        entry = Entry(table, seq, head.seq, body, entry_hash(head.hash, table, seq, head.seq, seals, body), seals)
        self.head = head.then(entry)
        return entry


# --- reading


def read_chain(table: str, rows: Iterable[Entry], recorded: Head) -> Reading:
    """Check the entries of a table against its recorded head."""
    ordered = sorted((row for row in rows if row.seq > 0), key=lambda row: row.seq)
    good = _follow(table, ordered, recorded)
    head = _last_head(table, good)
    last = max(recorded.seq, ordered[-1].seq if ordered else 0)
    torn = _find_tear(ordered, head, recorded)
    if torn is None:
        return Reading(tuple(good), head, None, "", False, last)
    at, tear = torn
    if at <= head.seq:  # all entries are linked, but the head differs
        good = [entry for entry in good if entry.seq < at]
        head = _last_head(table, good)
    # `seals` of a damaged entry may be wrong. It is assumed to be right, so that a final entry is never replaced.
    finished = at <= recorded.sealed or any(row.seals for row in ordered if row.seq >= at)
    return Reading(tuple(good), head, at, tear, finished, last)


def read_witnessed(table: str, rows: Iterable[Entry], recorded: Head, witnessed: Head | None) -> Reading:
    """Check the entries of a table like `read_chain`, and against the last head that players received.

    The table may have more entries than players received, but not fewer.

    >>> chain = Chain("T-1", start_hash("T-1"))
    >>> entries = [chain.append(b"deal", seals=True), chain.append(b"cards")]
    >>> before, _ = chain.head, entries.append(chain.append(b"call"))
    >>> read_witnessed("T-1", entries, chain.head, before).torn_at is None
    True
    >>> read_witnessed("T-1", entries[:2], before, chain.head).tear
    'the journal ends with entry 2, but players received everything up to entry 3 (1 lost)'
    """
    rows = list(rows)
    reading = read_chain(table, rows, recorded)
    if witnessed is not None and witnessed.seq > recorded.seq:
        ahead = read_chain(table, rows, witnessed)
        if ahead.torn_at is None or ahead.torn_at <= recorded.seq:
            return reading if ahead.torn_at is None else ahead
        lost = witnessed.seq - ahead.head.seq
        end = f"the journal ends with entry {ahead.head.seq}" if ahead.entries else "the journal is empty"
        tear = f"{end}, but players received everything up to entry {witnessed.seq} ({lost} lost)"
        return replace(ahead, tear=tear, lost=lost)
    if witnessed is None or reading.torn_at is not None or _is_explained(reading, witnessed):
        return reading
    good = [entry for entry in reading.entries if entry.seq < witnessed.seq]
    tear = f"entry {witnessed.seq} differs from the one that players received"
    return Reading(tuple(good), _last_head(table, good), witnessed.seq, tear, True, reading.last)


def _is_explained(reading: Reading, witnessed: Head) -> bool:
    """Return whether the witnessed head is in the chain, or is not final and was replaced by a repair."""
    hashes = {entry.seq: entry.hash for entry in reading.entries}
    if witnessed.seq in hashes:
        return hashes[witnessed.seq] == witnessed.hash
    return not witnessed.sealed or hashes.get(witnessed.sealed) == witnessed.seal


def _follow(table: str, ordered: Sequence[Entry], recorded: Head) -> list[Entry]:
    """Return the entries from the start up to the first damage. A repair replaces the entries that it skips."""
    repairs: dict[int, list[Entry]] = defaultdict(list)
    for row in reversed(ordered):
        if row.after < row.seq - 1 and row.seq <= recorded.seq:
            repairs[row.after].append(row)
    good: list[Entry] = []
    seq, previous = 0, start_hash(table).hash
    for row in ordered:
        if row.seq <= seq:
            continue  # a repair replaces this entry
        if row.seq > recorded.seq:
            break
        for repair in repairs.get(seq, ()):
            if is_linked(repair, table, previous) and not _steps_over_finished(repair, ordered, recorded):
                row = repair
                break
        else:
            if row.seq != seq + 1 or row.after != seq or not is_linked(row, table, previous):
                break
        good.append(row)
        seq, previous = row.seq, row.hash
    return good


def _steps_over_finished(repair: Entry, ordered: Sequence[Entry], recorded: Head) -> bool:
    if repair.after < recorded.sealed < repair.seq:
        return True
    return any(row.seals for row in ordered if repair.after < row.seq < repair.seq)


def _last_head(table: str, good: Sequence[Entry]) -> Head:
    head = start_hash(table)
    if not good:
        return head
    sealing = next((entry for entry in reversed(good) if entry.seals), None)
    if sealing is not None:
        head = head.then(sealing)
    return Head(seq=good[-1].seq, hash=good[-1].hash, sealed=head.sealed, seal=head.seal)


def _find_tear(ordered: Sequence[Entry], head: Head, recorded: Head) -> tuple[int, str] | None:
    """Return the number of the first entry that differs from the recorded head, and a description."""
    whole = head.seq >= min(recorded.sealed, recorded.seq)
    if whole and (head.sealed, head.seal) != (recorded.sealed, recorded.seal):
        at = max(1, min(recorded.seq, max(head.sealed, recorded.sealed)))
        return at, f"entry {at} differs from the last final entry that was recorded"
    if head.seq < recorded.seq:
        at = head.seq + 1
        return at, _describe(at, next((row for row in ordered if row.seq == at), None), head)
    if head.seq and head.hash != recorded.hash:
        return head.seq, f"entry {head.seq} differs from the last entry that was recorded"
    if ordered and ordered[-1].seq > recorded.seq:
        at = next(row.seq for row in ordered if row.seq > recorded.seq)
        return at, f"entry {at} comes after entry {recorded.seq}, which was recorded as the last one"
    return None


def _describe(at: int, row: Entry | None, head: Head) -> str:
    if row is None:
        return f"entry {at} is missing"
    if row.after != head.seq:
        return f"entry {at} follows entry {row.after} instead of entry {head.seq}"
    return f"entry {at} was altered, or the entry before it was: the hash does not fit"
