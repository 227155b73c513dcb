"""The journal: append-only opaque bytes in a hash chain, kept in SQLite or in PostgreSQL behind one interface."""

from pitboss.errors import show_by_public_name
from pitboss.store.chain import Chain, Entry, Head, Reading, link, read_chain, start
from pitboss.store.errors import Fenced, InUse, StoreError, WriterClosed
from pitboss.store.store import Store, open_store
from pitboss.store.writer import Writer

__all__ = [
    "Chain",
    "Entry",
    "Fenced",
    "Head",
    "InUse",
    "Reading",
    "Store",
    "StoreError",
    "Writer",
    "WriterClosed",
    "link",
    "open_store",
    "read_chain",
    "start",
]

show_by_public_name(__name__, globals(), __all__)
