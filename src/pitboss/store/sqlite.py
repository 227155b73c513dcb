"""The journal in an SQLite file: safe against power failure, and owned by one process at a time.

A process that writes holds a lock on the file for as long as it lives; `files.py` knows about that.
"""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pitboss.store import files
from pitboss.store.chain import Fenced, Head, StoreError
from pitboss.store.files import DAMAGED, OwnedFile, Witness, WitnessReading, new_journal_id, read_witness, witness_of
from pitboss.store.sql import VERSION, Claim, Row, SqlStore, Transaction

T = TypeVar("T")

APPLICATION = 0x5069_7442  # "PitB": in the file's header, so that no other program's file is taken for a journal
PATIENCE = 5.0
"""How many seconds to wait for another program that holds the file for a moment."""

# Entries lie in the order they were written, and an index finds a table's: with many tables that takes a quarter of the
# processor time of keeping each table's entries together.
_LAYOUT = (
    """CREATE TABLE pitboss_table (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, epoch INTEGER NOT NULL,
    seq INTEGER NOT NULL, hash BLOB NOT NULL, sealed INTEGER NOT NULL, seal BLOB NOT NULL)""",
    """CREATE TABLE pitboss_entry (
    table_id INTEGER NOT NULL, seq INTEGER NOT NULL CHECK (seq > 0), after INTEGER NOT NULL, seals INTEGER NOT NULL,
    body BLOB NOT NULL, hash BLOB NOT NULL, UNIQUE (table_id, seq))""",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
)

# Whatever is inserted here moves its table's end, if epoch and end are right, and becomes an entry. So a batch is one
# statement: Python lets go of its lock once instead of once a row, and gets it back as seldom; beside a busy event loop
# each time may take milliseconds. A row without a table fills up the batch to a length that is prepared already.
_APPENDING = (
    """CREATE TEMP VIEW pitboss_append AS
    SELECT table_id, 0 AS epoch, 0 AS "end", seq, after, seals, body, hash FROM pitboss_entry""",
    """CREATE TEMP TRIGGER pitboss_appended INSTEAD OF INSERT ON pitboss_append WHEN NEW.table_id IS NOT NULL BEGIN
    UPDATE pitboss_table SET seq = NEW.seq, hash = NEW.hash,
        sealed = CASE WHEN NEW.seals THEN NEW.seq ELSE sealed END,
        seal = CASE WHEN NEW.seals THEN NEW.hash ELSE seal END
        WHERE id = NEW.table_id AND epoch = NEW.epoch AND seq = NEW."end";
    SELECT RAISE(ABORT, 'fenced') WHERE changes() = 0;
    INSERT INTO pitboss_entry (table_id, seq, after, seals, body, hash)
        VALUES (NEW.table_id, NEW.seq, NEW.after, NEW.seals, NEW.body, NEW.hash);
    END""",
)
_CLOSED = (errno.EACCES, errno.EPERM, errno.ENOENT, errno.EROFS)
_FIELDS = len(Row._fields)
_LONGEST = 512
"""The most rows in one statement."""


def open_sqlite(name: str, *, read_only: bool = False) -> SqlStore:
    """Open the journal in a file; a new file is made, unless it is only to be read."""
    path = _resolve(name, must_exist=read_only)
    return SqliteReader(path) if read_only else SqliteStore(path)


