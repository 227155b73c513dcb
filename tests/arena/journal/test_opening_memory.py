"""A long journal is opened table by table, and only what a table needs stays in memory."""

import gc
import weakref

import pytest
from msgspec.structs import asdict

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.tables import RoomSetup, open_tables
from pitboss.store.chain import Reading
from tests.support.arena.rooms import Disk

pytestmark = pytest.mark.check


class WatchedReading(Reading, frozen=True, weakref=True):
    """A reading with weak references, so that the test sees when it is freed."""


class WatchedDisk(Disk):
    """A journal that counts how many of the entries read from it are still in memory at each read."""

    def __init__(self) -> None:
        super().__init__()
        self.held: list[int] = []
        self._given: list[weakref.ref[WatchedReading]] = []

    def read(self, table: str) -> Reading:
        """Everything there is of a table."""
        gc.collect()
        self.held.append(sum(given() is not None for given in self._given))
        reading = WatchedReading(**asdict(super().read(table)))
        self._given.append(weakref.ref(reading))
        return reading


def test_of_a_journal_no_more_than_one_table_is_in_memory_while_it_is_taken_up() -> None:
    disk, setup = WatchedDisk(), RoomSetup(day=lambda: "2026-11-15")
    open_tables(disk, setup, Settings(seats=2), tables=20)
    opened = open_tables(disk, setup, Settings(seats=2))
    assert (len(opened.rooms), len(disk.held)) == (20, 20)
    assert max(disk.held) <= 1, "all that was read is held until the last table is taken up"
    gc.collect()
    assert sum(given() is not None for given in disk._given) == 0
