"""The place of a test's journal, and direct access to it past the store."""

import itertools
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

from pitboss.store import Chain, Entry, Store, open_store

_numbers = itertools.count(1)


class Place(Protocol):
    """An address for `open_store`, and a way to alter the stored data."""

    @property
    def url(self) -> str:
        """The address to open."""

    def alter(self, sql: str, *values: object) -> int:
        """Run a statement over a separate connection and return how many rows it changed."""


class SqlitePlace:
    """A file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.url = str(path)

    def alter(self, sql: str, *values: object) -> int:
        """Run a statement over a separate connection and return how many rows it changed."""
        with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            return connection.execute(sql, values).rowcount

    def files(self) -> dict[str, bytes]:
        """Return the files in the journal's folder."""
        return {file.name: file.read_bytes() for file in self.path.parent.iterdir()}


class PostgresPlace:
    """A separate schema in a running server."""

    def __init__(self, url: str) -> None:
        self.url = url

    @classmethod
    def new(cls, server: str) -> "PostgresPlace":
        """Make a schema that no other test uses."""
        schema = f"test_{os.getpid()}_{next(_numbers)}"
        place = cls(f"{server}&options={quote(f'-csearch_path={schema}', safe='')}")
        place.alter(f"CREATE SCHEMA {schema}")
        return place

    def alter(self, sql: str, *values: object) -> int:
        """Run a statement over a separate connection and return how many rows it changed."""
        return self._run(sql, values)[0]

    def ask(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a query over a separate connection."""
        return self._run(sql, values)[1]

    def _run(self, sql: str, values: Sequence[object]) -> tuple[int, list[tuple[Any, ...]]]:
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            done = connection.execute(sql.replace("?", "%s"), values)
            return done.rowcount, done.fetchall() if done.description else []


def fresh_chain(store: Store, table: str = "T-1") -> Chain:
    """Claim a table and return its chain, at its end."""
    store.claim(table)
    return Chain(table, store.read(table).head)


def filled(place: Place, bodies: Sequence[bytes], *, sealed: int = 0, table: str = "T-1") -> list[Entry]:
    """Write a journal with one table, finished up to an entry, and close it."""
    with open_store(place.url) as store:
        chain = fresh_chain(store, table)
        entries = [chain.append(body, seals=seq == sealed) for seq, body in enumerate(bodies, chain.head.seq + 1)]
        store.append(entries)
    return entries
