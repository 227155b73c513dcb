"""The writer: everything that waits goes into one transaction, in order, and nothing more after a failure."""

import threading
from collections.abc import Sequence

import pytest

from pitboss.store import Chain, Entry, Fenced, Reading, Store, StoreError, Writer, open_store, start_hash
from pitboss.store.sqlite import SqliteStore
from tests.support.store.places import Place, SqlitePlace, fresh_chain

SECONDS = 60


class SlowStore(SqliteStore):
    """A store whose every append waits until the test lets it go."""

    def __init__(self, place: SqlitePlace) -> None:
        super().__init__(place.path)
        self.begun = threading.Semaphore(0)
        self.allowed = threading.Semaphore(0)
        self.threads: set[threading.Thread] = set()

    def append(self, entries: Sequence[Entry]) -> None:
        self.threads.add(threading.current_thread())
        self.begun.release()
        assert self.allowed.acquire(timeout=SECONDS)
        super().append(entries)


class Owner:
    """A writer's report."""

    def __init__(self) -> None:
        self.commits: list[list[Entry]] = []
        self.failures: list[BaseException] = []
        self.threads: set[threading.Thread] = set()
        self.heard = threading.Semaphore(0)

    def on_commit(self, entries: Sequence[Entry]) -> None:
        self.commits.append(list(entries))
        self.threads.add(threading.current_thread())
        self.heard.release()

    def on_failure(self, error: BaseException) -> None:
        self.failures.append(error)
        self.threads.add(threading.current_thread())
        self.heard.release()


def writer_of(store: Store, owner: Owner) -> Writer:
    """A writer that reports to an owner."""
    return Writer(store, owner.on_commit, owner.on_failure)


def test_entries_that_wait_for_the_disk_share_one_commit(sqlite_place: SqlitePlace) -> None:
    owner = Owner()
    with SlowStore(sqlite_place) as store:
        one, other = fresh_chain(store, "T-1"), fresh_chain(store, "T-2")
        writer = writer_of(store, owner)
        writer.start()
        first = one.append(b"first")
        writer.put([first])
        assert store.begun.acquire(timeout=SECONDS)
        waiting = [[one.append(b"a"), one.append(b"b")], [other.append(b"c")], [], [one.append(b"d")]]
        for entries in waiting:
            writer.put(entries)
        store.allowed.release(2)
        writer.close()
        assert owner.commits == [[first], [entry for entries in waiting for entry in entries]]
        assert owner.failures == []
        assert [entry.body for entry in store.read("T-1").entries] == [b"first", b"a", b"b", b"d"]
        assert [entry.body for entry in store.read("T-2").entries] == [b"c"]
        assert owner.threads == store.threads
        assert threading.current_thread() not in owner.threads
        assert len(owner.threads) == 1


def test_callbacks_run_after_the_commit(place: Place) -> None:
    seen: list[tuple[Entry, ...]] = []
    with open_store(place.url) as store, open_store(place.url, read_only=True) as reader:
        chain = fresh_chain(store)
        entries: list[Entry] = []

        def on_commit(committed: Sequence[Entry]) -> None:
            entries.extend(committed)
            seen.append(reader.read("T-1").entries)
            assert seen[-1] == tuple(entries)

        failures: list[BaseException] = []
        writer = Writer(store, on_commit, failures.append)
        writer.start()
        for n in range(20):
            writer.put([chain.append(b"%d" % n)])
        writer.close()
    assert failures == []
    assert seen[-1] == tuple(entries)
    assert len(entries) == 20


def test_entries_put_by_many_threads_are_all_written(place: Place) -> None:
    owner = Owner()
    with open_store(place.url) as store:
        chains = [fresh_chain(store, f"T-{n}") for n in range(4)]
        writer = writer_of(store, owner)
        writer.start()

        def play(chain: Chain) -> None:
            for n in range(100):
                writer.put([chain.append(b"%d" % n)])

        threads = [threading.Thread(target=play, args=(chain,)) for chain in chains]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        writer.close()
        assert owner.failures == []
        assert sum(map(len, owner.commits)) == 400
        for chain in chains:
            reading = store.read(chain.table)
            assert reading.torn_at is None
            assert [entry.body for entry in reading.entries] == [b"%d" % n for n in range(100)]


