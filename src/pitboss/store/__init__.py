"""The journal: append-only entries of opaque bytes in a hash chain, in SQLite or PostgreSQL behind one interface."""

from pitboss.errors import show_by_public_name
from pitboss.store.chain import (
    Chain,
    DatabaseUnavailable,
    Entry,
    Fenced,
    Head,
    InUse,
    LostEntries,
    Reading,
    StoreError,
    WriterClosed,
    entry_hash,
    read_chain,
    start_hash,
)
from pitboss.store.store import Store, Writer, open_store, public_name

__all__ = [
    "Chain",
    "DatabaseUnavailable",
    "Entry",
    "Fenced",
    "Head",
    "InUse",
    "LostEntries",
    "Reading",
    "Store",
    "StoreError",
    "Writer",
    "WriterClosed",
    "entry_hash",
    "open_store",
    "public_name",
    "read_chain",
    "start_hash",
]

show_by_public_name(__name__, globals(), __all__)
