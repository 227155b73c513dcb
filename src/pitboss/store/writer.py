"""The one thread that puts entries on disk: everything that waits goes into one transaction, then its owner is told."""

import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue

from pitboss.store.chain import Entry
from pitboss.store.errors import WriterClosed
from pitboss.store.store import Store

LAST_WRITES = 3.0
"""How many seconds a writer that is closed has for what was put, if the store can be made to give up."""


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
