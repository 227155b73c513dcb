"""The journal in a file: durable, locked by its owner, and told apart from everything else a file can be."""

import os
import re
import sqlite3
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitboss.store import Chain, DatabaseUnavailable, Entry, Fenced, InUse, StoreError, open_store, sqlite
from pitboss.store.sql import Row, Transaction
from pitboss.store.sqlite import SqliteReader, SqliteStore
from tests.support.for_each import for_each
from tests.support.store.places import SqlitePlace, filled, fresh_chain

BODIES = [b"entry %d " % n * (20 * n) for n in range(1, 30)]


@contextmanager
def somebody_else() -> Iterator[None]:
    """Act as a user for whom permissions count: root may do everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


# --- written


@for_each("rows, length", [(1, 1), (2, 2), (3, 4), (4, 4), (5, 8), (8, 8), (9, 16), (33, 64)])
def test_rows_are_written_with_few_statements_padded_with_nulls(rows: int, length: int) -> None:
    row = Row(1, 2, 3, 4, 5, 6, b"body", b"hash")
    text, values = sqlite._statement([row] * rows)
    assert text.count("?") == len(values) == length * sqlite._FIELDS
    assert values == [*row * rows, *[None] * (length - rows) * sqlite._FIELDS]


# --- durable


def test_every_commit_waits_for_the_disk(sqlite_place: SqlitePlace) -> None:
    with SqliteStore(sqlite_place.path) as store:
        assert store.connection.execute("PRAGMA synchronous").fetchall() == [(2,)]  # FULL
        assert store.connection.execute("PRAGMA journal_mode").fetchall() == [("wal",)]
    with SqliteStore(sqlite_place.path) as store:  # it is the connection's setting, not the file's
        assert store.connection.execute("PRAGMA synchronous").fetchall() == [(2,)]


def test_full_disk_is_reported_without_a_partial_write(sqlite_place: SqlitePlace) -> None:
    with SqliteStore(sqlite_place.path) as store:
        chain = fresh_chain(store)
        store.append([chain.append(b"one")])
        head = chain.head
        ((pages,),) = store.connection.execute("PRAGMA page_count")
        store.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="is full: make room"):
            store.append([chain.append(bytes(5000)) for _ in range(10)])
        assert store.read("T-1").head == head
        assert not store.connection.in_transaction


# --- one owner


def test_a_second_store_in_the_same_process_is_refused_too(sqlite_place: SqlitePlace) -> None:
    with open_store(sqlite_place.url):
        for _ in range(2):
            with pytest.raises(InUse, match="in use by another process: stop that process, or give this one a file"):
                open_store(sqlite_place.url)
    open_store(sqlite_place.url).close()


def test_another_name_of_the_file_is_the_same_file(sqlite_place: SqlitePlace) -> None:
    linked = sqlite_place.path.with_name("linked.db")
    linked.symlink_to(sqlite_place.path)
    with open_store(sqlite_place.url):
        with pytest.raises(InUse):
            open_store(str(linked))
        with pytest.raises(InUse):
            open_store(os.path.relpath(sqlite_place.path))


@pytest.mark.check
@pytest.mark.parametrize("length", [1, 3, sqlite._LONGEST, sqlite._LONGEST + 1, 3 * sqlite._LONGEST])
@pytest.mark.parametrize("tables", [1, 2])
def test_the_epoch_is_checked_on_every_append(sqlite_place: SqlitePlace, length: int, tables: int) -> None:
    """Whatever lets a second process write, the first one's next batch is refused whole, however long it is."""
    with open_store(sqlite_place.url) as old:
        chains = [fresh_chain(old, f"T-{number}") for number in range(1, tables + 1)]
        old.append([chain.append(b"old") for chain in chains])
        stolen = chains[-1]
        sqlite_place.alter("UPDATE pitboss_table SET epoch = epoch + 1 WHERE name = ?", stolen.table)
        batch = [chain.append(b"late") for _ in range(length) for chain in chains]
        with pytest.raises(Fenced, match=f"another process has taken over table {stolen.table}"):
            old.append(batch)
        for chain in chains:
            assert [entry.body for entry in old.read(chain.table).entries] == [b"old"]