class SqliteStore(SqlStore):
    """A journal that this process alone may write."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self._path = path
        self._second: Witness | None = None
        with _explained(path):
            self._file = OwnedFile(path)
        try:
            with _explained(path):
                self.connection = _connect(path, "mode=rw")
        except BaseException:
            self._file.close()
            raise
        try:
            with _explained(path):
                _is_new(self.connection, path)  # before anything is changed of somebody else's file
                self.notices += self._file.narrow()
                self._prepare()
                self._file.watch(path.with_name(path.name + "-wal"))
                if files.LOCKABLE:  # elsewhere there is none
                    self._file.watch(path.with_name(path.name + "-shm"))
        except BaseException:
            self._release()
            raise

    def open_reader(self) -> SqlStore:
        """Open the same journal once more, for reading alone: its owner does not wait for who reads there."""
        return SqliteReader(self._path)

    def _prepare(self) -> None:
        if not files.LOCKABLE:
            self.connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # nobody can read then until the owner is gone
        ((mode,),) = self.connection.execute("PRAGMA journal_mode = WAL")
        if mode != "wal":  # it may answer so instead of saying what is wrong
            raise StoreError(
                f"{self._path} cannot be written ahead (SQLite stays in mode {mode}): look after the disk, or give a "
                "file on another one"
            )
        self.connection.execute("PRAGMA synchronous = FULL")
        testimony = read_witness(witness_of(self._path))
        if _is_new(self.connection, self._path):
            _check_no_loss(self._path, testimony)
            with _transaction(self.connection, "BEGIN IMMEDIATE"):
                for statement in _LAYOUT:
                    self.connection.execute(statement)
        self._second = self._call_witness(testimony)
        self._witnessed = self._second.heads
        for statement in _APPENDING:
            self.connection.execute(statement)

    def _call_witness(self, testimony: WitnessReading | None) -> Witness:
        """Take the witness as it was found, or a new one where that cannot be believed; says so where it is another."""
        path = witness_of(self._path)
        journal = _known_id(lambda sql: self.connection.execute(sql).fetchall())
        doubts = _witness_problems(path, journal, testimony)
        self.notices += doubts
        if doubts and testimony is not None:
            os.replace(path, path.with_name(path.name + "-aside"))
        if testimony is None or (journal and testimony.journal and testimony.journal != journal):
            testimony = WitnessReading()
        name = journal or testimony.journal or new_journal_id()
        witness = Witness(path, name, testimony.heads)
        if journal != name:
            with _transaction(self.connection, "BEGIN IMMEDIATE"):
                self.connection.execute("CREATE TABLE IF NOT EXISTS pitboss_witness (journal TEXT NOT NULL)")
                self.connection.execute("INSERT INTO pitboss_witness VALUES (?)", (name,))
        return witness

    def _look(self, work: Callable[[Transaction], T]) -> T:
        with _explained(self._path), _transaction(self.connection, "BEGIN"):
            return work(_SqliteTransaction(self.connection))

    def _change(self, work: Callable[[Transaction], T]) -> T:
        with _explained(self._path), _transaction(self.connection, "BEGIN IMMEDIATE"):
            return work(_SqliteTransaction(self.connection))

    def _write(self, rows: Sequence[Row], claims: Mapping[str, Claim]) -> bool:
        try:
            with _explained(self._path):
                if len(rows) <= _LONGEST:
                    self.connection.execute(*_statement(rows))  # a statement alone is a transaction
                    return True
                with _transaction(self.connection, "BEGIN IMMEDIATE"):
                    for first in range(0, len(rows), _LONGEST):
                        self.connection.execute(*_statement(rows[first : first + _LONGEST]))
        except Fenced:
            return False
        return True

    def _own(self, table: str) -> None:
        """The whole file is this process's."""

    def _release(self) -> None:
        with suppress(sqlite3.Error):
            self.connection.close()
        if self._second is not None:
            self._second.close()
        self._file.close()  # last: to close it gives up SQLite's own locks too

    def _witness(self, heads: Mapping[str, Head]) -> None:
        known = self._witnessed
        news = {table: head for table, head in heads.items() if head != known.get(table) and head.seq}
        if news:
            assert self._second is not None, "an open journal has its witness"
            with _explained(self._path):
                self._file.check()
                self._second.write(news)


