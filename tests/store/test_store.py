"""What every journal must do, in SQLite and in PostgreSQL alike."""

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitboss.store import Chain, Entry, Fenced, Head, Store, StoreError, open_store, start_hash
from tests.support.store.places import Place, filled, fresh_chain

names = (f"law {number}" for number in itertools.count())
one_place_for_all = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def bodies_of(store: Store, table: str = "T-1") -> list[bytes]:
    """Return the bodies of a table that must be whole."""
    reading = store.read(table)
    assert reading.torn_at is None, reading.tear
    return [entry.body for entry in reading.entries]


# --- what is written is there


@pytest.mark.check
@one_place_for_all
@given(st.lists(st.lists(st.tuples(st.binary(max_size=300), st.booleans()), max_size=5), max_size=5))
def test_appended_entries_read_back(place: Place, batches: Sequence[Sequence[tuple[bytes, bool]]]) -> None:
    table = next(names)
    with open_store(place.url) as store:
        chain = fresh_chain(store, table)
        written: list[Entry] = []
        for batch in batches:
            entries = [chain.append(body, seals=seals) for body, seals in batch]
            store.append(entries)
            written += entries
        reading = store.read(table)
        assert reading.entries == tuple(written)
        assert reading.head == chain.head
        assert reading.torn_at is None
    with open_store(place.url, read_only=True) as store:
        assert store.read(table) == reading


def test_new_table_is_empty_and_continues_when_reopened(place: Place) -> None:
    with open_store(place.url) as store:
        chain = fresh_chain(store)
        assert store.read("T-1").entries == ()
        store.append([chain.append(b"one")])
    with open_store(place.url) as store:
        chain = fresh_chain(store)
        assert chain.head.seq == 1
        store.append([chain.append(b"two")])
        assert bodies_of(store) == [b"one", b"two"]


def test_tables_are_listed_in_the_order_they_were_made(place: Place) -> None:
    with open_store(place.url) as store:
        assert store.tables() == ()
        for table in ("T-2", "T-10", "T-1", "T-2"):
            store.claim(table)
        assert store.tables() == ("T-2", "T-10", "T-1")
    with open_store(place.url) as store:
        assert store.tables() == ("T-2", "T-10", "T-1")


def test_one_batch_may_hold_entries_of_many_tables(place: Place) -> None:
    with open_store(place.url) as store:
        chains = [fresh_chain(store, f"T-{n}") for n in range(5)]
        store.append([chain.append(b"%d" % n) for n in range(3) for chain in chains])
        assert [bodies_of(store, chain.table) for chain in chains] == [[b"0", b"1", b"2"]] * 5


def test_part_can_be_read_while_the_owner_writes(place: Place) -> None:
    with open_store(place.url) as store:
        chain = fresh_chain(store)
        entries = [chain.append(b"%d" % number, seals=number % 2 == 0) for number in range(5)]
        store.append(entries)
        with store.open_reader() as reader:
            assert reader.part("T-1", 0, 10) == tuple(entries)
            assert reader.part("T-1", 2, 2) == tuple(entries[2:4])
            assert reader.part("T-1", 5, 10) == reader.part("T-9", 0, 10) == ()
            more = chain.append(b"more")
            store.append([more])
            assert reader.part("T-1", 5, 10) == (more,)
            with pytest.raises(StoreError, match="reading only"):
                reader.append([chain.append(b"no")])
            with reader.open_reader() as another:
                assert another.part("T-1", 4, 1) == (entries[4],)


def test_empty_batch_has_no_effect(place: Place) -> None:
    with open_store(place.url) as store:
        store.append([])
        assert store.tables() == ()


def test_bodies_are_any_bytes_and_names_any_printable_text(place: Place) -> None:
    body = bytes(range(256)) * 4000
    with open_store(place.url) as store:
        for table in ("Tisch № 7 ♠", "'; DROP TABLE pitboss_entry; --", "%s ?"):
            chain = fresh_chain(store, table)
            store.append([chain.append(body), chain.append(b"")])
            assert bodies_of(store, table) == [body, b""]


# --- all or nothing


def test_batch_with_one_invalid_entry_writes_nothing(place: Place) -> None:
    with open_store(place.url) as store:
        one, other = fresh_chain(store, "T-1"), fresh_chain(store, "T-2")
        store.append([one.append(b"first"), other.append(b"first")])
        good = one.append(b"good")
        other.append(b"never written")
        with pytest.raises(Fenced, match=r"entry 3 of table T-2 does not continue .* ends with entry 1"):
            store.append([good, other.append(b"bad")])
        assert bodies_of(store, "T-1") == bodies_of(store, "T-2") == [b"first"]
        store.append([good])
        assert bodies_of(store, "T-1") == [b"first", b"good"]


