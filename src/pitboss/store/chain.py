"""The hash chain of a journal: how an entry is linked to the one before it, where a reading is torn, and errors.

Nothing here knows what a body says or where entries are kept. An entry's hash covers the hash before it, so
whoever knows one hash can tell whether anything up to it was altered. A tear in open business can be stepped over
by a repair, an entry that is numbered past everything ever used and hangs on the last good entry; finished
business cannot.

>>> chain = Chain("T-1", start_hash("T-1"))
>>> entries = [chain.append(b"cards"), chain.append(b"fold", seals=True), chain.append(b"cards"), chain.append(b"call")]
>>> read_chain("T-1", entries, chain.head).torn_at is None
True

The third entry is lost, and so the fourth hangs on nothing; a fifth repairs that.

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
    """Another live process has the journal, or one table of it."""


class Fenced(StoreError):
    """This process is not, or no longer, the one that may write here; nothing was written."""


class DatabaseUnavailable(StoreError):
    """The database is gone, silent or busy; it may be over in a moment, and whether a write was done is not known."""


class LostEntries(StoreError):
    """The database came back without entries that it had committed."""


class WriterClosed(StoreError, RuntimeError):
    """Entries handed to a writer that has stopped."""


class Entry(Struct, frozen=True, gc=False):
    """One entry of one table: numbered from 1, hung on entry ``after``, and never changed."""

    table: str
    seq: int
    after: int
    body: bytes
    hash: bytes
    seals: bool


class Head(Struct, frozen=True, kw_only=True, gc=False):
    """Where a table's journal ends: its last entry, and up to which entry it is finished for good.

    ``seal`` is the hash of the last finished entry, so that finished business can be told from rewritten business even
    where the open part after it is torn; it is empty where nothing is finished.
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
    """What a table's journal holds: its good entries in order, and where it is torn, if it is."""

    entries: tuple[Entry, ...]
    head: Head
    torn_at: int | None
    """The first entry that is missing, altered or out of its chain, and that no repair steps over."""
    tear: str
    """What is wrong there, in one sentence; empty where nothing is."""
    finished: bool
    """Whether the tear lies, or may lie, in finished business: then it cannot be mended."""
    last: int
    """The highest number ever used, by a good entry or a lost one."""
    lost: int = 0
    """How many entries are gone from the end, without a trace but that somebody was told of them."""


def start_hash(table: str) -> Head:
    """Return the head of an empty table."""
    return Head(hash=sha256(_START + table.encode()).digest())


def entry_hash(previous: bytes, table: str, seq: int, after: int, seals: bool, body: bytes) -> bytes:
    """Return the hash of an entry that hangs on the entry with the hash ``previous``."""
    name = table.encode()
    return sha256(b"".join((_ENTRY, _LAYOUT.pack(previous, seq, after, seals, len(name)), name, body))).digest()


def is_linked(entry: Entry, table: str, previous: bytes) -> bool:
    """Return whether an entry belongs to the table and its hash is that of its content and of the entry before it."""
    return entry.table == table and entry.hash == entry_hash(
        previous, table, entry.seq, entry.after, entry.seals, entry.body
    )


