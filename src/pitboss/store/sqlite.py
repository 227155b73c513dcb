"""The journal in an SQLite file. It survives power failures, and one process at a time owns it.

The owner holds a lock on the file; see `files.py`.
"""

import errno
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from pitboss.printing import printable
from pitboss.store import files
from pitboss.store.chain import DatabaseUnavailable, Fenced, Head, StoreError
from pitboss.store.files import DAMAGED, OwnedFile, Witness, WitnessReading, new_journal_id, read_witness, witness_of
from pitboss.store.sql import FIRST_WARNING_AFTER, VERSION, WARNING_EVERY, Claim, Row, SqlStore, Transaction

T = TypeVar("T")

log = logging.getLogger("pitboss.store")

APPLICATION = 0x5069_7442  # "PitB", in the file's header: no other program's file is mistaken for a journal
PATIENCE = 5.0
"""Seconds to wait, at opening and for reading, for another program that locks the file for a moment."""
PAUSE = 0.25
"""Seconds after which an owner that waits for such a program checks whether to go on waiting."""

# Entries are stored in the order of writing, and an index finds those of a table. With many tables this takes a quarter
# of the processor time of storing each table's entries together.
_TABLES = (
    """CREATE TABLE pitboss_table (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, epoch INTEGER NOT NULL,
    seq INTEGER NOT NULL, hash BLOB NOT NULL, sealed INTEGER NOT NULL, seal BLOB NOT NULL)""",
    """CREATE TABLE pitboss_entry (
    table_id INTEGER NOT NULL, seq INTEGER NOT NULL CHECK (seq > 0), after INTEGER NOT NULL, seals INTEGER NOT NULL,
    body BLOB NOT NULL, hash BLOB NOT NULL, UNIQUE (table_id, seq))""",
)
_WITNESS_TABLE = "CREATE TABLE pitboss_witness (journal TEXT NOT NULL)"
_LAYOUT = (*_TABLES, f"PRAGMA application_id = {APPLICATION}", f"PRAGMA user_version = {VERSION}")
_SCHEMA = {
    ("table", "pitboss_table", " ".join(_TABLES[0].split())),
    ("table", "pitboss_entry", " ".join(_TABLES[1].split())),
    ("index", "sqlite_autoindex_pitboss_table_1", ""),
    ("index", "sqlite_autoindex_pitboss_entry_1", ""),
}
"""The type, name and SQL of everything in a journal's file, except the witness table, which is optional."""
_MOST_PARTS = len(_SCHEMA) + 1

# An insert into this view checks the epoch and end of its table, moves the end, and stores the entry. So a batch of
# rows is one statement, and Python releases its lock once per batch instead of once per row. Each release can take
# milliseconds next to a busy event loop. Rows without a table are ignored; they fill a batch up to a length for which a
# statement is already prepared.
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
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_FIELDS = len(Row._fields)
_LONGEST = 512
"""The maximum number of rows in one statement."""
SPARE = 1 << 20
"""The number of bytes that a transaction may read beyond the size of the file. A damaged file can be read in a loop."""
STEPS_BETWEEN, STEPS_A_BYTE = 10_000, 8
"""The number of SQLite steps between two checks, and the maximum number of steps of a reader per byte of the file."""


def open_sqlite(name: str, *, patience: float, read_only: bool = False) -> SqlStore:
    """Open the journal in a file. The file is created if it does not exist, unless `read_only` is set."""
    path = _resolve(name, must_exist=read_only)
    return SqliteReader(path) if read_only else SqliteStore(path, patience)


