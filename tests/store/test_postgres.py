"""The journal in PostgreSQL: durable, many owners of different tables, and no password in any message."""

import re
import socket
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner

from pitboss.cli.main import cli
from pitboss.extras import install_command
from pitboss.store import Chain, InUse, StoreError, open_store, postgres, public_name
from pitboss.store.postgres import PostgresStore
from pitboss.store.response_timeout import WatchedConnection
from tests.support.for_each import for_each
from tests.support.store.places import PostgresPlace, filled, fresh_chain


def opened(place: PostgresPlace) -> PostgresStore:
    """Open a journal as the class it is."""
    store = open_store(place.url)
    assert isinstance(store, PostgresStore)
    return store


@pytest.mark.check
def test_every_commit_waits_for_the_disk(postgres_place: PostgresPlace) -> None:
    postgres_place.url += "%20-csynchronous_commit%3Doff"  # even if the server, or the address, would not
    with opened(postgres_place) as store:
        assert store.connection.execute("SHOW synchronous_commit").fetchall() == [("on",)]


def test_two_processes_own_different_tables_of_one_journal(
    postgres_place: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "GRACE", 0.05)
    with open_store(postgres_place.url) as one, open_store(postgres_place.url) as other:
        first, second = fresh_chain(one, "T-1"), fresh_chain(other, "T-2")
        one.append([first.append(b"mine")])
        other.append([second.append(b"yours")])
        with pytest.raises(InUse, match=r"table T-1 in postgresql://.* is in use by another process"):
            other.claim("T-1")
        one.append([first.append(b"still mine")])
        other.append([second.append(b"still yours")])
        assert one.tables() == ("T-1", "T-2")


