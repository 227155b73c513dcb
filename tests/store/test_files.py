"""A journal's files are their owner's alone, known by one name, and locked by one process."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pitboss.store import InUse, StoreError, files, open_store
from pitboss.store.files import sync_folder
from pitboss.store.sqlite import SqliteStore
from tests.store.test_processes import holder
from tests.support.store.places import SqlitePlace, filled, fresh_chain

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="modes, links and mounts are tested on Linux")

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away and mounts them")
UMASKS = [0o000, 0o022, 0o077, 0o777]
SQLITE = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], timeout=0); print(db.execute(sys.argv[2]).fetchall())"
BACKUP = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).backup(sqlite3.connect(sys.argv[2]))"


@contextmanager
def umask(mask: int) -> Iterator[None]:
    """Create files as a user with this umask would."""
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """Return who may do what with each file of a folder."""
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


def another_process(*arguments: object) -> "subprocess.CompletedProcess[str]":
    """Run a few words of Python elsewhere, where locks of this process count."""
    command = [sys.executable, "-c", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


# --- secrets


@pytest.mark.parametrize("mask", UMASKS)
def test_all_files_are_their_owners_alone_whatever_the_umask(sqlite_place: SqlitePlace, mask: int) -> None:
    with umask(mask), open_store(sqlite_place.url) as store:
        store.append([fresh_chain(store).append(b"the deck")])
        found = modes(sqlite_place.path.parent)
        assert {"pitboss.db", "pitboss.db-wal", "pitboss.db-shm"} <= found.keys()
        assert set(found.values()) == {0o600}, found
        assert list(store.notices) == []
    assert set(modes(sqlite_place.path.parent).values()) == {0o600}


def test_file_readable_by_others_is_restricted_and_this_is_reported_once(sqlite_place: SqlitePlace) -> None:
    with holder(sqlite_place.url) as first:
        first.written(3)
        first.kill()
    for file in sqlite_place.path.parent.iterdir():
        file.chmod(0o644)
    with open_store(sqlite_place.url) as store:
        (notice,) = store.notices
        assert "pitboss.db and pitboss.db-wal" in notice
        assert "could be read by other users" in notice
        assert set(modes(sqlite_place.path.parent).values()) == {0o600}
    with open_store(sqlite_place.url) as store:
        assert list(store.notices) == []


def test_a_reader_changes_no_mode(sqlite_place: SqlitePlace) -> None:
    filled(sqlite_place, [b"one"])
    sqlite_place.path.chmod(0o640)
    with open_store(sqlite_place.url, read_only=True) as store:
        store.read("T-1")
    assert modes(sqlite_place.path.parent)["pitboss.db"] == 0o640


@as_root
@pytest.mark.parametrize("end", ["", "-wal"])
def test_a_file_of_another_user_is_refused(sqlite_place: SqlitePlace, end: str) -> None:
    with holder(sqlite_place.url) as first:
        first.written(3)
        first.kill()
    os.chown(f"{sqlite_place.path}{end}", 65534, 65534)
    with pytest.raises(StoreError, match=rf"pitboss\.db{end} belongs to another user \(number 65534\)"):
        open_store(sqlite_place.url)


def test_files_next_to_the_journal_must_be_ordinary(sqlite_place: SqlitePlace, tmp_path: Path) -> None:
    sqlite_place.path.with_name("pitboss.db-witness").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match=r"pitboss\.db-witness: expected a regular file; remove it"):
        open_store(sqlite_place.url)


# --- one owner


def test_a_refused_owner_in_the_same_process_takes_no_lock_away(sqlite_place: SqlitePlace) -> None:
    """To close a descriptor of a file gives up SQLite's locks on it: the refusal must not open one."""
    with open_store(sqlite_place.url) as store:
        store.append([fresh_chain(store).append(b"one")])
        with pytest.raises(InUse):
            open_store(sqlite_place.url)
        with open_store(sqlite_place.url, read_only=True) as reader:
            reader.read("T-1")
        ended = another_process(SQLITE, sqlite_place.path, "PRAGMA journal_mode = DELETE")
        assert "database is locked" in ended.stderr, "another process may take the write-ahead file away"


def test_others_may_read_and_copy_while_it_is_locked(sqlite_place: SqlitePlace) -> None:
    copy = sqlite_place.path.with_name("copy.db")
    with open_store(sqlite_place.url) as store:
        store.append([fresh_chain(store).append(b"one")])
        assert another_process(SQLITE, sqlite_place.path, "SELECT body FROM pitboss_entry").stdout == "[(b'one',)]\n"
        assert another_process(BACKUP, sqlite_place.path, copy).returncode == 0
    with open_store(str(copy), read_only=True) as copied:
        assert [entry.body for entry in copied.read("T-1").entries] == [b"one"]