class SqliteReader(SqlStore):
    """A journal that is only looked at, while its owner lives or after: it takes no lock and leaves no file behind."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), read_only=True)
        self._path = path
        with _explained(path):
            testimony = read_witness(witness_of(path))  # before the journal, which an owner writes first
        self._testimony = testimony
        journal = self._look(lambda transaction: _known_id(transaction.rows))  # raises what is wrong with the file
        self.notices += _witness_problems(witness_of(path), journal, testimony)
        if testimony is not None and testimony.journal in ("", journal):
            self._witnessed = testimony.heads

    def open_reader(self) -> SqlStore:
        """Open the same journal once more."""
        return SqliteReader(self._path)

    def _look(self, work: Callable[[Transaction], T]) -> T:
        while True:
            quiet = _signature(self._path)
            try:
                found = self._look_once(work, "mode=ro" if quiet is None else "mode=ro&immutable=1")
            except StoreError:
                if quiet is None or quiet == _signature(self._path):
                    raise
                continue
            if quiet is None or quiet == _signature(self._path):
                return found

    def _look_once(self, work: Callable[[Transaction], T], mode: str) -> T:
        with _explained(self._path), closing(_connect(self._path, mode)) as connection:
            if _is_new(connection, self._path):
                _check_no_loss(self._path, self._testimony)
                raise StoreError(f"{self._path} holds no journal yet: give the file of an arena that has run")
            with _transaction(connection, "BEGIN"):
                return work(_SqliteTransaction(connection))

    def _change(self, work: Callable[[Transaction], T]) -> T:
        raise AssertionError("a journal open for reading is not changed")

    def _write(self, rows: Sequence[Row], claims: Mapping[str, Claim]) -> bool:
        raise AssertionError("a journal open for reading is not written")

    def _own(self, table: str) -> None:
        raise AssertionError("a journal open for reading is not owned")

    def _release(self) -> None:
        """Every look opens and closes its own connection."""


class _SqliteTransaction:
    """A transaction on a connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, values).fetchall()

    def run(self, sql: str, *values: object) -> None:
        self._connection.execute(sql, values)


def _statement(rows: Sequence[Row]) -> tuple[str, list[object]]:
    """Return one statement for all rows, of a length that is a power of two so that few are ever prepared."""
    length = 1 << (len(rows) - 1).bit_length()
    values: list[object] = [value for row in rows for value in row]
    values += [None] * (_FIELDS * length - len(values))
    return _insert(length), values


@cache
def _insert(length: int) -> str:
    row = f"({', '.join('?' * _FIELDS)})"
    return f"INSERT INTO pitboss_append VALUES {', '.join([row] * length)}"


def _connect(path: Path, mode: str, patience: float = PATIENCE) -> sqlite3.Connection:
    # The store lets in one thread at a time, and the writer's thread is not the one that opens.
    address = f"{path.as_uri()}?{mode}"
    return sqlite3.connect(address, uri=True, timeout=patience, isolation_level=None, check_same_thread=False)


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # what went wrong first is what is raised
            connection.rollback()
        raise


