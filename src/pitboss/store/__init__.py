"""The journal: append-only opaque bytes in a hash chain, kept in SQLite or in PostgreSQL behind one interface."""

from pitboss.store.chain import Chain, Entry, Head, Reading, link, read_chain, start
from pitboss.store.errors import Fenced, InUse, StoreError
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
    "link",
    "open_store",
    "read_chain",
    "start",
]
