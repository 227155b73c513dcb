"""The journal in PostgreSQL: many processes share a database, and each table has one owner at a time.

An owner holds a lock on each of its tables for as long as its connection lives, and its epoch stands in the table's
row: should it lose the connection without noticing, its next entry is refused. The driver, psycopg, is loaded only when
a PostgreSQL journal is opened.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar

from pitboss.store.errors import Fenced, InUse, StoreError
from pitboss.store.sql import VERSION, Claim, Row, SqlStore, Transaction

if TYPE_CHECKING:
    import psycopg

T = TypeVar("T")

GRACE = 2.0
"""How many seconds a claim waits for the table's owner: a server needs a moment to notice that a process has died."""

_CONNECT_SECONDS = 10
_NAMED = ("host", "port", "dbname")
_MAKING = 0x5069_7442  # the lock of whoever makes the layout

_LAYOUT = (
    "CREATE TABLE IF NOT EXISTS pitboss_version (version INTEGER NOT NULL)",
    """CREATE TABLE IF NOT EXISTS pitboss_table (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name TEXT NOT NULL UNIQUE, epoch BIGINT NOT NULL,
    seq BIGINT NOT NULL, hash BYTEA NOT NULL, sealed BIGINT NOT NULL, seal BYTEA NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS pitboss_entry (
    table_id BIGINT NOT NULL, seq BIGINT NOT NULL CHECK (seq > 0), after BIGINT NOT NULL, seals SMALLINT NOT NULL,
    body BYTEA NOT NULL, hash BYTEA NOT NULL, UNIQUE (table_id, seq))""",
)

# Only the owner's epoch at the recorded end moves it: this is both the check and the step.
_MOVE = """UPDATE pitboss_table SET seq = step.seq, hash = step.hash, sealed = step.sealed, seal = step.seal
FROM unnest(%b::bigint[], %b::bigint[], %b::bigint[], %b::bigint[], %b::bytea[], %b::bigint[], %b::bytea[])
    AS step (id, epoch, "end", seq, hash, sealed, seal)
WHERE pitboss_table.id = step.id AND pitboss_table.epoch = step.epoch AND pitboss_table.seq = step.end"""
_WRITE = """INSERT INTO pitboss_entry (table_id, seq, after, seals, body, hash)
SELECT * FROM unnest(%b::bigint[], %b::bigint[], %b::bigint[], %b::smallint[], %b::bytea[], %b::bytea[])"""

# A commit waits for the disk, whatever the server's default; and the server asks a silent owner whether it is still
# there, so that a machine that lost its power gives its tables back after half a minute instead of two hours.
_SETTINGS = (
    "SET synchronous_commit TO on",
    "SET tcp_keepalives_idle TO 15",
    "SET tcp_keepalives_interval TO 5",
    "SET tcp_keepalives_count TO 3",
)


def open_postgres(url: str, *, read_only: bool = False) -> SqlStore:
    """Open the journal in a PostgreSQL database; its tables are made if new, unless it is only to be read."""
    try:
        import psycopg
    except ImportError:
        raise StoreError("PostgreSQL needs the package psycopg: run pip install 'pitboss[postgres]'") from None
    address = _read_address(url)
    place = _place(address)
    try:
        connection = psycopg.connect(
            url, autocommit=True, connect_timeout=_CONNECT_SECONDS, application_name="pitboss", client_encoding="utf8"
        )
    except psycopg.Error as error:
        reason = _first_line(error).rpartition("failed: ")[2]
        if password := str(address.get("password") or ""):
            reason = reason.replace(password, "…")
        raise StoreError(f"{place} does not answer ({reason}): start the server, or correct the address") from None
    return PostgresStore(connection, place, read_only=read_only)