def test_two_files_in_one_folder_have_two_owners(sqlite_place: SqlitePlace) -> None:
    with open_store(sqlite_place.url) as one, open_store(str(sqlite_place.path.with_name("other.db"))) as other:
        for store, body in ((one, b"one"), (other, b"other")):
            store.append([fresh_chain(store, "T-1").append(body)])
        assert [entry.body for store in (one, other) for entry in store.read("T-1").entries] == [b"one", b"other"]


def test_reader_changes_nothing(sqlite_place: SqlitePlace) -> None:
    filled(sqlite_place, BODIES)
    before = sqlite_place.files()
    with open_store(sqlite_place.url, read_only=True) as reader:
        assert reader.tables() == ("T-1",)
        assert len(reader.read("T-1").entries) == len(BODIES)
    assert sqlite_place.files() == before


def test_reader_retries_if_an_owner_opened_the_file_meanwhile(sqlite_place: SqlitePlace) -> None:
    """Where no owner lives the file is read without locks: what an owner does just then must not be half seen."""
    filled(sqlite_place, [b"one"])
    looks: list[int] = []

    def look(transaction: Transaction) -> int:
        ((found,),) = transaction.rows("SELECT count(*) FROM pitboss_entry")
        looks.append(found)
        if len(looks) == 1:
            filled(sqlite_place, [b"two", b"three"])
        if len(looks) == 2:
            filled(sqlite_place, [b"four"])
            raise StoreError("half seen")
        return len(looks)

    with SqliteReader(sqlite_place.path) as reader:
        assert reader._look(look) == 3
    assert looks == [1, 3, 4]


# --- files that are not journals


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("content", [b"a poem, not a database\n" * 100, b"x", os.urandom(5000)])
def test_file_that_is_not_a_database_is_refused_and_unchanged(
    sqlite_place: SqlitePlace, content: bytes, read_only: bool
) -> None:
    sqlite_place.path.write_bytes(content)
    with pytest.raises(StoreError, match="is not a database: give another file"):
        open_store(sqlite_place.url, read_only=read_only)
    assert sqlite_place.files() == {"pitboss.db": content}


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("sql", ["CREATE TABLE birds (name)", "PRAGMA user_version = 3", "PRAGMA application_id = 77"])
def test_another_programs_database_is_refused_and_kept(sqlite_place: SqlitePlace, sql: str, read_only: bool) -> None:
    sqlite_place.alter(sql)
    before = sqlite_place.files()
    with pytest.raises(StoreError, match="is the database of another program: give another file"):
        open_store(sqlite_place.url, read_only=read_only)
    assert sqlite_place.files() == before


def test_an_empty_file_becomes_a_journal_but_not_by_reading(sqlite_place: SqlitePlace) -> None:
    sqlite_place.path.touch()
    with pytest.raises(StoreError, match="has no journal yet"):
        open_store(sqlite_place.url, read_only=True)
    assert sqlite_place.files() == {"pitboss.db": b""}
    filled(sqlite_place, [b"one"])


@pytest.mark.parametrize("read_only", [False, True])
def test_a_missing_folder_a_folder_and_no_name_are_reported(tmp_path: Path, read_only: bool) -> None:
    with pytest.raises(StoreError, match=r"folder .*nowhere was not found: create it first"):
        open_store(str(tmp_path / "nowhere" / "x.db"), read_only=read_only)
    with pytest.raises(StoreError, match="is a folder: give a file in it"):
        open_store(str(tmp_path), read_only=read_only)
    for name in ("", "a\0b"):
        with pytest.raises(StoreError, match="name of the journal's file is empty: give a path"):
            open_store(name, read_only=read_only)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_there_is_not_made_by_reading(sqlite_place: SqlitePlace) -> None:
    with pytest.raises(StoreError, match=r"file .*pitboss\.db was not found"):
        open_store(sqlite_place.url, read_only=True)
    assert sqlite_place.files() == {}


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
@pytest.mark.parametrize("what", ["folder", "file"])
def test_unwritable_file_is_reported(sqlite_place: SqlitePlace, what: str) -> None:
    if what == "file":
        filled(sqlite_place, [b"one"])
        sqlite_place.path.chmod(0o400)
    sqlite_place.path.parent.chmod(0o500)
    try:
        with somebody_else(), pytest.raises(StoreError, match=r"cannot be opened|cannot be opened or written"):
            open_store(sqlite_place.url)
    finally:
        sqlite_place.path.parent.chmod(0o700)
    assert ("pitboss.db" in sqlite_place.files()) == (what == "file")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a folder in which nobody may make a file")
