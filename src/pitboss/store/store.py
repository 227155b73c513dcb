"""What every journal can do, whatever its database; the function that opens one; and the thread that writes."""

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
"""Seconds that an owner tries to write its entries to a database that is unreachable, silent or locked."""
LAST_WRITES = 3.0
"""Seconds that a closed writer has for the remaining entries, if the store can give up."""


class Store(Protocol):
    """A journal of many tables. Each table has one owner at a time and a chain of entries that only grows."""

    @property
    def notices(self) -> Sequence[str]:
        """What was found wrong when the journal was opened, one sentence each, for the operator."""

    def tables(self) -> tuple[str, ...]:
        """Return the names of all tables, in the order in which they were created."""

    def claim(self, table: str) -> None:
        """Create the table if it is new, and become its owner; the previous owner can no longer write to it."""

    def read(self, table: str) -> Reading:
        """Read a whole table and check its chain."""

    def newest(self, table: str) -> Entry | None:
        """Return a table's last entry without checking it; None if there is none."""

    def part(self, table: str, after: int, most: int) -> tuple[Entry, ...]:
        """Return up to `most` entries numbered above `after`, without checking their chain."""

    def open_reader(self) -> "Store":
        """Open the same journal again for reading only; the owner does not wait for the reader."""

    def append(self, entries: Sequence[Entry]) -> None:
        """Write entries of any number of claimed tables to disk, all or none of them."""

    def give_up(self) -> None:
        """Stop waiting for a database that does not answer: operations in progress fail. Any thread may call this."""

    def close(self) -> None:
        """Release everything; closing twice is harmless."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def public_name(url: str) -> str:
    """Return a journal's address without the user and password of a database.

    >>> public_name("pitboss.db")
    'pitboss.db'
    """
    if _scheme(url) not in POSTGRES:
        return url
    from pitboss.store.postgres import read_address

    return read_address(url).place


def open_store(url: str, *, read_only: bool = False, patience: float = PATIENCE, witness: Path | None = None) -> Store:
    """Open a journal: an SQLite file, which is created if it is new, or ``postgresql://user@host/database``.

    A read-only journal may be open elsewhere; it takes no lock and changes nothing. `patience` is the number of seconds
    to wait for a database that becomes unreachable or locked while the journal is open for writing. `witness` is a file
    that records where the tables of a PostgreSQL journal ended; a journal in SQLite has its own.

    >>> import tempfile, pathlib
    >>> from pitboss.store import Chain
    >>> with tempfile.TemporaryDirectory() as folder, open_store(str(pathlib.Path(folder, "pitboss.db"))) as store:
    ...     store.claim("T-1")
    ...     chain = Chain("T-1", store.read("T-1").head)
    ...     store.append([chain.append(b"the deck"), chain.append(b"fold", seals=True)])
    ...     store.read("T-1").head == chain.head, [entry.body for entry in store.read("T-1").entries]
    (True, [b'the deck', b'fold'])
    """
    # The driver of a database is imported only if it is used.
    scheme = _scheme(url)
    if witness is not None and scheme not in POSTGRES:
        raise StoreError("witness: only a journal in PostgreSQL needs one; a journal in SQLite has its own")
    if not scheme:
        from pitboss.store.sqlite import open_sqlite

        return open_sqlite(url, read_only=read_only, patience=patience)
    if scheme in POSTGRES:
        from pitboss.store.postgres import open_postgres

        return open_postgres(url, read_only=read_only, patience=patience, witness=witness)
    raise StoreError(f"expected the path of a file or postgresql://user@host/database, got {scheme}://…")


def _scheme(url: str) -> str:
    found = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://", url)
    return found[1] if found is not None else ""


class Writer:
    """Writes entries in the order they were put, in batches of all that have arrived while the disk was busy.

    From ``start`` to the end of ``close`` only the writer's thread uses the store and runs the callbacks: ``on_commit``
    with the entries that are on disk now, ``on_failure`` once, with the error that ended the writing.
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
        # entries; a table to claim before the entries that follow; or None: write the rest, then stop
        self._waiting: SimpleQueue[Sequence[Entry] | str | None] = SimpleQueue()
        self._claims: list[str] = []  # tables to claim before the next batch
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._closed = False
        self._failed = False

    def start(self) -> None:
        """Start writing."""
        self._thread.start()

    def put(self, entries: Sequence[Entry]) -> None:
        """Add entries to be written together or not at all, and return at once.

        After a failure they are dropped: they are neither written nor reported.
        """
        if self._closed:
            raise WriterClosed("the writer is closed: no more entries can be put")
        if entries and not self._failed:
            self._waiting.put(entries)

    def claim(self, table: str) -> None:
        """Create and own a new table before the entries that are put from now on, and return at once."""
        if self._closed:
            raise WriterClosed("the writer is closed: no more tables can be claimed")
        if not self._failed:
            self._waiting.put(table)

    def close(self) -> None:
        """Write the remaining entries, then stop, without a long wait for a silent store; closing twice is harmless."""
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
        """Write a batch to disk and call back; return whether that succeeded."""
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
        """Wait for entries, take all there are, and return whether more may come."""
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
