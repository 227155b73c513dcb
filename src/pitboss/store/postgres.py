"""The journal in PostgreSQL. Many processes share a database, and each table has one owner at a time.

The owner holds a lock on each of its tables while its connection lives. Its epoch is in the table's row, so if it loses
the connection without noticing, its next entry is refused. If the connection is lost or the server does not answer, the
owner reconnects for as long as its patience lasts and compares the end of each table with its own: that shows whether
the last entries were committed. The driver, psycopg, is imported only when a PostgreSQL journal is opened.
"""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from pitboss.extras import install_command
from pitboss.store.chain import DatabaseUnavailable, Fenced, Head, InUse, LostEntries, StoreError
from pitboss.store.files import DAMAGED, OwnedFile, Witness, WitnessReading, new_journal_id, read_witness
from pitboss.store.sql import VERSION, Claim, Row, SqlStore, Transaction

if TYPE_CHECKING:
    import psycopg

    from pitboss.store.response_timeout import WatchedConnection

T = TypeVar("T")

log = logging.getLogger("pitboss.store")

GRACE = 2.0
"""The number of seconds that a claim waits for the previous owner. A server takes a moment to notice a dead process."""
SILENCE = 10.0
"""The number of seconds without an answer after which a connection is closed."""
LOCKED = 5.0
"""The number of seconds that a statement waits for a lock on the journal's rows or tables."""
CONNECTING = 4
"""The number of seconds that a server has to accept a connection."""
PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0)
"""The seconds between attempts. The last number is repeated."""

_NAMED = ("host", "port", "dbname")
_MAKING = 0x5069_7442  # the lock that is held while the tables are created

_LAYOUT = (
    "CREATE TABLE IF NOT EXISTS pitboss_version (version INTEGER NOT NULL)",
    """CREATE TABLE IF NOT EXISTS pitboss_table (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name TEXT NOT NULL UNIQUE, epoch BIGINT NOT NULL,
    seq BIGINT NOT NULL, hash BYTEA NOT NULL, sealed BIGINT NOT NULL, seal BYTEA NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS pitboss_entry (
    table_id BIGINT NOT NULL, seq BIGINT NOT NULL CHECK (seq > 0), after BIGINT NOT NULL, seals SMALLINT NOT NULL,
    body BYTEA NOT NULL, hash BYTEA NOT NULL, UNIQUE (table_id, seq))""",
)

# The condition fails if the epoch or end of the table has changed, so this is the check and the update in one.
_MOVE = """UPDATE pitboss_table SET seq = step.seq, hash = step.hash, sealed = step.sealed, seal = step.seal
FROM unnest(%b::bigint[], %b::bigint[], %b::bigint[], %b::bigint[], %b::bytea[], %b::bigint[], %b::bytea[])
    AS step (id, epoch, "end", seq, hash, sealed, seal)
WHERE pitboss_table.id = step.id AND pitboss_table.epoch = step.epoch AND pitboss_table.seq = step.end"""
_WRITE = """INSERT INTO pitboss_entry (table_id, seq, after, seals, body, hash)
SELECT * FROM unnest(%b::bigint[], %b::bigint[], %b::bigint[], %b::smallint[], %b::bytea[], %b::bytea[])"""

# `synchronous_commit` makes a commit wait for the disk, whatever the server's default is. With the keepalives, the
# server notices a dead owner after half a minute instead of two hours, and frees its tables.
_SETTINGS = (
    "SET synchronous_commit TO on",
    "SET tcp_keepalives_idle TO 15",
    "SET tcp_keepalives_interval TO 5",
    "SET tcp_keepalives_count TO 3",
)
_BACKEND = "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
_END_BACKEND = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ? AND backend_start = ?"
# This changes nothing. Its commit returns only when all earlier commits are on disk.
_CONFIRM = "UPDATE pitboss_table SET epoch = epoch WHERE name = ?"


def open_postgres(url: str, *, patience: float, read_only: bool = False, witness: Path | None = None) -> SqlStore:
    """Open the journal in a PostgreSQL database. Its tables are created if needed, unless `read_only` is set."""
    try:
        import psycopg  # noqa: F401  # checks that it is installed
    except ImportError:
        raise StoreError(f"PostgreSQL needs psycopg: {install_command('postgres')}") from None
    return PostgresStore(read_address(url), read_only=read_only, patience=patience, witness=witness)


