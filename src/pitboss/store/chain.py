"""The hash chain of a journal: how entries are linked, how damage is found and repaired, and the errors of a store.

This module knows neither what an entry says nor where entries are stored. The hash of an entry covers the hash of the
previous one, so one known hash shows whether anything before it was altered. An entry that *seals* makes everything up
to it final. Damage after the last seal can be repaired by an entry that follows the last good one and is numbered past
all others; damage before a seal cannot.

>>> chain = Chain("T-1", start_hash("T-1"))
>>> entries = [chain.append(b"cards"), chain.append(b"fold", seals=True), chain.append(b"cards"), chain.append(b"call")]
>>> read_chain("T-1", entries, chain.head).torn_at is None
True

The third entry is lost, so the fourth has no predecessor. A fifth entry repairs that.

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
_LAYOUT = Layout(">32sQQ?I")  # the hash before, seq, after, seals, length of the name; then come the name and the body


class StoreError(PitbossError):
    """The journal cannot be opened, read or written."""


class InUse(StoreError):
    """Another live process uses the journal, or one table of it."""


class Fenced(StoreError):
    """This process does not own the table, or not any more; nothing was written."""


class DatabaseUnavailable(StoreError):
    """The database is unreachable, silent or busy, possibly for a moment; it is not known whether a write was done."""


class LostEntries(StoreError):
    """The database came back without entries that it had committed."""


class WriterClosed(StoreError, RuntimeError):
    """Entries were given to a writer that has stopped."""


class Entry(Struct, frozen=True, gc=False):
    """One entry of one table: numbered from 1, linked to entry ``after``, and never changed."""

    table: str
    seq: int
    after: int
    body: bytes
    hash: bytes
    seals: bool


class Head(Struct, frozen=True, kw_only=True, gc=False):
    """Where a table's journal ends: its last entry, and the last entry that seals.

    ``seal`` is the hash of the last sealing entry; it shows whether final entries were rewritten, even if the entries
    after them are damaged. It is empty if there is no sealing entry.
    """

    seq: int = 0
    hash: bytes
    sealed: int = 0
    seal: bytes = b""

    def then(self, entry: Entry) -> "Head":
        """Return the head after one more entry."""
        if entry.seals:
            return Head(seq=entry.seq, hash=entry.hash, sealed=entry.seq, seal=entry.hash)
        return Head(seq=entry.seq, hash=entry.hash, sealed=self.sealed, seal=self.seal)


class Reading(Struct, frozen=True):
    """The contents of a table's journal: its good entries in order, and where it is damaged."""

    entries: tuple[Entry, ...]
    head: Head
    torn_at: int | None
    """The first entry that is missing, altered or out of the chain, and that no repair skips; None if there is none."""
    tear: str
    """What is wrong with that entry, in one sentence; empty if nothing is."""
    finished: bool
    """Whether final entries are damaged, or may be; the damage cannot be repaired then."""
    last: int
    """The highest number ever used, by a good or a lost entry."""
    lost: int = 0
    """The number of entries that are missing from the end although players received them."""


def start_hash(table: str) -> Head:
    """Return the head of an empty table."""
    return Head(hash=sha256(_START + table.encode()).digest())


def entry_hash(previous: bytes, table: str, seq: int, after: int, seals: bool, body: bytes) -> bytes:
    """Return the hash of an entry that follows the entry with the hash ``previous``."""
    name = table.encode()
    return sha256(b"".join((_ENTRY, _LAYOUT.pack(previous, seq, after, seals, len(name)), name, body))).digest()


def is_linked(entry: Entry, table: str, previous: bytes) -> bool:
    """Return whether an entry belongs to the table and its hash fits its content and the previous entry."""
    return entry.table == table and entry.hash == entry_hash(
        previous, table, entry.seq, entry.after, entry.seals, entry.body
    )


class Chain:
    """The end of one table's journal, where entries are added."""

    __slots__ = ("head", "table")

    def __init__(self, table: str, head: Head) -> None:
        self.table = table
        self.head = head

    def append(self, body: bytes, *, seals: bool = False) -> Entry:
        """Add an entry; with ``seals`` it makes everything up to it final."""
        return self._add(self.head.seq + 1, body, seals)

    def mend(self, reading: Reading, body: bytes, *, seals: bool = False) -> Entry:
        """Add an entry that replaces everything from the damage on."""
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
    """Check entries against the head that was recorded with the last of them."""
    ordered = sorted((row for row in rows if row.seq > 0), key=lambda row: row.seq)
    good = _follow(table, ordered, recorded)
    head = _last_head(table, good)
    last = max(recorded.seq, ordered[-1].seq if ordered else 0)
    torn = _find_tear(ordered, head, recorded)
    if torn is None:
        return Reading(tuple(good), head, None, "", False, last)
    at, tear = torn
    if at <= head.seq:  # all entries are linked, but the recorded head differs
        good = [entry for entry in good if entry.seq < at]
        head = _last_head(table, good)
    # A damaged entry cannot be trusted, so any entry from here on that claims to seal is believed.
    finished = at <= recorded.sealed or any(row.seals for row in ordered if row.seq >= at)
    return Reading(tuple(good), head, at, tear, finished, last)


def read_witnessed(table: str, rows: Iterable[Entry], recorded: Head, witnessed: Head | None) -> Reading:
    """Check entries also against the last end that players saw, if it is known.

    The journal may be ahead of the witness, but not behind it.

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
    """Return whether the witnessed end is in the chain, or was not final and has been replaced by a repair."""
    hashes = {entry.seq: entry.hash for entry in reading.entries}
    if witnessed.seq in hashes:
        return hashes[witnessed.seq] == witnessed.hash
    return not witnessed.sealed or hashes.get(witnessed.sealed) == witnessed.seal


def _follow(table: str, ordered: Sequence[Entry], recorded: Head) -> list[Entry]:
    """Return the good entries from the start; a repair, which comes later, replaces what it repairs."""
    repairs: dict[int, list[Entry]] = defaultdict(list)
    for row in reversed(ordered):
        if row.after < row.seq - 1 and row.seq <= recorded.seq:
            repairs[row.after].append(row)
    good: list[Entry] = []
    seq, previous = 0, start_hash(table).hash
    for row in ordered:
        if row.seq <= seq:
            continue  # replaced by a repair
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
    """Find the first entry that differs from what was recorded, and describe the difference."""
    whole = head.seq >= min(recorded.sealed, recorded.seq)
    if whole and (head.sealed, head.seal) != (recorded.sealed, recorded.seal):
        at = max(1, min(recorded.seq, max(head.sealed, recorded.sealed)))
        return at, f"entry {at} differs from the recorded last final entry"
    if head.seq < recorded.seq:
        at = head.seq + 1
        return at, _describe(at, next((row for row in ordered if row.seq == at), None), head)
    if head.seq and head.hash != recorded.hash:
        return head.seq, f"entry {head.seq} differs from the recorded last entry"
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