def test_a_folder_in_which_no_file_can_be_made_is_reported() -> None:
    with pytest.raises(StoreError, match="cannot be opened or written"):
        open_store("/proc/self/pitboss.db")


def test_a_file_held_by_another_program_is_reported(sqlite_place: SqlitePlace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "PAUSE", 0.01)
    with open_store(sqlite_place.url, patience=0.05) as store:
        chain = fresh_chain(store)
        with closing(sqlite3.connect(sqlite_place.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(DatabaseUnavailable, match="is locked by another program"):
                store.append([chain.append(b"one")])
        store.append([Chain("T-1", store.read("T-1").head).append(b"one")])


@pytest.mark.parametrize("count", [1, 2000])
def test_owner_waits_for_a_lock_and_reports_it(
    sqlite_place: SqlitePlace, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, count: int
) -> None:
    monkeypatch.setattr(sqlite, "PAUSE", 0.01)
    monkeypatch.setattr(sqlite, "FIRST_WARNING_AFTER", 0.1)
    with open_store(sqlite_place.url, patience=600) as store:
        chain = fresh_chain(store)
        entries = [chain.append(b"one") for _ in range(count)]
        with closing(sqlite3.connect(sqlite_place.path, isolation_level=None)) as other, ThreadPoolExecutor(1) as pool:
            other.execute("BEGIN IMMEDIATE")
            writing = pool.submit(store.append, entries)
            while not caplog.messages:
                assert not wait([writing], timeout=0.01).done
            other.execute("ROLLBACK")
            writing.result(60)
        assert store.read("T-1").head == chain.head
    locked, free = caplog.messages
    assert re.search(r"another program has locked .*pitboss\.db for \d+ s: waiting \d+ s more$", locked)
    assert re.search(r"pitboss\.db is free again after \d+\.\d s$", free)


def test_owner_stops_waiting_when_told_to_give_up(sqlite_place: SqlitePlace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "PAUSE", 0.01)
    with open_store(sqlite_place.url, patience=600) as store:
        chain = fresh_chain(store)
        with closing(sqlite3.connect(sqlite_place.path, isolation_level=None)) as other, ThreadPoolExecutor(1) as pool:
            other.execute("BEGIN IMMEDIATE")
            writing = pool.submit(store.append, [chain.append(b"one")])
            store.give_up()
            with pytest.raises(DatabaseUnavailable, match="is locked by another program"):
                writing.result(60)


# --- torn files


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[Entry]]:
    """A journal's file, and what it holds."""
    place = SqlitePlace(tmp_path_factory.mktemp("sound") / "pitboss.db")
    entries = filled(place, BODIES, sealed=20)
    return place.path.read_bytes(), entries


def must_be_reported_or_true(path: Path, content: bytes, entries: list[Entry]) -> str:
    """Read a spoilt file, both ways: the fault is reported, or the content is what was written."""
    outcome = ""
    for read_only in (True, False):
        path.write_bytes(content)
        try:
            with open_store(str(path), read_only=read_only) as store:
                reading = store.read("T-1")
        except StoreError:
            outcome = "reported"
        else:
            assert reading.entries == tuple(entries[: len(reading.entries)])
            assert (reading.torn_at is None) == (len(reading.entries) == len(entries))
            outcome = "whole" if reading.torn_at is None else "torn"
        for leftover in ("-wal", "-shm"):
            path.with_name(path.name + leftover).unlink(missing_ok=True)
    return outcome


spoiling = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@spoiling
@given(st.data())
def test_a_file_with_altered_bytes_never_reads_as_something_else(
    tmp_path: Path, sound: tuple[bytes, list[Entry]], data: st.DataObject
) -> None:
    content, entries = sound
    spoilt = bytearray(content)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        spoilt[at] ^= data.draw(st.integers(1, 255))
    must_be_reported_or_true(tmp_path / "spoilt.db", bytes(spoilt), entries)


@spoiling
@given(st.data())
def test_a_file_that_was_cut_never_reads_as_whole(
    tmp_path: Path, sound: tuple[bytes, list[Entry]], data: st.DataObject
) -> None:
    content, entries = sound
    length = data.draw(st.integers(1, len(content) - 1))
    assert must_be_reported_or_true(tmp_path / "cut.db", content[:length], entries) != "whole"


@spoiling
@given(st.data())
def test_a_file_with_a_page_of_garbage_never_reads_as_something_else(
    tmp_path: Path, sound: tuple[bytes, list[Entry]], data: st.DataObject
) -> None:
    content, entries = sound
    page = data.draw(st.integers(0, len(content) // 4096 - 1))
    garbage = data.draw(st.binary(min_size=64, max_size=64)) * 64
    spoilt = content[: page * 4096] + garbage + content[(page + 1) * 4096 :]
    must_be_reported_or_true(tmp_path / "garbage.db", spoilt, entries)


def test_a_garbled_page_is_reported_as_damage(sqlite_place: SqlitePlace, sound: tuple[bytes, list[Entry]]) -> None:
    content, _ = sound
    sqlite_place.path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    with pytest.raises(StoreError, match=r"is damaged .*: restore it from a copy"):
        open_store(sqlite_place.url, read_only=True).read("T-1")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE pitboss_entry SET body = 'text' WHERE seq = 2",
        "UPDATE pitboss_entry SET hash = 'text' WHERE seq = 2",
        "UPDATE pitboss_entry SET after = 'x' WHERE seq = 2",
        "UPDATE pitboss_entry SET seals = 'x' WHERE seq = 2",
        "UPDATE pitboss_entry SET seq = 'x' WHERE seq = 2",
        "UPDATE pitboss_entry SET seq = 2.5 WHERE seq = 2",
    ],
)
def test_values_of_a_wrong_type_are_a_tear(sqlite_place: SqlitePlace, sql: str) -> None:
    filled(sqlite_place, [b"one", b"two", b"three"])
    assert sqlite_place.alter(sql) == 1
    with open_store(sqlite_place.url, read_only=True) as reader:
        reading = reader.read("T-1")
    assert (reading.torn_at, reading.finished) == (2, False)


@pytest.mark.parametrize("sql", ["UPDATE pitboss_table SET seq = 'x'", "UPDATE pitboss_table SET sealed = -1"])
def test_a_record_of_a_wrong_type_is_reported(sqlite_place: SqlitePlace, sql: str) -> None:
    filled(sqlite_place, [b"one"])
    sqlite_place.alter(sql)
    with (
        open_store(sqlite_place.url) as store,
        pytest.raises(StoreError, match=r"the record of table T-1 .* is damaged"),
    ):
        store.read("T-1")


class Stubborn(sqlite3.Connection):
    """SQLite as it is after some errors: asked for another mode it answers with the one it stays in."""

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        return super().execute("PRAGMA journal_mode" if sql == "PRAGMA journal_mode = WAL" else sql, *values)


def test_a_file_that_cannot_be_written_ahead_is_refused(
    sqlite_place: SqlitePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Stubborn))
    with pytest.raises(StoreError, match=r"cannot be written ahead \(SQLite stays in mode delete\)"):
        open_store(sqlite_place.url)
    monkeypatch.undo()
    filled(sqlite_place, [b"one"])  # and it was left as it was


