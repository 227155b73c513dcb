"""The journal: append-only opaque bytes in a hash chain, kept in SQLite or in PostgreSQL behind one interface."""

from pitboss.errors import show_by_public_name
from pitboss.store.chain import (
    Chain,
    EndLost,
    Entry,
    Fenced,
    Head,
    InUse,
    NoAnswer,
    Reading,
    StoreError,
    WriterClosed,
    link,
    read_chain,
    start,
)
from pitboss.store.store import Store, Writer, open_store, public_name

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
