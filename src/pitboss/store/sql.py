"""The journal in SQL for SQLite and PostgreSQL: two tables, and how they are read and written.

The module of each database has the differences: the start of a transaction, the owner of a table, and errors.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from msgspec import Struct

from pitboss.store.chain import (
    HASH_SIZE,
    Entry,
    Fenced,
    Head,
    Reading,
    StoreError,
    is_linked,
    read_witnessed,
    start_hash,
)

VERSION = 1
"""The version of the tables' layout. A journal with a higher version is refused."""

FIRST_WARNING_AFTER = 3.0
"""The number of seconds of waiting for a database before the first warning in the log."""
WARNING_EVERY = 10.0
"""The number of seconds between later warnings."""

T = TypeVar("T")

_TABLES = "SELECT name FROM pitboss_table ORDER BY id"
_FIND = "SELECT id, epoch, seq, hash, sealed, seal FROM pitboss_table WHERE name = ?"
_MAKE = """INSERT INTO pitboss_table (name, epoch, seq, hash, sealed, seal) VALUES (?, 0, 0, ?, 0, ?)
ON CONFLICT (name) DO NOTHING"""
_OWN = "UPDATE pitboss_table SET epoch = epoch + 1 WHERE name = ?"
_READ = "SELECT seq, after, seals, body, hash FROM pitboss_entry WHERE table_id = ? ORDER BY seq"
_PART = "SELECT seq, after, seals, body, hash FROM pitboss_entry WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?"
_LAST = "SELECT max(seq) FROM pitboss_entry WHERE table_id = ?"
_NEWEST = """SELECT e.seq, e.after, e.seals, e.body, e.hash FROM pitboss_table t JOIN pitboss_entry e
ON e.table_id = t.id AND e.seq = t.seq WHERE t.name = ?"""
_HASH = "SELECT hash FROM pitboss_entry WHERE table_id = ? AND seq = ?"