class Chain:
    """The end of one table's journal, to which entries are added."""

    __slots__ = ("head", "table")

    def __init__(self, table: str, head: Head) -> None:
        self.table = table
        self.head = head

    def append(self, body: bytes, *, seals: bool = False) -> Entry:
        """Add an entry; ``seals`` says that everything up to it is finished for good."""
        return self._add(self.head.seq + 1, body, seals)

    def mend(self, reading: Reading, body: bytes, *, seals: bool = False) -> Entry:
        """Add an entry that every later reading takes instead of all that is torn."""
        if reading.finished:
            raise StoreError(
                f"table {self.table} cannot be mended, because {reading.tear} and belongs to what is finished: "
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
    """Check the entries that were found against the head that was recorded with the last of them."""
    ordered = sorted((row for row in rows if row.seq > 0), key=lambda row: row.seq)
    good = _follow(table, ordered, recorded)
    head = _last_head(table, good)
    last = max(recorded.seq, ordered[-1].seq if ordered else 0)
    torn = _find_tear(ordered, head, recorded)
    if torn is None:
        return Reading(tuple(good), head, None, "", False, last)
    at, tear = torn
    if at <= head.seq:  # all of it chains, and yet it is not what was recorded
        good = [entry for entry in good if entry.seq < at]
        head = _last_head(table, good)
    # A lost or altered entry proves nothing about itself: where any entry from here on claims to seal, it is believed.
    finished = at <= recorded.sealed or any(row.seals for row in ordered if row.seq >= at)
    return Reading(tuple(good), head, at, tear, finished, last)


def read_witnessed(table: str, rows: Iterable[Entry], recorded: Head, witnessed: Head | None) -> Reading:
    """Check the entries also against where the table ended when somebody was last told of it, as far as that is known.

    A journal may be ahead of its witness, but what the witness knows must be in it.

    >>> chain = Chain("T-1", start_hash("T-1"))
    >>> entries = [chain.append(b"deal", seals=True), chain.append(b"cards")]
    >>> before, _ = chain.head, entries.append(chain.append(b"call"))
    >>> read_witnessed("T-1", entries, chain.head, before).torn_at is None
    True
    >>> read_witnessed("T-1", entries[:2], before, chain.head).tear
    'the journal ends with entry 2, but players were told of everything up to entry 3 (1 lost)'
    """
    rows = list(rows)
    reading = read_chain(table, rows, recorded)
    if witnessed is not None and witnessed.seq > recorded.seq:
        ahead = read_chain(table, rows, witnessed)
        if ahead.torn_at is None or ahead.torn_at <= recorded.seq:
            return reading if ahead.torn_at is None else ahead
        lost = witnessed.seq - ahead.head.seq
        end = f"the journal ends with entry {ahead.head.seq}" if ahead.entries else "nothing is left of the journal"
        tear = f"{end}, but players were told of everything up to entry {witnessed.seq} ({lost} lost)"
        return replace(ahead, tear=tear, lost=lost)
    if witnessed is None or reading.torn_at is not None or _is_explained(reading, witnessed):
        return reading
    good = [entry for entry in reading.entries if entry.seq < witnessed.seq]
    tear = f"entry {witnessed.seq} is not the one that players were told of"
    return Reading(tuple(good), _last_head(table, good), witnessed.seq, tear, True, reading.last)


def _is_explained(reading: Reading, witnessed: Head) -> bool:
    """Whether what was witnessed stands in a whole chain, or was open business that a repair has stepped over."""
    hashes = {entry.seq: entry.hash for entry in reading.entries}
    if witnessed.seq in hashes:
        return hashes[witnessed.seq] == witnessed.hash
    return not witnessed.sealed or hashes.get(witnessed.sealed) == witnessed.seal


def _follow(table: str, ordered: Sequence[Entry], recorded: Head) -> list[Entry]:
    """Follow the chain from its start as far as it holds; a repair, decided later, goes before what it repairs."""
    repairs: dict[int, list[Entry]] = defaultdict(list)
    for row in reversed(ordered):
        if row.after < row.seq - 1 and row.seq <= recorded.seq:
            repairs[row.after].append(row)
    good: list[Entry] = []
    seq, previous = 0, start_hash(table).hash
    for row in ordered:
        if row.seq <= seq:
            continue  # stepped over
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
    """Find the first entry that is not as it was recorded, and say what is wrong with it."""
    whole = head.seq >= min(recorded.sealed, recorded.seq)
    if whole and (head.sealed, head.seal) != (recorded.sealed, recorded.seal):
        at = max(1, min(recorded.seq, max(head.sealed, recorded.sealed)))
        return at, f"entry {at} is not the one that was recorded as the last finished one"
    if head.seq < recorded.seq:
        at = head.seq + 1
        return at, _describe(at, next((row for row in ordered if row.seq == at), None), head)
    if head.seq and head.hash != recorded.hash:
        return head.seq, f"entry {head.seq} is not the one that was recorded as the last one"
    if ordered and ordered[-1].seq > recorded.seq:
        at = next(row.seq for row in ordered if row.seq > recorded.seq)
        return at, f"entry {at} stands past entry {recorded.seq}, which was recorded as the last one"
    return None


def _describe(at: int, row: Entry | None, head: Head) -> str:
    if row is None:
        return f"entry {at} is missing"
    if row.after != head.seq:
        return f"entry {at} hangs on entry {row.after} instead of entry {head.seq}"
    return f"entry {at} was altered, or what it hung on was: its hash does not fit"
