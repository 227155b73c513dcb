"""The journal in SQL that SQLite and PostgreSQL both understand: two tables, and how they are read and written.

What differs (how a transaction begins, who may own a table, what an error means) is in the file of each database.
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
"""The version of the layout below; a journal with a higher one is left alone."""

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
    """One transaction's way to the database; values stand as question marks."""

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a query and return all it finds."""

    def run(self, sql: str, *values: object) -> None:
        """Run a statement."""


class Claim(Struct, frozen=True):
    """A table that this process owns: its epoch, and its head as this process left it."""

    id: int
    epoch: int
    head: Head


class Row(NamedTuple):
    """An entry on its way to the database, with what must be true of its table until then: its epoch and its end."""

    table_id: int
    epoch: int
    end: int
    seq: int
    after: int
    seals: int
    body: bytes
    hash: bytes


class SqlStore(ABC):
    """A journal in a database; one thread at a time uses it, and others wait."""

    def __init__(self, place: str, *, read_only: bool = False) -> None:
        self.notices: list[str] = []
        self._place = place
        self._read_only = read_only
        self._claims: dict[str, Claim] = {}
        self._witnessed: Mapping[str, Head] = {}  # where tables ended when somebody was last told, as far as is known
        self._lock = threading.Lock()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def tables(self) -> tuple[str, ...]:
        """Return the names of all tables, in the order in which they were made."""
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
                self._witness({table: reading.head})  # what an owner has read it may tell
            return reading

    def newest(self, table: str) -> Entry | None:
        """Return a table's last entry as it stands, unchecked; None where it has none."""
        with self._lock:
            self._check_open()
            rows = self._look(lambda transaction: transaction.rows(_NEWEST, table))
            return _entry(table, rows[0]) if rows else None

    def part(self, table: str, after: int, most: int) -> tuple[Entry, ...]:
        """Return at most so many entries numbered above `after`, as they lie there: their chain is not checked."""
        with self._lock:
            self._check_open()
            rows = self._look(lambda transaction: self._part(transaction, table, after, most))
            return tuple([entry for row in rows if (entry := _entry(table, row)) is not None])

    @abstractmethod
    def open_reader(self) -> "SqlStore":
        """Open the same journal once more, for reading alone: its owner does not wait for who reads there."""

    def claim(self, table: str) -> None:
        """Make the table if it is new, and become its owner: whoever owned it before can write to it no more."""
        if not table or not table.isprintable():
            raise StoreError(f"a table cannot be called {table!r}: give it a name of printable characters")
        with self._lock:
            self._check_writable()
            self._own(table)
            self._claims[table] = self._change(lambda transaction: self._claim(transaction, table))

    def append(self, entries: Sequence[Entry]) -> None:
        """Write entries of any number of claimed tables to disk, all or none of them."""
        if not entries:
            return
        with self._lock:
            self._check_writable()
            rows, claims = self._continue(entries)
            if not self._write(rows, claims):
                raise self._fenced(claims)
            self._claims.update(claims)
            self._witness({table: claim.head for table, claim in claims.items()})

    def give_up(self) -> None:  # noqa: B027  # a disk cannot be left alone in the middle of a write
        """Wait no more for a database that does not answer: whatever is under way fails. Any thread may call this."""

    def close(self) -> None:
        """Give everything back; closing twice is harmless."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._release()

    # --- what differs between databases

    @abstractmethod
    def _look(self, work: Callable[[Transaction], T]) -> T:
        """Do some work in a transaction that sees one state of the journal and changes nothing."""

    @abstractmethod
    def _change(self, work: Callable[[Transaction], T]) -> T:
        """Do some work in a transaction that is on disk when this returns, and undone if it raises."""

    @abstractmethod
    def _write(self, rows: Sequence[Row], claims: Mapping[str, Claim]) -> bool:
        """Put rows on disk and move the ends of their tables to the claims' heads, all or nothing.

        Returns False, with nothing written, where a table's epoch or end is not what the rows say.
        """

    def _witness(self, heads: Mapping[str, Head]) -> None:  # noqa: B027  # not every journal has a witness
        """Make sure that it would be noticed if these ends were lost, before anybody is told of them."""

    @abstractmethod
    def _own(self, table: str) -> None:
        """Make sure that no other live process owns the table."""

    @abstractmethod
    def _release(self) -> None:
        """Give back connections and locks."""

    # --- what does not

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(f"{self._place} was closed: open it again")

    def _check_writable(self) -> None:
        self._check_open()
        if self._read_only:
            raise StoreError(f"{self._place} was opened for reading only: open it for writing")

    def _read(self, transaction: Transaction, table: str) -> Reading:
        claim, witnessed = self._find(transaction, table), self._witnessed.get(table)
        if claim is None and witnessed is not None:
            return read_witnessed(table, (), start_hash(table), witnessed)
        if claim is None:
            known = ", ".join(_names(transaction)) or "none yet"
            raise StoreError(f"{self._place} has no table {table}: give one of those it has ({known})")
        rows = (_entry(table, row) for row in transaction.rows(_READ, claim.id))
        return read_witnessed(table, (row for row in rows if row is not None), claim.head, witnessed)

    def _part(self, transaction: Transaction, table: str, after: int, most: int) -> list[tuple[Any, ...]]:
        claim = self._find(transaction, table)
        return transaction.rows(_PART, claim.id, after, most) if claim is not None else []

    def _claim(self, transaction: Transaction, table: str) -> Claim:
        transaction.run(_MAKE, table, start_hash(table).hash, b"")
        transaction.run(_OWN, table)
        claim = self._find(transaction, table)
        assert claim is not None, "a table that was just made is there"
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
        """Check that entries continue what was written; return their rows, and the claims as they will be then."""
        rows: list[Row] = []
        heads: dict[str, Head] = {}
        for entry in entries:
            table = entry.table
            claim = self._claims.get(table)
            if claim is None:
                raise Fenced(f"table {table} is not this process's: claim it before writing to it")
            head = heads.get(table, claim.head)
            if entry.after == head.seq and entry.seq == head.seq + 1:
                previous: bytes | None = head.hash
            else:
                previous = None if table in heads else self._torn_end(claim, entry)
            if previous is None or not is_linked(entry, table, previous):
                raise Fenced(
                    f"entry {entry.seq} of table {table} does not continue what was written, which ends at entry "
                    f"{head.seq}: read the table again and go on from there"
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
        """Return the hash a repair must hang on, or None where it is none or would step over something finished."""
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
        """Say which of these tables is another's now."""
        found = self._look(lambda transaction: [(table, self._find(transaction, table)) for table in claims])
        for table, now in found:
            mine = self._claims[table]
            if now is None or (now.epoch, now.head.seq) != (mine.epoch, mine.head.seq):
                return self._taken_over(table)
        return Fenced(f"{self._place} holds such an entry already: read the table again and go on from there")

    def _taken_over(self, table: str) -> Fenced:
        return Fenced(f"another process has taken over table {table} in {self._place}: stop this process")


def _names(transaction: Transaction) -> tuple[str, ...]:
    return tuple(str(name) for (name,) in transaction.rows(_TABLES))


def _is_hash(value: object) -> bool:
    return isinstance(value, bytes) and len(value) == HASH_SIZE


def _entry(table: str, row: tuple[Any, ...]) -> Entry | None:
    """Return the entry of a row; None, or an entry whose hash fits nothing, where a value was replaced by nonsense."""
    seq, after, seals, body, hash_ = row
    if type(seq) is not int:
        return None
    if type(after) is not int or seals not in (0, 1) or type(body) is not bytes or type(hash_) is not bytes:
        return Entry(table, seq, -1, b"", b"", False)
    return Entry(table, seq, after, body, hash_, bool(seals))
