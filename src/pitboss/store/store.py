"""What every journal can do, whatever database keeps it; the function that opens one, and the writing thread."""

import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Protocol, Self

from pitboss.store.chain import Entry, Reading, StoreError, WriterClosed

POSTGRES = ("postgresql", "postgres")
PATIENCE = 60.0
"""For how many seconds an owner tries to get its entries to a database server that is gone or silent."""
LAST_WRITES = 3.0
"""How many seconds a writer that is closed has for what was put, if the store can be made to give up."""


class Store(Protocol):
    """A journal of many tables; each table has one owner at a time and a chain of entries that only grows."""

    @property
    def notices(self) -> Sequence[str]:
        """What was found out of order at opening, a sentence each, for whoever runs this."""

    def tables(self) -> tuple[str, ...]:
        """Return the names of all tables, in the order in which they were made."""

    def claim(self, table: str) -> None:
        """Make the table if it is new, and become its owner: whoever owned it before can write to it no more."""

    def read(self, table: str) -> Reading:
        """Read a whole table and check its chain."""

    def newest(self, table: str) -> Entry | None:
        """Return a table's last entry as it stands, unchecked; None where it has none."""

    def part(self, table: str, after: int, most: int) -> tuple[Entry, ...]:
        """Return at most so many entries numbered above `after`, as they lie there: their chain is not checked."""

    def open_reader(self) -> "Store":
        """Open the same journal once more, for reading alone: its owner does not wait for who reads there."""

    def append(self, entries: Sequence[Entry]) -> None:
        """Write entries of any number of claimed tables to disk, all or none of them."""

    def give_up(self) -> None:
        """Wait no more for a database that does not answer: whatever is under way fails. Any thread may call this."""

    def close(self) -> None:
        """Give everything back; closing twice is harmless."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def public_name(url: str) -> str:
    """Return a journal's address as it may be shown to anybody: without the user and password of a database.

    >>> public_name("pitboss.db")
    'pitboss.db'
    """
    if _scheme(url) not in POSTGRES:
        return url
    from pitboss.store.postgres import read_address

    return read_address(url).place


def open_store(url: str, *, read_only: bool = False, patience: float = PATIENCE, witness: Path | None = None) -> Store:
    """Open a journal: the path of an SQLite file, which is made if new, or ``postgresql://user@host/database``.

    Read-only, it may be open elsewhere, takes no lock and changes nothing. `patience` is for how
    many seconds a database server that is gone or silent is waited for, once the journal is open for writing; `witness`
    is a file that remembers where its tables ended (a journal in SQLite has one of its own).

    >>> import tempfile, pathlib
    >>> from pitboss.store import Chain
    >>> with tempfile.TemporaryDirectory() as folder, open_store(str(pathlib.Path(folder, "pitboss.db"))) as store:
    ...     store.claim("T-1")
    ...     chain = Chain("T-1", store.read("T-1").head)
    ...     store.append([chain.append(b"the deck"), chain.append(b"fold", seals=True)])
    ...     store.read("T-1").head == chain.head, [entry.body for entry in store.read("T-1").entries]
    (True, [b'the deck', b'fold'])
    """
    # A database's driver is loaded only by whoever uses it.
    scheme = _scheme(url)
    if witness is not None and scheme not in POSTGRES:
        raise StoreError("only a journal in PostgreSQL is given a witness: one in SQLite has its own")
    if not scheme:
        from pitboss.store.sqlite import open_sqlite

        return open_sqlite(url, read_only=read_only)
    if scheme in POSTGRES:
        from pitboss.store.postgres import open_postgres

        return open_postgres(url, read_only=read_only, patience=patience, witness=witness)
    raise StoreError(f"no journal can be kept at {scheme}://…: give a file's path or postgresql://user@host/database")


def _scheme(url: str) -> str:
    found = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://", url)
    return found[1] if found is not None else ""


class Writer:
    """Writes entries in the order they were put, as many at once as have come together while the disk was busy.

    From ``start`` to the end of ``close`` the store belongs to the writer's thread, and both callbacks run in it:
    ``on_commit`` with the entries that are on disk now, ``on_failure`` once, with what ended the writing.
    """

    def __init__(
        self,
        store: Store,
        on_commit: Callable[[Sequence[Entry]], None],
        on_failure: Callable[[BaseException], None],
    ) -> None:
        self._store = store
        self._on_commit = on_commit
        self._on_failure = on_failure
        # entries, a table to be claimed before those that come after it, or None: write what is there, then stop
        self._waiting: SimpleQueue[Sequence[Entry] | str | None] = SimpleQueue()
        self._claims: list[str] = []  # tables to be claimed before the next batch
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._closed = False
        self._failed = False

    def start(self) -> None:
        """Start writing."""
        self._thread.start()

    def put(self, entries: Sequence[Entry]) -> None:
        """Hand over entries to be written together or not at all; returns at once.

        After a failure they are dropped: none of them will be written or reported.
        """
        if self._closed:
            raise WriterClosed("the writer is closed: put no more entries")
        if entries and not self._failed:
            self._waiting.put(entries)

    def claim(self, table: str) -> None:
        """Have a new table made and owned before the entries that are put from now on; returns at once."""
        if self._closed:
            raise WriterClosed("the writer is closed: claim no more tables")
        if not self._failed:
            self._waiting.put(table)

    def close(self) -> None:
        """Write what was put, then stop, and do not wait long for a store that does not answer; twice is harmless."""
        if not self._closed:
            self._closed = True
            self._waiting.put(None)
            if self._thread.ident is None:
                self.start()
        if self._thread is not threading.current_thread():  # a callback may close, but cannot wait for itself
            self._thread.join(LAST_WRITES)
            if self._thread.is_alive():
                self._store.give_up()
                self._thread.join()

    def _run(self) -> None:
        more = True
        while more:
            batch, more = self._gather()
            more = self._write(batch) and more

    def _write(self, batch: Sequence[Entry]) -> bool:
        """Put a batch on disk and tell its owner; whether that went well."""
        try:
            while self._claims:
                self._store.claim(self._claims.pop(0))
            if batch:
                self._store.append(batch)
                self._on_commit(batch)
        except BaseException as error:
            self._failed = True
            self._on_failure(error)
            return False
        return True

    def _gather(self) -> tuple[list[Entry], bool]:
        """Wait until there is something, take all there is, and tell whether more may come."""
        batch: list[Entry] = []
        found = self._waiting.get()
        while found is not None:
            if isinstance(found, str):
                self._claims.append(found)
            else:
                batch += found
            try:
                found = self._waiting.get_nowait()
            except Empty:
                return batch, True
        return batch, False