def test_after_a_failure_nothing_is_written_and_it_is_reported_once(place: Place) -> None:
    owner = Owner()
    with open_store(place.url) as store:
        chain = fresh_chain(store)
        writer = writer_of(store, owner)
        writer.start()
        good = chain.append(b"good")
        writer.put([good])
        assert owner.heard.acquire(timeout=SECONDS)
        elsewhere = Chain("T-1", start_hash("T-1"))
        writer.put([elsewhere.append(b"bad")])
        assert owner.heard.acquire(timeout=SECONDS)
        writer.put([chain.append(b"never")])
        assert writer._waiting.empty()  # entries that will not be written do not pile up
        writer.close()
        writer.close()
        assert owner.commits == [[good]]
        assert [type(error) for error in owner.failures] == [Fenced]
        assert store.read("T-1").entries == (good,)


def test_entries_behind_a_failure_are_not_written(sqlite_place: SqlitePlace) -> None:
    owner = Owner()
    with SlowStore(sqlite_place) as store:
        chain = fresh_chain(store)
        writer = writer_of(store, owner)
        writer.start()
        writer.put([Chain("T-2", start_hash("T-2")).append(b"of a table that nobody claimed")])
        assert store.begun.acquire(timeout=SECONDS)
        writer.put([chain.append(b"sound, but too late")])
        store.allowed.release(2)
        writer.close()
        assert (owner.commits, len(owner.failures)) == ([], 1)
        assert store.read("T-1").entries == ()


def test_an_owner_that_fails_stops_the_writing(place: Place) -> None:
    """Entries whose commit could not be reported must not be followed by others."""
    failures: list[BaseException] = []

    def on_commit(entries: Sequence[Entry]) -> None:
        raise ZeroDivisionError

    with open_store(place.url) as store:
        chain = fresh_chain(store)
        writer = Writer(store, on_commit, failures.append)
        writer.start()
        writer.put([chain.append(b"one")])
        writer.close()
        assert [type(error) for error in failures] == [ZeroDivisionError]
        assert len(store.read("T-1").entries) == 1


def test_a_callback_may_close_the_writer(sqlite_place: SqlitePlace) -> None:
    closed = threading.Event()
    with open_store(sqlite_place.url) as store:
        chain = fresh_chain(store)

        def close(_: object) -> None:
            writer.close()
            closed.set()

        writer = Writer(store, close, close)
        writer.start()
        writer.put([chain.append(b"one")])
        assert closed.wait(SECONDS)
        writer.close()
        assert len(store.read("T-1").entries) == 1


def test_close_writes_pending_entries_even_without_a_start(sqlite_place: SqlitePlace) -> None:
    owner = Owner()
    with open_store(sqlite_place.url) as store:
        chain = fresh_chain(store)
        writer = writer_of(store, owner)
        writer.put([chain.append(b"one")])
        writer.close()
        assert len(owner.commits) == len(store.read("T-1").entries) == 1
        with pytest.raises(RuntimeError, match="the writer is closed"):
            writer.put([chain.append(b"two")])


def test_a_store_that_is_read_while_the_writer_writes_gives_whole_readings(place: Place) -> None:
    """The store lets in one thread at a time, so that a mistake in handing it over cannot spoil a transaction."""
    owner = Owner()
    with open_store(place.url) as store:
        chain = fresh_chain(store)
        writer = writer_of(store, owner)
        writer.start()
        readings: list[Reading] = []
        for n in range(50):
            writer.put([chain.append(b"%d" % n)])
            readings.append(store.read("T-1"))
        writer.close()
        assert owner.failures == []
        assert all(reading.torn_at is None for reading in readings)
        assert len(store.read("T-1").entries) == 50


def test_a_closed_store_is_a_failure_like_any_other(place: Place) -> None:
    owner = Owner()
    store = open_store(place.url)
    chain = fresh_chain(store)
    writer = writer_of(store, owner)
    store.close()
    writer.start()
    writer.put([chain.append(b"one")])
    writer.close()
    assert [type(error) for error in owner.failures] == [StoreError]


def test_put_does_not_wait_for_the_disk(sqlite_place: SqlitePlace) -> None:
    owner = Owner()
    with SlowStore(sqlite_place) as store:
        chain = fresh_chain(store)
        writer = writer_of(store, owner)
        writer.start()
        for n in range(1000):  # nothing can be written yet: if it waited, it would wait forever
            writer.put([chain.append(b"%d" % n)])
        assert owner.commits == []
        store.allowed.release(1000)
        writer.close()
        assert sum(map(len, owner.commits)) == 1000
        assert len(owner.commits) <= 2