def test_batch_refused_by_the_database_writes_nothing(place: Place) -> None:
    """The check in Python lets it pass, the recorded end is moved, and then the database finds a row in the way."""
    filled(place, [b"one"])
    with open_store(place.url) as store:
        chain, other = fresh_chain(store), fresh_chain(store, "T-2")
        place.alter(
            "INSERT INTO pitboss_entry (table_id, seq, after, seals, body, hash) "
            "SELECT table_id, 2, 1, 0, body, hash FROM pitboss_entry WHERE seq = 1"
        )
        with pytest.raises(Fenced, match="already has such an entry"):
            store.append([other.append(b"innocent"), chain.append(b"two")])
        assert bodies_of(store, "T-2") == []
        torn = store.read("T-1")
        assert (torn.torn_at, torn.head.seq, torn.last) == (2, 1, 2)


@pytest.mark.check
@pytest.mark.parametrize("length", [1, 2, 3, 511, 512, 513, 1300])
def test_batches_of_any_length_are_written_whole_or_not_at_all(place: Place, length: int) -> None:
    with open_store(place.url) as store:
        chain = fresh_chain(store)
        batch = [chain.append(b"%d" % n) for n in range(length)]
        place.alter(  # a row where the last entry of the batch belongs
            "INSERT INTO pitboss_entry (table_id, seq, after, seals, body, hash) "
            "SELECT id, ?, 0, 0, hash, hash FROM pitboss_table",
            length,
        )
        with pytest.raises(Fenced, match="already has such an entry"):
            store.append(batch)
        assert place.alter("DELETE FROM pitboss_entry") == 1
        assert store.read("T-1").entries == ()
        store.append(batch)
        assert store.read("T-1").entries == tuple(batch)


@pytest.mark.parametrize("wrong", ["again", "gap", "other chain", "altered", "back", "twice"])
def test_non_consecutive_entry_is_refused(place: Place, wrong: str) -> None:
    with open_store(place.url) as store:
        chain = fresh_chain(store)
        first = [chain.append(b"one"), chain.append(b"two")]
        store.append(first)
        third, fourth = chain.append(b"three"), chain.append(b"four")
        elsewhere = Chain("T-1", store.read("T-1").head)
        elsewhere.append(b"not three")
        batch = {
            "again": [first[1]],
            "gap": [fourth],
            "other chain": [third, elsewhere.append(b"four")],
            "altered": [Entry("T-1", 3, 2, b"not three", third.hash, False)],
            "back": [Entry("T-1", 3, 3, b"three", third.hash, False)],
            "twice": [third, third],
        }[wrong]
        with pytest.raises(Fenced, match="does not continue"):
            store.append(batch)
        assert bodies_of(store) == [b"one", b"two"]
        store.append([third, fourth])
        assert bodies_of(store) == [b"one", b"two", b"three", b"four"]


# --- one owner


def test_a_table_must_be_claimed_before_it_is_written(place: Place) -> None:
    filled(place, [b"one"])
    with open_store(place.url) as store:
        chain = Chain("T-1", store.read("T-1").head)
        with pytest.raises(Fenced, match="table T-1 does not belong to this process: claim it"):
            store.append([chain.append(b"two")])
        assert bodies_of(store) == [b"one"]


def test_owner_with_an_old_epoch_can_no_longer_write(place: Place) -> None:
    with open_store(place.url) as store:
        one, other = fresh_chain(store, "T-1"), fresh_chain(store, "T-2")
        store.append([one.append(b"mine"), other.append(b"mine")])
        assert place.alter("UPDATE pitboss_table SET epoch = epoch + 1 WHERE name = 'T-2'") == 1
        with pytest.raises(Fenced, match="another process has taken over table T-2"):
            store.append([one.append(b"late"), other.append(b"late")])
        assert bodies_of(store, "T-1") == bodies_of(store, "T-2") == [b"mine"]


def test_owner_behind_its_table_can_no_longer_write(place: Place) -> None:
    with open_store(place.url) as store:
        chain = fresh_chain(store)
        assert place.alter("UPDATE pitboss_table SET seq = 5") == 1
        with pytest.raises(Fenced, match="another process has taken over table T-1"):
            store.append([chain.append(b"late")])
        assert store.read("T-1").entries == ()