def _is_new(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether the file is still empty, not a journal yet; refuse any other that is not a journal of ours."""
    ((application,),) = connection.execute("PRAGMA application_id")
    ((version,),) = connection.execute("PRAGMA user_version")
    if application != APPLICATION:
        ((things,),) = connection.execute("SELECT count(*) FROM sqlite_master")
        if application or version or things:
            raise StoreError(f"{path} is another program's database: give another file")
        ((pages,),) = connection.execute("PRAGMA page_count")
        if not pages and path.stat().st_size:  # SQLite would take so short a file for an empty one, and overwrite it
            raise StoreError(f"{path} is not a database: give another file")
        return True
    if version > VERSION:
        raise StoreError(
            f"{path} was written by a newer pitboss (journal version {version}, this one knows {VERSION}): "
            "update pitboss"
        )
    return False


def _known_id(rows: Callable[[str], list[tuple[Any, ...]]]) -> str:
    """Return the name by which the journal and its witness know each other; empty where it never had one."""
    if not rows("SELECT 1 FROM sqlite_master WHERE name = 'pitboss_witness'"):
        return ""
    return next((str(name) for (name,) in rows("SELECT journal FROM pitboss_witness")), "")


def _check_no_loss(path: Path, testimony: WitnessReading | None) -> None:
    """Refuse to begin a journal where another is known to have been."""
    if testimony is not None and testimony.heads:
        ends = ", ".join(f"{table} up to entry {head.seq}" for table, head in list(testimony.heads.items())[:5])
        raise StoreError(
            f"{path} is empty, but its witness says that players were told of {ends}: restore {path.name} and "
            f"{path.name}-wal from a copy; or, to begin anew, remove {witness_of(path).name}"
        )


def _witness_problems(path: Path, journal: str, testimony: WitnessReading | None) -> list[str]:
    """Say what is wrong with a witness, and what that means."""
    unknown = "nobody can tell whether the journal has lost its end"
    if testimony is None:
        return [f"THE WITNESS IS MISSING: {path.name} is not beside the journal, and {unknown}"] if journal else []
    doubts = []
    if testimony.damage:
        doubts.append(f"{DAMAGED}: in {path.name} {testimony.damage}; what can be read of it counts")
    if testimony.journal and journal and testimony.journal != journal:
        doubts.append(f"THE WITNESS IS ANOTHER JOURNAL'S: {path.name} does not count, and {unknown}")
    if not journal and testimony.heads:
        doubts.append(
            f"THE JOURNAL IS OLDER THAN ITS WITNESS: it knows nothing of {path.name}, which counts all the same"
        )
    return doubts


def _resolve(name: str, *, must_exist: bool) -> Path:
    """Return the real path, after the mistakes that SQLite tells only as "unable to open"."""
    if not name or "\0" in name:
        raise StoreError("the journal's file has no name: give a path")
    path = Path(os.path.realpath(name))  # the write-ahead file lies beside the real one, whatever it is called
    try:
        if not path.parent.is_dir():
            raise StoreError(f"there is no folder {path.parent}: make it first")
        if path.is_dir():
            raise StoreError(f"{path} is a folder: give a file in it")
        if must_exist:
            if not path.exists():
                raise StoreError(f"there is no file {path}: give the file of an arena that has run")
            files.check_names(path, path.stat())
    except OSError as error:
        raise StoreError(f"{path} cannot be opened ({error.strerror}): give a file that you may read") from None
    return path


def _signature(path: Path) -> tuple[int, ...] | None:
    """Return what changes when the file does; None while there is a write-ahead file, whose locks then protect readers.

    Without one nobody has the journal open, and SQLite would have to make one to read: so the file is read as it lies,
    and read again if it was not left alone meanwhile.
    """
    with _explained(path):
        if path.with_name(path.name + "-wal").exists():
            return None
        now = path.stat()
    return now.st_ino, now.st_size, now.st_mtime_ns


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Tell what SQLite complains about in a sentence that says what to do."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise Fenced(str(error)) from error
    except (sqlite3.Error, OSError, UnicodeDecodeError) as error:  # the last when it complains in letters that are none
        raise StoreError(_sentence(path, error)) from error


def _sentence(path: Path, error: Exception) -> str:
    code = _code(error)
    number = error.errno if isinstance(error, OSError) else None
    if code == sqlite3.SQLITE_NOTADB:
        return f"{path} is not a database: give another file"
    if code == sqlite3.SQLITE_CORRUPT:
        return f"{path} is damaged ({error}): restore it from a copy"
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM) or number in _CLOSED:
        return f"{path} may not be opened or written ({error}): give a file in a folder that you may write to"
    if code == sqlite3.SQLITE_FULL or number in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk that holds {path} is full: make room and start again"
    if code == sqlite3.SQLITE_BUSY:
        return f"{path} is locked by another program: end that one and start again"
    return f"{path} cannot be read or written ({error}): look after the disk, or restore the file from a copy"


def _code(error: BaseException) -> int:
    """SQLite's primary result code, or 0."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