class Transaction(Protocol):
    """Access to the database within a transaction. A value is a `?` in the SQL."""

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a query and return all rows."""

    def run(self, sql: str, *values: object) -> None:
        """Run a statement."""


class Claim(Struct, frozen=True):
    """An owned table: its id in the database, the epoch of its owner, and its head after the last write."""

    id: int
    epoch: int
    head: Head


class Row(NamedTuple):
    """An entry to write. `epoch` and `end` are the owner and the last entry that its table must have before."""

    table_id: int
    epoch: int
    end: int
    seq: int
    after: int
    seals: int
    body: bytes
    hash: bytes


class SqlStore(ABC):
    """A journal in an SQL database. Only one thread can use it at a time."""

    def __init__(self, place: str, *, read_only: bool = False) -> None:
        self.notices: list[str] = []
        self._place = place
        self._read_only = read_only
        self._claims: dict[str, Claim] = {}
        self._witnessed: Mapping[str, Head] = {}  # the last head of each table that players received, if known
        self._lock = threading.Lock()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def tables(self) -> tuple[str, ...]:
        """Return the names of all tables, in the order in which they were created."""
        with self._lock:
            self._check_open()
            names = self._look(_names)
            return *names, *[table for table in self._witnessed if table not in names]

    def read(self, table: str) -> Reading:
        """Read a whole table and check its chain."""
        with self._lock:
            self._check_open()
            reading = self._look(lambda transaction: self._read(transaction, table))
            if reading.torn_at is None and not self._read_only:
                self._witness({table: reading.head})  # what the owner reads, it may send
            return reading

    def newest(self, table: str) -> Entry | None:
        """Return the last entry of a table without checking it, or None if the table has no entries."""
        with self._lock:
            self._check_open()
            rows = self._look(lambda transaction: transaction.rows(_NEWEST, table))
            return _entry(table, rows[0]) if rows else None

    def part(self, table: str, after: int, most: int) -> tuple[Entry, ...]:
        """Return the first entries with a number above `after`, up to `most` of them, without checking their chain."""
        with self._lock:
            self._check_open()
            rows = self._look(lambda transaction: self._part(transaction, table, after, most))
            return tuple([entry for row in rows if (entry := _entry(table, row)) is not None])

    @abstractmethod
    def open_reader(self) -> "SqlStore":
        """Open the same journal again for reading only. The owner never waits for a reader."""

    def claim(self, table: str) -> None:
        """Become the owner of a table, and create it if needed. The previous owner can no longer write to it."""
        if not table or not table.isprintable():
            raise StoreError(f"table: expected a name of printable characters, got {table!r}")
        with self._lock:
            self._check_writable()
            self._own(table)
            self._claims[table] = self._change(lambda transaction: self._claim(transaction, table))

    def append(self, entries: Sequence[Entry]) -> None:
        """Write entries of one or more owned tables to disk: all of them or none."""
        if not entries:
            return
        with self._lock:
            self._check_writable()
            rows, claims = self._continue(entries)
            if not self._write(rows, claims):
                raise self._fenced(claims)
            self._claims.update(claims)
            self._witness({table: claim.head for table, claim in claims.items()})

    def give_up(self) -> None:  # noqa: B027  # a write to a disk cannot be stopped
        """Stop waiting for a database that does not answer, so that operations fail. Any thread may call this."""

    def close(self) -> None:
        """Close the journal and release its locks. Closing it again has no effect."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._release()

    # --- what differs between databases

    @abstractmethod
    def _look(self, work: Callable[[Transaction], T]) -> T:
        """Call `work` in a transaction that changes nothing and sees a single state of the journal."""

    @abstractmethod
    def _change(self, work: Callable[[Transaction], T]) -> T:
        """Call `work` in a transaction. Its changes are on disk when this returns, and undone if it raises an error."""

    @abstractmethod
    def _write(self, rows: Sequence[Row], claims: Mapping[str, Claim]) -> bool:
        """Write rows and the heads of their tables to disk: all of them or none.

        Return False without writing anything if a table has another epoch or end than its rows expect.
        """

    def _witness(self, heads: Mapping[str, Head]) -> None:  # noqa: B027  # not every journal has a witness
        """Record heads in the witness before players receive messages, so that a later loss of entries is detected."""

    @abstractmethod
    def _own(self, table: str) -> None:
        """Raise `InUse` if another running process owns the table."""

    @abstractmethod
    def _release(self) -> None:
        """Release connections and locks."""

    # --- what does not differ

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(f"{self._place} is closed: open it again")

    def _check_writable(self) -> None:
        self._check_open()
        if self._read_only:
            raise StoreError(f"{self._place} is open for reading only: open it for writing")

    def _read(self, transaction: Transaction, table: str) -> Reading:
        claim, witnessed = self._find(transaction, table), self._witnessed.get(table)
        if claim is None and witnessed is not None:
            return read_witnessed(table, (), start_hash(table), witnessed)
        if claim is None:
            known = ", ".join(_names(transaction)) or "none yet"
            raise StoreError(f"{self._place} has no table {table}; tables: {known}")
        rows = (_entry(table, row) for row in transaction.rows(_READ, claim.id))
        return read_witnessed(table, (row for row in rows if row is not None), claim.head, witnessed)

    def _part(self, transaction: Transaction, table: str, after: int, most: int) -> list[tuple[Any, ...]]:
        claim = self._find(transaction, table)
        return transaction.rows(_PART, claim.id, after, most) if claim is not None else []

    def _claim(self, transaction: Transaction, table: str) -> Claim:
        transaction.run(_MAKE, table, start_hash(table).hash, b"")
        transaction.run(_OWN, table)
        claim = self._find(transaction, table)
        assert claim is not None, "the table was just created"
        return claim

    def _find(self, transaction: Transaction, table: str) -> Claim | None:
        found = transaction.rows(_FIND, table)
        if not found:
            return None
        row_id, epoch, seq, hash_, sealed, seal = found[0]
        if not all(type(number) is int and number >= 0 for number in (row_id, epoch, seq, sealed)):
            raise self._damaged(table)
        if not _is_hash(hash_) or type(seal) is not bytes:
            raise self._damaged(table)
        head = Head(seq=seq, hash=hash_, sealed=sealed, seal=seal if sealed else b"") if seq else start_hash(table)
        return Claim(row_id, epoch, head)

    def _damaged(self, table: str) -> StoreError:
        return StoreError(f"the record of table {table} in {self._place} is damaged: restore the journal from a copy")

    def _continue(self, entries: Sequence[Entry]) -> tuple[list[Row], dict[str, Claim]]:
        """Check that entries continue their tables. Return their rows, and the claims after writing them."""
        rows: list[Row] = []
        heads: dict[str, Head] = {}
        for entry in entries:
            table = entry.table
            claim = self._claims.get(table)
            if claim is None:
                raise Fenced(f"table {table} does not belong to this process: claim it before writing to it")
            head = heads.get(table, claim.head)
            if entry.after == head.seq and entry.seq == head.seq + 1:
                previous: bytes | None = head.hash
            else:
                previous = None if table in heads else self._torn_end(claim, entry)
            if previous is None or not is_linked(entry, table, previous):
                raise Fenced(
                    f"entry {entry.seq} of table {table} does not continue the journal, which ends with entry "
                    f"{head.seq}: read the table again and continue from there"
                )
            heads[table] = head.then(entry)
            rows.append(
                Row(claim.id, claim.epoch, head.seq, entry.seq, entry.after, entry.seals, entry.body, entry.hash)
            )
        claims = {
            table: Claim(self._claims[table].id, self._claims[table].epoch, head) for table, head in heads.items()
        }
        return rows, claims

    def _torn_end(self, claim: Claim, entry: Entry) -> bytes | None:
        """Return the hash of the entry that a repair follows, or None if the repair is not allowed."""
        ((highest,),) = self._look(lambda transaction: transaction.rows(_LAST, claim.id))
        witnessed = self._witnessed.get(entry.table)
        last = max(claim.head.seq, highest or 0, witnessed.seq if witnessed is not None else 0)
        if entry.seq != last + 1 or not claim.head.sealed <= entry.after < entry.seq:
            return None
        if entry.after == 0:
            return start_hash(entry.table).hash
        found = self._look(lambda transaction: transaction.rows(_HASH, claim.id, entry.after))
        return found[0][0] if found and _is_hash(found[0][0]) else None

    def _fenced(self, claims: Iterable[str]) -> Fenced:
        """Return the error for a table that another process has taken over."""
        found = self._look(lambda transaction: [(table, self._find(transaction, table)) for table in claims])
        for table, now in found:
            mine = self._claims[table]
            if now is None or (now.epoch, now.head.seq) != (mine.epoch, mine.head.seq):
                return self._taken_over(table)
        return Fenced(f"{self._place} already has such an entry: read the table again and continue from there")

    def _taken_over(self, table: str) -> Fenced:
        return Fenced(f"another process has taken over table {table} in {self._place}: stop this process")


def _names(transaction: Transaction) -> tuple[str, ...]:
    return tuple(str(name) for (name,) in transaction.rows(_TABLES))


def _is_hash(value: object) -> bool:
    return isinstance(value, bytes) and len(value) == HASH_SIZE


def _entry(table: str, row: tuple[Any, ...]) -> Entry | None:
    """Return the entry in a row. If the row was changed, the result is None or an entry with a wrong hash."""
    seq, after, seals, body, hash_ = row
    if type(seq) is not int:
        return None
    if type(after) is not int or seals not in (0, 1) or type(body) is not bytes or type(hash_) is not bytes:
        return Entry(table, seq, -1, b"", b"", False)
    return Entry(table, seq, after, body, hash_, bool(seals))
