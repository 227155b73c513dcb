"""The witness knows the end of every table that was last sent; a journal that lost its end is detected."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitboss.store import Chain, Entry, Head, StoreError, Writer, open_store, start_hash
from pitboss.store.chain import read_witnessed
from pitboss.store.files import SIZE, Witness, read_witness, witness_of
from pitboss.store.sqlite import SqliteStore
from tests.store.test_processes import holder
from tests.support.for_each import for_each
from tests.support.store.places import SqlitePlace, filled, fresh_chain


def chain_of(seals: str) -> tuple[list[Entry], list[Head]]:
    """Entries of which those marked with a bar seal, and the head after each."""
    chain = Chain("T-1", start_hash("T-1"))
    entries, heads = [], [chain.head]
    for number, mark in enumerate(seals):
        entries.append(chain.append(b"%d" % number, seals=mark == "|"))
        heads.append(chain.head)
    return entries, heads


# --- the file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a future witness."""
    return tmp_path / "witness"


def test_the_newest_head_of_every_table_is_read_back(path: Path) -> None:
    _, heads = chain_of("..|.")
    witness = Witness(path, "j", {"old": heads[1]})
    witness.write({"T-1": heads[1], "T-2": heads[2]})
    witness.write({"T-1": heads[4]})
    witness.close()
    found = read_witness(path)
    assert found is not None
    assert (found.journal, found.damage) == ("j", "")
    assert found.heads == {"old": heads[1], "T-1": heads[4], "T-2": heads[2]} == witness.heads


def test_a_full_witness_is_replaced_by_a_shorter_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.store.files.SIZE", 1 << 14)
    _, heads = chain_of("....")
    witness = Witness(path, "j", {})
    files = set()
    for number in range(1000):
        witness.write({f"T-{number % 7}": heads[1 + number % 4]})
        assert path.stat().st_size == 1 << 14
        files.add(path.stat().st_ino)
    assert len(files) > 1
    witness.close()
    found = read_witness(path)
    assert found is not None
    assert not found.damage
    assert found.heads == witness.heads
    assert [file.name for file in path.parent.iterdir()] == ["witness"]


