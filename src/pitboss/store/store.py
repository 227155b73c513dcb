"""What every journal can do, whatever database keeps it, and the one function that opens it."""

import re
from collections.abc import Sequence
from types import TracebackType
from typing import Protocol, Self

from pitboss.store.chain import Entry, Reading
from pitboss.store.errors import StoreError


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

    def append(self, entries: Sequence[Entry]) -> None:
        """Write entries of any number of claimed tables to disk, all or none of them."""

    def close(self) -> None:
        """Give everything back; closing twice is harmless."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def open_store(url: str, *, read_only: bool = False) -> Store:
    """Open a journal: the path of an SQLite file, which is made if new, or ``postgresql://user@host/database``.

    Read-only, it may be open elsewhere, takes no lock and changes nothing.

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
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://", url)
    if scheme is None:
        from pitboss.store.sqlite import open_sqlite

        return open_sqlite(url, read_only=read_only)
    if scheme[1] in ("postgresql", "postgres"):
        from pitboss.store.postgres import open_postgres

        return open_postgres(url, read_only=read_only)
    raise StoreError(
        f"no journal can be kept at {scheme[1]}://…: give a file's path or postgresql://user@host/database"
    )