def test_claiming_again_keeps_the_table_and_raises_the_epoch(place: Place) -> None:
    with open_store(place.url) as store:
        chain = fresh_chain(store)
        store.append([chain.append(b"one")])
        store.claim("T-1")
        store.append([chain.append(b"two")])
        assert bodies_of(store) == [b"one", b"two"]
    assert place.alter("UPDATE pitboss_table SET epoch = epoch WHERE epoch = 2") == 1


@pytest.mark.parametrize("name", ["", "a\nb", "a\0b", "\ud800"])
def test_a_table_needs_a_name_that_can_be_printed(place: Place, name: str) -> None:
    with open_store(place.url) as store:
        with pytest.raises(StoreError, match="table: expected a name of printable characters"):
            store.claim(name)
        assert store.tables() == ()


# --- tears


@pytest.mark.check
@pytest.mark.parametrize(
    ("sql", "torn_at", "finished"),
    [
        ("DELETE FROM pitboss_entry WHERE seq = 4", 4, False),
        ("DELETE FROM pitboss_entry WHERE seq = 5", 5, False),
        ("DELETE FROM pitboss_entry WHERE seq >= 2", 2, True),
        ("UPDATE pitboss_entry SET body = hash WHERE seq = 5", 5, False),
        ("UPDATE pitboss_entry SET hash = body WHERE seq = 1", 1, True),
        ("UPDATE pitboss_entry SET seals = 0 WHERE seq = 3", 3, True),
        ("UPDATE pitboss_entry SET seals = 7 WHERE seq = 4", 4, False),
        ("UPDATE pitboss_entry SET after = 2 WHERE seq = 4", 4, False),
        ("UPDATE pitboss_entry SET seq = 9 WHERE seq = 2", 2, True),
        ("UPDATE pitboss_entry SET seq = 9 WHERE seq = 5", 5, False),
        ("UPDATE pitboss_table SET seq = 4", 4, False),
        ("UPDATE pitboss_table SET hash = seal", 5, False),
        ("UPDATE pitboss_table SET sealed = 0", 3, True),
        ("UPDATE pitboss_table SET seal = hash", 3, True),
        ("UPDATE pitboss_table SET name = 'T-2'", 1, True),
    ],
)
def test_whatever_is_done_behind_the_stores_back_is_seen(place: Place, sql: str, torn_at: int, finished: bool) -> None:
    written = filled(place, [b"1", b"2", b"3", b"4", b"5"], sealed=3)
    assert place.alter(sql) > 0
    with open_store(place.url, read_only=True) as store:
        table = store.tables()[0]
        reading = store.read(table)
    assert (reading.torn_at, reading.finished) == (torn_at, finished)
    assert reading.entries == tuple(written[: torn_at - 1])


def test_seal_on_a_table_without_finished_entries_has_no_meaning(place: Place) -> None:
    written = filled(place, [b"1", b"2"])
    assert place.alter("UPDATE pitboss_table SET seal = hash") == 1
    with open_store(place.url, read_only=True) as store:
        reading = store.read("T-1")
    assert (reading.entries, reading.torn_at) == (tuple(written), None)


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM pitboss_entry WHERE seq = 4",
        "DELETE FROM pitboss_entry WHERE seq > 2",
        "UPDATE pitboss_entry SET body = hash WHERE seq = 3",
        "UPDATE pitboss_entry SET seq = 12 WHERE seq = 5",
        "UPDATE pitboss_table SET hash = seal",
    ],
)
def test_torn_open_entries_are_repaired_permanently(place: Place, damage: str) -> None:
    filled(place, [b"1", b"2", b"3", b"4", b"5"], sealed=2)
    place.alter(damage)
    with open_store(place.url) as store:
        store.claim("T-1")
        torn = store.read("T-1")
        assert torn.torn_at is not None
        chain = Chain("T-1", torn.head)
        store.append([chain.mend(torn, b"void", seals=True), chain.append(b"on")])
        whole = [*(entry.body for entry in torn.entries), b"void", b"on"]
        assert bodies_of(store) == whole
    with open_store(place.url) as store:
        chain = fresh_chain(store)
        assert chain.head.sealed == torn.last + 1
        store.append([chain.append(b"and on")])
        assert bodies_of(store) == [*whole, b"and on"]


def test_table_without_its_open_entries_is_repaired_from_its_start(place: Place) -> None:
    filled(place, [b"1", b"2"])
    place.alter("DELETE FROM pitboss_entry")
    with open_store(place.url) as store:
        store.claim("T-1")
        torn = store.read("T-1")
        chain = Chain("T-1", torn.head)
        store.append([chain.mend(torn, b"void")])
        assert bodies_of(store) == [b"void"]