def test_replaced_witness_is_noticed_unless_it_replaced_itself(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.store.files.SIZE", 1 << 12)
    monkeypatch.setattr("pitboss.store.files.CHECK_EVERY", 0.0)
    _, heads = chain_of("....")
    witness = Witness(path, "j", {})
    first = path.stat().st_ino
    number = 0
    while path.stat().st_ino == first:
        number += 1
        witness.write({"T-1": heads[1 + number % 4]})
    witness.write({"T-1": heads[1]})
    shutil.copy(path, path.with_name("copy"))
    os.replace(path.with_name("copy"), path)
    with pytest.raises(StoreError, match="witness was removed, renamed or replaced"):
        witness.write({"T-1": heads[2]})
    witness.close()


def test_many_tables_have_room(path: Path) -> None:
    _, heads = chain_of("..")
    many = {f"table {number}": heads[2] for number in range(3000)}
    witness = Witness(path, "j", many)
    witness.write({"table 5": heads[1]})
    witness.close()
    assert path.stat().st_size > SIZE
    found = read_witness(path)
    assert found is not None
    assert found.heads == many | {"table 5": heads[1]}


def test_files_of_a_dead_process_do_not_block(path: Path) -> None:
    path.with_name("witness-new").write_bytes(b"half of")
    Witness(path, "j", {}).close()
    assert [file.name for file in path.parent.iterdir()] == ["witness"]


quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@quick
@given(st.data())
def test_torn_last_line_is_ignored_and_not_damage(tmp_path: Path, data: st.DataObject) -> None:
    """Of a line that was not synced any part may be on disk, and the rest is still zeros."""
    _, heads = chain_of("....")
    witness = Witness(tmp_path / "torn", "j", {})
    witness.write({"T-1": heads[1]})
    before = (tmp_path / "torn").read_bytes()
    witness.write({"T-1": heads[2], "T-2": heads[3]})
    witness.close()
    after = (tmp_path / "torn").read_bytes()
    begin = len(before.rstrip(b"\0"))
    parts = sorted(data.draw(st.lists(st.integers(begin, len(after.rstrip(b"\0"))), min_size=2, max_size=2)))
    torn = before[: parts[0]] + after[parts[0] : parts[1]] + before[parts[1] :]
    (tmp_path / "torn").write_bytes(torn)
    found = read_witness(tmp_path / "torn")
    assert found is not None
    assert not found.damage
    assert found.heads in ({"T-1": heads[1]}, {"T-1": heads[2], "T-2": heads[3]})


@quick
@given(st.data())
def test_a_changed_byte_is_damage_or_touches_only_the_last_line(tmp_path: Path, data: st.DataObject) -> None:
    _, heads = chain_of("......")
    witness = Witness(tmp_path / "changed", "j", {"T-0": heads[1]})
    for head in heads[1:]:
        witness.write({"T-1": head})
    witness.close()
    content = bytearray((tmp_path / "changed").read_bytes())
    written = len(bytes(content).rstrip(b"\0"))
    last = bytes(content).rstrip(b"\n\0").rfind(b"\n") + 1
    at = data.draw(st.integers(0, written + 10))
    content[at] ^= data.draw(st.integers(1, 255))
    (tmp_path / "changed").write_bytes(content)
    found = read_witness(tmp_path / "changed")
    assert found is not None
    if not found.damage:
        assert at >= last - 1 or at >= written, "it must touch the last line"
        assert found.heads["T-1"] in heads[-2:]


# --- the journal against it


def test_a_journal_may_be_ahead_of_its_witness() -> None:
    entries, heads = chain_of(".|..|.")
    for head in heads:
        reading = read_witnessed("T-1", entries, heads[-1], head)
        assert (reading.torn_at, reading.lost) == (None, 0)


@for_each("left", range(6))
def test_a_journal_that_ends_before_its_witness_has_lost_the_rest(left: int) -> None:
    entries, heads = chain_of(".|..|.")
    reading = read_witnessed("T-1", entries[:left], heads[left], heads[-1])
    assert (reading.torn_at, reading.lost, reading.last) == (left + 1, 6 - left, 6)
    assert reading.finished == (left < 5)
    assert reading.entries == tuple(entries[:left])
    if reading.finished:
        with pytest.raises(StoreError):
            Chain("T-1", reading.head).mend(reading, b"void")
    else:
        chain = Chain("T-1", reading.head)
        repair = chain.mend(reading, b"void", seals=True)
        assert (repair.seq, repair.after) == (7, 5)
        for witnessed in (heads[-1], chain.head):  # before the witness knows of the repair, and after
            again = read_witnessed("T-1", [*entries[:left], repair], chain.head, witnessed)
            assert again.torn_at is None


def test_journal_that_diverges_from_its_witness_is_refused() -> None:
    entries, heads = chain_of(".|..|.")
    other = Chain("T-1", heads[3])
    others = [*entries[:3], *[other.append(b"another hand", seals=True) for _ in range(6)]]
    for seen in (4, 5, 6):
        reading = read_witnessed("T-1", others, other.head, heads[seen])
        assert (reading.torn_at, reading.finished) == (seen, True)
        assert "differs from the one that players received" in reading.tear


# --- next to a journal


def test_entries_are_announced_after_the_witness_is_written(sqlite_place: SqlitePlace) -> None:
    with open_store(sqlite_place.url) as store:
        chain = fresh_chain(store)
        seen: list[tuple[int, int]] = []

        def on_commit(entries: object) -> None:
            found = read_witness(witness_of(sqlite_place.path))
            assert found is not None
            seen.append((found.heads["T-1"].seq, found.heads["T-2"].seq))

        failures: list[BaseException] = []
        writer, other = Writer(store, on_commit, failures.append), fresh_chain(store, "T-2")
        for _ in range(20):
            writer.put([chain.append(b"one"), other.append(b"another")])
        writer.close()
    assert failures == []
    assert seen[-1] == (20, 20)


def test_unwritable_witness_prevents_announcements(sqlite_place: SqlitePlace, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store(sqlite_place.url) as store:
        chain = fresh_chain(store)

        def full(*_: object) -> int:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "pwrite", full)
        with pytest.raises(StoreError, match="is full: make room"):
            store.append([chain.append(b"one")])


def test_entries_read_by_an_owner_are_witnessed_before_announcement(sqlite_place: SqlitePlace) -> None:
    """The process ended between commit and witness; the next one sends players what only the journal knew."""
    filled(sqlite_place, [b"one", b"two", b"three"])
    Witness(witness_of(sqlite_place.path), journal_of(sqlite_place), {}).close()
    with open_store(sqlite_place.url) as store:
        head = store.read("T-1").head
    found = read_witness(witness_of(sqlite_place.path))
    assert found is not None
    assert found.heads == {"T-1": head}


def journal_of(place: SqlitePlace) -> str:
    """By what name a journal and its witness know each other."""
    found = read_witness(witness_of(place.path))
    assert found is not None
    return found.journal


def test_a_journal_of_before_gets_a_witness_without_a_word(sqlite_place: SqlitePlace) -> None:
    filled(sqlite_place, [b"one", b"two"])
    sqlite_place.alter("DROP TABLE pitboss_witness")
    witness_of(sqlite_place.path).unlink()
    with open_store(sqlite_place.url) as store:
        assert list(store.notices) == []
        head = store.read("T-1").head
    with open_store(sqlite_place.url) as store:
        assert list(store.notices) == []
    found = read_witness(witness_of(sqlite_place.path))
    assert found is not None
    assert found.heads == {"T-1": head}


@pytest.mark.parametrize("read_only", [False, True])
def test_an_old_copy_and_a_lost_table_are_found_out(sqlite_place: SqlitePlace, read_only: bool) -> None:
    filled(sqlite_place, [b"one", b"two"], sealed=2)
    old = sqlite_place.path.with_name("old")
    shutil.copy(sqlite_place.path, old)
    filled(sqlite_place, [b"three", b"four"], sealed=4)
    filled(sqlite_place, [b"one"], sealed=1, table="T-2")
    os.replace(old, sqlite_place.path)
    with open_store(sqlite_place.url, read_only=read_only) as store:
        assert store.tables() == ("T-1", "T-2")
        for table, lost in {"T-1": 2, "T-2": 1}.items():
            reading = store.read(table)
            assert (reading.lost, reading.finished) == (lost, True)
            assert f"({lost} lost)" in reading.tear


@pytest.mark.parametrize("read_only", [False, True])
def test_lost_open_entries_can_be_repaired_in_the_store(sqlite_place: SqlitePlace, read_only: bool) -> None:
    filled(sqlite_place, [b"one", b"two"], sealed=2)
    old = sqlite_place.path.with_name("old")
    shutil.copy(sqlite_place.path, old)
    filled(sqlite_place, [b"three", b"four"])
    os.replace(old, sqlite_place.path)
    with open_store(sqlite_place.url) as store:
        store.claim("T-1")
        reading = store.read("T-1")
        assert (reading.lost, reading.finished) == (2, False)
        chain = Chain("T-1", reading.head)
        store.append([chain.mend(reading, b"void", seals=True)])
        store.append([chain.append(b"five")])
    with open_store(sqlite_place.url, read_only=read_only) as store:
        reading = store.read("T-1")
        assert (reading.torn_at, list(store.notices)) == (None, [])
        assert [(entry.seq, entry.body) for entry in reading.entries][2:] == [(5, b"void"), (6, b"five")]


def test_a_reader_of_a_live_journal_never_sees_the_witness_ahead(sqlite_place: SqlitePlace) -> None:
    with holder(sqlite_place.url) as first:
        first.written()
        for _ in range(50):
            with open_store(sqlite_place.url, read_only=True) as reader:
                reading = reader.read("T-1")
                assert reading.torn_at is None, reading.tear
                assert list(reader.notices) == []
        first.stop()


def test_copy_without_its_witness_is_reported(sqlite_place: SqlitePlace, tmp_path: Path) -> None:
    filled(sqlite_place, [b"one"])
    shutil.copy(sqlite_place.path, tmp_path / "copy.db")
    for read_only in (True, False):
        with open_store(str(tmp_path / "copy.db"), read_only=read_only) as store:
            (notice,) = store.notices
            assert notice.startswith("THE WITNESS IS MISSING: copy.db-witness is not next to the journal")
    with SqliteStore(tmp_path / "copy.db") as store:
        assert store.notices == []
