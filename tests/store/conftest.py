"""The same journal in both databases: a place for each test, which the tests may also tamper with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.store.places import Place, PostgresPlace, SqlitePlace
from tests.support.store.servers import server_or_skip


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Run a throw-away server while tests need it, or skip them where none can be run."""
    with server_or_skip() as server:
        yield server.url


@pytest.fixture
def postgres_place(postgres_server: str) -> PostgresPlace:
    """Return a new schema in the temporary server."""
    return PostgresPlace.new(postgres_server)


@pytest.fixture
def sqlite_place(tmp_path: Path) -> SqlitePlace:
    """Return the path of a file that does not exist yet, in its own folder."""
    return SqlitePlace(tmp_path / "pitboss.db")


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> Place:
    """Return a new place for a journal, once in each database."""
    found: Place = request.getfixturevalue(f"{request.param}_place")
    return found