@pytest.mark.parametrize(("seq", "after"), [(6, 2), (6, 0), (8, 4), (5, 3), (6, 99)])
def test_invalid_repair_is_refused(place: Place, seq: int, after: int) -> None:
    """Entry 3 is finished and 5 the last: a repair is entry 6 and follows entry 3, 4 or 5."""
    written = filled(place, [b"1", b"2", b"3", b"4", b"5"], sealed=3)
    hashes = {0: start_hash("T-1").hash, **{entry.seq: entry.hash for entry in written}}
    chain = Chain("T-1", Head(seq=after, hash=hashes.get(after, bytes(32))))
    with open_store(place.url) as store:
        store.claim("T-1")
        with pytest.raises(Fenced, match="does not continue"):
            store.append([chain._add(seq, b"forged", True)])
        assert bodies_of(store) == [b"1", b"2", b"3", b"4", b"5"]


def test_a_damaged_record_of_a_table_is_reported_and_other_tables_are_read(place: Place) -> None:
    filled(place, [b"1"])
    filled(place, [b"2"], table="T-2")
    place.alter("UPDATE pitboss_table SET hash = ? WHERE name = 'T-1'", b"short")
    with open_store(place.url) as store:
        assert bodies_of(store, "T-2") == [b"2"]
        for attempt in (store.read, store.claim):
            with pytest.raises(StoreError, match=r"the record of table T-1 in .* is damaged: restore"):
                attempt("T-1")


# --- reading only


def test_reader_sees_commits_while_the_owner_writes(place: Place) -> None:
    with open_store(place.url) as store, open_store(place.url, read_only=True) as reader:
        assert reader.tables() == ()
        chain = fresh_chain(store)
        for n in range(1, 4):
            store.append([chain.append(b"%d" % n)])
            assert reader.read("T-1") == store.read("T-1")
            assert len(bodies_of(reader)) == n


def test_reader_writes_nothing(place: Place) -> None:
    filled(place, [b"1"])
    with open_store(place.url, read_only=True) as reader:
        chain = Chain("T-1", reader.read("T-1").head)
        with pytest.raises(StoreError, match="is open for reading only"):
            reader.claim("T-1")
        with pytest.raises(StoreError, match="is open for reading only"):
            reader.append([chain.append(b"2")])
        assert bodies_of(reader) == [b"1"]
    assert place.alter("UPDATE pitboss_table SET epoch = epoch WHERE epoch = 1") == 1


def test_a_reader_makes_no_journal(place: Place) -> None:
    with pytest.raises(StoreError, match=r"give the (file|database) of an arena that has run"):
        open_store(place.url, read_only=True)
    with open_store(place.url) as store:  # and nothing is in the way of making it now
        assert store.tables() == ()


# --- opening and closing


def test_an_unknown_table_is_reported_with_those_that_are_there(place: Place) -> None:
    with open_store(place.url) as store:
        with pytest.raises(StoreError, match=r"has no table T-9; tables: none yet"):
            store.read("T-9")
        store.claim("T-1")
        store.claim("T-2")
        with pytest.raises(StoreError, match=r"has no table T-9; tables: T-1, T-2"):
            store.read("T-9")


@pytest.mark.parametrize("read_only", [False, True])
def test_a_journal_of_a_newer_version_is_left_alone(place: Place, read_only: bool) -> None:
    filled(place, [b"1"])
    raise_version = "PRAGMA user_version = 2" if place.url.endswith(".db") else "UPDATE pitboss_version SET version = 2"
    place.alter(raise_version)
    with pytest.raises(
        StoreError, match=r"newer pitboss \(journal version 2, this one reads up to 1\): update pitboss"
    ):
        open_store(place.url, read_only=read_only)


@pytest.mark.check
@pytest.mark.parametrize("read_only", [False, True])
def test_a_closed_store_is_closed(place: Place, read_only: bool) -> None:
    filled(place, [b"1"])
    store = open_store(place.url, read_only=read_only)
    store.close()
    store.close()
    for attempt in (store.tables, lambda: store.read("T-1"), lambda: store.claim("T-1")):
        with pytest.raises(StoreError, match="is closed: open it again"):
            attempt()


def test_an_address_of_no_known_kind_is_refused_without_its_secrets() -> None:
    with pytest.raises(StoreError, match=r"expected the path of a file or .*, got mysql://") as refusal:
        open_store("mysql://me:secret@host/db")
    assert "secret" not in str(refusal.value)