def test_where_the_file_cannot_be_locked_sqlite_keeps_it_to_itself(
    sqlite_place: SqlitePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LOCKABLE", False)
    with open_store(sqlite_place.url) as store:
        store.append([fresh_chain(store).append(b"one")])
        ended = another_process(SQLITE, sqlite_place.path, "SELECT 1 FROM pitboss_table")
        assert "database is locked" in ended.stderr


@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_with_two_names_is_refused_under_both(sqlite_place: SqlitePlace, read_only: bool) -> None:
    filled(sqlite_place, [b"one"])
    linked = sqlite_place.path.with_name("linked.db")
    os.link(sqlite_place.path, linked)
    for path in (sqlite_place.path, linked):
        with pytest.raises(StoreError, match=r"has 2 names .*: remove the others .*, or use a copy"):
            open_store(str(path), read_only=read_only)
    linked.unlink()
    open_store(sqlite_place.url, read_only=read_only).close()


def test_a_second_process_cannot_own_a_hard_link_of_a_running_servers_file(sqlite_place: SqlitePlace) -> None:
    linked = sqlite_place.path.with_name("linked.db")
    with holder(sqlite_place.url) as first:
        first.written()
        os.link(sqlite_place.path, linked)
        with pytest.raises(StoreError, match="has 2 names"):
            open_store(str(linked))
        first.written(3)
        linked.unlink()
        first.stop()
    with open_store(sqlite_place.url, read_only=True) as reader:
        assert reader.read("T-1").torn_at is None


@contextmanager
def mounted(file: Path, at: Path) -> Iterator[None]:
    """Let a file be seen at another place too, or skip the test where that cannot be done."""
    done = subprocess.run(["mount", "--bind", file, at], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", at], check=True)


@as_root
@pytest.mark.parametrize("end", ["", "-wal"])
@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_that_is_a_mount_point_is_refused(sqlite_place: SqlitePlace, read_only: bool, end: str) -> None:
    filled(sqlite_place, [b"one"])
    other = SqlitePlace(sqlite_place.path.with_name("other name.db"))
    filled(other, [b"two"])
    for place in (sqlite_place, other):
        Path(f"{place.path}{end}").touch()
    at = Path(f"{other.path}{end}")
    refusal = pytest.raises(StoreError, match=rf"other name\.db{end} is mounted as a single file")
    with mounted(Path(f"{sqlite_place.path}{end}"), at), refusal:
        open_store(other.url, read_only=read_only)
    open_store(other.url, read_only=read_only).close()


@as_root
def test_a_second_process_cannot_own_a_mount_of_a_running_servers_file(sqlite_place: SqlitePlace) -> None:
    at = sqlite_place.path.with_name("mounted.db")
    at.touch()
    with holder(sqlite_place.url) as first:
        first.written()
        with mounted(sqlite_place.path, at), pytest.raises(StoreError, match="is mounted as a single file"):
            open_store(str(at))
        first.written(3)
        first.stop()


@as_root
def test_a_folder_seen_at_two_places_has_one_owner(sqlite_place: SqlitePlace, tmp_path: Path) -> None:
    (elsewhere := tmp_path / "elsewhere").mkdir()
    (home := tmp_path / "home").mkdir()
    with holder(str(home / "pitboss.db")) as first, mounted(home, elsewhere):
        first.written()
        with pytest.raises(InUse):
            open_store(str(elsewhere / "pitboss.db"))
        with open_store(str(elsewhere / "pitboss.db"), read_only=True) as reader:
            assert reader.read("T-1").entries
        first.stop()


# --- replaced under the running server


@pytest.mark.parametrize("end", ["", "-wal", "-shm", "-witness"])
@pytest.mark.parametrize("how", ["removed", "renamed", "replaced by a copy"])
def test_removed_file_is_noticed_before_an_announcement(
    sqlite_place: SqlitePlace, how: str, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "CHECK_EVERY", 0.0)
    file = Path(f"{sqlite_place.path}{end}")
    store = SqliteStore(sqlite_place.path)
    try:
        chain = fresh_chain(store)
        store.append([chain.append(b"one")])
        away = file.with_name("away")
        match how:
            case "removed":
                file.unlink()
            case "renamed":
                file.rename(away)
            case _:
                subprocess.run(["cp", file, away], check=True)  # elsewhere: to open it here would give up its locks
                os.replace(away, file)
        with pytest.raises(StoreError, match=rf"pitboss\.db{end} was removed, renamed or replaced"):
            store.append([chain.append(b"two")])
    finally:
        store.close()


def test_of_two_owners_by_a_copy_put_in_place_the_first_stops_at_its_next_word(sqlite_place: SqlitePlace) -> None:
    with holder(sqlite_place.url) as first:
        first.written(2)
        copy = sqlite_place.path.with_name("copy.db")
        with closing(sqlite3.connect(sqlite_place.path)) as there, closing(sqlite3.connect(copy)) as here:
            there.backup(here)
        copy.chmod(0o600)
        os.replace(copy, sqlite_place.path)
        while (line := first.output.readline()).strip().isdigit():
            pass
        assert line.startswith("failed"), line
        assert "was removed, renamed or replaced" in line
        first.kill()


def test_a_copy_of_the_folder_is_a_journal_of_its_own(sqlite_place: SqlitePlace, tmp_path: Path) -> None:
    filled(sqlite_place, [b"one"])
    (copied := tmp_path / "copied").mkdir()
    for file in [file for file in sqlite_place.path.parent.iterdir() if file.is_file()]:
        shutil.copy(file, copied / file.name)
    with open_store(sqlite_place.url), open_store(str(copied / "pitboss.db")) as other:
        assert [entry.body for entry in other.read("T-1").entries] == [b"one"]


@pytest.mark.skipif(os.name != "posix", reason="a folder cannot be opened elsewhere")
def test_the_names_in_a_folder_are_synced_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_ino))
    sync_folder(tmp_path / "journal.db")
    assert synced == [tmp_path.stat().st_ino]