class Address(Struct, frozen=True):
    """The address of a database, its name without secrets, and the password."""

    url: str
    place: str
    password: str
    target: str  #: the kind of server that the address requires; empty if it requires none

    def hide(self, text: str) -> str:
        """Return the text with the password removed."""
        return text.replace(self.password, "…") if self.password else text


class PostgresStore(SqlStore):
    """A journal in a PostgreSQL database, which other programs may also use."""

    def __init__(self, address: Address, *, read_only: bool, patience: float, witness: Path | None = None) -> None:
        super().__init__(address.place, read_only=read_only)
        self._address = address
        self._patience = patience
        self._given_up = threading.Event()
        self._second: Witness | None = None
        self._second_owned: OwnedFile | None = None
        self._backend: tuple[Any, ...] = ()  # the server process of the connection, and its start time
        self.connection = self._connect()
        try:
            self._begin()
            if not read_only:
                self._change(self._prepare)
            self._journal = self._look(self._identify)
            if witness is not None:
                self._call_witness(witness)
        except BaseException:
            self._release()
            raise

    def open_reader(self) -> SqlStore:
        """Open the same journal again for reading only. The owner never waits for a reader."""
        return PostgresStore(self._address, read_only=True, patience=self._patience)

    def give_up(self) -> None:
        """Stop waiting for the server, so that operations in progress fail."""
        self._given_up.set()

    def _connect(self) -> "WatchedConnection":
        import psycopg

        from pitboss.store.response_timeout import ResponseWatch, WatchedConnection

        address = self._address
        wanted = (
            "any" if self._read_only else "read-write"
        )  # if the address has several servers, an owner needs the one that accepts writes
        try:
            connection = WatchedConnection.connect(
                address.url,
                autocommit=True,
                connect_timeout=CONNECTING,
                application_name="pitboss",
                client_encoding="utf8",
                target_session_attrs=address.target or wanted,
            )
        except psycopg.Error as error:
            reason = address.hide(_first_line(error).rpartition("failed: ")[2])
            sentence = f"{self._place} does not answer ({reason}): start the server, or correct the address"
            raise DatabaseUnavailable(sentence) from None
        connection.watch = ResponseWatch(self._place, SILENCE, self._given_up)
        return connection

    def _begin(self) -> None:
        """Configure a new connection."""
        with self._explained():
            for setting in (*_SETTINGS, f"SET lock_timeout TO {round(LOCKED * 1000)}"):
                self.connection.execute(setting)
            self._backend = self.connection.execute(_BACKEND).fetchall()[0]

    def _prepare(self, transaction: Transaction) -> None:
        transaction.run("SELECT pg_advisory_xact_lock(?)", _MAKING)
        if transaction.rows("SELECT to_regclass('pitboss_version')") == [(None,)]:
            for statement in _LAYOUT:
                transaction.run(statement)
            transaction.run("INSERT INTO pitboss_version VALUES (?)", VERSION)

    def _identify(self, transaction: Transaction) -> int:
        """Check the version of the layout. Return the number of this journal in the database."""
        ((number,),) = transaction.rows("SELECT to_regclass('pitboss_version')::oid::bigint")
        if number is None:
            raise StoreError(f"{self._place} has no journal yet: give the database of an arena that has run")
        version = max((found for (found,) in transaction.rows("SELECT version FROM pitboss_version")), default=0)
        if version > VERSION:
            raise StoreError(
                f"{self._place} was written by a newer pitboss (journal version {version}, this one reads up to "
                f"{VERSION}): update pitboss"
            )
        return int(number)

    def _call_witness(self, path: Path) -> None:
        """Read the heads in a witness file, and continue to write it."""
        with _explain_witness_errors(path):
            self._second_owned = OwnedFile(path.with_name(path.name + "-lock"))
            testimony = read_witness(path)
        name = self._change(_witness_name)
        if testimony is None:
            if self._look(lambda transaction: transaction.rows("SELECT 1 FROM pitboss_table LIMIT 1")):
                self.notices.append(f"{path} is new, so earlier losses of entries cannot be detected")
            testimony = WitnessReading(name)
        if testimony.damage:
            self.notices.append(f"{DAMAGED}: in {path} {testimony.damage}; the readable part is used")
        if testimony.journal and name and testimony.journal != name:
            raise StoreError(f"{path} is the witness of another journal: give another file, or remove it")
        if not name:
            name = testimony.journal or new_journal_id()
            self._change(lambda transaction: transaction.run("INSERT INTO pitboss_witness VALUES (?)", name))
        with _explain_witness_errors(path):
            self._second = Witness(path, name, testimony.heads)
        self._witnessed = self._second.heads

    def _witness(self, heads: Mapping[str, Head]) -> None:
        known = self._witnessed
        news = {table: head for table, head in heads.items() if head != known.get(table) and head.seq}
        if news and self._second is not None:
            with _explain_witness_errors(self._second.path):
                self._second.write(news)

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
                with suppress(psycopg.Error):  # raise the first error, not one from the rollback
                    self.connection.execute("ROLLBACK")
                raise

    def _write(self, rows: Sequence[Row], claims: Mapping[str, Claim]) -> bool:
        try:
            return self._write_once(rows, claims)
        except DatabaseUnavailable as error:
            return self._write_again(rows, claims, error)

    def _write_once(self, rows: Sequence[Row], claims: Mapping[str, Claim]) -> bool:
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

    # --- a server that was unreachable or silent

    def _write_again(self, rows: Sequence[Row], claims: Mapping[str, Claim], error: StoreError) -> bool:
        """Connect again, and write entries until they are on disk. The lost connection may have written them."""
        began, said, tries = time.monotonic(), 0.0, 0
        while True:
            lasted = time.monotonic() - began
            if self._given_up.is_set() or lasted >= self._patience:
                raise self._lost_patience(lasted, error, len(rows))
            if not tries or lasted >= said + 10:
                said = lasted
                log.warning("%s; trying for %.0f s more", error, self._patience - lasted)
            try:
                written = self._take_up_again(claims)
                done = written or self._write_once(rows, claims)
                how = f"entries in progress: {len(rows)}, {'already written' if written else 'written now'}"
                log.warning("%s is back after %.1f s (%s)", self._place, time.monotonic() - began, how)
                return done
            except (DatabaseUnavailable, InUse) as again:
                error = again
            rest = began + self._patience - time.monotonic()
            self._given_up.wait(max(0.0, min(PAUSES[min(tries, len(PAUSES) - 1)], rest)))
            tries += 1

    def _lost_patience(self, lasted: float, error: StoreError, entries: int) -> DatabaseUnavailable:
        when = "until this was stopped" if self._given_up.is_set() else f"for {lasted:.0f} s"
        return DatabaseUnavailable(
            f"{error}, and start again. It did not answer {when}, so the last {entries} entries may be "
            "missing in the journal; no player received them"
        )

    def _take_up_again(self, claims: Mapping[str, Claim]) -> bool:
        """Connect again and own all tables. Return whether the entries in progress are already written."""
        self.connection.close()
        self.connection = self._connect()
        former = self._backend
        self._begin()
        with self._explained():  # the old connection may still be active and hold our locks
            _PostgresTransaction(self.connection).rows(_END_BACKEND, *former)
        self._journal = self._look(self._identify)
        self._compare(
            self._look(self._find_all), claims
        )  # raises an error early if another process has taken over a table
        for table in self._claims:
            self._lock_table(table)
        return self._compare(self._change(self._confirm), claims)

    def _find_all(self, transaction: Transaction) -> dict[str, Claim | None]:
        return {table: self._find(transaction, table) for table in self._claims}

    def _confirm(self, transaction: Transaction) -> dict[str, Claim | None]:
        for table in self._claims:
            transaction.run(_CONFIRM, table)
        return self._find_all(transaction)

    def _compare(self, found: Mapping[str, Claim | None], claims: Mapping[str, Claim]) -> bool:
        """Return whether the entries in progress are written. Raise an error if another process owns a table."""
        lost: list[str] = []
        written: set[bool] = set()
        for table, mine in self._claims.items():
            now, then = found[table], claims.get(table, mine)
            if now is not None and now.epoch > mine.epoch:
                raise self._taken_over(table)
            if now is not None and now.epoch == mine.epoch and now.head in (mine.head, then.head):
                if table in claims:
                    written.add(now.head == then.head)
            else:
                end = f"entry {now.head.seq}" if now is not None and now.head.seq else "nothing"
                lost.append(f"{table} ends with {end}, but players received everything up to entry {mine.head.seq}")
        if lost:
            raise LostEntries(
                f"{self._place} came back WITHOUT ITS END: {'; '.join(lost[:5])}{'; …' if lost[5:] else ''}. "
                "Start the server that has these entries, and start again; nothing was written to this one"
            )
        if len(written) > 1:
            raise StoreError(f"{self._place} has only a part of the last write: restore the journal from a copy")
        return written == {True}

    def _own(self, table: str) -> None:
        """Lock the table until this connection ends."""
        if table not in self._claims:
            self._lock_table(table)

    def _lock_table(self, table: str) -> None:
        import psycopg

        key = int.from_bytes(sha256(f"{self._journal} {table}".encode()).digest()[:8], signed=True)
        try:
            self._change(lambda transaction: self._wait_for(transaction, key))
        except StoreError as error:
            if isinstance(error.__cause__, psycopg.errors.LockNotAvailable | psycopg.errors.DeadlockDetected):
                if table in self._claims:  # this process holds the lock on an earlier connection
                    raise InUse(
                        f"table {table} in {self._place} is still locked by an earlier connection of this process: "
                        "wait until the server ends it, or end it there"
                    ) from None
                raise InUse(
                    f"table {table} in {self._place} is in use by another process: stop that process, "
                    "or give this one another database"
                ) from None
            raise

    def _wait_for(self, transaction: Transaction, key: int) -> None:
        transaction.run(f"SET LOCAL lock_timeout = {round(GRACE * 1000)}")
        transaction.run("SELECT pg_advisory_lock(?)", key)

    def _release(self) -> None:
        self.connection.close()
        for file in (self._second, self._second_owned):
            if file is not None:
                file.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Raise PostgreSQL's errors as `StoreError` with advice."""
        import psycopg

        try:
            yield
        except psycopg.errors.UniqueViolation as error:
            raise Fenced(_first_line(error)) from error
        except psycopg.Error as error:
            reason = self._address.hide(_first_line(error))
            if self.connection.closed:
                sentence = f"the connection to {self._place} is lost ({reason}): check the server"
                raise DatabaseUnavailable(sentence) from error
            sentence = f"{self._place} refuses the operation ({reason}): check the server, or give another database"
            raise (DatabaseUnavailable if _passes(error) else StoreError)(sentence) from error


