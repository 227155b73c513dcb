"""Two processes and one journal: the second waits its turn, and nothing outlives a process that is killed."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from pitboss.store import InUse, open_store, postgres
from tests.support.store.places import Place, SqlitePlace, fresh_chain

HOLDER = Path(__file__).parents[1] / "support" / "store" / "holder.py"
SECONDS = 60


class Holder:
    """A process that owns the journal and reports what it has written."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self.input: IO[str] = process.stdin
        self.output: IO[str] = process.stdout

    def written(self, times: int = 1) -> int:
        """Wait until it has reported this many more times what is on disk; return the last number."""
        lines = [self.output.readline() for _ in range(times)]
        assert all(line.strip().isdigit() for line in lines), lines
        return int(lines[-1])

    def kill(self) -> int:
        """Kill it, as a power failure would, and return the last number it told."""
        self.process.kill()
        rest = self.output.read().splitlines()
        self.process.wait(SECONDS)
        return max((int(line) for line in rest if line.isdigit()), default=0)

    def stop(self) -> None:
        """Let it end without a kill."""
        self.input.close()
        self.output.read()
        assert self.process.wait(SECONDS) == 0


@contextmanager
def holder(url: str) -> Iterator[Holder]:
    """Run a process that owns a journal; it is gone at the end, whatever happens."""
    process = subprocess.Popen([sys.executable, HOLDER, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    watch = threading.Timer(SECONDS, process.kill)  # a reading of its output then ends too
    watch.start()
    try:
        with process:
            try:
                yield Holder(process)
            finally:
                process.kill()
    finally:
        watch.cancel()


def take(url: str) -> None:
    """Become the owner of the table, if it has none."""
    with open_store(url) as store:
        store.claim("T-1")


@pytest.mark.check
def test_a_second_process_is_refused_while_the_first_lives(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "GRACE", 0.05)
    with holder(place.url) as first:
        first.written()
        with pytest.raises(InUse, match="in use by another process: stop that"):
            take(place.url)
        with holder(place.url) as second:
            assert second.output.readline().startswith("refused")
        first.written(3)  # and the first has not noticed
        first.stop()
    take(place.url)


def test_a_refused_process_leaves_the_owner_its_epoch(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "GRACE", 0.05)
    with open_store(place.url) as store:
        chain = fresh_chain(store)
        with pytest.raises(InUse):
            take(place.url)
        store.append([chain.append(b"still mine")])


@pytest.mark.check
def test_next_process_continues_after_a_kill_with_every_reported_entry(place: Place) -> None:
    reported = 0
    for rounds in (1, 4, 9):
        with holder(place.url) as first:
            reported = first.written(rounds)
            reported = max(reported, first.kill())
        with open_store(place.url) as store:
            store.claim("T-1")
            reading = store.read("T-1")
            assert reading.torn_at is None, reading.tear
            assert [entry.body for entry in reading.entries] == [b"entry %d" % n for n in range(1, reading.last + 1)]
            assert reading.last >= reported


@pytest.mark.check
def test_a_reader_looks_on_while_another_process_writes(place: Place) -> None:
    with holder(place.url) as first:
        first.written()
        with open_store(place.url, read_only=True) as reader:
            for _ in range(20):
                reported = first.written()
                reading = reader.read("T-1")
                assert reading.torn_at is None, reading.tear
                assert reading.last >= reported
        first.stop()


def test_reader_changes_nothing_after_a_kill(sqlite_place: SqlitePlace) -> None:
    """What the dead process had not moved from the write-ahead file into the journal is read, and stays there."""
    with holder(sqlite_place.url) as first:
        reported = max(first.written(5), first.kill())
    before = sqlite_place.files()
    assert before["pitboss.db-wal"]
    with open_store(sqlite_place.url, read_only=True) as reader:
        assert reader.read("T-1").last >= reported
    after = sqlite_place.files()
    assert set(after) == set(before)
    assert {name: after[name] for name in after if not name.endswith("-shm")} == {
        name: before[name] for name in before if not name.endswith("-shm")
    }
