"""The journal: append-only opaque bytes in a hash chain, kept in SQLite or in PostgreSQL behind one interface."""

from pitboss.errors import show_by_public_name
from pitboss.store.chain import Chain, Entry, Head, Reading, link, read_chain, start
from pitboss.store.errors import EndLost, Fenced, InUse, NoAnswer, StoreError, WriterClosed
from pitboss.store.store import Store, open_store, public_name
from pitboss.store.writer import Writer

__all__ = [
    "Chain",
    "EndLost",
    "Entry",
    "Fenced",
    "Head",
    "InUse",
    "NoAnswer",
    "Reading",
    "Store",
    "StoreError",
    "Writer",
    "WriterClosed",
    "link",
    "open_store",
    "public_name",
    "read_chain",
    "start",
]

show_by_public_name(__name__, globals(), __all__)