class _PostgresTransaction:
    """A transaction on a connection."""

    def __init__(self, connection: "psycopg.Connection[tuple[Any, ...]]") -> None:
        self._connection = connection

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(_translated(sql), values, binary=True).fetchall()

    def run(self, sql: str, *values: object) -> None:
        self._connection.execute(_translated(sql), values)


def _translated(sql: str) -> str:
    """Return SQL with the placeholders of psycopg."""
    return sql.replace("?", "%s")


@contextmanager
def _explain_witness_errors(path: Path) -> Iterator[None]:
    """Raise errors of the witness file as `StoreError` with advice."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise StoreError(f"the witness {path} cannot be read or written ({reason}): check the disk") from None


def _witness_name(transaction: Transaction) -> str:
    """Return the id that the journal shares with its witnesses, or an empty text if it has none yet."""
    transaction.run("SELECT pg_advisory_xact_lock(?)", _MAKING)
    transaction.run("CREATE TABLE IF NOT EXISTS pitboss_witness (journal TEXT NOT NULL)")
    return next((str(name) for (name,) in transaction.rows("SELECT journal FROM pitboss_witness")), "")


def _passes(error: "psycopg.Error") -> bool:
    """Return whether an operation may succeed if it is repeated after this error."""
    from psycopg import errors

    return isinstance(
        error,
        errors.LockNotAvailable
        | errors.QueryCanceled
        | errors.DeadlockDetected
        | errors.SerializationFailure
        | errors.ReadOnlySqlTransaction
        | errors.AdminShutdown
        | errors.CrashShutdown
        | errors.CannotConnectNow,
    )


def read_address(url: str) -> Address:
    """Parse an address. An error does not quote the address, because it may contain a part of a password."""
    from psycopg import Error
    from psycopg.conninfo import conninfo_to_dict

    try:
        address = conninfo_to_dict(url)
    except Error:
        address = {"port": "unreadable"}
    host, port, name = (str(address.get(key) or "") for key in _NAMED)
    if "@" in host + name or re.fullmatch(r"[0-9,]*", port) is None:
        raise StoreError(
            "the database's address cannot be read: expected postgresql://user:password@host:port/database, "
            "with %40 for @, %3A for :, %2F for / and %25 for % in the password"
        )
    place = f"postgresql://{host}{':' if port else ''}{port}/{name}"
    password, target = (str(address.get(key) or "") for key in ("password", "target_session_attrs"))
    return Address(url, place, password, target)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].strip()
