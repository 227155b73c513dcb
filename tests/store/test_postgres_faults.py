"""A PostgreSQL that hangs, restarts, fails over or is cut off: that is reported, and no entry is lost or doubled."""

import logging
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest
from click.testing import CliRunner

from pitboss.cli.main import cli
from pitboss.store import (
    Chain,
    DatabaseUnavailable,
    Entry,
    Fenced,
    InUse,
    LostEntries,
    Reading,
    Store,
    StoreError,
    Writer,
    open_store,
    postgres,
    response_timeout,
)
from pitboss.store.postgres import PostgresStore
from tests.support.store.places import PostgresPlace, fresh_chain
from tests.support.store.servers import PostgresServer, server_or_skip
from tests.support.store.wires import State, Wire

pytestmark = pytest.mark.check

SECONDS = 60
T = TypeVar("T")


@pytest.fixture(scope="module")
def running_server() -> Iterator[PostgresServer]:
    """Run a server that these tests may stop and start, or skip them where none can be run."""
    with server_or_skip() as server:
        yield server


@pytest.fixture
def server(running_server: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[PostgresServer]:
    """The server, with limits shorter than usual."""
    monkeypatch.setattr(response_timeout, "FIRST_WARNING_AFTER", 0.3)
    monkeypatch.setattr(postgres, "SILENCE", 1.0)
    monkeypatch.setattr(postgres, "LOCKED", 0.7)
    monkeypatch.setattr(postgres, "GRACE", 0.5)
    monkeypatch.setattr(postgres, "CONNECTING", 2)
    yield running_server
    running_server.thaw()


@pytest.fixture
def place(server: PostgresServer) -> PostgresPlace:
    """A new schema in the server."""
    return PostgresPlace.new(server.url)


@contextmanager
def frozen(server: PostgresServer) -> Iterator[None]:
    """A server that does not answer."""
    server.freeze()
    try:
        yield
    finally:
        server.thaw()


@contextmanager
def elsewhere(work: Callable[[], T]) -> Iterator[Future[T]]:
    """Do something in another thread meanwhile."""
    with ThreadPoolExecutor(1) as thread:
        yield thread.submit(work)


def read(place: PostgresPlace, table: str = "T-1") -> Reading:
    """What any reader finds in the journal."""
    with open_store(place.url, read_only=True) as store:
        reading = store.read(table)
    assert reading.torn_at is None, reading.tear
    return reading


def opened(url: str, patience: float = SECONDS) -> PostgresStore:
    """A journal open for writing."""
    store = open_store(url, patience=patience)
    assert isinstance(store, PostgresStore)
    return store


class Ear(logging.Handler):
    """Collects every line of the log, and can wait for one."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._news = threading.Condition()

    def emit(self, record: logging.LogRecord) -> None:
        """A line is logged."""
        with self._news:
            self.text += f"{record.getMessage()}\n"
            self._news.notify_all()

    def wait_for(self, *parts: str) -> None:
        """Wait until all of this was logged."""
        with self._news:
            assert self._news.wait_for(lambda: all(part in self.text for part in parts), SECONDS), self.text


@pytest.fixture
def ear() -> Iterator[Ear]:
    """What the store logs."""
    heard, log = Ear(), logging.getLogger("pitboss.store")
    log.addHandler(heard)
    yield heard
    log.removeHandler(heard)


class Reported:
    """The entries that a writer says are on disk."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._news = threading.Condition()

    def add(self, entries: Sequence[Entry]) -> None:
        """Some more are."""
        with self._news:
            self.entries += entries
            self._news.notify_all()

    def wait_for_more(self) -> None:
        """Wait until there are some more."""
        with self._news:
            enough = len(self.entries) + 20
            assert self._news.wait_for(lambda: len(self.entries) >= enough, SECONDS)


# --- a server that hangs


def test_frozen_server_is_reported_and_awaited(server: PostgresServer, place: PostgresPlace, ear: Ear) -> None:
    with opened(place.url) as store:
        chain = fresh_chain(store)
        store.append([chain.append(b"one")])
        pid = store.connection.info.backend_pid
        with frozen(server), elsewhere(lambda: store.append([chain.append(b"two")])) as appending:
            ear.wait_for("has not answered")
            assert not appending.done()
            server.thaw()
            appending.result(SECONDS)
        assert "answers again, after" in ear.text
        assert store.connection.info.backend_pid == pid
    assert [entry.body for entry in read(place).entries] == [b"one", b"two"]


def test_long_frozen_server_is_reconnected_and_every_entry_is_stored_once(
    server: PostgresServer, place: PostgresPlace, ear: Ear
) -> None:
    with opened(place.url) as store:
        chains = [fresh_chain(store, f"T-{k}") for k in range(3)]
        for chain in chains:
            store.append([chain.append(b"one")])
        with frozen(server), elsewhere(lambda: store.append([chains[0].append(b"two")])) as appending:
            ear.wait_for("no answer for 1 s")
            server.thaw()
            appending.result(SECONDS)
        assert "is back after" in ear.text
        for chain in chains:
            store.append([chain.append(b"three")])
        with pytest.raises(StoreError, match="in use by another process"), opened(place.url) as other:
            other.claim("T-2")  # its locks are taken again, of all its tables
    assert [entry.body for entry in read(place, "T-0").entries] == [b"one", b"two", b"three"]
    assert [entry.body for entry in read(place, "T-2").entries] == [b"one", b"three"]


@pytest.mark.timing
def test_patience_ends_with_a_sentence_and_the_next_owner_continues(
    server: PostgresServer, place: PostgresPlace
) -> None:
    with opened(place.url, patience=3) as store:
        chain = fresh_chain(store)
        store.append([chain.append(b"one")])
        began = time.monotonic()
        with (
            frozen(server),
            pytest.raises(DatabaseUnavailable, match=r"did not answer for \d s, so the last \d+ entries"),
        ):
            store.append([chain.append(b"two")])
        assert time.monotonic() - began < 3 + 1 + 2 + 2  # its patience, one silence, one connecting, a busy machine
    known = len(read(place).entries)
    assert known in (1, 2), "nobody was told of the second"
    with opened(place.url) as store:
        store.append([fresh_chain(store).append(b"next")])
    assert len(read(place).entries) == known + 1


def test_silent_connection_is_replaced(server: PostgresServer, place: PostgresPlace, tmp_path: Path, ear: Ear) -> None:
    with Wire(server.folder, tmp_path) as wire, opened(over(wire, place)) as store:
        chain = fresh_chain(store)
        store.append([chain.append(b"one")])
        wire.state = "swallowing"
        with elsewhere(lambda: store.append([chain.append(b"two")])) as appending:
            ear.wait_for("no answer for 1 s")
            wire.state = "whole"  # the lost answer never comes, and the old connection's locks are still held
            appending.result(SECONDS)
        store.append([chain.append(b"three")])
    assert [entry.body for entry in read(place).entries] == [b"one", b"two", b"three"]


@pytest.mark.parametrize(
    "lock", ["LOCK TABLE pitboss_entry", "SELECT * FROM pitboss_table FOR UPDATE"], ids=["the entries", "the end"]
)
def test_foreign_lock_is_reported_and_awaited(place: PostgresPlace, lock: str, ear: Ear) -> None:
    import psycopg

    with opened(place.url) as store, psycopg.connect(place.url) as other:
        chain = fresh_chain(store)
        store.append([chain.append(b"one")])
        other.execute(lock)
        with elsewhere(lambda: store.append([chain.append(b"two")])) as appending:
            ear.wait_for("has not answered", "lock timeout")
            other.rollback()
            appending.result(SECONDS)
        store.append([chain.append(b"three")])
    assert [entry.body for entry in read(place).entries] == [b"one", b"two", b"three"]


# --- a connection that is lost


def over(wire: Wire, place: PostgresPlace) -> str:
    """The address of a journal over a wire."""
    return wire.url + "&" + place.url.partition("&")[2]


@pytest.mark.parametrize(("state", "said"), [("before commit", "written now"), ("after commit", "already written")])
def test_a_connection_cut_at_a_commit_leaves_it_done_exactly_once(
    server: PostgresServer,
    place: PostgresPlace,
    tmp_path: Path,
    state: State,
    said: str,
    ear: Ear,
) -> None:
    with Wire(server.folder, tmp_path) as wire, opened(over(wire, place)) as store:
        one, other = fresh_chain(store, "T-1"), fresh_chain(store, "T-2")
        for number in range(5):
            wire.state = state
            store.append([one.append(b"a %d" % number), other.append(b"b %d" % number, seals=True)])
            store.append([one.append(b"c %d" % number)])
        assert wire.breaks == 5
    assert ear.text.count(said) == 5
    assert read(place, "T-1").head == one.head
    assert read(place, "T-2").head == other.head
    assert len(read(place, "T-1").entries) == 10


def test_a_lost_connection_is_made_again(place: PostgresPlace, ear: Ear) -> None:
    with opened(place.url) as store:
        chain = fresh_chain(store)
        for number in range(3):
            store.append([chain.append(b"%d" % number)])
            place.ask("SELECT pg_terminate_backend(?)", store.connection.info.backend_pid)
        store.append([chain.append(b"last")])
    assert ear.text.count("is lost (terminating connection due to administrator command)") == 3
    assert read(place).head == chain.head


@pytest.mark.parametrize("mode", ["immediate", "fast"])
def test_server_restarts_during_writes_lose_nothing(server: PostgresServer, place: PostgresPlace, mode: str) -> None:
    """Also faults during a commit: an entry that a client has seen is there, and no entry is there twice."""
    with opened(place.url) as store:
        chain = fresh_chain(store)
        reported = Reported()
        failures: list[BaseException] = []
        writer = Writer(store, reported.add, failures.append)
        writer.start()
        stop = threading.Event()

        def play() -> None:
            while not stop.wait(0.001):
                writer.put([chain.append(b"%d" % chain.head.seq)])

        with elsewhere(play):
            for _ in range(3):
                reported.wait_for_more()
                server.stop(mode)
                server.start()
            reported.wait_for_more()
            stop.set()
        writer.close()
    assert failures == []
    assert read(place).entries == tuple(reported.entries)
    assert read(place).head == chain.head


def test_permanently_lost_server_ends_in_a_sentence(server: PostgresServer, place: PostgresPlace) -> None:
    with opened(place.url, patience=1) as store:
        chain = fresh_chain(store)
        store.append([chain.append(b"one")])
        server.stop()
        try:
            with pytest.raises(DatabaseUnavailable, match=r"postgresql://.* does not answer .*, and start again"):
                store.append([chain.append(b"two")])
        finally:
            server.start()
    assert len(read(place).entries) == 1


# --- a server that comes back as another


def test_a_standby_that_lacks_the_end_is_not_written_to(server: PostgresServer, place: PostgresPlace) -> None:
    with opened(place.url) as store:
        chain, other = fresh_chain(store), fresh_chain(store, "T-2")
        store.append([chain.append(b"%d" % number) for number in range(3)] + [other.append(b"there")])
        copy = server.copy()
        store.append([chain.append(b"%d" % number) for number in range(3, 7)])
        server.fail_over(copy)
        with pytest.raises(LostEntries, match="WITHOUT ITS END") as lost:
            store.append([other.append(b"another table's entry"), chain.append(b"never")])
        assert "T-1 ends with entry 3, but players received everything up to entry 7" in str(lost.value)
        assert "T-2" not in str(lost.value)
    assert len(read(place).entries) == 3
    assert len(read(place, "T-2").entries) == 1


def test_a_standby_without_the_table_is_not_written_to(server: PostgresServer, place: PostgresPlace) -> None:
    with opened(place.url) as store:
        copy = server.copy()
        chain = fresh_chain(store)
        store.append([chain.append(b"one")])
        server.fail_over(copy)
        with pytest.raises(LostEntries, match="T-1 ends with nothing, but players received everything up to entry 1"):
            store.append([chain.append(b"two")])


def test_own_former_connection_is_not_called_another_process(place: PostgresPlace) -> None:
    with opened(place.url) as store:
        chain = fresh_chain(store)
        store.append([chain.append(b"one")])
        former, store.connection = store.connection, store._connect()
        with former, pytest.raises(InUse, match="still locked by an earlier connection of this process"):
            store._lock_table("T-1")


def test_owner_that_lost_connection_and_table_stops(place: PostgresPlace) -> None:
    with opened(place.url) as store:
        chain = fresh_chain(store)
        store.append([chain.append(b"one")])
        place.ask("SELECT pg_terminate_backend(?)", store.connection.info.backend_pid)
        with opened(place.url) as other:
            next_chain = fresh_chain(other)
            other.append([next_chain.append(b"other")])
            with pytest.raises(Fenced, match="another process has taken over table T-1"):
                store.append([chain.append(b"two")])
            other.append([next_chain.append(b"other again")])
    assert [entry.body for entry in read(place).entries] == [b"one", b"other", b"other again"]


def test_witness_notices_missing_entries_of_a_standby_at_the_next_start(
    server: PostgresServer, place: PostgresPlace, tmp_path: Path
) -> None:
    witness = tmp_path / "heads"
    with open_store(place.url, witness=witness) as store:
        assert store.notices == []
        chain = fresh_chain(store)
        store.append([chain.append(b"%d" % number) for number in range(3)])
        with pytest.raises(InUse, match="in use by another process"):
            open_store(place.url, witness=witness)
        copy = server.copy()
        store.append([chain.append(b"%d" % number) for number in range(3, 7)])
    with open_store(place.url, witness=witness) as store:
        assert store.read("T-1").torn_at is None
    server.fail_over(copy)
    with open_store(place.url, witness=witness) as store:
        reading = store.read("T-1")
        assert (reading.torn_at, reading.lost) == (4, 4)
        assert "ends with entry 3, but players received everything up to entry 7 (4 lost)" in reading.tear
    with open_store(place.url) as store:
        assert store.read("T-1").torn_at is None, "without its witness nobody can know"
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_new_witness_is_reported_and_a_foreign_one_refused(
    place: PostgresPlace, server: PostgresServer, tmp_path: Path
) -> None:
    with open_store(place.url) as store:
        store.append([fresh_chain(store).append(b"one")])
    with open_store(place.url, witness=tmp_path / "heads") as store:
        assert [notice.partition(" is new, ")[2] for notice in store.notices] == [
            "so earlier losses of entries cannot be detected"
        ]
    other = PostgresPlace.new(server.url)
    open_store(other.url, witness=tmp_path / "others").close()
    with pytest.raises(StoreError, match="is the witness of another journal"):
        open_store(other.url, witness=tmp_path / "heads")
    with pytest.raises(StoreError, match="one in SQLite has its own"):
        open_store(str(tmp_path / "pitboss.db"), witness=tmp_path / "heads")
    with pytest.raises(StoreError, match="cannot be read or written"):
        open_store(place.url, witness=tmp_path / "no folder" / "heads")


# --- an end within seconds


@pytest.mark.timing
def test_a_writer_is_closed_within_seconds_while_the_server_hangs(
    server: PostgresServer, place: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "SILENCE", 600.0)
    reported: list[Entry] = []
    failures: list[BaseException] = []
    with opened(place.url, patience=600) as store:
        chain = fresh_chain(store)
        writer = Writer(store, reported.extend, failures.append)
        writer.start()
        with frozen(server):
            writer.put([chain.append(b"one")])
            began = time.monotonic()
            writer.close()
            store.close()
            assert time.monotonic() - began < 5
    assert reported == []
    assert len(failures) == 1
    assert "did not answer until this was stopped" in str(failures[0])


def look(store: Store) -> object:
    """Read as verify and export do."""
    return store.read("T-1")


def claim(store: Store) -> object:
    """Write as a server that starts does."""
    store.claim("T-9")
    return None


@pytest.mark.timing
@pytest.mark.parametrize("work", [look, claim])
def test_readers_and_starters_learn_of_a_frozen_server_within_seconds(
    server: PostgresServer, place: PostgresPlace, work: Callable[[Store], object]
) -> None:
    with opened(place.url) as store:
        store.append([fresh_chain(store).append(b"one")])
    with open_store(place.url, read_only=work is look) as store, frozen(server):
        began = time.monotonic()
        with pytest.raises(DatabaseUnavailable, match=r"is lost \(no answer for 1 s\)"):
            work(store)
        assert time.monotonic() - began < 3


@pytest.mark.timing
@pytest.mark.parametrize("command", [["verify"], ["export", "hands"], ["serve", "--port", "0", "--db"]])
def test_commands_report_a_frozen_server_within_seconds(
    server: PostgresServer, place: PostgresPlace, tmp_path: Path, command: Sequence[str]
) -> None:
    with opened(place.url) as store:
        store.append([fresh_chain(store).append(b"one")])
    arguments = ["arena", command[0], *command[1:], place.url]
    if command[0] == "export":
        arguments = ["arena", "export", place.url, str(tmp_path / "hands")]
    with frozen(server):
        began = time.monotonic()
        result = CliRunner().invoke(cli, arguments)
        assert time.monotonic() - began < 8
    assert result.exit_code == 1
    assert "does not answer" in result.output


# --- no password


def test_no_log_line_and_no_error_holds_the_password(server: PostgresServer, place: PostgresPlace, ear: Ear) -> None:
    url = place.url.replace("pitboss@", "pitboss:s3cr%20et@")
    said: list[str] = []
    with opened(url, patience=2) as store:
        chain = fresh_chain(store)
        with frozen(server), pytest.raises(DatabaseUnavailable) as failure:
            store.append([chain.append(b"one")])
        said += traceback.format_exception(failure.value)
    with opened(url, patience=0.5) as store:
        chain = Chain("T-1", store.read("T-1").head)
        store.claim("T-1")
        server.stop()
        try:
            with pytest.raises(DatabaseUnavailable) as failure:
                store.append([chain.append(b"two")])
        finally:
            server.start()
        said += traceback.format_exception(failure.value)
    assert "has not answered" in ear.text
    assert "does not answer" in ear.text + "".join(said)
    assert "s3cr" not in ear.text + "".join(said)


@pytest.mark.parametrize("command", ["verify", "export"])
def test_commands_on_an_empty_journal_do_not_print_the_password(
    place: PostgresPlace, tmp_path: Path, command: str
) -> None:
    url = place.url.replace("pitboss@", "pitboss:s3cret@")
    opened(url).close()
    result = CliRunner().invoke(cli, ["arena", command, url, *([str(tmp_path)] if command == "export" else [])])
    assert result.exit_code == 1
    assert "has no tables" in result.output
    assert "s3cret" not in result.output