# --- files of strangers

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT {} FROM n"


@contextmanager
def rewriting(path: Path) -> Iterator[sqlite3.Connection]:
    """Change a journal as a stranger with the file can."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        yield connection


@for_each(
    "statements",
    [
        [
            "DROP TABLE pitboss_entry",
            "CREATE VIEW pitboss_entry AS "
            + ENDLESS.format("1 AS table_id, x AS seq, x - 1 AS after, 0 AS seals, x'00' AS body, x'00' AS hash"),
        ],
        [
            "DROP TABLE pitboss_table",
            "CREATE VIEW pitboss_table AS "
            + ENDLESS.format("x AS id, x AS name, 1 AS epoch, 0 AS seq, x'' AS hash, 0 AS sealed, x'' AS seal"),
        ],
        ["ALTER TABLE pitboss_entry ADD COLUMN more BLOB"],
        ["DROP TABLE pitboss_entry", "CREATE TABLE pitboss_entry (table_id, seq, after, seals, body, hash)"],
        ["DROP TABLE IF EXISTS pitboss_witness", f"CREATE VIEW pitboss_witness AS {ENDLESS.format('x AS journal')}"],
        ["CREATE TRIGGER t AFTER INSERT ON pitboss_entry BEGIN DELETE FROM pitboss_table; END"],
        ['CREATE INDEX "\x1b[2J" ON pitboss_entry (body)'],
        [f"CREATE TABLE t{n} (x)" for n in range(200)],
        ["DROP TABLE pitboss_table"],
    ],
)
def test_file_with_another_layout_is_not_a_journal(tmp_path: Path, statements: list[str]) -> None:
    place = SqlitePlace(tmp_path / f"{abs(hash(tuple(statements)))}.db")
    filled(place, [b"one", b"two"])
    with rewriting(place.path) as connection:
        for statement in statements:
            connection.execute(statement)
    for read_only in (True, False):
        with pytest.raises(StoreError, match="is not a journal: expected") as refusal:
            open_store(place.url, read_only=read_only)
        assert len(str(refusal.value)) < 1000
        assert "\x1b" not in str(refusal.value)


def test_values_longer_than_the_file_are_damage(tmp_path: Path) -> None:
    place = SqlitePlace(tmp_path / "pitboss.db")
    filled(place, [b"x" * 1_500_000, b"y"], sealed=2)
    content = bytearray(place.path.read_bytes())
    end = len(content) // 4096 * 4096
    for size in (1_400_000, 900_000):  # the last pages are the overflow of the long entry
        place.path.write_bytes(content[: end - size // 4096 * 4096])
        with pytest.raises(StoreError), open_store(place.url, read_only=True) as store:
            store.read("T-1")


def test_pages_that_are_read_again_and_again_end_in_a_sentence(tmp_path: Path) -> None:
    place = SqlitePlace(tmp_path / "pitboss.db")
    filled(place, [b"%d" % n * 40 for n in range(400)])
    with rewriting(place.path) as connection:
        ((root,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'pitboss_entry'")
        connection.execute("VACUUM")
        ((root,),) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_pitboss_entry_1'"
        )
    content = bytearray(place.path.read_bytes())
    page = memoryview(content)[(root - 1) * 4096 : root * 4096]
    assert page[0] == 2, "an inner page of an index"
    cells = int.from_bytes(page[3:5], "big")
    first = int.from_bytes(page[12:14], "big")
    for cell in range(1, cells):  # every cell leads to the same page
        at = int.from_bytes(page[12 + 2 * cell : 14 + 2 * cell], "big")
        page[at : at + 4] = page[first : first + 4]
    page.release()
    place.path.write_bytes(content)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sqlite, "SPARE", 0)
        patched.setattr(sqlite, "STEPS_BETWEEN", 100)
        patched.setattr(sqlite, "STEPS_A_BYTE", 0.001)
        with pytest.raises(StoreError, match="too long for its size"):
            open_store(place.url, read_only=True).read("T-1")