class SqliteStore(SqlStore):
    """A journal in a file that this process owns."""

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        super().__init__(str(path))
        self._path = path
        self._patience = patience
        self._given_up = threading.Event()
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
                _is_new(
                    self.connection, path
                )  # before changing anything, because the file may belong to another program
                self.notices += self._file.narrow()
                self._prepare()
                self._file.watch(path.with_name(path.name + "-wal"))
                if files.LOCKABLE:  # on other systems the file is not locked
                    self._file.watch(path.with_name(path.name + "-shm"))
                self.connection.execute(f"PRAGMA busy_timeout = {round(PAUSE * 1000)}")
        except BaseException:
            self._release()
            raise

    def open_reader(self) -> SqlStore:
        """Open the same journal again for reading only. The owner never waits for a reader."""
        return SqliteReader(self._path)

    def _prepare(self) -> None:
        if not files.LOCKABLE:
            self.connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # readers must wait for the end of the owner
        ((mode,),) = self.connection.execute("PRAGMA journal_mode = WAL")
        if mode != "wal":  # SQLite may return another mode instead of an error
            raise StoreError(
                f"{self._path} cannot be written ahead (SQLite stays in mode {mode}): check the disk, or give a "
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
        """Return a witness with the heads of the one that was found. Add a notice if that one cannot be trusted."""
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
                if not journal and not _has_witness_table(self.connection):
                    self.connection.execute(_WITNESS_TABLE)
                self.connection.execute("INSERT INTO pitboss_witness VALUES (?)", (name,))
        return witness

    def give_up(self) -> None:
        """Stop waiting for another program that locks the file."""
        self._given_up.set()

    def _look(self, work: Callable[[Transaction], T]) -> T:
        return self._patiently(lambda: self._once("BEGIN", work))

    def _change(self, work: Callable[[Transaction], T]) -> T:
        return self._patiently(lambda: self._once("BEGIN IMMEDIATE", work))

    def _once(self, begin: str, work: Callable[[Transaction], T]) -> T:
        with _transaction(self.connection, begin):
            return work(_SqliteTransaction(self.connection, self._path))

    def _write(self, rows: Sequence[Row], claims: Mapping[str, Claim]) -> bool:
        try:
            self._patiently(lambda: self._write_once(rows))
        except Fenced:
            return False
        return True

    def _write_once(self, rows: Sequence[Row]) -> None:
        if len(rows) <= _LONGEST:
            self.connection.execute(*_statement(rows))  # a single statement is a transaction
            return
        with _transaction(self.connection, "BEGIN IMMEDIATE"):
            for first in range(0, len(rows), _LONGEST):
                self.connection.execute(*_statement(rows[first : first + _LONGEST]))

    def _patiently(self, work: Callable[[], T]) -> T:
        """Call `work`. While another program locks the file, call it again until `patience` seconds have passed.

        A call that fails because the file is locked has changed nothing.
        """
        began, reported = time.monotonic(), 0.0
        while True:
            try:
                with _explained(self._path):
                    found = work()
            except DatabaseUnavailable:
                lasted = time.monotonic() - began
                if self._given_up.is_set() or lasted >= self._patience:
                    raise
                if lasted >= (reported + WARNING_EVERY if reported else FIRST_WARNING_AFTER):
                    reported = lasted
                    left = self._patience - lasted
                    log.warning(
                        "another program has locked %s for %.0f s: waiting %.0f s more", self._path, lasted, left
                    )
            else:
                if reported:
                    log.warning("%s is free again after %.1f s", self._path, time.monotonic() - began)
                return found

    def _own(self, table: str) -> None:
        """Do nothing, because this process owns the whole file."""

    def _release(self) -> None:
        with suppress(sqlite3.Error):
            self.connection.close()
        if self._second is not None:
            self._second.close()
        self._file.close()  # closed last, because closing it releases SQLite's locks too

    def _witness(self, heads: Mapping[str, Head]) -> None:
        known = self._witnessed
        news = {table: head for table, head in heads.items() if head != known.get(table) and head.seq}
        if news:
            assert self._second is not None, "expected an open witness"
            with _explained(self._path):
                self._file.check()
                self._second.write(news)


class SqliteReader(SqlStore):
    """A journal for reading only, while its owner runs or afterwards. It takes no locks and creates no files."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), read_only=True)
        self._path = path
        with _explained(path):
            testimony = read_witness(
                witness_of(path)
            )  # read before the journal, because an owner writes the journal first
        self._testimony = testimony
        journal = self._look(
            lambda transaction: _known_id(transaction.rows)
        )  # raises an error if the file is not valid
        self.notices += _witness_problems(witness_of(path), journal, testimony)
        if testimony is not None and testimony.journal in ("", journal):
            self._witnessed = testimony.heads

    def open_reader(self) -> SqlStore:
        """Open the same journal again."""
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
                raise StoreError(f"{self._path} has no journal yet: give the file of an arena that has run")
            limit = STEPS_A_BYTE * (SPARE + _size(self._path)) // STEPS_BETWEEN
            checks = count(1)
            connection.set_progress_handler(lambda: next(checks) > limit, STEPS_BETWEEN)
            with _transaction(connection, "BEGIN"):
                return work(_SqliteTransaction(connection, self._path))

    def _change(self, work: Callable[[Transaction], T]) -> T:
        raise AssertionError("expected a journal opened for writing")

    def _write(self, rows: Sequence[Row], claims: Mapping[str, Claim]) -> bool:
        raise AssertionError("expected a journal opened for writing")

    def _own(self, table: str) -> None:
        raise AssertionError("expected a journal opened for writing")

    def _release(self) -> None:
        """Do nothing, because every read opens and closes its own connection."""


class _SqliteTransaction:
    """A transaction that limits how much it reads to the size of the file."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._left = 0

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a query and return all rows. Ctrl-C works between two rows."""
        found: list[tuple[Any, ...]] = []
        for row in self._connection.execute(sql, values):
            self._left = (
                self._left or _size(self._path) + SPARE
            )  # computed after the first row, when the transaction sees one state of the file
            self._left -= len(row) + sum([len(value) for value in row if isinstance(value, bytes | str)])
            if self._left <= 0:
                raise StoreError(f"{self._path} is damaged(more was read than its size): restore it from a copy")
            found.append(row)
        return found

    def run(self, sql: str, *values: object) -> None:
        self._connection.execute(sql, values)


def _statement(rows: Sequence[Row]) -> tuple[str, list[object]]:
    """Return one statement that inserts all rows. The number of rows is rounded up to a power of two."""
    length = 1 << (len(rows) - 1).bit_length()
    values: list[object] = [value for row in rows for value in row]
    values += [None] * (_FIELDS * length - len(values))
    return _insert(length), values


@cache
def _insert(length: int) -> str:
    row = f"({', '.join('?' * _FIELDS)})"
    return f"INSERT INTO pitboss_append VALUES {', '.join([row] * length)}"


def _connect(path: Path, mode: str, patience: float = PATIENCE) -> sqlite3.Connection:
    # Other threads may use the connection, for example the writer's. The store lets only one use it at a time.
    address = f"{path.as_uri()}?{mode}"
    connection = sqlite3.connect(address, uri=True, timeout=patience, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA trusted_schema = OFF")
    if mode != "mode=rw":
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _size(path) + SPARE)
    return connection


def _size(path: Path) -> int:
    """Return the total size in bytes of a journal's file and its write-ahead file."""
    size = 0
    for file in (path, path.with_name(path.name + "-wal")):
        with suppress(FileNotFoundError):
            size += file.stat().st_size
    return size


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # raise the first error, not one from the rollback
            connection.rollback()
        raise


def _is_new(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether the file is empty. Raise `StoreError` for a file that is not a journal."""
    ((application,),) = connection.execute("PRAGMA application_id")
    ((version,),) = connection.execute("PRAGMA user_version")
    if application != APPLICATION:
        ((things,),) = connection.execute("SELECT count(*) FROM sqlite_master")
        if application or version or things:
            raise StoreError(f"{path} is the database of another program: give another file")
        ((pages,),) = connection.execute("PRAGMA page_count")
        if not pages and path.stat().st_size:  # SQLite would read such a short file as empty and overwrite it
            raise StoreError(f"{path} is not a database: give another file")
        return True
    if version > VERSION:
        raise StoreError(
            f"{path} was written by a newer pitboss (journal version {version}, this one reads up to {VERSION}): "
            "update pitboss"
        )
    _check_schema(connection, path)
    return False


def _check_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `StoreError` for a file with anything but a journal's tables, such as a view with the name of a table."""
    rows = connection.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_master LIMIT ?", (_MOST_PARTS + 1,))
    found = {(str(kind), str(name), " ".join(str(sql).split())) for kind, name, sql in rows}
    extra = found - _SCHEMA - {("table", "pitboss_witness", _WITNESS_TABLE)}
    if missing := _SCHEMA - found:
        names = ", ".join(sorted(name for _, name, _ in missing))
        raise StoreError(f"{path} is not a journal: expected {names} as pitboss creates them; restore it from a copy")
    if extra:
        names = printable(", ".join(sorted(f"{kind} {name}" for kind, name, _ in extra))[:_LONGEST])
        raise StoreError(f"{path} is not a journal: expected its own tables only, found {names}; give another file")


def _has_witness_table(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'pitboss_witness'").fetchall())


def _known_id(rows: Callable[[str], list[tuple[Any, ...]]]) -> str:
    """Return the id that the journal shares with its witness, or an empty text if it has none."""
    if not rows("SELECT 1 FROM sqlite_master WHERE name = 'pitboss_witness'"):
        return ""
    return next((str(name) for (name,) in rows("SELECT journal FROM pitboss_witness")), "")


def _check_no_loss(path: Path, testimony: WitnessReading | None) -> None:
    """Raise `StoreError` if the file is empty, but its witness has heads."""
    if testimony is not None and testimony.heads:
        ends = ", ".join(f"{table} up to entry {head.seq}" for table, head in list(testimony.heads.items())[:5])
        raise StoreError(
            f"{path} is empty, but players received {ends} according to its witness: restore {path.name} and "
            f"{path.name}-wal from a copy; or, to start a new journal, remove {witness_of(path).name}"
        )


def _witness_problems(path: Path, journal: str, testimony: WitnessReading | None) -> list[str]:
    """Return a notice for each reason not to trust a witness, and its consequence."""
    unknown = "it is not known whether the journal has lost its end"
    if testimony is None:
        return [f"THE WITNESS IS MISSING: {path.name} is not next to the journal, and {unknown}"] if journal else []
    doubts = []
    if testimony.damage:
        doubts.append(f"{DAMAGED}: in {path.name} {testimony.damage}; the readable part is used")
    if testimony.journal and journal and testimony.journal != journal:
        doubts.append(f"THE WITNESS BELONGS TO ANOTHER JOURNAL: {path.name} is ignored, and {unknown}")
    if not journal and testimony.heads:
        doubts.append(f"THE JOURNAL IS OLDER THAN ITS WITNESS: it has no id of {path.name}, which is used anyway")
    return doubts


def _resolve(name: str, *, must_exist: bool) -> Path:
    """Return the real path. Raise `StoreError` for mistakes that SQLite reports only as "unable to open"."""
    if not name or "\0" in name:
        raise StoreError("the name of the journal's file is empty: give a path")
    path = Path(os.path.realpath(name))  # the write-ahead file is next to the real file and not next to a link to it
    try:
        if not path.parent.is_dir():
            raise StoreError(f"folder {path.parent} was not found: create it first")
        if path.is_dir():
            raise StoreError(f"{path} is a folder: give a file in it")
        if must_exist:
            if not path.exists():
                raise StoreError(f"file {path} was not found: give the file of an arena that has run")
            files.check_names(path, path.stat())
    except OSError as error:
        raise StoreError(f"{path} cannot be opened ({error.strerror}): give a file that you may read") from None
    return path


def _signature(path: Path) -> tuple[int, ...] | None:
    """Return values that change when the file changes, or None if a write-ahead file exists.

    Without a write-ahead file, no process has the journal open. SQLite would create the file in order to read. So the
    journal is read directly, and read again if it has changed meanwhile.
    """
    with _explained(path):
        if path.with_name(path.name + "-wal").exists():
            return None
        now = path.stat()
    return now.st_ino, now.st_size, now.st_mtime_ns


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Raise SQLite's errors as `StoreError` with advice."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise Fenced(str(error)) from error
    except (
        sqlite3.Error,
        OSError,
        UnicodeDecodeError,
    ) as error:  # the last one is raised if the error text is not UTF-8
        kind = DatabaseUnavailable if _code(error) in _LOCKED else StoreError
        raise kind(_sentence(path, error)) from error


def _sentence(path: Path, error: Exception) -> str:
    code = _code(error)
    number = error.errno if isinstance(error, OSError) else None
    if code == sqlite3.SQLITE_NOTADB:
        return f"{path} is not a database: give another file"
    if code == sqlite3.SQLITE_CORRUPT:
        return f"{path} is damaged ({error}): restore it from a copy"
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM) or number in _CLOSED:
        return f"{path} cannot be opened or written ({error}): give a file in a folder that you may write to"
    if code in (sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_TOOBIG):
        return f"{path} is damaged ({error}): reading it takes too long for its size; restore it from a copy"
    if code == sqlite3.SQLITE_FULL or number in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk with {path} is full: make room and start again"
    if code in _LOCKED:
        return f"{path} is locked by another program: stop that program and start again"
    return f"{path} cannot be read or written ({error}): check the disk, or restore the file from a copy"


def _code(error: BaseException) -> int:
    """Return the primary result code of SQLite, or 0."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