class PostgresStore(SqlStore):
    """A journal in a database that others may use too."""

    def __init__(self, connection: "psycopg.Connection[tuple[Any, ...]]", place: str, *, read_only: bool) -> None:
        super().__init__(place, read_only=read_only)
        self.connection = connection
        try:
            with self._explained():
                for setting in _SETTINGS:
                    connection.execute(setting)
            if not read_only:
                self._change(self._prepare)
            self._journal = self._look(self._identify)
        except BaseException:
            self._release()
            raise

    def _prepare(self, transaction: Transaction) -> None:
        transaction.run("SELECT pg_advisory_xact_lock(?)", _MAKING)
        if transaction.rows("SELECT to_regclass('pitboss_version')") == [(None,)]:
            for statement in _LAYOUT:
                transaction.run(statement)
            transaction.run("INSERT INTO pitboss_version VALUES (?)", VERSION)

    def _identify(self, transaction: Transaction) -> int:
        """Check the layout's version and return the number by which the database knows this journal."""
        ((number,),) = transaction.rows("SELECT to_regclass('pitboss_version')::oid::bigint")
        if number is None:
            raise StoreError(f"{self._place} holds no journal yet: give the database of an arena that has run")
        version = max((found for (found,) in transaction.rows("SELECT version FROM pitboss_version")), default=0)
        if version > VERSION:
            raise StoreError(
                f"{self._place} was written by a newer pitboss (journal version {version}, this one knows {VERSION}): "
                "update pitboss"
            )
        return int(number)

    def _look(self, work: Callable[[Transaction], T]) -> T:
        with self._transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"):
            return work(_PostgresTransaction(self.connection))

    def _change(self, work: Callable[[Transaction], T]) -> T:
        with self._transaction("BEGIN"):
            return work(_PostgresTransaction(self.connection))

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        import psycopg

        with self._explained():
            self.connection.execute(begin)
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                with suppress(psycopg.Error):  # what went wrong first is what is raised
                    self.connection.execute("ROLLBACK")
                raise

    def _write(self, rows: Sequence[Row], claims: Mapping[str, Claim]) -> bool:
        ends = {row.table_id: (row.epoch, row.end) for row in reversed(rows)}  # the first row of each table
        steps = [
            (claim.id, *ends[claim.id], head.seq, head.hash, head.sealed, head.seal)
            for claim in claims.values()
            for head in [claim.head]
        ]
        entries = [(row.table_id, row.seq, row.after, int(row.seals), row.body, row.hash) for row in rows]
        try:
            with self._transaction("BEGIN"):
                moved = self.connection.execute(_MOVE, [list(column) for column in zip(*steps, strict=True)])
                if moved.rowcount != len(steps):
                    raise Fenced("a table has another owner")
                self.connection.execute(_WRITE, [list(column) for column in zip(*entries, strict=True)])
        except Fenced:
            return False
        return True

    def _own(self, table: str) -> None:
        """Lock the table for as long as this connection lives."""
        import psycopg

        if table in self._claims:
            return
        key = int.from_bytes(sha256(f"{self._journal} {table}".encode()).digest()[:8], signed=True)
        try:
            self._change(lambda transaction: self._wait_for(transaction, key))
        except StoreError as error:
            if isinstance(error.__cause__, psycopg.errors.LockNotAvailable | psycopg.errors.DeadlockDetected):
                raise InUse(
                    f"table {table} in {self._place} is in use by another process: stop that one, "
                    "or give this one a database of its own"
                ) from None
            raise

    def _wait_for(self, transaction: Transaction, key: int) -> None:
        transaction.run(f"SET LOCAL lock_timeout = {round(GRACE * 1000)}")
        transaction.run("SELECT pg_advisory_lock(?)", key)

    def _release(self) -> None:
        self.connection.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Tell what PostgreSQL complains about in a sentence that says what to do."""
        import psycopg

        try:
            yield
        except psycopg.errors.UniqueViolation as error:
            raise Fenced(_first_line(error)) from error
        except psycopg.Error as error:
            reason = _first_line(error)
            if self.connection.closed:
                sentence = f"the connection to {self._place} is lost ({reason}): look after the server and start again"
            else:
                sentence = f"{self._place} refuses ({reason}): look after the server, or give another database"
            raise StoreError(sentence) from error


class _PostgresTransaction:
    """A transaction on a connection."""

    def __init__(self, connection: "psycopg.Connection[tuple[Any, ...]]") -> None:
        self._connection = connection

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(_translated(sql), values, binary=True).fetchall()

    def run(self, sql: str, *values: object) -> None:
        self._connection.execute(_translated(sql), values)


def _translated(sql: str) -> str:
    """Write values as psycopg wants them."""
    return sql.replace("?", "%s")


def _read_address(url: str) -> dict[str, Any]:
    """Take an address apart; what is not clearly an address is not repeated, because it may be part of a password."""
    from psycopg import Error
    from psycopg.conninfo import conninfo_to_dict

    try:
        address = conninfo_to_dict(url)
    except Error:
        address = {"port": "unreadable"}
    host, port, name = (str(address.get(key) or "") for key in _NAMED)
    if "@" in host + name or re.fullmatch(r"[0-9,]*", port) is None:
        raise StoreError(
            "the database's address cannot be read: write it as postgresql://user:password@host:port/database, "
            "with %40 for @, %3A for :, %2F for / and %25 for % in the password"
        )
    return address


def _place(address: dict[str, Any]) -> str:
    """Name a database without its user and password."""
    host, port, name = (str(address.get(key) or "") for key in _NAMED)
    return f"postgresql://{host}{':' if port else ''}{port}/{name}"


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].strip()