def test_a_claim_waits_a_moment_for_an_owner_that_is_just_leaving(
    postgres_place: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server frees a lock only after it has noticed that the owner is gone; a new owner waits for that."""
    monkeypatch.setattr(postgres, "GRACE", 60.0)
    with opened(postgres_place) as leaving, opened(postgres_place) as coming, ThreadPoolExecutor(1) as elsewhere:
        leaving.claim("T-1")
        claimed = elsewhere.submit(coming.claim, "T-1")
        waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND pid = ?"
        deadline = time.monotonic() + 60
        while postgres_place.ask(waiting, coming.connection.info.backend_pid) != [(1,)]:
            assert not claimed.done()
            assert time.monotonic() < deadline
        leaving.close()
        claimed.result(60)
        coming.append([Chain("T-1", coming.read("T-1").head).append(b"mine")])


def test_journals_in_two_schemas_do_not_meet(postgres_server: str) -> None:
    one, other = PostgresPlace.new(postgres_server), PostgresPlace.new(postgres_server)
    with open_store(one.url) as first, open_store(other.url) as second:
        first.append([fresh_chain(first).append(b"one")])
        second.append([fresh_chain(second).append(b"other")])
        assert [entry.body for entry in second.read("T-1").entries] == [b"other"]


def test_a_database_that_refuses_is_reported(postgres_place: PostgresPlace) -> None:
    filled(postgres_place, [b"one"])
    postgres_place.alter("ALTER TABLE pitboss_entry RENAME TO gone")
    with open_store(postgres_place.url) as store:
        with pytest.raises(StoreError, match=r'refuses the operation \(relation "pitboss_entry" does not exist\)'):
            store.read("T-1")
        assert store.tables() == ("T-1",)  # the connection is none the worse


def test_many_processes_may_make_the_journal_at_once(postgres_place: PostgresPlace) -> None:
    stores = [open_store(postgres_place.url) for _ in range(4)]
    assert postgres_place.ask("SELECT version FROM pitboss_version") == [(1,)]
    for store in stores:
        store.close()


# --- addresses


def test_without_psycopg_the_error_has_the_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=re.escape(f"PostgreSQL needs psycopg: {install_command('postgres')}")):
        open_store("postgresql://me:secret@nowhere/db")


def refusal_of(url: str) -> str:
    """Everything that a refusal shows, with its traceback."""
    pytest.importorskip("psycopg", reason="psycopg is not installed", exc_type=ImportError)
    with pytest.raises(StoreError) as refusal:
        open_store(url)
    return "".join(traceback.format_exception(refusal.value, chain=True)) + str(refusal.value)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
def test_a_server_that_does_not_answer_is_named_without_the_password(scheme: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound, but not listening
        number = unused.getsockname()[1]
        message = refusal_of(f"{scheme}://me:s3cr%20et@127.0.0.1:{number}/arena")
    assert f"postgresql://127.0.0.1:{number}/arena does not answer" in message
    assert "refused" in message
    assert "start the server, or correct the address" in message
    assert "s3cr" not in message


def test_a_server_that_is_not_found_is_reported(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("no-server")
    message = refusal_of(f"postgresql:///arena?host={folder}&user=me&password=s3cret")
    assert "does not answer" in message
    assert "s3cret" not in message


@for_each(
    "url",
    [
        "postgresql://me:s3cret%@host/arena",
        "postgresql://me:s3cret/x@host/arena",
        "postgresql://me:12/s3cret@host/arena",
        "postgresql://me:x@s3cret@host/arena",
        "postgresql://me:s3cret@[::1/arena",
        "postgresql://host/arena?pasword=s3cret",
    ],
)
def test_an_address_that_cannot_be_read_is_reported_without_the_password(url: str) -> None:
    message = refusal_of(url)
    assert "expected postgresql://user:password@host:port/database" in message
    assert "s3cret" not in message


def test_a_database_that_is_not_there_is_reported(postgres_server: str) -> None:
    message = refusal_of(postgres_server.replace("/postgres?", "/no_such?"))
    assert 'database "no_such" does not exist' in message
    assert "/no_such does not answer" in message


def test_a_password_that_is_refused_is_not_reported(postgres_server: str) -> None:
    message = refusal_of(postgres_server.replace("pitboss@", "nobody_here:s3cret@"))
    assert 'role "nobody_here" does not exist' in message
    assert "s3cret" not in message


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("matches.db", "matches.db"),
        ("postgresql://me:s3cret@db:5432/arena?sslmode=require", "postgresql://db:5432/arena"),
        ("postgres://db/arena?user=me&password=s3cret", "postgresql://db/arena"),
        ("postgresql://db/arena?password=x@s3cret", "postgresql://db/arena"),
    ],
)
def test_a_journals_place_is_named_without_the_password(url: str, named: str) -> None:
    assert public_name(url) == named


@pytest.mark.parametrize("command", [["verify"], ["export"]])
def test_commands_do_not_print_the_password_of_a_journal_without_tables(
    postgres_place: PostgresPlace, tmp_path: Path, command: list[str]
) -> None:
    url = f"{postgres_place.url}&password=s3cret"
    open_store(url).close()
    more = [str(tmp_path / "hands")] if command == ["export"] else []
    done = CliRunner().invoke(cli, ["arena", *command, url, *more])
    assert done.exit_code == 1
    assert "has no tables" in done.output
    assert "s3cret" not in done.output


def test_restarted_owner_locks_its_tables_before_reading_their_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []

    class Transaction:
        """Records what is done in it."""

        def run(self, statement: str, *values: object) -> None:
            assert statement.startswith("UPDATE"), "its commit waits for the disk only where something is changed"
            done.append(f"touched {values[0]}")

    store = object.__new__(PostgresStore)
    store._claims = dict.fromkeys(("T-1", "T-2"))  # type: ignore[assignment]  # only their names are looked at
    monkeypatch.setattr(store, "_find", lambda _, table: done.append(f"found {table}"))
    store._confirm(Transaction())  # type: ignore[arg-type]  # it does no more than this test needs
    assert done == ["touched T-1", "touched T-2", "found T-1", "found T-2"]


@pytest.mark.parametrize(
    ("read_only", "said", "wanted"),
    [(False, "", "read-write"), (True, "", "any"), (True, "?target_session_attrs=standby", "standby")],
)
def test_owner_connects_to_the_primary_and_a_reader_to_any_server(
    read_only: bool, said: str, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def connect(_: str, **options: object) -> None:
        asked.append(options["target_session_attrs"])
        raise psycopg.OperationalError("connection failed: nobody is there")

    monkeypatch.setattr(WatchedConnection, "connect", connect)
    with pytest.raises(StoreError, match="nobody is there"):
        open_store(f"postgresql://localhost/arena{said}", read_only=read_only)
    assert asked == [wanted]
