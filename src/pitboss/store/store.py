"""The interface of a journal, a function that opens one, and a thread that writes to it."""

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
"""The default number of seconds to wait for a database that is unreachable, silent or locked while writing."""
LAST_WRITES = 3.0
"""The number of seconds that a closed writer waits for the remaining entries, if the store can stop waiting."""


class Store(Protocol):
    """A journal with many tables. A table has one owner at a time, and a chain of entries that only grows."""

    @property
    def notices(self) -> Sequence[str]:
        """One sentence for the operator about each problem that was found when the journal was opened."""

    def tables(self) -> tuple[str, ...]:
        """Return the names of all tables, in the order in which they were created."""

    def claim(self, table: str) -> None:
        """Become the owner of a table, and create it if needed. The previous owner can no longer write to it."""

    def read(self, table: str) -> Reading:
        """Read a whole table and check its chain."""

    def newest(self, table: str) -> Entry | None:
        """Return the last entry of a table without checking it, or None if the table has no entries."""

    def part(self, table: str, after: int, most: int) -> tuple[Entry, ...]:
        """Return the first entries with a number above `after`, up to `most` of them, without checking their chain."""

    def open_reader(self) -> "Store":
        """Open the same journal again for reading only. The owner never waits for a reader."""

    def append(self, entries: Sequence[Entry]) -> None:
        """Write entries of one or more owned tables to disk: all of them or none."""

    def give_up(self) -> None:
        """Stop waiting for a database that does not answer, so that operations fail. Any thread may call this."""

    def close(self) -> None:
        """Close the journal and release its locks. Closing it again has no effect."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def public_name(url: str) -> str:
    """Return the address of a journal without the user and password of a database.

    >>> public_name("pitboss.db")
    'pitboss.db'
    """
    if _scheme(url) not in POSTGRES:
        return url
    from pitboss.store.postgres import read_address

    return read_address(url).place


def open_store(url: str, *, read_only: bool = False, patience: float = PATIENCE, witness: Path | None = None) -> Store:
    """Open a journal: an SQLite file, which is created if it does not exist, or ``postgresql://user@host/database``.

    With `read_only`, the journal may be open elsewhere, no lock is taken, and nothing is changed. `patience` is the
    number of seconds to wait for a database that is unreachable or locked while writing. `witness` is a file with the
    last entry of each table; a PostgreSQL journal that has lost entries is detected with it. A journal in SQLite always
    has this file.

    >>> import tempfile, pathlib
    >>> from pitboss.store import Chain
    >>> with tempfile.TemporaryDirectory() as folder, open_store(str(pathlib.Path(folder, "pitboss.db"))) as store:
    ...     store.claim("T-1")
    ...     chain = Chain("T-1", store.read("T-1").head)
    ...     store.append([chain.append(b"the deck"), chain.append(b"fold", seals=True)])
    ...     store.read("T-1").head == chain.head, [entry.body for entry in store.read("T-1").entries]
    (True, [b'the deck', b'fold'])
    """
    # A driver is imported only if it is needed.
    scheme = _scheme(url)
    if witness is not None and scheme not in POSTGRES:
        raise StoreError("witness: expected a journal in PostgreSQL, because one in SQLite has its own")
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
    """Writes entries to a store in a separate thread. A batch has all entries that arrived during the last write.

    The store belongs to this thread from ``start`` to the end of ``close``. The thread calls ``on_commit`` with the
    entries of each batch that is on disk, and ``on_failure`` once, with the error that stopped it.
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
        # A list has entries to write. A text is a table to claim before the next entries. None stops the thread.
        self._waiting: SimpleQueue[Sequence[Entry] | str | None] = SimpleQueue()
        self._claims: list[str] = []  # tables to claim before the next batch
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._closed = False
        self._failed = False

    def start(self) -> None:
        """Start writing."""
        self._thread.start()

    def put(self, entries: Sequence[Entry]) -> None:
        """Add entries to be written together. This does not wait for the disk.

        After a failure, entries are dropped without a report.
        """
        if self._closed:
            raise WriterClosed("the writer is closed: put entries before closing it")
        if entries and not self._failed:
            self._waiting.put(entries)

    def claim(self, table: str) -> None:
        """Create and own a new table before the next entries are written. This does not wait for the disk."""
        if self._closed:
            raise WriterClosed("the writer is closed: claim tables before closing it")
        if not self._failed:
            self._waiting.put(table)

    def close(self) -> None:
        """Write the remaining entries and stop. Do not wait long for a silent store. Closing it again has no effect."""
        if not self._closed:
            self._closed = True
            self._waiting.put(None)
            if self._thread.ident is None:
                self.start()
        if (
            self._thread is not threading.current_thread()
        ):  # a callback may close the writer, but a thread cannot wait for itself
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
        """Write a batch to disk and call `on_commit`. Return False after an error."""
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
        """Wait for entries and return all that have arrived. The second value is False if the writer is closed."""
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
