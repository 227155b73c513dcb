"""The tables of an opened journal: how many, under which names, and reports about options that do not count."""

from pitboss.arena.journal.records import Seated, Settings, TableOpened, read_record
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.rooms.tables import OpenTables, RoomSetup, open_tables
from tests.support.arena.rooms import Disk

SETUP = RoomSetup(limits=Limits(), entropy=bytes, day=lambda: "2026-11-15")
FEW = Settings(seats=3)


def opened(disk: Disk, tables: int = 1, *, new: bool = False, house: tuple[str, ...] = ()) -> OpenTables:
    """The tables of a journal, with nothing asked for but their number."""
    return open_tables(disk, SETUP, FEW, tables=tables, new=new, house=house, named=())


def test_new_journal_has_the_requested_number_of_tables() -> None:
    disk = Disk()
    first = opened(disk, 3, house=("tight", "calling", "tight"))
    assert list(first.rooms) == ["T-1", "T-2", "T-3"]
    assert first.report == []
    for table in first.rooms:
        records = [read_record(entry.body) for entry in disk.read(table).entries]
        assert [type(record) for record in records] == [TableOpened, Seated, Seated, Seated]
        assert [record.seat for record in records if isinstance(record, Seated)] == [0, 1, 2]
        assert {record.lock for record in records if isinstance(record, Seated)} == {None}
        assert len({record.team for record in records if isinstance(record, Seated)}) == 3


def test_journal_keeps_its_number_of_tables_and_another_number_is_reported() -> None:
    disk = Disk()
    opened(disk, 2)
    said = "this journal has 2 tables, not 3: use another --db"
    for tables, report in ((1, []), (2, []), (3, [said])):
        again = opened(disk, tables)
        assert list(again.rooms) == ["T-1", "T-2"]
        assert [line for line in again.report if "another --db" in line] == report


def test_new_tables_are_not_opened_while_a_match_is_to_be_played() -> None:
    disk = Disk()
    opened(disk)
    assert list(opened(disk, new=True).rooms) == ["T-1"]
